"""Searching: objects by their names, wherever they are."""

from typing import NamedTuple, Protocol

import msgspec

from skyshelf.storage.metadata.search.terms import SearchKind
from skyshelf.wire.search_rule import Rank


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
    """Of files; with one, no folder is found."""
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


class Search(Protocol):
    """Finds what can be seen of an account, by an index that is written with the objects."""

    def page(
        self, account_id: int, wanted: SearchFilter, *, limit: int, after: SearchCursor | None = None
    ) -> FoundPage:
        """The best matches first (wire.search_rule.Rank), and of equal rank the newest arrival first.

        One call does a bounded amount of work. So a page may be short, or even empty, where much has to be passed
        over (what is below a trashed folder, or outside of a range), and the search continues from `next` all the same.
        Over all pages, an object that fits and stays as it is comes exactly once.
        """

    def merge_some(self, pages: int) -> bool:
        """Merge some of what writes have added to the index; whether there was anything to merge.

        Until then searches look into more places. It is for the background: others wait while it works.
        """
