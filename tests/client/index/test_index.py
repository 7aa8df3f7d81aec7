"""Following changes, and listings from a memory of everything."""

import asyncio
import stat
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tests.client.api.test_search import Counting
from tests.client.serving import Person

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import InvalidRequestError, NotOfferedError
from skyshelf.client.index.index import cache_folder

LISTING = "/nms/metadata"


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "skyshelf"


async def paths(walked: AsyncIterator[Any]) -> list[str]:
    return [one.path async for one in walked]


def another(person: Person) -> AsyncClient:
    """Return a client of the same person on another machine."""
    return AsyncClient(**person.settings, retry_wait=0.01)


async def test_changes_are_listed_since_a_cursor(client: AsyncClient) -> None:
    start = await client.changes.current_cursor()
    folder = await client.create_folder("new")
    told = await client.changes.since(start)
    assert [(one.kind, one.object_key) for one in told.changes] == [("created", folder.key)]
    found = told.object(folder.key)
    assert found is not None
    assert found.name == "new"
    assert not told.has_more
    assert (await client.changes.since(told.cursor)).changes == []
    with pytest.raises(InvalidRequestError) as refused:
        await client.changes.since("c99999-1")
    assert refused.value.code == "SKY1011"


async def test_watchers_are_notified(client: AsyncClient, person: Person) -> None:
    async def first() -> Any:
        return await anext(aiter(client.changes.watch(cursor)))

    cursor = await client.changes.current_cursor()
    async with another(person) as other:
        folder = await other.create_folder("seen at once")
        told = await asyncio.wait_for(first(), 60)
    assert [(one.kind, one.object_key) for one in told.changes] == [("created", folder.key)]


