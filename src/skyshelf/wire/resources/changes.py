"""The change feed: changes in an account since a cursor."""

from typing import Annotated

from msgspec import Meta, field

from skyshelf.wire import limits
from skyshelf.wire.keys import Key
from skyshelf.wire.models import AnswerModel, HeaderModel, QueryModel
from skyshelf.wire.resources.objects import CloudObject

Cursor = Annotated[
    str, Meta(min_length=1, max_length=limits.TOKEN_CHARS_MAX, description="`cursor` of an earlier response")
]
Limit = Annotated[int, Meta(ge=1, le=limits.LISTING_LIMIT_MAX)]


class ChangesQuery(QueryModel, frozen=True, kw_only=True):
    """The cursor to start from. Without one, a page of changes is empty, and one of everything is the first."""

    cursor: Cursor | None = None
    limit: Limit = limits.CHANGES_LIMIT_DEFAULT


class ChangeStreamQuery(QueryModel, frozen=True, kw_only=True):
    """The cursor to start from, by default now, and the duration. A board and invitations can be watched too."""

    cursor: Cursor | None = None
    board_key: Key | None = None
    invitations: bool = False
    seconds: Annotated[int, Meta(ge=0, le=limits.CHANGE_STREAM_SECONDS_MAX)] = limits.CHANGE_STREAM_SECONDS_DEFAULT


class ChangeStreamHeaders(HeaderModel, frozen=True, kw_only=True):
    """Sent by a client that reconnects; takes precedence over the cursor in the query."""

    last_event_id: Cursor | None = field(default=None, name="Last-Event-ID")


class EpochQuery(QueryModel, frozen=True, kw_only=True):
    """The last cursor that the client knows, if any."""

    cursor: Cursor | None = None


class ServerEpoch(AnswerModel, frozen=True, kw_only=True):
    """The epoch of the server's data, and the current cursor of the account.

    Another epoch means that the server was `restored` from a backup of `stateDate`, `moved`, or that an operator has
    `adopted` a database that had gone back; `reason` and `date` are absent in the first epoch. `isCursorKnown` is false
    where the change of the given cursor is not among the account's changes: the data went back without a new epoch.
    `keepsExecutable` says that the server keeps which files are executable, so one that is not shown as such is not.
    """

    epoch: str | None = None
    cursor: str | None = None
    is_cursor_known: bool | None = None
    reason: str | None = None
    date: int | None = None
    state_date: int | None = None
    keeps_executable: bool | None = None


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

    An object that is not among `objects` was deleted permanently. `cursor` is the next cursor, on the last page too. At
    another `epoch` than before, the server's data have gone back or were moved: compare everything.
    """

    changes: list[Change] | None = None
    objects: list[CloudObject] | None = None
    cursor: str | None = None
    has_more: bool | None = None
    epoch: str | None = None


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
    epoch: str | None = None
