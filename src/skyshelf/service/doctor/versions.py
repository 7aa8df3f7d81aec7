"""Every file is its current version, and every version is of the size and MD5 of its content."""

from collections.abc import Iterator
from functools import partial

from skyshelf.service.doctor.promise import MOST, Finding, Visit
from skyshelf.service.house import House
from skyshelf.storage.metadata.contracts.inspection import WrongFile


def look(house: House, _visit: Visit) -> Iterator[Finding]:
    with house.metadata.snapshot() as unit:
        without = unit.inspection.files_without_current(limit=MOST)
        unlike = unit.inspection.unlike_their_content(limit=MOST)
    for one in without:
        yield Finding(f"{_named(one)} differs from its current version, or has none", partial(_mend, one=one))
    for one in unlike:
        yield Finding(f"version {one.version} of {_named(one)} has another size or MD5 than its content")


def _mend(house: House, *, one: WrongFile) -> str | None:
    if house.metadata.write(lambda unit: unit.mending.restore_current(one.account_id, one.object_key)):
        return f"{one.object_key} and its version {one.version} agree again"
    return None


def _named(one: WrongFile) -> str:
    return f"“{one.name}” ({one.object_key}) of account {one.account_id}"
