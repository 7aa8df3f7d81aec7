"""Downloads from a real server process: files that it sends by itself, broken blobs, clients that go away."""

import http.client
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.server.api import Api, new_account
from tests.server.running import RunningServer, opened, over_the_network

from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.contracts.tree import StoredObject

MIB = 1024 * 1024
DATA = os.urandom(3 * MIB + 17)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    server = RunningServer(tmp_path_factory.mktemp("served") / "data")
    server.start()
    yield server
    server.close()


@pytest.fixture(scope="module")
def ctx(server: RunningServer) -> Iterator[ServiceContext]:
    with opened(server.data) as ctx:
        yield ctx


@pytest.fixture(scope="module")
def api(server: RunningServer, ctx: ServiceContext) -> Iterator[Api]:
    with over_the_network(server, ctx, new_account(ctx, "ada@example.org")) as api:
        yield api


def path_of(stored: StoredObject) -> str:
    return f"/download/files/{stored.object_key}"


def test_a_whole_file_arrives_as_it_is(api: Api) -> None:
    for name, data in (("large.bin", DATA), ("small.txt", b"x"), ("empty", b"")):
        answer = api.get(path_of(api.file(name, data)))
        assert (answer.status_code, answer.content) == (200, data)
        assert answer.headers["content-length"] == str(len(data))
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_part_of_a_file_arrives_as_it_is(api: Api) -> None:
    path = path_of(api.file("parts.bin", DATA))
    for asked, expected in (("0-", DATA), (f"{MIB}-{2 * MIB}", DATA[MIB : 2 * MIB + 1]), ("-5", DATA[-5:])):
        answer = api.get(path, headers={"range": f"bytes={asked}"})
        assert (answer.status_code, answer.content) == (206, expected)


def test_head_and_conditions_have_no_body_and_keep_the_connection(api: Api) -> None:
    path = path_of(api.file("head.bin", DATA))
    reported = api.request("HEAD", path)
    assert (reported.status_code, reported.headers["content-length"], reported.content) == (200, str(len(DATA)), b"")
    answer = api.get(path, headers={"if-none-match": reported.headers["etag"]})
    assert (answer.status_code, answer.content) == (304, b"")
    assert api.get(path, headers={"range": f"bytes={len(DATA)}-"}).status_code == 416
    assert api.get(path).content == DATA


def test_many_downloads_at_once_are_all_whole(api: Api) -> None:
    files = [(path_of(api.file(f"many {number}", data)), data) for number in range(8) if (data := os.urandom(MIB))]

    def download(number: int) -> bool:
        path, data = files[number % len(files)]
        asked = {"range": f"bytes={number}-"} if number % 2 else {}
        return api.get(path, headers=asked).content == (data[number:] if asked else data)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(download, range(64)))


def test_a_blob_that_breaks_in_the_middle_cuts_the_connection(
    server: RunningServer, api: Api, ctx: ServiceContext
) -> None:
    """A client that counts the bytes can tell; an answer that just ended would look whole to others."""
    size = 64 * MIB
    stored = api.file("breaking.bin", b"b" * size)
    with ctx.metadata.read() as unit:
        location = unit.files.version(api.account.account_id, stored.object_key).location
    path = ctx.blobs.local_path(location)
    assert path is not None
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.request("GET", path_of(stored), headers={**api.headers, "Range": "bytes=1-"})
    with connection.getresponse() as answer:
        assert (answer.status, answer.headers["content-length"]) == (206, str(size - 1))
        assert len(answer.read(1000)) == 1000
        os.truncate(path, 32 * MIB)
        with pytest.raises(http.client.IncompleteRead):
            answer.read()
    connection.close()
    server.logged("a download failed while sending")


def test_a_client_that_goes_away_does_not_disturb_others(server: RunningServer, api: Api) -> None:
    path = path_of(api.file("left.bin", bytes(64 * MIB)))
    for headers in ({}, {"Range": "bytes=1-"}):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        connection.request("GET", path, headers={**api.headers, **headers})
        with connection.getresponse() as answer:
            assert len(answer.read(1000)) == 1000
        connection.close()
    assert api.get("/security/users").status_code == 200
