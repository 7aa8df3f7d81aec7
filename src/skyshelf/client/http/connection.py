"""One connection to a server: HTTP/1.1, one request at a time, its answer as it arrives.

A body that nobody takes is not read: the network holds it back.
"""

import asyncio
from typing import TYPE_CHECKING, Final, cast

from skyshelf.client.http.faults import ClosedHereError, HttpFaultError, NeverSentError
from skyshelf.client.http.response import Response, Scratch

if TYPE_CHECKING:
    import ssl
import re
from collections.abc import Mapping

IDLE_SECONDS: Final = 15.0
"""An idle connection that is older is not used again: servers and routers drop them about then, and not all say so."""

_SENT_AT_ONCE: Final = 256 * 1024
_PATIENCE_FOR_A_PIECE: Final = 0.2
"""After so many seconds whoever waits for a piece gets what there is of it."""


class HttpConnection(asyncio.BufferedProtocol):
    """Ask by `request`, take the body by `piece` until that is empty, then `finish`."""

    def __init__(self, loop: asyncio.AbstractEventLoop, scratch: Scratch, read_timeout: float) -> None:
        self._loop = loop
        self._scratch = scratch
        self._read_timeout = read_timeout
        self._transport: asyncio.Transport | None = None
        self._answer: Response | None = None
        self._wrong: Exception | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._waiter: asyncio.Future[None] | None = None
        # When anything happened last, and what was unsent then.
        self._since = 0.0
        self._unsent = 0
        self._can_write = True
        self._is_paused = False
        self._is_urgent = False
        self._was_kept = False

    @property
    def was_dropped(self) -> bool:
        """Whether the server kept it after an answer, as it seemed, and then closed it without another one."""
        unanswered = self._answer is None or not self._answer.status
        return self._was_kept and unanswered and isinstance(self._wrong, ConnectionError)

    @property
    def is_usable(self) -> bool:
        """Whether a request can be sent."""
        return (
            self._transport is not None
            and not self._transport.is_closing()
            and self._wrong is None
            and self._loop.time() - self._since < IDLE_SECONDS
        )

    async def request(self, method: str, head: bytes, body: bytes | None) -> Response:
        """Send a request, and wait for status and headers.

        An answer that comes before all was sent ends the sending, and then the connection.
        """
        transport = self._transport
        if transport is None or transport.is_closing() or self._wrong is not None:
            raise NeverSentError("the connection was closed before anything was sent")
        answer = self._answer = Response(method, self._scratch)
        if body is None or len(body) <= _SENT_AT_ONCE:
            transport.write(head + body if body else head)
            is_sent = True
        else:
            transport.write(head)
            is_sent = await self._sent(transport, body, answer)
        self._since = self._loop.time()
        while not answer.status:
            await self._wait()
        if not is_sent:
            answer.keeps_alive = False
        return answer

    async def piece(self, size: int) -> bytes | bytearray:
        """The next bytes of the body, at most so many; nothing at its end."""
        answer = self._answer
        if answer is None:
            raise ClosedHereError("the answer was given up")
        timer: asyncio.TimerHandle | None = None
        try:
            while True:
                if piece := answer.take(size):
                    if self._is_paused and not answer.has_pieces:
                        self._resume()
                    return piece
                if answer.is_whole:
                    return b""
                if self._is_urgent or self._wrong is not None:
                    # What has arrived before a fault is not lost by it.
                    answer.drain()
                    if answer.has_pieces:
                        continue
                if timer is None:
                    timer = self._loop.call_later(_PATIENCE_FOR_A_PIECE, self._urge)
                    self._since = self._loop.time()
                await self._wait()
        finally:
            if timer is not None:
                timer.cancel()
                self._is_urgent = False

    def finish(self) -> bool:
        """The answer is no longer wanted; whether the connection is free for another. If not, it is closed."""
        answer, self._answer = self._answer, None
        self._since = self._loop.time()
        if answer is None or not answer.is_whole or not answer.keeps_alive or self._wrong is not None:
            self.abort()
            return False
        if self._is_paused:
            self._resume()
        self._was_kept = True
        return True

    async def secure(self, tls: "ssl.SSLContext", host: str, timeout: float) -> None:
        """Speak TLS from here on, through the tunnel that was opened."""
        self._answer = None
        if self._transport is None:
            raise ConnectionResetError
        self._transport = await self._loop.start_tls(
            self._transport, self, tls, server_hostname=host, ssl_handshake_timeout=timeout
        )

    def abort(self) -> None:
        """Close it at once; whoever waits for something is told."""
        self._end(ClosedHereError("the connection was closed here"))
        if self._transport is not None and not self._loop.is_closed():
            self._transport.abort()

    # What the event loop tells.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """It is open."""
        self._transport = cast("asyncio.Transport", transport)
        self._since = self._loop.time()
        self._timer = self._loop.call_later(min(self._read_timeout, IDLE_SECONDS), self._watch)

    def get_buffer(self, _: int) -> memoryview:
        """Where to put what arrives."""
        return self._scratch.view if self._answer is None else self._answer.buffer()

    def buffer_updated(self, count: int) -> None:
        """So much has arrived there."""
        self._since = self._loop.time()
        answer = self._answer
        if answer is None:
            # A server that speaks without being asked: whatever it says belongs to no request.
            self.abort()
            return
        begun = answer.status
        try:
            answer.received(count)
        except HttpFaultError as wrong:
            self._end(wrong)
            self.abort()
            return
        if answer.has_pieces and not answer.is_whole and not self._is_paused and self._transport is not None:
            self._is_paused = True
            self._transport.pause_reading()
        if answer.is_whole or answer.has_pieces or not begun or self._is_urgent:
            self._wake()

    def eof_received(self) -> bool:
        """The server sends nothing more."""
        self._lost(None)
        return False

    def connection_lost(self, wrong: Exception | None) -> None:
        """It is closed."""
        self._lost(wrong)
        self._transport = None

    def pause_writing(self) -> None:
        """Enough is unsent."""
        self._can_write = False

    def resume_writing(self) -> None:
        """More can be sent."""
        self._can_write = True
        self._since = self._loop.time()
        self._wake()

    async def _sent(self, transport: asyncio.Transport, body: bytes, answer: Response) -> bool:
        """Send a large body piece by piece, so that others have their turn in between; whether all of it was sent."""
        rest = memoryview(body)
        while rest and not answer.status:
            if self._wrong is not None:
                raise self._wrong
            transport.write(rest[:_SENT_AT_ONCE])
            rest = rest[_SENT_AT_ONCE:]
            self._since = self._loop.time()
            # A turn for others, and for whatever has arrived or gone wrong meanwhile.
            await asyncio.sleep(0)
            while not self._can_write and not answer.status:
                await self._wait()
        return not rest

    def _lost(self, wrong: Exception | None) -> None:
        """Nothing more arrives."""
        answer = self._answer
        if answer is None or answer.is_whole:
            self._end(wrong or ConnectionResetError())
            return
        try:
            answer.ended()
        except (OSError, HttpFaultError) as cut:
            self._end(wrong if isinstance(wrong, OSError) else cut)
        else:
            self._wake()

    def _end(self, wrong: Exception) -> None:
        """It cannot be used any more, for the first reason there was."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._wrong is None:
            self._wrong = wrong
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
        """Until anything happens; raises what has gone wrong."""
        if self._wrong is not None:
            raise self._wrong
        self._waiter = self._loop.create_future()
        try:
            await self._waiter
        finally:
            self._waiter = None

    def _watch(self) -> None:
        """Give up a server from which nothing comes and which takes nothing, and a connection that nobody uses."""
        transport, now = self._transport, self._loop.time()
        if transport is None:
            return
        most = IDLE_SECONDS if self._answer is None else self._read_timeout
        if self._answer is not None:
            unsent, before = transport.get_write_buffer_size(), self._unsent
            self._unsent = unsent
            if self._waiter is None or unsent < before:
                # Nobody waits for the server, or it takes what it is sent, however slowly.
                self._since = now
        left = self._since + most - now
        if left > 0:
            self._timer = self._loop.call_later(min(left, self._read_timeout), self._watch)
        else:
            self._end(TimeoutError())
            self.abort()


# How a request begins on the wire.

_CONTROL: Final = re.compile("[\x00-\x08\x0a-\x1f\x7f]")
_TARGET: Final = re.compile("[!-~]+")
_WITH_A_BODY: Final = frozenset({"POST", "PUT", "PATCH"})


def request_head(method: str, target: str, host: str, headers: Mapping[str, str], body: bytes | None) -> bytes:
    """The first line and the headers; ValueError where one of them could be taken for something else.

    The reason is left out of it: it would quote the value, and the value can be the session.
    """
    fields = "".join([f"{name}: {value}\r" for name, value in headers.items()])
    if not _TARGET.fullmatch(target) or fields.count("\r") != len(headers) or _CONTROL.search(fields.replace("\r", "")):
        raise ValueError("a header or the target is not valid")
    length = f"Content-Length: {len(body or b'')}\r\n" if body is not None or method in _WITH_A_BODY else ""
    fields = fields.replace("\r", "\r\n")
    return f"{method} {target} HTTP/1.1\r\nHost: {host}\r\n{fields}{length}\r\n".encode("utf-8", "surrogateescape")
