"""Responses that are sent in pieces, so a client that reads slowly holds back the server and not its memory.

The HTTP server keeps what it was given until the client has read it. A piece is given to it when there is space, and a
client that does not read a piece within a minute is disconnected: it would keep others from what it occupies.
"""

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from starlette.responses import Response, StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from skyshelf.server.http.admission.admission import Admission
from skyshelf.server.http.admission.kinds import RESPONSES

PIECE: Final = 256 * 1024
SEND_SECONDS: Final = 60
VIEWS: Final = "skyshelf.memoryviews"
"""The extension of an HTTP server that takes a part of a body without a copy of it."""


class StreamedResponse(StreamingResponse):
    """A streaming response each of whose pieces must be read in time."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_in_time(message: Message) -> None:
            async with asyncio.timeout(SEND_SECONDS):
                await send(message)

        await super().__call__(scope, receive, send_in_time)


def in_pieces(admission: Admission, response: Response) -> Response:
    """The same response, in pieces if it is large. It counts until it is sent: a caller who leaves too much unread is
    refused at their next request."""
    body = getattr(response, "body", b"")
    if len(body) <= PIECE:
        return response
    admission.count(RESPONSES, len(body))
    return shared_in_pieces(response)


def shared_in_pieces(response: Response) -> Response:
    """The same for a body which all requests share, and which therefore does not count."""
    if len(response.body) <= PIECE:
        return response
    streamed = _InPieces(bytes(response.body), response.status_code)
    streamed.raw_headers = response.raw_headers
    return streamed


class _InPieces(StreamedResponse):
    def __init__(self, body: bytes, status: int) -> None:
        super().__init__(_pieces(body), status)
        self._whole = body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if VIEWS in scope.get("extensions", {}):
            self.body_iterator = _pieces(memoryview(self._whole))
        await super().__call__(scope, receive, send)


async def _pieces(body: bytes | memoryview) -> AsyncIterator[bytes | memoryview]:
    for start in range(0, len(body), PIECE):
        yield body[start : start + PIECE]
