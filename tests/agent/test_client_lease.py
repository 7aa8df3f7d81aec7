"""The client that calls share: a call whose session has ended must not close the connections of the others."""

import asyncio
from typing import Any

from tests.agent.failing import ProfileClient, raising
from tests.client.serving import Person

from skyshelf.agent.dispatcher import Dispatcher
from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import AuthenticationError


class Watched(ProfileClient):
    """A client whose session has ended for some calls, and that counts how often it is closed."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(raising(AuthenticationError("the session has ended", status=401)), **settings)
        self.began, self.go_on = asyncio.Event(), asyncio.Event()
        self.closed = 0

    async def recent(self) -> Any:
        self.began.set()
        await self.go_on.wait()
        assert not self.closed
        return await super().recent()

    async def close(self) -> None:
        self.closed += 1
        await super().close()


async def test_after_an_expired_session_the_next_call_logs_in_again_and_concurrent_calls_keep_their_client(
    person: Person,
) -> None:
    opened: list[Watched] = []

    def open_client() -> AsyncClient:
        opened.append(Watched(**person.settings))
        return opened[-1]

    dispatcher = Dispatcher(open_client)
    slow = asyncio.create_task(dispatcher.call({"tool": "recent_activity"}))
    while not opened:
        await asyncio.sleep(0)
    await opened[0].began.wait()
    ended: Any = await dispatcher.call({"tool": "account_info"})
    assert ended["error"]["type"] == "AuthenticationError"
    assert opened[0].closed == 0
    # The next call reads the session again.
    assert (await dispatcher.call({"tool": "list_boards"}))["ok"] is True
    assert len(opened) == 2
    opened[0].go_on.set()
    assert (await slow)["ok"] is True
    assert (opened[0].closed, opened[1].closed) == (1, 0)
    await dispatcher.close()
    assert (opened[0].closed, opened[1].closed) == (1, 1)


async def test_a_client_passed_in_is_never_closed(person: Person) -> None:
    async with Watched(**person.settings) as mine:
        dispatcher = Dispatcher(client=mine)
        ended: Any = await dispatcher.call({"tool": "account_info"})
        assert ended["error"]["type"] == "AuthenticationError"
        assert (await dispatcher.call({"tool": "list_boards"}))["ok"] is True
        await dispatcher.close()
        assert mine.closed == 0
        assert (await dispatcher.call({"tool": "list_boards"}))["ok"] is True
