"""What every group of methods shares: the engine, lists read to their end, and errors for missing extensions."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from typing import Protocol, TypeVar

from msgspec import Raw, Struct, json

from skyshelf.client.engine.capabilities import require_extension
from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.pagination import Mark, pages, walk
from skyshelf.client.engine.retries import leaves_unknown
from skyshelf.client.errors import NotOfferedError, ObjectNotFoundError, RequestFailedError
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
_Result = TypeVar("_Result")


@contextmanager
def _unknown(advice: str) -> Iterator[None]:
    """Around a call that is not repeated after a lost response: the error says that its outcome is unknown."""
    try:
        yield
    except RequestFailedError as error:
        if leaves_unknown(error):
            error.add_unknown(advice)
        raise


class Calls:
    """Methods for one noun; all of a client's groups send through its one engine.

    `feature` completes the sentence "this server cannot ..." and marks a call as an extension: a server without it
    raises NotOfferedError. `unknown` says what to do where a response was lost and the call cannot be repeated.
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
        unknown: str | None = None,
    ) -> _Model:
        """Call an endpoint and decode its response."""
        with (
            require_extension(feature) if feature else nullcontext(),
            _unknown(unknown) if unknown else nullcontext(),
        ):
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

        async def attempt(is_repeated: bool) -> None:
            try:
                await self._send(endpoint, feature=feature, body=body, keys=keys)
            except NotOfferedError:
                raise
            except ObjectNotFoundError:
                if not is_repeated:
                    raise

        await self._repeating(attempt)

    async def _repeating(self, attempt: Callable[[bool], Awaitable[_Result]]) -> _Result:
        """Make a change that may be made twice; `attempt` gets whether it may have been made already."""
        is_repeated = False

        async def happened() -> None:
            nonlocal is_repeated
            is_repeated = True

        return await self._engine.once_only(lambda: attempt(is_repeated), happened)

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
