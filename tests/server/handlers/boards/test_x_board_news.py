"""News of a board in the stream of changes: that it looks different, to those who are on it, and nothing else."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from tests.server.api import Api, HeldClock, error_of
from tests.server.listening import CHANGES, Listener
from tests.server.on_boards import NO_BOARD, add, call, comment, create, join, leave, take_off

from skyshelf.server.api import changes
from skyshelf.server.app import SkyshelfApp
from skyshelf.server.events import streams

pytestmark = pytest.mark.usefixtures("quick")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "POLL_SECONDS", 0.02)
    monkeypatch.setattr(changes, "PAUSE_SECONDS", 0.0)


class Ear:
    """Listens to a board; what else happens is passed over."""

    def __init__(self, listener: Listener) -> None:
        self._events = listener.events()

    async def news(self) -> dict[str, Any]:
        return await asyncio.wait_for(self._next(), 60)

    async def _next(self) -> dict[str, Any]:
        while True:
            name, data = await anext(self._events)
            if name == "board":
                return data


async def hears(ear: Ear, clock: HeldClock, work: Callable[[], object], board: str) -> None:
    clock.advance(1)
    await asyncio.to_thread(work)
    assert await ear.news() == {"boardKey": board, "isMember": True}


def test_whatever_a_board_shows_is_reported_when_it_changes(
    app: SkyshelfApp, api: Api, other_api: Api, carol: Api, clock: HeldClock
) -> None:
    board = create(api)
    join(api, board, other_api)
    file = api.file("a.jpg").object_key

    async def listen() -> None:
        async with Listener(app, other_api, f"boardKey={board.lower()}") as listener:
            ear = Ear(listener)
            assert await ear.news() == {"boardKey": board, "isMember": True}, "once at the start"
            await hears(ear, clock, lambda: add(api, board, file), board)
            await hears(ear, clock, lambda: comment(api, board, "Look"), board)
            await hears(ear, clock, lambda: call(api, "PUT", board, "", {"boardName": "Sea"}), board)
            await hears(ear, clock, lambda: api.trash(file), board)
            await hears(ear, clock, lambda: api.put("/nms/metadata/restore", json={"objectKeys": [file]}), board)
            await hears(ear, clock, lambda: join(api, board, carol, "V"), board)
            role = f"/members/{carol.account.account_key}"
            await hears(ear, clock, lambda: call(api, "PUT", board, role, {"memberType": "M"}), board)
            await hears(ear, clock, lambda: take_off(api, board, file), board)

    asyncio.run(listen())


def test_what_a_member_does_in_their_own_drive_is_not_reported(
    app: SkyshelfApp, api: Api, other_api: Api, clock: HeldClock
) -> None:
    board = create(api)
    join(api, board, other_api)

    async def listen() -> None:
        async with Listener(app, other_api, f"boardKey={board}") as listener:
            ear = Ear(listener)
            await ear.news()
            reported = asyncio.ensure_future(ear.news())
            for number in range(3):
                await asyncio.to_thread(api.folder, f"private {number}")
            await hears_own(other_api, listener)
            assert not reported.done()
            clock.advance(1)
            await asyncio.to_thread(comment, api, board, "now")
            assert (await reported)["boardKey"] == board

    async def hears_own(who: Api, _: Listener) -> None:
        # A second stream of the same process hears a later write: so the first has had its look at the earlier ones.
        async with Listener(app, who) as second:
            events = second.events()
            await anext(events)
            await asyncio.to_thread(who.folder, "own")
            await anext(events)

    asyncio.run(listen())


@pytest.mark.parametrize("how", ["leaves", "is removed", "the board goes"])
def test_a_member_who_is_off_the_board_hears_so_once_and_nothing_more(
    app: SkyshelfApp, api: Api, other_api: Api, how: str
) -> None:
    board = create(api)
    join(api, board, other_api)
    member = f"/members/{other_api.account.account_key}"
    ways: dict[str, Callable[[], object]] = {
        "leaves": lambda: leave(other_api, board),
        "is removed": lambda: call(api, "DELETE", board, member),
        "the board goes": lambda: call(api, "DELETE", board),
    }

    async def listen() -> None:
        async with Listener(app, other_api, f"boardKey={board}") as listener:
            events = listener.events()
            assert [(await anext(events))[0] for _ in range(2)][1] == "board"
            await asyncio.to_thread(ways[how])
            assert await anext(events) == ("board", {"boardKey": board, "isMember": False})
            if how != "the board goes":
                await asyncio.to_thread(comment, api, board, "among ourselves")
                await asyncio.to_thread(join, api, board, other_api)
            # The stream itself goes on, with the own drive alone.
            await asyncio.to_thread(other_api.folder, "own")
            name, page = await anext(events)
            assert (name != "board", page["objects"][0]["objectName"]) == (True, "own")

    asyncio.run(listen())


def test_a_non_member_cannot_listen_to_a_board(api: Api, other_api: Api) -> None:
    board = create(api)
    for key in (board, "0" * 32):
        assert error_of(other_api.get(f"{CHANGES}/stream", params={"boardKey": key, "seconds": "0"})) == NO_BOARD
    assert error_of(api.get(f"{CHANGES}/stream", params={"boardKey": "x", "seconds": "0"})) == (400, "SKY1003")
