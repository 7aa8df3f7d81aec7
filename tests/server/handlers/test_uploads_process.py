"""Uploads into a real server process: memory, lost connections, kill -9, early refusals, slow clients."""

import hashlib
import http.client
import json
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread

import pytest
from tests.server.api import Api, new_account
from tests.server.running import RunningServer, opened, over_the_network
from tests.server.uploading import (
    begun,
    content_of,
    described,
    form,
    initiate,
    md5,
    names_in,
    send,
    stored_bytes,
    upload,
    used_and_reserved,
)

from skyshelf.service.context import ServiceContext

MIB = 1024 * 1024
DATA = bytes(range(256)) * (5 * MIB // 256)
PATIENCE = 20


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    server = RunningServer(tmp_path_factory.mktemp("served") / "data")
    server.start()
    yield server
    server.close()


@pytest.fixture
def ctx(server: RunningServer) -> Iterator[ServiceContext]:
    with opened(server.data) as ctx:
        yield ctx


@pytest.fixture
def api(server: RunningServer, ctx: ServiceContext, request: pytest.FixtureRequest) -> Iterator[Api]:
    """An account of its own for every test, on the one server of all."""
    account = new_account(ctx, f"{request.node.name[:60]}@example.org")
    with over_the_network(server, ctx, account) as api:
        yield api


def wait_until(happened: Callable[[], bool]) -> None:
    """What another process does cannot be awaited, only looked for."""
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.01)


class RawRequest:
    """A request by hand, so that it can be left unfinished."""

    def __init__(self, server: RunningServer, api: Api, method: str, target: str, length: int, **headers: str) -> None:
        sent = {**api.headers, "Host": "test", "Content-Length": str(length)}
        sent |= {name.replace("_", "-").title(): value for name, value in headers.items()}
        lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in sent.items())]
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
        self.socket.sendall("\r\n".join([*lines, "", ""]).encode())

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def answer(self) -> tuple[int, bytes]:
        """The answer, with which the connection ends."""
        with self.socket, http.client.HTTPResponse(self.socket) as response:
            response.begin()
            return response.status, response.read()

    def close(self) -> None:
        self.socket.close()


def raw_chunk(server: RunningServer, api: Api, transaction: str, offset: int, data: bytes) -> RawRequest:
    return RawRequest(
        server,
        api,
        "PUT",
        f"/upload/files/chunked?uploadId={transaction}",
        len(data),
        content_type="application/octet-stream",
        x_offset=str(offset),
        content_md5=md5(data),
    )


def grown_to(server: RunningServer, transaction: str) -> int:
    """How long the file of an upload is."""
    try:
        return (server.data / "blobs" / "uploads" / transaction).stat().st_size
    except FileNotFoundError:
        return 0


