"""One connection to a server: HTTP/1.1, one request at a time, its response as it arrives.

A body that is not taken is not read either: TCP holds it back.
"""

import asyncio
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, cast

from skyshelf.client.http.faults import ClosedHereError, HttpFaultError, NeverSentError
from skyshelf.client.http.response import Response, Scratch

if TYPE_CHECKING:
    import ssl

IDLE_SECONDS: Final = 15.0
"""An idle connection that is older is not reused: servers and routers drop them about then, not always visibly."""

_WRITE_BYTES: Final = 256 * 1024
_PIECE_SECONDS: Final = 0.2
"""Seconds after which an incomplete piece is returned as it is."""


class HttpConnection(asyncio.BufferedProtocol):
    """Send with `request`, read the body with `piece` until it returns nothing, then `finish`."""

    def __init__(self, loop: asyncio.AbstractEventLoop, scratch: Scratch, read_timeout: float) -> None:
        self._loop = loop
        self._scratch = scratch
        self._read_timeout = read_timeout
        self._transport: asyncio.Transport | None = None
        self._response: Response | None = None
        self._failure: Exception | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._waiter: asyncio.Future[None] | None = None
        # When something last happened, and what was unsent then.
        self._active_at = 0.0
        self._unsent = 0
        self._can_write = True
        self._is_paused = False
        self._is_urgent = False
        self._was_kept = False

    @property
    def was_dropped(self) -> bool:
        """Whether the server seemed to keep it after a response, and then closed it without another one."""
        unanswered = self._response is None or not self._response.status
        return self._was_kept and unanswered and isinstance(self._failure, ConnectionError)

    @property
    def is_usable(self) -> bool:
        """Whether a request can be sent."""
        return (
            self._transport is not None
            and not self._transport.is_closing()
            and self._failure is None
            and self._loop.time() - self._active_at < IDLE_SECONDS
        )

    async def request(self, method: str, head: bytes, body: bytes | None) -> Response:
        """Send a request, and wait for status and headers.

        A response that arrives before everything is sent stops the sending, and later the connection.
        """
        transport = self._transport
        if transport is None or transport.is_closing() or self._failure is not None:
            raise NeverSentError("the connection was closed before anything was sent")
        response = self._response = Response(method, self._scratch)
        if body is None or len(body) <= _WRITE_BYTES:
            transport.write(head + body if body else head)
            is_sent = True
        else:
            transport.write(head)
            is_sent = await self._send_body(transport, body, response)
        self._active_at = self._loop.time()
        while not response.status:
            await self._wait()
        if not is_sent:
            response.keeps_alive = False
        return response

    async def piece(self, size: int) -> bytes | bytearray:
        """Return the next bytes of the body, at most `size`; nothing at its end."""
        response = self._response
        if response is None:
            raise ClosedHereError("the response was abandoned")
        timer: asyncio.TimerHandle | None = None
        try:
            while True:
                if piece := response.take(size):
                    if self._is_paused and not response.has_pieces:
                        self._resume()
                    return piece
                if response.is_whole:
                    return b""
                if self._is_urgent or self._failure is not None:
                    # Bytes that arrived before a fault are not lost.
                    response.drain()
                    if response.has_pieces:
                        continue
                if timer is None:
                    timer = self._loop.call_later(_PIECE_SECONDS, self._urge)
                    self._active_at = self._loop.time()
                await self._wait()
        finally:
            if timer is not None:
                timer.cancel()
                self._is_urgent = False

    def finish(self) -> bool:
        """End with the response; whether the connection can be reused. If not, it is closed."""
        response, self._response = self._response, None
        self._active_at = self._loop.time()
        if response is None or not response.is_whole or not response.keeps_alive or self._failure is not None:
            self.abort()
            return False
        if self._is_paused:
            self._resume()
        self._was_kept = True
        return True

    async def secure(self, tls: "ssl.SSLContext", host: str, timeout: float) -> None:
        self._response = None
        if self._transport is None:
            raise ConnectionResetError
        self._transport = await self._loop.start_tls(
            self._transport, self, tls, server_hostname=host, ssl_handshake_timeout=timeout
        )

    def abort(self) -> None:
        """Close it at once; waiting calls fail."""
        self._end(ClosedHereError("the connection was closed here"))
        if self._transport is not None and not self._loop.is_closed():
            self._transport.abort()

    # Called by the event loop.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._active_at = self._loop.time()
        self._timer = self._loop.call_later(min(self._read_timeout, IDLE_SECONDS), self._watch)

    def get_buffer(self, _: int) -> memoryview:
        return self._scratch.view if self._response is None else self._response.buffer()

    def buffer_updated(self, count: int) -> None:
        """Process `count` received bytes."""
        response = self._response
        if response is None or not response.is_in_head:
            # Once it has begun, a head has to arrive in time: it is small, and must not trickle forever.
            self._active_at = self._loop.time()
        if response is None:
            # Bytes that belong to no request.
            self.abort()
            return
        had_head = response.status
        try:
            response.received(count)
        except HttpFaultError as fault:
            self._end(fault)
            self.abort()
            return
        if response.has_pieces and not response.is_whole and not self._is_paused and self._transport is not None:
            self._is_paused = True
            self._transport.pause_reading()
        if response.is_whole or response.has_pieces or not had_head or self._is_urgent:
            self._wake()

    def eof_received(self) -> bool:
        """Note that the server sends nothing more."""
        self._lost(None)
        return False

    def connection_lost(self, fault: Exception | None) -> None:
        self._lost(fault)
        self._transport = None

    def pause_writing(self) -> None:
        """Stop sending: the write buffer is full."""
        self._can_write = False

    def resume_writing(self) -> None:
        self._can_write = True
        self._active_at = self._loop.time()
        self._wake()

    async def _send_body(self, transport: asyncio.Transport, body: bytes, response: Response) -> bool:
        """Send a large body piece by piece, so other tasks can run in between; whether all of it was sent."""
        rest = memoryview(body)
        while rest and not response.status:
            if self._failure is not None:
                raise self._failure
            transport.write(rest[:_WRITE_BYTES])
            rest = rest[_WRITE_BYTES:]
            self._active_at = self._loop.time()
            # Other tasks run here, and received data and errors are noticed.
            await asyncio.sleep(0)
            while not self._can_write and not response.status:
                await self._wait()
        return not rest

    def _lost(self, fault: Exception | None) -> None:
        """End the response: nothing more arrives."""
        response = self._response
        if response is None or response.is_whole:
            self._end(fault or ConnectionResetError())
            return
        try:
            response.ended()
        except (OSError, HttpFaultError) as cut:
            self._end(fault if isinstance(fault, OSError) else cut)
        else:
            self._wake()

    def _end(self, fault: Exception) -> None:
        """Stop using the connection; the first reason counts."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._failure is None:
            self._failure = fault
        self._wake()

    def _resume(self) -> None:
        self._is_paused = False
        if self._transport is not None and not self._transport.is_closing():
            self._transport.resume_reading()

    def _urge(self) -> None:
        self._is_urgent = True
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def _wait(self) -> None:
        """Wait until something happens; raises the failure of the connection."""
        if self._failure is not None:
            raise self._failure
        self._waiter = self._loop.create_future()
        try:
            await self._waiter
        finally:
            self._waiter = None

    def _watch(self) -> None:
        """Close the connection of a server that neither sends nor receives, and one that has been idle for too long."""
        transport, now = self._transport, self._loop.time()
        if transport is None:
            return
        limit = IDLE_SECONDS if self._response is None else self._read_timeout
        if self._response is not None:
            unsent, before = transport.get_write_buffer_size(), self._unsent
            self._unsent = unsent
            if self._waiter is None or unsent < before:
                # Nothing waits for the server, or it is receiving, however slowly.
                self._active_at = now
        left = self._active_at + limit - now
        if left > 0:
            self._timer = self._loop.call_later(min(left, self._read_timeout), self._watch)
        else:
            self._end(TimeoutError())
            self.abort()


_CONTROL: Final = re.compile("[\x00-\x08\x0a-\x1f\x7f]")
_TARGET: Final = re.compile("[!-~]+")
_WITH_A_BODY: Final = frozenset({"POST", "PUT", "PATCH"})


def request_head(method: str, target: str, host: str, headers: Mapping[str, str], body: bytes | None) -> bytes:
    """Write the request line and the headers; ValueError where one could be read as something else.

    The error does not quote the value, which can be the session.
    """
    fields = "".join([f"{name}: {value}\r" for name, value in headers.items()])
    if not _TARGET.fullmatch(target) or fields.count("\r") != len(headers) or _CONTROL.search(fields.replace("\r", "")):
        raise ValueError("a header or the target is not valid")
    length = f"Content-Length: {len(body or b'')}\r\n" if body is not None or method in _WITH_A_BODY else ""
    fields = fields.replace("\r", "\r\n")
    return f"{method} {target} HTTP/1.1\r\nHost: {host}\r\n{fields}{length}\r\n".encode("utf-8", "surrogateescape")
