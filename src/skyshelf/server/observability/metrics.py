"""Prometheus metrics, derived from what a worker has counted and from the figures of its stores.

Several workers keep their metrics in files of a shared folder; the worker that is scraped adds them up.
The library takes more than a megabyte, so only `FigureNoting` imports this module, when metrics are read.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from skyshelf.server.observability.counts import SECONDS as REQUEST_SECONDS
from skyshelf.server.observability.counts import EndpointCounts, KindFigures, WorkerCounts
from skyshelf.server.observability.families import FAMILIES, Family
from skyshelf.server.observability.metrics_dir import FOLDER_VARIABLE
from skyshelf.service.integrity.scrub import ScrubState
from skyshelf.service.jobs.runner import JobFigures
from skyshelf.service.operator.backups import BackupState
from skyshelf.service.process.reservations import DiskReserve
from skyshelf.storage.metadata.contracts.accounts import QuotaTotals
from skyshelf.storage.metadata.contracts.content import REASONS, QuarantineTotal
from skyshelf.storage.metadata.contracts.jobs import QueueFigures
from skyshelf.storage.metadata.store import StoreFigures
from skyshelf.storage.watching import SECONDS as STORE_SECONDS
from skyshelf.storage.watching import CallFigures, Store
from skyshelf.wire.version import VERSION

if TYPE_CHECKING:
    from skyshelf.server.observability.counts import ProcessFigures

_BUCKETS = {
    "skyshelf_request_seconds": REQUEST_SECONDS,
    "skyshelf_loop_hold_seconds": REQUEST_SECONDS,
    "skyshelf_store_seconds": STORE_SECONDS,
}


class Metrics:
    def __init__(self, counts: WorkerCounts) -> None:
        self._counts = counts
        self._registry = CollectorRegistry()
        self._collectors = {family.name: self._collector(family) for family in FAMILIES}
        self._before: dict[tuple[str, ...], float] = {}
        self.set("process_start_timestamp_seconds", counts.started)

    def _collector(self, family: Family) -> Any:
        if family.kind == "counter":
            return Counter(family.name, family.help, family.labels, registry=self._registry)
        if family.kind == "gauge":
            mode = family.mode
            return Gauge(family.name, family.help, family.labels, multiprocess_mode=mode, registry=self._registry)
        buckets = _BUCKETS[family.name]
        return Histogram(family.name, family.help, family.labels, buckets=buckets, registry=self._registry)

    def _labelled(self, name: str, labels: Sequence[str]) -> Any:
        collector = self._collectors[f"skyshelf_{name}"]
        return collector.labels(*labels) if labels else collector

    def set(self, name: str, value: float, *labels: str) -> None:
        self._labelled(name, labels).set(value)

    def _add(self, name: str, value: float, *labels: str) -> None:
        self._labelled(f"{name}_total", labels).inc(value)

    def _raise_to(self, name: str, total: float, *labels: str) -> None:
        self._add(name, max(0.0, total - self._before.get((name, *labels), 0)), *labels)
        self._before[name, *labels] = total

    def _add_durations(self, name: str, seconds: float, durations: Iterable[int], *labels: str) -> None:
        # The library cannot add several durations at once: these are the parts that `observe` adds to.
        histogram = self._labelled(name, labels)
        histogram._sum.inc(seconds)
        for bucket, count in zip(histogram._buckets, durations, strict=True):
            if count:
                bucket.inc(count)

    # What this worker has counted; called on the event loop

    def note_counts(self) -> None:
        """Take over what this worker has counted so far."""
        counts = self._counts
        self._note_requests()
        self._raise_to("damaged_reads", counts.damaged_reads)
        self._raise_to("loop_faults", counts.loop_faults)
        holds, counts.loop_holds = counts.loop_holds, EndpointCounts()
        self._add_durations("loop_hold_seconds", holds.seconds, holds.durations)
        self.set("connections", counts.connections)
        for reason, closed in list(counts.closed_connections.items()):
            self._raise_to("connections_closed", closed, reason)
        for status, refused in list(counts.refused_requests.items()):
            self._raise_to("requests_refused", refused, status)
        if counts.spans is not None:
            for outcome in ("recorded", "sent", "failed"):
                self._raise_to("trace_spans", getattr(counts.spans, outcome), outcome)

    def _note_requests(self) -> None:
        self.set("requests_in_flight", self._counts.requests.in_progress)
        for endpoint, counts in self._counts.requests.take().items():
            for status, count in counts.statuses.items():
                self._add("requests", count, endpoint, f"{status // 100}xx" if status else "none")
            self._add_durations("request_seconds", counts.seconds, counts.durations, endpoint)
            if counts.received:
                self._add("received_bytes", counts.received, endpoint)
            if counts.sent:
                self._add("sent_bytes", counts.sent, endpoint)

    def note_admission(self, figures: Iterable[KindFigures]) -> None:
        """Take over the current figures: counting each event would slow down the calls."""
        for one in figures:
            self.set("admission_in_use", one.in_use, one.kind)
            self.set("admission_waiting", one.waiting, one.kind)
            self._raise_to("admission_refused", one.refused_callers, one.kind, "caller")
            self._raise_to("admission_refused", one.refused_by_server, one.kind, "server")

    def note_store_calls(self, taken: Mapping[tuple[Store, str], CallFigures]) -> None:
        for (store, operation), figures in taken.items():
            self._add_durations("store_seconds", figures.seconds, figures.durations, store, operation)
            self._add("store_errors", figures.failed, store, operation)

    def note_store(self, figures: StoreFigures) -> None:
        if figures.most:
            self.set("database_connections", figures.idle, "idle")
            self.set("database_connections", figures.connections - figures.idle, "in_use")
            self.set("database_connections_max", figures.most)
        self.set("database_waiting", figures.waiting)

    def note_media(self, waiting: int, running: int) -> None:
        self.set("media_jobs", waiting, "waiting")
        self.set("media_jobs", running, "running")

    def note_audit(self, waiting: int, counts: Mapping[str, int]) -> None:
        self.set("audit_waiting", waiting)
        for kind, count in list(counts.items()):
            self._raise_to("audit_events", count, kind)

    def note_provider_logins(self, taken: Mapping[tuple[str, str], int]) -> None:
        for (provider, outcome), count in taken.items():
            self._add("provider_logins", count, provider, outcome)

    def note_runs(self, taken: Mapping[str, JobFigures]) -> None:
        for kind, figures in taken.items():
            for outcome, count in figures.outcomes.items():
                self._add("job_runs", count, kind, outcome)
            self._add("job_run_seconds", figures.seconds, kind)
            if figures.done_at:
                self.set("job_last_success_timestamp_seconds", figures.done_at, kind)

    def note_process(self, figures: "ProcessFigures", lag: float, descriptors: int) -> None:
        self.set("workers", 1)
        self._raise_to("process_cpu_seconds", figures.cpu_seconds)
        self.set("process_resident_bytes", figures.resident_bytes)
        self.set("process_open_files", figures.open_files)
        self.set("process_open_files_max", descriptors)
        self.set("process_threads", figures.threads)
        self.set("event_loop_lag_seconds", lag)
        self.set("build_info", 1, VERSION)

    # What all instances have in common; for a worker thread

    def quarantine(self, totals: Iterable[QuarantineTotal]) -> None:
        by_reason = {total.reason: total for total in totals}
        for reason in REASONS:
            total = by_reason.get(reason)
            self.set("quarantine_objects", 0 if total is None else total.count, reason)
            self.set("quarantine_bytes", 0 if total is None else total.size, reason)

    def scrub(self, state: ScrubState, now: int) -> None:
        self.set("scrub_progress_ratio", state.share)
        self.set("scrub_verified_blobs", state.now.contents)
        self.set("scrub_verified_bytes", state.now.size)
        self.set("scrub_damaged_blobs", state.now.damaged)
        self.set("scrub_round_began_seconds", state.now.began / 1000)
        self.set("scrub_oldest_verification_seconds", state.oldest(now) / 1000)

    def backups(self, state: BackupState) -> None:
        success, failure = state.success, state.failure
        self.set("backup_failing", state.is_failing)
        if success is not None:
            self.set("backup_last_success_timestamp_seconds", success.at / 1000)
        if success is not None and success.size is not None and success.seconds is not None:
            self.set("backup_last_size_bytes", success.size)
            self.set("backup_last_duration_seconds", success.seconds)
        if failure is not None:
            self.set("backup_last_failure_timestamp_seconds", failure.at / 1000)
        for what, found in (("verified", state.verified), ("rehearsed", state.rehearsed)):
            if found is not None:
                self.set(f"backup_last_{what}_timestamp_seconds", found.at / 1000)

    def queue(self, figures: QueueFigures, now: int) -> None:
        for state, count in (("all", figures.jobs), ("due", figures.due), ("failing", figures.failing)):
            self.set("jobs_queued", count, state)
        self.set("jobs_late_seconds", (now - figures.due_since) / 1000 if figures.due_since else 0)

    def quotas(self, totals: QuotaTotals) -> None:
        self.set("accounts", totals.accounts, "all")
        self.set("accounts", totals.full, "full")
        self.set("accounts_used_bytes", totals.used)
        self.set("accounts_quota_bytes", totals.allocated)

    def page(self, disk: DiskReserve) -> bytes:
        """Return all metrics in the text format, after taking over the current counts."""
        for store, space in disk.spaces().items():
            self.set("disk_free_bytes", space.free, store)
            self.set("disk_reserve_bytes", disk.reserve_of(space), store)
            self.set("disk_size_bytes", space.total, store)
        self.set("uploads_accepted", disk.has_space())
        folder = os.environ.get(FOLDER_VARIABLE)
        if folder is None:
            return generate_latest(self._registry)
        _remove_dead_workers(Path(folder))
        everybody = CollectorRegistry()
        MultiProcessCollector(everybody)  # type: ignore[no-untyped-call]
        return generate_latest(everybody)


def _remove_dead_workers(folder: Path) -> None:
    """Remove the files of dead workers: a killed worker's requests would count as in progress for ever."""
    for file in folder.glob("gauge_live*_*.db"):
        pid = file.stem.rpartition("_")[2]
        if pid.isdigit() and not Path(f"/proc/{pid}").exists() and Path("/proc/self").exists():
            mark_process_dead(int(pid))  # type: ignore[no-untyped-call]
