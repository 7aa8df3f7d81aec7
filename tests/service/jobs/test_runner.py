"""JobRunner work: jobs are shared between instances, tried again, and can be stopped at any moment."""

import queue
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TypeVar

import pytest
from msgspec.structs import replace
from tests.end_to_end.filling import Filler
from tests.server.api import HeldClock
from tests.service.pacing import hold_pace

from skyshelf.service.accounts import accounts
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.files import trash
from skyshelf.service.history import logs
from skyshelf.service.jobs import contents, maintenance, runner
from skyshelf.service.jobs.maintenance import HOUR, PERIODIC_TASKS, PeriodicTask
from skyshelf.service.jobs.runner import LEASE_MS, MEDIA_JOBS, JobRunner
from skyshelf.storage.errors import StoreUnavailable
from skyshelf.storage.metadata.store import MetadataStore, Unit

T = TypeVar("T")

TASK = "expire-trash"
HOURLY = [
    "advance-generation",
    "collect-unreferenced-blobs",
    "empty-quarantine",
    "expire-attempts",
    "expire-events",
    "expire-history",
    "expire-sessions",
    "expire-trash",
    "expire-uploads",
    "log-history",
    "merge-search-index",
    "re-encode",
]


class NotingTasks:
    """The periodic tasks, each of which only notes that it ran."""

    def __init__(self) -> None:
        self.ran: list[str] = []
        self.tasks = [self._noting(task) for task in PERIODIC_TASKS]

    def _noting(self, task: PeriodicTask) -> PeriodicTask:
        def steps(_: ServiceContext) -> Iterator[None]:
            self.ran.append(task.name)
            yield

        return PeriodicTask(task.name, task.every, steps)


@pytest.fixture
def noting() -> NotingTasks:
    return NotingTasks()


def runner_of(ctx: ServiceContext, steps: Callable[[ServiceContext], Iterator[None]]) -> JobRunner:
    """A runner whose one task takes these steps, and is due."""
    ctx.metadata.write(lambda unit: unit.outbox.put(TASK, "", b"", ctx.clock.now()))
    return JobRunner(ctx, tasks=[PeriodicTask(TASK, HOUR, steps)])


def next_due(ctx: ServiceContext) -> int | None:
    with ctx.metadata.read() as unit:
        return unit.outbox.next_due([TASK])


def wait_until(condition: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.01)


def work_off(*workers: JobRunner) -> None:
    while sum(worker.work_once() for worker in workers):
        pass


def test_every_task_comes_back_after_its_time(ctx: ServiceContext, clock: HeldClock, noting: NotingTasks) -> None:
    worker = JobRunner(ctx, tasks=noting.tasks)
    worker.schedule()
    work_off(worker)
    assert noting.ran == []
    clock.advance(ms=HOUR)
    work_off(worker)
    assert sorted(noting.ran) == HOURLY
    work_off(worker)
    assert len(noting.ran) == len(HOURLY)
    clock.advance(days=1)
    work_off(worker)
    assert sorted(noting.ran[len(HOURLY) :]) == sorted(task.name for task in PERIODIC_TASKS)


def test_a_look_at_an_outbox_in_which_nothing_is_due_writes_nothing(ctx: ServiceContext, noting: NotingTasks) -> None:
    JobRunner(ctx, tasks=noting.tasks).schedule()

    class Reading:
        read = ctx.metadata.read

    still = replace(ctx, metadata=Reading())
    assert not JobRunner(still, jobs=MEDIA_JOBS, tasks=()).work_once()