def blocks(count: int) -> Iterator[bytes]:
    """Mebibytes that differ from each other."""
    for number in range(count):
        yield number.to_bytes(4, "big") * (MIB // 4)


@pytest.mark.whole
def test_memory_stays_flat_however_large_the_file_is(server: RunningServer, api: Api) -> None:
    count = 300
    digest = hashlib.md5(usedforsecurity=False)
    for block in blocks(count):
        digest.update(block)
    # A smaller one before, so that what every upload needs is there already.
    assert upload(api, "small.bin", DATA).status_code == 201
    before = server.memory()
    metadata = described(api, "large.bin", b"", size=count * MIB, hash=digest.hexdigest())
    whole, headers = form(("metadataString", json.dumps(metadata).encode()), ("file", b"|"))
    head, tail = whole.split(b"|")
    length = len(head) + count * MIB + len(tail)
    body = (piece for part in ([head], blocks(count), [tail]) for piece in part)
    answer = api.post("/upload/files", content=body, headers={**headers, "content-length": str(length)})
    assert answer.status_code == 201, answer.text
    key = answer.json()["objectKey"]
    for asked, expected in ((None, 200), ("bytes=0-", 206)):
        received = hashlib.md5(usedforsecurity=False)
        sent = {**api.headers, **({"range": asked} if asked else {})}
        with api.client.stream("GET", f"/download/files/{key}", headers=sent) as download:
            assert download.status_code == expected
            for piece in download.iter_raw():
                received.update(piece)
        assert received.hexdigest() == digest.hexdigest()
    assert server.memory() - before < 48 * MIB


def test_a_form_whose_client_goes_away_leaves_nothing(server: RunningServer, api: Api, ctx: ServiceContext) -> None:
    body, headers = form(("metadataString", json.dumps(described(api, "a", DATA)).encode()), ("file", DATA))
    there, at_work = stored_bytes(ctx)
    request = RawRequest(server, api, "POST", "/upload/files", len(body), content_type=headers["content-type"])
    request.send(body[:-1000])
    wait_until(lambda: stored_bytes(ctx) == (there, at_work + 1))
    request.close()
    wait_until(lambda: stored_bytes(ctx) == (there, at_work))
    assert names_in(api) == []
    assert used_and_reserved(api) == (0, 0)


def test_a_chunk_whose_client_goes_away_keeps_the_acknowledged_ones_whole(server: RunningServer, api: Api) -> None:
    transaction = begun(api, "a", DATA)
    assert send(api, transaction, 0, DATA[: 2 * MIB]).json()["offset"] == 2 * MIB
    request = raw_chunk(server, api, transaction, 2 * MIB, DATA[2 * MIB :])
    request.send(DATA[2 * MIB : 4 * MIB])
    wait_until(lambda: grown_to(server, transaction) > 2 * MIB)
    request.close()
    wait_until(lambda: grown_to(server, transaction) == 2 * MIB)
    assert initiate(api, "a", DATA).json() == {"transactionId": transaction, "offset": 2 * MIB}
    finished = send(api, transaction, 2 * MIB, DATA[2 * MIB :])
    assert content_of(api, finished.json()["objectKey"]) == DATA


def test_an_upload_is_busy_while_a_chunk_of_it_comes(server: RunningServer, api: Api) -> None:
    transaction = begun(api, "a", DATA)
    request = raw_chunk(server, api, transaction, 0, DATA)
    request.send(DATA[: 3 * MIB])
    wait_until(lambda: grown_to(server, transaction) > 0)
    refused = send(api, transaction, 0, DATA)
    assert (refused.status_code, refused.json()["code"]) == (409, "SKY4002")
    request.send(DATA[3 * MIB :])
    status, answer = request.answer()
    assert (status, json.loads(answer)["hash"]) == (201, md5(DATA))


@pytest.mark.whole
def test_slow_clients_do_not_keep_others_waiting(server: RunningServer, api: Api) -> None:
    requests = []
    # As many as an account may have at once, but for two.
    for number in range(30):
        data = DATA + bytes([number])
        transaction = begun(api, f"slow {number}", data)
        request = raw_chunk(server, api, transaction, 0, data)
        request.send(data[: 2 * MIB])
        requests.append((request, transaction, data))
    wait_until(lambda: all(grown_to(server, transaction) > 0 for _, transaction, _ in requests))
    # The slow ones go on only below: whoever waited for one of them would wait for ever.
    assert api.get("/security/users").status_code == 200
    assert upload(api, "quick", b"quick").status_code == 201
    for request, _, data in requests:
        request.send(data[2 * MIB :])
    assert {request.answer()[0] for request, _, _ in requests} == {201}


@pytest.mark.parametrize("size", [MIB, 64 * MIB])
def test_a_refusal_reaches_a_client_that_is_still_sending(server: RunningServer, api: Api, size: int) -> None:
    """Blocking clients read the answer only when all is sent: a connection that is reset before would hide it."""
    metadata = described(api, "a", b"", size=size, hash="0" * 32, folderKey="0" * 32)
    body, headers = form(("metadataString", json.dumps(metadata).encode()), ("file", bytes(size)))
    for stranger, expected in ((False, (404, "SKY3000")), (True, (401, "TEJGA0401"))):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
        sent = {**api.headers, "Content-Type": headers["content-type"]}
        if stranger:
            sent["Authorization"] = "Basic nonsense"
        connection.request("POST", "/upload/files", body=body, headers=sent)
        answer = connection.getresponse()
        assert (answer.status, json.loads(answer.read())["code"]) == expected
        # What was left of the body is gone, so that the connection can be used again.
        connection.request("GET", "/security/users", headers=api.headers)
        assert connection.getresponse().status == 200
        connection.close()


def test_a_wrong_offset_is_reported_to_a_client_that_is_still_sending(server: RunningServer, api: Api) -> None:
    data = bytes(32 * MIB)
    transaction = begun(api, "a", data)
    request = raw_chunk(server, api, transaction, 5, data)
    request.send(data)
    status, answer = request.answer()
    assert (status, json.loads(answer)["offset"]) == (409, 0)


def test_a_killed_server_has_kept_every_acknowledged_chunk(tmp_path: Path) -> None:
    server = RunningServer(tmp_path / "data")
    server.start()
    try:
        with opened(server.data) as ctx:
            account = new_account(ctx, "ada@example.org")
            with over_the_network(server, ctx, account) as api:
                transaction = begun(api, "a.bin", DATA)
                send(api, transaction, 0, DATA[:MIB])
                send(api, transaction, MIB, DATA[MIB : 2 * MIB])
                request = raw_chunk(server, api, transaction, 2 * MIB, DATA[2 * MIB :])
                request.send(DATA[2 * MIB : 4 * MIB])
                wait_until(lambda: grown_to(server, transaction) > 2 * MIB)
                server.kill()
                request.close()
                server.start()
                assert initiate(api, "a.bin", DATA).json() == {"transactionId": transaction, "offset": 2 * MIB}
                finished = send(api, transaction, 2 * MIB, DATA[2 * MIB :])
                assert finished.status_code == 201
                assert content_of(api, finished.json()["objectKey"]) == DATA
                assert stored_bytes(ctx) == (1, 0)
                assert used_and_reserved(api) == (len(DATA), 0)
    finally:
        server.close()


def test_a_server_that_is_stopped_lets_an_upload_come_to_its_end(tmp_path: Path) -> None:
    server = RunningServer(tmp_path / "data")
    server.start()
    try:
        with opened(server.data) as ctx:
            account = new_account(ctx, "ada@example.org")
            with over_the_network(server, ctx, account) as api:
                transaction = begun(api, "a.bin", DATA)
                request = raw_chunk(server, api, transaction, 0, DATA)
                request.send(DATA[: 3 * MIB])
                wait_until(lambda: grown_to(server, transaction) > 0)
                codes: list[int] = []
                stopping = Thread(target=lambda: codes.append(server.stop()))
                stopping.start()
                wait_until(lambda: not server.is_listening())
                request.send(DATA[3 * MIB :])
                assert request.answer()[0] == 201
                stopping.join(PATIENCE)
                assert codes == [0]
                assert names_in(api) == ["a.bin"]
    finally:
        server.close()
