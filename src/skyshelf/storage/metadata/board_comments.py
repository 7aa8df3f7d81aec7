"""Comments on a board."""

from typing import Protocol

import msgspec

from skyshelf.storage.metadata.places import Place


class NewComment(msgspec.Struct, frozen=True, kw_only=True):
    comment_key: str
    text: str
    object_key: str | None = None
    """The item it is about, if it is about one."""


class BoardComment(msgspec.Struct, frozen=True):
    comment_key: str
    board_key: str
    account_id: int
    account_key: str
    first_name: str
    object_key: str | None
    """The item it is about, while the board shows it."""
    text: str
    created_at: int
    edited_at: int = 0
    """0 where it is as it was written."""


class BoardComments(Protocol):
    """A comment stays when its author leaves the board, and when the item it is about goes.

    The account_id of every call is the caller's. A board of which the caller is not an active member is Missing.
    """

    def add(self, account_id: int, board_key: str, comment: NewComment, now: int) -> BoardComment:
        """ObjectMissing when it is about something that the board does not show."""

    def page(self, account_id: int, board_key: str, *, limit: int, after: Place | None = None) -> list[BoardComment]:
        """Newest first; the place of a comment is its created_at and its key."""

    def get(self, account_id: int, board_key: str, comment_key: str) -> BoardComment:
        """Missing when the board has no such comment."""

    def edit(self, account_id: int, board_key: str, comment_key: str, text: str, now: int) -> BoardComment:
        """Anybody's comment, as in remove. Missing when there is none."""

    def remove(self, account_id: int, board_key: str, comment_key: str, now: int) -> None:
        """Anybody's comment: whose may be removed by whom, the service says. Missing when there is none."""
