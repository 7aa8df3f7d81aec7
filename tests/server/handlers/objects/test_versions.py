"""Versions: what a file has been, newest first."""

from tests.server.answers import answer_of
from tests.server.api import Api, HeldClock, error_of

from skyshelf.wire.keys import make_key

UNKNOWN = make_key(1, bytes(10))


def test_a_file_has_its_versions_newest_first(api: Api, clock: HeldClock) -> None:
    first = clock.now()
    api.file("a.txt", b"one", created_by="Ada")
    clock.advance(1000)
    key = api.file("a.txt", b"three", created_by="Grace").object_key
    answer = answer_of(api.get(f"/nms/metadata/version/{key}"), "versions")
    assert answer == {
        "totalVersions": 2,
        "objVersions": [
            {
                "version": 2,
                "displayVersion": "V2",
                "createdDate": first + 1000,
                "isCurrentVersion": True,
                "versionCreatedBy": {"firstName": "Grace"},
                "sizeInBytes": 5,
                "hash": "35d6d33467aae9a2e3dccb4b6b027878",
                "lastUpdatedDate": first + 1000,
                "lastUpdatedBy": {"firstName": "Grace"},
            },
            {
                "version": 1,
                "displayVersion": "V1",
                "createdDate": first,
                "isCurrentVersion": False,
                "versionCreatedBy": {"firstName": "Ada"},
                "sizeInBytes": 3,
                "hash": "f97c5d29941bfb1b2fdab0874906ab82",
                "lastUpdatedDate": first,
                "lastUpdatedBy": {"firstName": "Ada"},
            },
        ],
    }


def test_the_last_twenty_versions_are_kept(api: Api) -> None:
    for number in range(1, 23):
        key = api.file("a.txt", b"x" * number).object_key
    answer = answer_of(api.get(f"/nms/metadata/version/{key}"), "versions")
    assert answer["totalVersions"] == 20
    assert [one["version"] for one in answer["objVersions"]] == list(range(22, 2, -1))


def test_a_key_that_is_unknown_trashed_foreign_or_none_is_not_found(api: Api, other_api: Api) -> None:
    folder = api.folder("folder")
    below = api.file("below", parent_key=folder.object_key)
    gone = api.file("gone")
    api.trash(folder.object_key, gone.object_key)
    keys = [UNKNOWN, gone.object_key, below.object_key, other_api.file("theirs").object_key, "nonsense", "..%2f"]
    answers = [api.get(f"/nms/metadata/version/{key}") for key in keys]
    assert [error_of(answer) for answer in answers[:5]] == [(404, "SKY3000")] * 5
    assert len({answer.text for answer in answers[:5]}) == 1
    assert answers[5].status_code == 404


def test_a_folder_has_no_versions(api: Api) -> None:
    assert error_of(api.get(f"/nms/metadata/version/{api.folder('a').object_key}")) == (400, "SKY3021")


def test_a_key_in_lower_case_is_accepted(api: Api) -> None:
    key = api.file("a.txt").object_key.lower()
    assert answer_of(api.get(f"/nms/metadata/version/{key}"), "versions")["totalVersions"] == 1
