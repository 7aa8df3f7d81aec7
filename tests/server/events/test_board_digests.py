"""Looks at a board: one for all streams of an account, and never an older one than a change."""

import asyncio
import time
from collections.abc import Callable

from tests.server.api import Api
from tests.server.on_boards import add, create

from skyshelf.server.events.streams import BoardDigests
from skyshelf.service.context import Caller


class Counting:
    """Runs digests one after the other, and counts them."""

    def __init__(self) -> None:
        self.count = 0

    async def run(self, work: Callable[[], bytes | None]) -> bytes | None:
        self.count += 1
        await asyncio.sleep(0)
        return work()


def caller_of(api: Api) -> Caller:
    account = api.account
    return Caller(
        account_id=account.account_id,
        account_key=account.account_key,
        root_key=account.root_key,
        first_name=account.first_name,
        device_key="",
        session_hash=b"",
    )


def test_many_streams_share_a_look_and_a_change_needs_another(api: Api) -> None:
    board, counting = create(api), Counting()
    digests = BoardDigests(api.ctx, counting.run)

    async def looked(since: float) -> set[bytes | None]:
        return set(await asyncio.gather(*(digests.digest(caller_of(api), board, since) for _ in range(32))))

    async def scenario() -> None:
        before = await looked(0)
        assert counting.count == 1
        add(api, board, api.file("a.txt").object_key)
        assert await looked(0) == before
        assert counting.count == 1
        after = await looked(time.monotonic())
        assert len(after) == 1
        assert after != before
        assert counting.count == 2

    asyncio.run(scenario())


def test_a_look_that_began_before_a_change_is_followed_by_one_that_sees_it(api: Api) -> None:
    board, counting = create(api), Counting()
    digests = BoardDigests(api.ctx, counting.run)

    async def scenario() -> None:
        early = asyncio.create_task(digests.digest(caller_of(api), board, 0))
        while not counting.count:
            await asyncio.sleep(0)
        late = [asyncio.create_task(digests.digest(caller_of(api), board, time.monotonic())) for _ in range(5)]
        await asyncio.gather(early, *late)
        assert counting.count == 2

    asyncio.run(scenario())


def test_who_is_not_a_member_sees_nothing_and_that_is_not_remembered(api: Api, other_api: Api) -> None:
    board, counting = create(api), Counting()
    digests = BoardDigests(api.ctx, counting.run)

    async def scenario() -> None:
        for _ in range(2):
            assert await digests.digest(caller_of(other_api), board, 0) is None
        assert await digests.digest(caller_of(api), board, 0)
        assert counting.count == 3

    asyncio.run(scenario())
