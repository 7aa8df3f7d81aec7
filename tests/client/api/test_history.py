"""Looking back with the client, against a real server."""

import asyncio
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.client.serving import PASSWORD, Person

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.download.file import download_object
from skyshelf.client.errors import DestinationExistsError, ForbiddenError, IntegrityError, ObjectNotFoundError


async def put(client: AsyncClient, tmp_path: Path, name: str, content: str) -> str:
    local = tmp_path / "local"
    local.write_text(content)
    return (await client.upload(local, name=name)).key


def newest(date: int | None) -> datetime:
    assert date is not None
    return datetime.fromtimestamp(date / 1000, UTC)


async def test_a_renamed_and_deleted_file_is_found_under_its_old_path(client: AsyncClient, tmp_path: Path) -> None:
    key = await put(client, tmp_path, "a.txt", "one")
    [created] = [entry async for entry in client.history.entries(key)]
    at = newest(created.date)
    # The next change has another moment.
    while datetime.now(UTC) <= at + timedelta(milliseconds=2):
        pass
    await client.rename(key, "b.txt")
    await put(client, tmp_path, "b.txt", "two")
    await client.move_to_trash([key])
    await client.trash.purge([key])
    past = client.at(at)
    assert [found.name async for found in past.list_folder()] == ["a.txt"]
    assert await past.read("/a.txt") == b"one"
    kinds = [entry.kind async for entry in client.history.entries(key)]
    assert kinds == ["purged", "trashed", "content", "renamed", "created"]
    with pytest.raises(ObjectNotFoundError):
        await past.read("/b.txt")
    assert [found.kinds async for found in client.history.differences(at)] == [["removed"]]


async def test_a_file_with_the_same_content_has_no_other_content(client: AsyncClient, tmp_path: Path) -> None:
    key = await put(client, tmp_path, "a.txt", "one")
    at = await moment(client)
    await put(client, tmp_path, "a.txt", "two")
    await put(client, tmp_path, "a.txt", "one")
    assert [found.kinds async for found in client.history.differences(at)] == []
    await client.rename(key, "b.txt")
    assert [found.kinds async for found in client.history.differences(at)] == [["renamed"]]


async def test_history_is_kept_for_as_long_as_chosen_and_can_be_forgotten(client: AsyncClient, tmp_path: Path) -> None:
    await put(client, tmp_path, "a.txt", "one")
    with pytest.raises(ForbiddenError):
        await client.history.set_days(3)
    assert (await client.history.set_days(3, password=PASSWORD)).days == 3
    assert (await client.history.set_days(None)).days == (await client.history.settings()).days_max
    await client.history.forget(PASSWORD)
    assert [entry async for entry in client.history.entries()] == []


async def moment(client: AsyncClient) -> int:
    """A moment after all changes so far, and before all further ones."""
    async for entry in client.history.entries():
        at = (entry.date or 0) + 1
        while time.time() * 1000 <= at + 1:
            await asyncio.sleep(0.001)
        return at
    raise AssertionError("nothing has changed yet")


async def test_a_past_tree_is_walked_and_downloaded_with_every_content_verified(
    client: AsyncClient, tmp_path: Path
) -> None:
    folder = await client.create_folder("folder")
    inner = await client.create_folder("inner", folder)
    contents = {"a.txt": b"a" * 5, "b.txt": b"", "inner/c.txt": b"c" * 70_000}
    keys = {}
    for path, content in contents.items():
        (tmp_path / "local").write_bytes(content)
        name = path.rpartition("/")[2]
        keys[path] = (await client.upload(tmp_path / "local", inner if "/" in path else folder, name=name)).key
    at = await moment(client)
    (tmp_path / "local").write_bytes(b"other")
    await client.upload(tmp_path / "local", folder, name="a.txt")
    await client.move([inner], await client.root_key())
    await client.rename(folder, "renamed")
    await client.move_to_trash([keys["b.txt"]])
    await client.trash.purge([keys["b.txt"]])

    past = client.at(at)
    walked = {found.path: found.object.key async for found in past.walk("/folder") if found.object.is_file}
    assert walked == {f"/{path}": key for path, key in keys.items()}
    found = await past.get("/folder/inner/c.txt")
    assert (await past.get(found.key)).name == "c.txt"
    assert (await past.get(await client.root_key())).is_root
    done = await past.download("/folder/a.txt", tmp_path / "then.txt")
    assert (done.path.read_bytes(), done.verified) == (contents["a.txt"], True)
    with pytest.raises(DestinationExistsError):
        await past.download("/folder/a.txt", tmp_path / "then.txt")
    with pytest.raises(ObjectNotFoundError):
        await past.get("/renamed")

    summary = await past.download_all(tmp_path / "tree", "/folder")
    assert (summary.done, summary.failed) == (3, [])
    assert {path: (tmp_path / "tree" / path).read_bytes() for path in contents} == contents
    (tmp_path / "tree" / "a.txt").write_bytes(b"mine")
    again = await past.download_all(tmp_path / "tree", "/folder")
    assert (again.skipped, [failure.path for failure in again.failed]) == (2, ["a.txt"])
    assert (await past.download_all(tmp_path / "tree", "/folder", overwrite=True)).done == 1

    changed = {found.before_path: (found.kinds, found.after_path) async for found in client.history.differences(at)}
    assert changed == {
        "/folder": (["renamed"], "/renamed"),
        "/folder/a.txt": (["content"], "/renamed/a.txt"),
        "/folder/b.txt": (["removed"], None),
        "/folder/inner": (["moved"], "/inner"),
    }
    below = [found.before_path async for found in client.history.differences(at, below="/inner")]
    assert below == ["/folder/inner"]
    with pytest.raises(ObjectNotFoundError):
        await anext(aiter(client.history.differences(at, below="/nowhere")))


async def test_a_damaged_past_content_is_refused(person: Person, tmp_path: Path) -> None:
    client = AsyncClient(**person.settings)
    key = await put(client, tmp_path, "a.txt", "one")
    at = await moment(client)
    await put(client, tmp_path, "a.txt", "two")
    found = await client.at(at).get(key)
    wrong = replace(found.wire, hash="0" * 32)
    with pytest.raises(IntegrityError):
        await download_object(client._engine, wrong, tmp_path / "x", at=at)
    assert not (tmp_path / "x").exists()
    await client.close()
