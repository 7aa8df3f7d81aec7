"""Bringing back a version: its content is the newest one again, and no byte is copied."""

from typing import Any

from tests.server.answers import answer_of
from tests.server.api import Api, HeldClock, error_of, logged_in, new_account
from tests.server.echoes import batch, echo_of, entry
from tests.server.uploading import begun, initiate, send, upload

from skyshelf.service.context import ServiceContext
from skyshelf.wire.keys import make_key

UNKNOWN = make_key(1, bytes(10))


def bring_back(api: Api, key: str, version: int) -> dict[str, Any]:
    body = {"objectKey": key, "version": version}
    answer: dict[str, Any] = answer_of(api.post("/x/v1/versions/restore", json=body), "restore_version")
    return answer


def refused(api: Api, key: str, version: int) -> tuple[int, str]:
    return error_of(api.post("/x/v1/versions/restore", json={"objectKey": key, "version": version}))


def versions(api: Api, key: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = api.get(f"/nms/metadata/version/{key}").json()["objVersions"]
    return found


def used(api: Api) -> int:
    with api.ctx.metadata.snapshot() as unit:
        kept = unit.quotas.get(api.account.account_id, 0)
        assert kept == unit.quotas.recount(api.account.account_id, 0)
        assert unit.inspection.miscounted(limit=10) == []
    return kept.used


def test_an_earlier_version_becomes_the_newest_and_nothing_is_lost(api: Api, clock: HeldClock) -> None:
    api.file("a.txt", b"one", file_created_at=1000, last_modified_at=2000)
    key = api.file("a.txt", b"second").object_key
    clock.advance(5)
    answer = bring_back(api, key, 1)
    assert (answer["objectKey"], answer["version"], answer["sizeInBytes"]) == (key, 3, 3)
    assert (answer["fileCreatedDate"], answer["lastModifiedDate"]) == (1000, 2000)
    assert [(one["version"], one["sizeInBytes"], one["isCurrentVersion"]) for one in versions(api, key)] == [
        (3, 3, True),
        (2, 6, False),
        (1, 3, False),
    ]
    assert versions(api, key)[0]["createdDate"] == clock.now()
    assert api.get(f"/download/files/{key}").content == b"one"
    assert api.get(f"/download/files/{key}?version=2").content == b"second"


def test_its_bytes_are_counted_and_not_copied(api: Api, ctx: ServiceContext) -> None:
    api.file("a.txt", b"one")
    key = api.file("a.txt", b"second").object_key
    blobs = len(list(ctx.blobs.list()))
    bring_back(api, key, 1)
    assert used(api) == 3 + 6 + 3
    assert len(list(ctx.blobs.list())) == blobs


def test_what_is_current_already_stays_as_it_is(api: Api) -> None:
    api.file("a.txt", b"one")
    key = api.file("a.txt", b"second").object_key
    assert bring_back(api, key, 2)["version"] == 2
    assert bring_back(api, key, 1)["version"] == 3
    assert bring_back(api, key, 1)["version"] == 3, "asked twice, it is one new version"
    assert used(api) == 12


def test_the_oldest_of_twenty_can_be_brought_back_though_it_goes_with_it(api: Api) -> None:
    for number in range(1, 21):
        key = api.file("a.txt", b"x" * number).object_key
    assert bring_back(api, key, 1)["sizeInBytes"] == 1
    assert [one["version"] for one in versions(api, key)] == list(range(21, 1, -1))
    assert api.get(f"/download/files/{key}").content == b"x"
    assert used(api) == sum(range(1, 21))


def test_a_version_for_which_there_is_no_space_is_refused(api: Api, ctx: ServiceContext) -> None:
    small = logged_in(api.client, ctx, new_account(ctx, "small@example.org", quota=10))
    small.file("a.txt", b"12345")
    key = small.file("a.txt", b"67").object_key
    assert refused(small, key, 1) == (413, "SKY4007")
    assert len(versions(small, key)) == 2
    assert used(small) == 7


def test_a_full_account_can_replace_a_file_whose_oldest_version_makes_space(api: Api, ctx: ServiceContext) -> None:
    small = logged_in(api.client, ctx, new_account(ctx, "small@example.org", quota=20))
    for number in range(20):
        small.file("a.txt", b"%d" % (number % 10))
    assert used(small) == 20
    answer = upload(small, "a.txt", b"x")
    assert answer.status_code == 201, answer.text
    assert upload(small, "a.txt", b"xy").status_code == 413
    assert used(small) == 20
    assert error_of(initiate(small, "b.txt", b"y")) == (413, "SKY4007")
    finished = send(small, begun(small, "a.txt", b"y"), 0, b"y")
    assert (finished.status_code, finished.json()["version"]) == (201, 22)
    assert used(small) == 20


def test_a_version_that_is_not_there_is_refused(api: Api) -> None:
    key = api.file("a.txt", b"one").object_key
    assert refused(api, key, 2) == (404, "SKY3003")
    for number in range(25):
        api.file("a.txt", b"%d" % number)
    assert refused(api, key, 1) == (404, "SKY3003")


def test_a_file_that_cannot_be_seen_is_not_found_and_a_folder_is_refused(api: Api, other_api: Api) -> None:
    folder = api.folder("folder")
    below = api.file("below.txt", parent_key=folder.object_key)
    api.file("below.txt", b"again", folder.object_key)
    gone = api.folder("gone").object_key
    theirs = other_api.file("theirs.txt").object_key
    assert refused(api, folder.object_key, 1) == (400, "SKY3021")
    api.trash(folder.object_key)
    for key in (below.object_key, theirs, UNKNOWN):
        assert refused(api, key, 1) == (404, "SKY3000")
    assert refused(api, "no key", 1) == (400, "SKY1003")
    assert refused(api, gone, 0) == (400, "SKY1000")


def test_a_version_of_a_renamed_file_comes_back_under_its_new_name(api: Api) -> None:
    api.file("a.txt", b"one")
    key = api.file("a.txt", b"second").object_key
    batch(api, entry("RENAME", echo_of(api, key) | {"objectName": "b.md"}))
    answer = bring_back(api, key, 1)
    assert (answer["objectName"], answer["version"]) == ("b.md", 3)
    assert used(api) == 12
