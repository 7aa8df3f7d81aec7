"""Turns a worker's plain numbers into metrics: when metrics are read, or every second for other workers."""

import asyncio
import os
import threading
import time
from typing import TYPE_CHECKING, Final

from skyshelf.server.observability.counts import WorkerCounts, process_figures
from skyshelf.server.observability.metrics_dir import FOLDER_VARIABLE
from skyshelf.service.context import ServiceContext
from skyshelf.service.jobs.runner import job_runs
from skyshelf.storage.watching import store_calls

if TYPE_CHECKING:
    from skyshelf.server.events.streams import ChangeStreams
    from skyshelf.server.observability.metrics import Metrics
    from skyshelf.server.pipeline.admission.admission import Admission

NOTED_SECONDS: Final = 1
_PROCESS_TICKS: Final = 10


class FigureNoting:
    """Updates the metrics from the counts. All of it runs on the event loop, so nothing is counted in between."""

    def __init__(
        self,
        ctx: ServiceContext,
        counts: WorkerCounts,
        admission: "Admission",
        streams: "ChangeStreams",
        *,
        descriptors: int,
    ) -> None:
        """`descriptors` is the maximum number for this process."""
        self._ctx = ctx
        self._counts = counts
        self._admission = admission
        self._streams = streams
        self._descriptors = descriptors
        self._lag_seconds = 0.0
        """How late the event loop was when it last ran this."""
        self._metrics: Metrics | None = None
        self._loading = threading.Lock()
        self._is_shared = FOLDER_VARIABLE in os.environ
        """Whether another worker may be scraped instead of this one."""

    def metrics(self) -> "Metrics":
        """Return the metrics. Their library takes a while to load and more than a megabyte, so it is imported here."""
        with self._loading:
            if self._metrics is None:
                from skyshelf.server.observability.metrics import Metrics

                self._metrics = Metrics(self._counts)
            return self._metrics

    async def keep_noting(self) -> None:
        ticks = 0
        while True:
            if self._is_shared:
                self.note(with_process=ticks % _PROCESS_TICKS == 0)
            ticks += 1
            due = time.monotonic() + NOTED_SECONDS
            await asyncio.sleep(NOTED_SECONDS)
            self._lag_seconds = max(0.0, time.monotonic() - due)

    def end(self) -> None:
        """Save the last figures for the workers that go on."""
        if self._is_shared:
            self.note()

    def note(self, *, with_process: bool = True) -> None:
        metrics = self.metrics()
        metrics.note_counts()
        metrics.note_admission(self._admission.figures())
        metrics.note_store_calls(store_calls.take())
        metrics.note_store(self._ctx.metadata.figures())
        metrics.note_media(*self._ctx.media.figures())
        metrics.set("change_streams", self._streams.count)
        metrics.note_audit(self._ctx.trail.waiting, self._ctx.trail.counts)
        metrics.note_provider_logins(self._ctx.provider_counts.take())
        metrics.note_runs(job_runs.take())
        if with_process:
            # Thousands of descriptors take a while to count.
            metrics.note_process(process_figures(), self._lag_seconds, self._descriptors)
