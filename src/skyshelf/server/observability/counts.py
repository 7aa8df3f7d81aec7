"""What a worker counts while it serves, as plain numbers: metrics are made of them when somebody reads those."""

import time
from typing import TYPE_CHECKING

from skyshelf.server.observability.request_counts import RequestCounts

if TYPE_CHECKING:
    from skyshelf.server.observability.tracing.export import SpanCounts


class WorkerCounts:
    """The numbers of one worker since it started."""

    def __init__(self) -> None:
        self.requests = RequestCounts()
        self.started = time.time()
        self.damaged_reads = 0
        self.connections = 0
        """Those that are open, whenever they were counted last."""
        self.closed_connections: dict[str, int] = {}
        """Those that the server closed, by reason."""
        self.refused_requests: dict[str, int] = {}
        """Those that were refused before they were read, by status."""
        self.spans: SpanCounts | None = None

    def damaged_read(self) -> None:
        self.damaged_reads += 1

    def connection_closed(self, reason: str) -> None:
        self.closed_connections[reason] = self.closed_connections.get(reason, 0) + 1

    def refused(self, status: str) -> None:
        self.refused_requests[status] = self.refused_requests.get(status, 0) + 1
