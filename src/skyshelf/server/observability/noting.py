"""Noting the figures that a worker keeps as plain numbers, every second and when metrics are read."""

import asyncio
from typing import Final

from skyshelf.server.events.streams import ChangeStreams
from skyshelf.server.http.admission.admission import Admission
from skyshelf.server.observability.metrics import Metrics
from skyshelf.server.observability.process_figures import LoopLag, process_figures
from skyshelf.service.context import ServiceContext
from skyshelf.service.jobs.watching import job_runs
from skyshelf.storage.watching import store_calls

NOTED_SECONDS: Final = 1
_PROCESS_TICKS: Final = 10


class FigureNoting:
    """Everything runs on the event loop, so nothing is counted in between."""

    def __init__(
        self,
        ctx: ServiceContext,
        metrics: Metrics,
        admission: Admission,
        streams: ChangeStreams,
        *,
        descriptors: int,
    ) -> None:
        """`descriptors` is how many this process may have."""
        self._ctx = ctx
        self._metrics = metrics
        self._admission = admission
        self._streams = streams
        self._descriptors = descriptors
        self._lag = LoopLag()

    async def keep_noting(self) -> None:
        """Another worker may be the one that is scraped."""
        ticks = 0
        while True:
            self.note(with_process=ticks % _PROCESS_TICKS == 0)
            ticks += 1
            self._lag.expect(NOTED_SECONDS)
            await asyncio.sleep(NOTED_SECONDS)
            self._lag.note()

    def note(self, *, with_process: bool = True) -> None:
        metrics, server = self._metrics, self._metrics.server
        metrics.requests.settle()
        metrics.note_admission(self._admission.figures())
        server.note_store_calls(store_calls.take())
        server.note_store(self._ctx.metadata.figures())
        server.note_media(*self._ctx.media.figures())
        server.note_streams(self._streams.count)
        server.note_audit(self._ctx.trail.waiting, self._ctx.trail.counts)
        server.note_spans()
        server.note_provider_logins(self._ctx.provider_counts.take())
        server.note_runs(job_runs.take())
        if with_process:
            # Thousands of descriptors take a while to count.
            server.note_process(process_figures(), self._lag.seconds, self._descriptors)
