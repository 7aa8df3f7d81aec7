"""Joining pages into a complete list: nothing silently omitted, nothing twice, and never without end.

Pages that do not fit together are not trusted. A page that repeats an earlier one, or is shorter than the others
without being the last, is requested once more; if it stays so, the listing is an error, never a shorter list. A
truncated last page cannot be detected: such a server claims to have fewer objects.

A server can send next pages forever, and no rule tells an endless listing from a very long one. So there are three
bounds: a repeated cursor or page is an error, so are many empty pages in a row, and the number of objects has a limit,
far above real accounts, which users can raise.
"""

from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Iterable
from typing import Final, Generic, TypeVar

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
    """The cursors of one listing: each must lead further, never back to where the listing has been."""

    def __init__(self, count: ListingCount | None = None) -> None:
        self._count = count or ListingCount()
        # Brent's algorithm finds a cycle without remembering every cursor.
        self._mark: str | None = None
        self._steps = 0
        self._power = 1
        self._empty = 0

    def follow(self, cursor: str, number: int) -> None:
        """Note that a page with `number` entries leads on to a cursor."""
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
        """Return the positions of entries that were not listed before, as far as that is remembered."""
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


_Item = TypeVar("_Item")
Mark = Hashable | None
"""What identifies an item; None when nothing does."""

LARGE_PAGE: Final = 200
"""After a short page of this length the next page is always requested: it costs little in comparison."""

_PROOFS: Final = 2
_USUAL_LIMITS: Final = frozenset({20, 25, 30, 50, 64, 100, 128, 150})


async def always(_count: int) -> bool:
    """Request the next page after every short one."""
    return True


class _Page(Generic[_Item]):
    """One page: its items without duplicates, and its length."""

    def __init__(self, items: list[_Item], identify: Callable[[_Item], Mark]) -> None:
        marks = [identify(item) for item in items]
        self.sent = len(items)
        self.marks: frozenset[Mark] = frozenset(marks)
        self.edge = (marks[0], marks[-1]) if marks and None not in (marks[0], marks[-1]) else None
        self._identify = identify
        # Some servers list items twice; nothing is missing then.
        self.items = items if len(self.marks) == self.sent else _each_once(items, marks)
        self.length = len(self.items)

    def besides(self, known: frozenset[Mark]) -> list[_Item]:
        """Return the items that are not among `known`: items can move between pages during a listing."""
        if known.isdisjoint(self.marks):
            return self.items
        return [item for item in self.items if (mark := self._identify(item)) is None or mark not in known]


def _each_once(items: list[_Item], marks: list[Mark]) -> list[_Item]:
    seen: set[Mark] = set()
    once = []
    for item, mark in zip(items, marks, strict=True):
        if mark is None or mark not in seen:
            seen.add(mark)
            once.append(item)
    return once


class _Joiner(Generic[_Item]):
    """Fetches pages and checks that each fits the one before it."""

    def __init__(
        self, fetch: Callable[[int], Awaitable[list[_Item]]], identify: Callable[[_Item], Mark], limit: int
    ) -> None:
        self._fetch = fetch
        self._identify = identify
        self._limit = limit
        self._usual = 0
        self._edges: set[tuple[Mark, Mark]] = set()

    async def first(self) -> _Page[_Item]:
        page = await self._page(0)
        self._usual = page.length
        return page

    async def following(self, before: _Page[_Item], number: int) -> tuple[list[_Item], _Page[_Item] | None]:
        """Return new items, including those missing from the page before, and the next page, None at the end."""
        page = await self._page(number)
        if not page.items:
            return [], None
        missed: list[_Item] = []
        if not self._is_known(page, before):
            # Only now is it certain that the page before was not the last.
            whole = await self._whole(before, number - 1)
            missed, before = whole.besides(before.marks), whole
        if self._is_known(page, before):
            page = await self._page(number)
            if page.items and self._is_known(page, before):
                await self._must_be_the_end(before, number)
                return missed, None
        if not page.items:
            return missed, None
        if page.length > self._usual and self._usual < self._limit:
            raise _broken(f"page {number} has {page.length} entries, and page 0 only {self._usual}")
        if before.edge is not None:
            self._edges.add(before.edge)
        return [*missed, *page.besides(before.marks)], page

    async def _page(self, number: int) -> _Page[_Item]:
        return _Page(await self._fetch(number), self._identify)

    def _is_known(self, page: _Page[_Item], before: _Page[_Item]) -> bool:
        """Whether a page has nothing new compared to the one before, or repeats an earlier one."""
        return not page.besides(before.marks) or page.edge == before.edge is not None or page.edge in self._edges

    async def _whole(self, page: _Page[_Item], number: int) -> _Page[_Item]:
        """Return a page that is not the last; it is requested again where it is shorter than it should be."""
        if page.length >= self._limit or (number and page.length >= self._usual):
            return page
        again = await self._page(number)
        if number == 0 and again.marks != page.marks:
            # One of the two was truncated; a third request decides which.
            page, again = max(page, again, key=lambda one: one.length), await self._page(0)
            self._usual = page.length
            if again.marks != page.marks:
                raise _broken("page 0 has different entries each time")
        if not page.marks <= again.marks:
            raise _broken(f"page {number} has different entries each time")
        if again.length < self._usual and again.sent < self._limit:
            raise _broken(f"page {number} has {again.length} entries where others have {self._usual}")
        return again

    async def _must_be_the_end(self, before: _Page[_Item], number: int) -> None:
        """Make sure that a repeated page is the last one.

        Either the server does not support pages and has sent everything at once, or it repeats its last page, which is
        shorter than the others. Both do so for every further page.
        """
        may_be_cut = before.length == self._limit if number == 1 else before.length >= self._usual
        following = None if may_be_cut else await self._page(number + 1)
        if following is None or not following.items or following.besides(before.marks):
            raise _broken(f"the server keeps sending the same page (page {number})")


