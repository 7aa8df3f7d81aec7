"""Listings of a folder: one page, or all of them."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final, Literal

from msgspec import Struct

from skyshelf.client.engine.capabilities import is_absent
from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.pagination import pages
from skyshelf.client.engine.requests import build_request_model, decode
from skyshelf.client.errors import BrokenListingError, RequestFailedError
from skyshelf.client.http.messages import BufferedResponse, PlannedRequest
from skyshelf.client.objects.own_writes import corrected, not_listed_yet
from skyshelf.client.objects.remote_object import RemoteObject, objects_in, page_objects
from skyshelf.wire.endpoints.objects import DEFAULT_VIEW, LISTING
from skyshelf.wire.limits import LISTING_LIMIT_MAX
from skyshelf.wire.resources.objects import CloudObject, DefaultViewQuery, ListingQuery, ObjectSort

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


async def page(
    engine: Engine,
    folder_key: str,
    kind: Kind | None,
    *,
    number: int = 0,
    limit: int = PAGE_SIZE,
    sort: ObjectSort = "+objectName",
) -> ObjectPage:
    """One page of a folder."""
    return await _read(engine, engine.plan(LISTING, query=_query(folder_key, kind, number, limit, sort)))


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
    """Everything of one kind in a folder, page by page; `keep` says that the caller holds all of it in memory.

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
    """Everything in a folder in one request, folders first; None where it has to be listed by kind.

    The interface lists one kind per request. Our own server lists both together, which halves the requests of a walk;
    a folder of more than one page is listed by kind, because its folders come first.
    """
    known = engine.capabilities
    if not known.has_extensions or known.paged_listing.is_abandoned or engine.index is not None or engine.written:
        return None

    async def fetch(number: int) -> list[RemoteObject]:
        request = engine.plan(LISTING, query=_query(folder_key, None, number, limit, sort))
        return await engine.read(request, lambda answer: objects_in(answer.body, request))

    async def may_hide_more(count: int) -> bool:
        return known.short_pages.may_hide_more(count, trusting=True)

    listing = pages(_learning(engine, fetch, limit), _identity, limit, may_hide_more, most=engine.bounds.objects)
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
    """The pages as the server, or the local index, lists them."""
    indexed = None if engine.index is None else await engine.index.pages(folder_key, kind, sort, limit)
    if indexed is not None:
        async for body in indexed:
            yield objects_in(body)
        return
    known = engine.capabilities

    async def fetch(number: int) -> list[RemoteObject]:
        if known.paged_listing.is_abandoned:
            return [] if number else await _default_view(engine, folder_key, kind, sort)
        try:
            request = engine.plan(LISTING, query=_query(folder_key, kind, number, limit, sort))
            return await engine.read(request, lambda answer: objects_in(answer.body, request))
        except RequestFailedError as error:
            if number or not is_absent(error):
                raise
            return await _without_legacy(engine, folder_key, kind, sort, error)

    async def may_hide_more(count: int) -> bool:
        if known.paged_listing.is_abandoned:
            return False
        return careful or known.short_pages.may_hide_more(count, trusting=trusting or known.has_extensions)

    most = engine.bounds.kept if keep else engine.bounds.objects
    async for found in pages(_learning(engine, fetch, limit), _identity, limit, may_hide_more, most=most):
        yield found


def _learning(
    engine: Engine, fetch: Callable[[int], Awaitable[list[RemoteObject]]], limit: int
) -> Callable[[int], Awaitable[list[RemoteObject]]]:
    """The same pages; whether a short one was the last is remembered."""
    first: list[RemoteObject] = []

    async def fetch_and_learn(number: int) -> list[RemoteObject]:
        nonlocal first
        found = await fetch(number)
        if number == 0:
            first = found
        elif number == 1 and len(before := frozenset(map(_identity, first))) < limit:
            # A server without pages sends the same one again, which is not more.
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
    """Everything in a folder, folders first: the interface lists one kind per request."""
    for each_kind in (kind,) if kind else KINDS:
        async for found in folder_pages(engine, folder_key, each_kind, limit=limit, sort=sort):
            for each in found:
                yield each


def _query(folder_key: str, kind: Kind | None, number: int, limit: int, sort: ObjectSort) -> ListingQuery:
    return build_request_model(
        lambda: ListingQuery(folder_key=folder_key, limit=limit, kind=kind, sort=sort, page=number),
        folder_key=folder_key,
    )


class _Page(Struct, rename="camel"):
    """A page of a listing, and what it says about the account."""

    objects: list[CloudObject] | None = None
    allocated_space: int | None = None
    used_space: int | None = None
    is_upload_allowed: bool | None = None


async def _read(engine: Engine, request: PlannedRequest) -> ObjectPage:
    def read(response: BufferedResponse) -> ObjectPage:
        found = decode(_Page, response.body, request)
        objects = page_objects(found.objects, response.body)
        return ObjectPage(objects, found.allocated_space, found.used_space, found.is_upload_allowed)

    return await engine.read(request, read)


def _identity(found: RemoteObject) -> tuple[str, str, bool]:
    """Two entries with one key are two entries unless they are alike: callers decide what a contradiction means."""
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


def _default_query(folder_key: str, limit: int, kind: Kind, sort: ObjectSort) -> DefaultViewQuery:
    return build_request_model(
        lambda: DefaultViewQuery(folder_key=folder_key, limit=limit, kind=kind, sort=sort), folder_key=folder_key
    )


async def _default_view(engine: Engine, folder_key: str, kind: Kind, sort: ObjectSort) -> list[RemoteObject]:
    """The listing without pages, which is complete only when it is not full."""
    for limit in (PAGE_SIZE, LISTING_LIMIT_MAX):
        query = _default_query(folder_key, limit, kind, sort)
        found = (await _read(engine, engine.plan(DEFAULT_VIEW, query=query))).objects
        if len(found) < limit:
            return found
    raise BrokenListingError(
        f"the folder has at least {LISTING_LIMIT_MAX} objects, and this server lists them without pages: "
        "the listing cannot be completed"
    )
