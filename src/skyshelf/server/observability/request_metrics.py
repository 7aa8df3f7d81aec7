"""The figures of requests as metrics."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from skyshelf.server.observability.request_counts import SECONDS, RequestCounts


class RequestMetrics:
    """Number, duration and bytes of requests."""

    def __init__(self, registry: CollectorRegistry, counts: RequestCounts) -> None:
        self._counts = counts
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

    def settle(self) -> None:
        """Add what was counted since the last time; on the event loop."""
        self._in_flight.set(self._counts.in_progress)
        for endpoint, counts in self._counts.take().items():
            for status, count in counts.statuses.items():
                self._requests.labels(endpoint, f"{status // 100}xx" if status else "none").inc(count)
            # The library has no way to add several durations at once: these are the parts that `observe` adds to.
            histogram = self._seconds.labels(endpoint)
            histogram._sum.inc(counts.seconds)
            for bucket, count in zip(histogram._buckets, counts.durations, strict=True):
                if count:
                    bucket.inc(count)
            if counts.received:
                self._received.labels(endpoint).inc(counts.received)
            if counts.sent:
                self._sent.labels(endpoint).inc(counts.sent)
