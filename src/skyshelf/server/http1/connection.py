"""A connection: its bytes become requests, whose responses are written to it in order.

A request that the fast path answers never becomes a task: it is answered while its bytes are parsed.
"""

import asyncio
import socket
from collections import deque
from http import HTTPStatus
from itertools import count
from typing import Final

import httptools
from starlette.types import Scope

from skyshelf.server.connections.traffic import OpenSocket, Peer, open_socket, plain_address
from skyshelf.server.http1.exchange import HELD_BYTES_MAX, Exchange, Process
from skyshelf.server.http1.heads import (
    FRAMING,
    Lines,
    RequestHead,
    address_of,
    local_peer,
    plain_response,
    status_of,
)
from skyshelf.server.http1.writing import WRITTEN_BYTES_MAX, WritingConnection
from skyshelf.server.pipeline.request import REQUEST

HEAD_BYTES_MAX: Final = 64 * 1024
"""Maximum size of an unfinished head. The application refuses smaller ones too, with a proper error."""
PARSED_BYTES_MAX: Final = 4096
"""Bytes that are parsed before a request among them gets its answer, apart from a body of known length."""
AT_ONCE_MAX: Final = 16
"""Maximum number of requests of one client that are answered in a row before others get their turn."""
LINGER_SECONDS: Final = 1.0
FIRST_REQUEST_SECONDS: Final = 1.0
"""How long a new connection has for its request when the server stops."""
LINGER_BYTES_MAX: Final = 1024 * 1024
_NUMBERS: Final = count()


