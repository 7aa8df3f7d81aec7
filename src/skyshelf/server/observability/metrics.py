"""Prometheus metrics: number, duration and bytes of requests, and what admission lets run, wait or refuses.

Several workers keep their metrics in files of a shared folder; the worker that is scraped adds them up.
The library takes more than a megabyte, so only `FigureNoting` imports this module, when metrics are read.
"""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest
from prometheus_client.metrics import MetricWrapperBase
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from skyshelf.server.http.admission.admission import KindFigures
from skyshelf.server.observability.counts import WorkerCounts
from skyshelf.server.observability.metrics_dir import FOLDER_VARIABLE
from skyshelf.server.observability.request_metrics import RequestMetrics
from skyshelf.server.observability.server_metrics import ServerMetrics
from skyshelf.service.disk_reserve import DiskReserve
from skyshelf.service.integrity.scrub_state import ScrubState
from skyshelf.storage.metadata.contracts.quarantine import REASONS, QuarantineTotal

CALLER, SERVER = "caller", "server"
_QUARANTINE_GAUGES = {
    "objects": "Unreferenced blobs and uploads in quarantine, by reason.",
    "bytes": "Their bytes, by reason.",
}
_SCRUB_GAUGES = {
    "progress_ratio": "Share of the current round of the scrub that is done.",
    "verified_blobs": "Contents that the current round has read.",
    "verified_bytes": "Bytes that the current round has read.",
    "damaged_blobs": "Contents that the current round has found damaged.",
    "round_began_seconds": "When the current round began, in seconds since 1970.",
    "oldest_verification_seconds": "How long ago any content was read by the scrub, at most.",
}


class Family(NamedTuple):
    """A metric as it is exported."""

    name: str
    kind: str
    labels: tuple[str, ...]
    help: str


