"""The job runner: a thread per process that works off the outbox, which all instances share.

A lease is short and renewed for as long as its worker lives, so another process continues a killed process's job within
seconds.
"""

import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence

from skyshelf.service.accounts.deletion import REMOVE_ACCOUNT
from skyshelf.service.context import ServiceContext
from skyshelf.service.files.capture_dates import READ_DATES, read_dates
from skyshelf.service.files.rewind import REWIND
from skyshelf.service.files.trash import PURGE
from skyshelf.service.jobs import maintenance
from skyshelf.service.jobs.brakes import STOPPED, BrakePulled
from skyshelf.service.jobs.clock_watch import ClockWatch
from skyshelf.service.jobs.contents import relieve_disk
from skyshelf.service.jobs.leases import LEASE_MS, Heartbeat, LeaseLost
from skyshelf.service.jobs.maintenance import PERIODIC_TASKS, PeriodicTask
from skyshelf.service.jobs.rewind import rewind
from skyshelf.service.jobs.watching import JobRun, job_runs
from skyshelf.service.mail.outgoing import SEND_MAIL, send_mail, tell_owner
from skyshelf.service.retention import load_retention
from skyshelf.storage.errors import StorageError, StoreFull, StoreReadOnly
from skyshelf.storage.metadata.alarms.contract import TELL_OWNER
from skyshelf.storage.metadata.contracts.jobs import Job
from skyshelf.storage.metadata.store import Unit
from skyshelf.storage.thread_names import show_thread_name

_log = logging.getLogger("skyshelf.background")

POLL_SECONDS = 10.0
SHORTEST_POLL_SECONDS = 0.5
RETRY_MS = 60 * 1000
LONGEST_RETRY_MS = 60 * 60 * 1000
STOPPED_RETRY_MS = 60 * 60 * 1000

Steps = Callable[[ServiceContext, str], Iterator[None]]
"""What a job does, in steps; the string is the subject of the job."""
ACCOUNT_JOBS: Mapping[str, Steps] = {
    PURGE: lambda ctx, subject: maintenance.purge(ctx, int(subject)),
    REMOVE_ACCOUNT: lambda ctx, subject: maintenance.remove_account(ctx, int(subject)),
    TELL_OWNER: lambda ctx, subject: tell_owner(ctx, int(subject)),
}
# These have a separate runner: a file can keep a worker busy, and other jobs do not wait for that.
MEDIA_JOBS: Mapping[str, Steps] = {READ_DATES: read_dates}
# A mail server may take its time.
MAIL_JOBS: Mapping[str, Steps] = {SEND_MAIL: send_mail}
# A rewind of a large account takes minutes.
REWIND_JOBS: Mapping[str, Steps] = {REWIND: rewind}


class JobRunner:
    """Works until it is stopped. A stop waits for the current step, never for the whole job."""

    def __init__(
        self,
        ctx: ServiceContext,
        *,
        jobs: Mapping[str, Steps] = ACCOUNT_JOBS,
        tasks: Sequence[PeriodicTask] = PERIODIC_TASKS,
        poll_seconds: float = POLL_SECONDS,
    ) -> None:
        self._ctx = ctx
        self._tasks = {task.name: task for task in tasks}
        self._clock_watch = ClockWatch(ctx)
        self._jobs = jobs
        self._kinds = (*jobs, *self._tasks)
        self._poll_seconds = poll_seconds
        self._stopping = threading.Event()
        self._awake = threading.Event()
        self.idle = threading.Event()
        """Set while the runner waits for work."""
        ctx.job_notifier.subscribe(self._awake)
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
        now = self._ctx.clock.now()

        def work(unit: Unit) -> None:
            for task in self._tasks.values():
                unit.outbox.put(task.name, "", b"", now if task.is_due_at_start(unit) else now + task.every)

        self._ctx.metadata.write(work)

    def work_once(self) -> bool:
        """Run one job that is due; false when there is none."""
        ctx = self._ctx
        self._clock_watch.look()
        lease, now = ctx.new_key(), ctx.clock.now()
        job = ctx.metadata.write(
            lambda unit: unit.outbox.claim(self._kinds, now, lease=lease, lease_until=now + LEASE_MS)
        )
        if job is None:
            return False
        with job_runs.running(job.kind) as run:
            self._carry_out(job, run)
        return True

    def _carry_out(self, job: Job, run: JobRun) -> None:
        ctx = self._ctx
        try:
            finished = self._run_steps(job)
        except BrakePulled:
            # It has logged why.
            run.outcome = "stopped"
            retry_at = ctx.clock.now() + STOPPED_RETRY_MS
            ctx.metadata.write(lambda unit: unit.outbox.failed(job, STOPPED, retry_at))
        except StoreReadOnly:
            # Its lease ends on its own, and another run continues it.
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
            self._ctx.reservations.disk.observe()
            try:
                load_retention(self._ctx)
                relieve_disk(self._ctx)
                if not scheduled:
                    self.schedule()
                    scheduled = True
                while not self._stopping.is_set() and self.work_once():
                    pass
                self._ctx.metadata.analyze_grown_tables()
            except StoreReadOnly:
                _log.debug("background work rests in read-only mode")
            except StorageError as problem:
                _log.warning("background work is waiting for the store: %s", problem)
            except Exception:  # noqa: BLE001 - no job may end the thread
                _log.exception("background work failed")
            if not self._stopping.is_set():
                self._wait()

    def _wait(self) -> None:
        """Until the next job is due, a dead worker's lease expires or a notification comes.

        Never longer than the poll interval, because other processes add jobs, too.
        """
        try:
            with self._ctx.metadata.read() as unit:
                due = unit.outbox.next_due(self._kinds)
        except StorageError:
            due = None
        seconds = self._poll_seconds
        if due is not None:
            seconds = min(seconds, max(SHORTEST_POLL_SECONDS, (due - self._ctx.clock.now()) / 1000))
        self.idle.set()
        self._awake.wait(seconds)
        self.idle.clear()

    def _run_steps(self, job: Job) -> bool:
        """Run the steps of a job; false when it was stopped between two of them."""
        with Heartbeat(self._ctx, job) as heartbeat:
            for _ in self._steps(job):
                if self._stopping.is_set():
                    return False
                heartbeat.step_done()
        return True

    def _steps(self, job: Job) -> Iterator[None]:
        task = self._tasks.get(job.kind)
        deletes_by_age = job.kind == REMOVE_ACCOUNT if task is None else task.deletes_by_age
        if deletes_by_age and not self._clock_watch.is_trusted():
            raise BrakePulled("the clock is in doubt")
        return self._jobs[job.kind](self._ctx, job.subject) if task is None else task.steps(self._ctx)

    def _end(self, job: Job, *, finished: bool) -> None:
        now = self._ctx.clock.now()

        def work(unit: Unit) -> None:
            if not finished:
                # The next worker continues where this one stopped.
                unit.outbox.failed(job, "", now)
                return
            if job.kind in self._tasks:
                unit.outbox.put(job.kind, "", b"", now + self._tasks[job.kind].every)
            unit.outbox.done(job)

        self._ctx.metadata.write(work)
