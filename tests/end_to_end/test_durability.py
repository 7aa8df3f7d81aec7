"""What the server has acknowledged is there after everything was killed at once; every kind of write is tried."""

import os
from collections.abc import Callable

import pytest
from tests.end_to_end.plain_client import PlainClient, md5
from tests.end_to_end.test_sharing import shared, visit
from tests.real_parts.servers import Stack

Check = Callable[[], None]
DATA = os.urandom(300_000)


def a_new_folder(client: PlainClient) -> Check:
    made = client.folder("made")

    def check() -> None:
        assert [one["objectKey"] for one in client.listing()] == [made["objectKey"]]

    return check


def a_small_upload(client: PlainClient) -> Check:
    key = client.upload("small.bin", DATA)["objectKey"]

    def check() -> None:
        assert client.download(key) == DATA
        assert client.json("GET", "/security/users")["quota"]["totalUsedQuota"] == len(DATA)

    return check


def a_chunk(client: PlainClient) -> Check:
    transaction = client.initiate("chunked.bin", DATA)["transactionId"]
    client.chunk(transaction, 0, DATA[:100_000])

    def check() -> None:
        assert client.initiate("chunked.bin", DATA) == {"transactionId": transaction, "offset": 100_000}
        finished = client.chunk(transaction, 100_000, DATA[100_000:])
        assert finished["hash"] == md5(DATA)

    return check


def the_last_chunk(client: PlainClient) -> Check:
    transaction = client.initiate("chunked.bin", DATA)["transactionId"]
    client.chunk(transaction, 0, DATA[:100_000])
    key = client.chunk(transaction, 100_000, DATA[100_000:])["objectKey"]

    def check() -> None:
        assert client.download(key) == DATA
        assert client.initiate("chunked.bin", DATA)["objectKey"] == key

    return check


def a_batch(client: PlainClient) -> Check:
    client.changed("RENAME", client.folder("before"), objectName="after")
    client.changed("SETFAV", client.page(type="w")[0], isFavorite=True)

    def check() -> None:
        (found,) = client.page(type="w")
        assert (found["objectName"], found["isFavorite"]) == ("after", True)

    return check


def a_trashed_folder(client: PlainClient) -> Check:
    gone = client.folder("gone")
    client.changed("TRASH", gone, status="T")

    def check() -> None:
        assert client.names() == []
        assert [one["objectKey"] for one in client.trash()] == [gone["objectKey"]]

    return check


def a_restored_folder(client: PlainClient) -> Check:
    back = client.folder("back")
    client.changed("TRASH", back, status="T")
    assert client.restore(back["objectKey"])["unprocessed"] == []

    def check() -> None:
        assert client.names() == ["back"]
        assert client.trash() == []

    return check


def a_share_link(client: PlainClient) -> Check:
    url = shared(client, client.upload("given.txt", b"given"))

    def check() -> None:
        assert "given.txt" in visit(client, url).text

    return check


def a_board(client: PlainClient) -> Check:
    key = client.json("POST", "/boards", json={"boardName": "Board"}, expect=201)["boardKey"]

    def check() -> None:
        assert client.json("GET", f"/boards/{key}")["board"]["boardName"] == "Board"

    return check


def a_logout(client: PlainClient) -> Check:
    assert client.request("PUT", "/security/users/logout").status_code == 204

    def check() -> None:
        assert client.get("/security/users").status_code == 401

    return check


WRITES = [
    a_new_folder,
    a_small_upload,
    a_chunk,
    the_last_chunk,
    a_batch,
    a_trashed_folder,
    a_restored_folder,
    a_share_link,
    a_board,
    a_logout,
]


@pytest.mark.parametrize("write", WRITES, ids=lambda write: write.__name__)
def test_an_acknowledged_write_survives_the_death_of_every_server(
    stack: Stack, client: PlainClient, write: Callable[[PlainClient], Check]
) -> None:
    check = write(client)
    stack.crash()
    check()
