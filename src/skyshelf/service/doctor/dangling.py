"""Every row that refers to another one finds it."""

from collections.abc import Iterator
from functools import partial

from skyshelf.service.doctor.promise import Finding, Visit
from skyshelf.service.house import House
from skyshelf.storage.metadata.contracts.inspection import Dangling


def look(house: House, _visit: Visit) -> Iterator[Finding]:
    with house.metadata.snapshot() as unit:
        found = unit.inspection.dangling()
    for one in found:
        what = f"{one.rows:,} rows of {one.table} name rows of {one.to} that are not there ({', '.join(one.columns)})"
        yield Finding(what, partial(_mend, dangling=one) if one.may_go else None)


def _mend(house: House, *, dangling: Dangling) -> str | None:
    gone = house.metadata.write(lambda unit: unit.mending.drop_dangling(dangling))
    return f"removed {gone:,} rows of {dangling.table}"
