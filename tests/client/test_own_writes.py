"""After its own writes a client knows what it wrote, however late the server's listings show it."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from tests.client.serving import PASSWORD, Person
from tests.foreign.drive import FOREVER
from tests.foreign.server import ForeignServer, foreign_server
from tests.foreign.shapes import EmptyBodies, Lag
from tests.real_parts.servers import embedded

from skyshelf.agent.dispatcher import Dispatcher
from skyshelf.client.async_client import AsyncClient
from skyshelf.client.engine.recent_writes import RecentWrites
from skyshelf.client.errors import ConflictError, ObjectNotFoundError
from skyshelf.client.objects.remote_object import RemoteObject, remote_object
from skyshelf.service.accounts import accounts


@pytest.fixture(scope="module")
def lagging_server() -> Iterator[ForeignServer]:
    with foreign_server() as server:
        yield server


@pytest.fixture
async def client(lagging_server: ForeignServer) -> AsyncIterator[AsyncClient]:
    """A client of a server whose listings, feeds and trash never show what was changed."""
    lagging_server.begin(Lag())
    async with AsyncClient(**lagging_server.settings, retry_wait=0.001, lag=60) as client:
        yield client


async def names(client: AsyncClient, folder: str | None = None) -> set[str]:
    return {one.name async for one in client.list_folder(folder)}


async def test_what_was_created_renamed_moved_and_trashed_is_listed_so(client: AsyncClient) -> None:
    made = await client.create_folder("New")
    assert (await client.get("/New")).key == made.key
    assert (await client.create_path("/New/a/b")).key == (await client.create_path("/New/a/b")).key
    assert (await client.create_folder("New", exist_ok=True)).key == made.key
    await client.move(["/hello.txt"], "/New")
    assert "hello.txt" not in await names(client)
    assert await names(client, "/New") == {"a", "hello.txt"}
    renamed = await client.rename("/New/hello.txt", "bye.txt")
    assert (await client.get("/New/bye.txt")).key == renamed.key
    assert {one.path async for one in client.walk("/New")} == {"/a", "/bye.txt", "/a/b"}
    assert [one.path async for one in client.search("bye")] == ["/New/bye.txt"]
    await client.set_favorite(["/New/bye.txt"])
    assert (await client.get("/New/bye.txt")).is_favorite
    await client.move_to_trash(["/New/bye.txt"])
    with pytest.raises(ObjectNotFoundError):
        await client.get("/New/bye.txt")
    assert [one.name async for one in client.trash.list()] == ["bye.txt", "old.txt"]
    await client.restore([renamed.key])
    assert (await client.get("/New/bye.txt")).status == "A"
    assert [one.name async for one in client.trash.list()] == ["old.txt"]


async def test_recent_files_are_as_they_were_written(client: AsyncClient) -> None:
    async def recent() -> set[str]:
        found = await client.recent()
        return {str(one.object_name) for one in (*(found.objects_imgs or ()), *(found.objects_docs or ()))}

    assert {"beach.jpg", "hello.txt", "report.txt"} <= await recent()
    await client.rename("/hello.txt", "bye.txt")
    await client.move_to_trash(["/Photos/beach.jpg"])
    assert {"bye.txt", "report.txt"} <= await recent()
    assert not {"hello.txt", "beach.jpg"} & await recent()


async def test_a_file_that_was_moved_into_a_new_folder_is_downloaded_by_its_path(
    client: AsyncClient, tmp_path: Path
) -> None:
    await client.create_path("/New/inner")
    await client.move(["/hello.txt"], "/New/inner")
    assert (await client.download("/New/inner/hello.txt", tmp_path)).verified


async def test_the_bridge_knows_it_too(client: AsyncClient) -> None:
    dispatcher = Dispatcher(client=client)
    made = await dispatcher.call({"tool": "create_folder", "arguments": {"name": "New"}})
    key = made["result"]["object_key"]  # type: ignore[index]
    listed = await dispatcher.call({"tool": "list_files", "arguments": {}})
    assert key in [one["object_key"] for one in listed["result"]]  # type: ignore[attr-defined]
    trashed = await dispatcher.call({"tool": "move_to_trash", "arguments": {"object_keys": [key], "confirm": True}})
    assert trashed["ok"] is True, trashed
    trash = await dispatcher.call({"tool": "list_trash", "arguments": {}})
    assert trash["result"][0]["object_key"] == key  # type: ignore[index]


class Settling(EmptyBodies):
    """Answers nothing, and lists a new folder only when it has been asked for a few times."""

    def __init__(self) -> None:
        self._listed = 0

    def prepare(self, drive: object, interface: object) -> None:
        self._drive = drive
        drive.lag = FOREVER  # type: ignore[attr-defined]

    def instead(self, asked):  # type: ignore[no-untyped-def]
        self._listed += asked.path == "/nms/metadata"
        if self._listed > 3:
            self._drive.settle()  # type: ignore[attr-defined]
        return


async def test_an_empty_answer_is_read_back_with_patience(lagging_server: ForeignServer) -> None:
    lagging_server.begin(Settling())
    async with AsyncClient(**lagging_server.settings, retry_wait=0.001) as client:
        made = await client.create_folder("New")
        assert (made.name, made.is_folder) == ("New", True)


async def test_a_folder_of_somebody_else_that_is_not_listed_yet_is_waited_for(lagging_server: ForeignServer) -> None:
    lagging_server.begin(Settling())
    async with (
        AsyncClient(**lagging_server.settings, retry_wait=0.001) as client,
        AsyncClient(**lagging_server.settings, retry_wait=0.001, lag=0) as other,
    ):
        await client.create_folder("New")
        assert (await other.create_folder("New", exist_ok=True)).name == "New"
        with pytest.raises(ConflictError):
            await other.create_folder("New")
        with pytest.raises(ConflictError):
            await client.create_folder("hello.txt", exist_ok=True)


def written(key: str, name: str, parent: str) -> RemoteObject:
    return remote_object(
        f'{{"objectKey":"{key}","objectName":"{name}","parentObjectKey":"{parent}","objectType":"FE"}}'.encode()
    )


def test_a_write_is_remembered_for_as_long_as_a_server_may_lag() -> None:
    now = [0.0]
    writes = RecentWrites[RemoteObject](5.0, clock=lambda: now[0])
    one = written("1" * 32, "a", "f" * 32)
    writes.put(one, one.parent_key)
    now[0] = 4.9
    assert writes.missing([], "F" * 32, folders=False) == [one]
    assert writes.missing(["1" * 32], "F" * 32, folders=False) == []
    assert writes.missing([], "F" * 32, folders=True) == writes.missing([], "E" * 32, folders=False) == []
    now[0] = 5.0
    assert not writes
    assert writes.missing([], "F" * 32, folders=False) == []


def test_only_so_many_writes_are_remembered() -> None:
    writes = RecentWrites[RemoteObject](5.0, clock=lambda: 0.0)
    for number in range(10_001):
        one = written(f"{number:032x}", "a", "f" * 32)
        writes.put(one, one.parent_key)
    assert len(writes.missing([], "f" * 32, folders=False)) == 10_000


async def test_what_somebody_else_changes_meanwhile_is_seen_at_once_where_keys_can_be_looked_up(
    person: Person, tmp_path: Path
) -> None:
    """Our own server does not lag: another client's change counts, and not what this one remembers."""
    (tmp_path / "a.txt").write_bytes(b"a")
    async with AsyncClient(**person.settings) as client, AsyncClient(**person.settings) as other:
        made = await client.upload(tmp_path / "a.txt")
        await other.rename(made.key, "b.txt")
        assert await names(client) == {"b.txt"}
        await client.rename("/b.txt", "c.txt")
        await other.move_to_trash([made.key])
        assert await names(client) == set()
        assert [one.name async for one in client.trash.list()] == ["c.txt"]
        await client.restore([made.key])
        await client.move_to_trash([made.key])
        await other.restore([made.key])
        assert await names(client) == {"c.txt"}
        assert [one.name async for one in client.trash.list()] == []


