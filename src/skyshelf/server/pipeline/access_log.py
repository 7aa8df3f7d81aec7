"""What every answer gets and leaves behind: a request id, common headers, a line in the access log, and figures."""

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from skyshelf.server.http.offload import offloaded_bytes
from skyshelf.server.observability import logs
from skyshelf.server.observability.counts import WorkerCounts
from skyshelf.server.pipeline.request import ServerRequest
from skyshelf.storage.watching import Parts
from skyshelf.wire.headers import REQUEST_ID

if TYPE_CHECKING:
    from skyshelf.server.observability.tracing.tracer import Tracer

SECURITY_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    # Only pages may load or run anything, and they set their own policy.
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
}

_SECURITY_HEADERS = [(name.encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]
_REQUEST_ID = REQUEST_ID.lower().encode()
# One year. Subdomains are not included: other hosts of the operator's domain are not ours to decide about.
_STRICT_TRANSPORT = (b"strict-transport-security", b"max-age=31536000")


class AccessLog:
    """Request ids, common headers, the access log, the log of slow calls, figures and traces of requests."""

    def __init__(
        self,
        counts: WorkerCounts,
        lines: logs.BlockLines | logs.LoggedLines,
        slow_calls: logs.SlowCalls | None = None,
        tracer: "Tracer | None" = None,
    ) -> None:
        self._slow_calls = slow_calls or logs.SlowCalls(0)
        self._counts = counts
        self._lines = lines
        self._times = logs.Times()
        self.tracer = tracer

    def close(self) -> None:
        if self.tracer is not None:
            self.tracer.close()
        self._lines.close()

    def loop_fault(self) -> None:
        self._counts.loop_faults += 1

    def open(self, request: ServerRequest) -> None:
        """Give the request its id, and begin its span if requests are traced."""
        proposed = None
        if request.head.client.is_behind_proxy:
            proposed = logs.proposed_request_id(request.headers.get(REQUEST_ID))
        request.request_id = proposed or logs.new_request_id()
        if self.tracer is not None:
            request.span = self.tracer.begin(request)
            request.parts = request.span.parts

    def headers(self, request: ServerRequest, given: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        """Return a response's headers with those that every response has, except its id."""
        headers = list(given)
        present = {name for name, _ in headers}
        headers += [pair for pair in _SECURITY_HEADERS if pair[0] not in present]
        if request.head.client.is_secure:
            headers.append(_STRICT_TRANSPORT)
        return headers

    def begin(self, request: ServerRequest) -> None:
        """Count a request as in progress until `end`, and measure what it spends its time on."""
        self._counts.requests.in_progress += 1
        if request.parts is None:
            request.parts = Parts()

    def end(self, request: ServerRequest, status: int, sent: int) -> None:
        """Record a request that was in progress; status 0 if it got no answer."""
        self._counts.requests.in_progress -= 1
        self.note(request, status, sent)

    def note(self, request: ServerRequest, status: int, sent: int) -> None:
        """Record a request that was answered with this status and number of bytes."""
        name, request_id, scope, parts = request.operation.name, request.request_id, request.scope, request.parts
        seconds = time.perf_counter() - request.began
        sent = sent or offloaded_bytes(scope)
        received = request.received
        self._counts.requests.add(name, status, seconds, received=received, sent=sent)
        if seconds >= self._slow_calls.seconds:
            self._slow_calls.note(scope, request_id, name, status, seconds=seconds, parts=parts)
        self._lines.note(
            logs.AccessLine(
                self._times.at(time.time()),
                "info",
                request_id,
                scope["method"],
                name,
                scope["path"],
                status,
                int(seconds * 10_000 + 0.5) / 10,
                sent,
                request.head.client.address,
                scope.get("user_id", "-"),
                (parts.trace_id if parts is not None else "") or msgspec.UNSET,
            )
        )
        if request.span is not None:
            request.span.end(request, status, sent=sent)


def id_header(request_id: str) -> tuple[bytes, bytes]:
    return _REQUEST_ID, request_id.encode()
