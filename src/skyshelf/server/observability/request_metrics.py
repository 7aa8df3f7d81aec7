"""The figures of requests, as plain numbers until somebody reads them.

A counter of the metrics library takes longer than a short request has for all of its figures, so they are added to it
in sums: when metrics are read, and every second for another worker that is read.
"""

from bisect import bisect_left
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120)


class _Figures:
    """What the requests of an endpoint add up to since the last time."""

    __slots__ = ("durations", "received", "seconds", "sent", "statuses")

    def __init__(self) -> None:
        self.statuses: dict[int, int] = {}
        self.durations = [0] * (len(SECONDS) + 1)
        self.seconds = 0.0
        self.received = 0
        self.sent = 0


class RequestMetrics:
    """Number, duration and bytes of requests. Requests begin and end on the event loop."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._requests = Counter(
            "skyshelf_requests", "Requests by endpoint and status class.", ["endpoint", "status"], registry=registry
        )
        self._seconds = Histogram(
            "skyshelf_request_seconds",
            "Duration of requests in seconds.",
            ["endpoint"],
            buckets=SECONDS,
            registry=registry,
        )
        self._in_flight = Gauge(
            "skyshelf_requests_in_flight", "Requests in progress.", multiprocess_mode="livesum", registry=registry
        )
        self._received = Counter("skyshelf_received_bytes", "Bytes of request bodies.", ["endpoint"], registry=registry)
        self._sent = Counter("skyshelf_sent_bytes", "Bytes of response bodies.", ["endpoint"], registry=registry)
        self._figures: dict[str, _Figures] = {}
        self._begun = 0

    def begin(self) -> None:
        self._begun += 1

    def leave(self) -> None:
        self._begun -= 1

    def end(self, endpoint: str, status: int, seconds: float, *, received: int, sent: int) -> None:
        self.leave()
        self.add(endpoint, status, seconds, received=received, sent=sent)

    def add(self, endpoint: str, status: int, seconds: float, *, received: int = 0, sent: int = 0) -> None:
        """A request that has ended."""
        figures = self._figures.get(endpoint)
        if figures is None:
            figures = self._figures[endpoint] = _Figures()
        figures.statuses[status] = figures.statuses.get(status, 0) + 1
        figures.durations[bisect_left(SECONDS, seconds)] += 1
        figures.seconds += seconds
        figures.received += received
        figures.sent += sent

    def settle(self) -> None:
        """Add all of it to the metrics; on the event loop, too, so nothing is counted in between."""
        pending, self._figures = self._figures, {}
        self._in_flight.set(self._begun)
        for endpoint, figures in pending.items():
            for status, count in figures.statuses.items():
                self._requests.labels(endpoint, f"{status // 100}xx" if status else "none").inc(count)
            # The library has no way to add several durations at once: these are the parts that `observe` adds to.
            histogram = self._seconds.labels(endpoint)
            histogram._sum.inc(figures.seconds)
            for bucket, count in zip(histogram._buckets, figures.durations, strict=True):
                if count:
                    bucket.inc(count)
            if figures.received:
                self._received.labels(endpoint).inc(figures.received)
            if figures.sent:
                self._sent.labels(endpoint).inc(figures.sent)
