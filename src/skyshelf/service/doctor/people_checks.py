"""Checks of boards and second factors."""

from collections.abc import Iterator
from functools import partial

from skyshelf.service.accounts import login_codes
from skyshelf.service.context import ServiceContext
from skyshelf.service.doctor.check import PAGE, CheckRun, Finding


def check_boards(ctx: ServiceContext, _run: CheckRun) -> Iterator[Finding]:
    with ctx.metadata.snapshot() as unit:
        ownerless = unit.inspection.ownerless_boards()
        of_strangers = unit.inspection.boards_of_strangers()
    for board_key in ownerless:
        yield Finding(f"board {board_key} has no owner among its members", partial(_repair_owner, board_key=board_key))
    for board_key in of_strangers:
        sentence = f"board {board_key} shows files of an account that is not a member"
        yield Finding(sentence, partial(_repair_items, board_key=board_key))


def _repair_owner(ctx: ServiceContext, *, board_key: str) -> str | None:
    has_owner = ctx.metadata.write(lambda unit: unit.repair.crown(board_key))
    if has_owner:
        return f"made the oldest member the owner of board {board_key}"
    return f"removed board {board_key}, which had no members"


def _repair_items(ctx: ServiceContext, *, board_key: str) -> str | None:
    removed = ctx.metadata.write(lambda unit: unit.repair.drop_strangers_items(board_key))
    return f"took {removed:,} {'file' if removed == 1 else 'files'} off board {board_key}"


def check_second_factors(ctx: ServiceContext, _run: CheckRun) -> Iterator[Finding]:
    count, after = 0, 0
    with ctx.metadata.snapshot() as unit:
        if unit.settings.get(login_codes.SETTING) is not None:
            return
        while page := unit.accounts.list(after_id=after, limit=PAGE):
            count += len(unit.second_factors.on_among([account.account_id for account in page]))
            after = page[-1].account_id
    if count:
        require = "account requires" if count == 1 else "accounts require"
        yield Finding(
            f"{count:,} {require} a code at login, but the server's secret for codes is missing, so every code is"
            " rejected: skyshelf admin user reset-second-factor lets people log in with the password alone"
        )
