"""A request and its response, as the application sees them."""

import asyncio
import logging
from collections import deque
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, Protocol

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Scope

from skyshelf.server.http1.file_sending import send_file
from skyshelf.server.http1.heads import plain_response, response_head
from skyshelf.server.pipeline.answers import ANSWERS, Answer, header_lines

if TYPE_CHECKING:
    from skyshelf.server.http1.connection import Connection

_log = logging.getLogger("skyshelf.server")

HELD_BYTES_MAX: Final = 512 * 1024
"""Bytes of a body that may wait for the application before the client has to wait."""
_JOINED_BYTES_MAX: Final = 128 * 1024
"""Bytes of a body that are passed to the application as one message, however many pieces they came in."""
_NO_BODY: Final = {204, 304}
_CLOSE: Final = (b"connection", b"close")
_CONTINUE: Final = b"HTTP/1.1 100 Continue\r\n\r\n"


class Exchange:
    """One request and its response. The connection passes it the body, and writes what it sends."""

    def __init__(self, connection: "Connection", scope: Scope, *, keep_alive: bool, expects_word: bool) -> None:
        self._connection = connection
        self.scope = scope
        self.keep_alive = keep_alive
        self._expects_word = expects_word
        self._pieces: deque[bytes] = deque()
        self.held = 0
        """Bytes of the body that the application has not read yet."""
        self.is_received = False
        """Whether the whole request has arrived."""
        self._is_end_told = False
        self._is_gone = False
        self._waiter: asyncio.Future[None] | None = None
        self._head: bytes | None = None
        self._has_started = False
        self._left: int | None = None
        """Bytes of the announced body that have not been sent yet."""
        self._is_chunked = False
        self._has_body = True
        self.is_sent = False

    # Called by the connection

    def take(self, piece: bytes) -> None:
        """Receive the next piece of the body."""
        self._pieces.append(piece)
        self.held += len(piece)
        self._wake()

    def end(self) -> None:
        """Mark the request as complete."""
        self.is_received = True
        self._wake()

    def leave(self) -> None:
        """Handle the loss of the client."""
        self._is_gone = True
        self._pieces.clear()
        self.held = 0
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def run(self, app: ASGIApp) -> None:
        try:
            await app(self.scope, self.receive, self.send)
        except (ClientDisconnect, TimeoutError):
            _log.info("a client was disconnected: it did not read its response")
        except Exception:  # noqa: BLE001 - whatever it was, the client must see that something was
            if not self._is_gone:
                _log.exception("the application failed")
        finally:
            self._finish()

    def _finish(self) -> None:
        """Finish the exchange; an incomplete response must look incomplete."""
        if self._is_gone or self.is_sent:
            return
        if self._has_started:
            self._connection.abort()
        else:
            self._connection.write(plain_response(HTTPStatus.INTERNAL_SERVER_ERROR, self._connection.date()))
            self.keep_alive = False
            self._complete()

    # Called by the application

    async def receive(self) -> Message:
        if self._expects_word:
            self._expects_word = False
            if not self._has_started and not self._is_gone and not self._pieces:
                self._connection.write(_CONTINUE)
        while True:
            if self._pieces:
                piece = self._held_piece()
                self.held -= len(piece)
                self._connection.set_reading()
                self._is_end_told = self.is_received and not self._pieces
                return {"type": "http.request", "body": piece, "more_body": not self._is_end_told}
            if self._is_gone or self.is_sent:
                return {"type": "http.disconnect"}
            if self.is_received and not self._is_end_told:
                self._is_end_told = True
                return {"type": "http.request", "body": b"", "more_body": False}
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter

    def _held_piece(self) -> bytes:
        """Return what has arrived; copying a little costs less than another message."""
        if len(self._pieces) == 1 or self.held > _JOINED_BYTES_MAX:
            return self._pieces.popleft()
        joined = b"".join(self._pieces)
        self._pieces.clear()
        return joined

    async def send(self, message: Message) -> None:
        kind = message["type"]
        if kind == ANSWERS:
            await self._send_answer(message["answered"])
            return
        self._check_present()
        if kind == "http.response.start":
            self._start(message["status"], list(message.get("headers", ())))
        elif kind == "http.response.body":
            await self._send_body(message.get("body", b""), is_last=not message.get("more_body", False))
        elif kind == "http.response.pathsend":
            await self._send_path(message["path"])
        else:
            raise RuntimeError(f"the application sent {kind}")

    def _check_present(self) -> None:
        if self._is_gone:
            raise ConnectionResetError("the client has gone")

    async def _send_answer(self, answered: Answer) -> None:
        try:
            self._check_present()
            if self._has_started or self._head is not None:
                raise RuntimeError("the response has already started")
            self._has_started = True
            self.keep_alive = self.keep_alive and self._connection.stays_open
            if not self.keep_alive:
                self._connection.write_answer(answered._replace(headers=[*answered.headers, _CLOSE], lines=None))
            else:
                self._connection.write_answer(answered)
        finally:
            answered.close()
        await self._connection.drained()
        if not self._is_gone:
            self._complete()

    def _start(self, status: int, headers: list[tuple[bytes, bytes]]) -> None:
        if self._has_started or self._head is not None:
            raise RuntimeError("the response has already started")
        self._has_body = self.scope["method"] != "HEAD" and status not in _NO_BODY
        closes = False
        for name, value in headers:
            if name == b"content-length" and self._has_body:
                self._left = int(value)
            elif name == b"connection":
                closes = closes or value.lower() == b"close"
        is_old = self.scope["http_version"] != "1.1"
        if self._left is None and self._has_body:
            self._is_chunked = not is_old
            if self._is_chunked:
                headers.append((b"transfer-encoding", b"chunked"))
        stays_open = self._connection.stays_open and not closes
        self.keep_alive = self.keep_alive and stays_open and (not is_old or self._left is not None)
        if not closes and not self.keep_alive:
            headers.append(_CLOSE)
        elif is_old and self.keep_alive:
            headers.append((b"connection", b"keep-alive"))
        self._head = response_head(status, header_lines(headers), self._connection.date())
        # The head is usually sent with the first bytes of the body; an event stream may not have any yet.
        asyncio.get_running_loop().call_soon(self._flush_head)

    def _flush_head(self) -> None:
        if self._head is not None and not self._is_gone:
            head, self._head, self._has_started = self._head, None, True
            self._connection.write(head)

    async def _send_body(self, body: bytes, *, is_last: bool) -> None:
        if self._head is None and not self._has_started:
            raise RuntimeError("the response has not started")
        if self.is_sent:
            raise RuntimeError("the response is already complete")
        self._connection.write_all(self._framed(body, is_last=is_last))
        self._has_started = True
        if is_last and self._left:
            self._connection.abort()
            raise RuntimeError("the body is shorter than announced")
        # The next request has to wait too: several responses must not pile up for a client that reads nothing.
        await self._connection.drained()
        if is_last and not self._is_gone:
            self._complete()

    def _framed(self, body: bytes, *, is_last: bool) -> list[bytes]:
        """Return the bytes to write for a part of the body."""
        lines: list[bytes] = []
        if self._head is not None:
            lines.append(self._head)
            self._head = None
        if not self._has_body:
            return lines
        if self._left is not None:
            if len(body) > self._left:
                self._connection.abort()
                raise RuntimeError("the body is longer than announced")
            self._left -= len(body)
        if self._is_chunked and body:
            lines.append(f"{len(body):x}\r\n".encode())
        if body:
            lines.append(body)
        if self._is_chunked:
            lines.append((b"\r\n" if body else b"") + (b"0\r\n\r\n" if is_last else b""))
        return lines

    async def _send_path(self, path: Any) -> None:
        """Send a whole file through the kernel."""
        self._flush_head()
        if self._has_body and self._left:
            try:
                await send_file(self._connection, path, self._left)
            except (ConnectionError, TimeoutError):
                # The kernel knows it before the event loop does, which does not look while requests are waiting.
                self._connection.abort()
                self.leave()
                raise
            self._left = 0
        self._complete()

    def _complete(self) -> None:
        self.is_sent = True
        self._wake()
        self._connection.finished(self)


class Process(Protocol):
    """The services that all connections of a process share."""

    loop: asyncio.AbstractEventLoop
    is_stopping: bool
    is_leaving: bool
    """Whether each response asks the client to use another connection for its next request."""

    def date(self) -> bytes:
        """Return the Date header line."""

    def answer_now(self, scope: Scope, *, files: bool = False) -> Answer | None:
        """Return the response if nothing has to be awaited, otherwise None."""

    def run(self, exchange: Exchange) -> None:
        """Have the application answer a request."""

    def lost(self, connection: "Connection") -> None:
        """Forget a connection that has ended."""
