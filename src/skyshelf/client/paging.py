"""Pages put together to the whole: nothing left out in silence, nothing twice, and never without end."""

from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from typing import Final, TypeVar

from skyshelf.client.errors import BrokenListingError

_Item = TypeVar("_Item")

LARGE_PAGE: Final = 200
"""A short page that is this long is asked about in any case: the next page costs little beside it."""


async def always(_count: int) -> bool:
    """Ask for the page behind every short one."""
    return True


async def pages(
    fetch: Callable[[int], Awaitable[list[_Item]]],
    identify: Callable[[_Item], Hashable | None],
    limit: int,
    may_hide_more: Callable[[int], Awaitable[bool]] = always,
) -> AsyncIterator[list[_Item]]:
    """Every page from 0 on, each item once.

    The end is an empty page, or a short one behind which `may_hide_more` sees nothing. A server that does not know
    pages sends the same one again: that is the end where it cannot have been cut (its length is not the limit), and
    an error where it can.
    """
    edges: set[tuple[Hashable | None, Hashable | None]] = set()
    before: frozenset[Hashable | None] = frozenset()
    before_length = 0
    number = 0
    while found := await fetch(number):
        marks = [identify(item) for item in found]
        fresh = _new_ones(found, marks, before)
        edge = (marks[0], marks[-1])
        if number and (not fresh or edge in edges):
            if before_length != limit:
                return
            raise BrokenListingError(
                f"the server sends the same page again and again (page {number}): the listing cannot be completed"
            )
        yield fresh
        if len(found) < limit and not await may_hide_more(len(found)):
            return
        if None not in edge:
            edges.add(edge)
        before = frozenset(marks)
        before_length = len(found)
        number += 1


def _new_ones(found: list[_Item], marks: list[Hashable | None], before: frozenset[Hashable | None]) -> list[_Item]:
    """What neither the page before (things move while somebody pages) nor this one had already."""
    if len(set(marks)) == len(marks) and before.isdisjoint(marks):
        return found
    seen: set[Hashable | None] = set(before)
    fresh = []
    for item, mark in zip(found, marks, strict=True):
        if mark is None or mark not in seen:
            fresh.append(item)
            seen.add(mark)
    return fresh


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
