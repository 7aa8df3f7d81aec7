"""The tree: folders and files, where they are, what they are called, and the tags, locks and properties they have."""

from enum import Enum
from typing import Generic, NamedTuple, TypeVar

import msgspec

from skyshelf.storage.errors import StorageError
from skyshelf.storage.metadata.search_index import SearchKind
from skyshelf.wire.search_rule import Rank

T = TypeVar("T")
P = TypeVar("P")


class PageCursor(NamedTuple):
    """The sort value and the key of the last item of a page; changes elsewhere in the list do not move it."""

    value: int | bytes
    key: str


class Page(NamedTuple, Generic[T, P]):
    """Part of a list, and where the next page begins; None after the last one. A page may be short, or even empty."""

    found: list[T]
    next: P | None


class CursorRow(NamedTuple):
    """An encoded object of a list, as in Tree.page, and the cursor after it."""

    encoded: bytes
    cursor: PageCursor


ACTIVE = "A"
TRASHED = "T"
PURGING = "P"


class StoredObject(msgspec.Struct):
    """One object, with everything that is known of it. Digests are lower-case hex, times epoch milliseconds.

    The fields are in the order of the columns (sql/tree/objects.py) and of records (history/records.py).
    """

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
    is_executable: bool = False
    """Whether a file may be run as a program: the one bit of its mode that travels between computers."""


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


class SetExecutable(msgspec.Struct, frozen=True):
    object_key: str
    executable: bool


class Trash(msgspec.Struct, frozen=True):
    object_key: str


TreeChange = Rename | Move | Relocate | SetFavorite | SetExecutable | Trash
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


class NewTag(msgspec.Struct, frozen=True, kw_only=True):
    tag_key: str
    """The key it gets if the account has no such tag yet."""
    name: str


class Tag(msgspec.Struct, frozen=True):
    tag_key: str
    name: str
    created_at: int
    used_at: int
    """When it was last given to an object."""


class Month(NamedTuple):
    """A month, counted from January of year 0, and how many pictures and videos of it can be seen."""

    number: int
    files: int


class Lock(msgspec.Struct, frozen=True, kw_only=True):
    lock_key: str
    object_key: str
    is_exclusive: bool
    is_deep: bool
    """Whether it holds for everything below the object, too."""
    owner: str
    """What the client said about itself, as XML; may be empty."""
    expires_at: int


class DeadProperty(msgspec.Struct, frozen=True):
    namespace: str
    name: str
    value: str
    """The whole element as XML."""


class Range(msgspec.Struct, frozen=True):
    """From and to, both included; None is an open end."""

    first: int | None = None
    last: int | None = None

    @property
    def is_open(self) -> bool:
        """Whether it leaves nothing out."""
        return self.first is None and self.last is None


class SearchFilter(msgspec.Struct, frozen=True, kw_only=True):
    """The search conditions; all of them must hold."""

    text: str = ""
    """Words, by the rule of wire/search_rule.py."""
    extension: str | None = None
    """In lower case and without a dot. With one, no folder is found."""
    kind: SearchKind | None = None
    favorite: bool | None = None
    size: Range = Range()
    """Applies to files; with one, no folder is found."""
    modified: Range = Range()
    created: Range = Range()
    taken: Range = Range()
    """With one, only objects with a capture date are found."""
    folder_key: str | None = None
    """Only objects below this folder; the caller has checked that it is visible."""
    tag: str | None = None
    """Only what has the tag of that name, in any case."""


class SearchCursor(NamedTuple):
    """How far a search has come: the rank, and the entry of the last object within it."""

    rank: Rank
    entry: int


class FoundFolder(NamedTuple):
    """A folder above a found object; the root has no parent."""

    object_key: str
    parent_key: str | None
    name: str


class FoundPage(msgspec.Struct, frozen=True):
    """Objects, encoded as in Tree.page, the folders above them, each once, and where the search continues.

    `next` is None when it is at its end.
    """

    objects: list[bytes]
    folders: list[FoundFolder]
    next: SearchCursor | None
