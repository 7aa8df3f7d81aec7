"""Uploads, whole and in chunks, into servers that are killed while the bytes come."""

import json
import os
from collections.abc import Callable, Iterator

import httpx2
import pytest
from tests.end_to_end.conftest import EMBEDDED, EMBEDDED_WORKERS, SCALED_OUT
from tests.end_to_end.plain_client import PlainClient, md5
from tests.real_parts.servers import Stack

pytestmark = pytest.mark.parametrize("stack_backend", [EMBEDDED, EMBEDDED_WORKERS, SCALED_OUT], indirect=True)

MIB = 1024 * 1024


def in_pieces(data: bytes, halfway: Callable[[], None]) -> Iterator[bytes]:
    """The data as it would come over a network, with something that happens in the middle."""
    middle = len(data) // 2
    for start in range(0, len(data), MIB // 4):
        if start <= middle < start + MIB // 4:
            halfway()
        yield data[start : start + MIB // 4]


def test_a_chunked_upload_goes_on_after_its_server_was_killed_in_the_middle_of_a_chunk(
    stack: Stack, client: PlainClient
) -> None:
    data = os.urandom(7 * MIB + 3)
    begun = client.initiate("film.bin", data)
    transaction = begun["transactionId"]
    assert begun["offset"] == 0
    assert client.chunk(transaction, 0, data[: 2 * MIB])["offset"] == 2 * MIB
    victim = stack.urls[0]
    with httpx2.Client(timeout=60) as sender, pytest.raises(httpx2.TransportError):
        sender.put(
            f"{victim}/upload/files/chunked",
            params={"uploadId": transaction},
            content=in_pieces(data[2 * MIB :], lambda: stack.strike(victim)),
            headers=client.headers
            | {
                "Content-Type": "application/octet-stream",
                "Content-Length": str(len(data) - 2 * MIB),
                "X-Offset": str(2 * MIB),
                "Content-MD5": md5(data[2 * MIB :]),
            },
        )
    assert client.names() == []
    assert client.initiate("film.bin", data) == {"transactionId": transaction, "offset": 2 * MIB}
    assert client.chunk(transaction, 2 * MIB, data[2 * MIB : 5 * MIB])["offset"] == 5 * MIB
    finished = client.chunk(transaction, 5 * MIB, data[5 * MIB :])
    assert (finished["hash"], finished["sizeInBytes"], finished["version"]) == (md5(data), len(data), 1)
    assert client.download(finished["objectKey"]) == data
    assert client.json("GET", "/security/users")["quota"]["totalUsedQuota"] == len(data)


def test_a_small_upload_that_is_cut_by_a_kill_is_not_there_and_can_be_repeated(
    stack: Stack, client: PlainClient
) -> None:
    data = os.urandom(3 * MIB)
    victim = stack.urls[-1]
    about = json.dumps(client.described("photo.bin", data))
    form = httpx2.Request("POST", "http://form", files={"metadataString": (None, about), "file": ("a", data)})
    body = form.read()
    with httpx2.Client(timeout=60) as sender, pytest.raises(httpx2.TransportError):
        sender.post(
            f"{victim}/upload/files",
            content=in_pieces(body, lambda: stack.strike(victim)),
            headers=client.headers | {"Content-Type": form.headers["content-type"], "Content-Length": str(len(body))},
        )
    assert client.names() == []
    stored = client.upload("photo.bin", data)
    assert (stored["version"], stored["hash"]) == (1, md5(data))
    assert client.names() == ["photo.bin"]
    assert client.download(stored["objectKey"]) == data


def test_each_chunk_may_go_to_another_server_and_wrong_ones_leave_nothing(client: PlainClient) -> None:
    data = os.urandom(5 * MIB)
    transaction = client.initiate("a.bin", data)["transactionId"]
    assert client.chunk(transaction, 0, data[:MIB])["offset"] == MIB
    target = {"params": {"uploadId": transaction}, "content": data[MIB : 2 * MIB]}
    head = {"Content-Type": "application/octet-stream", "Content-MD5": md5(data[MIB : 2 * MIB])}
    misplaced = client.request("PUT", "/upload/files/chunked", headers=head | {"X-Offset": "5"}, **target)
    assert (misplaced.status_code, misplaced.json()["offset"]) == (409, MIB)
    broken = head | {"X-Offset": str(MIB), "Content-MD5": "0" * 32}
    assert client.request("PUT", "/upload/files/chunked", headers=broken, **target).status_code == 400
    assert client.initiate("a.bin", data)["offset"] == MIB
    for start in range(MIB, 5 * MIB, MIB):
        done = client.chunk(transaction, start, data[start : start + MIB])
    assert client.download(done["objectKey"]) == data


def test_content_that_the_account_owns_is_finished_at_once_and_that_of_others_is_not(
    client: PlainClient, new_client: Callable[..., PlainClient]
) -> None:
    data = os.urandom(MIB)
    client.upload("original.bin", data)
    copy = client.initiate("copy.bin", data)
    assert (copy["objectName"], copy["hash"]) == ("copy.bin", md5(data))
    assert client.download(copy["objectKey"]) == data
    stranger = new_client()
    assert stranger.initiate("copy.bin", data)["offset"] == 0
    assert stranger.names() == []


def test_empty_and_oddly_named_files_arrive_as_they_are(stack: Stack, client: PlainClient) -> None:
    names = ["empty", "ümläut.txt", "日本語.txt", "a b+c&d=e%20.txt", "'quote\".txt", "🎈.txt"]
    keys = {name: client.upload(name, name.encode() * (name != "empty"))["objectKey"] for name in names}
    stack.strike()
    assert sorted(client.names()) == sorted(names)
    for name, key in keys.items():
        assert client.download(key) == name.encode() * (name != "empty")
