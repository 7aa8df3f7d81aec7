"""Noting the figures that a worker keeps as plain numbers: when metrics are read, or every second for others."""

import asyncio
import os
import threading
from typing import TYPE_CHECKING, Final

from skyshelf.server.events.streams import ChangeStreams
from skyshelf.server.http.admission.admission import Admission
from skyshelf.server.observability.counts import WorkerCounts
from skyshelf.server.observability.metrics_dir import FOLDER_VARIABLE
from skyshelf.server.observability.process_figures import LoopLag, process_figures
from skyshelf.service.context import ServiceContext
from skyshelf.service.jobs.watching import job_runs
from skyshelf.storage.watching import store_calls

if TYPE_CHECKING:
    from skyshelf.server.observability.metrics import Metrics

NOTED_SECONDS: Final = 1
_PROCESS_TICKS: Final = 10


class FigureNoting:
    """Everything runs on the event loop, so nothing is counted in between."""

    def __init__(
        self,
        ctx: ServiceContext,
        counts: WorkerCounts,
        admission: Admission,
        streams: ChangeStreams,
        *,
        descriptors: int,
    ) -> None:
        """`descriptors` is how many this process may have."""
        self._ctx = ctx
        self._counts = counts
        self._admission = admission
        self._streams = streams
        self._descriptors = descriptors
        self._lag = LoopLag()
        self._metrics: Metrics | None = None
        self._loading = threading.Lock()
        self._is_shared = FOLDER_VARIABLE in os.environ
        """Whether another worker may be the one that is scraped."""

    def metrics(self) -> "Metrics":
        """The metrics. The library that exports them takes a while and more than a megabyte, so it is loaded here."""
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
            self._lag.expect(NOTED_SECONDS)
            await asyncio.sleep(NOTED_SECONDS)
            self._lag.note()

    def end(self) -> None:
        """The last figures, for the workers that go on."""
        if self._is_shared:
            self.note()

    def note(self, *, with_process: bool = True) -> None:
        metrics = self.metrics()
        server = metrics.server
        metrics.note_counts()
        metrics.note_admission(self._admission.figures())
        server.note_store_calls(store_calls.take())
        server.note_store(self._ctx.metadata.figures())
        server.note_media(*self._ctx.media.figures())
        server.note_streams(self._streams.count)
        server.note_audit(self._ctx.trail.waiting, self._ctx.trail.counts)
        server.note_provider_logins(self._ctx.provider_counts.take())
        server.note_runs(job_runs.take())
        if with_process:
            # Thousands of descriptors take a while to count.
            server.note_process(process_figures(), self._lag.seconds, self._descriptors)
