"""Every account has its counters and its root folder."""

from collections.abc import Iterator

from skyshelf.service.doctor.promise import Finding, Visit
from skyshelf.service.house import House


def look(house: House, _visit: Visit) -> Iterator[Finding]:
    with house.metadata.snapshot() as unit:
        without_counters = unit.inspection.accounts_without_counters()
        without_root = unit.inspection.accounts_without_root()
    for account_id in without_counters:
        yield Finding(f"account {account_id} has no counters, so that nobody can write to it")
    for account_id in without_root:
        yield Finding(f"account {account_id} has no root folder, or one that is not at the top")
