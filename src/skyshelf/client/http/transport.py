"""The seam to the network: a planned request in; status, headers and body out. All of HTTP is behind it.

A streaming GET with retries, as downloads do it:

    ranged = DownloadHeaders(range="bytes=100-", if_range=etag)
    request = engine.plan(DOWNLOAD, headers=ranged, keys={"object_key": key})
    async with engine.stream(request) as response:    # waits its turn; retries 429, 5xx and network faults
        ...                                           # 2xx: response.status, response.headers (lower-case names)
        async for piece in response.pieces():         # bytes as they arrive; NetworkError when the connection is cut
            ...

`engine.stream` retries only until the head of a response has arrived. A cut in the body is a NetworkError from
`pieces()`, and the caller resumes with a Range from where it was. Everything but 2xx is raised as its error, redirects
included: they are never followed.

Connections are pooled per event loop. They have no threads: everything a pool does happens in its event loop, and ends
with it.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Final, Protocol, Self

from skyshelf.client.errors import AnswerTooLargeError, ConfigurationError
from skyshelf.client.http.connection import HttpConnection, request_head
from skyshelf.client.http.connector import Connector, Route, TransportSettings
from skyshelf.client.http.faults import FAULTS, DamagedResponseError, network_error
from skyshelf.client.http.messages import PIECE_BYTES, BufferedResponse, PlannedRequest, StreamingResponse
from skyshelf.client.http.process_end import reset_in_children
from skyshelf.client.http.response import Response, Scratch


class Pool:
    """The connections of one event loop; `limit` bounds how many are in use at once, and idle ones are reused."""

    def __init__(self, connector: Connector, limit: int) -> None:
        self._connector = connector
        self._slots = asyncio.Semaphore(limit)
        self._scratch = Scratch()
        self._idle: dict[str, list[HttpConnection]] = {}
        self._used: set[HttpConnection] = set()
        # Servers that close connections without having announced it.
        self._dropping: set[str] = set()

    async def acquire(self, route: Route, *, repeatable: bool = True) -> HttpConnection:
        """Return a connection for one request; release it afterwards.

        A repeatable request that is lost with a reused connection is sent again. One that is not repeatable gets a
        new connection where the server is known to drop idle ones.
        """
        await self._slots.acquire()
        try:
            may_reuse = repeatable or route.origin not in self._dropping
            connection = (self._reused(route.origin) if may_reuse else None) or await self._connector.connect(
                route, self._scratch
            )
        except BaseException:
            self._slots.release()
            raise
        self._used.add(connection)
        return connection

    def release(self, route: Route, connection: HttpConnection) -> None:
        """Keep the connection for the next request, if the response was read to its end."""
        if connection in self._used:
            self._used.remove(connection)
            self._slots.release()
            self._note_drop(route.origin, connection)
            if connection.finish():
                self._idle.setdefault(route.origin, []).append(connection)

    def close(self) -> None:
        """Close all connections; requests in flight fail."""
        for connection in [*self._used, *(connection for idle in self._idle.values() for connection in idle)]:
            connection.abort()
        self._idle.clear()

    def _reused(self, origin: str) -> HttpConnection | None:
        idle = self._idle.get(origin)
        while idle:
            # The most recently used one; the others grow old and are closed.
            connection = idle.pop()
            if connection.is_usable:
                return connection
            self._note_drop(origin, connection)
            connection.abort()
        return None

    def _note_drop(self, origin: str, connection: HttpConnection) -> None:
        if connection.was_dropped:
            self._dropping.add(origin)


class Connections:
    """All pools of a client. It is used from one event loop at a time, usually from a single one ever."""

    def __init__(self, settings: TransportSettings) -> None:
        self._settings = settings
        self._connector = Connector(settings)
        self._pools: dict[asyncio.AbstractEventLoop, Pool] = {}
        reset_in_children(self)

    def route_to(self, url: str) -> tuple[Route, str]:
        """Return the route to a URL's origin, and the request target there."""
        end = url.find("/", len("https://"))
        origin, target = (url, "/") if end < 0 else (url[:end], url[end:])
        return self._connector.route_to(origin), target

    def pool(self) -> Pool:
        loop = asyncio.get_running_loop()
        pool = self._pools.get(loop)
        if pool is None:
            self._drop_closed_loops()
            pool = self._pools[loop] = Pool(self._connector, self._settings.connections)
        return pool

    async def close(self) -> None:
        """Close the running event loop's connections, and forget those of loops that have ended."""
        pool = self._pools.pop(asyncio.get_running_loop(), None)
        if pool is not None:
            pool.close()
            # Sockets are closed in the next turn of the event loop, and this may be its last.
            await asyncio.sleep(0)
        self._drop_closed_loops()

    def reset_after_fork(self) -> object:
        """Forget the parent's connections, without closing them."""
        parents, self._pools = self._pools, {}
        return parents

    def _drop_closed_loops(self) -> None:
        for loop in [loop for loop in self._pools if loop.is_closed()]:
            del self._pools[loop]