async def test_a_stream_that_is_cut_is_taken_up_where_it_was(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server ends every stream after a while; here it ends after each event."""
    from skyshelf.client.objects import changes
    from skyshelf.wire.resources.changes import ChangeStreamQuery

    monkeypatch.setattr(changes, "_PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(changes, "ChangeStreamQuery", lambda: ChangeStreamQuery(seconds=0))
    async with another(person) as client:
        cursor = await client.changes.current_cursor()
        heard: list[str] = []
        keys = [(await client.create_folder("one")).key]
        async for told in client.changes.watch(cursor):
            heard += [one.object_key or "" for one in told.changes]
            if len(heard) == 3:
                break
            keys.append((await client.create_folder(f"after {len(heard)}")).key)
        assert heard == keys


async def test_with_an_index_nothing_is_listed_and_all_is_as_the_server_has_it(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with another(person) as writer, another(person) as client:
        folder = await writer.create_folder("Photos")
        for name in ("b", "A", "é", "c"):
            await writer.create_folder(name, folder)
        assert await client.use_index()
        asked = Counting(monkeypatch)
        indexed = await paths(client.walk())
        found = await client.get("/Photos/é")
        assert LISTING not in asked.paths
        await client.leave_index()
        assert await paths(client.walk()) == indexed
        assert (await client.get("/Photos/é")) == found


async def test_a_repeated_copy_of_everything_lists_nothing_and_fetches_what_is_new(
    person: Person, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with another(person) as writer:
        folder = await writer.create_folder("Photos")
        for name in ("one.txt", "two.txt"):
            (tmp_path / name).write_text(name)
        await writer.upload(tmp_path / "one.txt", folder)
        asked = Counting(monkeypatch)
        for expected in (["one.txt"], ["one.txt", "two.txt"], ["one.txt", "two.txt"]):
            asked.paths.clear()
            async with another(person) as client:
                assert await client.use_index()
                assert (await client.download_all(tmp_path / "copy")).ok
            assert LISTING not in asked.paths
            assert sorted(path.name for path in (tmp_path / "copy" / "Photos").iterdir()) == expected
            await writer.upload(tmp_path / "two.txt", folder)


async def test_an_index_learns_of_every_kind_of_change(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    async with another(person) as writer, another(person) as client:
        first, second = await writer.create_folder("first"), await writer.create_folder("second")
        child = await writer.create_folder("child", first)
        gone = await writer.create_folder("gone")
        deep = await writer.create_folder("deep", gone)
        assert await client.use_index()

        asked = Counting(monkeypatch)

        async def same() -> list[str]:
            assert await client.use_index(build=False)
            asked.paths.clear()
            indexed = await paths(client.walk())
            assert asked.paths == []
            assert await paths(writer.walk()) == indexed
            return indexed

        assert "/gone/deep" in await same()
        for change in (
            writer.rename(first, "renamed"),
            writer.move([child], second),
            writer.move_to_trash([gone]),
            writer.restore([gone]),
            writer.move_to_trash([deep]),
            writer.trash.purge([deep]),
            writer.move_to_trash([gone]),
            writer.trash.empty(),
        ):
            await change
            indexed = await same()
        assert indexed == ["/renamed", "/second", "/second/child"]


async def test_what_the_client_writes_ends_the_use_of_its_index(person: Person) -> None:
    async with another(person) as client:
        assert await client.use_index()
        await client.create_folder("new")
        assert await paths(client.walk()) == ["/new"]


async def test_an_index_is_made_only_where_that_is_wanted(person: Person, own_cache: Path) -> None:
    async with another(person) as client:
        assert not await client.use_index(build=False)
        assert await client.use_index()
        assert await client.use_index(build=False)
    (file,) = own_cache.glob("*.db")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(own_cache.stat().st_mode) == 0o700


@pytest.mark.parametrize("damage", ["garbage", "cut", "empty", "readable", "linked"])
async def test_an_index_that_is_damaged_or_not_private_is_rebuilt(
    person: Person, own_cache: Path, damage: str, tmp_path: Path
) -> None:
    async with another(person) as client:
        await client.create_folder("there")
        assert await client.use_index()
    (file,) = own_cache.glob("*.db")
    elsewhere = tmp_path / "elsewhere"
    if damage == "garbage":
        file.write_bytes(b"this is not a database at all, and long enough to be looked at" * 100)
    elif damage == "cut":
        file.write_bytes(file.read_bytes()[:5000])
    elif damage == "empty":
        file.write_bytes(b"")
    elif damage == "readable":
        file.chmod(0o644)
    else:
        elsewhere.write_bytes(b"")
        file.unlink()
        file.symlink_to(elsewhere)
    async with another(person) as client:
        assert await client.use_index()
        assert await paths(client.walk()) == ["/there"]
    assert stat.S_IMODE(file.lstat().st_mode) == 0o600
    assert not elsewhere.exists() or elsewhere.read_bytes() == b""


async def test_an_index_whose_cursor_is_too_old_is_rebuilt(person: Person, own_cache: Path) -> None:
    import sqlite3

    async with another(person) as client:
        await client.create_folder("there")
        assert await client.use_index()
    (file,) = own_cache.glob("*.db")
    with sqlite3.connect(file) as database:
        database.execute("UPDATE meta SET value = 'c1-1' WHERE name = 'cursor'")
        database.execute("DELETE FROM objects")
    database.close()
    async with another(person) as client:
        assert not await client.use_index(build=False)
        assert await client.use_index()
        assert await paths(client.walk()) == ["/there"]


async def test_several_clients_use_one_index_at_once(person: Person) -> None:
    clients = [another(person) for _ in range(4)]
    try:
        await clients[0].create_folder("before")
        assert all(await asyncio.gather(*(client.use_index() for client in clients)))
        await another_folder(person, "after")
        assert all(await asyncio.gather(*(client.use_index(build=False) for client in clients)))
        for client in clients:
            assert await paths(client.walk()) == ["/after", "/before"]
    finally:
        for client in clients:
            await client.close()


async def another_folder(person: Person, name: str) -> None:
    async with another(person) as client:
        await client.create_folder(name)


async def test_a_server_without_a_change_feed_is_listed_as_usual(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with another(person) as client:
        await client.create_folder("there")
        Counting(monkeypatch, missing="/x/v1/")
        assert not await client.use_index()
        assert await paths(client.walk()) == ["/there"]
        with pytest.raises(NotOfferedError, match="this server cannot report changes"):
            await client.changes.current_cursor()


async def test_a_cache_folder_that_cannot_be_written_is_no_harm(
    person: Person, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    async with another(person) as client:
        assert not await client.use_index()


def test_the_cache_folder_is_the_one_of_the_standard() -> None:
    assert cache_folder({"XDG_CACHE_HOME": "/var/tmp/cache"}) == Path("/var/tmp/cache/skyshelf")
    assert cache_folder({"XDG_CACHE_HOME": "relative"}) == Path.home() / ".cache" / "skyshelf"
