"""What every group of methods shares: the engine, lists read to their end, and errors for missing extensions."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import nullcontext
from typing import Protocol, TypeVar

from msgspec import Raw, Struct, json

from skyshelf.client.engine.capabilities import require_extension
from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.pagination import Mark, pages, walk
from skyshelf.client.errors import NotOfferedError, ObjectNotFoundError
from skyshelf.client.http.messages import BufferedResponse
from skyshelf.client.objects.remote_object import RemoteObject, objects_in, remote_object
from skyshelf.wire.endpoint import Endpoint
from skyshelf.wire.models import HeaderModel, QueryModel


class _CursorPage(Protocol):
    """A page of a list that is read by cursor."""

    @property
    def next_cursor(self) -> str | None: ...


class _ObjectsPage(Struct, rename="camel"):
    """A page of objects, each as the server sent it."""

    objects: list[Raw] | None = None
    next_cursor: str | None = None


_Model = TypeVar("_Model")
_Page = TypeVar("_Page", bound=_CursorPage)
_Item = TypeVar("_Item")


class Calls:
    """Methods for one noun; all of a client's groups send through its one engine.

    `feature` completes the sentence "this server cannot ..." and marks a call as an extension: a server without it
    raises NotOfferedError.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def _call(
        self,
        endpoint: Endpoint,
        model: type[_Model],
        *,
        feature: str | None = None,
        query: QueryModel | None = None,
        headers: HeaderModel | None = None,
        body: object = None,
        keys: Mapping[str, str] | None = None,
    ) -> _Model:
        """Call an endpoint and decode its response."""
        with require_extension(feature) if feature else nullcontext():
            return await self._engine.call(endpoint, model, query=query, headers=headers, body=body, keys=keys)

    async def _send(
        self,
        endpoint: Endpoint,
        *,
        feature: str | None = None,
        body: object = None,
        keys: Mapping[str, str] | None = None,
    ) -> BufferedResponse:
        """Call an endpoint whose response is not decoded."""
        with require_extension(feature) if feature else nullcontext():
            return await self._engine.send(self._engine.plan(endpoint, body=body, keys=keys))

    async def _remove(
        self,
        endpoint: Endpoint,
        *,
        feature: str | None = None,
        body: object = None,
        keys: Mapping[str, str] | None = None,
    ) -> None:
        """Call an endpoint that ends something; after a lost response, a repetition that finds nothing is a success."""
        is_repeated = False

        async def attempt() -> bool:
            try:
                await self._send(endpoint, feature=feature, body=body, keys=keys)
            except NotOfferedError:
                raise
            except ObjectNotFoundError:
                if not is_repeated:
                    raise
            return True

        async def happened() -> None:
            nonlocal is_repeated
            is_repeated = True

        await self._engine.once_only(attempt, happened)

    def _by_cursor(
        self,
        endpoint: Endpoint,
        model: type[_Page],
        items: Callable[[_Page], Iterable[_Item] | None],
        query: Callable[[str | None], QueryModel],
        *,
        feature: str | None = None,
        keys: Mapping[str, str] | None = None,
    ) -> AsyncIterator[_Item]:
        """Every item of a list that the server pages by cursor."""

        async def fetch(cursor: str | None) -> tuple[Iterable[_Item], str | None]:
            page = await self._call(endpoint, model, feature=feature, query=query(cursor), keys=keys)
            return items(page) or (), page.next_cursor

        return walk(fetch, _mark, most=self._engine.bounds.objects)

    def _objects_by_cursor(
        self,
        endpoint: Endpoint,
        query: Callable[[str | None], QueryModel],
        *,
        feature: str,
        keys: Mapping[str, str] | None = None,
    ) -> AsyncIterator[RemoteObject]:
        """Every object of a list that the server pages by cursor."""
        return self._by_cursor(
            endpoint,
            _ObjectsPage,
            lambda page: map(remote_object, page.objects or ()),
            query,
            feature=feature,
            keys=keys,
        )

    def _objects_by_page(
        self, endpoint: Endpoint, query: Callable[[int], QueryModel], page_size: int
    ) -> AsyncIterator[RemoteObject]:
        """Every object of a list that the server pages by number."""

        async def fetch(number: int) -> list[RemoteObject]:
            request = self._engine.plan(endpoint, query=query(number))
            return await self._engine.read(request, lambda response: objects_in(response.body, request))

        return self._by_page(fetch, lambda found: found.key, page_size)

    async def _by_page(
        self, fetch: Callable[[int], Awaitable[list[_Item]]], identify: Callable[[_Item], Mark], page_size: int
    ) -> AsyncIterator[_Item]:
        """Every item of a list that the server pages by number."""
        async for page in pages(fetch, identify, page_size, most=self._engine.bounds.objects):
            for item in page:
                yield item


def _mark(item: object) -> Mark:
    """What identifies an item of any kind: everything that the server sent of it."""
    return item.sent() if isinstance(item, RemoteObject) else json.encode(item)
