"""Inspection: checks whether the rows are consistent, and repairs for those that are not.

Inspection only reads. Pages are in the order of their keys, so a walk over millions of rows needs no memory;
a walk inside one MetadataStore.snapshot sees one moment, and so no false alarm while others write.
"""

from collections.abc import Iterable, Sequence
from typing import Generic, Protocol, TypeVar

import msgspec

from skyshelf.storage.metadata.contracts.content import StoredContent
from skyshelf.storage.metadata.contracts.uploads import Upload

T = TypeVar("T")
WalkPosition = tuple[int, str]
"""An account and an object's key: how far a walk over all objects has come."""


class Walked(msgspec.Struct, Generic[T], frozen=True):
    """One step of a walk: what it found, and where the next one begins; None at the end."""

    found: list[T]
    next: WalkPosition | None


class Totals(msgspec.Struct, frozen=True):
    accounts: int
    objects: int
    versions: int
    blobs: int


class Dangling(msgspec.Struct, frozen=True):
    """Rows of a table that refer to rows which are not there."""

    table: str
    columns: tuple[str, ...]
    to: str
    rows: int
    may_go: bool
    """Whether such a row is useless without the other one and may be removed."""


class Named(msgspec.Struct, frozen=True):
    """An object with which something is the matter."""

    account_id: int
    object_key: str
    name: str


class WrongFile(msgspec.Struct, frozen=True):
    account_id: int
    object_key: str
    name: str
    version: int


class Outdated(msgspec.Struct, frozen=True):
    """An object whose derived columns are not what its other columns say."""

    account_id: int
    object_key: str
    name: str
    columns: tuple[str, ...]


class Miscounted(msgspec.Struct, frozen=True):
    sha256: str
    refs: int
    counted: int


class ThumbnailRow(msgspec.Struct, frozen=True):
    account_id: int
    sha256: str
    size: int
    form: str
    location: str
    bytes: int


class Holder(msgspec.Struct, frozen=True):
    """A version that refers to some content."""

    account_id: int
    object_key: str
    name: str
    version: int


class Inspection(Protocol):
    def totals(self) -> Totals: ...

    def faults_of_the_file(self, *, deep: bool) -> list[str]:
        """What the database itself finds wrong with its own structure, in its own words; deep checks indexes, too.

        Empty from a database server, which checks itself.
        """

    def dangling(self) -> list[Dangling]:
        """Every kind of reference between tables that does not hold, parents of objects aside."""

    def accounts_without_counters(self) -> list[int]: ...

    def accounts_without_root(self) -> list[int]:
        """Accounts whose root is not there, or is no active folder at the top."""

    def homeless(self, *, limit: int) -> list[Named]:
        """Objects whose parent is not there or is a file, and objects at the top that are no root.

        What is being purged may be at the top.
        """

    def circling(self, after: WalkPosition | None, *, limit: int) -> Walked[Named]:
        """Of the next folders, those that are their own ancestors; one per circle."""

    def outdated(self, after: WalkPosition | None, *, limit: int) -> Walked[Outdated]:
        """Of the next objects those whose derived columns, the encoded form first of all, are not up to date.

        Nobody sees what is being purged, and its encoded form may be old.
        """

    def files_without_current(self, *, limit: int) -> list[WrongFile]:
        """Files whose current version is not there, or is another content than the file's own row says."""

    def unlike_their_content(self, *, limit: int) -> list[WrongFile]:
        """Versions whose size or MD5 is not that of the content they refer to."""

    def miscounted(self, *, limit: int) -> list[Miscounted]:
        """Content whose counter of references is not the number of versions that refer to it."""

    def unfindable(self, *, limit: int) -> list[Named]:
        """Objects that a search should find and the index does not have, and vice versa."""

    def wrong_months(self) -> list[int]:
        """Accounts whose timeline counts other numbers of pictures than there are."""

    def ownerless_boards(self) -> list[str]:
        """Boards whose owner is no member, or not the one that has the role."""

    def boards_of_strangers(self) -> list[str]:
        """Boards that show something of an account which is not on them."""

    def broken_feeds(self) -> list[int]:
        """Accounts whose changes have a hole, or do not end with the newest."""

    def forgotten_purges(self, kinds: Sequence[str]) -> list[int]:
        """Accounts with objects marked for deletion and no job of these kinds in the outbox."""

    def contents(self, after: str, *, limit: int) -> list[StoredContent]:
        """The index of blobs in the order of the SHA-256; after is the last one seen, or empty."""

    def thumbnails(self, after: ThumbnailRow | None, *, limit: int) -> list[ThumbnailRow]:
        """Stored thumbnails, in the order of account, content, size and form."""

    def uploads(self, after: str, *, limit: int) -> list[Upload]:
        """Uploads in progress, of all accounts, in the order of their keys; after is the last one seen, or empty."""

    def holders(self, sha256: str, *, limit: int) -> list[Holder]:
        """Who refers to this content; for a sentence that says what is lost."""


class Repair(Protocol):
    """Repairs of what Inspection found. Each checks again under the locks that it needs, and does nothing if all is
    well by now; true means that something was changed."""

    def drop_dangling(self, dangling: Dangling) -> int:
        """Remove rows that refer to nothing, where they may go; how many went."""

    def bring_home(self, account_id: int, object_keys: Iterable[str], now: int) -> list[str]:
        """Move homeless objects to the root, under a free name; those that were moved. ObjectMissing where there is
        no root either."""

    def rewrite(self, account_id: int, object_key: str) -> bool:
        """Write the derived columns of an object again."""

    def reindex(self, account_id: int, object_key: str) -> bool:
        """Bring an object into the search index, or out of it, as it should be."""

    def recount_months(self, account_id: int) -> bool:
        """Recount the pictures of every month."""

    def crown(self, board_key: str) -> bool:
        """Give a board an owner again: its own, else the oldest member; a board without members is removed."""

    def drop_strangers_items(self, board_key: str) -> int:
        """Take off a board what belongs to accounts that are not on it; how much that was."""

    def restore_current(self, account_id: int, object_key: str) -> bool:
        """Make the current version and its file's row agree, by what the index of blobs knows; false where it
        knows neither."""

    def recount_references(self, sha256: str, now: int) -> bool:
        """Set the counter of a content to what is counted."""

    def recount_quota(self, account_id: int, now: int) -> bool:
        """Set the counters of an account to what is counted."""

    def forget_feed(self, account_id: int) -> bool:
        """Drop a feed with a hole in it; its readers have to start over."""

    def forget_thumbnail(self, row: ThumbnailRow) -> bool:
        """Forget a thumbnail if it is still at that location; it is created again on demand."""
