"""POST /upload/files: a file in one call."""

import json
from typing import Any

import msgspec
import pytest
from tests.server.api import Api, HeldClock, error_of, logged_in, new_account
from tests.server.in_process import TestClient
from tests.server.uploading import (
    content_of,
    described,
    form,
    initiate,
    md5,
    names_in,
    stored_bytes,
    upload,
    used_and_reserved,
)

from skyshelf.server.app import ServerSettings, app_for
from skyshelf.service.context import Rules, ServiceContext
from skyshelf.wire.headers import session_headers

DATA = b"the bytes of a file" * 1000
KEYS_OF_AN_OBJECT = {
    "objectKey", "parentObjectKey", "parentObjectType", "objectName", "displayName", "objectType", "sizeInBytes",
    "mimeType", "mimeSubType", "sourceFolder", "hash", "fileCreatedDate", "lastModifiedDate", "createdDate",
    "lastUpdatedDate", "status", "isHidden", "isLocked", "isReadonly", "isFavorite", "url", "version", "latestVersion",
    "sourceName",
}  # fmt: skip


def test_an_upload_answers_the_full_object(api: Api, clock: HeldClock) -> None:
    answer = upload(api, "letter.txt", DATA)
    assert answer.status_code == 201
    assert answer.headers["content-type"] == "application/json; charset=UTF-8"
    stored = answer.json()
    assert stored.keys() == KEYS_OF_AN_OBJECT
    assert stored["objectName"] == "letter.txt"
    assert stored["parentObjectKey"] == api.root_key
    assert (stored["mimeType"], stored["mimeSubType"]) == ("text", "plain")
    assert (stored["sizeInBytes"], stored["hash"]) == (len(DATA), md5(DATA))
    assert (stored["objectType"], stored["status"], stored["version"]) == ("FE", "A", 1)
    assert stored["sourceName"] == "DRIVE"
    assert stored["fileCreatedDate"] == stored["lastModifiedDate"] == clock.now()
    assert stored["url"] == f"http://testserver/download/files/{stored['objectKey']}"
    assert content_of(api, stored["objectKey"]) == DATA
    assert used_and_reserved(api) == (len(DATA), 0)


def test_what_the_client_says_about_the_file_is_kept(api: Api, ctx: ServiceContext) -> None:
    said: dict[str, Any] = {
        "fileCreatedDate": 1000,
        "lastModifiedDate": 2000,
        "sourceName": "UPA",
        "sourceFolder": "/DCIM",
    }
    answer = upload(api, "a.jpg", DATA, appcode="dgl", **said)
    stored = answer.json()
    assert (stored["fileCreatedDate"], stored["lastModifiedDate"]) == (1000, 2000)
    assert (stored["sourceName"], stored["sourceFolder"]) == ("UPA", "/DCIM")
    with ctx.metadata.read() as unit:
        assert len(unit.tree.of_app(api.account.account_id, "dgl", limit=10)) == 1


def test_an_empty_file_is_one_call(api: Api) -> None:
    answer = upload(api, "empty", b"")
    assert answer.status_code == 201
    assert answer.json()["sizeInBytes"] == 0
    assert content_of(api, answer.json()["objectKey"]) == b""


def test_the_file_may_come_before_its_metadata(api: Api) -> None:
    answer = upload(api, "first.bin", DATA, file_first=True)
    assert answer.status_code == 201
    assert content_of(api, answer.json()["objectKey"]) == DATA


def test_unknown_fields_are_skipped(api: Api) -> None:
    metadata = json.dumps(described(api, "a.bin", DATA)).encode()
    body, headers = form(("x", b"1"), ("metadataString", metadata), ("y", b"2" * 100_000), ("file", DATA), ("z", b""))
    assert api.post("/upload/files", content=body, headers=headers).status_code == 201


def test_content_that_looks_like_a_boundary_is_content(api: Api) -> None:
    data = b"\r\n--b0undar\r\n--b0undarx\r\n--" * 50_000
    metadata = json.dumps(described(api, "a.bin", data)).encode()
    body, headers = form(("metadataString", metadata), ("file", data))
    answer = api.post("/upload/files", content=body, headers=headers)
    assert answer.status_code == 201
    assert content_of(api, answer.json()["objectKey"]) == data


def test_a_taken_name_makes_the_next_version_of_the_same_object(api: Api) -> None:
    first, second = upload(api, "a.txt", b"one").json(), upload(api, "a.txt", b"two!").json()
    assert second["objectKey"] == first["objectKey"]
    assert (second["version"], second["latestVersion"]) == (2, 2)
    assert names_in(api) == ["a.txt"]
    assert used_and_reserved(api) == (7, 0)


