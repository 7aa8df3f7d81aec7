"""A server that reports a change as done and shows the object without it: the change has failed."""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from tests.foreign.commands import CommandFailed, Shell
from tests.foreign.messages import Asked, Reply
from tests.foreign.quirk import Quirk
from tests.foreign.server import ForeignServer
from tests.foreign.worlds import ForeignWorld

from skyshelf.agent.dispatcher import Dispatcher
from skyshelf.client.async_client import AsyncClient
from skyshelf.client.objects.outcomes import BatchResult, UnprocessedError


class Unchanged(Quirk):
    """Lists every entry of a batch as processed, with the object as it was before, and does nothing."""

    name = "unchanged"

    def __init__(self, server: ForeignServer, **differing: object) -> None:
        self._server = server
        self._differing = differing

    def instead(self, asked: Asked) -> Reply | None:
        if asked.path != "/nms/metadata/1.0":
            return None
        done = []
        for entry in (asked.json() or {})["objects"]:
            found = self._server.drive.find(entry["object"]["objectKey"])
            assert found is not None
            done.append({**entry, "object": self._server.interface.shown(found) | self._differing})
        return Reply(200, {"objects": done, "unprocessed": []})


@pytest.fixture
async def client(foreign: ForeignServer) -> AsyncIterator[AsyncClient]:
    foreign.begin(Quirk())
    foreign.quirk = Unchanged(foreign)
    async with AsyncClient(**foreign.settings, retry_wait=0.001) as client:
        yield client


CHANGES: dict[str, Callable[[AsyncClient], Awaitable[BatchResult]]] = {
    "name": lambda client: client.rename_many([("/hello.txt", "bye.txt")]),
    "folder": lambda client: client.move(["/hello.txt"], "/Photos"),
    "favourite mark": lambda client: client.set_favorite(["/hello.txt"]),
    "status": lambda client: client.move_to_trash(["/hello.txt"]),
}


@pytest.mark.parametrize("what", CHANGES)
async def test_the_change_is_reported_as_a_failure(client: AsyncClient, what: str) -> None:
    with pytest.raises(UnprocessedError, match=f"reports success, but shows the item with another {what}"):
        await CHANGES[what](client)
    # What was not done is not shown as done either.
    found = await client.get("/hello.txt")
    assert (found.is_favorite, found.status) == (False, "A")
    assert [one.name async for one in client.trash.list()] == ["old.txt"]


@pytest.mark.parametrize("is_shown", [True, False])
@pytest.mark.parametrize("what", CHANGES)
async def test_an_object_in_another_spelling_or_without_the_field_is_no_contradiction(
    foreign: ForeignServer, client: AsyncClient, what: str, *, is_shown: bool
) -> None:
    photos = foreign.drive.named("Photos").key
    field = {"name": "objectName", "folder": "parentObjectKey", "favourite mark": "isFavorite", "status": "status"}
    spelled = {"name": "bye.txt", "folder": photos.lower(), "favourite mark": 1, "status": "T"}
    foreign.quirk = Unchanged(foreign, **{field[what]: spelled[what] if is_shown else None})
    assert (await CHANGES[what](client)).ok


async def test_commands_and_tools_report_it(foreign: ForeignServer, client: AsyncClient, tmp_path: Path) -> None:
    shell = Shell(ForeignWorld(foreign, client, tmp_path))
    for command in (("rm", "/hello.txt"), ("mv", "/hello.txt", "/Photos"), ("rename", "/hello.txt", "bye.txt")):
        with pytest.raises(CommandFailed, match="reports success, but shows"):
            await shell(*command)
    key = foreign.drive.named("hello.txt").key
    call = {"tool": "move_to_trash", "arguments": {"object_keys": [key], "confirm": True}}
    assert (await Dispatcher(client=client).call(call))["ok"] is False
