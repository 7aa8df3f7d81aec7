"""The last stage: a response gets the headers that every response has, and is sent and measured.

A large one is sent in pieces, so a slow client does not fill the server's memory. The HTTP server keeps what it was
given until the client has read it. It gets a piece when there is space, and a client that does not read a piece within
a minute is disconnected, to free what it occupies.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Final

from starlette.responses import Response, StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from skyshelf.server.pipeline.access_log import AccessLog, id_header
from skyshelf.server.pipeline.admission.admission import Admission
from skyshelf.server.pipeline.admission.kinds import RESPONSES
from skyshelf.server.pipeline.answers import ANSWERS, Answer
from skyshelf.server.pipeline.request import ServerRequest

PIECE: Final = 256 * 1024
SEND_SECONDS: Final = 60
VIEWS: Final = "skyshelf.memoryviews"
"""The extension of an HTTP server that accepts a part of a body without copying it."""


class StreamedResponse(StreamingResponse):
    """A streaming response each of whose pieces must be read in time."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_in_time(message: Message) -> None:
            async with asyncio.timeout(SEND_SECONDS):
                await send(message)

        await super().__call__(scope, receive, send_in_time)


def in_pieces(admission: Admission, response: Response) -> Response:
    """Split a large response into pieces. It counts until it is sent: a caller who leaves too much unread is
    refused at their next request."""
    body = getattr(response, "body", b"")
    if len(body) <= PIECE:
        return response
    admission.count(RESPONSES, len(body))
    return shared_in_pieces(response)


def shared_in_pieces(response: Response) -> Response:
    """Split a body that all requests share, and that therefore does not count."""
    if len(response.body) <= PIECE:
        return response
    streamed = _InPieces(bytes(response.body), response.status_code)
    streamed.raw_headers = response.raw_headers
    return streamed


class _InPieces(StreamedResponse):
    def __init__(self, body: bytes, status: int) -> None:
        super().__init__(pieces_of(body), status)
        self._whole = body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if VIEWS in scope.get("extensions", {}):
            self.body_iterator = pieces_of(memoryview(self._whole))
        await super().__call__(scope, receive, send)


async def pieces_of(body: bytes | memoryview) -> AsyncIterator[bytes | memoryview]:
    for start in range(0, len(body), PIECE):
        yield body[start : start + PIECE]


class Sending:
    """The response of one request on its way to the client."""

    def __init__(self, log: AccessLog, request: ServerRequest, send: Send) -> None:
        self._log = log
        self._request = request
        self._send = send
        self.status = 0
        self.is_complete = False
        self._sent = 0
        self._announced = 0

    @property
    def sent(self) -> int:
        """The number of body bytes sent; a file that the HTTP server sends does not pass through here."""
        if self._request.method == "HEAD":
            return 0
        return self._sent or (self._announced if self.status in {200, 206} else 0)

    async def respond(self, response: Response) -> None:
        """Send a response: at once if it is a plain one, else by its own means."""
        request = self._request
        if type(response).__call__ is not Response.__call__ or not takes_answers(request.scope):
            await response(request.scope, request.receive, self._message)
            return
        headers = [*self._log.headers(request, response.raw_headers), id_header(request.request_id)]
        body = b"" if request.method == "HEAD" else bytes(response.body)
        await self.answer(Answer(response.status_code, headers, body))

    async def answer(self, answered: Answer) -> None:
        """Send an answer that has all its headers."""
        self.status, self._sent = answered.status, answered.file_bytes or len(answered.body)
        if takes_answers(self._request.scope):
            await self._timed({"type": ANSWERS, "answered": answered})
        else:
            start = {"type": "http.response.start", "status": answered.status, "headers": answered.headers}
            await self._timed(start)
            await self._timed({"type": "http.response.body", "body": answered.body})
        self.is_complete = True

    async def _message(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            given = self._log.headers(self._request, message.get("headers", ()))
            message["headers"] = [*given, id_header(self._request.request_id)]
            self.status = message["status"]
            for name, value in given:
                if name == b"content-length" and value.isdigit():
                    self._announced = int(value)
        elif message["type"] == "http.response.body":
            self._sent += len(message.get("body", b""))
            self.is_complete = not message.get("more_body", False)
        await self._timed(message)

    async def _timed(self, message: Message) -> None:
        began = time.perf_counter()
        await self._send(message)
        if self._request.parts is not None:
            self._request.parts.client += time.perf_counter() - began


def takes_answers(scope: Scope) -> bool:
    """Return whether the transport accepts a whole answer at once."""
    return ANSWERS in scope.get("extensions", ()) and scope["http_version"] == "1.1"
