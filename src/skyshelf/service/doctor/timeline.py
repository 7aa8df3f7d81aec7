"""The timeline counts as many pictures and videos in every month as there are."""

from collections.abc import Iterator
from functools import partial

from skyshelf.service.doctor.promise import Finding, Visit
from skyshelf.service.house import House


def look(house: House, _visit: Visit) -> Iterator[Finding]:
    with house.metadata.snapshot() as unit:
        wrong = unit.inspection.wrong_months()
    for account_id in wrong:
        what = f"the timeline of account {account_id} counts other numbers of pictures than there are"
        yield Finding(what, partial(_mend, account_id=account_id))


def _mend(house: House, *, account_id: int) -> str | None:
    house.metadata.write(lambda unit: unit.mending.recount_months(account_id))
    return f"counted the months of account {account_id} anew"
