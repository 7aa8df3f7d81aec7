"""The job runner: a thread per process that works off the outbox, which all instances share.

A lease is short and renewed as long as its worker lives, so another process continues a killed process's job within
seconds.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from types import TracebackType
from typing import Final, Literal, Self

from skyshelf.service.accounts.own_account import REMOVE_ACCOUNT
from skyshelf.service.context import ServiceContext
from skyshelf.service.files.capture_dates import READ_DATES, read_dates
from skyshelf.service.files.trash import PURGE
from skyshelf.service.history.rewinds import REWIND
from skyshelf.service.integrity import leftovers
from skyshelf.service.integrity.leftovers import LeftoverWatch
from skyshelf.service.jobs import maintenance
from skyshelf.service.jobs.brakes import STOPPED, BrakePulled, ClockWatch
from skyshelf.service.jobs.contents import relieve_disk
from skyshelf.service.jobs.orphans import SWEEP
from skyshelf.service.jobs.removal import remove_account
from skyshelf.service.mail.outgoing import SEND_MAIL, send_mail, tell_owner
from skyshelf.service.retention import load_retention
from skyshelf.storage.errors import StorageError, StoreFull, StoreReadOnly
from skyshelf.storage.metadata.alarms import TELL_OWNER
from skyshelf.storage.metadata.contracts.jobs import Job
from skyshelf.storage.metadata.store import Unit
from skyshelf.storage.thread_names import show_thread_name

# Figures: how often jobs run, how long, and how they end

Outcome = Literal["done", "failed", "stopped", "interrupted"]


@dataclass
class JobRun:
    """One run of a job; `outcome` is set before it ends."""

    outcome: Outcome = "interrupted"


Around = Callable[[str, JobRun], AbstractContextManager[None]]
"""Wraps a run; called with the kind of the job and the run before it begins."""


@dataclass
class JobFigures:
    """Totals of the runs of one kind since they were last taken."""

    outcomes: dict[Outcome, int] = field(default_factory=dict)
    seconds: float = 0.0
    done_at: float = 0.0
    """When one last succeeded, in seconds since the epoch; 0 if none did."""


class JobRuns:
    """The figures of all runs in a process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._figures: dict[str, JobFigures] = {}
        self.around: Around | None = None
        """Traces the runs, if tracing is on."""

    @contextmanager
    def running(self, kind: str) -> Iterator[JobRun]:
        run, began = JobRun(), time.monotonic()
        try:
            with nullcontext() if self.around is None else self.around(kind, run):
                yield run
        finally:
            with self._lock:
                figures = self._figures.setdefault(kind, JobFigures())
                figures.outcomes[run.outcome] = figures.outcomes.get(run.outcome, 0) + 1
                figures.seconds += time.monotonic() - began
                if run.outcome == "done":
                    figures.done_at = time.time()

    def take(self) -> dict[str, JobFigures]:
        """Return and reset the totals."""
        with self._lock:
            taken, self._figures = self._figures, {}
        return taken


job_runs: Final = JobRuns()
"""The figures of this process."""


_log = logging.getLogger("skyshelf.background")

POLL_SECONDS = 10.0
SHORTEST_POLL_SECONDS = 0.5
RETRY_MS = 60 * 1000
LONGEST_RETRY_MS = 60 * 60 * 1000
STOPPED_RETRY_MS = 60 * 60 * 1000

Steps = Callable[[ServiceContext, str], Iterator[None]]
"""The steps of a job; the string is its subject."""
ACCOUNT_JOBS: Mapping[str, Steps] = {
    PURGE: lambda ctx, subject: maintenance.purge(ctx, int(subject)),
    REMOVE_ACCOUNT: lambda ctx, subject: remove_account(ctx, int(subject)),
    TELL_OWNER: lambda ctx, subject: tell_owner(ctx, int(subject)),
}
# These have a separate runner: a file can keep a worker busy, and other jobs should not wait for that.
MEDIA_JOBS: Mapping[str, Steps] = {READ_DATES: read_dates}
# A mail server may take its time.
MAIL_JOBS: Mapping[str, Steps] = {SEND_MAIL: send_mail}
# A rewind of a large account takes minutes.
REWIND_JOBS: Mapping[str, Steps] = {REWIND: maintenance.rewind}
ADDING: Final = frozenset(
    {REWIND, READ_DATES, maintenance.ADVANCE_GENERATION, maintenance.MERGE_INDEX, maintenance.RE_ENCODE}
)
"""Jobs that free nothing, and write as much as there is to do."""


