"""What holds across the interface and belongs to no single noun."""

import hashlib
import re
import uuid
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from tests.server.api import PASSWORD, Api, HeldClock, error_of, logged_in, new_account
from tests.server.echoes import echo_of, entry, in_trash, listed, names
from tests.server.good_calls import furnish, good_call, removing_last
from tests.server.in_process import TestClient
from tests.server.uploading import upload

from skyshelf.server.app import ServerSettings, app_for
from skyshelf.service.context import ServiceContext
from skyshelf.service.jobs import maintenance
from skyshelf.storage.errors import StoreUnavailable
from skyshelf.wire.endpoint import AnswerKind, Host
from skyshelf.wire.endpoints import BY_NAME, ENDPOINTS

KEY_FIELDS = {"objectKey", "parentObjectKey", "userId", "rootFolderKey", "boardKey", "ownerUserId"}
TO_COME = {"expiryDate", "deletionDate", "sessionEndDate", "expiresDate", "endDate"}
YEAR = 365 * 86_400_000
JSON_CALLS = [one.name for one in ENDPOINTS if any(answer.kind is AnswerKind.JSON for answer in one.answers.values())]


def fields_in(answer: Any) -> Iterator[tuple[str, Any]]:
    """Every field of an answer, at any depth."""
    if isinstance(answer, list):
        for one in answer:
            yield from fields_in(one)
    if isinstance(answer, dict):
        for name, value in answer.items():
            yield name, value
            yield from fields_in(value)


def answers(api: Api) -> Iterator[tuple[str, Any]]:
    """The answer of every call, in one account."""
    keys = furnish(api)
    for name in removing_last(JSON_CALLS):
        response = good_call(name, api, keys).send(api)
        assert response.status_code in BY_NAME[name].answers, (name, response.text)
        yield name, response.json()


def test_keys_in_answers_are_thirty_two_upper_case_digits(api: Api) -> None:
    for name, answer in answers(api):
        for field, value in fields_in(answer):
            if field in KEY_FIELDS:
                assert re.fullmatch(r"[0-9A-F]{32}", value), (name, field, value)


def test_times_in_answers_are_epoch_milliseconds(api: Api, clock: HeldClock) -> None:
    for name, answer in answers(api):
        for field, value in fields_in(answer):
            if field.endswith("Date"):
                assert type(value) is int, (name, field)
                assert 0 <= value <= clock.now() + (YEAR if field in TO_COME else 0), (name, field)


def test_the_key_of_a_device_is_a_uuid(api: Api) -> None:
    assert str(uuid.UUID(api.login["deviceKey"])) == api.login["deviceKey"]
    (device,) = api.get("/security/users").json()["devices"]
    assert device["deviceKey"] == api.login["deviceKey"]


def test_urls_are_built_on_the_public_url_where_one_is_configured(
    ctx: ServiceContext, settings: ServerSettings
) -> None:
    public = "https://drive.example.org"
    app = app_for(ctx, msgspec.structs.replace(settings, public_url=public))
    with TestClient(app, follow_redirects=False) as client:
        api = logged_in(client, ctx, new_account(ctx, "ada@example.org"))
        file = api.file("a.jpg")
        (shown,) = listed(api)
        assert shown["url"] == f"{public}/download/files/{file.object_key}"
        assert shown["imageTranscodeUrl"].startswith(f"{public}/download/avimages/{file.object_key}")
        body = {"objects": [{"objectKey": file.object_key}], "shareName": "x", "shareType": "L"}
        assert api.post("/share/ulinks", json=body).json()["shareURL"].startswith(f"{public}/l/?u=")


def test_the_headers_that_describe_the_client_are_optional(api: Api) -> None:
    absent = ("X-Device-Type", "X-Client-Details", "Accept", "User-Agent")
    assert api.get("/security/users", without=absent).status_code == 200


def test_the_root_folder_of_the_profile_can_be_listed(api: Api) -> None:
    api.folder("below the root")
    root = api.get("/security/users").json()["rootFolderKey"]
    assert names(listed(api, root)) == ["below the root"]


def test_the_older_counters_of_the_quota_say_the_same(api: Api) -> None:
    api.file("a.txt", b"12345")
    quota = api.get("/security/users").json()["quota"]
    assert quota["usedSpace"] == quota["totalUsedQuota"] == 5
    assert quota["allocatedSpace"] == quota["totalAllocatedQuota"]


def test_the_hash_of_a_file_is_the_md5_of_what_is_downloaded(api: Api) -> None:
    shown = upload(api, "a.bin", b"\x00\x01\x02" * 1000).json()
    content = api.get(f"/download/files/{shown['objectKey']}").content
    assert hashlib.md5(content, usedforsecurity=False).hexdigest() == shown["hash"]