class Metrics:
    """A worker's metrics, of what it counts."""

    def __init__(self, counts: WorkerCounts) -> None:
        self._counts = counts
        self._registry = CollectorRegistry()
        self._requests = RequestMetrics(self._registry, counts.requests)
        self.server = ServerMetrics(self._registry, started=counts.started)
        self._free = Gauge(
            "skyshelf_disk_free_bytes",
            "Free bytes of the file system of a store.",
            ["store"],
            multiprocess_mode="mostrecent",
            registry=self._registry,
        )
        self._reserve = Gauge(
            "skyshelf_disk_reserve_bytes",
            "Free bytes below which uploads are refused.",
            ["store"],
            multiprocess_mode="mostrecent",
            registry=self._registry,
        )
        self._accepts = Gauge(
            "skyshelf_uploads_accepted",
            "1, or 0 while the disk is at its reserve.",
            multiprocess_mode="mostrecent",
            registry=self._registry,
        )
        self._stopped = Gauge(
            "skyshelf_jobs_stopped",
            "Background jobs that a brake has stopped.",
            multiprocess_mode="mostrecent",
            registry=self._registry,
        )
        self._damaged_reads = Counter(
            "skyshelf_damaged_reads", "Reads that met damaged or missing content.", registry=self._registry
        )
        self._damaged = Gauge(
            "skyshelf_damaged_contents",
            "Contents that are known to be damaged or missing.",
            multiprocess_mode="mostrecent",
            registry=self._registry,
        )
        self._quarantined = {
            name: Gauge(
                f"skyshelf_quarantine_{name}",
                what,
                ["reason"],
                multiprocess_mode="mostrecent",
                registry=self._registry,
            )
            for name, what in _QUARANTINE_GAUGES.items()
        }
        self._read_only = Gauge(
            "skyshelf_read_only",
            "1 while the operator has switched writing off.",
            multiprocess_mode="mostrecent",
            registry=self._registry,
        )
        self._scrub = {
            name: Gauge(f"skyshelf_scrub_{name}", what, multiprocess_mode="mostrecent", registry=self._registry)
            for name, what in _SCRUB_GAUGES.items()
        }
        self._in_use = self._gauge("skyshelf_admission_in_use", "Work that runs, by kind.")
        self._waiting = self._gauge("skyshelf_admission_waiting", "Work that waits for its turn, by kind.")
        self._refused = Counter(
            "skyshelf_admission_refused",
            "Work that was refused, by kind and reason: the caller had too much, or the server was busy.",
            ["kind", "reason"],
            registry=self._registry,
        )
        self._before: dict[Counter, float] = {}
        self._connections = Gauge(
            "skyshelf_connections", "Open connections.", multiprocess_mode="livesum", registry=self._registry
        )
        self._closed = Counter(
            "skyshelf_connections_closed",
            "Connections that the server closed, by reason.",
            ["reason"],
            registry=self._registry,
        )
        self._refused_unread = Counter(
            "skyshelf_requests_refused",
            "Requests that were refused before they were read, by status.",
            ["status"],
            registry=self._registry,
        )

    def _gauge(self, name: str, what: str) -> Gauge:
        return Gauge(name, what, ["kind"], multiprocess_mode="livesum", registry=self._registry)

    def note_counts(self) -> None:
        """What this worker has counted up to now; on the event loop."""
        self._requests.settle()
        self._count_up(self._damaged_reads, self._counts.damaged_reads)
        self._connections.set(self._counts.connections)
        for reason, closed in list(self._counts.closed_connections.items()):
            self._count_up(self._closed.labels(reason), closed)
        for status, refused in list(self._counts.refused_requests.items()):
            self._count_up(self._refused_unread.labels(status), refused)
        if self._counts.spans is not None:
            self.server.note_spans(self._counts.spans)

    def _count_up(self, counter: Counter, number: float) -> None:
        """Let a counter say how many there were by now."""
        counter.inc(number - self._before.get(counter, 0))
        self._before[counter] = number

    def note_admission(self, figures: Iterable[KindFigures]) -> None:
        """Note the figures of this moment: counting each event would slow the calls down."""
        for one in figures:
            self._in_use.labels(one.kind).set(one.in_use)
            self._waiting.labels(one.kind).set(one.waiting)
            for reason, refused in ((CALLER, one.refused_callers), (SERVER, one.refused_by_server)):
                self._count_up(self._refused.labels(one.kind, reason), refused)

    def jobs_stopped(self, count: int) -> None:
        self._stopped.set(count)

    def damaged_contents(self, count: int) -> None:
        self._damaged.set(count)

    def quarantine(self, totals: Iterable[QuarantineTotal]) -> None:
        by_reason = {total.reason: total for total in totals}
        for reason in REASONS:
            total = by_reason.get(reason)
            self._quarantined["objects"].labels(reason).set(0 if total is None else total.count)
            self._quarantined["bytes"].labels(reason).set(0 if total is None else total.size)

    def read_only(self, *, is_on: bool) -> None:
        self._read_only.set(is_on)

    def scrub(self, state: ScrubState, now: int) -> None:
        """How far the scrub is, of all instances together."""
        figures = {
            "progress_ratio": state.share,
            "verified_blobs": state.now.contents,
            "verified_bytes": state.now.size,
            "damaged_blobs": state.now.damaged,
            "round_began_seconds": state.now.began / 1000,
            "oldest_verification_seconds": state.oldest(now) / 1000,
        }
        for name, value in figures.items():
            self._scrub[name].set(value)

    def families(self) -> list[Family]:
        """Every metric that is exported, in alphabetical order."""
        found = []
        for collector in self._registry._collector_to_names:
            assert isinstance(collector, MetricWrapperBase)
            kind = collector._type or "untyped"
            name = f"{collector._name}_total" if kind == "counter" else collector._name
            found.append(Family(name, kind, tuple(collector._labelnames), collector._documentation))
        return sorted(found)

    def page(self, disk: DiskReserve) -> bytes:
        """All metrics in the text format; what was counted is noted before."""
        for store, space in disk.spaces().items():
            self._free.labels(store).set(space.free)
            self._reserve.labels(store).set(disk.reserve_of(space))
            self.server.note_disk(store, space.total)
        self._accepts.set(disk.has_space())
        folder = os.environ.get(FOLDER_VARIABLE)
        if folder is None:
            return generate_latest(self._registry)
        _remove_dead_workers(Path(folder))
        everybody = CollectorRegistry()
        MultiProcessCollector(everybody)  # type: ignore[no-untyped-call]
        return generate_latest(everybody)


def _remove_dead_workers(folder: Path) -> None:
    """A killed worker's requests would count as in progress for ever."""
    for file in folder.glob("gauge_live*_*.db"):
        pid = file.stem.rpartition("_")[2]
        if pid.isdigit() and not Path(f"/proc/{pid}").exists() and Path("/proc/self").exists():
            mark_process_dead(int(pid))  # type: ignore[no-untyped-call]