def test_several_instances_share_the_work_and_double_nothing(
    ctx: ServiceContext, clock: HeldClock, noting: NotingTasks
) -> None:
    workers = [JobRunner(ctx, tasks=noting.tasks) for _ in range(3)]
    for worker in workers:
        worker.schedule()
    clock.advance(ms=HOUR)
    threads = [threading.Thread(target=work_off, args=(worker,)) for worker in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(noting.ran) == HOURLY


def test_a_restart_does_not_run_everything_again(ctx: ServiceContext, clock: HeldClock, noting: NotingTasks) -> None:
    JobRunner(ctx, tasks=noting.tasks).schedule()
    for _ in range(7):
        clock.advance(minutes=10)
        worker = JobRunner(ctx, tasks=noting.tasks)
        worker.schedule()
        work_off(worker)
    often = {contents.COLLECT, "merge-search-index", logs.TASK, "advance-generation"}  # at least every ten minutes
    once = [name for name in HOURLY if name not in often]
    assert sorted(name for name in noting.ran if name not in often) == once


def test_a_worker_that_died_is_taken_over_when_its_lease_ends(
    ctx: ServiceContext, clock: HeldClock, noting: NotingTasks
) -> None:
    worker = JobRunner(ctx, tasks=noting.tasks)
    worker.schedule()
    clock.advance(ms=HOUR)
    now = clock.now()
    for _ in HOURLY:
        ctx.metadata.write(lambda unit: unit.outbox.claim(HOURLY, now, lease="dead", lease_until=now + LEASE_MS))
    work_off(worker)
    assert noting.ran == []
    clock.advance(ms=LEASE_MS)
    work_off(worker)
    assert len(noting.ran) == len(HOURLY)


def test_a_job_that_fails_is_retried_less_often_each_time(
    ctx: ServiceContext, clock: HeldClock, caplog: pytest.LogCaptureFixture
) -> None:
    attempts: list[int] = []

    def broken(_: ServiceContext) -> Iterator[None]:
        attempts.append(clock.now())
        yield
        raise RuntimeError("no luck")

    worker = runner_of(ctx, broken)
    for _ in range(300):
        worker.work_once()
        clock.advance(minutes=1)
    pauses = [(later - earlier) // 60_000 for earlier, later in pairwise(attempts)]
    assert pauses[:6] == [1, 2, 4, 8, 16, 32]
    assert set(pauses[6:]) == {60}
    with ctx.metadata.read() as unit:
        [(kind, _, counted, error)] = unit.outbox.errors(10)
    assert (kind, counted, error) == (TASK, len(attempts), "RuntimeError: no luck")


def test_a_long_job_keeps_its_lease(ctx: ServiceContext, clock: HeldClock, noting: NotingTasks) -> None:
    claimed: list[bool] = []

    def long(_ctx: ServiceContext) -> Iterator[None]:
        for _ in range(10):
            clock.advance(ms=LEASE_MS // 2 + 1)
            yield
            claimed.append(JobRunner(ctx, tasks=noting.tasks).work_once())

    assert runner_of(ctx, long).work_once()
    assert claimed == [False] * 10


def test_a_step_that_takes_long_keeps_the_lease(
    ctx: ServiceContext, clock: HeldClock, noting: NotingTasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing happens between steps here: only the heartbeat shows that the worker lives."""
    claimed: list[bool] = []

    def one_long_step(_ctx: ServiceContext) -> Iterator[None]:
        for _ in range(3):
            due = next_due(ctx)
            clock.advance(ms=LEASE_MS - 1)
            wait_until(lambda due=due: next_due(ctx) != due)  # type: ignore[misc]
            claimed.append(JobRunner(ctx, tasks=noting.tasks).work_once())
        yield

    monkeypatch.setattr(runner, "BEAT_SECONDS", 0.01)
    assert runner_of(ctx, one_long_step).work_once()
    assert claimed == [False] * 3


def test_a_step_that_hangs_loses_the_job(
    ctx: ServiceContext, clock: HeldClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[bool] = []
    before = set(threading.enumerate())

    def hanging(_ctx: ServiceContext) -> Iterator[None]:
        (thread,) = (one for one in set(threading.enumerate()) - before if one.name == "skyshelf-heartbeat")
        thread.join(60)
        clock.advance(ms=LEASE_MS + 1)
        now = clock.now()
        ctx.metadata.write(lambda unit: unit.outbox.claim([TASK], now, lease="other", lease_until=now + LEASE_MS))
        steps.append(thread.is_alive())
        yield
        steps.append(True)

    monkeypatch.setattr(runner, "LONGEST_STEP_SECONDS", 0.0)
    monkeypatch.setattr(runner, "BEAT_SECONDS", 0.01)
    assert runner_of(ctx, hanging).work_once()
    assert steps == [False]


def test_the_job_of_a_killed_worker_continues_when_its_lease_ends_and_not_at_the_next_poll(
    ctx: ServiceContext, clock: HeldClock, noting: NotingTasks
) -> None:
    now = clock.now()
    ctx.metadata.write(lambda unit: unit.outbox.put(TASK, "", b"", now))
    ctx.metadata.write(lambda unit: unit.outbox.claim([TASK], now, lease="dead", lease_until=now + 600))
    worker = JobRunner(ctx, tasks=noting.tasks, poll_seconds=3600)
    worker.start()
    try:
        assert worker.idle.wait(60)
        clock.advance(ms=600)
        wait_until(lambda: bool(noting.ran))
    finally:
        worker.stop()
    assert noting.ran == [TASK]


def test_two_workers_at_one_purge_do_no_harm(
    ctx: ServiceContext, clock: HeldClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker whose lease expired while it was held up does not know that another one continues."""
    account = accounts.add_account(ctx, "ada@example.org", "Ada", "Byron", "correct horse battery")
    filler = Filler(ctx, account)
    filler.fill_trash(100)
    _, kept = filler.files(3, filler.folder("kept"))
    ctx.metadata.write(lambda unit: unit.purge.mark_all_for_deletion(account.account_id, clock.now()))
    hold_pace(monkeypatch, 7)
    both = threading.Barrier(2)

    def work() -> None:
        both.wait(60)
        for _ in maintenance.purge(ctx, account.account_id):
            pass

    with ThreadPoolExecutor(2) as pool:
        for worker in [pool.submit(work) for _ in range(2)]:
            worker.result()
    with ctx.metadata.snapshot() as unit:
        quota = unit.quotas.get(account.account_id, clock.now())
        assert quota == unit.quotas.recount(account.account_id, clock.now())
    assert quota.used == kept


def test_a_worker_that_has_lost_its_lease_stops(ctx: ServiceContext, clock: HeldClock) -> None:
    steps = 0

    def slow(_ctx: ServiceContext) -> Iterator[None]:
        nonlocal steps
        for _ in range(10):
            steps += 1
            clock.advance(ms=LEASE_MS + 1)
            now = clock.now()
            ctx.metadata.write(
                lambda unit, now=now: unit.outbox.claim([TASK], now, lease="other", lease_until=now + LEASE_MS)  # type: ignore[misc]
            )
            yield

    runner_of(ctx, slow).work_once()
    assert steps == 1


def test_a_stop_ends_after_the_step_and_the_next_worker_continues_at_once(
    ctx: ServiceContext, clock: HeldClock
) -> None:
    running, done = threading.Event(), 0

    def endless(_: ServiceContext) -> Iterator[None]:
        nonlocal done
        while True:
            running.set()
            done += 1
            yield

    worker = runner_of(ctx, endless)
    worker.start()
    assert running.wait(60)
    worker.stop()
    now = clock.now()
    job = ctx.metadata.write(lambda unit: unit.outbox.claim([TASK], now, lease="next", lease_until=now + 1))
    assert job is not None
    assert done >= 1


def test_an_enqueued_purge_is_run(ctx: ServiceContext, clock: HeldClock) -> None:
    account = accounts.add_account(ctx, "ada@example.org", "Ada", "Byron", "correct horse battery")
    ctx.metadata.write(lambda unit: trash.enqueue_purge(unit, account.account_id, clock.now()))
    worker = JobRunner(ctx)
    assert worker.work_once()
    assert not worker.work_once()


class AwayOnce:
    """A metadata store that is unavailable for the first claim of a job."""

    def __init__(self, store: MetadataStore) -> None:
        self.read, self.snapshot = store.read, store.snapshot
        self.check, self.close = store.check, store.close
        self.analyze_grown_tables, self.note_bulk_write = store.analyze_grown_tables, store.note_bulk_write
        self._store = store
        self._writes = 0

    def write(self, work: Callable[[Unit], T]) -> T:
        self._writes += 1
        if self._writes == 2:  # the first one schedules the tasks
            raise StoreUnavailable("away")
        return self._store.write(work)


def test_a_store_that_is_unavailable_for_a_while_does_not_end_the_thread(
    ctx: ServiceContext, clock: HeldClock, noting: NotingTasks
) -> None:
    JobRunner(ctx, tasks=noting.tasks).schedule()
    clock.advance(ms=HOUR)
    worker = JobRunner(replace(ctx, metadata=AwayOnce(ctx.metadata)), tasks=noting.tasks, poll_seconds=0.01)
    worker.start()
    try:
        wait_until(lambda: len(noting.ran) == len(HOURLY))
    finally:
        worker.stop()
    assert sorted(noting.ran) == HOURLY


def test_emptying_the_trash_wakes_the_runner(ctx: ServiceContext, caller: Caller) -> None:
    """The space is free within moments, although the next poll is a day away."""
    worker = JobRunner(ctx, poll_seconds=24 * 60 * 60)
    worker.start()
    try:
        assert worker.idle.wait(60)
        before = ctx.clock.now()
        trash.empty_trash(ctx, caller)

        def is_purged() -> bool:
            with ctx.metadata.read() as unit:
                return unit.outbox.next_due([trash.PURGE]) is None

        wait_until(is_purged)
        assert ctx.clock.now() == before, "no time has passed that would have made a job due"
    finally:
        worker.stop()


def test_the_store_is_asked_at_every_poll_whether_it_has_grown(
    ctx: ServiceContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Never in a request: the database may take its time."""
    asked: queue.SimpleQueue[str] = queue.SimpleQueue()
    monkeypatch.setattr(ctx.metadata, "analyze_grown_tables", lambda: asked.put(threading.current_thread().name))
    worker = JobRunner(ctx, poll_seconds=0.01)
    worker.start()
    try:
        assert {asked.get(timeout=60) for _ in range(3)} == {"skyshelf-background"}
    finally:
        worker.stop()
