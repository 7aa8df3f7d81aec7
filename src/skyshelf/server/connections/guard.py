"""A thread that looks after the connections of a process, several times a second.

The HTTP server limits their number, but not whose they are or what they do: a thousand idle ones could keep everybody
else out. The thread finds them (`sockets.py`), decides which have to go (`evictions.py`) and ends those.
"""

import asyncio
import logging
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import TimeoutError as FutureTimeout
from typing import Final

from skyshelf.server.connections import sockets
from skyshelf.server.connections.evictions import PRESSURE, Eviction, EvictionPolicy, Limits
from skyshelf.server.connections.sockets import OwnSockets
from skyshelf.server.http.visits import Visits, until_seen
from skyshelf.server.observability.counts import WorkerCounts

_log = logging.getLogger("skyshelf.server")

PAUSE_SECONDS: Final = 0.2
PRESSED_PAUSE_SECONDS: Final = 0.02
# Of one processor, at most.
_SHARE_OF_TIME: Final = 0.05
_PRESSED_SHARE_OF_TIME: Final = 0.2
_LOOP_SECONDS: Final = 5
_LOG_SECONDS: Final = 10


class Guard:
    """Watches the connections to a port while it runs."""

    def __init__(
        self, port: int, limits: Limits, visits: Visits, counts: WorkerCounts, on_pressure: Callable[[float], None]
    ) -> None:
        self._sockets = OwnSockets(port)
        self._limits = limits
        self._visits = visits
        self._counts = counts
        self._on_pressure = on_pressure
        self._policy = EvictionPolicy(limits)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_over = threading.Event()
        self._thread: threading.Thread | None = None
        self._closed: Counter[tuple[str, str]] = Counter()
        self._logged = 0.0

    def start(self) -> None:
        """Begin, from the event loop that serves the requests. Where connections cannot be seen, nothing happens."""
        if not OwnSockets.can_be_found():
            return
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._run, name="skyshelf-guard", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._is_over.set()

    def _run(self) -> None:
        pause = PAUSE_SECONDS
        while not self._is_over.wait(pause):
            began = time.thread_time()
            try:
                is_pressed = self._look()
            except (FutureTimeout, RuntimeError):
                continue  # the event loop is busy or has ended: nobody knows which connections are idle
            except Exception:  # noqa: BLE001 - connections must be looked after again
                _log.exception("could not look after the connections")
                is_pressed = False
            took = time.thread_time() - began
            if is_pressed:
                pause = max(PRESSED_PAUSE_SECONDS, took / _PRESSED_SHARE_OF_TIME)
            else:
                pause = max(PAUSE_SECONDS, took / _SHARE_OF_TIME)

    def _look(self) -> bool:
        """Close what has to be closed; whether there is hardly a place left."""
        assert self._loop is not None
        connections = self._sockets.find()
        # In this order: a request that has come before the connections were found is among the visits.
        visits = asyncio.run_coroutine_threadsafe(until_seen(self._visits), self._loop).result(_LOOP_SECONDS)
        now = time.monotonic()
        evictions = self._policy.look(
            connections, visits, self._visits.take_finished(), now=now, descriptors=self._sockets.descriptors
        )
        for eviction in evictions:
            self._close(eviction)
        self._log_closed(now)
        self._counts.connections = len(connections) - len(evictions)
        # Idle connections make way for others, so only those at work are a reason to refuse any.
        at_work = self._policy.at_work(now)
        idle = len(connections) - at_work
        self._on_pressure(self._pressure(at_work, self._sockets.descriptors - idle))
        return self._pressure(len(connections), self._sockets.descriptors) >= PRESSURE

    def _pressure(self, connections: int, descriptors: int) -> float:
        return max(connections / self._limits.connections, descriptors / self._limits.descriptors)

    def _close(self, eviction: Eviction) -> None:
        if sockets.close(eviction.connection):
            self._counts.connection_closed(eviction.reason)
            self._closed[eviction.connection.peer.address, eviction.reason] += 1

    def _log_closed(self, now: float) -> None:
        """Who had most of them closed; not more often than an operator can read."""
        if not self._closed or now - self._logged < _LOG_SECONDS:
            return
        total = self._closed.total()
        (address, reason), count = self._closed.most_common(1)[0]
        _log.warning("closed %d connections, %d of them of %s (%s)", total, count, address, reason)
        self._closed.clear()
        self._logged = now
