"""Worker threads: costly work is bounded, keeps nobody else waiting, and knows which request it is for."""

import asyncio
import threading
from collections.abc import Callable
from contextvars import copy_context

import msgspec
import pytest

from skyshelf.server.observability.logs import current_request_id
from skyshelf.server.pipeline.admission.admission import Admission
from skyshelf.server.pipeline.admission.kinds import CALLS, KINDS, PASSWORDS
from skyshelf.server.pipeline.admission.requesters import Requester, current_requester
from skyshelf.server.pipeline.threads import Threads
from skyshelf.service.errors import Throttled


def threads_for(calls: int, calls_share: int | None = None, **changes: int) -> Threads:
    """Threads with so many for calls, and other limits for passwords."""
    limits = {
        CALLS.name: {
            "total": calls,
            "share": calls_share or calls,
            "address_share": calls_share or calls,
            "costly_share": 0,
        },
        PASSWORDS.name: changes,
    }
    return Threads(Admission(msgspec.structs.replace(kind, **limits.get(kind.name, {})) for kind in KINDS))


def test_costly_work_exceeding_the_queue_is_refused_and_small_work_continues() -> None:
    async def scenario() -> None:
        threads, go_on = threads_for(1, total=2, share=2, waiting=3), threading.Event()
        busy = [asyncio.create_task(threads.password(go_on.wait)) for _ in range(5)]
        await asyncio.sleep(0)
        with pytest.raises(Throttled):
            await threads.password(lambda: None)
        assert await threads.call(lambda: "small") == "small"
        assert await threads.importing(lambda: "imported") == "imported"
        assert await threads.check(lambda: "checked") == "checked"
        go_on.set()
        assert await asyncio.gather(*busy) == [True] * 5
        assert await threads.password(lambda: "free again") == "free again"
        threads.close()

    asyncio.run(scenario())


def test_costly_work_that_fails_gives_its_place_back() -> None:
    def fail() -> None:
        raise ValueError("no")

    async def scenario() -> None:
        threads = threads_for(1, waiting=0, waiting_total=0)
        for _ in range(3):
            with pytest.raises(ValueError, match="no"):
                await threads.password(fail)
        threads.close()

    asyncio.run(scenario())


def test_a_place_is_free_again_when_the_thread_is_and_not_when_its_caller_gives_up() -> None:
    async def scenario() -> None:
        threads, go_on = threads_for(1, waiting=0, waiting_total=0), threading.Event()
        first = asyncio.create_task(threads.password(go_on.wait))
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.wait([first])
        with pytest.raises(Throttled):
            await threads.password(lambda: None)
        go_on.set()
        while next(one for one in threads.admission.figures() if one.kind == PASSWORDS.name).in_use:
            await asyncio.sleep(0.001)
        assert await threads.password(lambda: "free again") == "free again"
        threads.close()

    asyncio.run(scenario())


def test_one_callers_slow_calls_leave_threads_to_others_who_take_turns() -> None:
    async def scenario() -> None:
        threads, go_on, order = threads_for(4, calls_share=3), threading.Event(), []

        def started_by(key: int, work: Callable[[], object]) -> asyncio.Task[object]:
            context = copy_context()
            context.run(current_requester.set, Requester(key))
            return asyncio.create_task(threads.call(work), context=context)

        slow = [started_by(1, go_on.wait) for _ in range(3)]
        more = [started_by(1, lambda: order.append(1)) for _ in range(20)]
        # One thread is left, and the first caller may not have it.
        assert await started_by(2, lambda: "at once") == "at once"
        held = threading.Event()
        last = started_by(3, held.wait)
        waiting = [started_by(3, lambda: order.append(3)) for _ in range(3)]
        await asyncio.sleep(0)
        # All threads for calls are busy, and the operator's checks are answered.
        assert await threads.check(lambda: "ready") == "ready"
        held.set()
        await asyncio.gather(last, *waiting)
        assert order == [3, 3, 3]
        go_on.set()
        await asyncio.gather(*slow, *more)
        assert len(order) == 23
        threads.close()

    asyncio.run(scenario())


def test_every_thread_knows_the_request_it_works_for() -> None:
    async def scenario() -> None:
        threads = threads_for(1)
        current_request_id.set("the request")
        seen = [
            await run(current_request_id.get)
            for run in (threads.call, threads.password, threads.importing, threads.check)
        ]
        assert seen == ["the request"] * 4
        threads.close()

    asyncio.run(scenario())


def test_work_that_fails_raises_where_it_is_awaited_and_the_thread_goes_on() -> None:
    def fail() -> None:
        raise ValueError("no")

    async def scenario() -> None:
        threads = threads_for(1)
        with pytest.raises(ValueError, match="no"):
            await threads.call(fail)
        assert await threads.call(threading.current_thread) is await threads.call(threading.current_thread)
        threads.close()

    asyncio.run(scenario())


def test_as_many_small_works_as_there_are_threads_run_at_once() -> None:
    async def scenario() -> None:
        threads, together = threads_for(4), threading.Barrier(4)
        places = await asyncio.gather(*(threads.call(lambda: together.wait(60)) for _ in range(4)))
        assert sorted(places) == [0, 1, 2, 3]
        threads.close()

    asyncio.run(scenario())


def test_work_that_nobody_awaits_does_not_begin() -> None:
    async def scenario() -> None:
        threads, go_on, begun = threads_for(1), threading.Event(), []
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
        threads, done = threads_for(2), []
        asked = [asyncio.create_task(threads.call(lambda: done.append("one"))) for _ in range(20)]
        await asyncio.sleep(0)
        threads.close()
        assert len(done) == 20
        await asyncio.gather(*asked)
        with pytest.raises(RuntimeError):
            await threads.call(lambda: None)

    asyncio.run(scenario())
