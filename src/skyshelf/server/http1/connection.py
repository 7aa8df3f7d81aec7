"""A connection: its bytes become requests, and what answers them is written to it in their order.

A request that the fast path answers never becomes a task: it is answered while its bytes are parsed.
"""

import asyncio
import socket
from collections import deque
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any, Final

import httptools
from starlette.types import Scope

from skyshelf.server.http.header_lines import header_lines
from skyshelf.server.http.streamed import VIEWS
from skyshelf.server.http1.exchange import HELD_BYTES_MAX, Exchange
from skyshelf.server.http1.file_sending import send_now
from skyshelf.server.http1.heads import Target, address_of, local_peer, plain_response, response_head
from skyshelf.server.http1.process import Process
from skyshelf.server.remembered_answers import ANSWERS, Answered

HEAD_BYTES_MAX: Final = 64 * 1024
"""Of a head that has not ended. The application refuses smaller ones too, with a proper error."""
HEADERS_MAX: Final = 512
PIPELINED_MAX: Final = 32
"""Requests that a client may send before the first of them is answered."""
AT_ONCE_MAX: Final = 16
"""Requests of one client that are answered in a row, before others have their turn."""
WRITTEN_BYTES_MAX: Final = 256 * 1024
"""Bytes that wait for the socket, before the application has to."""
LINGER_SECONDS: Final = 1.0
LINGER_BYTES_MAX: Final = 1024 * 1024
_ASGI: Final = {"version": "3.0", "spec_version": "2.4"}
_EXTENSIONS: Final[dict[str, Any]] = {"http.response.pathsend": {}, VIEWS: {}, ANSWERS: {}}
# A request with one of these is not a plain question.
_NOT_PLAIN: Final = {b"content-length", b"transfer-encoding", b"expect", b"upgrade"}