async def test_a_real_server_that_lags_is_worked_with_as_if_it_did_not(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"a")
    (tmp_path / "lagging").mkdir()
    with embedded(tmp_path / "lagging", "--simulate", "lag=3600s") as stack:
        accounts.add_account(stack.ctx, "ada@example.org", "Ada", "Byron", PASSWORD)
        async with AsyncClient(stack.urls[0], lag=600) as client:
            await client.login("ada@example.org", PASSWORD)
            first = await client.create_path("/New/inner")
            assert (await client.create_path("/New/inner")).key == first.key
            assert (await client.create_folder("New", exist_ok=True)).name == "New"
            await client.upload(tmp_path / "a.txt", "/New/inner")
            assert (await client.download("/New/inner/a.txt", tmp_path / "copy")).verified
            many = tmp_path / "many"
            (many / "below").mkdir(parents=True)
            for number in range(20):
                (many / f"{number}.txt").write_text(str(number))
                (many / "below" / f"{number}.bin").write_text(str(number))
            folder = await client.create_folder("Many")
            assert (await client.upload_all(many, folder)).done == 40
            assert await names(client, "/Many") == {"below", *(f"{number}.txt" for number in range(20))}
            assert await names(client, "/Many/below") == {f"{number}.bin" for number in range(20)}
            await client.rename("/New/inner/a.txt", "b.txt")
            await client.move(["/New/inner/b.txt"], "/New")
            assert await names(client, "/New") == {"inner", "b.txt"}
            await client.move_to_trash(["/New/b.txt"])
            (trashed,) = [one async for one in client.trash.list()]
            await client.restore([trashed])
            assert (await client.get("/New/b.txt")).is_file