# Running


@dataclass(eq=False)
class JobRunner:
    """Works until it is stopped. A stop waits for the current step, never for the whole job."""

    ctx: ServiceContext
    jobs: Mapping[str, Steps] = field(default_factory=lambda: ACCOUNT_JOBS)
    tasks: Sequence[maintenance.PeriodicTask] = maintenance.PERIODIC_TASKS
    poll_seconds: float = POLL_SECONDS

    def __post_init__(self) -> None:
        self._tasks = {task.name: task for task in self.tasks}
        self._clock_watch = ClockWatch(self.ctx)
        self._leftovers = LeftoverWatch()
        self._kinds = (*self.jobs, *self._tasks)
        self._is_first = SWEEP in self._tasks
        """Whether this is the one of the process's runners that looks after the process and the store."""
        self._due: int | None = None
        """When the next job was due at the last look; None if that is not known, as without the store."""
        self._stopping = threading.Event()
        self._awake = threading.Event()
        self.idle = threading.Event()
        """Set while the runner waits for work."""
        self.ctx.job_notifier.subscribe(self._awake)
        self._thread = threading.Thread(target=self._run, name="skyshelf-background", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._awake.set()
        if self._thread.is_alive():
            self._thread.join()

    def schedule(self) -> None:
        """Put every periodic task into the outbox; a task that already waits there stays as it is."""
        now = self.ctx.clock.now()

        def work(unit: Unit) -> None:
            for task in self._tasks.values():
                unit.outbox.put(task.name, "", b"", now if task.is_due_at_start(unit) else now + task.every)
            if self._is_first:
                # The process before this one may have been killed.
                leftovers.note(unit, now)

        self.ctx.metadata.write(work)

    def work_once(self) -> bool:
        """Run one job that is due; false when there is none. Where nothing is due, that costs one statement."""
        ctx = self.ctx
        if self._tasks:
            self._clock_watch.look()
        due = self._next_due()
        if due is None or due > ctx.clock.now():
            return False
        lease, now, kinds = ctx.new_key(), ctx.clock.now(), self._working()
        job = ctx.metadata.write(lambda unit: unit.outbox.claim(kinds, now, lease=lease, lease_until=now + LEASE_MS))
        if job is None:
            return False
        with job_runs.running(job.kind) as run:
            self._carry_out(job, run)
        return True

    def _next_due(self) -> int | None:
        with self.ctx.metadata.read() as unit:
            self._due = unit.outbox.next_due(self._working())
        return self._due

    def _carry_out(self, job: Job, run: JobRun) -> None:
        ctx = self.ctx
        try:
            finished = self._run_steps(job)
        except BrakePulled:
            # The brake has logged why.
            run.outcome = "stopped"
            retry_at = ctx.clock.now() + STOPPED_RETRY_MS
            ctx.metadata.write(lambda unit: unit.outbox.failed(job, STOPPED, retry_at))
        except StoreReadOnly:
            # Its lease expires, and another run continues it.
            raise
        except LeaseLost:
            _log.info("another instance has taken over %s", job.kind)
        except Exception as problem:  # noqa: BLE001 - a failed job is retried later
            if isinstance(problem, StoreFull):
                ctx.reservations.disk.note_full()
            run.outcome = "failed"
            _log.exception("%s failed, attempt %d", job.kind, job.attempts)
            error = f"{type(problem).__name__}: {problem}"[:500]
            retry_at = ctx.clock.now() + min(LONGEST_RETRY_MS, RETRY_MS * 2 ** min(job.attempts - 1, 10))
            ctx.metadata.write(lambda unit: unit.outbox.failed(job, error, retry_at))
        else:
            self._end(job, finished=finished)
            run.outcome = "done" if finished else "interrupted"

    def _run(self) -> None:
        show_thread_name()
        scheduled = False
        while not self._stopping.is_set():
            # Cleared before the work: a notification during the work starts another round.
            self._awake.clear()
            self._due = None
            self.ctx.reservations.disk.observe()
            try:
                if self._is_first:
                    load_retention(self.ctx)
                    relieve_disk(self.ctx)
                    self._leftovers.look(self.ctx.metadata, self.ctx.clock.now())
                if not scheduled:
                    self.schedule()
                    scheduled = True
                while not self._stopping.is_set() and self.work_once():
                    pass
                if self._is_first:
                    self.ctx.metadata.analyze_grown_tables()
            except StoreReadOnly:
                _log.debug("background work rests in read-only mode")
            except StorageError as problem:
                _log.warning("background work is waiting for the store: %s", problem)
                if isinstance(problem, StoreFull):
                    self.ctx.reservations.disk.note_full()
            except Exception:  # noqa: BLE001 - no job may end the thread
                _log.exception("background work failed")
            if not self._stopping.is_set():
                self._wait()

    def _wait(self) -> None:
        """Wait until the next job is due, a dead worker's lease expires or a notification comes.

        Never longer than the poll interval, because other processes add jobs, too.
        """
        seconds, due = self.poll_seconds, self._due
        if due is not None:
            seconds = min(seconds, max(SHORTEST_POLL_SECONDS, (due - self.ctx.clock.now()) / 1000))
        self.idle.set()
        self._awake.wait(seconds)
        self.idle.clear()

    def _run_steps(self, job: Job) -> bool:
        """Run the steps of a job; false when it was stopped between two of them."""
        with Heartbeat(self.ctx, job) as heartbeat:
            for _ in self._steps(job):
                if self._stopping.is_set() or job.kind not in self._working():
                    return False
                heartbeat.step_done()
        return True

    def _working(self) -> Sequence[str]:
        """Return the kinds of jobs that may run now: below the disk's reserve, those that add something wait."""
        if self.ctx.reservations.disk.has_space():
            return self._kinds
        return [kind for kind in self._kinds if kind not in ADDING]

    def _steps(self, job: Job) -> Iterator[None]:
        task = self._tasks.get(job.kind)
        deletes_by_age = job.kind == REMOVE_ACCOUNT if task is None else task.deletes_by_age
        if deletes_by_age and not self._clock_watch.is_trusted():
            raise BrakePulled("the clock is in doubt")
        return self.jobs[job.kind](self.ctx, job.subject) if task is None else task.steps(self.ctx)

    def _end(self, job: Job, *, finished: bool) -> None:
        now = self.ctx.clock.now()

        def work(unit: Unit) -> None:
            if not finished:
                # The next worker continues where this one stopped.
                unit.outbox.failed(job, "", now)
                return
            if job.kind in self._tasks:
                unit.outbox.put(job.kind, "", b"", now + self._tasks[job.kind].every)
            unit.outbox.done(job)

        self.ctx.metadata.write(work)


LEASE_MS = 10 * 1000
BEAT_SECONDS = 2.0
# A worker whose step takes longer than this counts as dead: another one may claim its job.
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
        """Call after every step; raises LeaseLost if another worker has taken over."""
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
        """Renew the lease if part of it has passed, so rarely, however short the steps are."""
        with self._lock:
            now = self._ctx.clock.now()
            if self._is_lost or self._leased_until - now > LEASE_MS - 1000 * BEAT_SECONDS / 2:
                return
            until = now + LEASE_MS
            self._is_lost = not self._ctx.metadata.write(lambda unit: unit.outbox.extend(self._job, until))
            self._leased_until = until
