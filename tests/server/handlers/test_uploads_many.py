"""POST /x/v1/uploads/many: small files in one call, each of which succeeds or is refused by itself."""

import json
from collections.abc import Sequence
from typing import Any

import httpx2
import msgspec
import pytest
from tests.server.api import Api, error_of, logged_in, new_account
from tests.server.in_process import TestClient
from tests.server.uploading import content_of, described, form, names_in, stored_bytes, upload, used_and_reserved

from skyshelf.server.app import ServerSettings, app_for
from skyshelf.service.context import Rules, ServiceContext
from skyshelf.storage.blobs.durable_files import DurableFiles
from skyshelf.storage.errors import StoreFull
from skyshelf.wire.limits import UPLOADS_AT_ONCE_BYTES_MAX, UPLOADS_AT_ONCE_MAX

PATH = "/x/v1/uploads/many"
CONTENTS = {"a.txt": b"first", "empty": b"", "large.bin": b"0123456789" * 70_000, "z.jpg": b"no picture"}


def form_of(files: Sequence[dict[str, Any]], content: bytes) -> tuple[bytes, dict[str, str]]:
    return form(("metadataString", json.dumps({"files": files}).encode()), ("file", content))


def send(api: Api, files: Sequence[dict[str, Any]], content: bytes) -> httpx2.Response:
    body, headers = form_of(files, content)
    return api.post(PATH, content=body, headers=headers)


def send_all(api: Api, contents: dict[str, bytes], **fields: Any) -> list[dict[str, Any]]:
    about = [described(api, name, data, **fields) for name, data in contents.items()]
    answer = send(api, about, b"".join(contents.values()))
    assert answer.status_code == 200, answer.text
    outcomes: list[dict[str, Any]] = answer.json()["files"]
    return outcomes


def codes_in(outcomes: list[dict[str, Any]]) -> list[str | None]:
    return [outcome.get("errorCode") for outcome in outcomes]


def test_every_file_arrives_and_is_reported_in_its_place(api: Api) -> None:
    outcomes = send_all(api, CONTENTS)
    assert codes_in(outcomes) == [None] * len(CONTENTS)
    for (name, data), outcome in zip(CONTENTS.items(), outcomes, strict=True):
        stored = outcome["object"]
        assert (stored["objectName"], stored["sizeInBytes"], stored["version"]) == (name, len(data), 1)
        assert stored == upload(api, name, data).json() | {"version": 1, "latestVersion": 1}
        assert content_of(api, stored["objectKey"]) == data
    assert names_in(api) == sorted(CONTENTS)


def test_a_call_that_comes_again_changes_nothing(api: Api, ctx: ServiceContext) -> None:
    first = send_all(api, CONTENTS)
    kept = stored_bytes(ctx), used_and_reserved(api)
    assert send_all(api, CONTENTS) == first
    assert (stored_bytes(ctx), used_and_reserved(api)) == kept


def test_other_content_under_a_name_is_its_next_version_also_within_one_call(api: Api) -> None:
    (before,) = send_all(api, {"a.txt": b"before"})
    about = [described(api, "a.txt", b"second"), described(api, "a.txt", b"third!")]
    after = send(api, about, b"secondthird!").json()["files"]
    assert {one["object"]["objectKey"] for one in (before, *after)} == {before["object"]["objectKey"]}
    assert [one["object"]["version"] for one in after] == [2, 3]
    assert content_of(api, before["object"]["objectKey"]) == b"third!"


def test_a_file_that_must_be_new_is_refused_alone_where_its_name_is_taken(api: Api) -> None:
    upload(api, "taken", b"theirs")
    assert codes_in(send_all(api, {"taken": b"mine", "new": b"mine"}, expectedVersion=0)) == ["SKY4009", None]
    assert codes_in(send_all(api, {"taken": b"mine", "other": b"mine"}, expectedVersion=1)) == [None, "SKY4009"]
    # As after a lost response.
    assert codes_in(send_all(api, {"new": b"mine"}, expectedVersion=0)) == [None]
    assert names_in(api) == ["new", "taken"]


def test_what_is_refused_does_not_stop_the_others_and_leaves_no_byte(
    api: Api, other_api: Api, ctx: ServiceContext
) -> None:
    file, trashed, foreign = api.file("file"), api.folder("trashed"), other_api.folder("foreign")
    api.folder("taken")
    api.trash(trashed.object_key)
    kept = stored_bytes(ctx)[0]
    about = [
        described(api, "one", b"right"),
        described(api, "two", b"wrong", hash="0" * 32),
        described(api, "taken", b"taken"),
        described(api, "three", b"three", folderKey=file.object_key),
        described(api, "three", b"three", folderKey=trashed.object_key),
        described(api, "three", b"three", folderKey=foreign.object_key),
        described(api, "four", b"fours"),
    ]
    answer = send(api, about, b"rightwrongtakenthreethreethreefours")
    expected = [None, "SKY4004", "SKY3010", "SKY3020", "SKY3000", "SKY3000", None]
    assert codes_in(answer.json()["files"]) == expected
    assert all(outcome.get("errorMessage") or outcome["object"] for outcome in answer.json()["files"])
    assert stored_bytes(ctx) == (kept + 2, 0)
    assert sorted(names_in(api)) == ["file", "four", "one", "taken"]