ERROR_BYTES_MAX: Final = 64 * 1024
"""How much of an error's body is read; the rest says nothing useful."""

ANSWER_SECONDS: Final = 120.0
"""How long the body of a response that is read as a whole may take, however often a byte arrives."""

ANSWER_BYTES_PER_SECOND: Final = 1024
"""Bytes that extend that time by a second: the slowest connection that is waited for."""

_ENCODING: Final = "Accept-Encoding"


class Transport(Protocol):
    """Sends planned requests: pass your own as `AsyncClient(transport=...)` to record, fake or reroute them.

    Network faults are raised as NetworkError, with `may_have_happened` set. Every status is a response: the caller
    decides what a failure is, and retries it.
    """

    async def send(self, request: PlannedRequest) -> BufferedResponse:
        """Send a request and read the whole response."""
        ...

    def stream(self, request: PlannedRequest) -> AbstractAsyncContextManager[StreamingResponse]:
        """Send a request when the context is entered, and read the response piece by piece inside it."""
        ...

    async def close(self) -> None:
        """Close all connections."""
        ...


class HttpStream:
    """A request and its response: an async context manager, entered when the head of the response has arrived.

    At the end the connection is free for others, or closed when the body was not read. It is a class and not a
    generator because it is entered for every small file.
    """

    __slots__ = ("_connection", "_connections", "_is_whole", "_pool", "_request", "_route", "headers", "status")

    def __init__(self, connections: Connections, request: PlannedRequest, *, is_whole: bool) -> None:
        self.status = 0
        self.headers: Mapping[str, str] = {}
        self._connections = connections
        self._request = request
        self._is_whole = is_whole
        self._connection: HttpConnection | None = None

    async def __aenter__(self) -> Self:
        request = self._request
        self._pool: Pool = self._connections.pool()
        try:
            self._route, target = self._connections.route_to(request.url)
            head = self._head(target)
            connection = self._connection = await self._pool.acquire(self._route, repeatable=request.repeatable)
            response: Response = await connection.request(request.method, head, request.body)
        except FAULTS as fault:
            self._release()
            raise network_error(request, fault) from None
        except BaseException:
            self._release()
            raise
        self.status, self.headers = response.status, response.headers
        return self

    async def __aexit__(self, *_: object) -> None:
        self._release()

    async def pieces(self, size: int = PIECE_BYTES) -> AsyncIterator[bytes | bytearray]:
        """Yield the body, in pieces of at most `size` bytes."""
        while True:
            try:
                piece = await self._piece(size)
            except FAULTS as fault:
                raise network_error(self._request, fault) from None
            if not piece:
                return
            yield piece

    async def whole(self) -> BufferedResponse:
        """Read the rest of the body at once; an error's body is cut where it is far too long."""
        is_error = not 200 <= self.status < 300
        limit = ERROR_BYTES_MAX if is_error else self._request.answer_bytes_max
        body = b""
        try:
            body = await self._all(limit)
            if not self._request.binary and "content-encoding" in self.headers:
                body = _decompressed(body, self.headers["content-encoding"], limit)
        except FAULTS as fault:
            # The status of an error is known, and matters more than its body.
            if not is_error:
                raise network_error(self._request, fault) from None
        if len(body) > limit and not is_error:
            raise AnswerTooLargeError(
                f"the response is larger than the {limit // (1024 * 1024)} MiB that this call allows; "
                "the rest was not read",
                status=self.status,
                method=self._request.method,
                path=self._request.path,
            )
        return BufferedResponse(self.status, self.headers, body)

    async def _all(self, limit: int) -> bytes:
        """Read the whole body, or just over `limit` bytes of it; TimeoutError where it only trickles."""
        pieces: list[bytes | bytearray] = []
        length = 0
        loop = asyncio.get_running_loop()
        began = loop.time()
        async with asyncio.timeout(ANSWER_SECONDS) as patience:
            while length <= limit and (piece := await self._piece(min(PIECE_BYTES, limit + 1 - length))):
                pieces.append(piece)
                length += len(piece)
                patience.reschedule(began + ANSWER_SECONDS + length / ANSWER_BYTES_PER_SECOND)
        return bytes(pieces[0]) if len(pieces) == 1 else b"".join(pieces)

    async def _piece(self, size: int) -> bytes | bytearray:
        assert self._connection is not None, "the stream is used outside its context"
        return await self._connection.piece(size)

    def _release(self) -> None:
        if self._connection is not None:
            self._pool.release(self._route, self._connection)
            self._connection = None

    def _head(self, target: str) -> bytes:
        request, route = self._request, self._route
        headers = request.headers
        if _ENCODING not in headers:
            # Compression costs more than it saves on the way to this machine, and must not hold back a stream.
            compress = self._is_whole and not route.is_local
            headers = {**headers, _ENCODING: "gzip" if compress else "identity"}
        try:
            return request_head(request.method, target, route.name, headers, request.body)
        except ValueError:
            raise ConfigurationError(
                f"{request.method} {request.path} cannot be sent: a header or the URL is not valid"
            ) from None


