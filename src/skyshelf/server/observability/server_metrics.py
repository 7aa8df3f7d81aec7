"""Figures of the stores, jobs, queues, accounts and the process, as metrics.

Each is read when metrics are, or every second for another worker that is read: no call pays for them.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from skyshelf.server.observability.process_figures import ProcessFigures
from skyshelf.service.jobs.watching import JobFigures
from skyshelf.storage.metadata.contracts.jobs import QueueFigures
from skyshelf.storage.metadata.contracts.operators import QuotaTotals
from skyshelf.storage.metadata.store import StoreFigures
from skyshelf.storage.watching import SECONDS, CallFigures, Store
from skyshelf.wire.version import VERSION

if TYPE_CHECKING:
    from skyshelf.server.observability.tracing.export import SpanCounts

_OF_ALL: Final = "mostrecent"
"""What every worker would report alike."""
_SUM: Final = "livesum"


class ServerMetrics:
    """A worker's figures besides those of its requests."""

    def __init__(self, registry: CollectorRegistry, *, started: float) -> None:
        def gauge(name: str, what: str, mode: str, *labels: str) -> Gauge:
            return Gauge(name, what, labels, multiprocess_mode=mode, registry=registry)  # type: ignore[arg-type]

        def counter(name: str, what: str, *labels: str) -> Counter:
            return Counter(name, what, labels, registry=registry)

        self._store_seconds = Histogram(
            "skyshelf_store_seconds",
            "Duration of calls to the stores: units of work of the database, syncs of the disk, requests to a bucket.",
            ["store", "operation"],
            buckets=SECONDS,
            registry=registry,
        )
        self._store_errors = counter(
            "skyshelf_store_errors", "Calls that a store could not serve: it was away, or full.", "store", "operation"
        )
        self._connections = gauge(
            "skyshelf_database_connections", "Connections to the database server, by state.", _SUM, "state"
        )
        self._connections_most = gauge(
            "skyshelf_database_connections_max", "Connections to the database server that are allowed.", _SUM
        )
        self._database_waiting = gauge(
            "skyshelf_database_waiting", "Work that waits for a connection, or for the next commit.", _SUM
        )
        self._media = gauge(
            "skyshelf_media_jobs", "Thumbnails and dates that wait or are made, by state.", _SUM, "state"
        )
        self._streams = gauge("skyshelf_change_streams", "Open streams of changes.", _SUM)
        self._events_waiting = gauge("skyshelf_audit_waiting", "Events that wait to be recorded.", _SUM)
        self._events = counter(
            "skyshelf_audit_events", "Failures, and uses of links, by kind of event in the audit trail.", "kind"
        )
        self._provider_logins = counter(
            "skyshelf_provider_logins",
            "Logins, links and logouts through login providers, by provider and outcome.",
            "provider",
            "outcome",
        )
        self._events_before: dict[str, int] = {}
        self._spans = counter(
            "skyshelf_trace_spans", "Spans of traces, by outcome: recorded, and of these sent or failed.", "outcome"
        )
        self._spans_before: dict[str, int] = {}
        self._runs = counter("skyshelf_job_runs", "Runs of background jobs, by kind and outcome.", "kind", "outcome")
        self._run_seconds = counter("skyshelf_job_run_seconds", "Time that background jobs took, by kind.", "kind")
        self._run_done = gauge(
            "skyshelf_job_last_success_timestamp_seconds",
            "When a background job last ended well, in seconds since 1970, by kind.",
            "max",
            "kind",
        )
        self._jobs = gauge("skyshelf_jobs_queued", "Background jobs, by state: all, due and failing.", _OF_ALL, "state")
        self._jobs_late = gauge(
            "skyshelf_jobs_late_seconds", "For how long the job that waits longest has been due.", _OF_ALL
        )
        self._accounts = gauge(
            "skyshelf_accounts", "Accounts, by state: all, and those near their quota.", _OF_ALL, "state"
        )
        self._used = gauge("skyshelf_accounts_used_bytes", "Bytes that all accounts use.", _OF_ALL)
        self._allocated = gauge("skyshelf_accounts_quota_bytes", "Bytes that all accounts may use.", _OF_ALL)
        self._disk_size = gauge("skyshelf_disk_size_bytes", "Size of the file system of a store.", _OF_ALL, "store")
        self._workers = gauge("skyshelf_workers", "Worker processes.", _SUM)
        self._cpu = counter("skyshelf_process_cpu_seconds", "Processor time of all workers.")
        self._cpu_before = 0.0
        self._resident = gauge("skyshelf_process_resident_bytes", "Memory of all workers.", _SUM)
        self._open_files = gauge(
            "skyshelf_process_open_files", "Open descriptors, in the worker that has most.", "livemax"
        )
        self._files_most = gauge("skyshelf_process_open_files_max", "Descriptors that a worker may have.", _OF_ALL)
        self._threads = gauge("skyshelf_process_threads", "Threads of all workers.", _SUM)
        self._lag = gauge(
            "skyshelf_event_loop_lag_seconds", "How late the event loop is, in the worst worker.", "livemax"
        )
        self._info = gauge("skyshelf_build_info", "1, with the version that runs.", _OF_ALL, "version")
        self._start = gauge(
            "skyshelf_process_start_timestamp_seconds", "When the worker that started last did so.", "livemax"
        )
        self._start.set(started)

    def note_store_calls(self, taken: Mapping[tuple[Store, str], CallFigures]) -> None:
        for (store, operation), figures in taken.items():
            # The library has no way to add several durations at once: these are the parts that `observe` adds to.
            histogram = self._store_seconds.labels(store, operation)
            histogram._sum.inc(figures.seconds)
            for bucket, count in zip(histogram._buckets, figures.durations, strict=True):
                if count:
                    bucket.inc(count)
            self._store_errors.labels(store, operation).inc(figures.failed)

    def note_store(self, figures: StoreFigures) -> None:
        if figures.most:
            self._connections.labels("idle").set(figures.idle)
            self._connections.labels("in_use").set(figures.connections - figures.idle)
            self._connections_most.set(figures.most)
        self._database_waiting.set(figures.waiting)

    def note_media(self, waiting: int, running: int) -> None:
        self._media.labels("waiting").set(waiting)
        self._media.labels("running").set(running)

    def note_streams(self, count: int) -> None:
        self._streams.set(count)

    def note_audit(self, waiting: int, counts: Mapping[str, int]) -> None:
        self._events_waiting.set(waiting)
        for kind, count in list(counts.items()):
            self._events.labels(kind).inc(count - self._events_before.get(kind, 0))
            self._events_before[kind] = count

    def note_spans(self, counts: "SpanCounts") -> None:
        for outcome, count in (("recorded", counts.recorded), ("sent", counts.sent), ("failed", counts.failed)):
            self._spans.labels(outcome).inc(count - self._spans_before.get(outcome, 0))
            self._spans_before[outcome] = count

    def note_provider_logins(self, taken: Mapping[tuple[str, str], int]) -> None:
        for (provider, outcome), count in taken.items():
            self._provider_logins.labels(provider, outcome).inc(count)

    def note_runs(self, taken: Mapping[str, JobFigures]) -> None:
        for kind, figures in taken.items():
            for outcome, count in figures.outcomes.items():
                self._runs.labels(kind, outcome).inc(count)
            self._run_seconds.labels(kind).inc(figures.seconds)
            if figures.done_at:
                self._run_done.labels(kind).set(figures.done_at)

    def note_queue(self, figures: QueueFigures, now: int) -> None:
        """The jobs of all instances."""
        for state, count in (("all", figures.jobs), ("due", figures.due), ("failing", figures.failing)):
            self._jobs.labels(state).set(count)
        self._jobs_late.set((now - figures.due_since) / 1000 if figures.due_since else 0)

    def note_quotas(self, totals: QuotaTotals) -> None:
        self._accounts.labels("all").set(totals.accounts)
        self._accounts.labels("full").set(totals.full)
        self._used.set(totals.used)
        self._allocated.set(totals.allocated)

    def note_disk(self, store: str, size: int) -> None:
        self._disk_size.labels(store).set(size)

    def note_process(self, figures: ProcessFigures, lag: float, descriptors: int) -> None:
        self._workers.set(1)
        self._cpu.inc(max(0.0, figures.cpu_seconds - self._cpu_before))
        self._cpu_before = figures.cpu_seconds
        self._resident.set(figures.resident_bytes)
        self._open_files.set(figures.open_files)
        self._files_most.set(descriptors)
        self._threads.set(figures.threads)
        self._lag.set(lag)
        self._info.labels(VERSION).set(1)
