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
from typing import Final, Literal, NamedTuple

from skyshelf.storage.errors import StoreFull, StoreUnavailable

Store = Literal["database", "disk", "bucket"]
SECONDS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


CALLS_MAX: Final = 64
"""Calls of one request or job that are noted one by one."""


class NotedCall(NamedTuple):
    """A call to a store or another service, for a trace; its times are readings of perf_counter."""

    system: str
    operation: str
    began: float
    ended: float
    failed: bool


class Parts:
    """What a request spends its time on, in seconds; its threads and its event loop add to it."""

    __slots__ = ("blobs", "calls", "calls_left_out", "client", "database", "trace_id", "waiting")

    def __init__(self, *, traced: bool = False) -> None:
        self.waiting = 0.0
        """For a thread, or for admission."""
        self.database = 0.0
        self.blobs = 0.0
        self.client = 0.0
        """For the client: to send its body, or to take the response."""
        self.trace_id = ""
        """Empty where requests are not traced."""
        self.calls: list[NotedCall] | None = [] if traced else None
        """The calls one by one, where requests are traced."""
        self.calls_left_out = 0

    def note(self, call: NotedCall) -> None:
        """Any thread may add one, and only the first of very many are kept."""
        if self.calls is None:
            return
        if len(self.calls) < CALLS_MAX:
            self.calls.append(call)
        else:
            self.calls_left_out += 1


current_parts: ContextVar[Parts | None] = ContextVar("current_parts", default=None)


@contextmanager
def collecting(parts: Parts) -> Iterator[None]:
    """What happens in the block, and in threads that get its context, is noted in these."""
    token = current_parts.set(parts)
    try:
        yield
    finally:
        current_parts.reset(token)


@contextmanager
def noted(system: str, operation: str) -> Iterator[None]:
    """A call that only traces show: it has no figures."""
    began, failed = time.perf_counter(), True
    try:
        yield
        failed = False
    finally:
        if (parts := current_parts.get()) is not None:
            parts.note(NotedCall(system, operation, began, time.perf_counter(), failed))


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
        self.leftovers = 0
        """How often something may have stayed in the blob store that no row knows, as after a failed call."""

    def may_have_left(self) -> None:
        """Count that something may have stayed behind."""
        with self._lock:
            self.leftovers += 1

    def add(
        self, store: Store, operation: str, began: float, *, failed: bool = False, parts: Parts | None = None
    ) -> None:
        """A call that began at this reading of perf_counter, and ends now.

        `parts` are those of the request that it is made for, where that is not the current one.
        """
        ended = time.perf_counter()
        seconds = ended - began
        with self._lock:
            figures = self._figures.get((store, operation))
            if figures is None:
                figures = self._figures[store, operation] = CallFigures()
            figures.durations[bisect_left(SECONDS, seconds)] += 1
            figures.seconds += seconds
            figures.failed += failed
            self.leftovers += failed
        parts = parts or current_parts.get()
        if parts is not None:
            if store == "database":
                parts.database += seconds
            else:
                parts.blobs += seconds
            if parts.calls is not None:
                parts.note(NotedCall(store, operation, began, ended, failed))

    def take(self) -> dict[tuple[Store, str], CallFigures]:
        """Return everything since the last time."""
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
    """Return whether the store is at fault."""
    return isinstance(error, StoreUnavailable | StoreFull)


store_calls: Final = StoreCalls()
"""Return those of this process: it has one pair of stores."""
