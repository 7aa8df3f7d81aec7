"""Jobs that delete stop where something is wrong, and say so."""

import logging
from collections.abc import Iterator

import pytest
from tests.operating.shelves import Shelf
from tests.operating.stacks import Stack
from tests.server.api import new_account

from skyshelf.service.context import ServiceContext
from skyshelf.service.jobs import brakes
from skyshelf.service.jobs.contents import empty_quarantine
from skyshelf.service.jobs.maintenance import DAY, HOUR, PERIODIC_TASKS, PeriodicTask
from skyshelf.service.jobs.orphans import SWEEP as SWEEP_ORPHANS
from skyshelf.service.jobs.orphans import sweep_orphans
from skyshelf.service.jobs.runner import JobRunner
from skyshelf.storage.identity import advance, check_identity
from skyshelf.storage.metadata.store import Unit

MANY = brakes.FEW + 1


@pytest.fixture
def shelf(stack: Stack) -> Shelf:
    return Shelf(stack, new_account(stack.ctx, "ada@example.org"))


def run_due(ctx: ServiceContext, *tasks: PeriodicTask) -> None:
    worker = JobRunner(ctx, tasks=tasks or PERIODIC_TASKS)
    worker.schedule()
    while worker.work_once():
        pass


def blobs_of(stack: Stack) -> set[str]:
    return {blob.location for blob in stack.ctx.blobs.list()}


def quarantined(stack: Stack) -> set[str]:
    with stack.ctx.metadata.read() as unit:
        return {one.location for one in unit.quarantine.page(limit=1000)}


def orphans(stack: Stack, count: int) -> set[str]:
    return {stack.ctx.blobs.put([b"nobody knows %d" % number]).location for number in range(count)}


def test_a_store_full_of_unknown_blobs_is_not_swept(
    stack: Stack, shelf: Shelf, caplog: pytest.LogCaptureFixture
) -> None:
    shelf.file("a.txt", b"known")
    unknown = orphans(stack, MANY)
    before = blobs_of(stack)
    stack.clock.advance(days=2)
    with pytest.raises(brakes.BrakePulled), caplog.at_level(logging.ERROR):
        list(sweep_orphans(stack.ctx))
    assert blobs_of(stack) == before
    assert "has deleted nothing" in caplog.text
    [brake] = brakes.brakes(stack.ctx)
    assert (brake.task, brake.since) == (SWEEP_ORPHANS, stack.clock.now())
    assert f"{MANY:,} of {MANY + 1:,} blobs" in brake.reason

    assert brakes.release(stack.ctx, SWEEP_ORPHANS, "an import was killed") is not None
    assert brakes.brakes(stack.ctx) == []
    list(sweep_orphans(stack.ctx))
    assert quarantined(stack) == unknown
    assert blobs_of(stack) == before


def test_what_crashes_leave_behind_is_swept_and_a_brake_without_its_reason_is_released(
    stack: Stack, shelf: Shelf
) -> None:
    shelf.file("a.txt", b"known")
    before = blobs_of(stack)
    with pytest.raises(brakes.BrakePulled):
        brakes.pull(stack.ctx, SWEEP_ORPHANS, "there were too many")
    orphans(stack, 3)
    stack.clock.advance(days=2)
    list(sweep_orphans(stack.ctx))
    assert len(quarantined(stack)) == 3
    assert quarantined(stack).isdisjoint(before)
    assert brakes.brakes(stack.ctx) == []


def test_a_stopped_job_is_tried_again_later_and_at_once_when_it_is_released(stack: Stack, shelf: Shelf) -> None:
    check_identity(stack.ctx.metadata, stack.ctx.blobs)
    orphans(stack, 3 * MANY)
    run_due(stack.ctx)
    # An hour at a time, as a clock advances that can be trusted; then all of them are old at the next turn.
    for _ in range(23):
        stack.clock.advance(ms=HOUR)
        run_due(stack.ctx)
    stack.clock.advance(ms=3 * HOUR)
    run_due(stack.ctx)
    assert [brake.task for brake in brakes.brakes(stack.ctx)] == [SWEEP_ORPHANS]
    assert len(blobs_of(stack)) == 3 * MANY
    brakes.release(stack.ctx, SWEEP_ORPHANS, "all known")
    run_due(stack.ctx)
    assert quarantined(stack) == blobs_of(stack)


