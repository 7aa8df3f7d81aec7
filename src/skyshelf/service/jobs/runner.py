"""Background work: a thread per process takes jobs from the outbox, which all instances share.

A lease is short, and is kept alive for as long as its worker lives: so what a killed process was doing goes on
within seconds, in whichever process looks next.
"""

import logging
import threading
from collections.abc import Iterator

from skyshelf.service.accounts import deletion
from skyshelf.service.accounts.deletion import REMOVE_ACCOUNT
from skyshelf.service.context import ServiceContext
from skyshelf.service.jobs import maintenance
from skyshelf.service.jobs.leases import LEASE_MS, Heartbeat, LeaseLost
from skyshelf.service.jobs.maintenance import PERIODIC_TASKS, PURGE
from skyshelf.storage.errors import StorageError
from skyshelf.storage.metadata.contracts.jobs import Job
from skyshelf.storage.metadata.store import Unit

_log = logging.getLogger("skyshelf.background")

LOOK_SECONDS = 10.0
SHORTEST_LOOK_SECONDS = 0.5
RETRY_MS = 60 * 1000
LONGEST_RETRY_MS = 60 * 60 * 1000
_CHORES = {chore.name: chore for chore in PERIODIC_TASKS}
KINDS = (PURGE, REMOVE_ACCOUNT, *_CHORES)


class Background:
    """Works until it is stopped. A stop waits for the step that is being done, never for the whole job."""

    def __init__(self, ctx: ServiceContext, *, look_seconds: float = LOOK_SECONDS) -> None:
        self._ctx = ctx
        self._look_seconds = look_seconds
        self._stopping = threading.Event()
        self._awake = threading.Event()
        ctx.job_notifier.tell(self._awake)
        self._thread = threading.Thread(target=self._run, name="skyshelf-background", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._awake.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        planned = False
        while not self._stopping.is_set():
            # Before the work and not after it: what is put meanwhile is looked for again.
            self._awake.clear()
            try:
                if not planned:
                    plan(self._ctx)
                    planned = True
                while not self._stopping.is_set() and self.work_once():
                    pass
                self._ctx.metadata.analyze_grown_tables()
            except StorageError as problem:
                _log.warning("background work waits: %s", problem)
            except Exception:  # noqa: BLE001 - the thread must outlive whatever one job does
                _log.exception("background work failed")
            if not self._stopping.is_set():
                self._awake.wait(self._seconds_to_the_next_look())

    def _seconds_to_the_next_look(self) -> float:
        """Until the next job is due, or the lease of a dead worker ends; never long: other processes put jobs, too."""
        try:
            with self._ctx.metadata.read() as unit:
                due = unit.outbox.next_due(KINDS)
        except StorageError:
            due = None
        if due is None:
            return self._look_seconds
        left = max(SHORTEST_LOOK_SECONDS, (due - self._ctx.clock.now()) / 1000)
        return min(self._look_seconds, left)

    def work_once(self) -> bool:
        """Do one job that is due; false when there is none."""
        ctx = self._ctx
        lease, now = ctx.new_key(), ctx.clock.now()
        job = ctx.metadata.write(lambda unit: unit.outbox.claim(KINDS, now, lease=lease, lease_until=now + LEASE_MS))
        if job is None:
            return False
        try:
            finished = self._walk(job)
        except LeaseLost:
            _log.info("another instance has taken over %s", job.kind)
        except Exception as problem:  # noqa: BLE001 - a job that fails is tried again later
            _log.exception("%s failed, attempt %d", job.kind, job.attempts)
            error = f"{type(problem).__name__}: {problem}"[:500]
            retry_at = ctx.clock.now() + min(LONGEST_RETRY_MS, RETRY_MS * 2 ** min(job.attempts - 1, 10))
            ctx.metadata.write(lambda unit: unit.outbox.failed(job, error, retry_at))
        else:
            self._end(job, finished=finished)
        return True

    def _walk(self, job: Job) -> bool:
        """Go through the steps of a job; false when it was stopped in between."""
        with Heartbeat(self._ctx, job) as heartbeat:
            for _ in _steps(self._ctx, job):
                if self._stopping.is_set():
                    return False
                heartbeat.step_done()
        return True

    def _end(self, job: Job, *, finished: bool) -> None:
        now = self._ctx.clock.now()

        def work(unit: Unit) -> None:
            if not finished:
                # Whoever looks next goes on where this one stopped.
                unit.outbox.failed(job, "", now)
                return
            if job.kind in _CHORES:
                unit.outbox.put(job.kind, "", b"", now + _CHORES[job.kind].every)
            unit.outbox.done(job)

        self._ctx.metadata.write(work)


def plan(ctx: ServiceContext) -> None:
    """Put every chore into the outbox, unless it waits there already."""
    now = ctx.clock.now()

    def work(unit: Unit) -> None:
        for chore in PERIODIC_TASKS:
            unit.outbox.put(chore.name, "", b"", now + chore.every)

    ctx.metadata.write(work)


def _steps(ctx: ServiceContext, job: Job) -> Iterator[None]:
    if job.kind == PURGE:
        return maintenance.purge(ctx, int(job.subject))
    if job.kind == REMOVE_ACCOUNT:
        return deletion.remove_account(ctx, int(job.subject))
    return _CHORES[job.kind].steps(ctx)