def test_the_url_of_a_file_downloads_it(api: Api) -> None:
    shown = upload(api, "a.txt", b"through its url").json()
    answer = api.client.get(shown["url"], headers=api.headers)
    assert (answer.status_code, answer.content) == (200, b"through its url")


def test_what_is_written_is_listed_at_once(api: Api) -> None:
    body = {"objectName": "new", "parentObjectKey": api.root_key, "sourceName": "DRIVE"}
    key = api.post("/nms/folders", json=body).json()["objectKey"]
    upload(api, "new.txt", b"new")
    assert names(listed(api)) == ["new", "new.txt"]
    trash = entry("TRASH", echo_of(api, key), status="T")
    api.put("/nms/metadata/1.0", json={"objects": [trash]})
    assert (names(listed(api)), names(in_trash(api))) == (["new.txt"], ["new"])
    api.put("/nms/metadata/restore", json={"objectKeys": [key]})
    assert (names(listed(api)), names(in_trash(api))) == (["new", "new.txt"], [])


METADATA_CALLS = [one.name for one in ENDPOINTS if one.host in {Host.ACCOUNT, Host.METADATA, Host.BOARDS}]


def test_a_store_that_cannot_be_reached_is_answered_503_and_when_to_come_back(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = furnish(api)

    def unreachable(*_: object) -> None:
        raise StoreUnavailable("no store")

    calls = {name: good_call(name, api, keys) for name in METADATA_CALLS}
    with monkeypatch.context() as patched:
        for verb in ("read", "snapshot", "write"):
            patched.setattr(type(api.ctx.metadata), verb, unreachable)
        for name, call in calls.items():
            answer = call.send(api)
            assert error_of(answer) == (503, "SKY5001"), name
            assert int(answer.headers["retry-after"]) > 0


def test_a_purge_is_logged_with_the_days_of_the_retention(
    api: Api, clock: HeldClock, caplog: pytest.LogCaptureFixture
) -> None:
    api.trash(api.file("old.txt").object_key)
    clock.advance(days=31)
    caplog.set_level("INFO")
    for _ in maintenance.expire_trash(api.ctx):
        pass
    for _ in maintenance.purge(api.ctx, api.account.account_id):
        pass
    logged = [record.getMessage() for record in caplog.records if record.name == "skyshelf.background"]
    assert any("more than 30 days ago" in line for line in logged)
    assert any(line.startswith("purged") for line in logged)
    assert in_trash(logged_in(api.client, api.ctx, api.account)) == []


def test_a_day_of_a_person_works_from_login_to_logout(anonymous: TestClient, ctx: ServiceContext) -> None:
    """Through HTTP alone, as a client would: nothing is put into the store by hand but the account."""
    account = new_account(ctx, "ada@example.org")
    api = Api(anonymous, ctx, account, anonymous.post("/x/v1/login", json={
        "emailId": "ada@example.org", "password": PASSWORD, "deviceName": "Notebook",
    }).json())  # fmt: skip
    root = api.get("/security/users").json()["rootFolderKey"]
    body = {"objectName": "Papers", "parentObjectKey": root, "sourceName": "DRIVE"}
    papers = api.post("/nms/folders", json=body).json()["objectKey"]
    file = upload(api, "letter.txt", b"Dear Charles", folderKey=papers).json()
    for operation, change in (
        ("SETFAV", {}),
        ("RENAME", {"objectName": "to charles.txt"}),
        ("MOVE", {"parentObjectKey": root}),
    ):
        echo = echo_of(api, file["objectKey"], papers)
        answer = api.put("/nms/metadata/1.0", json={"objects": [entry(operation, echo, **change)]}).json()
        assert answer["unprocessed"] == [], operation
    moved = echo_of(api, file["objectKey"])
    assert (moved["objectName"], moved["isFavorite"]) == ("to charles.txt", True)
    assert api.get(f"/download/files/{file['objectKey']}").content == b"Dear Charles"
    assert api.put("/security/users/logout").status_code == 204
    assert error_of(api.get("/security/users")) == (401, "TEJGA0401")


def test_every_json_call_is_covered() -> None:
    assert {"profile", "listing", "batch", "board_details", "upload"} <= set(JSON_CALLS)
    assert set(METADATA_CALLS) <= set(BY_NAME)


def test_a_chunk_is_answered_200_with_how_far_the_upload_is(api: Api) -> None:
    keys = furnish(api)
    answer = good_call("upload_chunk", api, keys).send(api)
    assert (answer.status_code, answer.json()) == (200, {"transactionId": keys.upload, "offset": 5})
