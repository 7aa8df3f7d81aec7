"""A thread that looks after the connections of a process, several times a second.

The listener limits their number, but not whose they are or what they do: a thousand idle ones could lock everybody
else out. The thread asks the listener for them, decides which of them to close (`evictions.py`), and closes those.
"""

import asyncio
import logging
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import TimeoutError as FutureTimeout
from typing import Final

from skyshelf.server.connections import freed_memory, traffic
from skyshelf.server.connections.evictions import PRESSURE, Eviction, EvictionPolicy, Limits
from skyshelf.server.connections.traffic import OpenSocket, Visits, until_seen
from skyshelf.server.observability.counts import WorkerCounts, open_files

_log = logging.getLogger("skyshelf.server")

PAUSE_SECONDS: Final = 0.2
PRESSED_PAUSE_SECONDS: Final = 0.02
# Maximum share of one processor.
_SHARE_OF_TIME: Final = 0.05
_PRESSED_SHARE_OF_TIME: Final = 0.2
_LOOP_SECONDS: Final = 5
_LOG_SECONDS: Final = 10
_COUNT_SECONDS: Final = 1


class Guard:
    """Watches the connections of a listener while it runs."""

    def __init__(
        self, limits: Limits, visits: Visits, counts: WorkerCounts, on_pressure: Callable[[float], None]
    ) -> None:
        self._open_sockets: Callable[[], list[OpenSocket]] = list
        self._descriptors = 0
        self._descriptors_at = float("-inf")
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
        self._crowds = freed_memory.Crowds()

    def start(self, open_sockets: Callable[[], list[OpenSocket]]) -> None:
        """Start watching the connections that `open_sockets` returns; called on the event loop that serves requests."""
        self._open_sockets = open_sockets
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
                continue  # the event loop is busy or has ended, so it is unknown which connections are idle
            except Exception:  # noqa: BLE001 - connections must be looked after again
                _log.exception("could not look after the connections")
                is_pressed = False
            took = time.thread_time() - began
            if is_pressed:
                pause = max(PRESSED_PAUSE_SECONDS, took / _PRESSED_SHARE_OF_TIME)
            else:
                pause = max(PAUSE_SECONDS, took / _SHARE_OF_TIME)

    def _look(self) -> bool:
        """Close the connections that must go, and return whether there is hardly any capacity left."""
        assert self._loop is not None
        counted_at = time.monotonic()
        connections = self._open_sockets()
        if self._crowds.have_left(len(connections), now=counted_at):
            freed_memory.return_freed_memory()
        if not connections:
            self._counts.connections = 0
            self._policy.look(
                [], (), self._visits.take_finished(), now=counted_at, descriptors=0, counted_at=counted_at
            )
            self._on_pressure(0.0)
            return False
        # The order matters: a request that arrived before the connections were listed must be among the visits.
        visits = asyncio.run_coroutine_threadsafe(until_seen(self._visits), self._loop).result(_LOOP_SECONDS)
        now = time.monotonic()
        descriptors = self._open_descriptors(now)
        evictions = self._policy.look(
            connections,
            visits,
            self._visits.take_finished(),
            now=now,
            descriptors=descriptors,
            counted_at=counted_at,
        )
        for eviction in evictions:
            self._close(eviction)
        self._log_closed(now)
        self._counts.connections = len(connections) - len(evictions)
        # Idle connections make way for others, so only those at work justify refusing new ones.
        at_work = self._policy.at_work(now)
        idle = len(connections) - at_work
        self._on_pressure(self._pressure(at_work, descriptors - idle))
        return self._pressure(len(connections), descriptors) >= PRESSURE

    def _open_descriptors(self, now: float) -> int:
        """Return the number of open descriptors. Counting thousands takes a while, so it is not done each time."""
        if now - self._descriptors_at >= _COUNT_SECONDS:
            self._descriptors, self._descriptors_at = open_files(), now
        return self._descriptors

    def _pressure(self, connections: int, descriptors: int) -> float:
        return max(connections / self._limits.connections, descriptors / self._limits.descriptors)

    def _close(self, eviction: Eviction) -> None:
        if traffic.close(eviction.connection):
            self._counts.closed_connections[eviction.reason] += 1
            self._closed[eviction.connection.peer.address, eviction.reason] += 1

    def _log_closed(self, now: float) -> None:
        """Log whose connections were closed most, no more often than an operator can read."""
        if not self._closed or now - self._logged < _LOG_SECONDS:
            return
        total = self._closed.total()
        (address, reason), count = self._closed.most_common(1)[0]
        _log.warning("closed %d connections, %d of them of %s (%s)", total, count, address, reason)
        self._closed.clear()
        self._logged = now
