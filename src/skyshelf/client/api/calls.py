"""The base of every group of methods: the engine, lists read to their end, and errors for missing extensions."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, ClassVar, Protocol, TypeVar, Unpack

from msgspec import json

from skyshelf.client.engine.capabilities import require_extension
from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.pagination import Mark, pages, walk
from skyshelf.client.engine.requests import RequestParts, checked
from skyshelf.client.engine.retries import leaves_unknown
from skyshelf.client.errors import NotOfferedError, ObjectNotFoundError, RequestFailedError
from skyshelf.client.http.messages import BufferedResponse
from skyshelf.client.objects.linked_pages import LinkedPages
from skyshelf.client.objects.remote_object import RawPage, RemoteObject, remote_object
from skyshelf.wire.endpoint import Endpoint, JsonEndpoint, Origin
from skyshelf.wire.models import QueryModel
from skyshelf.wire.resources.passkeys import ConfirmationRequest


class _CursorPage(Protocol):
    """A page of a list that is read by cursor."""

    @property
    def next_cursor(self) -> str | None: ...


_Model = TypeVar("_Model")
_Page = TypeVar("_Page", bound=_CursorPage)
_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


@contextmanager
def _unknown(advice: str) -> Iterator[None]:
    """Mark the error of a call that is not repeated after a lost response: its outcome is unknown."""
    try:
        yield
    except RequestFailedError as error:
        if leaves_unknown(error):
            error.add_unknown(advice)
        raise


class Calls:
    """Methods for one noun; all of a client's groups send through its one engine.

    `_feature` completes the sentence "this server cannot ...": a server that lacks one of the group's extensions raises
    NotOfferedError with it. A call can name its own `feature`. `unknown` says what to do where a response was lost and
    the call cannot be repeated.
    """

    _feature: ClassVar[str] = ""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def _offered(self, endpoint: Endpoint, feature: str) -> AbstractContextManager[None]:
        """Guard a call of an endpoint that a server may not have."""
        if endpoint.origin is Origin.INTERFACE:
            return nullcontext()
        return require_extension(feature or self._feature)

    async def _call(
        self,
        endpoint: JsonEndpoint[_Model],
        *,
        feature: str = "",
        unknown: str | None = None,
        **parts: Unpack[RequestParts],
    ) -> _Model:
        """Call an endpoint and decode its response."""
        with self._offered(endpoint, feature), _unknown(unknown) if unknown else nullcontext():
            return await self._engine.call(endpoint, **parts)

    async def _send(self, endpoint: Endpoint, *, feature: str = "", **parts: Unpack[RequestParts]) -> BufferedResponse:
        """Call an endpoint whose response is not decoded."""
        with self._offered(endpoint, feature):
            return await self._engine.send(self._engine.plan(endpoint, **parts))

    async def _remove(self, endpoint: Endpoint, *, feature: str = "", **parts: Unpack[RequestParts]) -> None:
        """Call an endpoint that ends something; after a lost response, a repetition that finds nothing is a success."""

        async def attempt(is_repeated: bool) -> None:
            try:
                await self._send(endpoint, feature=feature, **parts)
            except NotOfferedError:
                raise
            except ObjectNotFoundError:
                if not is_repeated:
                    raise

        await self._repeating(attempt)

    async def _send_with_code(
        self, endpoint: Endpoint, is_done: Callable[[], Awaitable[bool]], **parts: Unpack[RequestParts]
    ) -> None:
        """Call an endpoint with a code, which is valid once: after a lost response, `is_done` tells what happened."""

        async def attempt() -> bool:
            await self._send(endpoint, **parts)
            return True

        async def happened() -> bool | None:
            return await is_done() or None

        await self._engine.once_only(attempt, happened)

    async def _repeating(self, attempt: Callable[[bool], Awaitable[_Result]]) -> _Result:
        """Make a change that may be made twice; `attempt` gets whether it may have been made already."""
        is_repeated = False

        async def happened() -> None:
            nonlocal is_repeated
            is_repeated = True

        return await self._engine.once_only(lambda: attempt(is_repeated), happened)

    def _by_cursor(
        self,
        endpoint: JsonEndpoint[_Page],
        items: Callable[[_Page], Iterable[_Item] | None],
        query: Callable[..., QueryModel],
        *,
        feature: str = "",
        keys: Mapping[str, str] | None = None,
    ) -> AsyncIterator[_Item]:
        """List every item of a list that the server pages by cursor; `query` makes the query of a page."""

        async def fetch(cursor: str | None) -> tuple[Iterable[_Item], str | None]:
            page_query = checked(query, cursor=cursor)
            page = await self._call(endpoint, feature=feature, query=page_query, keys=keys or {})
            return items(page) or (), page.next_cursor

        return walk(fetch, _mark, most=self._engine.bounds.objects)

    def _objects_by_cursor(
        self,
        endpoint: JsonEndpoint[Any],
        query: Callable[..., QueryModel],
        *,
        feature: str = "",
        keys: Mapping[str, str] | None = None,
    ) -> AsyncIterator[RemoteObject]:
        """List every object of a list that the server pages by cursor."""

        def objects(page: RawPage) -> Iterable[RemoteObject]:
            return map(remote_object, page.objects or ())

        return self._by_cursor(endpoint.read_as(RawPage), objects, query, feature=feature, keys=keys)

    def _objects_by_page(
        self, endpoint: Endpoint, query: Callable[[int], QueryModel], page_size: int
    ) -> AsyncIterator[RemoteObject]:
        """List every object of a list that the server pages by number."""
        linked = LinkedPages(self._engine, lambda number: self._engine.plan(endpoint, query=query(number)))
        return self._by_page(linked.fetch, lambda found: found.key, page_size)

    async def _by_page(
        self, fetch: Callable[[int], Awaitable[list[_Item]]], identify: Callable[[_Item], Mark], page_size: int
    ) -> AsyncIterator[_Item]:
        """List every item of a list that the server pages by number."""
        async for page in pages(fetch, identify, page_size, most=self._engine.bounds.objects):
            for item in page:
                yield item


def _mark(item: object) -> Mark:
    """Identify an item of any kind by everything that the server sent about it."""
    return item.sent() if isinstance(item, RemoteObject) else json.encode(item)


def confirmation(password: str | None, code: str | None) -> ConfirmationRequest | None:
    """Build the confirmation of a change from the password and a code; None if no password was given."""
    return None if password is None else ConfirmationRequest(password=password, code=code)