def test_names_are_normalised_before_they_are_compared(api: Api) -> None:
    composed, decomposed = upload(api, "é.txt", b"1").json(), upload(api, "e\u0301.txt", b"2").json()
    assert decomposed["objectKey"] == composed["objectKey"]
    assert decomposed["objectName"] == "é.txt"


def test_the_same_content_is_kept_once_for_all_accounts(api: Api, other_api: Api, ctx: ServiceContext) -> None:
    upload(api, "a.bin", DATA)
    upload(api, "b.bin", DATA)
    upload(other_api, "c.bin", DATA)
    assert stored_bytes(ctx) == (1, 0)
    assert used_and_reserved(api) == (2 * len(DATA), 0)


def test_a_key_in_lower_case_names_the_same_folder(api: Api) -> None:
    folder = api.folder("f")
    answer = upload(api, "a", b"1", folderKey=folder.object_key.lower(), hash=md5(b"1").upper())
    assert answer.json()["parentObjectKey"] == folder.object_key


@pytest.mark.parametrize("file_first", [False, True])
@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"size": len(DATA) - 1}, (400, "SKY4005")),
        ({"size": len(DATA) + 1}, (400, "SKY4005")),
        ({"size": 0}, (400, "SKY4005")),
        ({"size": 2**41}, (413, "SKY4006")),
        ({"size": 200 * 2**30}, (413, "SKY4007")),
        ({"hash": "0" * 32}, (400, "SKY4004")),
        ({"hash": "xyz"}, (400, "SKY1000")),
        ({"hash": None}, (400, "SKY1000")),
        ({"size": -1}, (400, "SKY1000")),
        ({"size": "5"}, (400, "SKY1000")),
        ({"name": "a/b"}, (400, "SKY1002")),
        ({"name": ".."}, (400, "SKY1002")),
        ({"name": "a\nb"}, (400, "SKY1002")),
        ({"name": "x" * 256}, (400, "SKY1002")),
        ({"folderKey": "nonsense"}, (400, "SKY1003")),
        ({"folderKey": "0" * 32}, (404, "SKY3000")),
    ],
)
def test_what_is_refused_leaves_nothing(
    api: Api, ctx: ServiceContext, fields: dict[str, object], expected: tuple[int, str], file_first: bool
) -> None:
    assert error_of(upload(api, "a.bin", DATA, file_first=file_first, **fields)) == expected
    assert stored_bytes(ctx) == (0, 0)
    assert names_in(api) == []
    assert used_and_reserved(api) == (0, 0)


@pytest.mark.parametrize("file_first", [False, True])
def test_a_folder_that_is_a_file_trashed_or_somebody_elses_is_refused(
    api: Api, other_api: Api, ctx: ServiceContext, file_first: bool
) -> None:
    file, trashed, foreign = api.file("file"), api.folder("trashed"), other_api.folder("foreign")
    below = api.folder("below", trashed.object_key)
    api.trash(trashed.object_key)
    kept = stored_bytes(ctx)
    unknown = upload(api, "a", DATA, folderKey="0" * 32, file_first=file_first)
    assert error_of(upload(api, "a", DATA, folderKey=file.object_key, file_first=file_first)) == (400, "SKY3020")
    for folder in (trashed, below, foreign):
        answer = upload(api, "a", DATA, folderKey=folder.object_key, file_first=file_first)
        assert (answer.status_code, answer.content) == (404, unknown.content)
    assert stored_bytes(ctx) == kept


def test_a_folder_of_that_name_is_a_conflict(api: Api, ctx: ServiceContext) -> None:
    api.folder("taken")
    assert error_of(upload(api, "taken", DATA)) == (409, "SKY3010")
    assert stored_bytes(ctx) == (0, 0)


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [("{", (400, "SKY1001")), ("", (400, "SKY1001")), ("[]", (400, "SKY1000")), (" " * 70_000, (413, "SKY1005"))],
)
def test_metadata_that_is_not_what_it_should_be_is_refused(
    api: Api, ctx: ServiceContext, metadata: str, expected: tuple[int, str]
) -> None:
    assert error_of(upload(api, "a", DATA, metadata=metadata)) == expected
    assert stored_bytes(ctx) == (0, 0)


def test_a_form_needs_each_of_its_parts_once(api: Api, ctx: ServiceContext) -> None:
    metadata = json.dumps(described(api, "a", DATA)).encode()
    said, file = ("metadataString", metadata), ("file", DATA)
    for parts in [(said,), (file,), (), (said, said, file), (said, file, file), (file, said, said)]:
        body, headers = form(*parts)
        assert error_of(api.post("/upload/files", content=body, headers=headers)) == (400, "SKY1000"), parts
    assert stored_bytes(ctx) == (0, 0)
    assert names_in(api) == []


