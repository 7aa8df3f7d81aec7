"""Calls that are answered from memory over PostgreSQL: as long as nothing was committed, by any instance."""

import asyncio
import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import psycopg
import pytest
from starlette.types import Message, Scope
from tests.real_parts import shared
from tests.server.api import Api, error_of, logged_in, new_account
from tests.server.in_process import TestClient
from tests.server.pipeline.places import in_threads, noted_on_loop, shown
from tests.server.running import RunningServer, over_the_network
from tests.service.pictures import encoded, picture

from skyshelf.server.app import ServerSettings, SkyshelfApp, app_for
from skyshelf.server.pipeline.answers import ANSWERS, Answer
from skyshelf.server.pipeline.loop_reads import LoopReads
from skyshelf.server.pipeline.request import ServerRequest
from skyshelf.server.pipeline.threads import Threads
from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.postgres.store import PostgresStore, PostgresVersions
from skyshelf.storage.metadata.replay import MissingRows
from skyshelf.storage.open import embedded_urls, open_blobs

PROFILE = "/security/users"


class Instances(NamedTuple):
    """One session of the same account at two instances, and what the first one answered from its memory."""

    one: Api
    other: Api
    app: SkyshelfApp
    from_memory: list[str]
    looked_up: list[str]
    url: str

    def reads(self) -> list[str]:
        """The paths whose answers the first one had to look up since the last time."""
        looked_up = list(self.looked_up)
        self.looked_up.clear()
        return looked_up


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    with shared.postgres().database() as url:
        yield url


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine is no lost connection."""
    monkeypatch.setattr("skyshelf.storage.metadata.postgres.loop_connection.ANSWER_SECONDS", 60.0)


@pytest.fixture
def instances(
    database: str, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Instances]:
    settings = ServerSettings(metadata="", blobs="")
    on_loop, looked_up = noted_on_loop(monkeypatch), []
    run = LoopReads.run

    async def counted(reads: LoopReads, asking: ServerRequest, work: Callable[[], Any]) -> Any:
        def counting() -> Any:
            looked_up.append(asking.scope["path"])
            return work()

        return await run(reads, asking, counting)

    monkeypatch.setattr(LoopReads, "run", counted)
    with ExitStack() as running:
        contexts = [
            ServiceContext(metadata=PostgresStore(database), blobs=open_blobs(embedded_urls(tmp_path)[1]))
            for _ in range(2)
        ]
        apps = [app_for(ctx, settings) for ctx in contexts]
        clients = [running.enter_context(TestClient(app, raise_server_exceptions=False)) for app in apps]
        account = new_account(contexts[0], f"{request.node.name[:60]}@example.org")
        one = logged_in(clients[0], contexts[0], account)
        # The credential is recognised.
        assert one.get(PROFILE).status_code == 200
        on_loop.clear()
        yield Instances(one, Api(clients[1], contexts[1], account, one.login), apps[0], on_loop, looked_up, database)


def download(file: StoredObject) -> str:
    return f"/download/files/{file.object_key}"


def scope_of(request: httpx2.Request) -> Scope:
    return {
        "type": "http",
        "method": request.method,
        "path": request.url.path,
        "query_string": b"",
        "headers": [(key.lower(), value) for key, value in request.headers.raw],
        "client": ("testclient", 50000),
        "scheme": "http",
        "server": ("testserver", 80),
        "http_version": "1.1",
    }


def test_answers_are_what_threads_answer_and_come_from_memory(instances: Instances) -> None:
    one = instances.one
    file = one.file("ä.bin", bytes(index % 251 for index in range(100_000)))
    for path in (PROFILE, download(file)):
        with in_threads(instances.app):
            slow = shown(one.get(path))
        # Tries, since the server cleans its tables up whenever it likes; and a profile holds for a second.
        for _ in range(10):
            instances.reads()
            assert shown(one.get(path)) == slow
            if not instances.reads():
                break
        else:
            raise AssertionError(f"{path} was looked up every time")
    assert {PROFILE, download(file)} == set(instances.from_memory)


def test_what_is_not_remembered_is_read_without_a_thread(instances: Instances, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = instances.one, instances.other
    file, photo = other.file("a.bin", b"without a thread"), other.file("a.jpg", encoded("JPEG", picture(64, 48)))
    thumbnail = f"/download/avimages/{photo.object_key}"
    paths = [PROFILE, download(file), thumbnail]
    assert one.get(thumbnail).status_code == 200, "it is made"
    expected = [shown(other.get(path)) for path in paths]
    in_threads: list[object] = []
    call = Threads.call

    async def counted(threads: Threads, work: Callable[[], Any]) -> Any:
        in_threads.append(work)
        return await call(threads, work)

    monkeypatch.setattr(Threads, "call", counted)
    for path, answer in zip(paths, expected, strict=True):
        with psycopg.connect(instances.url, autocommit=True) as connection:
            connection.execute("SELECT txid_current()")
        instances.reads()
        assert shown(one.get(path)) == answer
        assert instances.reads(), "the database has changed"
    assert in_threads == []

    async def none(_versions: PostgresVersions, _missing: MissingRows) -> None:
        return None

    monkeypatch.setattr(PostgresVersions, "rows", none)
    for path, answer in zip(paths, expected, strict=True):
        with psycopg.connect(instances.url, autocommit=True) as connection:
            connection.execute("SELECT txid_current()")
        assert shown(one.get(path)) == answer
    assert len(in_threads) == len(paths)


def test_a_write_of_another_instance_is_seen_at_once(instances: Instances) -> None:
    one, other = instances.one, instances.other
    for number in range(20):
        file = other.file("a.bin", b"content %d" % number)
        assert one.get(download(file)).content == b"content %d" % number
        assert one.get(download(file)).content == b"content %d" % number
    assert len(instances.from_memory) == 40
    other.trash(file.object_key)
    assert error_of(one.get(download(file)))[0] == 404
    assert one.get(PROFILE).json()["quota"]["usedSpace"] == other.get(PROFILE).json()["quota"]["usedSpace"]


def test_a_session_that_was_ended_at_another_instance_ends_at_once(instances: Instances) -> None:
    one, other = instances.one, instances.other
    assert [one.get(PROFILE).status_code for _ in range(3)] == [200] * 3
    assert len(instances.from_memory) == 3
    other.ctx.metadata.write(lambda unit: unit.sessions.revoke_all(other.account.account_id))
    assert error_of(one.get(PROFILE))[0] == 401
    assert len(instances.from_memory) == 3


def test_an_account_that_was_disabled_at_another_instance_is_refused_at_once(instances: Instances) -> None:
    one, other = instances.one, instances.other
    assert one.get(PROFILE).status_code == 200
    now = other.ctx.clock.now()
    other.ctx.metadata.write(lambda unit: unit.accounts.set_status(other.account.account_id, "D", now))
    assert error_of(one.get(PROFILE))[0] == 401


def test_somebody_elses_object_looks_like_no_object(instances: Instances, request: pytest.FixtureRequest) -> None:
    one = instances.one
    grace = logged_in(one.client, one.ctx, new_account(one.ctx, f"grace.{request.node.name[:50]}@example.org"))
    file = one.file("a.bin", b"bytes")
    for _ in range(2):
        assert one.get(download(file)).status_code == 200
        assert error_of(grace.get(download(file))) == error_of(grace.get("/download/files/" + "0" * 32))


@pytest.mark.parametrize("header", ["X-Api-Key", "X-User-Id", "X-Device-Key", "Authorization"])
def test_other_headers_prove_nothing(instances: Instances, header: str) -> None:
    one = instances.one
    assert one.get(PROFILE).status_code == 200
    before = len(instances.from_memory)
    assert one.get(PROFILE, headers={header: "something else"}).status_code in {401, 403}
    assert one.get(PROFILE, without=(header,)).status_code in {400, 401, 403}
    assert len(instances.from_memory) == before


def test_an_invented_credential_costs_one_look_in_a_thread(instances: Instances) -> None:
    instances.reads()
    assert error_of(instances.one.get(PROFILE, headers={"Authorization": "Basic invented"}))[0] == 401
    assert instances.reads() == []


def test_without_a_version_threads_answer_and_later_the_memory_again(instances: Instances, database: str) -> None:
    one = instances.one
    assert one.get(PROFILE).status_code == 200
    before = len(instances.from_memory)
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%skyshelf_version%'"
            " AND pid <> pg_backend_pid()"
        )
    until = time.monotonic() + 60
    while len(instances.from_memory) <= before + 20 and time.monotonic() < until:
        assert one.get(PROFILE).status_code == 200
    assert len(instances.from_memory) > before + 20


def test_a_client_that_leaves_while_the_version_is_read_leaves_nothing_behind(instances: Instances) -> None:
    one, pipeline = instances.one, instances.app.pipeline
    assert one.get(PROFILE).status_code == 200
    scope = scope_of(one.client.build_request("GET", PROFILE, headers=one.headers))

    async def leave() -> None:
        asking = asyncio.ensure_future(pipeline.serve(scope, nothing, discard))
        await asyncio.sleep(0)
        assert pipeline.gate.visits.in_progress()
        asking.cancel()
        await asyncio.wait([asking])

    assert one.client.portal is not None
    one.client.portal.call(leave)
    assert pipeline.gate.visits.in_progress() == []
    assert one.get(PROFILE).status_code == 200


async def nothing() -> Message:
    return {"type": "http.disconnect"}


async def discard(_: Message) -> None:
    pass


def test_a_file_on_disk_is_answered_open(instances: Instances) -> None:
    one, pipeline = instances.one, instances.app.pipeline
    content = os.urandom(100_000)
    path = download(one.file("a.bin", content))
    assert one.get(path).content == content
    scope = {**scope_of(one.client.build_request("GET", path, headers=one.headers)), "extensions": {ANSWERS: {}}}
    sent: list[Answer] = []

    async def take(message: Message) -> None:
        sent.append(message["answered"])

    async def ask() -> None:
        await pipeline.serve(scope, nothing, take)

    assert one.client.portal is not None
    one.client.portal.call(ask)
    [answered] = sent
    assert answered.file is not None
    assert (answered.body, os.pread(answered.file, 200_000, 0)) == (b"", content)
    answered.close()


def test_a_file_on_disk_is_sent_as_it_is_over_the_network(tmp_path: Path) -> None:
    with ExitStack() as running:
        url = running.enter_context(shared.postgres().database())
        server = RunningServer(tmp_path / "data", "--metadata", url)
        running.callback(server.close)
        server.start()
        ctx = ServiceContext(metadata=PostgresStore(url), blobs=open_blobs(embedded_urls(server.data)[1]))
        running.callback(ctx.blobs.close)
        running.callback(ctx.metadata.close)
        api = running.enter_context(over_the_network(server, ctx, new_account(ctx, "network@example.org")))
        contents = [os.urandom(100_000) for _ in range(20)]
        files = [api.file(f"{number}.bin", content) for number, content in enumerate(contents)]
        for _ in range(5):
            assert [api.get(download(file)).content for file in files] == contents
        part = api.get(download(files[0]), headers={"Range": "bytes=10-19"})
        assert (part.status_code, part.content) == (206, contents[0][10:20])
        # The folders of files may stay open, but not the files.
        assert [path for path in open_files(server) if path.endswith(".100000")] == []


def open_files(server: RunningServer) -> list[str]:
    found = []
    for process in server.processes():
        for descriptor in Path(f"/proc/{process}/fd").iterdir():
            with suppress(OSError):
                found.append(str(descriptor.readlink()))
    return found
