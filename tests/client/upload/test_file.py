"""Uploads, against a real server, by both clients."""

import hashlib
import os
from pathlib import Path

import pytest
from tests.client.serving import Person

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import (
    FileChangedError,
    InvalidRequestError,
    LocalFileError,
    ObjectNotFoundError,
    QuotaExceededError,
)
from skyshelf.client.transfers import TransferEvent
from skyshelf.client.upload.file import UploadOptions

IN_CHUNKS = UploadOptions(small=0, chunk_size=1000)


def stored(person: Person, object_key: str) -> bytes:
    ctx = person.server.ctx
    with ctx.metadata.read() as unit:
        location = unit.files.version(person.account.account_id, object_key).location
    return b"".join(ctx.blobs.read(location))


@pytest.mark.parametrize("options", [UploadOptions(), IN_CHUNKS], ids=["whole", "chunks"])
@pytest.mark.parametrize("size", [0, 1, 999, 1000, 1001, 4321])
async def test_a_file_arrives_byte_by_byte_with_its_dates(
    client: AsyncClient, person: Person, tmp_path: Path, size: int, options: UploadOptions
) -> None:
    local = tmp_path / "Grüße & co.bin"
    local.write_bytes(os.urandom(size))
    os.utime(local, ns=(0, 1_600_000_000_123_000_000))
    told: list[tuple[int, int]] = []
    done = await client.upload(local, options=options, progress=lambda *sizes: told.append(sizes))
    assert (done.name, done.size, done.modified_ms) == (local.name, size, 1_600_000_000_123)
    assert done.md5 == hashlib.md5(local.read_bytes()).hexdigest()
    assert stored(person, done.key) == local.read_bytes()
    assert told[0] == (0, size)
    assert told[-1] == (size, size)
    assert [sizes[0] for sizes in told] == sorted(sizes[0] for sizes in told)


async def test_known_content_is_not_sent_again_and_the_same_file_gets_no_new_version(
    client: AsyncClient, tmp_path: Path
) -> None:
    local = tmp_path / "a.bin"
    local.write_bytes(os.urandom(5000))
    first = await client.upload(local, options=IN_CHUNKS)
    told: list[int] = []
    again = await client.upload(local, options=IN_CHUNKS, progress=lambda done, _: told.append(done))
    assert (again.key, again.wire.version) == (first.key, first.wire.version)
    other = await client.upload(local, name="b.bin", options=IN_CHUNKS, progress=lambda done, _: told.append(done))
    assert other.key != first.key
    assert set(told) == {0, 5000}


async def test_an_upload_goes_on_where_it_was(client: AsyncClient, person: Person, tmp_path: Path) -> None:
    local = tmp_path / "a.bin"
    local.write_bytes(os.urandom(5000))

    def interrupt(done: int, _total: int) -> None:
        if done >= 2000:
            raise RuntimeError("as a crash would")

    with pytest.raises(RuntimeError):
        await client.upload(local, options=IN_CHUNKS, progress=interrupt)
    told: list[int] = []
    # Another chunk size, as another version of a program may have.
    done = await client.upload(
        local, options=UploadOptions(small=0, chunk_size=700), progress=lambda done, _: told.append(done)
    )
    assert told[:3] == [0, 2000, 2700]
    assert stored(person, done.key) == local.read_bytes()


async def test_a_file_that_changes_underneath_is_noticed(client: AsyncClient, tmp_path: Path) -> None:
    local = tmp_path / "a.bin"
    local.write_bytes(os.urandom(5000))

    def change(done: int, _total: int) -> None:
        if done == 2000:
            local.write_bytes(os.urandom(5000))
            os.utime(local, (1, 1))

    with pytest.raises(FileChangedError, match=r"a\.bin"):
        await client.upload(local, options=IN_CHUNKS, progress=change)
    assert [each async for each in client.list_folder()] == []


