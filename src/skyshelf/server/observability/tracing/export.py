"""Sending spans to a collector in the background, from a bounded queue, without delaying any request."""

import logging
import os
import threading
from collections.abc import Sequence
from typing import Final

import requests
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased

from skyshelf.server.observability.tracing.settings import TracingSettings
from skyshelf.wire.version import VERSION

_log = logging.getLogger("skyshelf.tracing")

FLUSH_SECONDS: Final = 2.0
"""How long a stopping server waits for the collector."""
SEND_SECONDS: Final = 5.0
QUEUE_SPANS: Final = 8192
_BATCH_SPANS: Final = 1024
_PAUSE_MS: Final = 2000
_REASON_MAX: Final = 200


class SpanCounts:
    """Spans of this process since its start. One neither sent nor failed is waiting, or found the queue full."""

    __slots__ = ("_lock", "failed", "recorded", "sent")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.recorded = 0
        self.sent = 0
        self.failed = 0

    def add(self, recorded: int) -> None:
        """Count recorded spans; called by any thread. The sending thread updates the other two numbers."""
        with self._lock:
            self.recorded += recorded


class CountedExporter(SpanExporter):
    """Counts delivered spans, and logs once when the collector goes away and once when it is back."""

    def __init__(self, exporter: SpanExporter, counts: SpanCounts) -> None:
        self._exporter = exporter
        self._counts = counts
        self._reason = _Reason()
        self._is_away = False

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        try:
            result = self._exporter.export(spans)
        except Exception as problem:  # noqa: BLE001 - whatever it is, the thread must go on
            self._reason.text = type(problem).__name__
            result = SpanExportResult.FAILURE
        if result is SpanExportResult.SUCCESS:
            self._counts.sent += len(spans)
            if self._is_away:
                _log.warning("traces are sent again")
            self._is_away = False
            return result
        self._counts.failed += len(spans)
        if not self._is_away:
            _log.warning("traces cannot be sent, and are dropped until the collector is back: %s", self._reason.text)
        self._is_away = True
        return result

    def shutdown(self) -> None:
        self._exporter.shutdown()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        return self._exporter.force_flush(timeout_millis)


class _Reason(logging.Handler):
    """Captures the exporter's last log message: it logs each attempt, but returns no reason."""

    def __init__(self) -> None:
        super().__init__()
        self.text = "no answer"
        of_packages = logging.getLogger("opentelemetry")
        of_packages.handlers = [self]
        of_packages.propagate = False

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()[:_REASON_MAX]
        self.text = text if text.isprintable() else ascii(text)


class Export:
    """The queue, its thread and the connection to the collector."""

    def __init__(self, settings: TracingSettings, instance: bytes) -> None:
        self.counts = SpanCounts()
        exporter = OTLPSpanExporter(
            endpoint=settings.endpoint,
            headers=dict(settings.headers) or None,
            timeout=None if _has("TIMEOUT", "TRACES_TIMEOUT") else SEND_SECONDS,
            session=_session(),
        )
        # Without a fraction, the sampler is that of the variables, or takes all traces.
        sampler = None if settings.sample is None else ParentBased(TraceIdRatioBased(settings.sample))
        self.provider = TracerProvider(sampler, resource=_resource(settings, instance), shutdown_on_exit=False)
        self.provider.add_span_processor(
            BatchSpanProcessor(
                CountedExporter(exporter, self.counts),
                max_queue_size=_unless_set("OTEL_BSP_MAX_QUEUE_SIZE", QUEUE_SPANS),
                max_export_batch_size=_unless_set("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", _BATCH_SPANS),
                schedule_delay_millis=_unless_set("OTEL_BSP_SCHEDULE_DELAY", _PAUSE_MS),
            )
        )

    def close(self) -> None:
        """Send the remaining spans, if that is quickly possible."""
        # Not on this thread: a collector that does not answer would block it.
        closing = threading.Thread(target=self.provider.shutdown, name="skyshelf-traces", daemon=True)
        closing.start()
        closing.join(FLUSH_SECONDS)


def _session() -> requests.Session:
    session = requests.Session()
    # The headers are for this collector only, not for addresses that it redirects to.
    session.max_redirects = 0
    return session


def _resource(settings: TracingSettings, instance: bytes) -> Resource:
    own: dict[str, str | int] = {
        "service.version": VERSION,
        "service.instance.id": f"{instance.hex()}-{os.getpid()}",
        "process.pid": os.getpid(),
    }
    is_named = "OTEL_SERVICE_NAME" in os.environ or "service.name=" in os.environ.get("OTEL_RESOURCE_ATTRIBUTES", "")
    if settings.service is not None or not is_named:
        own["service.name"] = settings.service or "skyshelf"
    return Resource.create(own)


def _has(*names: str) -> bool:
    return any(os.environ.get(f"OTEL_EXPORTER_OTLP_{name}") for name in names)


def _unless_set(variable: str, value: int) -> int | None:
    """Return the value, unless the operator has set the variable."""
    return None if os.environ.get(variable) else value
