"""Who may do what on a board: everybody on it looks and comments, editors add files of their own, and what concerns
the board itself is its owner's."""

from typing import Final

from skyshelf.service.context import Caller
from skyshelf.service.errors import Refused
from skyshelf.storage.errors import Missing
from skyshelf.storage.metadata.contracts.boards import MEMBER, OWNER
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes

EDITORS: Final = frozenset({OWNER, MEMBER})
OWNERS: Final = frozenset({OWNER})


def hold_as(unit: Unit, caller: Caller, board_key: str, allowed: frozenset[str] | None = None) -> str:
    """Hold a board for the rest of the write; the caller's role, which has to be one of those. None allows any."""
    try:
        role = unit.boards.hold(caller.account_id, board_key)
    except Missing as missing:
        raise Refused(codes.BOARD_NOT_FOUND) from missing
    _refuse_others(role, allowed)
    return role


def look_as(unit: Unit, caller: Caller, board_key: str, allowed: frozenset[str] | None = None) -> str:
    """The same for a look, which holds nothing."""
    role = unit.boards.role(caller.account_id, board_key)
    if role is None:
        raise Refused(codes.BOARD_NOT_FOUND)
    _refuse_others(role, allowed)
    return role


def _refuse_others(role: str, allowed: frozenset[str] | None) -> None:
    if allowed is not None and role not in allowed:
        who = "Its owner alone may do this" if allowed == OWNERS else "You may look at this board and comment on it"
        raise Refused(codes.FORBIDDEN, who)
