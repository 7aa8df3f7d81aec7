"""Small files of a folder are uploaded together; what goes wrong with some of them happens to these alone."""

import os
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from msgspec import json
from tests.client.engine.test_rate_limit import Counted
from tests.client.serving import Person

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import AuthenticationError, ConflictError, NetworkError
from skyshelf.client.http.messages import BufferedResponse, PlannedRequest
from skyshelf.client.http.transport import HttpTransport
from skyshelf.client.transfers import TransferError, TransferEvent
from skyshelf.client.upload import tree
from skyshelf.client.upload.batch import BATCH_FILES_MAX, SMALL_BYTES
from skyshelf.client.upload.file import UploadOptions

MANY = "POST /x/v1/uploads/many"
WHOLE = "POST /upload/files"
BEGIN = "POST /upload/files/chunked/initiate"

Answering = Callable[[PlannedRequest, BufferedResponse], BufferedResponse]


class Watched(HttpTransport):
    """Counts what is sent, and changes the answers to uploads of many files."""

    def __init__(self, answering: Answering) -> None:
        super().__init__()
        self._answering = answering
        self.sent: Counter[str] = Counter()

    async def send(self, request: PlannedRequest) -> BufferedResponse:
        called = f"{request.method} {request.path}"
        self.sent[called] += 1
        answer = await super().send(request)
        return self._answering(request, answer) if called == MANY else answer


def as_it_is(_: PlannedRequest, answer: BufferedResponse) -> BufferedResponse:
    return answer


def lost(request: PlannedRequest, _: BufferedResponse) -> BufferedResponse:
    raise NetworkError("the connection was lost", method=request.method, path=request.path)


@asynccontextmanager
async def watched(person: Person, answering: Answering = as_it_is) -> AsyncIterator[tuple[AsyncClient, Watched]]:
    transport = Watched(answering)
    async with AsyncClient(**person.settings, retry_wait=0.001, transport=transport) as client:
        yield client, transport


def make_files(folder: Path, count: int) -> dict[str, bytes]:
    files = {f"{number % 7}/{number}.bin": os.urandom(number % 300) for number in range(count)}
    for name, data in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(data)
    return files


async def stored(client: AsyncClient, person: Person) -> dict[str, bytes]:
    """The content of every file of the account, each of which has one version only."""
    ctx, found = person.server.ctx, {}
    async for one in client.walk():
        if one.object.is_file:
            with ctx.metadata.read() as unit:
                (version,) = unit.files.versions(person.account.account_id, one.object.key)
            found[one.path[1:]] = b"".join(ctx.blobs.read(version.location))
    return found


async def test_small_files_of_all_folders_go_in_as_few_calls_as_they_fit_into(person: Person, tmp_path: Path) -> None:
    files = make_files(tmp_path, 2 * BATCH_FILES_MAX + 10)
    events: list[TransferEvent] = []
    async with watched(person) as (client, transport):
        summary = await client.upload_all(tmp_path, progress=events.append)
        assert (summary.ok, summary.done, summary.skipped) == (True, len(files), 0)
        assert summary.bytes_done == sum(map(len, files.values()))
        assert (transport.sent[MANY], transport.sent[WHOLE], transport.sent[BEGIN]) == (3, 0, 0)
        assert await stored(client, person) == files
        again = await client.upload_all(tmp_path)
        assert (again.done, again.skipped) == (0, len(files))
        assert transport.sent[MANY] == 3
    for kind in ("queued", "started", "done"):
        assert sorted(event.path for event in events if event.kind == kind) == sorted(files)


async def test_a_file_that_is_not_small_is_sent_alone(person: Person, tmp_path: Path) -> None:
    files = {"1": b"1", "2": b"2", "empty": b"", "large": os.urandom(SMALL_BYTES + 1)}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    async with watched(person) as (client, transport):
        assert (await client.upload_all(tmp_path)).ok
        assert (transport.sent[MANY], transport.sent[WHOLE]) == (1, 1)
        assert await stored(client, person) == files


async def test_chunks_are_sent_where_they_are_requested(person: Person, tmp_path: Path) -> None:
    files = make_files(tmp_path, 5)
    async with watched(person) as (client, transport):
        assert (await client.upload_all(tmp_path, options=UploadOptions(small=0, chunk_size=100))).ok
        # The empty one is a single call in any case.
        assert (transport.sent[MANY], transport.sent[WHOLE], transport.sent[BEGIN]) == (0, 1, 4)
        assert await stored(client, person) == files


