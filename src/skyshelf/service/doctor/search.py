"""A search finds every object that is there, and no other."""

from collections.abc import Iterator
from functools import partial

from skyshelf.service.doctor.promise import MOST, Finding, Visit
from skyshelf.service.house import House
from skyshelf.storage.metadata.contracts.inspection import Named


def look(house: House, _visit: Visit) -> Iterator[Finding]:
    with house.metadata.snapshot() as unit:
        found = unit.inspection.unfindable(limit=MOST)
    for one in found:
        what = f"a search does not know “{one.name}” ({one.object_key}) of account {one.account_id} as it is"
        yield Finding(what, partial(_mend, one=one))


def _mend(house: House, *, one: Named) -> str | None:
    done = house.metadata.write(lambda unit: unit.mending.reindex(one.account_id, one.object_key))
    return f"indexed {one.object_key} anew" if done else "it is gone by now"
