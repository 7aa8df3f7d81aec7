"""What a worker counts while it serves, as plain numbers until somebody reads them.

Updating the metrics library takes longer than a short request may spend on all of its figures, so they are added in
sums (`metrics.py`): when metrics are read, and every second in case another worker is read. So are the figures of its
process: memory, processor time, descriptors and threads.
"""

import os
import resource
import sys
import threading
import time
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

if TYPE_CHECKING:
    from skyshelf.server.observability.tracing.export import SpanCounts

SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120)


@dataclass(slots=True, eq=False)
class EndpointCounts:
    """The sums of an endpoint's requests since they were last taken."""

    statuses: dict[int, int] = field(default_factory=dict)
    durations: list[int] = field(default_factory=lambda: [0] * (len(SECONDS) + 1))
    seconds: float = 0.0
    received: int = 0
    sent: int = 0


class RequestCounts:
    """Number, duration and bytes of requests. Requests begin and end on the event loop."""

    def __init__(self) -> None:
        self._endpoints: dict[str, EndpointCounts] = {}
        self.in_progress = 0

    def add(self, endpoint: str, status: int, seconds: float, *, received: int = 0, sent: int = 0) -> None:
        counts = self._endpoints.get(endpoint)
        if counts is None:
            counts = self._endpoints[endpoint] = EndpointCounts()
        counts.statuses[status] = counts.statuses.get(status, 0) + 1
        counts.durations[bisect_left(SECONDS, seconds)] += 1
        counts.seconds += seconds
        counts.received += received
        counts.sent += sent

    def take(self) -> dict[str, EndpointCounts]:
        """Take the sums by endpoint since the last call; on the event loop, too, so nothing is counted in between."""
        taken, self._endpoints = self._endpoints, {}
        return taken


class KindFigures(msgspec.Struct, frozen=True):
    """How much work of a kind runs and waits, and how much was refused since the start."""

    kind: str
    in_use: int
    waiting: int
    refused_callers: int
    refused_by_server: int


class WorkerCounts:
    """The numbers of one worker since it started."""

    def __init__(self) -> None:
        self.requests = RequestCounts()
        self.started = time.time()
        self.damaged_reads = 0
        self.connections = 0
        """Open connections at the last count."""
        self.closed_connections: Counter[str] = Counter()
        """Connections closed by the server, by reason."""
        self.refused_requests: Counter[str] = Counter()
        """Requests refused before they were read, by status."""
        self.loop_faults = 0
        """Unexpected errors on the event loop: faults of the server."""
        self.loop_holds = EndpointCounts()
        """How often, and how long, the event loop was held since this was last taken."""
        self.spans: SpanCounts | None = None

    def damaged_read(self) -> None:
        self.damaged_reads += 1


_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_STATM = Path("/proc/self/statm")
_DESCRIPTORS = Path("/proc/self/fd")


class ProcessFigures(NamedTuple):
    cpu_seconds: float
    resident_bytes: int
    open_files: int
    threads: int


def process_figures() -> ProcessFigures:
    times = os.times()
    return ProcessFigures(times.user + times.system, _resident(), open_files(), threading.active_count())


def _resident() -> int:
    try:
        return int(_STATM.read_bytes().split()[1]) * _PAGE
    except (OSError, IndexError, ValueError):
        # The peak, in units that differ between systems.
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024


def open_files() -> int:
    """Return the number of open descriptors of this process; 0 on a system that does not report them."""
    try:
        return len(os.listdir(_DESCRIPTORS))  # noqa: PTH208 - a fifth of the time of iterdir, on the event loop's second
    except OSError:
        return 0
