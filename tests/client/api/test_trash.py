"""Deleting for good and bringing back a version, against a real server, by both clients."""

from pathlib import Path

import pytest

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import InvalidRequestError, ObjectNotFoundError
from skyshelf.client.objects.outcomes import UnprocessedError
from skyshelf.wire.error_codes import NOT_IN_TRASH


async def put(client: AsyncClient, tmp_path: Path, name: str, content: str) -> str:
    local = tmp_path / "local"
    local.write_text(content)
    return (await client.upload(local, name=name)).key


async def in_trash(client: AsyncClient) -> list[str]:
    return [each.name async for each in client.trash.list()]


async def test_chosen_objects_and_then_everything_leave_the_trash(client: AsyncClient, tmp_path: Path) -> None:
    keys = [await put(client, tmp_path, name, name) for name in ("a.txt", "b.txt", "c.txt")]
    await client.move_to_trash(keys)
    assert (await client.trash.purge(keys[:1])).ok
    assert await in_trash(client) == ["c.txt", "b.txt"]
    result = await client.trash.purge([keys[0], keys[1]], on_error="return")
    assert [outcome.ok for outcome in result] == [False, True]
    with pytest.raises(UnprocessedError) as raised:
        result.raise_for_failures()
    assert raised.value.code == NOT_IN_TRASH.code
    await client.trash.empty()
    assert await in_trash(client) == []


async def test_what_is_to_go_for_good_is_named_by_its_key(client: AsyncClient) -> None:
    with pytest.raises(InvalidRequestError, match="by its key"):
        await client.trash.purge(["/a.txt"])


async def test_a_version_comes_back(client: AsyncClient, tmp_path: Path) -> None:
    await put(client, tmp_path, "a.txt", "one")
    key = await put(client, tmp_path, "a.txt", "second")
    back = await client.versions.restore("/a.txt", 1)
    assert (back.key, back.size, back.wire.version) == (key, 3, 3)
    assert (await client.download(key, tmp_path / "back")).path.read_text() == "one"
    with pytest.raises(ObjectNotFoundError, match="no such version"):
        await client.versions.restore(key, 9)
