"""How long calls to the stores take, and what a request spends its time on: plain numbers until somebody reads them.

A counter of the metrics library takes longer than a short call. Reads of an embedded store are not timed at all: they
take microseconds, and the time of a request has them.
"""

import threading
import time
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, Literal

from skyshelf.storage.errors import StoreFull, StoreUnavailable

Store = Literal["database", "disk", "bucket"]
SECONDS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class Parts:
    """What a request spends its time on, in seconds; its threads and its event loop add to it."""

    __slots__ = ("blobs", "client", "database", "waiting")

    def __init__(self) -> None:
        self.waiting = 0.0
        """For a thread, or for admission."""
        self.database = 0.0
        self.blobs = 0.0
        self.client = 0.0
        """For the client: to send its body, or to take the response."""


current_parts: ContextVar[Parts | None] = ContextVar("current_parts", default=None)


class CallFigures:
    """What the calls of one kind add up to since they were taken."""

    __slots__ = ("durations", "failed", "seconds")

    def __init__(self) -> None:
        self.durations = [0] * (len(SECONDS) + 1)
        self.seconds = 0.0
        self.failed = 0


class StoreCalls:
    """The calls of a process. Any thread may add one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._figures: dict[tuple[Store, str], CallFigures] = {}

    def add(self, store: Store, operation: str, began: float, *, failed: bool = False) -> None:
        """A call that began at this reading of perf_counter, and ends now."""
        seconds = time.perf_counter() - began
        with self._lock:
            figures = self._figures.get((store, operation))
            if figures is None:
                figures = self._figures[store, operation] = CallFigures()
            figures.durations[bisect_left(SECONDS, seconds)] += 1
            figures.seconds += seconds
            figures.failed += failed
        parts = current_parts.get()
        if parts is not None:
            if store == "database":
                parts.database += seconds
            else:
                parts.blobs += seconds

    def take(self) -> dict[tuple[Store, str], CallFigures]:
        """Everything since the last time."""
        with self._lock:
            taken, self._figures = self._figures, {}
        return taken

    @contextmanager
    def timed(self, store: Store, operation: str) -> Iterator[None]:
        """A call; only what the store itself could not do counts as a failure."""
        began = time.perf_counter()
        try:
            yield
        except BaseException as error:
            self.add(store, operation, began, failed=is_failure(error))
            raise
        self.add(store, operation, began)


def is_failure(error: BaseException | None) -> bool:
    """Whether the store is at fault."""
    return isinstance(error, StoreUnavailable | StoreFull)


store_calls: Final = StoreCalls()
"""Those of this process: it has one pair of stores."""