async def test_the_arrival_of_files_that_was_not_acknowledged_is_found_out(person: Person, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    (first / "x").write_bytes(b"x")
    (first / "y").write_bytes(b"y")
    files = make_files(second, 30) | {"x": b"x", "y": b"y"}
    lost_ones: list[PlannedRequest] = []

    def second_lost(request: PlannedRequest, answer: BufferedResponse) -> BufferedResponse:
        if transport.sent[MANY] != 2:
            return answer
        lost_ones.append(request)
        return lost(request, answer)

    async with watched(person, second_lost) as (client, transport):
        # The call that succeeds shows that the server has it; from then on it is repeated.
        assert (await client.upload_all(first)).done == 2
        assert (await client.upload_all(second)).done == 30
        assert (transport.sent[MANY], transport.sent[WHOLE], transport.sent[BEGIN]) == (3, 0, 0)
        assert len(lost_ones) == 1
        assert await stored(client, person) == files


async def test_where_it_is_never_acknowledged_each_file_is_asked_for_and_none_has_a_second_version(
    person: Person, tmp_path: Path
) -> None:
    files = make_files(tmp_path, 10)
    async with watched(person, lost) as (client, transport):
        assert (await client.upload_all(tmp_path)).done == 10
        assert (transport.sent[WHOLE], transport.sent[BEGIN]) == (0, 10)
        assert await stored(client, person) == files


@pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 413])
async def test_a_server_that_does_not_take_many_gets_them_one_by_one(
    person: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    files = make_files(tmp_path, 30)
    unknown = BufferedResponse(status, {"content-type": "text/plain"}, b"no")
    monkeypatch.setattr(Watched, "send", _answered_with(unknown))
    async with watched(person) as (client, transport):
        assert (await client.upload_all(tmp_path, workers=1)).done == 30
        assert (transport.sent[MANY], transport.sent[WHOLE]) == (1, 30)
        assert await stored(client, person) == files
        # It is not asked again.
        (tmp_path / "new 1").write_bytes(b"1")
        (tmp_path / "new 2").write_bytes(b"2")
        assert (await client.upload_all(tmp_path)).done == 2
        assert (transport.sent[MANY], transport.sent[WHOLE]) == (1, 32)


@pytest.mark.parametrize(("status", "body"), [(500, b""), (503, b"{}"), (200, b"<html>"), (200, b'{"files":[{}]}')])
async def test_a_server_that_does_badly_at_many_is_soon_left_alone_with_it(
    person: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int, body: bytes
) -> None:
    monkeypatch.setattr(Watched, "send", _answered_with(BufferedResponse(status, {}, body)))
    files = {}
    async with watched(person) as (client, transport):
        for number in range(5):
            (tmp_path / f"{number}").mkdir()
            for name in ("a", "b"):
                (tmp_path / f"{number}" / name).write_bytes(b"%d" % number)
                files[f"{number}/{name}"] = b"%d" % number
            summary = await client.upload_all(tmp_path)
            assert (summary.done, summary.failed) == (2, [])
        assert transport.sent[MANY] == 3
        assert await stored(client, person) == files


async def test_a_server_that_says_something_else_arrived_gets_them_one_by_one(
    person: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = make_files(tmp_path, 2)
    other = {"objectKey": "0" * 32, "sizeInBytes": 3, "hash": "0" * 32}
    claimed = BufferedResponse(200, {}, json.encode({"files": [{"object": other}, {"object": other}]}))
    monkeypatch.setattr(Watched, "send", _answered_with(claimed))
    async with watched(person) as (client, transport):
        assert (await client.upload_all(tmp_path)).done == 2
        assert transport.sent[WHOLE] == 2
        assert await stored(client, person) == files


def _answered_with(answer: BufferedResponse) -> Callable[[Watched, PlannedRequest], object]:
    async def send(self: Watched, request: PlannedRequest) -> BufferedResponse:
        called = f"{request.method} {request.path}"
        self.sent[called] += 1
        return answer if called == MANY else await HttpTransport.send(self, request)

    return send


async def test_a_file_that_is_refused_is_named_and_the_others_arrive(
    client: AsyncClient, person: Person, tmp_path: Path
) -> None:
    files = make_files(tmp_path, 9)
    refused = next(iter(files))
    folder = await client.create_folder(refused.split("/")[0])
    await client.create_folder(refused.split("/")[1], folder)
    summary = await client.upload_all(tmp_path)
    assert summary.done == 8
    (failed,) = summary.failed
    assert failed.path == refused
    assert isinstance(failed.error, ConflictError)
    assert await stored(client, person) == {name: data for name, data in files.items() if name != refused}


async def test_a_session_that_has_ended_ends_the_run(person: Person, tmp_path: Path) -> None:
    make_files(tmp_path, 9)
    async with AsyncClient(**person.settings, retry_wait=0.001) as client, AsyncClient(**person.settings) as other:
        root = await client.root_key()
        await other.logout()
        summary = await client.upload_all(tmp_path, root)
    assert isinstance(summary.stopped_by, AuthenticationError)
    assert (summary.done, bool(summary), summary.exit_code) == (0, False, summary.stopped_by.exit_code)
    with pytest.raises(TransferError) as raised:
        summary.raise_for_failures()
    assert raised.value.__cause__ is summary.stopped_by


async def test_a_file_whose_size_has_changed_is_sent_alone(
    person: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = make_files(tmp_path, 9)
    measure = tree._size
    monkeypatch.setattr(tree, "_size", lambda entry: measure(entry) + (entry.name == "3.bin"))
    async with watched(person) as (client, transport):
        assert (await client.upload_all(tmp_path)).done == 9
        assert (transport.sent[MANY], transport.sent[WHOLE]) == (1, 1)
        assert await stored(client, person) == files


async def test_a_file_that_has_gone_or_cannot_be_sent_fails_alone(
    client: AsyncClient, person: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = make_files(tmp_path, 9)
    (tmp_path / "bad\x07.txt").write_bytes(b"x")
    measure = tree._size

    def gone_after_that(entry: "os.DirEntry[str]") -> int:
        size = measure(entry)
        if entry.name == "3.bin":
            Path(entry.path).unlink()
        return size

    monkeypatch.setattr(tree, "_size", gone_after_that)
    summary = await client.upload_all(tmp_path)
    assert summary.done == 8
    assert {failed.path for failed in summary.failed} == {"bad\x07.txt", "3/3.bin"}
    assert await stored(client, person) == {name: data for name, data in files.items() if name != "3/3.bin"}


async def test_a_batch_is_at_most_one_second_of_the_rate_limit(client: AsyncClient, tmp_path: Path) -> None:
    for number in range(20):
        (tmp_path / str(number)).write_bytes(os.urandom(20_000))
    limit = Counted(100_000)
    assert (await client.upload_all(tmp_path, rate_limit=limit)).ok
    assert 400_000 <= sum(limit.spent) <= 420_000
    assert len(limit.spent) == 4