class Connection(asyncio.Protocol):
    """Its callbacks come from the event loop and from the parser."""

    def __init__(self, process: Process, accepted: socket.socket) -> None:
        self._process = process
        self.socket = accepted
        self._parser = httptools.HttpRequestParser(self)
        # As the standard allows for heads, which people also write by hand. In bodies it would be a way to smuggle.
        self._parser.set_dangerous_leniencies(lenient_optional_cr_before_lf=True)
        self._transport: asyncio.Transport | None = None
        self._client: tuple[str, int] | None = None
        self._server: tuple[str, int] | None = None
        self._url = b""
        self._headers: list[tuple[bytes, bytes]] = []
        self._is_plain = True
        self._is_chunked = False
        self._head_bytes = 0
        self._is_in_head = False
        self._is_in_body = False
        self._has_body_come = False
        self._at_once = 0
        self._is_answered = False
        self._exchange: Exchange | None = None
        """The one that is being answered."""
        self._coming: Exchange | None = None
        """The one whose body is being received."""
        self._waiting: deque[Exchange] = deque()
        self._is_paused = False
        self._drain: asyncio.Future[None] | None = None
        self._linger: asyncio.TimerHandle | None = None
        self._lingered = 0
        self._is_last = False
        """Whether the connection ends with what lingers."""
        self._is_over = False
        self._is_deaf = False
        self.active_at = 0.0

    # From the event loop.

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._transport = transport
        transport.set_write_buffer_limits(WRITTEN_BYTES_MAX)
        self._client = address_of(transport.get_extra_info("peername")) or local_peer()
        self._server = address_of(transport.get_extra_info("sockname"))
        self.active_at = self._process.loop.time()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - it makes no difference
        self._is_over = True
        self._process.lost(self)
        if self._linger is not None:
            self._linger.cancel()
        if self._drain is not None and not self._drain.done():
            self._drain.set_result(None)
        for exchange in (self._exchange, self._coming, *self._waiting):
            if exchange is not None:
                exchange.leave()
        self._waiting.clear()

    def data_received(self, data: bytes) -> None:
        if self._is_over or self._is_deaf:
            return
        self.active_at = self._process.loop.time()
        self._at_once = 0
        self._has_body_come = False
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            # No other protocol is offered: this request is answered, and nothing after it is read.
            self._end_after_this()
        except (httptools.HttpParserError, ValueError):
            self._refuse(HTTPStatus.BAD_REQUEST)
            return
        self._count_apart_from_bodies(len(data))

    def _count_apart_from_bodies(self, size: int) -> None:
        """Refuse a head that does not end, and the same behind a body: the parser keeps what it has of them."""
        if self._is_in_head or (self._is_in_body and not self._has_body_come):
            self._head_bytes += size
            if self._head_bytes > HEAD_BYTES_MAX:
                self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        else:
            self._head_bytes = 0

    def pause_writing(self) -> None:
        self._drain = self._process.loop.create_future()

    def resume_writing(self) -> None:
        if self._drain is not None and not self._drain.done():
            self._drain.set_result(None)
        self._drain = None

    # From the parser.

    def on_message_begin(self) -> None:
        self._is_in_head = True
        self._url = b""
        self._headers = []
        self._is_plain = True
        self._is_chunked = False
        self._is_answered = False

    def on_url(self, url: bytes) -> None:
        self._url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._is_in_head:
            return  # behind a body, where it could say something else than what was checked
        if len(self._headers) >= HEADERS_MAX:
            raise ValueError("too many headers")
        name = name.lower()
        if name in _NOT_PLAIN:
            self._is_plain = False
            self._is_chunked = self._is_chunked or name == b"transfer-encoding"
        self._headers.append((name, value.rstrip(b" \t")))

    def on_headers_complete(self) -> None:
        self._is_in_head = False
        self._is_in_body = True
        self._head_bytes = 0
        if self._is_chunked:
            self._parser.set_dangerous_leniencies(lenient_optional_cr_before_lf=False)
        scope = self._scope()
        keep_alive = self._parser.should_keep_alive()
        is_free = self._exchange is None and self._drain is None and self._linger is None
        if self._is_plain and keep_alive and is_free and scope["http_version"] == "1.1" and self._at_once < AT_ONCE_MAX:
            answered = self._process.answer_now(scope, files=True)
            if answered is not None:
                self._at_once += 1
                self._is_answered = True
                try:
                    self.write_answer(answered)
                finally:
                    answered.close()
                return
        self._begin(scope, keep_alive=keep_alive and not self._process.is_stopping)

    def on_body(self, body: bytes) -> None:
        self._has_body_come = True
        if self._linger is not None:
            self._lingered += len(body)
            if self._lingered > LINGER_BYTES_MAX:
                self.close()
        elif self._coming is not None:
            self._coming.take(body)
            self.set_reading()

    def on_message_complete(self) -> None:
        self._is_in_body = False
        if self._is_chunked:
            self._parser.set_dangerous_leniencies(lenient_optional_cr_before_lf=True)
        if self._linger is not None:
            # All of it has come: the connection can be used again.
            self._linger.cancel()
            self._linger = None
            if self._is_last:
                self.close()
            else:
                self._next()
        elif self._coming is not None and not self._is_answered:
            self._coming.end()
        self._coming = None

    def _scope(self) -> Scope:
        target = Target(self._url)
        return {
            "type": "http",
            "asgi": _ASGI,
            "http_version": self._parser.get_http_version(),
            "method": self._parser.get_method().decode("ascii"),
            "scheme": "http",
            "path": target.path,
            "raw_path": target.raw_path,
            "query_string": target.query,
            "root_path": "",
            "headers": self._headers,
            "client": self._client,
            "server": self._server,
            "extensions": _EXTENSIONS,
        }

    def _begin(self, scope: Scope, *, keep_alive: bool) -> None:
        """A request that takes its time."""
        expects_word = any(name == b"expect" and value.lower() == b"100-continue" for name, value in self._headers)
        exchange = self._coming = Exchange(self, scope, keep_alive=keep_alive, expects_word=expects_word)
        if self._exchange is None and self._linger is None:
            self._exchange = exchange
            self._process.run(exchange)
            return
        self._waiting.append(exchange)
        if len(self._waiting) > PIPELINED_MAX:
            self.abort()
        else:
            self.set_reading()

    def _end_after_this(self) -> None:
        self._is_deaf = True
        last = self._coming or self._exchange
        if last is None:
            self.close()
        else:
            last.keep_alive = False

    def _refuse(self, status: HTTPStatus) -> None:
        """An answer to what is no request, unless another one is being written."""
        if self._exchange is None and self._transport is not None:
            self.write(plain_response(status, self.date()))
            self.close()
        else:
            self.abort()

    # For the exchange.

    def date(self) -> bytes:
        return self._process.date()

    def write(self, data: bytes) -> None:
        if data and self._transport is not None and not self._is_over:
            self._transport.write(data)

    def write_all(self, pieces: Iterable[bytes]) -> None:
        if self._transport is not None and not self._is_over:
            self._transport.writelines(pieces)

    def write_answer(self, answered: Answered) -> None:
        lines = header_lines(answered.headers) if answered.lines is None else answered.lines
        head = response_head(answered.status, lines, self._process.date())
        if answered.file is None:
            self.write_all([head, answered.body])
        elif self._transport is not None:
            try:
                free = None if self._transport.get_write_buffer_size() else self.socket
                self.write(send_now(free, head, answered.file, answered.file_bytes))
            except OSError:
                self.abort()

    async def drained(self) -> None:
        """Once the client has read enough for more to be written."""
        if self._drain is not None:
            await asyncio.shield(self._drain)

    async def flushed(self) -> None:
        """Once everything is with the kernel."""
        assert self._transport is not None
        self._transport.set_write_buffer_limits(0)
        try:
            await self.drained()
        finally:
            self._transport.set_write_buffer_limits(WRITTEN_BYTES_MAX)
        self.check_present()

    def check_present(self) -> None:
        if self._is_over:
            raise ConnectionResetError("the client has gone")

    def set_reading(self) -> None:
        """Read on, unless there is enough to do with what has come."""
        held = self._coming.held if self._coming is not None else 0
        pause = held > HELD_BYTES_MAX or bool(self._waiting)
        if pause != self._is_paused and self._transport is not None and not self._is_over:
            self._is_paused = pause
            if pause:
                self._transport.pause_reading()
            else:
                self._transport.resume_reading()

    def finished(self, exchange: Exchange) -> None:
        """The response of an exchange is written."""
        self._exchange = None
        self.active_at = self._process.loop.time()
        if not exchange.is_received and self._coming is exchange:
            # A connection that is closed with unread bytes is reset, and the response is lost.
            self._coming = None
            self._lingered = 0
            self._linger = self._process.loop.call_later(LINGER_SECONDS, self.close)
            self._is_last = not exchange.keep_alive
            self.set_reading()
            return
        if not exchange.keep_alive or self._process.is_stopping:
            self.close()
        else:
            self._next()

    def _next(self) -> None:
        """What was sent before the last response."""
        if self._waiting:
            self._exchange = self._waiting.popleft()
            self._process.run(self._exchange)
        self.set_reading()

    # For the listener.

    @property
    def is_idle(self) -> bool:
        return self._exchange is None and not self._waiting

    @property
    def is_in_head(self) -> bool:
        """Whether the head of a request has begun and not ended."""
        return self._is_in_head

    def stop(self) -> None:
        """Close it now, or when its request is answered."""
        if self.is_idle:
            self.close()

    def close(self) -> None:
        """Once everything that was written is sent."""
        if self._transport is not None and not self._is_over:
            self._is_over = self._exchange is None
            self._transport.close()

    def abort(self) -> None:
        if self._transport is not None:
            self._transport.abort()
