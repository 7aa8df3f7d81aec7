"""The feed of changes has no hole, and ends with the newest."""

from collections.abc import Iterator
from functools import partial

from skyshelf.service.doctor.promise import Finding, Visit
from skyshelf.service.house import House


def look(house: House, _visit: Visit) -> Iterator[Finding]:
    with house.metadata.snapshot() as unit:
        broken = unit.inspection.broken_feeds()
    for account_id in broken:
        yield Finding(f"the changes of account {account_id} have a hole", partial(_mend, account_id=account_id))


def _mend(house: House, *, account_id: int) -> str | None:
    house.metadata.write(lambda unit: unit.mending.forget_feed(account_id))
    return f"dropped the changes of account {account_id}: devices that follow them begin anew"
