"""The trash as a list, also of a server that has no pages of it: the interface knows a limit and an order alone."""

import warnings
from collections.abc import AsyncIterator, Callable, Sequence

from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.pagination import pages
from skyshelf.client.errors import IncompleteListingWarning
from skyshelf.client.objects.listing import PAGE_SIZE
from skyshelf.client.objects.own_writes import trashed_but_not_listed, without_restored
from skyshelf.client.objects.remote_object import RemoteObject, objects_in
from skyshelf.wire.endpoints.objects import TRASH
from skyshelf.wire.resources.objects import ObjectSort, TrashQuery


async def trash_objects(
    engine: Engine,
    *,
    sort: ObjectSort | None = None,
    page_size: int = PAGE_SIZE,
    on_incomplete: Callable[[str], None] | None = None,
) -> AsyncIterator[RemoteObject]:
    """Everything in the trash; first what this client has just trashed and the server does not list yet."""
    own: set[str] | None = None
    async for page in _pages(engine, sort, page_size, on_incomplete or _warn):
        if own is None:
            late = await trashed_but_not_listed(engine, (found.key for found in page))
            own = {found.key.upper() for found in late}
            for found in late:
                yield found
        for found in await without_restored(engine, page):
            if found.key.upper() not in own:
                yield found
    if own is None:
        for found in await trashed_but_not_listed(engine, ()):
            yield found


def _warn(sentence: str) -> None:
    warnings.warn(sentence, IncompleteListingWarning, stacklevel=2)


async def _pages(
    engine: Engine, sort: ObjectSort | None, page_size: int, on_incomplete: Callable[[str], None]
) -> AsyncIterator[list[RemoteObject]]:
    fetched: dict[int, list[RemoteObject]] = {}

    async def fetch(number: int) -> list[RemoteObject]:
        # Each once: a page that is requested again has to be a new one.
        return fetched.pop(number) if number in fetched else await _page(engine, number, sort, page_size)

    first = fetched[0] = await _page(engine, 0, sort, page_size)
    if len(first) >= page_size:
        second = fetched[1] = await _page(engine, 1, sort, page_size)
        if {one.key for one in second} == {one.key for one in first}:
            async for found in _without_pages(engine, first, page_size, on_incomplete):
                yield found
            return
    async for found in pages(fetch, lambda one: one.key, page_size, most=engine.bounds.objects):
        yield found


async def _page(engine: Engine, number: int, sort: ObjectSort | None, page_size: int) -> list[RemoteObject]:
    request = engine.plan(TRASH, query=TrashQuery(page=number, limit=page_size, sort=sort))
    return await engine.read(request, lambda response: objects_in(response.body, request))


async def _without_pages(
    engine: Engine, first: list[RemoteObject], page_size: int, on_incomplete: Callable[[str], None]
) -> AsyncIterator[list[RemoteObject]]:
    """The first page, and what the largest page shows in ascending and in descending order."""
    yield first
    seen = {one.key for one in first}
    limit = max(page_size, PAGE_SIZE)
    ascending = await _page(engine, 0, "+objectName", limit)
    descending = await _page(engine, 0, "-objectName", limit)
    more = {one.key: one for one in (*ascending, *descending) if one.key not in seen}
    if more:
        yield list(more.values())
    if not _are_whole(ascending, descending, limit):
        on_incomplete(
            f"the server lists at most {limit:,} objects of the trash at once and has no pages of it: "
            f"{len(seen) + len(more):,} are listed, and there may be more; restore or purge some to see the rest"
        )


def _are_whole(ascending: Sequence[RemoteObject], descending: Sequence[RemoteObject], limit: int) -> bool:
    """Whether the two ends of the list meet, so that nothing can be between them."""
    if len(ascending) < limit or len(descending) < limit:
        return True
    if ascending[0].name == descending[0].name:
        # The server ignores the order, or all names are the same.
        return False
    return not {one.key for one in ascending}.isdisjoint(one.key for one in descending)
