"""Every board has an owner who is on it, and shows nothing of anybody who is not."""

from collections.abc import Iterator
from functools import partial

from skyshelf.service.accounts import login_codes
from skyshelf.service.context import ServiceContext
from skyshelf.service.doctor.check import PAGE, CheckRun, Finding


def check_boards(ctx: ServiceContext, _visit: CheckRun) -> Iterator[Finding]:
    with ctx.metadata.snapshot() as unit:
        ownerless = unit.inspection.ownerless_boards()
        of_strangers = unit.inspection.boards_of_strangers()
    for board_key in ownerless:
        yield Finding(f"the board {board_key} has no owner who is on it", partial(_crown, board_key=board_key))
    for board_key in of_strangers:
        what = f"the board {board_key} shows something of an account that is not on it"
        yield Finding(what, partial(_take_off, board_key=board_key))


def _crown(ctx: ServiceContext, *, board_key: str) -> str | None:
    there = ctx.metadata.write(lambda unit: unit.repair.crown(board_key))
    return f"the board {board_key} has an owner again" if there else f"removed {board_key}, on which nobody was"


def _take_off(ctx: ServiceContext, *, board_key: str) -> str | None:
    gone = ctx.metadata.write(lambda unit: unit.repair.drop_strangers_items(board_key))
    return f"took {gone:,} files off the board {board_key}"


# Codes of second factors can be compared: the secret that they are derived from is there.


def check_second_factors(ctx: ServiceContext, _visit: CheckRun) -> Iterator[Finding]:
    asking, after = 0, 0
    with ctx.metadata.snapshot() as unit:
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
