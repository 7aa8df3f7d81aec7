"""Behind a real nginx, set up as the operating guide says."""

import itertools
import json
import socket
from collections.abc import Iterator

import httpx2
import pytest
from tests.real_parts.migrated_sqlite import put_migrated
from tests.real_parts.nginx import running_nginx
from tests.server.api import PASSWORD, new_account
from tests.server.running import RunningServer, opened

SMUGGLED = "/smuggled"
_NUMBERS = itertools.count()
AFTER = f"GET {SMUGGLED} HTTP/1.1\r\nHost: x\r\n\r\n"
START = "POST /healthz HTTP/1.1\r\nHost: x\r\n"
CHUNKS = "Transfer-Encoding: chunked"
CHUNKED = f"{START}{CHUNKS}\r\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    server = RunningServer(tmp_path_factory.mktemp("behind") / "data")
    put_migrated(server.data)
    server.start()
    yield server
    server.close()


@pytest.fixture(scope="module")
def nginx(server: RunningServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with running_nginx(tmp_path_factory.mktemp("nginx"), server.port) as port:
        yield port


def client(port: int, source: str) -> httpx2.Client:
    transport = httpx2.HTTPTransport(local_address=source)
    return httpx2.Client(base_url=f"http://127.0.0.1:{port}", transport=transport, timeout=60)


def test_wrong_passwords_of_one_client_lock_nobody_else_out(server: RunningServer, nginx: int) -> None:
    with opened(server.data) as ctx:
        new_account(ctx, "grace@example.org")
    with client(nginx, "127.0.0.21") as guessing, client(nginx, "127.0.0.22") as other:
        guesses = [
            guessing.post("/x/v1/login", json={"emailId": f"nobody{number}@example.org", "password": "wrong"})
            for number in range(25)
        ]
        assert guesses[-1].status_code == 429
        answer = other.post("/x/v1/login", json={"emailId": "grace@example.org", "password": PASSWORD})
        assert answer.status_code == 200, answer.text
    addresses = {line["address"] for line in log_of(server) if line.get("path") == "/x/v1/login"}
    assert addresses == {"127.0.0.21", "127.0.0.22"}


def test_nobody_can_claim_another_address(server: RunningServer, nginx: int) -> None:
    with client(nginx, "127.0.0.23") as forging:
        forging.get("/forged", headers={"X-Forwarded-For": "127.0.0.1, 203.0.113.1"})
    assert [line["address"] for line in log_of(server) if line.get("path") == "/forged"] == ["127.0.0.23"]


SMUGGLING = {
    "length and chunks": f"{CHUNKED}Content-Length: {5 + len(AFTER)}\r\n\r\n0\r\n\r\n{AFTER}",
    "length before chunks": f"{START}Content-Length: {5 + len(AFTER)}\r\n{CHUNKS}\r\n\r\n0\r\n\r\n{AFTER}",
    "two lengths": f"{START}Content-Length: 0\r\nContent-Length: {len(AFTER)}\r\n\r\n{AFTER}",
    "two lengths in one field": f"{START}Content-Length: 0, {len(AFTER)}\r\n\r\n{AFTER}",
    "a length with a sign": f"{START}Content-Length: +{len(AFTER)}\r\n\r\n{AFTER}",
    "a space before the colon": f"{START}Content-Length : {len(AFTER)}\r\n\r\n{AFTER}",
    "a folded length": f"{START}Content-Length:\r\n {len(AFTER)}\r\n\r\n{AFTER}",
    "a folded field": f"{START}X-Folded: a\r\n Content-Length: {len(AFTER)}\r\n\r\n{AFTER}",
    "an unknown coding": f"{START}Transfer-Encoding: xchunked\r\nContent-Length: {len(AFTER)}\r\n\r\n{AFTER}",
    "chunks and then another coding": f"{START}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n{AFTER}",
    "a bare line feed in an extension": f"{CHUNKED}\r\n2;\nxx\r\n{len(AFTER):x}\r\n0\r\n\r\n{AFTER}",
    "a size that overflows": f"{CHUNKED}\r\n10000000000000000\r\n{AFTER}",
    "a size with a prefix": f"{CHUNKED}\r\n0x0\r\n\r\n{AFTER}",
    "a length of HTTP/1.0 chunks": f"POST /healthz HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n{AFTER}",
}


@pytest.mark.parametrize("way", ["direct", "nginx"])
@pytest.mark.parametrize("name", SMUGGLING)
def test_a_body_never_becomes_a_request(server: RunningServer, nginx: int, way: str, name: str) -> None:
    port = server.port if way == "direct" else nginx
    answer = exchange(port, SMUGGLING[name].encode())
    assert answer.count(b"HTTP/1.") <= 1, answer
    assert SMUGGLED not in {line.get("path") for line in log_of(server)}


@pytest.mark.parametrize("way", ["direct", "nginx"])
def test_two_requests_on_one_connection_are_two_and_extensions_of_chunks_are_none(
    server: RunningServer, nginx: int, way: str
) -> None:
    port = server.port if way == "direct" else nginx
    first = f"{CHUNKED}\r\n2;name=value\r\nxx\r\n0\r\n\r\n"
    answer = exchange(port, (first + "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").encode())
    assert answer.count(b"HTTP/1.1 ") == 2


def exchange(port: int, sent: bytes) -> bytes:
    """All that comes until the other side ends, or says nothing for a second."""
    received = b""
    with socket.create_connection(("127.0.0.1", port), 10) as raw:
        raw.sendall(sent)
        raw.settimeout(1)
        try:
            while piece := raw.recv(65536):
                received += piece
        except (TimeoutError, ConnectionResetError):
            pass
    return received


def log_of(server: RunningServer) -> list[dict[str, object]]:
    """All requests until now: once the log has one that was made just for this, it has the earlier ones."""
    last = f"/log/{next(_NUMBERS)}"
    httpx2.get(server.url + last)
    server.logged(rf"{last}.*\n")
    return [json.loads(line) for line in server.log.read_text().splitlines() if line.startswith("{")]
