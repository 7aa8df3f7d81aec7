"""Worker threads: costly work is bounded, keeps nobody else waiting, and knows which request it is for."""

import asyncio
import threading

import pytest

from skyshelf.server.request_ids import current_request_id
from skyshelf.server.threads import Threads
from skyshelf.service.refusals import Throttled


def test_costly_work_beyond_the_queue_is_refused_and_small_work_goes_on() -> None:
    async def scenario() -> None:
        threads, go_on = Threads(calls=1, bodies=1, slow=2, slow_waiting=3), threading.Event()
        busy = [asyncio.create_task(threads.slow(go_on.wait)) for _ in range(5)]
        await asyncio.sleep(0)
        with pytest.raises(Throttled):
            await threads.slow(lambda: None)
        assert await threads.call(lambda: "small") == "small"
        go_on.set()
        assert await asyncio.gather(*busy) == [True] * 5
        assert await threads.slow(lambda: "free again") == "free again"
        threads.close()

    asyncio.run(scenario())


def test_costly_work_that_fails_gives_its_place_back() -> None:
    def fail() -> None:
        raise ValueError("no")

    async def scenario() -> None:
        threads = Threads(calls=1, bodies=1, slow=1, slow_waiting=0)
        for _ in range(3):
            with pytest.raises(ValueError, match="no"):
                await threads.slow(fail)
        threads.close()

    asyncio.run(scenario())


def test_every_thread_knows_the_request_it_works_for() -> None:
    async def scenario() -> None:
        threads = Threads(calls=1, bodies=1)
        current_request_id.set("the request")
        seen = [await run(current_request_id.get) for run in (threads.call, threads.slow, threads.body)]
        assert seen == ["the request"] * 3
        threads.close()

    asyncio.run(scenario())
