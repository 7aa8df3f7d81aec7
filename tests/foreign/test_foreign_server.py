"""The foreign server holds to the text: its refusals, and what it notes about clients."""

import json
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import pytest
from tests.foreign.drive import BOARD, DEVICE, FOREVER, ROOT, TOKEN, USER
from tests.foreign.headers import EXPECTED
from tests.foreign.messages import JSON
from tests.foreign.quirk import NO_QUIRK
from tests.foreign.server import ForeignServer

HEADERS = {
    "authorization": f"Basic {TOKEN}",
    "x-user-id": USER,
    "x-device-key": DEVICE,
    "x-device-type": "W",
    "x-api-key": "any",
    "x-app-secret": "YW55",
    "x-client-details": "clientType:WEB; appVersion:86.0.1",
    "accept": JSON,
    "content-type": JSON,
    "user-agent": "Mozilla/5.0 (X11)",
    "accept-language": "en-US,en;q=0.9",
}


class Caller:
    """Sends requests as they are given."""

    def __init__(self, server: ForeignServer) -> None:
        self.server = server
        self._connection = HTTPConnection(urlsplit(server.url).netloc)

    def __call__(self, method: str, path: str, body: Any = None, **headers: str | None) -> tuple[int, Any]:
        given = {**HEADERS, **{name.replace("_", "-"): value for name, value in headers.items()}}
        sent = {name: value for name, value in given.items() if value is not None}
        self._connection.putrequest(method, path, skip_accept_encoding=True)
        content = b"" if body is None else json.dumps(body).encode()
        for name, value in {**sent, "content-length": str(len(content))}.items():
            self._connection.putheader(name, value)
        self._connection.endheaders(content)
        with self._connection.getresponse() as response:
            read = response.read()
        return response.status, json.loads(read) if response.getheader("content-type") == JSON and read else read

    def close(self) -> None:
        self._connection.close()


@pytest.fixture
def call(foreign: ForeignServer) -> Iterator[Caller]:
    foreign.begin(NO_QUIRK)
    caller = Caller(foreign)
    yield caller
    caller.close()


@pytest.mark.parametrize("name", list(EXPECTED))
def test_each_of_the_eleven_headers_is_required_on_every_request(call: Caller, name: str) -> None:
    key = call.server.drive.named("hello.txt").key
    for path in ("/security/users", f"/download/files/{key}", f"/boards/{BOARD}"):
        status, body = call("GET", path, **{name.replace("-", "_"): None})
        assert status in {400, 401}, path
        assert body["code"]
        assert f"GET {path} without {name}" in call.server.offences


def test_the_codes_of_missing_headers_are_those_of_the_text(call: Caller) -> None:
    assert call("GET", "/security/users", content_type=None)[1]["code"] == "NMSOM0003"
    assert call("GET", "/boards/sync/initial", content_type=None)[1]["code"] == "BRSOM0036"
    assert call("GET", "/security/users", accept_language=None)[1]["code"] == "NMSOM0001"
    assert call("GET", "/security/users", authorization="Basic x")[1]["code"] == "TEJGA0401"
    assert call("GET", "/amiko/cab/contacts")[1]["code"] == "TEJRF0400"


def test_one_call_lists_one_kind(call: Caller) -> None:
    def names(query: str) -> list[str]:
        return [one["objectName"] for one in call("GET", f"/nms/metadata?folderKey={ROOT}{query}")[1]["objects"]]

    assert names("&type=w") == ["Documents", "Photos"]
    assert names("&type=f&sort=-objectName") == ["hello.txt", "big.bin"]
    assert names("&type=f&limit=1&page=1") == ["hello.txt"]
    assert names("") == ["big.bin", "hello.txt"]
    assert call("GET", f"/nms/metadata?folderKey={ROOT}&type=x")[1]["code"] == "NMSOM0129"
    assert call("GET", f"/nms/metadata?folderKey={ROOT}&type=f&limit=2001")[0] == 400


def test_a_batch_needs_the_full_echo_and_refuses_entry_by_entry(call: Caller) -> None:
    files = call("GET", f"/nms/metadata?folderKey={ROOT}&type=f")[1]["objects"]

    def batch(operation: str, echo: dict[str, Any]) -> tuple[int, Any]:
        entry = {"operation": operation, "correlationId": USER, "object": echo}
        return call("PUT", "/nms/metadata/1.0", {"objects": [entry]})

    for echo, code in (
        ({**files[0], "objectName": None}, "TEJVF0001"),
        ({**files[0], "sourceName": None}, "NMSOM0021"),
        ({"objectKey": files[0]["objectKey"], "objectName": "a", "sourceName": "DRIVE"}, "NOT_A_FULL_ECHO"),
        (files[0], "NMSOM0135"),
    ):
        status, body = batch("TRASH", echo)
        assert status == 200
        assert body["unprocessed"][0]["object"]["errorCode"] == code
    assert batch("FLY", files[0])[1]["code"] == "NMSOM0135"
    assert batch("TRASH", {**files[0], "status": "T"})[1]["unprocessed"] == []
    assert call.server.offences == []


def test_the_legacy_delete_deletes_nothing_and_is_noted(call: Caller) -> None:
    key = call.server.drive.named("hello.txt").key
    status, body = call("PUT", "/nms/metadata/delete", {"objectKeys": [key]})
    assert (status, body["unprocessed"]) == (200, [{"object": {"objectKey": key}}])
    assert call.server.drive.named("hello.txt").now.status == "A"
    assert call.server.offences == ["the legacy delete was used"]


def test_lag_hides_changes_from_listings_and_from_nothing_else(call: Caller) -> None:
    drive = call.server.drive
    drive.lag = FOREVER
    body = {"objectName": "New", "parentObjectKey": ROOT, "sourceName": "DRIVE"}
    assert call("POST", "/nms/folders", body)[0] == 201
    assert call("POST", "/nms/folders", body)[0] == 409
    shown = call("GET", f"/nms/metadata?folderKey={ROOT}&type=w")[1]["objects"]
    assert [one["objectName"] for one in shown] == ["Documents", "Photos"]
    drive.settle()
    assert len(call("GET", f"/nms/metadata?folderKey={ROOT}&type=w")[1]["objects"]) == 3


def test_the_trash_has_no_pages_and_versions_have_neither_size_nor_hash(call: Caller) -> None:
    assert call("GET", "/nms/trash?limit=10") == call("GET", "/nms/trash?limit=10&page=7")
    key = call.server.drive.named("hello.txt").key
    (version,) = call("GET", f"/nms/metadata/version/{key}")[1]["objVersions"]
    assert not {"sizeInBytes", "hash"} & version.keys()
    assert call("GET", f"/nms/metadata/version/{'0' * 32}")[0] == 404
