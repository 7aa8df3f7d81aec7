"""Listings of a folder, one page or all of them, and of the trash."""

import warnings
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Final, Literal

from msgspec import Struct

from skyshelf.client.engine.capabilities import is_absent
from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.pagination import pages
from skyshelf.client.engine.requests import checked, decode
from skyshelf.client.errors import BrokenListingError, IncompleteListingWarning, RequestFailedError
from skyshelf.client.http.messages import BufferedResponse, PlannedRequest
from skyshelf.client.objects.linked_pages import LinkedPages
from skyshelf.client.objects.own_writes import corrected, not_listed_yet, trashed_but_not_listed, without_restored
from skyshelf.client.objects.remote_object import RemoteObject, objects_in, page_objects
from skyshelf.wire.endpoints.objects import DEFAULT_VIEW, LISTING, TRASH
from skyshelf.wire.limits import LISTING_LIMIT_MAX
from skyshelf.wire.resources.objects import CloudObject, DefaultViewQuery, ListingQuery, ObjectSort, TrashQuery

Kind = Literal["f", "w"]
"""Files (f), or folders (w)."""

KINDS: Final[tuple[Kind, Kind]] = ("w", "f")

PAGE_SIZE: Final = 2000
"""Objects per request: the number that servers of the interface are known to return."""


class ObjectPage(Struct, frozen=True):
    """One page of a folder, and what the server adds about the account."""

    objects: list[RemoteObject]
    allocated_space: int | None = None
    used_space: int | None = None
    is_upload_allowed: bool | None = None


async def folder_pages(
    engine: Engine,
    folder_key: str,
    kind: Kind,
    *,
    limit: int = PAGE_SIZE,
    sort: ObjectSort = "+objectName",
    careful: bool = False,
    trusting: bool = False,
    keep: bool = False,
) -> AsyncIterator[list[RemoteObject]]:
    """Yield everything of one kind in a folder, page by page; `keep` says that the caller holds all of it.

    `trusting` takes a short page for the last one, as the interface says, unless the server has proved otherwise.
    `careful` always requests the next page: for complete copies, which must not miss a truncated page. What this client
    has just written is listed too, at the end where the server does not list it yet.
    """
    listed: set[str] = set()
    async for found in _listed_pages(
        engine, folder_key, kind, limit=limit, sort=sort, careful=careful, trusting=trusting, keep=keep
    ):
        if engine.written:
            listed.update(one.key for one in found)
            found = await corrected(engine, found, folder_key)  # noqa: PLW2901 - the same page
        yield found
    if missing := await not_listed_yet(engine, listed, folder_key, folders=kind == "w"):
        yield missing


async def whole_folder(
    engine: Engine, folder_key: str, *, limit: int = PAGE_SIZE, sort: ObjectSort = "+objectName"
) -> list[RemoteObject] | None:
    """List a whole folder in one request, folders first; None where it has to be listed by kind.

    The interface lists one kind per request. Our own server lists both together, which halves the requests of a walk;
    a folder of more than one page is listed by kind, because its folders come first.
    """
    known = engine.capabilities
    if not known.has_extensions or known.paged_listing.is_abandoned or engine.index is not None or engine.written:
        return None

    linked = _folder_pages(engine, folder_key, None, limit, sort)

    async def may_hide_more(count: int) -> bool:
        return linked.lead_on or known.short_pages.may_hide_more(count, trusting=True)

    listing = pages(_learning(engine, linked.fetch, limit), _identity, limit, may_hide_more, most=engine.bounds.objects)
    first: list[RemoteObject] = await anext(listing, [])
    if len(first) >= limit or await anext(listing, None) is not None:
        return None
    folders = [one for one in first if one.wire.is_folder]
    return [*folders, *(one for one in first if not one.wire.is_folder)] if folders else first


async def _listed_pages(
    engine: Engine,
    folder_key: str,
    kind: Kind,
    *,
    limit: int,
    sort: ObjectSort,
    careful: bool,
    trusting: bool,
    keep: bool,
) -> AsyncIterator[list[RemoteObject]]:
    """Yield the pages as the server, or the local index, lists them."""
    indexed = None if engine.index is None else await engine.index.pages(folder_key, kind, sort, limit)
    if indexed is not None:
        async for body in indexed:
            yield objects_in(body)
        return
    known = engine.capabilities
    linked = _folder_pages(engine, folder_key, kind, limit, sort)

    async def fetch(number: int) -> list[RemoteObject]:
        if known.paged_listing.is_abandoned:
            return [] if number else await _default_view(engine, folder_key, kind, sort)
        try:
            return await linked.fetch(number)
        except RequestFailedError as error:
            if number or not is_absent(error):
                raise
            return await _without_legacy(engine, folder_key, kind, sort, error)

    async def may_hide_more(count: int) -> bool:
        if known.paged_listing.is_abandoned:
            return False
        return (
            careful
            or linked.lead_on
            or known.short_pages.may_hide_more(count, trusting=trusting or known.has_extensions)
        )

    most = engine.bounds.kept if keep else engine.bounds.objects
    async for found in pages(_learning(engine, fetch, limit), _identity, limit, may_hide_more, most=most):
        yield found


def _learning(
    engine: Engine, fetch: Callable[[int], Awaitable[list[RemoteObject]]], limit: int
) -> Callable[[int], Awaitable[list[RemoteObject]]]:
    """Fetch the same pages, and remember whether a short one was the last."""
    first: list[RemoteObject] = []

    async def fetch_and_learn(number: int) -> list[RemoteObject]:
        nonlocal first
        found = await fetch(number)
        if number == 0:
            first = found
        elif number == 1 and len(before := frozenset(map(_identity, first))) < limit:
            # A server without pages sends the same page again, which means that there is no more.
            has_more = not before.issuperset(map(_identity, found))
            engine.capabilities.short_pages.learn(len(before), has_more=has_more)
        return found

    return fetch_and_learn


