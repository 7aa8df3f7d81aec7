"""GET /x/v1/contents: many small files of one's own in one answer, each like a separate download."""

from typing import Any

from msgspec import json
from tests.server.api import Api, error_of
from tests.server.uploading import md5

from skyshelf.service.context import ServiceContext
from skyshelf.wire.keys import make_key
from skyshelf.wire.limits import CONTENTS_BYTES_MAX, CONTENTS_KEYS_MAX, MIB

NOT_FOUND, LEFT_OUT, DAMAGED = "SKY3000", "SKY1012", "SKY5004"
UNKNOWN = make_key(1_700_000_000_000, bytes(10))


def ask(api: Api, *keys: str) -> Any:
    return api.get("/x/v1/contents", params={"objectKeys": ",".join(keys)})


def taken_apart(body: bytes) -> list[tuple[dict[str, Any], bytes]]:
    """Heads and contents, read as the description of the call says and by nothing of ours."""
    found = []
    while body:
        line, _, body = body.partition(b"\n")
        head = json.decode(line)
        size = head.get("sizeInBytes", 0)
        found.append((head, body[:size]))
        assert len(body) >= size
        body = body[size:]
    return found


def test_contents_come_in_the_order_of_their_keys(api: Api) -> None:
    contents = {"lines": b"a\n\nb\n", "empty": b"", "old": b"x" * 300_000, "json": b'{"objectKey": "0"}\n'}
    keys = {name: api.file(f"{name}.bin", content).object_key for name, content in contents.items()}
    wanted = ["old", "empty", "lines", "json", "old"]
    answer = ask(api, *(keys[name] for name in wanted))
    assert answer.status_code == 200
    assert answer.headers["content-length"] == str(len(answer.content))
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["cache-control"] == "no-store"
    assert "sandbox" in answer.headers["content-security-policy"]
    assert taken_apart(answer.content) == [
        (
            {"objectKey": keys[name], "sizeInBytes": len(contents[name]), "hash": md5(contents[name])},
            contents[name],
        )
        for name in wanted
    ]


def test_a_key_may_be_in_lower_case_and_the_newest_version_is_sent(api: Api) -> None:
    api.file("a.txt", b"first")
    key = api.file("a.txt", b"second").object_key
    assert taken_apart(ask(api, key.lower()).content)[0] == (
        {"objectKey": key, "sizeInBytes": 6, "hash": md5(b"second")},
        b"second",
    )


def test_what_is_no_file_of_the_callers_is_reported_alike_and_does_not_stop_the_others(
    api: Api, other_api: Api
) -> None:
    folder = api.folder("folder")
    trashed, below = api.file("trashed.txt"), api.file("below.txt", parent_key=folder.object_key)
    api.trash(trashed.object_key, folder.object_key)
    live_folder, mine = api.folder("live").object_key, api.file("mine.txt", b"mine").object_key
    theirs = other_api.file("theirs.txt", b"theirs").object_key
    refused = [theirs, UNKNOWN, trashed.object_key, below.object_key, folder.object_key, live_folder]
    *heads, last = taken_apart(ask(api, *refused, mine).content)
    assert [(head["objectKey"], head["errorCode"]) for head, _ in heads] == [(key, NOT_FOUND) for key in refused]
    assert {head["errorMessage"] for head, _ in heads} == {"No such file or folder"}
    assert last[1] == b"mine"


def test_what_has_no_space_is_left_out_and_smaller_ones_behind_it_are_not(api: Api) -> None:
    too_large = api.file("too large", bytes(CONTENTS_BYTES_MAX + 1)).object_key
    most = api.file("most", b"m" * (CONTENTS_BYTES_MAX - 10)).object_key
    second, small = api.file("second", bytes(MIB)).object_key, api.file("small", b"0123456789").object_key
    reported = taken_apart(ask(api, too_large, most, second, small).content)
    assert [head.get("errorCode") for head, _ in reported] == [LEFT_OUT, None, LEFT_OUT, None]
    assert [len(content) for _, content in reported] == [0, CONTENTS_BYTES_MAX - 10, 0, 10]


def test_a_content_that_cannot_be_read_is_reported_and_does_not_stop_the_others(api: Api, ctx: ServiceContext) -> None:
    lost, kept = api.file("lost", b"lost"), api.file("kept", b"kept")
    with ctx.metadata.read() as unit:
        ctx.blobs.delete(unit.files.version(api.account.account_id, lost.object_key).location)
    (head, _), (_, content) = taken_apart(ask(api, lost.object_key, kept.object_key).content)
    assert (head["objectKey"], head["errorCode"], content) == (lost.object_key, DAMAGED, b"kept")


def test_a_wrong_key_among_right_ones_is_refused(api: Api) -> None:
    key = api.file("a").object_key
    for wrong in ("x", f"{key},", f",{key}", f"{key},{key[:-1]}", f"{key} ,{key}", f"{key};{key}"):
        assert error_of(api.get("/x/v1/contents", params={"objectKeys": wrong.ljust(32)}))[0] == 400, wrong
    assert error_of(ask(api, key, "x" * 32)) == (400, "SKY1003")


def test_so_many_keys_and_no_more(api: Api) -> None:
    key = api.file("a", b"a").object_key
    assert len(taken_apart(ask(api, *[key] * CONTENTS_KEYS_MAX).content)) == CONTENTS_KEYS_MAX
    assert error_of(ask(api, *[key] * (CONTENTS_KEYS_MAX + 1))) == (400, "SKY1000")
    assert error_of(api.get("/x/v1/contents")) == (400, "SKY1000")


def test_without_a_session_nothing_is_reported(api: Api) -> None:
    key = api.file("a").object_key
    answer = api.client.get("/x/v1/contents", params={"objectKeys": key})
    assert answer.status_code == 401
