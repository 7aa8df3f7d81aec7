"""The engine that all parts of a client share: it plans requests, waits its turn, sends, retries and reads."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from types import TracebackType
from typing import Any, Final, Protocol, TypeVar, Unpack

from msgspec import Struct

from skyshelf.client.credentials import Credentials
from skyshelf.client.engine.capabilities import ServerCapabilities
from skyshelf.client.engine.pacer import Pacer
from skyshelf.client.engine.pagination import ListingBounds
from skyshelf.client.engine.recent_writes import LAG_SECONDS, RecentWrites
from skyshelf.client.engine.requests import RequestParts, check, decode, failure, plan
from skyshelf.client.engine.retries import Retries, RetryPolicy, leaves_unknown
from skyshelf.client.engine.server_clock import ServerClock
from skyshelf.client.errors import ConfigurationError, RateLimitError, RequestFailedError
from skyshelf.client.hosts import Hosts
from skyshelf.client.http.messages import BufferedResponse, PlannedRequest, StreamingResponse
from skyshelf.client.http.transport import Transport
from skyshelf.client.secrets import HELD
from skyshelf.wire import headers as names
from skyshelf.wire.endpoint import Access, Endpoint, JsonEndpoint
from skyshelf.wire.resources.objects import ObjectSort

_Model = TypeVar("_Model")
_Result = TypeVar("_Result")
_FIRST_PAUSE: Final = 0.1
LOOK_FIRST: Final = "look whether it was before you repeat it"


class CannotTellError(Exception):
    """A look at the server does not show whether a change was made; the text says what to do."""


class ListingIndex(Protocol):
    """A local copy of all listings, as of its last refresh."""

    async def pages(self, folder_key: str, kind: str, sort: ObjectSort, limit: int) -> AsyncIterator[bytes] | None:
        """Return the pages of a folder, as a server would send them; None where the server has to be asked."""
        ...

    def invalidate(self) -> None:
        """Return no more pages: the server has changed since the last refresh."""
        ...

    async def close(self) -> None:
        """Close its file."""
        ...


class Engine:
    """One server, one session, one request rate."""

    def __init__(
        self,
        hosts: Hosts,
        credentials: Credentials | None,
        transport: Transport,
        *,
        policy: RetryPolicy | None = None,
        refusal: str | None = None,
        bounds: ListingBounds | None = None,
        lag: float = LAG_SECONDS,
        agent_session: str | None = None,
    ) -> None:
        self._own_headers = {} if agent_session is None else {names.AGENT_SESSION: agent_session}
        self.hosts = hosts
        self.credentials = credentials
        # Why an existing session is not used; None if there is no such session.
        self.refusal = refusal
        self.policy = policy or RetryPolicy()
        self.bounds = bounds or ListingBounds()
        self.pacer = Pacer(wait=self.policy.wait)
        self._transport = transport
        self.capabilities = ServerCapabilities()
        self.clock = ServerClock()
        # Listings come from here instead of the server, until this client writes something.
        self.index: ListingIndex | None = None
        # What this client has just written, which listings may not show yet.
        self.written: RecentWrites[Any] = RecentWrites(lag)

    def __repr__(self) -> str:
        return f"Engine({self.hosts.urls['base_url']})"

    def plan(self, endpoint: Endpoint, **parts: Unpack[RequestParts]) -> PlannedRequest:
        """Plan the request of an endpoint, with the session's headers where the endpoint needs them."""
        return plan(endpoint, self.hosts, self._session(endpoint), **parts)

    async def call(self, endpoint: JsonEndpoint[_Model], **parts: Unpack[RequestParts]) -> _Model:
        request = self.plan(endpoint, **parts)
        return await self.read(request, lambda response: decode(endpoint.model, response.body, request))

    async def send(self, request: PlannedRequest) -> BufferedResponse:
        """Send a request with retries; every response but 2xx is raised as its error."""
        return await self.read(request, lambda response: response)

    async def read(self, request: PlannedRequest, reader: Callable[[BufferedResponse], _Result]) -> _Result:
        """Send a request with retries, and return what `reader` makes of the response.

        A response that `reader` refuses with an UnexpectedAnswerError is retried like one that was lost.
        """
        if request.is_write and self.index is not None:
            # The write may make it stale, until the next refresh.
            self.index.invalidate()

        async def once() -> _Result:
            response = self._without_secrets(request, await self._transport.send(request))
            self.clock.note(response.headers)
            check(request, response)
            return reader(response)

        return await self.repeating(once, repeatable=request.repeatable)

    def stream_once(self, request: PlannedRequest) -> AbstractAsyncContextManager[StreamingResponse]:
        """Stream a response, without retries: for operations that `repeating` repeats as a whole."""
        return _Success(request, self._transport.stream(request), self._without_secrets)

    @asynccontextmanager
    async def stream(self, request: PlannedRequest) -> AsyncIterator[StreamingResponse]:
        """Stream a response; the request is retried until the head of a success has arrived."""
        async with AsyncExitStack() as opened:

            async def once() -> StreamingResponse:
                return await opened.enter_async_context(self.stream_once(request))

            yield await self.repeating(once, repeatable=request.repeatable)

    async def repeating(self, once: Callable[[], Awaitable[_Result]], *, repeatable: bool = True) -> _Result:
        """Run an operation that sends one request, and retry it as the policy says."""
        retries = Retries(self.policy, repeatable=repeatable)
        while True:
            turn = await self.pacer.turn()
            try:
                result = await once()
            except RequestFailedError as error:
                delay = retries.delay_after(error)
                if isinstance(error, RateLimitError):
                    # The pacer makes every worker wait, this one included.
                    self.pacer.throttled(turn, delay if delay is not None else self.policy.wait)
                elif error.status is not None:
                    self.pacer.succeeded()  # the request failed, but not for its rate
                if delay is None:
                    raise
                if not isinstance(error, RateLimitError):
                    await asyncio.sleep(delay)
            else:
                self.pacer.succeeded()
                return result

    async def once_only(
        self, attempt: Callable[[], Awaitable[_Result]], happened: Callable[[], Awaitable[_Result | None]]
    ) -> _Result:
        """Make a change that must not happen twice, and retry it as the policy says.

        Before it is repeated, `happened` looks whether it has happened, and returns its result if so. Where that cannot
        be found out, it is not repeated, and the error says so.
        """
        retries = Retries(self.policy)
        while True:
            try:
                return await attempt()
            except RequestFailedError as error:
                if not leaves_unknown(error):
                    # A change that certainly was not made has been retried already.
                    raise
                delay = retries.delay_after(error)
                await asyncio.sleep(delay or 0.0)
                try:
                    found = await happened()
                except RequestFailedError:
                    error.add_unknown(LOOK_FIRST)
                    raise error from None
                except CannotTellError as reason:
                    error.add_unknown(str(reason))
                    raise error from None
                if found is not None:
                    return found
                if delay is None:
                    raise

    async def listed_at_last(self, look: Callable[[], Awaitable[_Result | None]]) -> _Result | None:
        """Return what `look` finds; it is called again until a server's listings must show what was written."""
        waited, pause = 0.0, _FIRST_PAUSE
        while (found := await look()) is None and waited < self.written.seconds:
            await asyncio.sleep(pause)
            waited += pause
            pause = min(2 * pause, 1.0)
        return found

    async def close(self) -> None:
        if self.index is not None:
            await self.index.close()
        await self._transport.close()

    def hide_secrets(self, text: str) -> str:
        """Remove the session's own secrets from a text of the server, before it is stored on this machine."""
        return text if self.credentials is None else self.credentials.secrets.hide_plain(text)

    def hide_secrets_in(self, body: bytes) -> bytes:
        """Remove the session's own secrets from a part of a streamed JSON response."""
        return body if self.credentials is None else self.credentials.secrets.hide_in_body(body)

    def _without_secrets(self, request: PlannedRequest, response: BufferedResponse) -> BufferedResponse:
        """Clean a response for the rest of the client: a server can echo the session that it was sent."""
        if 200 <= response.status < 300:
            body = response.body if request.binary else self.hide_secrets_in(response.body)
            return response if body is response.body else BufferedResponse(response.status, response.headers, body)
        body = HELD.hide(response.body.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
        headers = {name: HELD.hide(value) for name, value in response.headers.items()}
        return BufferedResponse(response.status, headers, body)

    def _session(self, endpoint: Endpoint) -> dict[str, str]:
        if endpoint.access is Access.PUBLIC:
            return {
                names.CONTENT_TYPE: names.JSON_UTF8,
                names.ACCEPT_LANGUAGE: names.LANGUAGE_DEFAULT,
                names.USER_AGENT: names.USER_AGENT_DEFAULT,
            }
        if self.credentials is None:
            raise ConfigurationError(
                self.refusal
                or "not logged in: run `skyshelf login`, or set SKYSHELF_AUTH_TOKEN, SKYSHELF_USER_ID and "
                "SKYSHELF_DEVICE_KEY"
            )
        return {**self.credentials.headers, **self._own_headers}


class _Success(Struct):
    """A streamed response that is a success; every other one is raised as its error."""

    request: PlannedRequest
    sent: AbstractAsyncContextManager[StreamingResponse]
    clean: Callable[[PlannedRequest, BufferedResponse], BufferedResponse]

    async def __aenter__(self) -> StreamingResponse:
        response = await self.sent.__aenter__()
        if 200 <= response.status < 300:
            return response
        try:
            raise failure(self.request, self.clean(self.request, await response.whole()))
        finally:
            await self.sent.__aexit__(None, None, None)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.sent.__aexit__(kind, error, trace)
