"""Gates: whoever must wait goes on when it is their turn, and whoever gives up leaves no trace."""

import asyncio

import pytest
from tests.server.http.admission.test_fair_queue import KIND

from skyshelf.server.pipeline.admission.admission import Admission
from skyshelf.server.pipeline.admission.fair_queue import Gate
from skyshelf.server.pipeline.admission.kinds import CALLS, KINDS, STREAMS, UPLOADS
from skyshelf.server.pipeline.admission.requesters import Requester, current_requester
from skyshelf.service.errors import Busy, Throttled


def test_who_waits_enters_when_another_leaves() -> None:
    async def scenario() -> None:
        gate = Gate(KIND)
        leases = [await gate.enter(1) for _ in range(6)]
        waiting = asyncio.create_task(gate.enter(1))
        await asyncio.sleep(0)
        assert not waiting.done()
        leases[0].release()
        leases[0].release()
        (await waiting).release()
        assert gate.queue.in_use == 5

    asyncio.run(scenario())


def test_who_gives_up_while_waiting_or_as_the_turn_comes_leaves_no_trace() -> None:
    async def scenario() -> None:
        gate = Gate(KIND)
        leases = [await gate.enter(1) for _ in range(6)]
        waiting = [asyncio.create_task(gate.enter(1)) for _ in range(2)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        await asyncio.wait(waiting[:1])
        assert gate.queue.waiting == 1
        leases.pop().release()
        waiting[1].cancel()
        await asyncio.wait(waiting)
        for lease in leases:
            lease.release()
        assert (gate.queue.in_use, gate.queue.waiting) == (0, 0)

    asyncio.run(scenario())


def test_what_weighs_more_than_a_share_counts_as_the_whole_share() -> None:
    async def scenario() -> None:
        gate = Gate(KIND)
        lease = gate.take(1, 1000)
        with pytest.raises(Throttled):
            gate.take(1)
        assert gate.queue.in_use == KIND.share
        lease.release()

    asyncio.run(scenario())


def test_a_request_gives_back_at_its_end_what_it_still_holds() -> None:
    async def scenario() -> None:
        admission = Admission()
        requester = Requester(5)
        current_requester.set(requester)
        for _ in range(STREAMS.share):
            admission.take(STREAMS)
        with pytest.raises(Throttled) as refused:
            admission.take(STREAMS)
        assert refused.value.seconds == STREAMS.retry_seconds
        (await admission.enter(UPLOADS)).release()
        requester.leave()
        admission.take(STREAMS)

    asyncio.run(scenario())


def test_all_accounts_together_have_no_more_than_the_total() -> None:
    async def scenario() -> None:
        admission = Admission()
        for account in range(1, STREAMS.total // STREAMS.share + 1):
            for _ in range(STREAMS.share):
                admission.take(STREAMS, key=account)
        with pytest.raises(Busy):
            admission.take(STREAMS, key=9999)

    asyncio.run(scenario())


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_no_caller_can_have_all_of_anything_that_others_wait_for(kind: object) -> None:
    assert isinstance(kind, type(CALLS))
    assert kind.share < kind.total
    assert kind.address_share < kind.total
    assert kind.waiting <= kind.waiting_total // 2 or kind.waiting == 0
