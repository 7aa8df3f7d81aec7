"""What is kept of an object in another form, as listings show it and find it, says what the object is."""

from collections.abc import Iterator
from functools import partial

from skyshelf.service.doctor.promise import PAGE, Finding, Visit, walk
from skyshelf.service.house import House
from skyshelf.storage.metadata.contracts.inspection import Outdated


def look(house: House, _visit: Visit) -> Iterator[Finding]:
    with house.metadata.snapshot() as unit:
        for one in walk(lambda after: unit.inspection.outdated(after, limit=PAGE)):
            what = f"“{one.name}” ({one.object_key}) of account {one.account_id} is shown as it is not"
            yield Finding(f"{what} ({', '.join(one.columns)})", partial(_mend, one=one))


def _mend(house: House, *, one: Outdated) -> str | None:
    if house.metadata.write(lambda unit: unit.mending.rewrite(one.account_id, one.object_key)):
        return f"wrote {one.object_key} anew"
    return "it is gone by now"
