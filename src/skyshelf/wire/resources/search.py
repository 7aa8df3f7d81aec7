"""Search on the server."""

from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import force_setattr

from skyshelf.wire.cursors import Cursor
from skyshelf.wire.keys import Key, clean_key
from skyshelf.wire.limits import (
    FILE_BYTES_MAX,
    NAME_BYTES_MAX,
    SEARCH_LIMIT_DEFAULT,
    SEARCH_LIMIT_MAX,
    SEARCH_QUERY_CHARS_MAX,
)
from skyshelf.wire.models import PLAIN_TEXT, AnswerModel, EpochMs, Label, QueryModel
from skyshelf.wire.resources.objects import CloudObject

Kind = Literal["photo", "video", "audio", "document", "folder"]
Bytes = Annotated[int, Meta(ge=0, le=FILE_BYTES_MAX)]


class SearchQuery(QueryModel, frozen=True, kw_only=True):
    """Words that the name contains, in any order, and further conditions."""

    query: Annotated[str, Meta(max_length=SEARCH_QUERY_CHARS_MAX, pattern=PLAIN_TEXT)] = ""
    extension: Annotated[str, Meta(min_length=1, max_length=NAME_BYTES_MAX, pattern=PLAIN_TEXT)] | None = None
    kind: Kind | None = None
    is_favorite: bool | None = None
    size_from: Bytes | None = None
    size_to: Bytes | None = None
    modified_from: EpochMs | None = None
    modified_to: EpochMs | None = None
    created_from: EpochMs | None = None
    created_to: EpochMs | None = None
    taken_from: EpochMs | None = None
    taken_to: EpochMs | None = None
    tag: Label | None = None
    folder_key: Key | None = None
    cursor: Cursor | None = None
    limit: Annotated[int, Meta(ge=1, le=SEARCH_LIMIT_MAX)] = SEARCH_LIMIT_DEFAULT

    def __post_init__(self) -> None:
        if self.folder_key is not None:
            force_setattr(self, "folder_key", clean_key(self.folder_key))


class FolderAbove(AnswerModel, frozen=True, kw_only=True):
    """A folder above a match; the root has no parent."""

    object_key: str
    parent_object_key: str | None = None
    object_name: str | None = None


class SearchPage(AnswerModel, frozen=True, kw_only=True):
    """Matches, best first. Even a short page can have a `nextCursor`; only the last page has none.

    `folders` are the folders above the page's objects, each once, to show their paths.
    """

    objects: list[CloudObject] | None = None
    folders: list[FolderAbove] | None = None
    next_cursor: str | None = None
