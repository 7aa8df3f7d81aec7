"""The one seam to the network: a planned request in; status, headers and body out. All of HTTP is behind it.

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

from collections.abc import AsyncIterator, Mapping
from typing import Final

from skyshelf.client.engine.requests import BufferedResponse, PlannedRequest
from skyshelf.client.errors import AnswerTooLargeError, ConfigurationError
from skyshelf.client.http.connection import HttpConnection, request_head
from skyshelf.client.http.faults import FAULTS, DamagedAnswerError, network_error
from skyshelf.client.http.pool import Connections, Pool, TransportSettings
from skyshelf.client.http.response import PIECE_BYTES, Response

__all__ = ["PIECE_BYTES", "StreamingResponse", "Transport", "TransportSettings"]

ERROR_BYTES_MAX: Final = 64 * 1024
"""What is read of the body of an error; whatever it says beyond that helps nobody."""

_ENCODING: Final = "Accept-Encoding"


class StreamingResponse:
    """An answer whose body is still on its way."""

    def __init__(self, request: PlannedRequest, answer: Response, connection: HttpConnection) -> None:
        self.status = answer.status
        self.headers: Mapping[str, str] = answer.headers
        self._request = request
        self._answer = answer
        self._connection = connection

    async def pieces(self, size: int = PIECE_BYTES) -> AsyncIterator[bytes | bytearray]:
        """The body, in pieces of at most `size` bytes."""
        while True:
            try:
                piece = await self._connection.piece(size)
            except FAULTS as wrong:
                raise network_error(self._request, wrong) from None
            if not piece:
                return
            yield piece

    def release(self, piece: bytes | bytearray) -> None:
        """A piece is not used any more, by nobody: the next ones may be received into its memory."""
        self._answer.release(piece)

    async def whole(self) -> BufferedResponse:
        """The rest of the body at once, for error bodies and other small things; cut where it is far too long."""
        is_error = not 200 <= self.status < 300
        most = ERROR_BYTES_MAX if is_error else self._request.answer_bytes_max
        body = b""
        try:
            body = await self._all(most)
            if not self._request.binary and "content-encoding" in self.headers:
                body = _unpacked(body, self.headers["content-encoding"], most)
        except FAULTS as wrong:
            # The status of an error has been told, and is worth more than what became of the words to it.
            if not is_error:
                raise network_error(self._request, wrong) from None
        if len(body) > most and not is_error:
            raise AnswerTooLargeError(
                f"the server's answer is larger than the {most // (1024 * 1024)} MiB that this call can have; "
                "it was not read to its end",
                status=self.status,
                method=self._request.method,
                path=self._request.path,
            )
        return BufferedResponse(self.status, self.headers, body)

    async def _all(self, most: int) -> bytes:
        """All of the body, and little more than the most that it can be."""
        pieces: list[bytes | bytearray] = []
        length = 0
        while length <= most and (piece := await self._connection.piece(min(PIECE_BYTES, most + 1 - length))):
            pieces.append(piece)
            length += len(piece)
        return bytes(pieces[0]) if len(pieces) == 1 else b"".join(pieces)


class Sent:
    """A request on its way: an async context manager that gives its answer, once the head of that has arrived.

    At the end the connection is free for others, or closed where the body was not read. It is a class and not a
    generator, because it is entered for every small file.
    """

    __slots__ = ("_connection", "_connections", "_is_whole", "_pool", "_request", "_route")

    def __init__(self, connections: Connections, request: PlannedRequest, *, is_whole: bool) -> None:
        self._connections = connections
        self._request = request
        self._is_whole = is_whole
        self._connection: HttpConnection | None = None

    async def __aenter__(self) -> StreamingResponse:
        request = self._request
        self._route, target = self._connections.route_to(request.url)
        self._pool: Pool = self._connections.pool()
        head = self._head(target)
        try:
            connection = self._connection = await self._pool.take(self._route, repeatable=request.repeatable)
            answer = await connection.request(request.method, head, request.body)
        except FAULTS as wrong:
            self._release()
            raise network_error(request, wrong) from None
        except BaseException:
            self._release()
            raise
        return StreamingResponse(request, answer, connection)

    async def __aexit__(self, *_: object) -> None:
        self._release()

    def _release(self) -> None:
        if self._connection is not None:
            self._pool.release(self._route, self._connection)
            self._connection = None

    def _head(self, target: str) -> bytes:
        request, route = self._request, self._route
        headers = request.headers
        if _ENCODING not in headers:
            # Packing costs more than it saves on the way to this very machine, and a stream must not be held back.
            packs = self._is_whole and not route.is_local
            headers = {**headers, _ENCODING: "gzip" if packs else "identity"}
        try:
            return request_head(request.method, target, route.name, headers, request.body)
        except ValueError:
            raise ConfigurationError(
                f"{request.method} {request.path} cannot be sent: a header or the URL is not valid"
            ) from None


class Transport:
    """Sends planned requests. Connections are made when they are needed first, and belong to an event loop."""

    def __init__(self, settings: TransportSettings | None = None) -> None:
        self._connections = Connections(settings or TransportSettings())

    async def send(self, request: PlannedRequest) -> BufferedResponse:
        """Send it and read the whole answer."""
        async with Sent(self._connections, request, is_whole=True) as answer:
            return await answer.whole()

    def stream(self, request: PlannedRequest) -> Sent:
        """Send it and read the answer piece by piece."""
        return Sent(self._connections, request, is_whole=False)

    async def close(self) -> None:
        """Close all connections."""
        await self._connections.close()


def _unpacked(body: bytes, encoding: str, most: int) -> bytes:
    """What a packed body holds, and little more than the most that it can be, however well it was packed."""
    import zlib

    if encoding.lower() in {"", "identity"} or not body:
        return body
    if encoding.lower() not in {"gzip", "x-gzip", "deflate"}:
        raise DamagedAnswerError("the answer is packed in a way that nobody asked for")
    # Either of the two headers, and what some servers call deflate has none.
    wrapped = encoding.lower() != "deflate" or body[0] & 0x0F == zlib.DEFLATED
    unpacking = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32 if wrapped else -zlib.MAX_WBITS)
    try:
        content = unpacking.decompress(body, most + 1)
    except zlib.error:
        raise DamagedAnswerError("the answer is packed, and cannot be unpacked") from None
    if not unpacking.eof and len(content) <= most:
        raise DamagedAnswerError("the packed answer was cut off")
    return content
