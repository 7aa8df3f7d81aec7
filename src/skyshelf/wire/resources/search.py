"""Finding objects: search, the folders above objects, and covers of folders."""

from typing import Annotated, Literal

from msgspec import Meta

from skyshelf.wire import limits
from skyshelf.wire.cursors import Cursor
from skyshelf.wire.keys import Key
from skyshelf.wire.models import PLAIN_TEXT, AnswerModel, EpochMs, Label, QueryModel
from skyshelf.wire.resources.downloads import KeysQuery, keys_up_to
from skyshelf.wire.resources.objects import CloudObject

Kind = Literal["photo", "video", "audio", "document", "folder"]
Bytes = Annotated[int, Meta(ge=0, le=limits.FILE_BYTES_MAX)]


class SearchQuery(QueryModel, frozen=True, kw_only=True):
    """Words that the name contains, in any order, and further conditions."""

    query: Annotated[str, Meta(max_length=limits.SEARCH_QUERY_CHARS_MAX, pattern=PLAIN_TEXT)] = ""
    extension: Annotated[str, Meta(min_length=1, max_length=limits.NAME_BYTES_MAX, pattern=PLAIN_TEXT)] | None = None
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
    limit: Annotated[int, Meta(ge=1, le=limits.SEARCH_LIMIT_MAX)] = limits.SEARCH_LIMIT_DEFAULT


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


# Where objects are, and what is in folders at a glance.


class LocationsQuery(KeysQuery, frozen=True, kw_only=True):
    """The objects to locate, as comma-separated keys."""

    object_keys: Annotated[str, keys_up_to(limits.LOCATIONS_MAX)]


class ObjectPlace(AnswerModel, frozen=True, kw_only=True):
    """An object's folder, and whether it is visible; `trashedDate` is present for an object in the trash."""

    object_key: str
    parent_object_key: str | None = None
    is_parent_visible: bool | None = None
    trashed_date: int | None = None


class Locations(AnswerModel, frozen=True, kw_only=True):
    """The requested objects that exist, in the trash or not. `folders` are the folders above them, each once."""

    objects: list[ObjectPlace] | None = None
    folders: list[FolderAbove] | None = None


class CoversQuery(KeysQuery, frozen=True, kw_only=True):
    """The folders to return covers of, as comma-separated keys."""

    object_keys: Annotated[str, keys_up_to(limits.COVERS_MAX)]


class CoverPicture(AnswerModel, frozen=True, kw_only=True):
    """A picture whose thumbnail is part of a cover."""

    object_key: str
    hash: str | None = None
    version: int | None = None


class FolderCover(AnswerModel, frozen=True, kw_only=True):
    """A folder and up to four of its newest pictures."""

    object_key: str
    pictures: list[CoverPicture] | None = None


class Covers(AnswerModel, frozen=True, kw_only=True):
    """The covers of those folders that have pictures."""

    covers: list[FolderCover] | None = None
