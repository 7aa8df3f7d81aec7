"""The one seam to the network: a planned request in; status, headers and body out. All of aiohttp is behind it.

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
from typing import TYPE_CHECKING, Final

from skyshelf.client.connections import Connections, TransportSettings
from skyshelf.client.errors import AnswerTooLargeError, ConfigurationError, SkyshelfError
from skyshelf.client.requests import PlannedRequest, WholeAnswer

if TYPE_CHECKING:
    from aiohttp import ClientResponse

__all__ = ["PIECE_BYTES", "StreamedAnswer", "Transport", "TransportSettings"]

PIECE_BYTES: Final = 256 * 1024
"""How much of a body is handed on at once: enough to make hashing and writing cheap, little enough to stay flat."""

ERROR_BYTES_MAX: Final = 64 * 1024
"""What is read of the body of an error; whatever it says beyond that helps nobody."""

_LARGE_BODY: Final = 512 * 1024


class StreamedAnswer:
    """An answer whose body is still on its way."""

    def __init__(self, request: PlannedRequest, response: "ClientResponse") -> None:
        self.status = response.status
        self.headers: Mapping[str, str] = _headers(response)
        self._request = request
        self._response = response

    async def pieces(self, size: int = PIECE_BYTES) -> AsyncIterator[bytes]:
        """The body, in pieces of at most `size` bytes."""
        content = self._response.content
        while True:
            try:
                piece = await content.read(size)
            except _faults() as wrong:
                raise _network_error(self._request, wrong) from None
            if not piece:
                return
            yield piece

    async def whole(self) -> WholeAnswer:
        """The rest of the body at once, for error bodies and other small things; cut where it is far too long."""
        return WholeAnswer(self.status, self.headers, await _body(self._request, self._response))


class Sent:
    """A request on its way: an async context manager that gives its answer, once the head of that has arrived.

    At the end the connection is free for others, or closed where the body was not read. It is a class and not a
    generator, because it is entered for every small file.
    """

    __slots__ = ("_connections", "_request", "_response")

    def __init__(self, connections: Connections, request: PlannedRequest) -> None:
        self._connections = connections
        self._request = request
        self._response: ClientResponse | None = None

    async def __aenter__(self) -> StreamedAnswer:
        request = self._request
        try:
            self._response = await self._begun()
        except _faults() as wrong:
            raise _network_error(request, wrong) from None
        except ValueError:
            # Its reason can quote the value, and the value can be the session.
            raise ConfigurationError(
                f"{request.method} {request.path} cannot be sent: a header or the URL is not valid"
            ) from None
        return StreamedAnswer(request, self._response)

    async def __aexit__(self, *_: object) -> None:
        if self._response is not None:
            self._response.release()
            await self._response.wait_for_close()

    async def _begun(self) -> "ClientResponse":
        from yarl import URL

        request, way = self._request, self._connections.way_to(self._request.url)
        return await self._connections.session(binary=request.binary).request(
            request.method,
            # As it was planned: nothing is quoted a second time.
            URL(request.url, encoded=True),
            headers=request.headers,
            data=_sendable(request.body),
            allow_redirects=False,
            ssl=way.tls,
            proxy=way.proxy,
        )


class Transport:
    """Sends planned requests. Connections are made when they are needed first, and belong to an event loop."""

    def __init__(self, settings: TransportSettings | None = None) -> None:
        self._connections = Connections(settings or TransportSettings())

    async def send(self, request: PlannedRequest) -> WholeAnswer:
        """Send it and read the whole answer."""
        async with self.stream(request) as answer:
            return await answer.whole()

    def stream(self, request: PlannedRequest) -> Sent:
        """Send it and read the answer piece by piece."""
        return Sent(self._connections, request)

    async def close(self) -> None:
        """Close all connections."""
        await self._connections.close()


def _sendable(body: bytes | None) -> object:
    """A large body goes out piece by piece, so that others have their turn in between."""
    if body is None or len(body) < _LARGE_BODY:
        return body
    from io import BytesIO

    return BytesIO(body)


async def _body(request: PlannedRequest, response: "ClientResponse") -> bytes:
    """All of the body, and never more than the kind of request can be answered with."""
    is_error = not 200 <= response.status < 300
    most = ERROR_BYTES_MAX if is_error else request.answer_bytes_max
    pieces: list[bytes] = []
    length = 0
    try:
        while (piece := await response.content.readany()) or not response.content.at_eof():
            pieces.append(piece)
            length += len(piece)
            if length > most:
                break
    except _faults() as wrong:
        if is_error:
            # The status has been told, and is worth more than what became of the words to it.
            return b"".join(pieces)
        raise _network_error(request, wrong) from None
    if length > most and not is_error:
        raise AnswerTooLargeError(
            f"the server's answer is larger than the {most // (1024 * 1024)} MiB that this call can have; "
            "it was not read to its end",
            status=response.status,
            method=request.method,
            path=request.path,
        )
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def _headers(response: "ClientResponse") -> dict[str, str]:
    return {name.lower(): value for name, value in response.headers.items()}


def _faults() -> tuple[type[Exception], ...]:
    from skyshelf.client.network_faults import FAULTS

    return FAULTS


def _network_error(request: PlannedRequest, wrong: Exception) -> SkyshelfError:
    from skyshelf.client.network_faults import network_error

    return network_error(request, wrong)
