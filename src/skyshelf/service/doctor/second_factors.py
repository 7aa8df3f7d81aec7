"""Codes of second factors can be compared: the secret that they are derived from is there."""

from collections.abc import Iterator

from skyshelf.service import login_codes
from skyshelf.service.doctor.promise import PAGE, Finding, Visit
from skyshelf.service.house import House


def look(house: House, _visit: Visit) -> Iterator[Finding]:
    asking, after = 0, 0
    with house.metadata.snapshot() as unit:
        if unit.settings.get(login_codes.SETTING) is not None:
            return
        while page := unit.accounts.list(after_id=after, limit=PAGE):
            asking += len(unit.second_factors.on_among([account.account_id for account in page]))
            after = page[-1].account_id
    if asking:
        yield Finding(
            f"{asking:,} accounts ask for a code, and the server's secret for codes is gone, so that no code is right:"
            " skyshelf admin user reset-second-factor lets them in by the password alone"
        )