async def test_what_cannot_be_uploaded_is_refused_with_a_sentence(client: AsyncClient, tmp_path: Path) -> None:
    with pytest.raises(LocalFileError, match="No such file"):
        await client.upload(tmp_path / "missing")
    with pytest.raises(LocalFileError, match="not a regular file"):
        await client.upload(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(LocalFileError, match="not a regular file"):
        await client.upload(tmp_path / "pipe")
    (tmp_path / "a").write_bytes(b"x")
    with pytest.raises(ObjectNotFoundError):
        await client.upload(tmp_path / "a", "0" * 32)
    with pytest.raises(ObjectNotFoundError):
        await client.upload(tmp_path / "a", "/missing")
    with pytest.raises(InvalidRequestError):
        await client.upload(tmp_path / "a", name="a/b")


async def test_a_full_account_says_so(person: Person, tmp_path: Path) -> None:
    little = person.server.person(quota=1000)
    local = tmp_path / "a.bin"
    local.write_bytes(bytes(2000))
    async with AsyncClient(**little.settings) as client:
        for options in (UploadOptions(), IN_CHUNKS):
            with pytest.raises(QuotaExceededError):
                await client.upload(local, options=options)
        summary = await client.upload_all(tmp_path)
        assert isinstance(summary.stopped_by, QuotaExceededError)
        assert not summary


def make_tree(folder: Path) -> dict[str, bytes]:
    files = {
        "a.txt": b"a",
        "empty": b"",
        "Füße/b.bin": os.urandom(3000),
        "Füße/deep/er/c.txt": b"c",
        "other/a.txt": b"another a",
    }
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    (folder / "nothing").mkdir()
    (folder / "link").symlink_to("/etc")
    return files


async def test_a_whole_folder_arrives_with_everything_in_it(
    client: AsyncClient, person: Person, tmp_path: Path
) -> None:
    files = make_tree(tmp_path)
    events: list[TransferEvent] = []
    summary = await client.upload_all(tmp_path, options=IN_CHUNKS, progress=events.append)
    assert (summary.ok, summary.done, summary.skipped, summary.ignored) == (True, 5, 0, 1)
    assert summary.folders == 6
    assert summary.bytes_done == sum(map(len, files.values()))
    found = {one.path[1:]: one.object async for one in client.walk()}
    assert {path for path, each in found.items() if each.is_folder} == {
        *("Füße", "Füße/deep", "Füße/deep/er", "other", "nothing")
    }
    assert {path: stored(person, each.key) for path, each in found.items() if each.is_file} == files
    assert sorted(event.path for event in events if event.kind == "done") == sorted(files)


async def test_a_second_run_sends_only_what_is_new(client: AsyncClient, tmp_path: Path) -> None:
    make_tree(tmp_path)
    await client.upload_all(tmp_path)
    (tmp_path / "a.txt").write_bytes(b"changed")
    (tmp_path / "new.txt").write_bytes(b"new")
    summary = await client.upload_all(tmp_path)
    assert (summary.done, summary.skipped, summary.queued) == (2, 4, 6)
    assert (await client.get("/a.txt")).size == 7


async def test_what_fails_is_named_and_the_rest_goes_on(client: AsyncClient, tmp_path: Path) -> None:
    (tmp_path / "good.txt").write_bytes(b"x")
    (tmp_path / "bad\x07.txt").write_bytes(b"x")
    summary = await client.upload_all(tmp_path)
    assert summary.done == 1
    assert not summary.ok
    (failed,) = summary.failed
    assert failed.path == "bad\x07.txt"
    assert "control" in failed.reason


async def test_an_unfinished_upload_is_listed_and_cancelled(
    client: AsyncClient, person: Person, tmp_path: Path
) -> None:
    local = tmp_path / "begun.bin"
    local.write_bytes(b"x" * 3000)

    def stop(sent: int, _: int) -> None:
        if sent:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        await client.upload(local, options=IN_CHUNKS, progress=stop)
    (begun,) = [one async for one in client.uploads.unfinished()]
    assert (begun.name, begun.size, begun.offset) == ("begun.bin", 3000, 1000)
    await client.uploads.cancel(begun.transaction_id)
    assert [one async for one in client.uploads.unfinished(page_size=1)] == []
    with pytest.raises(ObjectNotFoundError):
        await client.uploads.cancel(begun.transaction_id)
    with person.server.ctx.metadata.read() as unit:
        assert unit.quotas.get(person.account.account_id, 0).reserved == 0
