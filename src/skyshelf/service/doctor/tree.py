"""Every object hangs below the root of its account, and no folder is inside of itself."""

from collections.abc import Iterator
from functools import partial

from skyshelf.service.doctor.promise import MOST, PAGE, Finding, Visit, walk
from skyshelf.service.house import House
from skyshelf.storage.errors import ObjectMissing
from skyshelf.storage.metadata.contracts.inspection import Named


def look(house: House, _visit: Visit) -> Iterator[Finding]:
    with house.metadata.snapshot() as unit:
        for one in unit.inspection.homeless(limit=MOST):
            yield Finding(f"{_named(one)} hangs below nothing", partial(_mend, one=one))
        for one in walk(lambda after: unit.inspection.circling(after, limit=PAGE)):
            yield Finding(f"the folder {_named(one)} is inside of itself", partial(_mend, one=one))


def _mend(house: House, *, one: Named) -> str | None:
    now = house.clock.now()
    try:
        moved = house.metadata.write(lambda unit: unit.mending.bring_home(one.account_id, [one.object_key], now))
    except ObjectMissing:
        return None
    return f"moved {_named(one)} to the root" if moved else "it has found its place by itself"


def _named(one: Named) -> str:
    return f"“{one.name}” ({one.object_key}) of account {one.account_id}"
