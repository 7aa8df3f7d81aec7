"""Ends of listings that have none: a server can send a next page for ever, and a client must not follow for ever.

No rule tells an endless listing from a very long one, and the interface has no count to compare with. So there are
three: a cursor or a page that comes again is an error, so are many empty pages in a row, and the number of objects has
a limit, far above real accounts, which users can raise.
"""

from collections.abc import Hashable, Iterable
from typing import Final

from msgspec import Struct

from skyshelf.client.errors import BrokenListingError, EndlessListingError
from skyshelf.wire.limits import CLIENT_LISTED_OBJECTS_MAX

EMPTY_PAGES_MAX: Final = 1000
"""Empty pages in a row: a server may filter a page after reading it, but not all of them."""

_STALE_PAGES_MAX: Final = 3
_REMEMBERED_MAX: Final = 200_000
_KEPT_SHARE: Final = 10


class ListingBounds(Struct, frozen=True):
    """How many objects a client accepts: in a listing or a tree, and in what it keeps in memory."""

    objects: int = CLIENT_LISTED_OBJECTS_MAX

    @property
    def kept(self) -> int:
        """The most objects of one folder, and the most folders of a tree, that are in memory at once."""
        return max(1, self.objects // _KEPT_SHARE)


class ListingCount:
    """Counts what one listing, or one tree, has returned."""

    def __init__(self, most: int = CLIENT_LISTED_OBJECTS_MAX, noun: str = "objects") -> None:
        self._most = most
        self._noun = noun
        self._count = 0

    def add(self, number: int) -> None:
        """Count arrived entries; raises EndlessListingError once there are too many."""
        self._count += number
        if self._count > self._most:
            raise EndlessListingError(
                f"the server has listed more than {self._most:,} {self._noun} without an end, and the rest was not"
                " read; if there really are so many, raise the limit with SKYSHELF_MAX_OBJECTS"
            )


class CursorTrail:
    """The cursors of one listing: each leads further, and not to where the listing has been."""

    def __init__(self, count: ListingCount | None = None) -> None:
        self._count = count or ListingCount()
        # Brent's method finds a circle without remembering every cursor.
        self._mark: str | None = None
        self._steps = 0
        self._power = 1
        self._empty = 0

    def follow(self, cursor: str, number: int) -> None:
        """A page with so many entries leads on to a cursor."""
        self._count.add(number)
        self._empty = 0 if number else self._empty + 1
        if self._empty > EMPTY_PAGES_MAX:
            raise BrokenListingError(
                f"the server sends page after page without entries, {EMPTY_PAGES_MAX} by now: the list cannot be"
                " completed; try again later"
            )
        if cursor == self._mark:
            raise BrokenListingError(
                "the server keeps sending the same page: the list cannot be completed; try again later"
            )
        self._steps += 1
        if self._steps == self._power:
            self._mark, self._steps, self._power = cursor, 0, self._power * 2


class Repeats:
    """Notices pages that hold nothing but what was listed before, in whatever order."""

    def __init__(self) -> None:
        self._seen: set[int] = set()
        self._stale = 0

    def new_among(self, marks: Iterable[Hashable | None]) -> set[int]:
        """The places of entries that were not listed before, as far as that is remembered."""
        new: set[int] = set()
        any_entry = False
        for place, mark in enumerate(marks):
            any_entry = True
            number = hash(mark)
            if mark is None or number not in self._seen:
                new.add(place)
                if mark is not None and len(self._seen) < _REMEMBERED_MAX:
                    self._seen.add(number)
        self._stale = 0 if new or not any_entry else self._stale + 1
        if self._stale >= _STALE_PAGES_MAX:
            raise BrokenListingError(
                "the server keeps listing the same entries: the list cannot be completed; try again later"
            )
        return new
