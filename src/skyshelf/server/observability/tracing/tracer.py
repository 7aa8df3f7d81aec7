"""The spans of requests and jobs, with a child span for each call to a store.

Calls are noted as plain numbers while a request runs (`storage/watching.py`), and become spans when it ends. A span has
no path, name, address, query or token: only the template of the route, figures, and the id of the request.
"""

import re
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from opentelemetry.context import Context
from opentelemetry.sdk.trace import Tracer as SdkTracer
from opentelemetry.trace import Span, SpanKind, Status, StatusCode, format_trace_id, set_span_in_context
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from skyshelf.server.observability.tracing.export import Export, SpanCounts
from skyshelf.server.observability.tracing.settings import TracingSettings
from skyshelf.service.jobs.runner import JobRun
from skyshelf.storage.watching import Parts, collecting
from skyshelf.wire.version import VERSION

if TYPE_CHECKING:
    from skyshelf.server.pipeline.request import ServerRequest
    from skyshelf.server.pipeline.router import Route

_PARENT: Final = ("traceparent", "tracestate")
_METHODS: Final = frozenset(
    {
        *("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"),
        *("PROPFIND", "PROPPATCH", "MKCOL", "COPY", "MOVE", "LOCK", "UNLOCK", "REPORT", "SEARCH"),
    }
)
_OTHER: Final = "_OTHER"
_NO_ROUTE: Final = "-"
_BILLION: Final = 1_000_000_000
_propagator = TraceContextTextMapPropagator()


class Tracer:
    """Begins the spans of a process, and sends them when they have ended."""

    def __init__(self, settings: TracingSettings, *, instance: bytes, database: str) -> None:
        """`database` is the kind of the metadata store."""
        self._export = Export(settings, instance)
        self.spans: SdkTracer = self._export.provider.get_tracer("skyshelf", VERSION)  # type: ignore[assignment]
        self._templates: Mapping[str, str] = {}
        self._database = database

    @property
    def counts(self) -> SpanCounts:
        return self._export.counts

    def close(self) -> None:
        self._export.close()

    def use_routes(self, routes: "Iterable[Route]") -> None:
        """Name spans by the templates of these routes."""
        found: dict[str, str] = {}
        for route in routes:
            template = re.sub(r":\w+}", "}", route.path)
            # A tree has two routes, one of which is for its root.
            found[route.operation.name] = max(found.get(route.operation.name, ""), template, key=len)
        self._templates = found

    def begin(self, request: "ServerRequest") -> "RequestSpan":
        parts, context = Parts(traced=True), Context()
        if request.head.client.is_behind_proxy:
            carrier = {name: value for name in _PARENT if (value := request.headers.get(name)) is not None}
            context = _propagator.extract(carrier, context)
        offset = _offset()
        span = self.spans.start_span(
            "request", context, kind=SpanKind.SERVER, start_time=_time(offset, request.began), record_exception=False
        )
        parts.trace_id = format_trace_id(span.get_span_context().trace_id)
        return RequestSpan(self, span, parts, offset)

    @contextmanager
    def job(self, kind: str, run: JobRun) -> Iterator[None]:
        """Trace a run of a background job, as its own trace."""
        offset, parts = _offset(), Parts(traced=True)
        span = self.spans.start_span(f"job {kind}", Context(), attributes={"skyshelf.job": kind})
        parts.trace_id = format_trace_id(span.get_span_context().trace_id)
        try:
            with collecting(parts):
                yield
        finally:
            span.set_attribute("skyshelf.outcome", run.outcome)
            if run.outcome == "failed":
                span.set_status(Status(StatusCode.ERROR))
            self.end(span, parts, offset)

    def template(self, endpoint: str, method: str) -> str | None:
        """Return the template of an endpoint's route; endpoints of WebDAV end with their method."""
        found = self._templates.get(endpoint)
        return found or self._templates.get(endpoint.removesuffix(f"_{method.lower()}"))

    def end(self, span: Span, parts: Parts, offset: int) -> None:
        """End a span, with the store calls made in it."""
        if not span.is_recording():
            return
        below = set_span_in_context(span, Context())
        calls = parts.calls or []
        for call in list(calls):
            attributes = {"skyshelf.system": call.system, "skyshelf.operation": call.operation}
            if call.system == "database":
                attributes |= {"db.system.name": self._database, "db.operation.name": call.operation}
            child = self.spans.start_span(
                f"{call.system} {call.operation}",
                below,
                kind=SpanKind.CLIENT,
                attributes=attributes,
                start_time=_time(offset, call.began),
            )
            if call.failed:
                child.set_status(Status(StatusCode.ERROR))
            child.end(_time(offset, call.ended))
        if parts.calls_left_out:
            span.set_attribute("skyshelf.calls_left_out", parts.calls_left_out)
        self.counts.add(1 + len(calls))
        span.end(_time(offset, time.perf_counter()))


@dataclass(slots=True, eq=False)
class RequestSpan:
    """The span of a request, until it ends."""

    tracer: Tracer
    span: Span
    parts: Parts
    offset: int

    def end(self, request: "ServerRequest", status: int, *, sent: int) -> None:
        """End the span of a request that was answered with this status; 0 for none."""
        span, method, endpoint = self.span, request.method, request.operation.name
        if not span.is_recording():
            return
        known = method if method in _METHODS else _OTHER
        template = self.tracer.template(endpoint, method)
        name = "HTTP" if known is _OTHER else known
        span.update_name(name if template is None else f"{name} {template}")
        parts = self.parts
        attributes: dict[str, str | int | float] = {
            "http.request.method": known,
            "http.request.body.size": request.received,
            "http.response.body.size": sent,
            "skyshelf.request_id": request.request_id,
            "skyshelf.place": "loop" if request.is_on_loop else "task",
            "skyshelf.waiting_ms": round(parts.waiting * 1000, 1),
            "skyshelf.client_ms": round(parts.client * 1000, 1),
        }
        if template is not None:
            attributes["http.route"] = template
        if endpoint != _NO_ROUTE:
            attributes["skyshelf.endpoint"] = endpoint if known is not _OTHER else _OTHER
        if status:
            attributes["http.response.status_code"] = status
        if status >= 500 or not status:
            attributes["error.type"] = str(status or "disconnected")
            span.set_status(Status(StatusCode.ERROR))
        span.set_attributes(attributes)
        self.tracer.end(span, parts, self.offset)


def _offset() -> int:
    """Return the offset from perf_counter to nanoseconds since 1970."""
    return time.time_ns() - time.perf_counter_ns()


def _time(offset: int, reading: float) -> int:
    return offset + int(reading * _BILLION)
