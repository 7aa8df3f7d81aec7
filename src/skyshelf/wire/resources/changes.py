"""The change feed: changes in an account since a cursor."""

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

Cursor = Annotated[str, Meta(min_length=1, max_length=TOKEN_CHARS_MAX, description="`cursor` of an earlier response")]
Limit = Annotated[int, Meta(ge=1, le=LISTING_LIMIT_MAX)]


class ChangesQuery(QueryModel, frozen=True, kw_only=True):
    """The cursor to start from; without one the response is empty and has the current cursor."""

    cursor: Cursor | None = None
    limit: Limit = CHANGES_LIMIT_DEFAULT


class EverythingQuery(QueryModel, frozen=True, kw_only=True):
    """The page to return; without a cursor the first."""

    cursor: Cursor | None = None
    limit: Limit = CHANGES_LIMIT_DEFAULT


class ChangeStreamQuery(QueryModel, frozen=True, kw_only=True):
    """The cursor to start from, by default now, and the duration. A board and invitations can be watched too."""

    cursor: Cursor | None = None
    board_key: Key | None = None
    invitations: bool = False
    seconds: Annotated[int, Meta(ge=0, le=CHANGE_STREAM_SECONDS_MAX)] = CHANGE_STREAM_SECONDS_DEFAULT

    def __post_init__(self) -> None:
        if self.board_key is not None:
            force_setattr(self, "board_key", clean_key(self.board_key))


class ChangeStreamHeaders(HeaderModel, frozen=True, kw_only=True):
    """Sent by a client that reconnects; takes precedence over the cursor in the query."""

    last_event_id: Cursor | None = field(default=None, name="Last-Event-ID")


class BoardNews(AnswerModel, frozen=True, kw_only=True):
    """The watched board has changed; or the caller is no longer a member, and no further events follow."""

    board_key: str
    is_member: bool | None = None


class Change(AnswerModel, frozen=True, kw_only=True):
    """One change of one object."""

    kind: str | None = None
    object_key: str | None = None
    date: int | None = None


class ChangesPage(AnswerModel, frozen=True, kw_only=True):
    """Changes, oldest first, and the current state of their objects.

    An object that is not among `objects` was deleted permanently. `cursor` is the next cursor, on the last page too.
    """

    changes: list[Change] | None = None
    objects: list[CloudObject] | None = None
    cursor: str | None = None
    has_more: bool | None = None


class ObjectChanges(AnswerModel, frozen=True, kw_only=True):
    """The changes of one object, newest first, as far as the feed of the account still has them."""

    changes: list[Change] | None = None


class Everything(AnswerModel, frozen=True, kw_only=True):
    """All objects of an account, including trashed ones, ordered by key.

    `changesCursor` was taken before the first page: following changes from there misses nothing.
    """

    objects: list[CloudObject] | None = None
    next_cursor: str | None = None
    changes_cursor: str | None = None
