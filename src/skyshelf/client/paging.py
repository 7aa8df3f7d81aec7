"""Pages put together to the whole: nothing left out in silence, nothing twice, and never without end.

Pages that do not fit together are not believed. A page that was seen already, or that is shorter than the others and
not the last, is asked for once more; if it stays so, the listing is broken, and never a shorter list. What no client
can notice is a last page that lacks its end: such a server says that it has fewer objects.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from typing import Final, Generic, TypeVar

from skyshelf.client.errors import BrokenListingError

_Item = TypeVar("_Item")
Mark = Hashable | None
"""What tells items apart; None for one that cannot be told."""

LARGE_PAGE: Final = 200
"""A short page that is this long is asked about in any case: the next page costs little beside it."""


async def always(_count: int) -> bool:
    """Ask for the page behind every short one."""
    return True


class _Page(Generic[_Item]):
    """One page: its items, each once, and what is known of its length."""

    def __init__(self, items: list[_Item], identify: Callable[[_Item], Mark]) -> None:
        marks = [identify(item) for item in items]
        self.sent = len(items)
        self.marks: frozenset[Mark] = frozenset(marks)
        self.edge = (marks[0], marks[-1]) if marks and None not in (marks[0], marks[-1]) else None
        self._identify = identify
        # What is listed twice counts once: some servers do that, and nothing is missing then.
        self.items = items if len(self.marks) == self.sent else _each_once(items, marks)
        self.length = len(self.items)

    def besides(self, known: frozenset[Mark]) -> list[_Item]:
        """What is not among those: things move from page to page while somebody pages."""
        if known.isdisjoint(self.marks):
            return self.items
        return [item for item in self.items if (mark := self._identify(item)) is None or mark not in known]

    def is_as_long_as(self, other: "_Page[_Item]") -> bool:
        return self.length >= other.length or self.sent == other.sent


def _each_once(items: list[_Item], marks: list[Mark]) -> list[_Item]:
    seen: set[Mark] = set()
    once = []
    for item, mark in zip(items, marks, strict=True):
        if mark is None or mark not in seen:
            seen.add(mark)
            once.append(item)
    return once


class _Joiner(Generic[_Item]):
    """Fetches pages and judges whether each fits to those before it."""

    def __init__(
        self, fetch: Callable[[int], Awaitable[list[_Item]]], identify: Callable[[_Item], Mark], limit: int
    ) -> None:
        self._fetch = fetch
        self._identify = identify
        self._limit = limit
        self._first: _Page[_Item] = _Page([], identify)
        self._edges: set[tuple[Mark, Mark]] = set()

    async def first(self) -> _Page[_Item]:
        self._first = await self._page(0)
        return self._first

    async def following(self, before: _Page[_Item], number: int) -> _Page[_Item] | None:
        """The next page; None at the end."""
        if before.edge is not None:
            self._edges.add(before.edge)
        page = await self._page(number)
        if page.items and self._is_known(page, before):
            page = await self._page(number)
        if not page.items:
            return None
        if self._is_known(page, before):
            if self._can_be_the_end(before, number):
                return None
            raise _broken(f"the server sends the same page again and again (page {number})")
        return page

    async def missed(self, before: _Page[_Item], number: int) -> list[_Item]:
        """What was missing from a page that turned out not to be the last; looked at again where it was short."""
        is_first = before is self._first
        if before.length >= self._limit or (not is_first and before.is_as_long_as(self._first)):
            return []
        again = await self._page(number)
        if is_first and again.length > before.length:
            self._first = again
        elif not is_first and not again.is_as_long_as(self._first):
            raise _broken(f"page {number} has {again.length} entries where others have {self._first.length}")
        return again.besides(before.marks)

    def must_fit(self, page: _Page[_Item], number: int) -> None:
        """A page that is longer than the first tells that the first was not whole."""
        if page.length > self._first.length and self._first.length < self._limit:
            raise _broken(f"page {number} has {page.length} entries, and page 0 only {self._first.length}")

    async def _page(self, number: int) -> _Page[_Item]:
        return _Page(await self._fetch(number), self._identify)

    def _is_known(self, page: _Page[_Item], before: _Page[_Item]) -> bool:
        """Whether a page shows nothing that the one before did not, or is one that came earlier."""
        return not page.besides(before.marks) or page.edge in self._edges

    def _can_be_the_end(self, before: _Page[_Item], number: int) -> bool:
        """Whether a page that comes again can be all there is.

        Either the server does not know pages and has said everything at once, or it repeats its last page, which is
        shorter than the others.
        """
        return before.sent != self._limit if number == 1 else not before.is_as_long_as(self._first)


def _broken(what: str) -> BrokenListingError:
    return BrokenListingError(f"{what}: the listing cannot be completed")


async def pages(
    fetch: Callable[[int], Awaitable[list[_Item]]],
    identify: Callable[[_Item], Mark],
    limit: int,
    may_hide_more: Callable[[int], Awaitable[bool]] = always,
) -> AsyncIterator[list[_Item]]:
    """Every page from 0 on, each item once.

    The end is an empty page, or a first one that is short and behind which `may_hide_more` sees nothing: behind several
    pages, a last look costs little beside them. A server that does not know pages sends the same one again: that is
    the end where it cannot have been cut, and an error where it can.
    """
    joiner = _Joiner(fetch, identify, limit)
    page = await joiner.first()
    if not page.items:
        return
    yield page.items
    if page.length < limit and not await may_hide_more(page.sent):
        return
    number = 1
    while (found := await joiner.following(page, number)) is not None:
        if missed := await joiner.missed(page, number - 1):
            yield missed
        joiner.must_fit(found, number)
        if fresh := found.besides(page.marks):
            yield fresh
        page, number = found, number + 1


class ShortPages:
    """Whether a page that is shorter than asked for can be trusted to be the last; learned once per server.

    The interface's own server refuses a limit that is too large. Another one may cut it down in silence, and then
    every page looks like the last. So a server is asked once whether it refuses, and if it does not, each short page
    that is as long as the longest one seen is followed by a look at the next.
    """

    def __init__(self) -> None:
        self._longest = 0
        self._refuses_large_limits: bool | None = None

    async def may_hide_more(self, count: int, ask: Callable[[], Awaitable[bool]]) -> bool:
        """Whether to look behind a short page of that length; `ask` finds out whether large limits are refused."""
        was_longest = self._longest
        self._longest = max(was_longest, count)
        if count >= LARGE_PAGE:
            return True
        if count < was_longest:
            return False
        if self._refuses_large_limits is None:
            self._refuses_large_limits = await ask()
        return not self._refuses_large_limits
