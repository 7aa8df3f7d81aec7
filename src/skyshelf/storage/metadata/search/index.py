"""The seam between search and a database: each database has its own index of terms."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, Protocol

import msgspec

ENTRIES_PER_ACCOUNT: Final = 1 << 40
"""An account is one range of entries, so no search reads other accounts' entries."""


class IndexedObject(msgspec.Struct, frozen=True):
    """An object and its terms (search_terms.py)."""

    account_id: int
    object_key: str
    terms: list[str]


class Sought(NamedTuple):
    """Terms that an entry must have: all of some, and of each group of others at least one; and those of a text,
    unless it has the term that stands for terms left out."""

    all_of: tuple[str, ...] = ()
    any_of: tuple[tuple[str, ...], ...] = ()
    text: tuple[str, ...] = ()
    instead_of_text: str | None = None


class Stretch(NamedTuple):
    """Entries of an account that one query of the index covers."""

    account_id: int
    low: int
    before: int
    """The first one that does not belong to it."""


class SearchIndex(Protocol):
    """Which entries have which terms. It is written in the transaction that writes the objects."""

    @property
    def stops_early(self) -> bool:
        """Whether newest_with may leave it at `enough` entries of common terms where there are more."""

    @property
    def has_parts(self) -> bool:
        """Whether its terms belong to parts of the entries."""

    def add(self, objects: Sequence[IndexedObject]) -> None:
        """Give objects an entry, each newer than all that the account has, in this order."""

    def change(self, objects: Sequence[IndexedObject]) -> None:
        """Give objects other terms; their entries stay."""

    def remove(self, account_id: int, object_keys: Sequence[str]) -> None:
        """Take objects out; those that are not there are passed over."""

    def merge_some(self, pages: int) -> bool:
        """Do what writes have put off, about so many pages of it; whether there was anything."""

    def common(self, account_id: int, searches: Sequence[Sought], enough: int) -> list[bool]:
        """For each search, whether `enough` of the newest entries match it: where it matters, common and rare terms are
        searched for differently."""

    def stretches(self, account_id: int, before: int) -> Iterator[Stretch]:
        """All entries of an account below `before`, newest first, in the pieces in which they are to be searched."""

    def newest_with(self, sought: Sought, *, common: bool) -> str:
        """A SELECT of `entry`: entries that have what is sought, newest first.

        Its parameters are what `parameters` gives. It may give an entry that does not have them, and leaves out none
        that does and is newer than the last one given.
        """

    def parameters(self, sought: Sought, stretch: Stretch, most: int, enough: int) -> "IndexParams":
        """The parameters of newest_with: entries of a stretch, at most `most`; `enough` would do."""


IndexParams = dict[str, str | int | bytes | None]
