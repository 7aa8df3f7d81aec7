"""Boards: albums that several accounts share. Members, items and comments have files of their own."""

from collections.abc import Sequence
from typing import Protocol

import msgspec

OWNER = "O"
MEMBER = "M"
"""Looks, comments, and adds own files."""
VIEWER = "V"
"""Looks and comments."""


class NewBoard(msgspec.Struct, frozen=True, kw_only=True):
    board_key: str
    name: str
    description: str = ""
    board_type: str = "P"


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """A board and what is on it right now: only what can be seen is counted."""

    board_key: str
    owner_id: int
    owner_key: str
    name: str
    description: str
    board_type: str
    status: str
    created_at: int
    updated_at: int
    """When its name, its items or its comments last changed."""
    files: int
    images: int
    videos: int
    audios: int
    size: int
    comments: int
    users: int
    role: str
    """What the caller is on it: OWNER, MEMBER or VIEWER."""
    cover_key: str | None = None
    """The item that stands for it, while it is shown."""


class BoardEdit(msgspec.Struct, frozen=True, kw_only=True):
    """What to change; None leaves it as it is."""

    name: str | None = None
    description: str | None = None


class Boards(Protocol):
    """Boards as one account sees them: the account_id of every call is the caller's.

    Unless a call says otherwise, a board of which the caller is not an active member is a board that does
    not exist: Missing. What a role may do is for the service to say; `hold` lets it ask and act in one step.
    """

    def create(self, account_id: int, board: NewBoard, now: int) -> Board:
        """A new board with the caller as its owner and only member."""

    def get(self, account_id: int, board_key: str) -> Board: ...

    def page(self, account_id: int, *, limit: int, offset: int = 0) -> list[Board]:
        """The boards that the caller is an active member of, the one changed last at the front."""

    def signs(self, board_keys: Sequence[str]) -> dict[str, str]:
        """A text for each board that is another one when the board, who is on it, or anything of theirs has changed.

        For the server alone, to know when to look: it tells of more than the board shows, and so is shown to nobody.
        """

    def role(self, account_id: int, board_key: str) -> str | None:
        """OWNER, MEMBER or VIEWER; None when the caller is not an active member."""

    def name(self, account_id: int, board_key: str) -> str:
        """What it is called, without counting what is on it."""

    def hold(self, account_id: int, board_key: str) -> str:
        """Lock the board until the write ends, and give the caller's role, which cannot change before that.

        Every call that changes a board takes this lock by itself.
        """

    def edit(self, account_id: int, board_key: str, edit: BoardEdit, now: int) -> Board: ...

    def set_cover(self, account_id: int, board_key: str, object_key: str | None, now: int) -> Board:
        """Let an item stand for the board, or none. ObjectMissing when the board does not show it."""

    def delete(self, account_id: int, board_key: str) -> None:
        """The board, its members, items and comments go; the objects stay with their owners."""
