"""Whole files from the kernel to the socket.

A thread sends as much as the socket accepts; then the event loop waits until it accepts more, unless that is soon.
So a file that has to be read from disk delays nobody else, and a slow client occupies no thread.
"""

import asyncio
import contextlib
import errno
import os
import select
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from skyshelf.server.http1.connection import Connection

_THREADS: Final = 8
_TURN_BYTES: Final = 64 * 1024 * 1024
_PIECE_BYTES: Final = 512 * 1024
_SEND_SECONDS: Final = 60
_PATIENCE_MS: Final = 2
"""How long a thread waits for a fast client; the event loop waits for all others."""
_WAITING_SECONDS: Final = 0.05
"""Maximum time that one turn spends waiting, so others get theirs."""
_MORE: Final = getattr(socket, "MSG_MORE", 0)


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_THREADS, thread_name_prefix="skyshelf-files")


def send_now(connected: socket.socket | None, head: bytes, file: int, size: int) -> bytes:
    """Send a head and a file that is in memory as far as the socket accepts them, and return the rest.

    Without a socket nothing is sent, because earlier bytes have to be sent first.
    """
    sent = 0
    if connected is not None:
        with contextlib.suppress(BlockingIOError):
            head = head[connected.send(head, _MORE) :]
            if not head:
                sent = os.sendfile(connected.fileno(), file, 0, size)
    if not head and sent == size:
        return b""
    rest = os.pread(file, size - sent, sent)
    if len(rest) != size - sent:
        raise OSError(errno.EIO, "the file has become shorter")
    return head + rest


async def send_file(connection: "Connection", path: str | Path, size: int) -> None:
    """Send the first `size` bytes of the file; raise a ConnectionError or TimeoutError if the client has left."""
    loop = asyncio.get_running_loop()
    if connection.is_secure:
        await _send_encrypted(connection, path, size)
        return
    await connection.flushed()
    with contextlib.ExitStack() as opened:
        file = await loop.run_in_executor(_threads(), os.open, path, os.O_RDONLY | os.O_CLOEXEC)
        opened.callback(os.close, file)
        # The event loop does not allow waiting for a descriptor that belongs to a transport.
        descriptor = os.dup(connection.socket.fileno())
        opened.callback(os.close, descriptor)
        sent = 0
        while sent < size:
            sent += await loop.run_in_executor(_threads(), _pass_on, descriptor, file, sent, size - sent)
            connection.check_present()
            if sent < size:
                async with asyncio.timeout(_SEND_SECONDS):
                    await _until_writable(loop, descriptor)
                connection.check_present()


async def _send_encrypted(connection: "Connection", path: str | Path, size: int) -> None:
    """Send a file over TLS: a thread reads the next piece while the client receives the last one."""
    loop = asyncio.get_running_loop()
    with contextlib.ExitStack() as opened:
        file = await loop.run_in_executor(_threads(), os.open, path, os.O_RDONLY | os.O_CLOEXEC)
        opened.callback(os.close, file)
        sent = 0
        while sent < size:
            piece = await loop.run_in_executor(_threads(), os.pread, file, min(_PIECE_BYTES, size - sent), sent)
            if not piece:
                raise OSError(errno.EIO, "the file has become shorter")
            connection.write(piece)
            sent += len(piece)
            async with asyncio.timeout(_SEND_SECONDS):
                await connection.drained()
            connection.check_present()


def _pass_on(descriptor: int, file: int, start: int, length: int) -> int:
    """Send as much as the socket accepts now."""
    sent, most = 0, min(length, _TURN_BYTES)
    poll, waits_until = select.poll(), time.monotonic() + _WAITING_SECONDS
    poll.register(descriptor, select.POLLOUT)
    while sent < most:
        try:
            passed = os.sendfile(descriptor, file, start + sent, most - sent)
        except BlockingIOError:
            if time.monotonic() < waits_until and poll.poll(_PATIENCE_MS):
                continue
            break
        if passed == 0:
            raise OSError(errno.EIO, "the file has become shorter")
        sent += passed
    return sent


async def _until_writable(loop: asyncio.AbstractEventLoop, descriptor: int) -> None:
    ready = loop.create_future()

    def note() -> None:
        if not ready.done():
            ready.set_result(None)

    loop.add_writer(descriptor, note)
    try:
        await ready
    finally:
        loop.remove_writer(descriptor)
