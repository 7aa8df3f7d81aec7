"""Whole files from the kernel to the socket.

A thread passes on what the socket takes; then the event loop waits until it takes more, unless that is in a moment.
So a file that has to be read from the disk holds up nobody else, and a client that reads slowly occupies no thread.
"""

import asyncio
import contextlib
import os
import select
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Final, Protocol

_THREADS: Final = 8
_TURN_BYTES: Final = 64 * 1024 * 1024
_SEND_SECONDS: Final = 60
_PATIENCE_MS: Final = 2
"""How long a thread waits for a client that reads as fast as it is sent to. The event loop waits for all others."""
_WAITING_SECONDS: Final = 0.05
"""After this, a turn waits no more: others want theirs."""
_MORE: Final = getattr(socket, "MSG_MORE", 0)


class Receiver(Protocol):
    """The connection that a file is sent over."""

    socket: socket.socket

    async def flushed(self) -> None:
        """Once everything is with the kernel."""

    def check_present(self) -> None:
        """ConnectionResetError if the client has gone."""


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_THREADS, thread_name_prefix="skyshelf-files")


def send_now(connected: socket.socket | None, head: bytes, file: int, size: int) -> bytes:
    """Send a head and a file that is in memory, as far as the socket takes them; the rest, for the event loop.

    Without a socket nothing is sent: there is something else that has to be sent first.
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
        raise ConnectionResetError("the file has become shorter")
    return head + rest


async def send_file(connection: Receiver, path: str | Path, size: int) -> None:
    """The first `size` bytes of the file; ConnectionResetError if the client has gone."""
    loop = asyncio.get_running_loop()
    await connection.flushed()
    with contextlib.ExitStack() as opened:
        file = await loop.run_in_executor(_threads(), os.open, path, os.O_RDONLY | os.O_CLOEXEC)
        opened.callback(os.close, file)
        # The event loop does not let others wait for a descriptor that it has given to a transport.
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


def _pass_on(descriptor: int, file: int, start: int, length: int) -> int:
    """As much as the socket takes now."""
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
            raise ConnectionResetError("the file has become shorter")
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
