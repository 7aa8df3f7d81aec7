"""What a connection writes: bytes in the order of the responses, at the pace of the client."""

import asyncio
import socket
from collections.abc import Iterable
from typing import Final

from skyshelf.server.http1.exchange import Process
from skyshelf.server.http1.file_sending import send_now
from skyshelf.server.http1.heads import response_head
from skyshelf.server.pipeline.answers import Answer, header_lines

WRITTEN_BYTES_MAX: Final = 256 * 1024
"""Bytes that may wait for the socket before the application has to wait."""


class WritingConnection(asyncio.Protocol):
    """The half of a connection that writes; what it reads is in `connection.py`."""

    __slots__ = ("_drain", "_is_over", "_process", "_transport", "is_secure", "socket")

    def __init__(self, process: Process, accepted: socket.socket, *, is_secure: bool) -> None:
        self._process = process
        self.socket = accepted
        self.is_secure = is_secure
        """Whether the connection is encrypted, so nothing can be sent around the transport."""
        self._transport: asyncio.Transport | None = None
        self._drain: asyncio.Future[None] | None = None
        self._is_over = False

    # Called by the event loop

    def pause_writing(self) -> None:
        self._drain = self._process.loop.create_future()

    def resume_writing(self) -> None:
        if self._drain is not None and not self._drain.done():
            self._drain.set_result(None)
        self._drain = None

    # Called by the exchange

    def date(self) -> bytes:
        return self._process.date()

    def write(self, data: bytes) -> None:
        """Send the bytes, now or when there is space."""
        if data and self._transport is not None and not self._is_over:
            self._transport.write(data)

    def write_all(self, pieces: Iterable[bytes]) -> None:
        if self._transport is not None and not self._is_over:
            self._transport.writelines(pieces)

    def write_answer(self, answered: Answer) -> None:
        """Send a whole response; its file is not closed."""
        lines = header_lines(answered.headers) if answered.lines is None else answered.lines
        head = response_head(answered.status, lines, self._process.date())
        if answered.file is None:
            self.write_all([head, answered.body])
        elif self._transport is not None:
            try:
                is_free = not self.is_secure and not self._transport.get_write_buffer_size()
                free = self.socket if is_free else None
                self.write(send_now(free, head, answered.file, answered.file_bytes))
            except OSError:
                self.abort()

    async def drained(self) -> None:
        """Wait until the client has read enough for more to be written."""
        if self._drain is not None:
            await asyncio.shield(self._drain)

    async def flushed(self) -> None:
        """Wait until everything has been passed to the kernel."""
        if (transport := self._transport) is not None:
            transport.set_write_buffer_limits(0)
            try:
                await self.drained()
            finally:
                transport.set_write_buffer_limits(WRITTEN_BYTES_MAX)
        self.check_present()

    def check_present(self) -> None:
        if self._is_over:
            raise ConnectionResetError("the client has gone")

    def abort(self) -> None:
        if self._transport is not None:
            self._transport.abort()
