"""Batches are as large as the time that others may have to wait allows."""

from collections.abc import Callable, Iterator
from itertools import islice

import pytest

from skyshelf.service.context import ServiceContext
from skyshelf.service.jobs.adaptive_batches import FIRST, LEAST, MOST, TARGET_SECONDS, AdaptiveBatchSize, run_in_batches
from skyshelf.storage.metadata.store import Unit

START = 1000


def sizes(*took: float) -> list[int]:
    batch, found = AdaptiveBatchSize(), []
    batch.size = START
    for seconds in took:
        batch.record(seconds)
        found.append(batch.size)
    return found


def test_a_step_that_took_as_long_as_it_may_is_followed_by_one_of_its_size() -> None:
    assert sizes(TARGET_SECONDS, TARGET_SECONDS) == [START, START]


def test_a_step_that_took_too_long_is_followed_by_one_that_fits() -> None:
    assert sizes(2 * TARGET_SECONDS) == [START // 2]
    assert sizes(100 * TARGET_SECONDS) == [START // 4], "one slow disk access says little about the work"


def test_quick_steps_grow_slowly() -> None:
    assert sizes(0.0, TARGET_SECONDS / 100) == [START * 5 // 4, round(START * 25 / 16)]


@pytest.mark.parametrize(("seconds", "limit"), [(0.0, MOST), (3600.0, LEAST)])
def test_steps_stay_between_the_least_and_the_most(seconds: float, limit: int) -> None:
    assert sizes(*[seconds] * 50)[-1] == limit


class Time:
    """Seconds that pass when the test says so."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def asked(ctx: ServiceContext, time: Time, before: Callable[[], None], during: Callable[[], None]) -> Iterator[int]:
    """The sizes that a work is asked for, which waits before it begins, and then takes its time."""
    sizes: list[int] = []

    def some(_: Unit, most: int) -> bool:
        sizes.append(most)
        during()
        return True

    for _ in run_in_batches(ctx, some, time):
        yield sizes[-1]
        before()


def test_what_the_work_waited_for_others_does_not_count(ctx: ServiceContext) -> None:
    time = Time()

    def pass_time(seconds: float) -> Callable[[], None]:
        def passing() -> None:
            time.seconds += seconds

        return passing

    patient = asked(ctx, time, pass_time(3600), pass_time(TARGET_SECONDS))
    assert list(islice(patient, 3)) == [FIRST] * 3
    slow = asked(ctx, time, pass_time(0), pass_time(2 * TARGET_SECONDS))
    assert list(islice(slow, 3)) == [FIRST, FIRST // 2, LEAST]


def test_work_that_says_that_nothing_is_left_is_not_asked_again(ctx: ServiceContext) -> None:
    left = iter([3, 2, 0])
    assert len(list(run_in_batches(ctx, lambda _unit, _most: next(left)))) == 2