def _broken(problem: str) -> BrokenListingError:
    return BrokenListingError(f"{problem}: the listing cannot be completed; try again later")


async def pages(
    fetch: Callable[[int], Awaitable[list[_Item]]],
    identify: Callable[[_Item], Mark],
    limit: int,
    may_hide_more: Callable[[int], Awaitable[bool]] = always,
    *,
    most: int = CLIENT_LISTED_OBJECTS_MAX,
) -> AsyncIterator[list[_Item]]:
    """Yield every page from 0 on, each item once.

    The list ends with an empty page, or with a short first page after which `may_hide_more` expects nothing; after
    several pages, one more request costs little. A server that does not support pages repeats the same one: that is the
    end where it cannot have been truncated, and an error where it can. More than `most` items are an error too.
    """
    joiner = _Joiner(fetch, identify, limit)
    count, repeats = ListingCount(most), Repeats()

    def unseen(found: list[_Item]) -> list[_Item]:
        count.add(len(found))
        new = repeats.new_among(map(identify, found))
        return found if len(new) == len(found) else [found[place] for place in sorted(new)]

    page: _Page[_Item] | None = await joiner.first()
    number = 1
    if not page or not page.items:
        return
    count.add(page.length)
    yield page.items
    if page.length < limit and not await may_hide_more(page.sent):
        return
    # Only what follows can repeat something.
    repeats.new_among(page.marks)
    while page is not None:
        found, page = await joiner.following(page, number)
        if found := unseen(found):
            yield found
        number += 1


class ShortPages:
    """Whether a page that is shorter than requested can be trusted to be the last; learned per server.

    The interface says so, and our own server rejects a limit that is too large. Another one may reduce it silently, and
    then every page looks like the last. So the next page is requested where a page is as long as the longest that
    proved to be the last. A walk trusts short pages, because it makes one request per folder and kind; only a length
    that servers reduce limits to makes it look further, until two such pages were the last.
    """

    def __init__(self) -> None:
        self._longest_last = 0
        self._reduces_limits = False
        # How often a page of a length proved to be the last.
        self._proofs: Counter[int] = Counter()

    def may_hide_more(self, count: int, *, trusting: bool = False) -> bool:
        """Whether to request the page after a short one."""
        if self._reduces_limits or count >= LARGE_PAGE:
            return True
        if trusting and (count not in _USUAL_LIMITS or self._proofs[count] >= _PROOFS):
            return False
        return count >= self._longest_last and count > 0

    def learn(self, count: int, *, has_more: bool) -> None:
        """Note whether there was more after a short page."""
        if has_more:
            self._reduces_limits = True
        else:
            self._longest_last = max(self._longest_last, count)
            self._proofs[count] += 1


async def walk(
    fetch: Callable[[str | None], Awaitable[tuple[Iterable[_Item], str | None]]],
    identify: Callable[[_Item], Mark],
    *,
    most: int = CLIENT_LISTED_OBJECTS_MAX,
) -> AsyncIterator[_Item]:
    """Yield all items of a list with cursors; `fetch` returns the page after a cursor, and the next cursor."""
    cursor: str | None = None
    trail, repeats = CursorTrail(ListingCount(most)), Repeats()
    while True:
        found, following = await fetch(cursor)
        items = list(found)
        repeats.new_among(map(identify, items))
        for item in items:
            yield item
        if not following:
            return
        trail.follow(following, len(items))
        cursor = following