class Connection(WritingConnection):
    """A client's connection. The event loop and the parser call back into it."""

    # Each is read several times per request, and a dictionary of so many is slower.
    __slots__ = (
        "_at_once",
        "_body_left",
        "_client",
        "_coming",
        "_exchange",
        "_framing",
        "_had_request",
        "_has_body_come",
        "_head",
        "_head_bytes",
        "_headers",
        "_is_answered",
        "_is_deaf",
        "_is_in_body",
        "_is_last",
        "_is_paused",
        "_linger",
        "_lingered",
        "_number",
        "_parser",
        "_refusal",
        "_server",
        "_unparsed",
        "_url",
        "_waiting",
        "active_at",
        "is_in_head",
    )

    def __init__(self, process: Process, accepted: socket.socket, *, is_secure: bool = False) -> None:
        super().__init__(process, accepted, is_secure=is_secure)
        self._number = next(_NUMBERS)
        self._parser = self._new_parser()
        self._client: tuple[str, int] | None = None
        self._server: tuple[str, int] | None = None
        self._url = b""
        self._headers: Lines = []
        self._framing: Lines = []
        self._head = RequestHead(b"", b"", "", [], [])
        """The newest complete head."""
        self._body_left = 0
        """Bytes of a body of known length that have not come yet."""
        self._unparsed = b""
        """Bytes that wait until the requests before them are answered."""
        self._refusal: HTTPStatus | None = None
        """The answer to bytes that are no request, once those before them are answered."""
        self._head_bytes = 0
        self.is_in_head = False
        """Whether the head of a request has begun and not ended."""
        self._had_request = False
        self._is_in_body = False
        self._has_body_come = False
        self._at_once = 0
        self._is_answered = False
        self._exchange: Exchange | None = None
        """The exchange that is being answered."""
        self._coming: Exchange | None = None
        """The exchange whose body is being received."""
        self._waiting: deque[Exchange] = deque()
        self._is_paused = False
        self._linger: asyncio.TimerHandle | None = None
        self._lingered = 0
        self._is_last = False
        """Whether the connection closes once the rest of the body has arrived."""
        self._is_deaf = False
        self.active_at = 0.0

    def _new_parser(self) -> httptools.HttpRequestParser:
        parser = httptools.HttpRequestParser(self)
        # The standard allows it for headers, which people also write by hand. In bodies it would enable smuggling.
        parser.set_dangerous_leniencies(lenient_optional_cr_before_lf=True)
        return parser

    # Called by the event loop

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
        # The parser refers to the connection, and TLS keeps much memory: both would wait for the garbage collector,
        # which counts objects and runs rarely.
        self._transport = None
        del self._parser

    def data_received(self, data: bytes) -> None:
        if self._is_over or self._is_deaf:
            return
        self.active_at = self._process.loop.time()
        self._at_once = 0
        self._parse(self._unparsed + data if self._unparsed else data)

    def _parse(self, data: bytes) -> None:
        """Parse bytes until a request among them has to wait for its turn; the rest is kept, and nothing more read."""
        self._unparsed = b""
        while data and not self._is_deaf and not self._is_over:
            if self._waiting:
                self._unparsed = data
                self.set_reading()
                return
            piece, data = data, b""
            if len(piece) > PARSED_BYTES_MAX:
                size = max(PARSED_BYTES_MAX, self._body_left)
                piece, data = piece[:size], piece[size:]
            self._has_body_come = False
            try:
                self._parser.feed_data(piece)
            except httptools.HttpParserUpgrade as upgrade:
                # There is no other protocol to switch to: the request is parsed again, as one that asks for none.
                self._parser = self._new_parser()
                data = self._head.without_upgrade() + piece[upgrade.args[0] :] + data
                continue
            except (httptools.HttpParserError, ValueError) as problem:
                if not self._is_deaf:
                    self._refuse(status_of(problem))
                return
            if self.is_in_head or (self._is_in_body and not self._has_body_come):
                self._count_apart_from_bodies(len(piece))
            else:
                self._head_bytes = 0

    def _count_apart_from_bodies(self, size: int) -> None:
        """Refuse a head or trailer that does not end: the parser keeps everything it has received of it."""
        self._head_bytes += size
        if self._head_bytes > HEAD_BYTES_MAX:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)

    # Called by the parser

    def on_message_begin(self) -> None:
        self.is_in_head = True
        self._url = b""
        self._headers = []
        self._framing = []
        self._is_answered = False

    def on_url(self, url: bytes) -> None:
        self._url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        name = name.lower()
        line = name, value.rstrip(b" \t")
        self._headers.append(line)
        if name in FRAMING:
            self._framing.append(line)

    def on_headers_complete(self) -> None:
        self.is_in_head = False
        self._head_bytes = 0
        parser = self._parser
        version, lines = parser.get_http_version(), self._headers
        head = self._head = RequestHead(parser.get_method(), self._url, version, lines, self._framing)
        # A trailer could contradict the headers that are checked now, so nobody sees it.
        self._headers, self._framing = [], []
        scope = head.scope((self._client, self._server), is_secure=self.is_secure)
        if parser.should_upgrade():
            return
        self._is_in_body = True
        self._body_left = head.length
        if head.is_chunked:
            parser.set_dangerous_leniencies(lenient_optional_cr_before_lf=False)
        self._had_request = True
        keep_alive = self._parser.should_keep_alive() and self.stays_open
        is_free = self._exchange is None and self._drain is None and self._linger is None
        if head.is_plain and keep_alive and is_free and scope["http_version"] == "1.1" and self._at_once < AT_ONCE_MAX:
            answered = self._process.answer_now(scope, files=True)
            if answered is not None:
                self._at_once += 1
                self._is_answered = True
                # It and its request refer to each other, which is not left to the garbage collector.
                scope.pop(REQUEST, None)
                try:
                    self.write_answer(answered)
                finally:
                    answered.close()
                return
        self._begin(scope, keep_alive=keep_alive)

    def on_body(self, body: bytes) -> None:
        self._has_body_come = True
        self._body_left = max(0, self._body_left - len(body))
        if self._linger is not None:
            self._lingered += len(body)
            if self._lingered > LINGER_BYTES_MAX:
                self.close()
        elif self._coming is not None:
            self._coming.take(body)
            self.set_reading()

    def on_message_complete(self) -> None:
        if self._is_answered:
            # A request that is answered at once has no body and leaves the connection open.
            self._is_in_body = False
            return
        if self._parser.should_upgrade():
            return
        self._is_in_body = False
        self._body_left = 0
        # Nothing after a request that ends the connection is read.
        self._is_deaf = not self._parser.should_keep_alive()
        if self._head.is_chunked:
            self._parser.set_dangerous_leniencies(lenient_optional_cr_before_lf=True)
        if self._linger is not None:
            # The request is complete, so the connection can be reused.
            self._linger.cancel()
            self._linger = None
            if self._is_last:
                self.close()
            else:
                self._next()
        elif self._coming is not None:
            self._coming.end()
        self._coming = None

    def _begin(self, scope: Scope, *, keep_alive: bool) -> None:
        """Begin the exchange of a request that was not answered at once, now or in its turn."""
        exchange = Exchange(self, scope, keep_alive=keep_alive, expects_word=self._head.expects_word)
        self._coming = exchange
        if self._exchange is None and self._linger is None:
            self._exchange = exchange
            self._process.run(exchange)
            return
        self._waiting.append(exchange)
        self.set_reading()

    def _refuse(self, status: HTTPStatus) -> None:
        """Answer bytes that are not a valid request, after the requests before them; a body that breaks is no body."""
        self._is_deaf = True
        if self._is_in_body and self._coming is not None and self._coming in self._waiting:
            self._waiting.remove(self._coming)
            self._coming = None
        if self._is_in_body and self._coming is not None:
            self.abort()
        elif self._linger is not None:
            self.close()
        elif self._exchange is not None or self._waiting:
            self._refusal = status
        elif self._transport is not None:
            self.write(plain_response(status, self.date()))
            self.close()

    # Called by the exchange

    @property
    def stays_open(self) -> bool:
        """Whether the connection may have another request after a response that begins now."""
        return not self._process.is_leaving

    def set_reading(self) -> None:
        """Resume reading, or pause it while enough has been received."""
        held = self._coming.held if self._coming is not None else 0
        pause = held > HELD_BYTES_MAX or bool(self._waiting or self._unparsed)
        if pause != self._is_paused and self._transport is not None and not self._is_over:
            self._is_paused = pause
            if pause:
                self._transport.pause_reading()
            else:
                self._transport.resume_reading()

    def finished(self, exchange: Exchange) -> None:
        self._exchange = None
        self.active_at = self._process.loop.time()
        if not exchange.is_received and self._coming is exchange:
            # Closing a connection with unread bytes would reset it, and the response would be lost.
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
        """Run the next pipelined request, if there is one."""
        if self._waiting:
            self._exchange = self._waiting.popleft()
            self._process.run(self._exchange)
        elif self._refusal is not None:
            self._refuse(self._refusal)
        if self._unparsed:
            self._at_once = 0
            self._parse(self._unparsed)
        self.set_reading()

    # Called by the listener

    @property
    def is_idle(self) -> bool:
        return self._exchange is None and not self._waiting

    def open_socket(self) -> OpenSocket | None:
        """Return the connection as the guard sees it; None if it is closed or uses a Unix socket."""
        client = self._client
        peer = _peer_of(self.socket) if client is None else Peer(plain_address(client[0]), client[1])
        return None if peer is None else open_socket(self.socket, self._number, peer)

    def stop(self) -> None:
        """Close the connection now, or once its request is answered.

        A request may be under way on a connection that has had none, and closing would reset it: it gets a moment.
        """
        if self._had_request and not self.is_in_head:
            self._close_if_idle()
        else:
            self._process.loop.call_later(FIRST_REQUEST_SECONDS, self._close_if_idle)

    def _close_if_idle(self) -> None:
        if self.is_idle:
            self.close()

    def close(self) -> None:
        """Close the connection once everything written has been sent."""
        if self._transport is not None and not self._is_over:
            self._is_over = self._exchange is None
            self._transport.close()


def _peer_of(connected: socket.socket) -> Peer | None:
    """Return the other end of a connection whose transport is not ready yet."""
    try:
        named = address_of(connected.getpeername())
    except OSError:
        return None
    return None if named is None else Peer(plain_address(named[0]), named[1])
