"""Bytes per second that all transfers of a program share."""

import asyncio
import os
import time as real_time
from pathlib import Path

import pytest
from tests.client.engine.test_pacer import Time

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.engine.pacer import SMALLEST_PIECE, RateLimit


@pytest.fixture
def time() -> Time:
    return Time()


def test_spending_waits_until_the_budget_allows_it(time: Time) -> None:
    limit = RateLimit(1000, clock=time.clock, sleep=time.sleep)

    async def spend() -> None:
        for _ in range(5):
            await limit.spend(500)

    asyncio.run(spend())
    assert time.now == pytest.approx(102.5)


def test_all_workers_together_keep_to_the_limit(time: Time) -> None:
    limit = RateLimit(1000, clock=time.clock, sleep=time.sleep)

    async def worker() -> None:
        for _ in range(10):
            await limit.spend(100)

    async def work() -> None:
        await asyncio.gather(*(worker() for _ in range(8)))

    asyncio.run(work())
    assert time.now == pytest.approx(108.0)


def test_unused_time_is_not_saved_up(time: Time) -> None:
    limit = RateLimit(1000, clock=time.clock, sleep=time.sleep)
    asyncio.run(limit.spend(100))
    time.now += 1000
    before = time.now
    asyncio.run(limit.spend(1000))
    assert time.now == pytest.approx(before + 1.0)


def test_pieces_are_small_enough_for_an_even_flow() -> None:
    assert RateLimit(8_000_000).piece(1024 * 1024) == 1_000_000
    assert RateLimit(1000).piece(1024 * 1024) == SMALLEST_PIECE
    assert RateLimit(1000).piece(10) == 10
    with pytest.raises(ValueError, match="at least one byte"):
        RateLimit(0)


class Counted(RateLimit):
    """Notes what is spent, and waits for nothing."""

    def __init__(self, bytes_per_second: int) -> None:
        async def at_once(_seconds: float) -> None:
            pass

        super().__init__(bytes_per_second, sleep=at_once)
        self.spent: list[int] = []

    async def spend(self, count: int) -> None:
        self.spent.append(count)
        await super().spend(count)


async def test_uploads_and_downloads_pay_for_every_byte(client: AsyncClient, tmp_path: Path) -> None:
    local = tmp_path / "local"
    local.mkdir()
    contents = {"large.bin": os.urandom(700_000), "small.bin": os.urandom(5000)}
    for name, content in contents.items():
        (local / name).write_bytes(content)
    up, down = Counted(200_000), Counted(200_000)
    assert (await client.upload_all(local, rate_limit=up)).ok
    # In pieces of about a second, although it would do in one call.
    assert max(up.spent) <= 200_000
    assert sum(up.spent) >= 705_000
    assert (await client.download_all(tmp_path / "all", rate_limit=down)).ok
    assert sum(down.spent) == 705_000
    assert max(down.spent) <= 25_000
    one = Counted(200_000)
    await client.download("/large.bin", tmp_path / "one.bin", rate_limit=one)
    assert sum(one.spent) == 700_000
    assert (tmp_path / "one.bin").read_bytes() == contents["large.bin"]


async def test_a_limited_download_takes_its_time(client: AsyncClient, tmp_path: Path) -> None:
    source = tmp_path / "source.bin"
    source.write_bytes(os.urandom(120_000))
    await client.upload(source)
    began = real_time.monotonic()
    await client.download("/source.bin", tmp_path / "copy.bin", rate_limit=RateLimit(200_000))
    assert real_time.monotonic() - began >= 0.5
