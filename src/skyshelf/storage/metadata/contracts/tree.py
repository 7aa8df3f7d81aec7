"""The tree: folders and files, where they are and what they are called."""

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple, Protocol

import msgspec

from skyshelf.storage.errors import StorageError
from skyshelf.storage.metadata.encoded_objects import EncodedObjects

# Cursors: where the next page of a list begins.


class PageCursor(NamedTuple):
    """The sort value and the key of the last item of a page; changes elsewhere in the list do not move it."""

    value: int | bytes
    key: str


class CursorRow(NamedTuple):
    """An encoded object of a list, as in Tree.page, and the cursor after it."""

    encoded: bytes
    cursor: PageCursor


ACTIVE = "A"
TRASHED = "T"
PURGING = "P"


class StoredObject(msgspec.Struct, kw_only=True):
    """One object, with everything that is known of it. Digests are lower-case hex, times epoch milliseconds."""

    account_id: int
    object_key: str
    parent_key: str | None
    is_folder: bool
    status: str
    name: str
    size: int
    file_created_at: int
    last_modified_at: int
    sha256: str | None
    md5: str | None
    version: int
    mime_type: str
    mime_subtype: str
    source_name: str
    source_folder: str
    app_code: str
    is_hidden: bool
    is_locked: bool
    is_readonly: bool
    is_favorite: bool
    created_at: int
    updated_at: int
    arrived_at: int
    """When its content last came in; a rename or a move does not count."""
    trashed_at: int
    taken_at: int | None
    taken_day: int | None
    """Month and day of taken_at as the camera's clock had them: 1231 for the last of December."""
    created_seq: int = 0
    """The change that made it; 0 for what is older than history."""


class NewFolder(msgspec.Struct, frozen=True, kw_only=True):
    object_key: str
    parent_key: str
    name: str
    source_name: str = "DRIVE"


class Rename(msgspec.Struct, frozen=True):
    object_key: str
    name: str


class Move(msgspec.Struct, frozen=True):
    object_key: str
    parent_key: str


class Relocate(msgspec.Struct, frozen=True):
    """A move and a rename in one step: the name need not be free in between."""

    object_key: str
    parent_key: str
    name: str


class SetFavorite(msgspec.Struct, frozen=True):
    object_key: str
    favorite: bool


class Trash(msgspec.Struct, frozen=True):
    object_key: str


TreeChange = Rename | Move | Relocate | SetFavorite | Trash
Outcome = StoredObject | StorageError


class Kind(Enum):
    FOLDER = 0
    FILE = 1


class SortBy(Enum):
    NAME = "name_order"
    CREATED = "file_created_at"
    MODIFIED = "last_modified_at"
    SIZE = "size"


class PageOf(msgspec.Struct, frozen=True, kw_only=True):
    """Which part of a folder, in which order. Ties of the order break by object_key, in the same direction."""

    folder_key: str
    kind: Kind | None = None
    sort: SortBy = SortBy.NAME
    descending: bool = False
    limit: int = 200
    offset: int = 0
    after: tuple[str | int | bytes, str] | None = None
    """(sort value, object_key) of the last object seen; a name as itself, or as the bytes that order it.

    A walk by it meets every object that existed all along exactly once, whatever others do in the meantime; a walk by
    offset does not guarantee that. (An object whose sort value changes during the walk, as by a rename, is met in its
    old place, its new one, both or none.)"""