def test_where_there_is_no_space_for_all_as_many_come_as_there_is_space_for(
    client: TestClient, ctx: ServiceContext
) -> None:
    api = logged_in(client, ctx, new_account(ctx, "small@example.org", quota=10))
    outcomes = send_all(api, {"a": b"123456", "b": b"12345", "c": b"1234"})
    assert codes_in(outcomes) == [None, "SKY4007", None]
    assert used_and_reserved(api) == (10, 0)
    assert stored_bytes(ctx) == (2, 0)


def test_one_that_is_too_large_for_the_operator_is_refused_alone(ctx: ServiceContext, settings: ServerSettings) -> None:
    small = msgspec.structs.replace(ctx, rules=Rules(max_file_size=1000))
    with TestClient(app_for(small, settings)) as client:
        api = logged_in(client, small, new_account(small, "eve@example.org"))
        outcomes = send_all(api, {"a": b"x" * 1000, "b": b"y" * 1001, "c": b"z"})
    assert codes_in(outcomes) == [None, "SKY4006", None]
    assert stored_bytes(ctx) == (2, 0)


def test_the_same_content_twice_is_kept_once(api: Api, ctx: ServiceContext) -> None:
    assert codes_in(send_all(api, {"a": b"same", "b": b"same"})) == [None, None]
    assert stored_bytes(ctx) == (1, 0)
    assert used_and_reserved(api) == (8, 0)


@pytest.mark.parametrize("content", [b"1234", b"123456", b""])
def test_fewer_or_more_bytes_than_were_announced_are_refused_as_a_whole(
    api: Api, ctx: ServiceContext, content: bytes
) -> None:
    about = [described(api, "a", b"12"), described(api, "b", b"345")]
    assert error_of(send(api, about, content)) == (400, "SKY4005")
    assert stored_bytes(ctx) == (0, 0)
    assert names_in(api) == []


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ([], (400, "SKY1000")),
        ([{"size": 1}], (400, "SKY1000")),
        ([{"name": "a/b"}], (400, "SKY1002")),
        ([{"folderKey": None}], (400, "SKY1000")),
        ([{"folderKey": "nonsense"}], (400, "SKY1003")),
        ([{"size": UPLOADS_AT_ONCE_BYTES_MAX + 1}], (400, "SKY1000")),
        ([{"name": f"{number}"} for number in range(UPLOADS_AT_ONCE_MAX + 1)], (400, "SKY1000")),
    ],
    ids=["none", "no name", "a bad name", "no folder", "a bad folder", "too many bytes", "too many"],
)
def test_a_list_that_is_not_what_it_should_be_is_refused(
    api: Api, ctx: ServiceContext, files: list[dict[str, Any]], expected: tuple[int, str]
) -> None:
    about = [described(api, "a", b"", **one) if one != {"size": 1} else one for one in files]
    assert error_of(send(api, about, b"")) == expected
    assert stored_bytes(ctx) == (0, 0)


def test_a_form_needs_each_of_its_parts_once_and_the_metadata_first(api: Api, ctx: ServiceContext) -> None:
    said = ("metadataString", json.dumps({"files": [described(api, "a", b"x")]}).encode())
    file = ("file", b"x")
    for parts in [(said,), (file,), (), (file, said), (said, said, file), (said, file, file), (said, file, said)]:
        body, headers = form(*parts)
        assert error_of(api.post(PATH, content=body, headers=headers)) == (400, "SKY1000"), parts
    assert stored_bytes(ctx) == (0, 0)
    assert names_in(api) == []
    body, headers = form(("x", b"1"), said, ("y", b"2"), file, ("z", b"3"))
    assert api.post(PATH, content=body, headers=headers).status_code == 200


def test_a_form_that_breaks_off_leaves_nothing_wherever_it_does(api: Api, ctx: ServiceContext) -> None:
    body, headers = form_of([described(api, "a", b"12"), described(api, "b", b"3456")], b"123456")
    # Without its last line break a form is still whole.
    for end in range(len(body) - 2):
        answer = api.post(PATH, content=body[:end], headers=headers)
        assert error_of(answer)[0] == 400, end
    assert stored_bytes(ctx) == (0, 0)
    assert names_in(api) == []
    assert api.post(PATH, content=body, headers=headers).status_code == 200


@pytest.mark.parametrize("step", ["write", "rename", "sync_all"])
def test_a_disk_that_fills_up_refuses_all_and_leaves_nothing(
    api: Api, ctx: ServiceContext, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    does, left = getattr(DurableFiles, step), [1]

    def full_the_second_time(*arguments: Any) -> Any:
        if not left:
            raise StoreFull("no room")
        left.pop()
        return does(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(DurableFiles, step, full_the_second_time)
        about = [described(api, name, data) for name, data in CONTENTS.items()]
        assert error_of(send(api, about, b"".join(CONTENTS.values()))) == (507, "SKY5002")
    assert names_in(api) == []
    assert used_and_reserved(api) == (0, 0)
    assert stored_bytes(ctx) == (0, 0)
    assert codes_in(send_all(api, CONTENTS)) == [None] * len(CONTENTS)


def test_a_body_that_is_too_large_is_refused(api: Api) -> None:
    headers = {"content-type": "multipart/form-data; boundary=b", "content-length": str(2 * UPLOADS_AT_ONCE_BYTES_MAX)}
    assert error_of(api.post(PATH, content=b"x", headers=headers)) == (413, "SKY1005")
