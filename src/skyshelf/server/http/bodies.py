"""Bodies of requests: from the event loop, where they arrive, into a worker thread, where they are stored.

Blocking code wants an iterator, and bytes arrive on the event loop in small pieces. A block of about a mebibyte
crosses at a time, and the next one is gathered while the thread works on this one: memory stays flat, and the network,
the disk and the hashes are busy side by side.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import Future, wait
from contextlib import suppress

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from skyshelf.service.errors import ServiceError
from skyshelf.wire import error_codes as codes

BLOCK = 1024 * 1024
BODY_IDLE_SECONDS = 60
LINGER_SECONDS = 30
LINGER_IDLE_SECONDS = 2
_ALIVE_SECONDS = 5
_SCOPE_KEY = "skyshelf.body"


class Body:
    """The body of one request, read by one reader at a time."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._stream: AsyncIterator[bytes] = request.stream()
        self._loop = asyncio.get_running_loop()
        self._coming: Future[bytes] | None = None
        self._received = 0
        self._most: int | None = None
        self.is_complete = False

    @classmethod
    def of(cls, request: Request) -> "Body":
        """The one body of a request, whoever has begun to read it."""
        known = request.scope.get(_SCOPE_KEY)
        if not isinstance(known, Body):
            known = request.scope[_SCOPE_KEY] = cls(request)
        return known

    @property
    def announced(self) -> int | None:
        """The size that the client has announced; None where it sends without one."""
        length = self._request.headers.get("content-length", "")
        return int(length[:20]) if length.isascii() and length.isdigit() else None

    def limit(self, most: int) -> None:
        """Refuse a body of more bytes: now where it is announced, else as soon as it shows."""
        self._most = most
        if (self.announced or 0) > most:
            raise self._too_large(most)

    async def block(self) -> bytes:
        """The next block, as soon as it is full or the body has ended; nothing after the end."""
        pieces: list[bytes] = []
        held = 0
        while held < BLOCK and not self.is_complete:
            piece = await self._piece(BODY_IDLE_SECONDS)
            pieces.append(piece)
            held += len(piece)
        self._received += held
        if self._most is not None and self._received > self._most:
            raise self._too_large(self._most)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    async def _piece(self, idle_seconds: float) -> bytes:
        try:
            async with asyncio.timeout(idle_seconds):
                piece = await anext(self._stream, b"")
        except TimeoutError as late:
            raise ServiceError(codes.INVALID_REQUEST, "The body did not arrive in time") from late
        except RuntimeError:
            # Somebody has read this body to its end without us.
            piece = b""
        self.is_complete = not piece
        return piece

    async def all(self, most: int) -> bytes:
        """The whole of a small body."""
        self.limit(most)
        received = bytearray()
        while block := await self.block():
            received += block
        return bytes(received)

    def blocks(self, first: bytes) -> Iterator[bytes]:
        """All blocks, for a worker thread; the first one was awaited before a thread was spent on this body."""
        block = first
        while block:
            if not self.is_complete:
                self._coming = asyncio.run_coroutine_threadsafe(self.block(), self._loop)
            yield block
            block = self._arrived()

    def _arrived(self) -> bytes:
        coming, self._coming = self._coming, None
        if coming is None:
            return b""
        while not wait([coming], timeout=_ALIVE_SECONDS).done:
            # A loop that has ended will never answer, and this thread would keep the process from ending.
            if not self._loop.is_running():
                raise ClientDisconnect
        return coming.result()

    async def drain(self) -> None:
        """Take what is left of the body, and drop it; ServiceError when nothing comes any more."""
        self._most = None
        if self._coming is not None:
            with suppress(ServiceError, TimeoutError):
                await asyncio.wait_for(asyncio.wrap_future(self._coming), LINGER_IDLE_SECONDS)
        # A reader that was cancelled, as by the idle limit, has closed its stream.
        self._stream = self._request.stream()
        while not self.is_complete:
            await self._piece(LINGER_IDLE_SECONDS)

    def _too_large(self, most: int) -> ServiceError:
        return ServiceError(codes.BODY_TOO_LARGE, f"The body has more than {most} bytes")


class DrainingResponse(Response):
    """An answer to somebody who may still be sending.

    A connection that is closed on unread bytes is reset, and the answer is lost on its way. So what is left of the
    body is dropped for a while, as it comes. All of the answer but its last byte goes out before: with the last byte
    it would be complete, and the HTTP server would close the body.
    """

    def __init__(self, answer: Response, body: Body) -> None:
        self._answer = answer
        self._body = body
        self.status_code = answer.status_code
        self.background = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        last = b""

        async def hold_last_byte(message: Message) -> None:
            nonlocal last
            if message["type"] == "http.response.body":
                last = message["body"][-1:]
                message = {**message, "body": message["body"][:-1], "more_body": True}
            await send(message)

        await self._answer(scope, receive, hold_last_byte)
        with suppress(ClientDisconnect, ServiceError, TimeoutError):
            async with asyncio.timeout(LINGER_SECONDS):
                await self._body.drain()
        await send({"type": "http.response.body", "body": last})


def drain_body_after(request: Request, answer: Response) -> Response:
    """The answer, in a way that lets a client read it that is still sending its body."""
    body = Body.of(request)
    return answer if body.is_complete else DrainingResponse(answer, body)
