"""The one seam to the network: a planned request in; status, headers and body out. All of pyreqwest is behind it.

A streaming GET with retries, as downloads do it:

    ranged = DownloadHeaders(range="bytes=100-", if_range=etag)
    request = engine.plan(DOWNLOAD, headers=ranged, keys={"object_key": key})
    async with engine.stream(request) as answer:    # waits its turn, repeats 429, 5xx and transport faults
        ...                                         # 2xx: answer.status, answer.headers (lower-case names)
        async for piece in answer.pieces():         # bytes as they arrive; NetworkError when the connection is cut
            ...

`engine.stream` repeats only until the head of an answer has arrived. A cut in the body is a NetworkError from
`pieces()`, and the caller goes on with a Range from where it was; `engine.repeating` counts and waits for it.
Whatever is not 2xx is raised as its error, a redirect among them: nothing here ever follows one.
"""

import asyncio
import atexit
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final
from weakref import WeakSet

from msgspec import Struct

from skyshelf.client.errors import ConfigurationError, NetworkError
from skyshelf.client.hosts import is_loopback_url
from skyshelf.client.http_library import load_http_library
from skyshelf.client.requests import PlannedRequest, WholeAnswer

if TYPE_CHECKING:
    from pyreqwest.client import Client
    from pyreqwest.request import RequestBuilder
    from pyreqwest.response import Response, ResponseBodyReader

PIECE_BYTES: Final = 256 * 1024
"""How much of a body is handed on at once: enough to make hashing and writing cheap, little enough to stay flat."""

SETTLE_SECONDS: Final = 0.05
"""How long the end of the program waits after the last connection was closed.

A thread of the library lets go of Python objects a moment later, and the process aborts if the interpreter is gone by
then: over TLS, 25 of 30 short programs did. With a wait of 0.01 none of 15 did; this is more, for a busy machine.
"""

_NEVER_CONNECTED: Final = "client error (Connect)"


class TransportSettings(Struct, frozen=True, kw_only=True):
    """How connections are made; the times are in seconds, and there is none for a whole transfer."""

    connect_timeout: float = 15.0
    read_timeout: float = 60.0
    ca_file: str | None = None
    use_proxies: bool = True
    connections: int = 64


class StreamedAnswer:
    """An answer whose body is still on its way."""

    def __init__(self, request: PlannedRequest, status: int, headers: Mapping[str, str], reader: "ResponseBodyReader"):
        self.status = status
        self.headers = headers
        self._request = request
        self._reader = reader

    async def pieces(self, size: int = PIECE_BYTES) -> AsyncIterator[bytes]:
        """The body, in pieces of at most `size` bytes."""
        from pyreqwest.exceptions import PyreqwestError

        while True:
            try:
                piece = await self._reader.read(size)
            except PyreqwestError as wrong:
                raise _network_error(self._request, wrong) from None
            if not piece:
                return
            yield piece.to_bytes()

    async def whole(self) -> WholeAnswer:
        """The rest of the body at once; for error bodies and other small things."""
        return WholeAnswer(self.status, self.headers, b"".join([piece async for piece in self.pieces()]))


