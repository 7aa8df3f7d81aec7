"""Looking back with the client, against a real server."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import ObjectNotFoundError


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
    assert [found.name async for found in client.history.list_folder("/", at)] == ["a.txt"]
    assert await client.history.read("/a.txt", at) == b"one"
    kinds = [entry.kind async for entry in client.history.entries(key)]
    assert kinds == ["purged", "trashed", "content", "renamed", "created"]
    with pytest.raises(ObjectNotFoundError):
        await client.history.read("/b.txt", at)


async def test_history_is_kept_for_as_long_as_chosen_and_can_be_forgotten(client: AsyncClient, tmp_path: Path) -> None:
    await put(client, tmp_path, "a.txt", "one")
    assert (await client.history.set_days(3)).days == 3
    assert (await client.history.set_days(None)).days == (await client.history.settings()).days_max
    await client.history.forget()
    assert [entry async for entry in client.history.entries()] == []
