"""Leases: a heartbeat keeps a living worker's job, and a killed worker loses its job within seconds."""

import logging
import threading
import time
from types import TracebackType
from typing import Self

from skyshelf.service.context import ServiceContext
from skyshelf.storage.errors import StorageError
from skyshelf.storage.metadata.contracts.jobs import Job

_log = logging.getLogger("skyshelf.background")

LEASE_MS = 10 * 1000
BEAT_SECONDS = 2.0
# A step that hangs longer than this counts as dead: another worker may claim its job.
LONGEST_STEP_SECONDS = 300.0


class LeaseLost(Exception):
    """Another worker has claimed the job."""


class Heartbeat:
    """Renews a job's lease between its steps and, from a separate thread, during long ones."""

    def __init__(self, ctx: ServiceContext, job: Job) -> None:
        self._ctx = ctx
        self._job = job
        self._lock = threading.Lock()
        self._leased_until = ctx.clock.now() + LEASE_MS
        self._step_began = time.monotonic()
        self._ended = threading.Event()
        self._is_lost = False
        self._thread = threading.Thread(target=self._beat, name="skyshelf-heartbeat", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()

    def step_done(self) -> None:
        """Call after every step; raises LeaseLost where another worker has taken over."""
        self._step_began = time.monotonic()
        self._renew()
        if self._is_lost:
            raise LeaseLost

    def _beat(self) -> None:
        while not self._ended.wait(BEAT_SECONDS):
            if self._is_lost or time.monotonic() - self._step_began > LONGEST_STEP_SECONDS:
                return
            try:
                self._renew()
            except StorageError as problem:
                # The next beat tries again. A lease that expires first does no harm: every step may run twice.
                _log.warning("could not renew the lease of %s: %s", self._job.kind, problem)

    def _renew(self) -> None:
        """Renew the lease once part of it has passed: rarely, however short the steps are."""
        with self._lock:
            now = self._ctx.clock.now()
            if self._is_lost or self._leased_until - now > LEASE_MS - 1000 * BEAT_SECONDS / 2:
                return
            until = now + LEASE_MS
            self._is_lost = not self._ctx.metadata.write(lambda unit: unit.outbox.extend(self._job, until))
            self._leased_until = until