async def folder_objects(
    engine: Engine,
    folder_key: str,
    kind: Kind | None = None,
    *,
    limit: int = PAGE_SIZE,
    sort: ObjectSort = "+objectName",
) -> AsyncIterator[RemoteObject]:
    """Yield everything in a folder, folders first: the interface lists one kind per request."""
    for each_kind in (kind,) if kind else KINDS:
        async for found in folder_pages(engine, folder_key, each_kind, limit=limit, sort=sort):
            for each in found:
                yield each


def _folder_pages(engine: Engine, folder_key: str, kind: Kind | None, limit: int, sort: ObjectSort) -> LinkedPages:
    return LinkedPages(
        engine,
        lambda number: engine.plan(LISTING, query=page_query(folder_key, kind, number, limit, sort)),
        folder_key=folder_key,
    )


def page_query(folder_key: str, kind: Kind | None, number: int, limit: int, sort: ObjectSort) -> ListingQuery:
    """Build the query of one page of a folder."""
    return checked(ListingQuery, folder_key=folder_key, limit=limit, kind=kind, sort=sort, page=number)


class _Page(Struct, rename="camel"):
    """A page of a listing, and what it says about the account."""

    objects: list[CloudObject] | None = None
    allocated_space: int | None = None
    used_space: int | None = None
    is_upload_allowed: bool | None = None


async def read_page(engine: Engine, request: PlannedRequest) -> ObjectPage:
    """Send the request for a page, and read it with what it says about the account."""

    def read(response: BufferedResponse) -> ObjectPage:
        found = decode(_Page, response.body, request)
        objects = page_objects(found.objects, response.body)
        return ObjectPage(objects, found.allocated_space, found.used_space, found.is_upload_allowed)

    return await engine.read(request, read)


def _identity(found: RemoteObject) -> tuple[str, str, bool]:
    """Identify an entry. Two entries with one key differ unless they are alike; callers decide what that means."""
    wire = found.wire
    return wire.object_key, wire.object_name or "", wire.is_folder


async def _without_legacy(
    engine: Engine, folder_key: str, kind: Kind, sort: ObjectSort, refused: RequestFailedError
) -> list[RemoteObject]:
    try:
        found = await _default_view(engine, folder_key, kind, sort)
    except RequestFailedError:
        # The other endpoint does not know the folder either, so the first response was about the folder.
        raise refused from None
    engine.capabilities.paged_listing.abandon()
    return found


async def _default_view(engine: Engine, folder_key: str, kind: Kind, sort: ObjectSort) -> list[RemoteObject]:
    """List a folder without numbered pages, which is complete only when the listing is not full, or has links."""
    for limit in (PAGE_SIZE, LISTING_LIMIT_MAX):
        query = checked(DefaultViewQuery, folder_key=folder_key, limit=limit, kind=kind, sort=sort)
        linked = _links_of(engine, engine.plan(DEFAULT_VIEW, query=query), folder_key)
        listing = pages(linked.fetch, _identity, limit, most=engine.bounds.kept)
        found = [one async for page in listing for one in page]
        if len(found) < limit or linked.lead_on:
            return found
    raise BrokenListingError(
        f"the folder has at least {LISTING_LIMIT_MAX} objects, and this server lists them without pages: "
        "the listing cannot be completed"
    )


def _links_of(engine: Engine, request: PlannedRequest, folder_key: str) -> LinkedPages:
    return LinkedPages(engine, lambda _: request, folder_key=folder_key, are_numbered=False)


async def trash_objects(
    engine: Engine,
    *,
    sort: ObjectSort | None = None,
    page_size: int = PAGE_SIZE,
    on_incomplete: Callable[[str], None] | None = None,
) -> AsyncIterator[RemoteObject]:
    """Yield everything in the trash, beginning with what was just trashed and the server does not list yet."""
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
    linked = _trash_pages(engine, sort, page_size)

    async def fetch(number: int) -> list[RemoteObject]:
        # Each page is used once: a repeated request must fetch a new one.
        return fetched.pop(number) if number in fetched else await linked.fetch(number)

    first = fetched[0] = await linked.fetch(0)
    if len(first) >= page_size:
        second = fetched[1] = await linked.fetch(1)
        if {one.key for one in second} == {one.key for one in first}:
            async for found in _without_pages(engine, first, page_size, on_incomplete):
                yield found
            return
    async for found in pages(fetch, lambda one: one.key, page_size, most=engine.bounds.objects):
        yield found


def _trash_pages(engine: Engine, sort: ObjectSort | None, page_size: int) -> LinkedPages:
    return LinkedPages(
        engine, lambda number: engine.plan(TRASH, query=TrashQuery(page=number, limit=page_size, sort=sort))
    )


async def _without_pages(
    engine: Engine, first: list[RemoteObject], page_size: int, on_incomplete: Callable[[str], None]
) -> AsyncIterator[list[RemoteObject]]:
    """Yield the first page, and what the largest page shows in ascending and in descending order."""
    yield first
    seen = {one.key for one in first}
    limit = max(page_size, PAGE_SIZE)
    ascending = await _trash_pages(engine, "+objectName", limit).fetch(0)
    descending = await _trash_pages(engine, "-objectName", limit).fetch(0)
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