def test_a_form_that_breaks_off_leaves_nothing_wherever_it_does(api: Api, ctx: ServiceContext) -> None:
    metadata = json.dumps(described(api, "a", b"123456")).encode()
    body, headers = form(("metadataString", metadata), ("file", b"123456"))
    # Without its last line break a form is still whole.
    for end in range(len(body) - 2):
        answer = api.post("/upload/files", content=body[:end], headers=headers)
        assert error_of(answer) == (400, "SKY1000"), end
    assert stored_bytes(ctx) == (0, 0)
    assert names_in(api) == []
    assert api.post("/upload/files", content=body, headers=headers).status_code == 201


@pytest.mark.parametrize(
    "content_type", ["application/json", "multipart/form-data", "multipart/mixed; boundary=b", "", "text/plain"]
)
def test_another_content_type_is_refused(api: Api, content_type: str) -> None:
    answer = api.post("/upload/files", content=b"x", headers={"content-type": content_type})
    assert error_of(answer) == (415, "SKY1008")


def test_uploads_need_a_session_and_an_application(api: Api, anonymous: TestClient) -> None:
    body, headers = form(("file", b"x"))
    assert error_of(anonymous.post("/upload/files", content=body, headers=headers)) == (401, "TEJGA0401")
    without_app = api.post("/upload/files", content=body, headers=headers, without=("x-api-key",))
    assert error_of(without_app) == (403, "SKY2001")
    # The metadata host's headers are not required here.
    assert "Accept-Language" in session_headers("t", "u", "d")
    answer = api.post("/upload/files", content=body, headers=headers, without=("accept-language",))
    assert error_of(answer) == (400, "SKY1000")


def test_the_quota_is_exact_to_the_byte(client: TestClient, ctx: ServiceContext) -> None:
    api = logged_in(client, ctx, new_account(ctx, "small@example.org", quota=100))
    assert upload(api, "a", b"x" * 60).status_code == 201
    for file_first in (False, True):
        assert error_of(upload(api, "b", b"y" * 41, file_first=file_first)) == (413, "SKY4007")
    assert upload(api, "b", b"y" * 40).status_code == 201
    assert used_and_reserved(api) == (100, 0)


def test_the_largest_file_is_the_operators_decision(ctx: ServiceContext, settings: ServerSettings) -> None:
    small = msgspec.structs.replace(ctx, rules=Rules(max_file_size=1000))
    with TestClient(app_for(small, settings)) as client:
        api = logged_in(client, small, new_account(small, "eve@example.org"))
        for file_first in (False, True):
            assert upload(api, "a", b"x" * 1000, file_first=file_first).status_code == 201
            assert error_of(upload(api, "a", b"x" * 1001, file_first=file_first)) == (413, "SKY4006")
            assert error_of(upload(api, "a", b"x" * 100_000, file_first=file_first)) == (413, "SKY4006")


def test_only_the_newest_versions_are_kept(api: Api, ctx: ServiceContext) -> None:
    for number in range(22):
        upload(api, "a", b"x" * (number + 1))
    with ctx.metadata.read() as unit:
        stored = unit.tree.child_named(api.account.account_id, api.root_key, "a")
        assert stored is not None
        versions = unit.files.versions(api.account.account_id, stored.object_key)
    assert [version.version for version in versions] == list(range(22, 2, -1))
    assert {version.created_by for version in versions} == {"Ada"}
    assert used_and_reserved(api) == (sum(range(3, 23)), 0)


def test_a_file_replaces_the_version_that_its_editor_has_seen_and_no_other(api: Api) -> None:
    first = upload(api, "notes.txt", b"first").json()
    saved = upload(api, "notes.txt", b"second", expectedVersion=first["version"])
    assert saved.json()["version"] == first["version"] + 1
    late = upload(api, "notes.txt", b"third", expectedVersion=first["version"])
    assert error_of(late) == (409, "SKY4009")
    assert content_of(api, first["objectKey"]) == b"second"
    # Saving the same words again is a version like any other, and a file of another name is none.
    assert upload(api, "notes.txt", b"second", expectedVersion=saved.json()["version"]).status_code == 201
    assert upload(api, "renamed.txt", b"third", expectedVersion=1).status_code == 409
    assert names_in(api) == ["notes.txt"]
    assert error_of(initiate(api, "notes.txt", b"fourth", expectedVersion=2)) == (409, "SKY4009")
    assert error_of(upload(api, "notes.txt", b"fourth", expectedVersion=0)) == (409, "SKY4009")
    assert upload(api, "new.txt", b"fourth", expectedVersion=0).json()["version"] == 1