class Tree(Protocol):
    """Rows with a parent. Names are clean (wire.names) before they come here.

    An object can be seen when it and all its ancestors are active. What is below a trashed folder keeps its
    own status, so trashing, restoring or moving a folder touches one row, however much is below it.
    Keys of other accounts are, for every call, keys that do not exist.
    """

    def get(self, account_id: int, object_key: str) -> StoredObject:
        """The object, active or trashed, seen or not; ObjectMissing when it is being purged or goes with a folder
        that is."""

    def visible(self, account_id: int, object_key: str) -> StoredObject:
        """The object, if it can be seen; ObjectMissing otherwise."""

    def visible_folder(self, account_id: int, object_key: str) -> StoredObject:
        """As visible; NotAFolder for a file's key."""

    def visible_many(self, account_id: int, object_keys: Sequence[str]) -> dict[str, StoredObject]:
        """Those of the keys that can be seen."""

    def child_named(self, account_id: int, folder_key: str, name: str) -> StoredObject | None:
        """The active object of that name in that folder."""

    def at_path(self, account_id: int, folder_key: str, names: Sequence[str]) -> StoredObject | None:
        """The active object at a path of at least one name below a folder, which the caller knows to be visible.

        One statement, however long the path is.
        """

    def first_key_between(self, account_id: int, between: tuple[str, str]) -> str | None:
        """The first key of the account's objects in a range, its ends included, whatever their state; None if none."""

    def ancestors(self, account_id: int, object_key: str) -> list[StoredObject]:
        """The folders from the root down to the object's parent; empty for the root. ObjectMissing as in get."""

    def page(self, account_id: int, page: PageOf) -> EncodedObjects:
        """The active objects of a folder as wire JSON.

        One range of one index. The byte 0x01 in an encoded object stands for the origin of URLs (see
        wire_cache.py). The caller has checked that the folder is visible.
        """

    def children(
        self,
        account_id: int,
        folder_key: str,
        *,
        after: StoredObject | None = None,
        limit: int = 1000,
        backwards: bool = False,
    ) -> list[StoredObject]:
        """The active objects of a folder, folders first, then by name; those after the given one.

        Backwards, this order is reversed: those before the given one, the nearest first.
        """

    def trash_page(
        self,
        account_id: int,
        *,
        sort: SortBy | None = None,
        descending: bool = True,
        limit: int,
        offset: int = 0,
        after: PageCursor | None = None,
    ) -> EncodedObjects:
        """Objects that were trashed themselves (not those below them), encoded as in page.

        Without a sort it is the time of trashing that orders. Ties break by object_key, in the same direction. `after`
        is the place of the last object seen in this order, and stays valid if that object leaves the trash.
        """

    def add_folder(self, account_id: int, folder: NewFolder, now: int) -> StoredObject:
        """ObjectMissing when the parent cannot be seen, NotAFolder when it is a file, NameTaken."""

    def apply(self, account_id: int, changes: Sequence[TreeChange], now: int) -> list[Outcome]:
        """Apply changes in order, each on its own: the changed object, or the error that refused it.

        A refused change leaves nothing behind and does not stop the others. What already holds succeeds.
        Refusals: ObjectMissing, RootIsFixed, NameTaken; for a move also TargetMissing, TargetIsAFile, and
        WouldCycle — under the account's lock, so two concurrent moves cannot make a cycle either.
        """

    def restore(self, account_id: int, object_keys: Sequence[str], now: int) -> list[Outcome]:
        """Take objects out of the trash, in order, each on its own.

        If the old parent is no longer visible, the object goes to the root; where the name is taken, it
        gets ` (1)`, ` (2)` and so on. An active object stays as it is. ObjectMissing is the only refusal.
        """

    def recent(self, account_id: int, *, media: bool, limit: int) -> EncodedObjects:
        """Files that can be seen, newest arrival first: images and videos, or all others. Encoded as in page."""

    def favorites(
        self, account_id: int, *, by_name: bool = False, limit: int, after: PageCursor | None = None
    ) -> list[CursorRow]:
        """Favourites that can be seen: by name, or newest arrival first. A place is the name_order or arrived_at."""

    def of_category(
        self,
        account_id: int,
        category: str,
        *,
        sort: SortBy | None = None,
        descending: bool = True,
        limit: int,
        after: PageCursor | None = None,
    ) -> list[CursorRow]:
        """Visible files of one kind: `photos`, `videos`, `audio`, `documents` or `others`.

        Without a sort, the time at which they arrived orders; other orders read all files of the account.
        """

    def of_app(self, account_id: int, app_code: str, *, limit: int, offset: int = 0) -> EncodedObjects:
        """Files that can be seen and that an app brought, newest arrival first. Encoded as in page."""

    def taken_on(
        self, account_id: int, *, first_day: int, last_day: int, before: int, per_year: int
    ) -> list[StoredObject]:
        """Pictures and videos that can be seen and were taken between two days of the year (1231 for the last of
        December), before a point in time, newest first.

        Of each year, counted back from that point, at most per_year: the newest. A rich year does not crowd out
        the others.
        """
