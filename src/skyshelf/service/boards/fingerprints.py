"""News of a board, for somebody who looks at it: that it looks different now, and nothing of what or why.

Whoever hears it looks again by the usual calls. It is told only when what that person can see is another one: that
a member does something in their own drive is nobody else's business.
"""

from hashlib import blake2b

import msgspec

from skyshelf.service.boards.boards import board_details, board_members
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.wire import error_codes as codes
from skyshelf.wire.limits import LISTING_LIMIT_MAX
from skyshelf.wire.resources.boards import BoardDetailsQuery

_FIRST_PAGE = BoardDetailsQuery(limit=LISTING_LIMIT_MAX)


def board_fingerprint(ctx: ServiceContext, caller: Caller, board_key: str) -> bytes:
    """A digest of what the caller sees of a board; refused where the caller is not on it."""
    seen = blake2b(board_details(ctx, caller, board_key, _FIRST_PAGE, ""), digest_size=16)
    seen.update(msgspec.json.encode(board_members(ctx, caller, board_key)))
    return seen.digest()


def fingerprint_for_member(ctx: ServiceContext, caller: Caller, board_key: str) -> bytes | None:
    """The same; None where the caller is not on the board any more."""
    try:
        return board_fingerprint(ctx, caller, board_key)
    except ServiceError as refused:
        if refused.error is codes.BOARD_NOT_FOUND:
            return None
        raise


def invitation_change_tokens(ctx: ServiceContext, account_ids: list[int]) -> dict[int, str]:
    """What is another text when it is worth looking at the invitations of an account again; none where it has none."""
    if not account_ids:
        return {}
    with ctx.metadata.read() as unit:
        return unit.board_invitations.change_tokens(account_ids, ctx.clock.now())


def board_change_tokens(ctx: ServiceContext, board_keys: list[str]) -> dict[str, str]:
    """What is another text when it is worth looking at a board again."""
    if not board_keys:
        return {}
    with ctx.metadata.read() as unit:
        return unit.boards.change_tokens(board_keys)
