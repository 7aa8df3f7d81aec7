"""The counters of an account, by category, are the sum of its versions; what it has reserved, of its uploads."""

from collections.abc import Iterator
from functools import partial

from msgspec.structs import asdict

from skyshelf.service.doctor.promise import Finding, Visit
from skyshelf.service.house import House
from skyshelf.storage.errors import AccountMissing


def look(house: House, _visit: Visit) -> Iterator[Finding]:
    now, after = house.clock.now(), 0
    while True:
        with house.metadata.snapshot() as unit:
            accounts = unit.accounts.list(after_id=after, limit=100)
            found = []
            for account in accounts:
                try:
                    kept = unit.quotas.get(account.account_id, now)
                    counted = unit.quotas.recount(account.account_id, now)
                except AccountMissing:
                    continue  # it has no counters at all, which is another promise
                if kept != counted:
                    found.append((account, asdict(kept), asdict(counted)))
        for account, kept_of, counted_of in found:
            wrong = ", ".join(
                f"{name.removesuffix('_used')} {kept_of[name]:,} for {counted_of[name]:,}"
                for name in kept_of
                if kept_of[name] != counted_of[name]
            )
            yield Finding(
                f"the quota of {account.email} is wrong: {wrong}", partial(_mend, account_id=account.account_id)
            )
        if not accounts:
            return
        after = accounts[-1].account_id


def _mend(house: House, *, account_id: int) -> str | None:
    now = house.clock.now()
    changed = house.metadata.write(lambda unit: unit.mending.recount_quota(account_id, now))
    return f"counted the quota of account {account_id} anew" if changed else "it is right by now"
