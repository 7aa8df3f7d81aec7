"""The figures of requests, as plain numbers until somebody reads them.

A counter of the metrics library takes longer than a short request has for all of its figures, so they are added to it
in sums (request_metrics.py): when metrics are read, and every second for another worker that is read.
"""

from bisect import bisect_left
from typing import Final

SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120)


class EndpointCounts:
    """What the requests of an endpoint add up to since the last time."""

    __slots__ = ("durations", "received", "seconds", "sent", "statuses")

    def __init__(self) -> None:
        self.statuses: dict[int, int] = {}
        self.durations = [0] * (len(SECONDS) + 1)
        self.seconds = 0.0
        self.received = 0
        self.sent = 0


class RequestCounts:
    """Number, duration and bytes of requests. Requests begin and end on the event loop."""

    def __init__(self) -> None:
        self._endpoints: dict[str, EndpointCounts] = {}
        self.in_progress = 0

    def begin(self) -> None:
        self.in_progress += 1

    def leave(self) -> None:
        self.in_progress -= 1

    def end(self, endpoint: str, status: int, seconds: float, *, received: int, sent: int) -> None:
        self.leave()
        self.add(endpoint, status, seconds, received=received, sent=sent)

    def add(self, endpoint: str, status: int, seconds: float, *, received: int = 0, sent: int = 0) -> None:
        """A request that has ended."""
        counts = self._endpoints.get(endpoint)
        if counts is None:
            counts = self._endpoints[endpoint] = EndpointCounts()
        counts.statuses[status] = counts.statuses.get(status, 0) + 1
        counts.durations[bisect_left(SECONDS, seconds)] += 1
        counts.seconds += seconds
        counts.received += received
        counts.sent += sent

    def take(self) -> dict[str, EndpointCounts]:
        """By endpoint, what has ended since the last time; on the event loop, too, so nothing is counted in between."""
        taken, self._endpoints = self._endpoints, {}
        return taken
