"""What was given up for good is on its way out: a job is there that purges it."""

from collections.abc import Iterator
from functools import partial

from skyshelf.service.account_deletion import REMOVE_ACCOUNT
from skyshelf.service.chores import PURGE, ask_for_purge
from skyshelf.service.doctor.promise import Finding, Visit
from skyshelf.service.house import House


def look(house: House, _visit: Visit) -> Iterator[Finding]:
    with house.metadata.snapshot() as unit:
        forgotten = unit.inspection.forgotten_purges([PURGE, REMOVE_ACCOUNT])
    for account_id in forgotten:
        what = f"account {account_id} has given up objects that nobody is going to purge"
        yield Finding(what, partial(_mend, account_id=account_id))


def _mend(house: House, *, account_id: int) -> str | None:
    now = house.clock.now()
    house.metadata.write(lambda unit: ask_for_purge(unit, account_id, now))
    return f"asked for the purge of account {account_id}; the running service does it"
