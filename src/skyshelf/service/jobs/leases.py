"""Heartbeats: a worker that lives keeps its job, and one that was killed loses it within seconds."""

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
# A step that hangs for longer than this is as good as dead: its job is given to whoever looks next.
LONGEST_STEP_SECONDS = 300.0


class LeaseLost(Exception):
    """Somebody else has the job now."""


class Heartbeat:
    """Prolongs the lease of a job, between its steps and, by a thread of its own, while one of them takes long."""

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
        """To be called after every step; raises LeaseLost where another worker has taken over."""
        self._step_began = time.monotonic()
        self._extend()
        if self._is_lost:
            raise LeaseLost

    def _beat(self) -> None:
        while not self._ended.wait(BEAT_SECONDS):
            if self._is_lost or time.monotonic() - self._step_began > LONGEST_STEP_SECONDS:
                return
            try:
                self._extend()
            except StorageError as problem:
                # The next beat tries again; a lease that ends meanwhile does no harm, since work may be done twice.
                _log.warning("the lease of %s was not prolonged: %s", self._job.kind, problem)

    def _extend(self) -> None:
        """Prolong the lease when a part of it is over: seldom, however short the steps are."""
        with self._lock:
            now = self._ctx.clock.now()
            if self._is_lost or self._leased_until - now > LEASE_MS - 1000 * BEAT_SECONDS / 2:
                return
            until = now + LEASE_MS
            self._is_lost = not self._ctx.metadata.write(lambda unit: unit.outbox.extend(self._job, until))
            self._leased_until = until
