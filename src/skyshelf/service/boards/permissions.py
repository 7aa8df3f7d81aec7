"""Permissions on boards: members look and comment, editors add their own files, and the board itself is its owner's."""

from typing import Final

from skyshelf.service.context import Caller
from skyshelf.service.errors import ServiceError
from skyshelf.storage.errors import Missing
from skyshelf.storage.metadata.contracts.boards import MEMBER, OWNER
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes

EDITORS: Final = frozenset({OWNER, MEMBER})
OWNERS: Final = frozenset({OWNER})


def lock_board(unit: Unit, caller: Caller, board_key: str, allowed: frozenset[str] | None = None) -> str:
    """Lock a board for the rest of the transaction; returns the caller's role, which has to be an allowed one.

    None allows every role.
    """
    try:
        role = unit.boards.hold(caller.account_id, board_key)
    except Missing as missing:
        raise ServiceError(codes.BOARD_NOT_FOUND) from missing
    _check_allowed(role, allowed)
    return role


def check_board_role(unit: Unit, caller: Caller, board_key: str, allowed: frozenset[str] | None = None) -> str:
    """The same for reads, without a lock."""
    role = unit.boards.role(caller.account_id, board_key)
    if role is None:
        raise ServiceError(codes.BOARD_NOT_FOUND)
    _check_allowed(role, allowed)
    return role


def _check_allowed(role: str, allowed: frozenset[str] | None) -> None:
    if allowed is not None and role not in allowed:
        reason = "Only the board's owner can do this" if allowed == OWNERS else "You can only view and comment here"
        raise ServiceError(codes.FORBIDDEN, reason)
