"""Board fingerprints and change tokens: how a stream notices that a member would see something different.

A client that is notified fetches the board again. A change token is cheap and says that a board may have changed; the
fingerprint says whether this member can see the change, because what others do in their own drives must not show.
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
    """A digest of what the caller sees of a board; ServiceError where the caller is not a member."""
    digest = blake2b(board_details(ctx, caller, board_key, _FIRST_PAGE, ""), digest_size=16)
    digest.update(msgspec.json.encode(board_members(ctx, caller, board_key)))
    return digest.digest()


def fingerprint_for_member(ctx: ServiceContext, caller: Caller, board_key: str) -> bytes | None:
    """The same; None where the caller is no longer a member."""
    try:
        return board_fingerprint(ctx, caller, board_key)
    except ServiceError as error:
        if error.error is codes.BOARD_NOT_FOUND:
            return None
        raise


def invitation_change_tokens(ctx: ServiceContext, account_ids: list[int]) -> dict[int, str]:
    """A token per account that differs when its invitations may have changed; absent where it has none."""
    if not account_ids:
        return {}
    with ctx.metadata.read() as unit:
        return unit.board_invitations.change_tokens(account_ids, ctx.clock.now())


def board_change_tokens(ctx: ServiceContext, board_keys: list[str]) -> dict[str, str]:
    """A token per board that differs when the board may have changed."""
    if not board_keys:
        return {}
    with ctx.metadata.read() as unit:
        return unit.boards.change_tokens(board_keys)
