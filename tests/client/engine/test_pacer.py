"""All workers of a client slow down together."""

import asyncio

import pytest

from skyshelf.client.engine.pacer import FIRST_INTERVAL, LONGEST_INTERVAL, Pacer


class Time:
    """A clock that sleeping advances, without waiting."""

    def __init__(self) -> None:
        self.now = 100.0

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        wake = self.now + seconds
        await asyncio.sleep(0)
        self.now = max(self.now, wake)


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def pacer(time: Time) -> Pacer:
    return Pacer(time.clock, time.sleep)


def test_without_throttling_a_turn_costs_nothing(pacer: Pacer, time: Time) -> None:
    async def turns() -> list[float]:
        return [await pacer.turn() for _ in range(100)]

    assert asyncio.run(turns()) == [100.0] * 100


def test_after_a_429_of_one_worker_all_wait(pacer: Pacer, time: Time) -> None:
    async def turns() -> list[float]:
        pacer.throttled(await pacer.turn(), 5.0)
        return sorted(await asyncio.gather(*(pacer.turn() for _ in range(4))))

    assert asyncio.run(turns()) == pytest.approx([105.0 + n * FIRST_INTERVAL for n in range(4)])


def test_answers_to_requests_that_were_under_way_together_count_once(pacer: Pacer, time: Time) -> None:
    for _ in range(32):
        pacer.throttled(99.0 if pacer.interval else 100.0, 1.0)
    assert pacer.interval == FIRST_INTERVAL


def test_throttling_that_goes_on_slows_down_further_but_not_without_end(pacer: Pacer, time: Time) -> None:
    intervals = []
    for _ in range(20):
        time.now += 10
        pacer.throttled(time.now, 0.0)
        intervals.append(pacer.interval)
    assert intervals[:3] == pytest.approx([FIRST_INTERVAL, 2 * FIRST_INTERVAL, 4 * FIRST_INTERVAL])
    assert intervals[-1] == LONGEST_INTERVAL


def test_success_brings_the_pace_back(pacer: Pacer, time: Time) -> None:
    pacer.throttled(100.0, 0.0)
    pacer.succeeded()
    assert 0 < pacer.interval < FIRST_INTERVAL
    for _ in range(100):
        pacer.succeeded()
    assert pacer.interval == 0


def test_a_worker_that_is_throttled_while_it_waits_waits_for_the_new_pause_too(pacer: Pacer, time: Time) -> None:
    async def later() -> float:
        pacer.throttled(100.0, 5.0)
        waiting = asyncio.create_task(pacer.turn())
        await asyncio.sleep(0)
        pacer.throttled(100.0, 50.0)
        return await waiting

    assert asyncio.run(later()) >= 150.0
