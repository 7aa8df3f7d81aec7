"""Worker threads: costly work is bounded, keeps nobody else waiting, and knows which request it is for."""

import asyncio
import threading

import pytest

from skyshelf.server.http.thread_pools import Threads
from skyshelf.server.observability.logs import current_request_id
from skyshelf.service.errors import Throttled


def test_costly_work_exceeding_the_queue_is_refused_and_small_work_continues() -> None:
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


def test_work_that_fails_raises_where_it_is_awaited_and_the_thread_goes_on() -> None:
    def fail() -> None:
        raise ValueError("no")

    async def scenario() -> None:
        threads = Threads(calls=1, bodies=1)
        with pytest.raises(ValueError, match="no"):
            await threads.call(fail)
        assert await threads.call(threading.current_thread) is await threads.call(threading.current_thread)
        threads.close()

    asyncio.run(scenario())


def test_as_many_small_works_as_there_are_threads_run_at_once() -> None:
    async def scenario() -> None:
        threads, together = Threads(calls=4, bodies=1), threading.Barrier(4)
        places = await asyncio.gather(*(threads.call(lambda: together.wait(60)) for _ in range(4)))
        assert sorted(places) == [0, 1, 2, 3]
        threads.close()

    asyncio.run(scenario())


def test_work_that_nobody_awaits_does_not_begin() -> None:
    async def scenario() -> None:
        threads, go_on, begun = Threads(calls=1, bodies=1), threading.Event(), []
        first = asyncio.create_task(threads.call(go_on.wait))
        second = asyncio.create_task(threads.call(lambda: begun.append("second")))
        await asyncio.sleep(0)
        second.cancel()
        await asyncio.wait([second])
        go_on.set()
        assert await first
        assert await threads.call(lambda: "third") == "third"
        assert begun == []
        threads.close()

    asyncio.run(scenario())


def test_closed_threads_have_done_all_that_was_asked_for_and_take_no_more() -> None:
    async def scenario() -> None:
        threads, done = Threads(calls=2, bodies=1), []
        asked = [asyncio.create_task(threads.call(lambda: done.append("one"))) for _ in range(20)]
        await asyncio.sleep(0)
        threads.close()
        assert len(done) == 20
        await asyncio.gather(*asked)
        with pytest.raises(RuntimeError):
            await threads.call(lambda: None)

    asyncio.run(scenario())