def test_another_database_on_the_same_blobs_stops_the_sweeper(stack: Stack, shelf: Shelf) -> None:
    check_identity(stack.ctx.metadata, stack.ctx.blobs)
    with stack.ctx.metadata.read() as unit:
        older = unit.settings.get("store.identity")
    assert older is not None
    advance(stack.ctx.metadata, stack.ctx.blobs)
    stack.ctx.metadata.write(lambda unit: unit.settings.set("store.identity", older))
    run_due(stack.ctx)
    [brake] = brakes.brakes(stack.ctx)
    assert brake.task == brakes.IDENTITY_TASK
    assert "older" in brake.reason
    for task in (sweep_orphans, empty_quarantine):
        with pytest.raises(brakes.BrakePulled):
            list(task(stack.ctx))
    assert [brake.task for brake in brakes.brakes(stack.ctx)] == [brakes.IDENTITY_TASK], "the sweeper does not clear it"


# The clock


class Noting:
    """A task that deletes by age, as far as the runner knows."""

    def __init__(self) -> None:
        self.ran = 0
        self.task = PeriodicTask("expire-trash", HOUR, self._steps)

    def _steps(self, _: ServiceContext) -> Iterator[None]:
        self.ran += 1
        yield


def test_a_clock_that_jumps_stops_what_deletes_by_age_until_it_was_steady_for_a_day(
    stack: Stack, caplog: pytest.LogCaptureFixture
) -> None:
    noting = Noting()
    run_due(stack.ctx, noting.task)
    stack.clock.advance(ms=HOUR)
    run_due(stack.ctx, noting.task)
    assert noting.ran == 1
    stack.clock.advance(days=40)
    with caplog.at_level(logging.ERROR):
        run_due(stack.ctx, noting.task)
    assert noting.ran == 1
    [brake] = brakes.brakes(stack.ctx)
    assert brake.task == brakes.CLOCK_TASK
    assert "forward by 960 hours" in brake.reason
    for _ in range(23):
        stack.clock.advance(ms=HOUR)
        run_due(stack.ctx, noting.task)
    assert noting.ran == 1
    for _ in range(2):
        stack.clock.advance(ms=HOUR)
        run_due(stack.ctx, noting.task)
    assert noting.ran > 1
    assert brakes.brakes(stack.ctx) == []


def test_a_clock_that_is_set_right_again_is_another_jump(stack: Stack) -> None:
    noting = Noting()
    watch = brakes.ClockWatch(stack.ctx)
    assert watch.is_trusted()
    stack.clock.advance(days=40)
    assert not watch.is_trusted()
    stack.clock.advance(days=-40)
    assert not brakes.ClockWatch(stack.ctx).is_trusted()
    for _ in range(25):
        stack.clock.advance(ms=HOUR)
        watch.look()
    assert watch.is_trusted()
    run_due(stack.ctx, noting.task)


def test_an_operator_confirms_the_time(stack: Stack) -> None:
    watch = brakes.ClockWatch(stack.ctx)
    assert watch.is_trusted()
    stack.clock.advance(days=3)
    assert not watch.is_trusted()
    assert brakes.release(stack.ctx, brakes.CLOCK_TASK, "it was switched off") is not None
    assert watch.is_trusted()
    with stack.ctx.metadata.read() as unit:
        assert unit.outbox.next_due([brakes.CLOCK_TASK]) is None, "the clock is no job"


def test_a_confirmed_clock_makes_the_jobs_that_waited_for_it_due(
    embedded: Stack, caplog: pytest.LogCaptureFixture
) -> None:
    noting = Noting()
    run_due(embedded.ctx, noting.task)
    embedded.clock.advance(days=3)
    with caplog.at_level(logging.ERROR):
        run_due(embedded.ctx, noting.task)
    assert "steady for a day" in caplog.text
    assert "right database" not in caplog.text
    assert noting.ran == 0
    brakes.release(embedded.ctx, brakes.CLOCK_TASK, "it was switched off")
    run_due(embedded.ctx, noting.task)
    assert noting.ran == 1


def test_an_account_is_not_removed_while_the_clock_is_in_doubt(stack: Stack, shelf: Shelf) -> None:
    now = stack.clock.now()

    def work(unit: Unit) -> None:
        unit.outbox.put("remove-account", str(shelf.id), b"", now + 14 * DAY)

    run_due(stack.ctx)
    stack.ctx.metadata.write(work)
    stack.clock.advance(days=15)
    run_due(stack.ctx)
    with stack.ctx.metadata.read() as unit:
        assert unit.outbox.next_due(["remove-account"]) is not None, "the job waits"
