"""Request bodies: from the event loop, where they arrive, to a worker thread, which stores them.

Blocking code needs an iterator, but bytes arrive on the event loop in small pieces. They cross in blocks of about a
mebibyte, and the next block is collected while the thread works on the current one: memory use stays constant, and
network, disk and hashing run in parallel.
"""

import asyncio
from collections.abc import Iterator
from concurrent.futures import Future, wait
from contextlib import suppress

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from skyshelf.server.connections.traffic import Visit
from skyshelf.service.errors import ServiceError
from skyshelf.wire import error_codes as codes

BLOCK = 1024 * 1024
BODY_GRACE_SECONDS = 20
BODY_IDLE_SECONDS = 60
BODY_BYTES_PER_SECOND_MIN = 1024
SMALL_BODY_SECONDS = 30
_SMALL_BODY_BYTES_PER_SECOND = 64 * 1024
LINGER_SECONDS = 30
LINGER_IDLE_SECONDS = 2
_ALIVE_SECONDS = 5
_SCOPE_KEY = "skyshelf.body"


class Body:
    """The body of a request; it has one reader at a time."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._loop = asyncio.get_running_loop()
        self._deadline = _Deadline(self._loop)
        self._is_last = False
        self._coming: Future[bytes] | None = None
        self._received = 0
        self._most: int | None = None
        self._patience: float = BODY_GRACE_SECONDS
        self._visit = Visit.of(request.scope)
        self.is_complete = False
        self.is_late = False

    @classmethod
    def of(cls, request: Request) -> "Body":
        """Return the request's only Body, even if reading has already begun."""
        known = request.scope.get(_SCOPE_KEY)
        if not isinstance(known, Body):
            known = request.scope[_SCOPE_KEY] = cls(request)
        return known

    @property
    def announced(self) -> int | None:
        """The size that the client announced, if any."""
        length = self._request.headers.get("content-length", "")
        return int(length[:20]) if length.isascii() and length.isdigit() else None

    def limit(self, most: int) -> None:
        """Refuse a larger body: now if its size is announced, else as soon as it exceeds the limit."""
        self._most = most
        if (self.announced or 0) > most:
            raise self._too_large(most)

    async def block(self) -> bytes:
        """Return the next block, once it is full or the body has ended; empty after the end."""
        if self.is_late:
            raise ServiceError(codes.BODY_TOO_SLOW)
        pieces: list[bytes] = []
        held = 0
        while held < BLOCK and not self.is_complete:
            piece = await self._next()
            pieces.append(piece)
            held += len(piece)
        self._received += held
        if self._most is not None and self._received > self._most:
            raise self._too_large(self._most)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def is_small(self, first: bytes) -> bool:
        """Return whether the first block is the whole body, and no larger than a block is meant to be."""
        return self.is_complete and len(first) <= BLOCK

    async def _next(self) -> bytes:
        """Return the next piece, if it comes in time.

        Waiting uses up a time budget, and every kibibyte restores a second of it, up to a minute. So a body may pause,
        but not drip. Only the client's time counts, not the time while this server is busy.
        """
        began = self._loop.time()
        visit = self._visit
        if visit is not None:
            visit.is_waiting_for_body = True
        try:
            piece = await self._piece(self._patience)
        finally:
            if visit is not None:
                visit.is_waiting_for_body = False
        if visit is not None:
            visit.body_bytes += len(piece)
        left = self._patience - (self._loop.time() - began)
        self._patience = min(BODY_IDLE_SECONDS, left + len(piece) / BODY_BYTES_PER_SECOND_MIN)
        return piece

    async def _piece(self, idle_seconds: float) -> bytes:
        """Return the next piece that is not empty; empty after the end."""
        piece = b""
        while not piece and not self._is_last:
            try:
                message = await self._deadline.message(self._request.receive, idle_seconds)
            except TimeoutError as late:
                self.is_late = True
                raise ServiceError(codes.BODY_TOO_SLOW) from late
            if message["type"] == "http.disconnect":
                self._deadline.end()
                raise ClientDisconnect
            piece = message.get("body", b"")
            self._is_last = not message.get("more_body", False)
        if self._is_last:
            self.is_complete = True
            self._deadline.end()
        return piece

    async def all(self, most: int) -> bytes:
        """Return a whole small body; the time allowed depends on its maximum size."""
        self.limit(most)
        received = bytearray()
        try:
            async with asyncio.timeout(SMALL_BODY_SECONDS + most / _SMALL_BODY_BYTES_PER_SECOND):
                while block := await self.block():
                    received += block
        except TimeoutError as late:
            self.is_late = True
            raise ServiceError(codes.BODY_TOO_SLOW) from late
        return bytes(received)

    def blocks(self, first: bytes) -> Iterator[bytes]:
        """Yield all blocks, for a worker thread; the first was awaited before a thread was occupied."""
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
            # A stopped loop never delivers, and this thread would keep the process from exiting.
            if not self._loop.is_running():
                raise ClientDisconnect
        return coming.result()

    async def drain(self, idle_seconds: float | None = None) -> None:
        """Read and discard the rest of the body; raises ServiceError if no more arrives."""
        idle_seconds = idle_seconds or LINGER_IDLE_SECONDS
        self._most = None
        if self._coming is not None:
            with suppress(ServiceError, TimeoutError):
                await asyncio.wait_for(asyncio.wrap_future(self._coming), idle_seconds)
        while not self.is_complete:
            await self._piece(idle_seconds)

    def _too_large(self, most: int) -> ServiceError:
        return ServiceError(codes.BODY_TOO_LARGE, f"The body has more than {most} bytes")


