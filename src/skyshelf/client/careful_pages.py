"""A folder listed so that nothing can be missing unnoticed, at the price of one more call: for copies of everything.

A listing for people ends at the first short page, as the interface says. Here the page behind it is asked for too,
and pages that do not fit together are not believed: a page that was seen already is asked for again, and pages in
the middle that have different lengths mean that something is missing. What no client can notice is a last page that
lacks its end: such a server says that it has fewer objects.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

from skyshelf.client.engine import Engine
from skyshelf.client.errors import BrokenListingError, ObjectNotFoundError, UnexpectedAnswerError
from skyshelf.client.listings import Kind, folder_pages, page
from skyshelf.client.objects import RemoteObject
from skyshelf.client.retries import RetryPolicy

Fetch = Callable[[int], Awaitable[list[RemoteObject]]]


async def careful_pages(
    engine: Engine, folder_key: str, kind: Kind, *, limit: int
) -> AsyncIterator[list[RemoteObject]]:
    """Everything of one kind in a folder, page by page; an object may come twice. BrokenListingError when in doubt."""

    async def fetch(number: int) -> list[RemoteObject]:
        return await patient(engine.policy, lambda: _page(engine, folder_key, kind, number, limit))

    try:
        first = await fetch(0)
    except ObjectNotFoundError:
        # Whether it is the folder that is missing or the listing with pages, the plain listing finds out.
        async for found in folder_pages(engine, folder_key, kind, limit=limit):
            yield found
        return
    async for found in joined(first, fetch, limit):
        yield found


async def joined(first: list[RemoteObject], fetch: Fetch, limit: int) -> AsyncIterator[list[RemoteObject]]:
    """The first page and all behind it."""
    number, found, before = 1, first, _keys(first)
    # What is listed twice counts once: some servers do that, and nothing is missing then.
    length = len(before)
    while found:
        yield found
        earlier = len(before)
        found, is_new = await _next_page(fetch, number, before)
        if found and not is_new:
            if number == 1 and earlier < limit:
                # The server does not know pages, and has said everything at once.
                return
            raise BrokenListingError(f"page {number} of a folder is the same as page {number - 1}, again and again")
        if found and earlier != length:
            raise BrokenListingError(f"page {number - 1} of a folder has {earlier} objects and is not the last")
        if found and number == 1 and length < limit and len(_keys(await fetch(0))) != length:
            raise BrokenListingError("the first page of a folder has now more objects and now fewer")
        before = _keys(found)
        number += 1


async def patient(policy: RetryPolicy, fetch: Callable[[], Awaitable[list[RemoteObject]]]) -> list[RemoteObject]:
    """An answer that nobody can read may have been damaged on its way: it is asked for again, as after a fault."""
    for attempt in range(policy.retries):
        try:
            return await fetch()
        except UnexpectedAnswerError:
            await asyncio.sleep(policy.wait * 2**attempt)
    return await fetch()


async def _page(engine: Engine, folder_key: str, kind: Kind, number: int, limit: int) -> list[RemoteObject]:
    return (await page(engine, folder_key, kind, number=number, limit=limit)).objects


def _keys(found: list[RemoteObject]) -> frozenset[str]:
    return frozenset(one.key for one in found)


async def _next_page(fetch: Fetch, number: int, before: frozenset[str]) -> tuple[list[RemoteObject], bool]:
    """A page, and whether it shows anything that the one before did not; asked for twice before that is believed."""
    for _ in range(2):
        found = await fetch(number)
        if not found or any(one.key not in before for one in found):
            return found, True
    return found, False
