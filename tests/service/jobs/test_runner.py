"""Background work: jobs are shared between instances, tried again, and can be stopped at any moment."""

import queue
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest
from tests.end_to_end.filling import Filler
from tests.server.api import HeldClock
from tests.service.pacing import hold_pace

from skyshelf.service.accounts import accounts
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.files import trash
from skyshelf.service.jobs import leases, maintenance, runner
from skyshelf.service.jobs.leases import LEASE_MS
from skyshelf.service.jobs.maintenance import HOUR, PERIODIC_TASKS, PeriodicTask
from skyshelf.service.jobs.runner import Background, plan


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the chores that ran; each does nothing but this."""
    names: list[str] = []

    def noting(name: str) -> PeriodicTask:
        def steps(_: ServiceContext) -> Iterator[None]:
            names.append(name)
            yield

        return PeriodicTask(name, next(chore.every for chore in PERIODIC_TASKS if chore.name == name), steps)

    monkeypatch.setattr(runner, "_CHORES", {chore.name: noting(chore.name) for chore in PERIODIC_TASKS})
    return names


def next_due(ctx: ServiceContext) -> int | None:
    with ctx.metadata.read() as unit:
        return unit.outbox.next_due(runner.KINDS)


def work_off(*workers: Background) -> None:
    while sum(worker.work_once() for worker in workers):
        pass


def test_every_chore_comes_back_after_its_time(ctx: ServiceContext, clock: HeldClock, ran: list[str]) -> None:
    plan(ctx)
    worker = Background(ctx)
    work_off(worker)
    assert ran == []
    clock.advance(ms=HOUR)
    work_off(worker)
    assert sorted(ran) == ["forgotten-logins", "idle-blobs", "retention", "stale-uploads"]
    work_off(worker)
    assert len(ran) == 4
    clock.advance(days=1)
    work_off(worker)
    assert sorted(ran[4:]) == sorted(chore.name for chore in PERIODIC_TASKS)


def test_several_instances_share_the_work_and_double_nothing(
    ctx: ServiceContext, clock: HeldClock, ran: list[str]
) -> None:
    workers = [Background(ctx) for _ in range(3)]
    for _ in workers:
        plan(ctx)
    clock.advance(ms=HOUR)
    threads = [threading.Thread(target=work_off, args=(worker,)) for worker in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(ran) == ["forgotten-logins", "idle-blobs", "retention", "stale-uploads"]


def test_a_restart_does_not_run_everything_again(ctx: ServiceContext, clock: HeldClock, ran: list[str]) -> None:
    plan(ctx)
    for _ in range(7):
        clock.advance(minutes=10)
        plan(ctx)
        work_off(Background(ctx))
    assert sorted(ran) == ["forgotten-logins", "idle-blobs", "retention", "stale-uploads"]


def test_a_worker_that_died_is_taken_over_when_its_lease_ends(
    ctx: ServiceContext, clock: HeldClock, ran: list[str]
) -> None:
    plan(ctx)
    clock.advance(ms=HOUR)
    now = clock.now()
    for _ in range(4):
        ctx.metadata.write(lambda unit: unit.outbox.claim(runner.KINDS, now, lease="dead", lease_until=now + LEASE_MS))
    work_off(Background(ctx))
    assert ran == []
    clock.advance(ms=LEASE_MS)
    work_off(Background(ctx))
    assert len(ran) == 4


def test_a_job_that_fails_is_tried_again_later_and_seldomer_each_time(
    ctx: ServiceContext, clock: HeldClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tries: list[int] = []

    def broken(_: ServiceContext) -> Iterator[None]:
        tries.append(clock.now())
        yield
        raise RuntimeError("no luck")

    monkeypatch.setattr(runner, "_CHORES", {"retention": PeriodicTask("retention", HOUR, broken)})
    monkeypatch.setattr(runner, "KINDS", ("retention",))
    ctx.metadata.write(lambda unit: unit.outbox.put("retention", "", b"", clock.now()))
    worker = Background(ctx)
    for _ in range(300):
        worker.work_once()
        clock.advance(minutes=1)
    pauses = [(later - earlier) // 60_000 for earlier, later in pairwise(tries)]
    assert pauses[:6] == [1, 2, 4, 8, 16, 32]
    assert set(pauses[6:]) == {60}
    with ctx.metadata.read() as unit:
        [(kind, _, attempts, error)] = unit.outbox.errors(10)
    assert (kind, attempts, error) == ("retention", len(tries), "RuntimeError: no luck")


def test_a_long_job_keeps_its_lease(ctx: ServiceContext, clock: HeldClock, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[bool] = []

    def long(_ctx: ServiceContext) -> Iterator[None]:
        for _ in range(10):
            clock.advance(ms=LEASE_MS // 2 + 1)
            yield
            seen.append(Background(ctx).work_once())

    monkeypatch.setattr(runner, "_CHORES", {"retention": PeriodicTask("retention", HOUR, long)})
    ctx.metadata.write(lambda unit: unit.outbox.put("retention", "", b"", clock.now()))
    assert Background(ctx).work_once()
    assert seen == [False] * 10


def test_a_step_that_takes_long_keeps_the_lease(
    ctx: ServiceContext, clock: HeldClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is done between steps here: the heartbeat alone tells that the worker lives."""
    taken: list[bool] = []

    def one_long_step(_ctx: ServiceContext) -> Iterator[None]:
        for _ in range(3):
            due = next_due(ctx)
            clock.advance(ms=LEASE_MS - 1)
            while next_due(ctx) == due:
                beaten.wait(0.01)
            taken.append(Background(ctx).work_once())
        yield

    beaten = threading.Event()
    monkeypatch.setattr(leases, "BEAT_SECONDS", 0.01)
    monkeypatch.setattr(runner, "_CHORES", {"retention": PeriodicTask("retention", HOUR, one_long_step)})
    ctx.metadata.write(lambda unit: unit.outbox.put("retention", "", b"", clock.now()))
    assert Background(ctx).work_once()
    assert taken == [False] * 3


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
        ctx.metadata.write(
            lambda unit: unit.outbox.claim(["retention"], now, lease="other", lease_until=now + LEASE_MS)
        )
        steps.append(thread.is_alive())
        yield
        steps.append(True)

    monkeypatch.setattr(leases, "LONGEST_STEP_SECONDS", 0.0)
    monkeypatch.setattr(leases, "BEAT_SECONDS", 0.01)
    monkeypatch.setattr(runner, "_CHORES", {"retention": PeriodicTask("retention", HOUR, hanging)})
    ctx.metadata.write(lambda unit: unit.outbox.put("retention", "", b"", clock.now()))
    assert Background(ctx).work_once()
    assert steps == [False]