class _Deadline:
    """Ends a wait that takes too long. A body has one timer, however many pieces it comes in."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._timer: asyncio.TimerHandle | None = None
        self._until = 0.0
        self._waiting: asyncio.Task[object] | None = None
        self._is_over = False

    async def message(self, receive: Receive, seconds: float) -> Message:
        """Return the next message; TimeoutError if it does not come within these seconds."""
        self._until = self._loop.time() + seconds
        if self._timer is None or self._timer.when() > self._until:
            self.end()
            self._timer = self._loop.call_at(self._until, self._look)
        waiting = self._waiting = asyncio.current_task()
        try:
            return await receive()
        except asyncio.CancelledError as cancelled:
            if not self._is_over:
                raise
            self._is_over = False
            if waiting is not None and waiting.uncancel() > 0:
                raise  # cancelled by somebody else as well
            raise TimeoutError from cancelled
        finally:
            self._waiting = None

    def end(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        self._timer = None
        if self._waiting is None:
            return
        if self._loop.time() < self._until:
            # Something has arrived since the timer was set.
            self._timer = self._loop.call_at(self._until, self._look)
            return
        self._is_over = True
        self._waiting.cancel()


class DrainingResponse(Response):
    """A response to a client that may still be sending its body.

    Closing a connection with unread bytes resets it, and the response is lost. So the rest of the body is read
    and discarded for a while. All but the last byte of the response is sent first: with the last byte the response
    would be complete, and the HTTP server would close the body.
    """

    def __init__(
        self, response: Response, body: Body, linger_seconds: float = LINGER_SECONDS, idle_seconds: float | None = None
    ) -> None:
        self._response = response
        self._body = body
        self._linger_seconds = linger_seconds
        self._idle_seconds = idle_seconds
        self.status_code = response.status_code
        self.background = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        last = b""

        async def hold_last_byte(message: Message) -> None:
            nonlocal last
            if message["type"] == "http.response.body":
                last = message["body"][-1:]
                message = {**message, "body": message["body"][:-1], "more_body": True}
            await send(message)

        await self._response(scope, receive, hold_last_byte)
        with suppress(ClientDisconnect, ServiceError, TimeoutError):
            async with asyncio.timeout(self._linger_seconds):
                await self._body.drain(self._idle_seconds)
        await send({"type": "http.response.body", "body": last})


def drain_body_after(request: Request, response: Response) -> Response:
    """Return the response wrapped so that a client that is still sending its body can read it."""
    body = Body.of(request)
    # Waiting longer for a late body would defeat its deadline.
    return response if body.is_complete or body.is_late else DrainingResponse(response, body)