class Transport:
    """Sends planned requests. Clients of the library are made when they are needed first, one of each kind."""

    def __init__(self, settings: TransportSettings | None = None) -> None:
        self._settings = settings or TransportSettings()
        self._clients: dict[tuple[bool, bool], Client] = {}
        _transports.add(self)

    async def send(self, request: PlannedRequest) -> WholeAnswer:
        """Send it and read the whole answer."""
        load_http_library()
        from pyreqwest.exceptions import PyreqwestError

        try:
            response = await self._builder(request).build().send()
            body = await response.bytes()
        except PyreqwestError as wrong:
            raise _network_error(request, wrong) from None
        return WholeAnswer(response.status, _headers(response), body.to_bytes())

    @asynccontextmanager
    async def stream(self, request: PlannedRequest) -> AsyncIterator[StreamedAnswer]:
        """Send it and read the answer piece by piece."""
        load_http_library()
        from pyreqwest.exceptions import PyreqwestError

        streamed = self._builder(request).build_streamed()
        try:
            response = await streamed.__aenter__()
        except PyreqwestError as wrong:
            raise _network_error(request, wrong) from None
        try:
            yield StreamedAnswer(request, response.status, _headers(response), response.body_reader)
        finally:
            await streamed.__aexit__(None, None, None)

    async def close(self) -> None:
        """Close all connections."""
        while self._clients:
            _, client = self._clients.popitem()
            await client.close()
            _activity.last = time.monotonic()

    def forget(self) -> bool:
        """Let go of what nobody closed, at the end of the program; whether there was anything."""
        had_any = bool(self._clients)
        self._clients.clear()
        return had_any

    def _builder(self, request: PlannedRequest) -> "RequestBuilder":
        from pyreqwest.exceptions import BuilderError

        try:
            builder = self._client(request).request(request.method, request.url)
            builder = builder.headers(request.headers)
            return builder if request.body is None else builder.body_bytes(request.body)
        except (BuilderError, ValueError):
            # Its reason can quote the value, and the value can be the session.
            raise ConfigurationError(
                f"{request.method} {request.path} cannot be sent: a header or the URL is not valid"
            ) from None

    def _client(self, request: PlannedRequest) -> "Client":
        kind = (request.binary, is_loopback_url(request.url))
        client = self._clients.get(kind)
        if client is None:
            client = self._clients[kind] = self._build(binary=request.binary, loopback=kind[1])
        return client

    def _build(self, *, binary: bool, loopback: bool) -> "Client":
        from pyreqwest.client import ClientBuilder
        from pyreqwest.exceptions import BuilderError

        settings = self._settings
        builder = (
            ClientBuilder()
            .follow_redirects(False)
            .referer(False)
            .https_only(not loopback)
            .connect_timeout(timedelta(seconds=settings.connect_timeout))
            .read_timeout(timedelta(seconds=settings.read_timeout))
            .max_connections(settings.connections)
            .pool_max_idle_per_host(settings.connections)
        )
        if binary:
            # Bytes are checked as they are sent; whoever compresses them on the way must not go unnoticed.
            builder = builder.gzip(False).brotli(False).zstd(False).deflate(False)
        if loopback or not settings.use_proxies:
            # Without TLS a proxy would read the session, and none is needed to reach this very machine.
            builder = builder.no_proxy()
        if settings.ca_file:
            try:
                builder = builder.add_root_certificate_pem(Path(settings.ca_file).read_bytes())
            except (OSError, BuilderError) as wrong:
                raise ConfigurationError(f"the CA file {settings.ca_file} cannot be used: {wrong}") from None
        return builder.build()


class _Activity:
    last = float("-inf")


_activity: Final = _Activity()
_transports: Final[WeakSet[Transport]] = WeakSet()


@atexit.register
def _settle() -> None:
    if sum(transport.forget() for transport in list(_transports)):
        _activity.last = time.monotonic()
    time.sleep(max(0.0, _activity.last + SETTLE_SECONDS - time.monotonic()))


def _headers(response: "Response") -> dict[str, str]:
    return {name.lower(): value for name, value in response.headers.items()}


def _network_error(request: PlannedRequest, wrong: Exception) -> NetworkError:
    """The library's error in our words; its own text is left out, for it quotes the whole URL."""
    from pyreqwest import exceptions as theirs

    task = asyncio.current_task()
    if task is not None and task.cancelling():
        # A request that is cancelled can come out as one that failed; repeating it would ignore the wish to end.
        raise asyncio.CancelledError

    details = getattr(wrong, "details", None) or {}
    causes = [cause["message"] for cause in details.get("causes") or ()]
    # The library's class for a failed connection is also that of a connection which closed without an answer.
    never_left = isinstance(wrong, theirs.PoolTimeoutError) or _NEVER_CONNECTED in causes
    reasons: tuple[tuple[type[Exception], str], ...] = (
        (theirs.PoolTimeoutError, "no connection became free in time"),
        (theirs.RequestTimeoutError, "the server did not answer in time"),
        (theirs.DecodeError, "the answer arrived damaged"),
        (theirs.NetworkError, "the server could not be reached" if never_left else "the connection was lost"),
    )
    sentence = next((text for kind, text in reasons if isinstance(wrong, kind)), "the request failed on its way")
    if causes and "://" not in causes[-1]:
        sentence += f": {causes[-1]}"
    return NetworkError(sentence, method=request.method, path=request.path, may_have_happened=not never_left)
