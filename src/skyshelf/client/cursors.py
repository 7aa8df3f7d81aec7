"""Lists that are walked by cursor, to their end."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import TypeVar

from skyshelf.client.errors import BrokenListingError

_Item = TypeVar("_Item")


async def walk(fetch: Callable[[str | None], Awaitable[tuple[Iterable[_Item], str | None]]]) -> AsyncIterator[_Item]:
    """Everything of a list; `fetch` gives the page behind a cursor, and the cursor of the next one."""
    cursor: str | None = None
    while True:
        items, following = await fetch(cursor)
        for item in items:
            yield item
        if not following:
            return
        if following == cursor:
            raise BrokenListingError("the server sends the same page again and again: the list cannot be completed")
        cursor = following
