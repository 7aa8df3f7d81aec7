"""The counter of references to a content is the number of versions that have it."""

from collections.abc import Iterator
from functools import partial

from skyshelf.service.doctor.promise import MOST, Finding, Visit
from skyshelf.service.house import House
from skyshelf.storage.metadata.contracts.inspection import Miscounted


def look(house: House, _visit: Visit) -> Iterator[Finding]:
    with house.metadata.snapshot() as unit:
        found = unit.inspection.miscounted(limit=MOST)
    for one in found:
        what = f"the content {one.sha256} counts {one.refs:,} references, and {one.counted:,} are there"
        yield Finding(what, partial(_mend, one=one))


def _mend(house: House, *, one: Miscounted) -> str | None:
    now = house.clock.now()
    changed = house.metadata.write(lambda unit: unit.mending.recount_references(one.sha256, now))
    return f"counted the references to {one.sha256} anew" if changed else "they are right by now"