class HttpTransport:
    """The transport that clients use. Connections are opened on first use, and belong to an event loop."""

    def __init__(self, settings: TransportSettings | None = None) -> None:
        self._connections = Connections(settings or TransportSettings())

    async def send(self, request: PlannedRequest) -> BufferedResponse:
        """Send a request and read the whole response."""
        async with HttpStream(self._connections, request, is_whole=True) as response:
            return await response.whole()

    def stream(self, request: PlannedRequest) -> HttpStream:
        """Send a request when the context is entered, and read the response piece by piece inside it."""
        return HttpStream(self._connections, request, is_whole=False)

    async def close(self) -> None:
        """Close all connections."""
        await self._connections.close()


def _decompressed(body: bytes, encoding: str, limit: int) -> bytes:
    """Decompress a body, or just over `limit` bytes of it."""
    import zlib

    if encoding.lower() in {"", "identity"} or not body:
        return body
    if encoding.lower() not in {"gzip", "x-gzip", "deflate"}:
        raise DamagedResponseError("the response has an encoding that was not requested")
    # zlib detects gzip and zlib headers; some servers send deflate without either.
    wrapped = encoding.lower() != "deflate" or body[0] & 0x0F == zlib.DEFLATED
    inflating = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32 if wrapped else -zlib.MAX_WBITS)
    try:
        content = inflating.decompress(body, limit + 1)
    except zlib.error:
        raise DamagedResponseError("the response is compressed, and cannot be decompressed") from None
    if not inflating.eof and len(content) <= limit:
        raise DamagedResponseError("the compressed response was cut off")
    return content