def test_what_a_killed_worker_had_goes_on_when_its_lease_ends_and_not_with_the_next_look(
    ctx: ServiceContext, clock: HeldClock, ran: list[str]
) -> None:
    now = clock.now()
    ctx.metadata.write(lambda unit: unit.outbox.put("retention", "", b"", now))
    ctx.metadata.write(lambda unit: unit.outbox.claim(["retention"], now, lease="dead", lease_until=now + 600))
    worker = Background(ctx, look_seconds=3600)
    worker.start()
    clock.advance(ms=600)
    for _ in range(6000):
        if ran:
            break
        threading.Event().wait(0.01)
    worker.stop()
    assert ran == ["retention"]


def test_two_workers_at_one_purge_do_no_harm(
    ctx: ServiceContext, clock: HeldClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One whose lease ended while it was held up does not know that another one goes on."""
    account = accounts.add_account(ctx, "ada@example.org", "Ada", "Byron", "correct horse battery")
    filler = Filler(ctx, account)
    filler.fill_trash(100)
    _, kept = filler.files(3, filler.folder("kept"))
    ctx.metadata.write(lambda unit: unit.files.mark_all_for_deletion(account.account_id, clock.now()))
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


def test_a_worker_that_has_lost_its_lease_stops(
    ctx: ServiceContext, clock: HeldClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = 0

    def slow(_ctx: ServiceContext) -> Iterator[None]:
        nonlocal steps
        for _ in range(10):
            steps += 1
            clock.advance(ms=LEASE_MS + 1)
            now = clock.now()
            ctx.metadata.write(
                lambda unit, now=now: unit.outbox.claim(["retention"], now, lease="other", lease_until=now + LEASE_MS)  # type: ignore[misc]
            )
            yield

    monkeypatch.setattr(runner, "_CHORES", {"retention": PeriodicTask("retention", HOUR, slow)})
    ctx.metadata.write(lambda unit: unit.outbox.put("retention", "", b"", clock.now()))
    Background(ctx).work_once()
    assert steps == 1


def test_a_stop_ends_after_the_step_and_the_next_worker_goes_on_at_once(
    ctx: ServiceContext, clock: HeldClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    running, done = threading.Event(), 0

    def endless(_: ServiceContext) -> Iterator[None]:
        nonlocal done
        while True:
            running.set()
            done += 1
            yield

    monkeypatch.setattr(runner, "_CHORES", {"retention": PeriodicTask("retention", HOUR, endless)})
    ctx.metadata.write(lambda unit: unit.outbox.put("retention", "", b"", clock.now()))
    worker = Background(ctx, look_seconds=60)
    worker.start()
    assert running.wait(10)
    worker.stop()
    now = clock.now()
    job = ctx.metadata.write(lambda unit: unit.outbox.claim(["retention"], now, lease="next", lease_until=now + 1))
    assert job is not None
    assert done >= 1


def test_a_purge_that_was_asked_for_is_done(ctx: ServiceContext, clock: HeldClock) -> None:
    account = accounts.add_account(ctx, "ada@example.org", "Ada", "Byron", "correct horse battery")
    ctx.metadata.write(lambda unit: maintenance.ask_for_purge(unit, account.account_id, clock.now()))
    worker = Background(ctx)
    assert worker.work_once()
    assert not worker.work_once()


def test_a_store_that_is_away_for_a_while_does_not_end_the_thread(
    ctx: ServiceContext, clock: HeldClock, ran: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from skyshelf.storage.errors import StoreUnavailable

    failed = threading.Event()
    plan(ctx)
    clock.advance(ms=HOUR)
    real = Background.work_once

    def away_once(self: Background) -> bool:
        if not failed.is_set():
            failed.set()
            raise StoreUnavailable("away")
        return real(self)

    monkeypatch.setattr(Background, "work_once", away_once)
    worker = Background(ctx, look_seconds=0.01)
    worker.start()
    for _ in range(6000):
        if len(ran) == 4:
            break
        threading.Event().wait(0.01)
    worker.stop()
    assert len(ran) == 4


def test_emptying_the_trash_is_not_left_until_the_next_look(
    ctx: ServiceContext, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The room is free within moments, although nobody would have looked for a day."""
    purged: queue.Queue[int] = queue.Queue()
    looked = threading.Event()
    real = Background._seconds_to_the_next_look

    def about_to_wait(self: Background) -> float:
        looked.set()
        return real(self)

    monkeypatch.setattr(Background, "_seconds_to_the_next_look", about_to_wait)

    def noting(_: ServiceContext, account_id: int) -> Iterator[None]:
        purged.put(account_id)
        yield

    monkeypatch.setattr(maintenance, "purge", noting)
    worker = Background(ctx, look_seconds=24 * 60 * 60)
    worker.start()
    try:
        assert looked.wait(60)
        trash.empty_trash(ctx, caller)
        assert purged.get(timeout=60) == caller.account_id
    finally:
        worker.stop()


def test_the_store_is_asked_at_every_look_whether_it_has_grown(
    ctx: ServiceContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Never in a request: what a database does then takes as long as it takes."""
    asked: queue.SimpleQueue[str] = queue.SimpleQueue()
    monkeypatch.setattr(ctx.metadata, "analyze_grown_tables", lambda: asked.put(threading.current_thread().name))
    worker = Background(ctx, look_seconds=0.01)
    worker.start()
    try:
        assert {asked.get(timeout=60) for _ in range(3)} == {"skyshelf-background"}
    finally:
        worker.stop()
