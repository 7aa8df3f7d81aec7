"""Models for other people's clients: further forms of existing calls."""

from enum import StrEnum
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from skyshelf.wire import limits
from skyshelf.wire.cursors import Cursor
from skyshelf.wire.error_codes import BATCH_MALFORMED, ErrorCode
from skyshelf.wire.models import ANY_CASE, PLAIN_TEXT, SIGNED, AnswerModel, PageLimit, QueryModel, RequestModel, hiding
from skyshelf.wire.resources.batch import ObjectKeysRequest, Operation, UnprocessedEntry
from skyshelf.wire.resources.boards import Board
from skyshelf.wire.resources.credentials import LoginAnswer
from skyshelf.wire.resources.objects import CloudObject, ListingSort

Category = Literal["photos", "videos", "documents", "audio", "others"]


class CategoryQuery(QueryModel, frozen=True, kw_only=True):
    """All files of one kind; by default the newest first."""

    mime_type: Annotated[Category, ANY_CASE]
    limit: PageLimit = limits.LISTING_LIMIT_DEFAULT
    sort: Annotated[ListingSort | None, SIGNED, ANY_CASE] = None
    cursor: Cursor | None = None


class KeywordQuery(QueryModel, frozen=True, kw_only=True):
    """Words that the name contains, in any order."""

    q: Annotated[str, Meta(max_length=limits.SEARCH_QUERY_CHARS_MAX, pattern=PLAIN_TEXT)] = ""
    limit: Annotated[int, Meta(ge=1, le=limits.SEARCH_LIMIT_MAX)] = limits.SEARCH_LIMIT_DEFAULT
    cursor: Cursor | None = None


class LinkedPage(AnswerModel, frozen=True, kw_only=True):
    """A page of objects; `nextLink` is the path of the next page with its query, if there is one."""

    objects: list[CloudObject] | None = None
    next_link: str | None = None


class ObjectInfo(AnswerModel, frozen=True, kw_only=True):
    """One object, with the fields that a client may show."""

    object: CloudObject | None = None


class FlatOperation(StrEnum):
    """The operations of the interface, and another name for a rename."""

    SET_FAVORITE = Operation.SET_FAVORITE.value
    UNSET_FAVORITE = Operation.UNSET_FAVORITE.value
    RENAME = Operation.RENAME.value
    RENAME_ALIAS = "FRN"
    MOVE = Operation.MOVE.value
    TRASH = Operation.TRASH.value


class FlatEntry(RequestModel, frozen=True, kw_only=True):
    """One operation, on the same level as the fields of the object."""

    operation: FlatOperation
    object_key: str
    object_name: str | None = None
    parent_object_key: str | None = None
    source_name: str | None = None
    status: str | None = None
    correlation_id: str | None = None


class FlatBatchRequest(RequestModel, frozen=True, kw_only=True):
    """The operations of one call, in the flat form."""

    refused_with: ClassVar[ErrorCode] = BATCH_MALFORMED
    not_json_with: ClassVar[ErrorCode] = BATCH_MALFORMED
    max_bytes: ClassVar[int] = limits.JSON_BODY_BYTES_MAX

    objects: Annotated[list[FlatEntry], Meta(min_length=1, max_length=limits.BATCH_ENTRIES_MAX)]


class FlatProcessed(CloudObject, frozen=True, kw_only=True):
    """A changed object, on the same level as the operation."""

    operation: str | None = None
    correlation_id: str | None = None


class FlatUnprocessed(AnswerModel, frozen=True, kw_only=True):
    """A refused operation."""

    operation: str | None = None
    correlation_id: str | None = None
    object_key: str | None = None
    error_message: str | None = None
    error_code: str | None = None


class FlatBatchAnswer(AnswerModel, frozen=True, kw_only=True):
    """The result of each entry; the status is 200 even if entries were refused."""

    objects: list[FlatProcessed] | None = None
    unprocessed: list[FlatUnprocessed] | None = None
    used_space: int | None = None
    is_upload_allowed: bool | None = None


class TrashRequest(ObjectKeysRequest, frozen=True, kw_only=True):
    """The objects to move to the trash; an unknown key is returned in `unprocessed`."""


class TrashAnswer(AnswerModel, frozen=True, kw_only=True):
    """The objects that are in the trash now, and those that were refused."""

    trash_objects: list[CloudObject] | None = None
    unprocessed: list[UnprocessedEntry] | None = None
    used_space: int | None = None
    is_upload_allowed: bool | None = None


class AddedObject(RequestModel, frozen=True, kw_only=True):
    """A file to add."""

    object_key: str


class AdditionRequest(RequestModel, frozen=True, kw_only=True):
    """The user's own files to add to a board, at most 50."""

    objects: Annotated[list[AddedObject], Meta(min_length=1, max_length=limits.BOARD_ADDITION_MAX)]


class AdditionAnswer(AnswerModel, frozen=True, kw_only=True):
    """The board with its new counters, the files that are on it now, and those that were refused."""

    board: Board | None = None
    objects: list[CloudObject] | None = None
    unprocessed: list[UnprocessedEntry] | None = None


class RefreshRequest(RequestModel, frozen=True, kw_only=True):
    """The `refreshToken` of a login or of the last renewal."""

    refresh_token: Annotated[str, Meta(min_length=1, max_length=limits.TOKEN_CHARS_MAX)]

    __repr__ = hiding("refresh_token")


class RefreshAnswer(LoginAnswer, frozen=True, kw_only=True):
    """The session that goes on; `accessToken` is its `authToken` once more, which other people's clients look for."""

    access_token: str | None = None

    __repr__ = hiding("access_token", "auth_token", "refresh_token", "jwt", shown=("user_id",))
