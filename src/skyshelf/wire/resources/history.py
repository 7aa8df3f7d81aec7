"""History: what changed, and what a folder or a file was at a moment."""

from typing import Annotated

from msgspec import Meta
from msgspec.structs import force_setattr

from skyshelf.wire.cursors import Cursor
from skyshelf.wire.keys import Key, clean_key
from skyshelf.wire.limits import LISTING_LIMIT_DEFAULT
from skyshelf.wire.models import AnswerModel, Identifier, PageLimit, QueryModel, RequestModel
from skyshelf.wire.resources.objects import CloudObject

Moment = Annotated[int, Meta(ge=0, le=2**53, description="epoch milliseconds")]


class HistoryQuery(QueryModel, frozen=True, kw_only=True):
    """Which changes: of an object, below a folder, in a time, by a device or a session, of a kind."""

    object_key: Key | None = None
    folder_key: Key | None = None
    since: Moment | None = None
    until: Moment | None = None
    device_key: Identifier | None = None
    session: Identifier | None = None
    kind: Identifier | None = None
    cursor: Cursor | None = None
    limit: PageLimit = LISTING_LIMIT_DEFAULT

    def __post_init__(self) -> None:
        for name in ("object_key", "folder_key"):
            if (key := getattr(self, name)) is not None:
                force_setattr(self, name, clean_key(key))


class PastState(AnswerModel, frozen=True, kw_only=True):
    """What an object was, before or after a change."""

    object_name: str | None = None
    parent_object_key: str | None = None
    status: str | None = None
    is_favorite: bool | None = None
    version: int | None = None
    size_in_bytes: int | None = None
    hash: str | None = None


class HistoryEntry(AnswerModel, frozen=True, kw_only=True):
    """One change. `before` is missing for a new object; `after` for one that the change deleted for good.

    `deviceKey`, `deviceName` and `sessionId` say who made it: they are missing if the service did, or somebody with a
    link, whose key is `shareKey`.
    """

    number: int | None = None
    date: int | None = None
    kind: str | None = None
    object_key: str | None = None
    is_folder: bool | None = None
    before: PastState | None = None
    after: PastState | None = None
    device_key: str | None = None
    device_name: str | None = None
    session_id: str | None = None
    share_key: str | None = None


class HistoryPage(AnswerModel, frozen=True, kw_only=True):
    """Changes, newest first. Even an empty page can have a `nextCursor`; only the last has none.

    `oldestDate` is the earliest moment that can be looked at; `days` is how long the account keeps history.
    """

    entries: list[HistoryEntry] | None = None
    oldest_date: int | None = None
    days: int | None = None
    next_cursor: str | None = None


class PastFolderQuery(QueryModel, frozen=True, kw_only=True):
    """The moment, and the page."""

    at: Moment
    cursor: Cursor | None = None
    limit: PageLimit = LISTING_LIMIT_DEFAULT


class PastFileQuery(QueryModel, frozen=True, kw_only=True):
    """The moment."""

    at: Moment


class PastFolder(AnswerModel, frozen=True, kw_only=True):
    """What a folder held. A folder that fits into one page is in order of names, folders first."""

    objects: list[CloudObject] | None = None
    next_cursor: str | None = None


class HistorySettings(AnswerModel, frozen=True, kw_only=True):
    """How long history is kept, the operator's limit, and the earliest moment that can be looked at."""

    days: int | None = None
    days_max: int | None = None
    oldest_date: int | None = None
    size_in_bytes: int | None = None


class HistoryChoice(RequestModel, frozen=True, kw_only=True):
    """Days to keep history for; 0 keeps none, and null is the operator's choice."""

    days: Annotated[int, Meta(ge=0, le=3650)] | None
