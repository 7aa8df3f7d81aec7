"""What happened in an account, since a moment that a client remembers."""

from typing import Annotated

from msgspec import Meta, field
from msgspec.structs import force_setattr

from skyshelf.wire.keys import Key, clean_key
from skyshelf.wire.limits import (
    CHANGE_STREAM_SECONDS_DEFAULT,
    CHANGE_STREAM_SECONDS_MAX,
    CHANGES_LIMIT_DEFAULT,
    LISTING_LIMIT_MAX,
    TOKEN_CHARS_MAX,
)
from skyshelf.wire.models import AnswerModel, HeaderModel, QueryModel
from skyshelf.wire.resources.objects import CloudObject

Cursor = Annotated[str, Meta(min_length=1, max_length=TOKEN_CHARS_MAX, description="where an earlier answer ended")]
Limit = Annotated[int, Meta(ge=1, le=LISTING_LIMIT_MAX)]


class ChangesQuery(QueryModel, frozen=True, kw_only=True):
    """Since when; without a cursor the answer is empty and has the cursor of now."""

    cursor: Cursor | None = None
    limit: Limit = CHANGES_LIMIT_DEFAULT


class EverythingQuery(QueryModel, frozen=True, kw_only=True):
    """Which part of everything; without a cursor the first."""

    cursor: Cursor | None = None
    limit: Limit = CHANGES_LIMIT_DEFAULT


class ChangeStreamQuery(QueryModel, frozen=True, kw_only=True):
    """Since when, and for how long at most; without a cursor from now on. A board, and invitations to boards, are
    listened to as well where that is asked for."""

    cursor: Cursor | None = None
    board_key: Key | None = None
    invitations: bool = False
    seconds: Annotated[int, Meta(ge=0, le=CHANGE_STREAM_SECONDS_MAX)] = CHANGE_STREAM_SECONDS_DEFAULT

    def __post_init__(self) -> None:
        if self.board_key is not None:
            force_setattr(self, "board_key", clean_key(self.board_key))


class ChangeStreamHeaders(HeaderModel, frozen=True, kw_only=True):
    """What a client that lost its stream sends; it wins over the cursor in the query."""

    last_event_id: Cursor | None = field(default=None, name="Last-Event-ID")


class BoardNews(AnswerModel, frozen=True, kw_only=True):
    """A board that is listened to looks different now; or the caller is not on it any more, and hears no more of it."""

    board_key: str
    is_member: bool | None = None


class Change(AnswerModel, frozen=True, kw_only=True):
    """One thing that happened to one object."""

    kind: str | None = None
    object_key: str | None = None
    date: int | None = None


class ChangesPage(AnswerModel, frozen=True, kw_only=True):
    """What happened, oldest first, and the objects that it happened to, as they are now.

    An object that is not among `objects` is gone for good. `cursor` is where to go on, also from the last page.
    """

    changes: list[Change] | None = None
    objects: list[CloudObject] | None = None
    cursor: str | None = None
    has_more: bool | None = None


class Everything(AnswerModel, frozen=True, kw_only=True):
    """All objects of an account, trashed ones too, by key.

    `changesCursor` is of the moment before the first page: whoever then asks for the changes since has the whole.
    """

    objects: list[CloudObject] | None = None
    next_cursor: str | None = None
    changes_cursor: str | None = None
