"""What the process that supervises the workers asks of them, by signals."""

import asyncio
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import msgspec

from skyshelf.server.serving.listener import first_of

ANNOUNCE: Final = signal.SIGUSR1
"""Serve everything, and let others know that the service stops soon."""
RETIRE: Final = signal.SIGUSR2
"""Leave new connections to the workers that take over, and stop when the present ones have ended."""
HURRY: Final = signal.SIGALRM
"""Stop at once."""


def _nothing() -> None:
    """Leave the sockets as they are, because systemd keeps them open for the next start."""


class Stopping(msgspec.Struct, frozen=True, kw_only=True):
    """How a service stops."""

    drain_seconds: float
    """How long requests in progress may take."""
    delay_seconds: float = 0.0
    """How long everything is served before, while /readyz answers 503."""
    close_door: Callable[[], None] = _nothing
    """Keep others from connecting."""


def give(process: Any, order: signal.Signals) -> None:
    """Send a worker a signal, unless it has ended."""
    with suppress(ProcessLookupError):
        if process.is_alive():
            os.kill(process.pid, order)


class Orders:
    """The orders that a worker has been given. SIGTERM, which may be sent to all processes of a group, is to stop."""

    def __init__(self) -> None:
        self.announced = asyncio.Event()
        self.retired = asyncio.Event()
        self.stopped = asyncio.Event()
        self.hurried = asyncio.Event()
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(ANNOUNCE, self.announced.set)
        loop.add_signal_handler(RETIRE, self.retired.set)
        loop.add_signal_handler(signal.SIGTERM, self.stopped.set)
        loop.add_signal_handler(HURRY, self._hurry)

    async def any(self) -> None:
        await first_of(self.announced.wait(), self.retired.wait(), self.stopped.wait())

    def _hurry(self) -> None:
        self.stopped.set()
        self.hurried.set()
