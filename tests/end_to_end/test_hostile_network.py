"""Networks that cut connections in the middle, and clients that never come to an end."""

import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import httpx2
import pytest
from tests.end_to_end.cutting_proxy import Cut, CuttingProxy, cutting_proxy
from tests.end_to_end.plain_client import Json, PlainClient, md5
from tests.real_parts.servers import Stack

MIB = 1024 * 1024
CHUNK = 512 * 1024
SLOW_CLIENTS = 200
SERVED_WITHIN = 60


@pytest.fixture
def proxy(stack: Stack) -> Iterator[CuttingProxy]:
    with cutting_proxy(stack.servers[0].port) as proxy:
        yield proxy


def send_all(client: PlainClient, name: str, data: bytes) -> Json:
    """Upload like a patient client: whenever the line breaks, ask how far the upload came, and go on from there."""
    while True:
        try:
            state = client.initiate(name, data)
            while "objectKey" not in state:
                offset = state["offset"]
                state = client.chunk(state["transactionId"], offset, data[offset : offset + CHUNK])
        except httpx2.TransportError:
            continue
        except AssertionError as refused:
            # The server may still be busy with the chunk whose line broke, or have ended the upload with it.
            if not any(code in str(refused) for code in ("SKY4000", "SKY4001", "SKY4002")):
                raise
        else:
            return state


def test_an_upload_over_a_line_that_keeps_breaking_arrives_once_and_whole(
    client: PlainClient, proxy: CuttingProxy
) -> None:
    data = os.urandom(4 * MIB)
    # In the request, in a chunk, after a chunk and before its answer, in an answer.
    proxy.cuts = [Cut(up=200), Cut(up=300_000), Cut(up=900_000), Cut(down=0), Cut(up=1_300_000), Cut(down=700)] * 2
    with client.twin([proxy.url], retries=0) as unlucky:
        stored = send_all(unlucky, "film.bin", data)
    assert proxy.happened >= 6
    assert (stored["hash"], stored["version"]) == (md5(data), 1)
    assert client.names() == ["film.bin"]
    assert client.download(stored["objectKey"]) == data
    assert client.json("GET", "/security/users")["quota"]["totalUsedQuota"] == len(data)


def test_a_whole_upload_whose_line_breaks_leaves_nothing(client: PlainClient, proxy: CuttingProxy) -> None:
    data = os.urandom(2 * MIB)
    proxy.cuts = [Cut(up=MIB)]
    with client.twin([proxy.url], retries=0) as unlucky, pytest.raises(httpx2.TransportError):
        unlucky.upload("photo.bin", data)
    assert proxy.happened == 1
    assert client.names() == []
    stored = client.upload("photo.bin", data)
    assert (stored["version"], client.download(stored["objectKey"])) == (1, data)


def test_a_download_over_a_line_that_keeps_breaking_arrives_whole(client: PlainClient, proxy: CuttingProxy) -> None:
    data = os.urandom(8 * MIB)
    key = client.upload("large.bin", data)["objectKey"]
    proxy.cuts = [Cut(down=size) for size in (100, 1_000_000, 1_500_000, 40, 2_000_000, 1_234_567)]
    received = bytearray()
    with httpx2.Client(timeout=60) as reader:
        while len(received) < len(data):
            part = {"Range": f"bytes={len(received)}-", "If-Range": f'"{md5(data)}"'}
            try:
                with reader.stream("GET", f"{proxy.url}/download/files/{key}", headers=client.headers | part) as answer:
                    assert answer.status_code == 206
                    for piece in answer.iter_bytes():
                        received += piece
            except httpx2.TransportError:
                continue
    assert proxy.happened == 6
    assert bytes(received) == data


def head_of(client: PlainClient, method: str, path: str, **headers: str) -> bytes:
    sent = client.headers | {"Host": "drive"} | {name.replace("_", "-"): value for name, value in headers.items()}
    return "\r\n".join([f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in sent.items())]).encode()


def test_two_hundred_clients_that_never_finish_block_nobody(
    stack: Stack, client: PlainClient, new_client: Callable[..., PlainClient]
) -> None:
    """Some stop within the head of a request, some within a body, some do not read what they asked for."""
    large = client.upload("large.bin", os.urandom(16 * MIB))["objectKey"]
    body = {"Content_Type": "multipart/form-data; boundary=b", "Content_Length": str(MIB)}
    beginnings = [
        head_of(client, "GET", "/security/users") + b"\r\nX-More: ",
        head_of(client, "POST", "/upload/files", **body) + b"\r\n\r\n--b\r\n",
        head_of(client, "GET", f"/download/files/{large}") + b"\r\n\r\n",
        head_of(client, "PUT", "/nms/metadata/1.0", Content_Length="1000") + b'\r\n\r\n{"objects": [',
    ]
    port = stack.servers[0].port
    with ExitStack() as holding:
        for number in range(SLOW_CLIENTS):
            slow = holding.enter_context(socket.create_connection(("127.0.0.1", port), timeout=30))
            slow.sendall(beginnings[number % len(beginnings)])
        began = time.monotonic()
        with client.twin([stack.urls[0]]) as busy:
            for number in range(10):
                key = busy.upload(f"file {number}", b"served")["objectKey"]
                assert busy.download(key) == b"served"
                assert len(busy.page(type="f")) == number + 2
        newcomer = new_client()
        assert newcomer.names() == []
        assert time.monotonic() - began < SERVED_WITHIN
    assert client.get("/security/users").status_code == 200
