"""The engine that all parts of a client share: it plans, waits its turn, sends, repeats and reads."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, TypeVar

from skyshelf.client.credentials import Credentials
from skyshelf.client.engine.pacer import Pacer
from skyshelf.client.engine.requests import BufferedResponse, PlannedRequest, check, decode, failure, plan
from skyshelf.client.engine.retries import RetryPolicy
from skyshelf.client.errors import ConfigurationError, RateLimitError, RequestFailedError
from skyshelf.client.hosts import Hosts
from skyshelf.client.http.transport import Sent, StreamingResponse, Transport
from skyshelf.wire.endpoint import Access, Endpoint
from skyshelf.wire.headers import (
    ACCEPT_LANGUAGE,
    CONTENT_TYPE,
    JSON_UTF8,
    LANGUAGE_DEFAULT,
    USER_AGENT,
    USER_AGENT_DEFAULT,
)
from skyshelf.wire.models import HeaderModel, QueryModel

if TYPE_CHECKING:
    from skyshelf.client.index.index import LocalIndex

_Model = TypeVar("_Model")
_Result = TypeVar("_Result")


class Engine:
    """One server, one session, one pace."""

    def __init__(
        self,
        hosts: Hosts,
        credentials: Credentials | None,
        transport: Transport,
        *,
        policy: RetryPolicy | None = None,
        pacer: Pacer | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.hosts = hosts
        self.credentials = credentials
        self.policy = policy or RetryPolicy()
        self.pacer = pacer or Pacer(wait=self.policy.wait)
        self._transport = transport
        self._sleep = sleep
        # What parts learn about the server and keep for as long as the client lives.
        self.learned: dict[str, object] = {}
        # Where listings come from instead of the server, until something is written.
        self.index: LocalIndex | None = None

    def __repr__(self) -> str:
        return f"Engine({self.hosts.urls['base_url']})"

    def plan(
        self,
        endpoint: Endpoint,
        *,
        query: QueryModel | None = None,
        headers: HeaderModel | None = None,
        body: object = None,
        content: bytes | None = None,
        content_type: str | None = None,
        method: str | None = None,
        keys: Mapping[str, str] | None = None,
    ) -> PlannedRequest:
        """The request of an endpoint, with the headers of the session where it has one."""
        return plan(
            endpoint,
            self.hosts,
            self._session(endpoint),
            query=query,
            headers=headers,
            body=body,
            content=content,
            content_type=content_type,
            method=method,
            keys=keys,
        )

    async def call(
        self,
        endpoint: Endpoint,
        model: type[_Model],
        *,
        query: QueryModel | None = None,
        headers: HeaderModel | None = None,
        body: object = None,
        keys: Mapping[str, str] | None = None,
    ) -> _Model:
        """Call an endpoint and read its answer into a model."""
        request = self.plan(endpoint, query=query, headers=headers, body=body, keys=keys)
        return await self.read(request, lambda answer: decode(model, answer.body, request))

    async def send(self, request: PlannedRequest) -> BufferedResponse:
        """Send a request, repeated as the policy says; the answer is a success, everything else is raised."""

        return await self.read(request, lambda answer: answer)

    async def read(self, request: PlannedRequest, reading: Callable[[BufferedResponse], _Result]) -> _Result:
        """The same, and what `reading` makes of the answer; one that it cannot read counts as lost on its way."""

        if self.index is not None and request.method not in {"GET", "HEAD"}:
            self.index.is_current = False

        async def once() -> _Result:
            answer = await self._transport.send(request)
            check(request, answer)
            return reading(answer)

        return await self.repeating(once, repeatable=request.repeatable)

    def stream_once(self, request: PlannedRequest) -> "_Success":
        """The same without any repetition and without waiting: for work that `repeating` repeats as a whole."""
        return _Success(request, self._transport.stream(request))

    @asynccontextmanager
    async def stream(self, request: PlannedRequest) -> AsyncIterator[StreamingResponse]:
        """The answer with its body still on its way; repeated until the head of a success has arrived."""
        async with AsyncExitStack() as opened:

            async def once() -> StreamingResponse:
                return await opened.enter_async_context(self.stream_once(request))

            yield await self.repeating(once, repeatable=request.repeatable)

    async def repeating(self, once: Callable[[], Awaitable[_Result]], *, repeatable: bool = True) -> _Result:
        """Do something that sends a request, and do it again after 429, 5xx and transport faults."""
        attempt = 0
        while True:
            turn = await self.pacer.turn()
            try:
                result = await once()
            except RequestFailedError as error:
                delay = self.policy.delay(error, attempt, repeatable=repeatable)
                if isinstance(error, RateLimitError):
                    self.pacer.throttled(turn, delay if delay is not None else self.policy.wait)
                elif error.status is not None:
                    self.pacer.went_well()  # whatever else is wrong, the server did not ask for patience
                if delay is None:
                    raise
                if not isinstance(error, RateLimitError):
                    await self._sleep(delay)
                attempt += 1
            else:
                self.pacer.went_well()
                return result

    async def close(self) -> None:
        """Close all connections."""
        if self.index is not None:
            await self.index.close()
        await self._transport.close()

    def _session(self, endpoint: Endpoint) -> dict[str, str]:
        if endpoint.access is Access.PUBLIC:
            return {CONTENT_TYPE: JSON_UTF8, ACCEPT_LANGUAGE: LANGUAGE_DEFAULT, USER_AGENT: USER_AGENT_DEFAULT}
        if self.credentials is None:
            raise ConfigurationError(
                "nobody is logged in: run `skyshelf login`, or set SKYSHELF_AUTH_TOKEN and its kin"
            )
        return self.credentials.headers


class _Success:
    """A request on its way, whose answer is a success; everything else is raised."""

    __slots__ = ("_request", "_sent")

    def __init__(self, request: PlannedRequest, sent: Sent) -> None:
        self._request = request
        self._sent = sent

    async def __aenter__(self) -> StreamingResponse:
        answer = await self._sent.__aenter__()
        if 200 <= answer.status < 300:
            return answer
        try:
            raise failure(self._request, await answer.whole())
        finally:
            await self._sent.__aexit__()

    async def __aexit__(self, *_: object) -> None:
        await self._sent.__aexit__()
