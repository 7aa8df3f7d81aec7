"""Verification with the client, against a real server, and against one whose database somebody has edited."""

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from tests.client.proofs.independent import verify
from tests.client.serving import PASSWORD, Person
from tests.end_to_end.plain_client import PlainClient

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import LocalFileError
from skyshelf.service.history.logs import log_now, rotate


@pytest.fixture
def heads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "skyshelf" / "history-heads"


async def work(client: AsyncClient, person: Person, tmp_path: Path, name: str) -> str:
    """Change all sorts of things."""
    local = tmp_path / "local"
    local.write_text(name)
    key = (await client.upload(local, name=f"{name}.txt")).key
    await client.rename(key, f"{name}-renamed.txt")
    local.write_text(f"{name} again")
    await client.upload(local, name=f"{name}-renamed.txt")
    folder = await client.create_folder(name)
    await client.move([key], folder)
    gone = (await client.upload(local, name=f"{name}-gone.txt")).key
    await client.move_to_trash([gone])
    await client.trash.purge([gone])
    inner = (await client.upload(local, folder, name="inner.txt")).key
    await client.set_favorite([inner])
    await client.move_to_trash([folder])
    await client.trash.purge([folder])
    log_now(person.server.ctx, person.account.account_id)
    return key


async def test_history_is_verified_from_head_to_head(
    client: AsyncClient, person: Person, tmp_path: Path, heads: Path
) -> None:
    await work(client, person, tmp_path, "a")
    first = await client.history_proofs.verify()
    assert first.problems == []
    assert first.is_first
    assert first.changes == first.records == first.size > 8
    [file] = heads.iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    await work(client, person, tmp_path, "b")
    rotate(person.server.ctx)
    second = await client.history_proofs.verify()
    assert (second.problems, second.heads, second.changes) == ([], 1, second.size - first.size)
    await work(client, person, tmp_path, "c")
    third = await client.history_proofs.verify(everything=True)
    assert (third.problems, third.heads, third.changes) == ([], 2, third.size)
    assert third.key_id != second.key_id
    assert await client.history_proofs.kept() == [first.note, second.note, third.note]
    await client.history.forget(PASSWORD)
    [problem] = (await client.history_proofs.verify(everything=True)).problems
    assert "The server says that you had your history forgotten on" in problem
    fourth = await client.history_proofs.verify(everything=True, accept_forgotten=True)
    assert (fourth.problems, fourth.records) == ([], 0)
    assert (await client.history_proofs.verify()).is_intact


async def test_a_rewind_that_brings_back_what_was_deleted_for_good_fits(
    client: AsyncClient, person: Person, tmp_path: Path, heads: Path
) -> None:
    local = tmp_path / "local"
    local.write_text("one")
    key = (await client.upload(local, name="first.txt")).key
    [created] = [entry async for entry in client.history.entries(key)]
    await work(client, person, tmp_path, "a")
    await client.move_to_trash([key])
    await client.trash.purge([key])
    log_now(person.server.ctx, person.account.account_id)
    assert (await client.history_proofs.verify()).is_intact
    started = await client.rewinds.start(to_number=created.number)
    for _ in range(600):
        state = (await client.rewinds.get(started.rewind_key or "")).state
        if state == "done":
            break
        await asyncio.sleep(0.1)
    assert state == "done"
    log_now(person.server.ctx, person.account.account_id)
    found = await client.history_proofs.verify(everything=True)
    assert (found.problems, found.heads) == ([], 1)


async def test_edits_of_the_database_are_noticed(
    client: AsyncClient, person: Person, tmp_path: Path, heads: Path
) -> None:
    local = tmp_path / "local"
    local.write_text("one")
    key = (await client.upload(local, name="a.txt")).key
    await client.rename(key, "b.txt")
    log_now(person.server.ctx, person.account.account_id)
    assert (await client.history_proofs.verify()).is_intact
    mine = (person.account.account_id,)

    def edit(statement: str, *values: object) -> None:
        database = sqlite3.connect(person.server.process.data / "metadata.db", timeout=30)
        with database:
            assert database.execute(statement, (*values, *mine)).rowcount == 1
        database.close()

    async def problem() -> str:
        [found] = (await client.history_proofs.verify(everything=True)).problems
        return found

    edit("UPDATE objects SET md5 = ? WHERE name = 'b.txt' AND account_id = ?", b"m" * 16)
    assert "otherwise than it was logged: hash after" in await problem()
    edit("UPDATE changes SET actor = 'X/Y' WHERE kind = 'renamed' AND account_id = ?")
    assert "was altered" in await problem()
    edit("UPDATE history_tiles SET hashes = ? WHERE place = 0 AND account_id = ?", b"x" * 64)
    assert "cannot prove" in await problem()
    edit("UPDATE history_logs SET head = ? WHERE account_id = ?", "other")
    assert await problem() == "The server's head is not a head of a history."
    assert len(list(heads.iterdir())) == 1


async def test_kept_heads_that_cannot_be_read_are_not_ignored(
    client: AsyncClient, person: Person, tmp_path: Path
) -> None:
    await client.create_folder("a")
    log_now(person.server.ctx, person.account.account_id)
    folder = tmp_path / "heads"
    assert (await client.history_proofs.verify(folder=folder)).is_first
    [file] = folder.iterdir()
    file.write_text("{")
    with pytest.raises(LocalFileError, match="restore the file, or delete it"):
        await client.history_proofs.verify(folder=folder)


async def test_a_verifier_that_is_written_from_the_page_alone_agrees(
    client: AsyncClient, person: Person, tmp_path: Path
) -> None:
    await work(client, person, tmp_path, "a")
    rotate(person.server.ctx)
    await work(client, person, tmp_path, "b")
    found = await client.history_proofs.verify(folder=tmp_path / "heads")
    plain = PlainClient([person.server.url])
    plain.log_in(person.account.email)

    def get(call: str, **params: int) -> Any:
        return plain.json("GET", f"/x/v1/history/proof/{call}", params=params)

    assert verify(get) == (found.size, found.records)
    assert found.records == found.size > 20
    await client.history.forget(PASSWORD)
    assert verify(get) == (found.size, 0)

    def forging(call: str, **params: int) -> Any:
        answer = get(call, **params)
        if call == "leaves":
            answer["leaves"][7]["hash"] = answer["leaves"][8]["hash"]
        return answer

    with pytest.raises(AssertionError):
        verify(forging)
    plain.close()
