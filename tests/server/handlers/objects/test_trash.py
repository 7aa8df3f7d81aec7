"""Trash: what it lists, what comes back from it, and the legacy delete that deletes nothing."""

import json
from typing import Any

from tests.server.answers import answer_of
from tests.server.api import Api, HeldClock, error_of
from tests.server.echoes import batch, echo_of, entry, in_trash, listed, make_folders, names, refusals

from skyshelf.wire.keys import make_key

UNKNOWN = make_key(1, bytes(10))
NOT_KEY_LISTS: list[Any] = [None, [], "key", {}, {"objectKeys": None}, {"objectKeys": "key"}, {"objectKeys": [7]}]


def restore(api: Api, *keys: str) -> dict[str, Any]:
    answer: dict[str, Any] = answer_of(api.put("/nms/metadata/restore", json={"objectKeys": keys}), "restore")
    return answer


def trashed(api: Api, name: str, clock: HeldClock, **fields: Any) -> str:
    """The key of a file that went into the trash a millisecond after the one before."""
    file = api.file(name, **fields)
    clock.advance(1)
    api.trash(file.object_key)
    return file.object_key


def test_the_trash_has_the_envelope_of_listings(api: Api) -> None:
    api.trash(api.file("a.txt", b"12345").object_key)
    answer = answer_of(api.get("/nms/trash"), "trash")
    assert (answer["allocatedSpace"], answer["usedSpace"], answer["isUploadAllowed"]) == (100 << 30, 5, True)
    assert [(one["objectName"], one["status"]) for one in answer["objects"]] == [("a.txt", "T")]


def test_the_newest_trashed_comes_first(api: Api, clock: HeldClock) -> None:
    for name in ("b", "c", "a"):
        trashed(api, name, clock)
    assert names(in_trash(api)) == ["a", "c", "b"]


def test_the_trash_can_be_sorted_like_a_folder(api: Api, clock: HeldClock) -> None:
    for name, size, created, modified in [("b", 30, 2, 400), ("A", 10, 4, 100), ("c", 20, 1, 300)]:
        trashed(api, name, clock, data=b"x" * size, file_created_at=created, last_modified_at=modified)
    orders = {"objectName": "Abc", "sizeInBytes": "Acb", "fileCreatedDate": "cbA", "lastModifiedDate": "Acb"}
    for field, order in orders.items():
        assert "".join(names(in_trash(api, sort=f"+{field}"))) == order
        assert "".join(names(in_trash(api, sort=f"-{field}"))) == order[::-1]


def test_the_trash_has_pages(api: Api, clock: HeldClock) -> None:
    for name in "abcde":
        trashed(api, name, clock)
    pages = [names(in_trash(api, limit=2, page=page)) for page in range(4)]
    assert pages == [["e", "d"], ["c", "b"], ["a"], []]
    assert names(in_trash(api, limit=2, page=1, sort="+objectName")) == ["c", "d"]


def test_bad_limits_pages_and_sorts_are_refused(api: Api) -> None:
    for query in ["limit=0", "limit=5001", "limit=x", "page=-1", "page=x", "sort=objectName", "sort=-trashed", "sort="]:
        assert error_of(api.get(f"/nms/trash?{query}")) == (400, "SKY1000"), query


def test_the_trash_lists_a_folder_and_not_what_is_below_it(api: Api) -> None:
    folder = api.folder("folder")
    api.file("below", parent_key=folder.object_key)
    api.trash(folder.object_key)
    assert names(in_trash(api)) == ["folder"]


def test_what_was_trashed_separately_stays_listed_when_its_folder_is_trashed_too(api: Api) -> None:
    folder = api.folder("folder")
    api.trash(api.file("below", parent_key=folder.object_key).object_key)
    api.trash(folder.object_key)
    assert sorted(names(in_trash(api))) == ["below", "folder"]


def test_an_account_never_sees_anothers_trash(api: Api, other_api: Api) -> None:
    other_api.trash(other_api.file("secret").object_key)
    assert in_trash(api) == []


def test_restore_gives_the_object_back_and_shows_it_in_full(api: Api) -> None:
    file = api.file("a.txt", b"12345")
    api.trash(file.object_key)
    answer = restore(api, file.object_key)
    assert answer == {
        "objects": [echo_of(api, file.object_key)],
        "unprocessed": [],
        "usedSpace": 5,
        "isUploadAllowed": True,
    }
    assert in_trash(api) == []


def test_a_restored_folder_has_all_that_was_below_it(api: Api) -> None:
    folder = api.folder("folder")
    below = api.folder("below", folder.object_key)
    api.file("a.txt", parent_key=below.object_key)
    api.trash(folder.object_key)
    restore(api, folder.object_key)
    assert names(listed(api, below.object_key)) == ["a.txt"]


def test_what_has_no_parent_to_go_back_to_goes_to_the_root(api: Api) -> None:
    folder = api.folder("folder")
    file = api.file("a.txt", parent_key=folder.object_key)
    api.trash(file.object_key)
    api.trash(folder.object_key)
    (back,) = restore(api, file.object_key)["objects"]
    assert back["parentObjectKey"] == api.root_key


def test_a_taken_name_gets_a_number(api: Api) -> None:
    for _ in range(3):
        api.trash(api.file("a.txt").object_key)
    keys = [one["objectKey"] for one in in_trash(api)]
    api.file("a.txt")
    answer = restore(api, *keys)
    assert names(answer["objects"]) == ["a (1).txt", "a (2).txt", "a (3).txt"]
    assert sorted(names(listed(api))) == ["a (1).txt", "a (2).txt", "a (3).txt", "a.txt"]


def test_a_restored_object_can_be_trashed_again(api: Api) -> None:
    file = api.file("a.txt")
    for _ in range(2):
        batch(api, entry("TRASH", echo_of(api, file.object_key), status="T"))
        assert names(in_trash(api)) == ["a.txt"]
        restore(api, file.object_key)
        assert names(listed(api)) == ["a.txt"]


def test_keys_that_cannot_be_restored_are_unprocessed_and_the_others_come_back(api: Api, other_api: Api) -> None:
    file, foreign = api.file("a.txt"), other_api.file("theirs")
    api.trash(file.object_key)
    other_api.trash(foreign.object_key)
    answer = restore(api, UNKNOWN, "not a key", file.object_key, foreign.object_key)
    assert names(answer["objects"]) == ["a.txt"]
    assert refusals(answer) == [(UNKNOWN, "SKY3000"), ("not a key", "SKY3000"), (foreign.object_key, "SKY3000")]
    assert answer["unprocessed"][0] == {
        "object": {
            "objectKey": UNKNOWN,
            "errorCode": "SKY3000",
            "errorMessage": "No such file or folder",
        }
    }
    assert names(in_trash(other_api)) == ["theirs"]


def test_restoring_what_is_not_in_the_trash_succeeds(api: Api) -> None:
    file = api.file("a.txt")
    assert restore(api, file.object_key)["objects"] == listed(api)


def test_a_key_in_lower_case_restores_too(api: Api) -> None:
    file = api.file("a.txt")
    api.trash(file.object_key)
    answer = restore(api, file.object_key.lower(), UNKNOWN.lower())
    assert answer["objects"][0]["objectKey"] == file.object_key
    assert refusals(answer) == [(UNKNOWN, "SKY3000")]


def test_restore_takes_one_to_two_thousand_keys(api: Api) -> None:
    for body in [*NOT_KEY_LISTS, {"objectKeys": []}, {"objectKeys": [UNKNOWN] * 2001}]:
        assert error_of(api.put("/nms/metadata/restore", content=json.dumps(body))) == (400, "SKY1000"), body
    assert error_of(api.put("/nms/metadata/restore", content=b"{")) == (400, "SKY1001")
    keys = make_folders(api, 2000)
    api.trash(*keys)
    assert len(restore(api, *keys)["objects"]) == 2000


def test_the_legacy_delete_answers_every_key_as_unprocessed_and_touches_nothing(api: Api) -> None:
    file, folder = api.file("a.txt"), api.folder("b")
    keys = [file.object_key, folder.object_key, UNKNOWN, "nonsense"]
    answer = answer_of(api.put("/nms/metadata/delete", json={"objectKeys": keys}), "legacy_delete")
    assert answer == {"objects": [], "unprocessed": [{"object": {"objectKey": key}} for key in keys]}
    assert names(listed(api)) == ["a.txt", "b"]
    assert in_trash(api) == []


def test_the_legacy_delete_takes_keys_and_nothing_else(api: Api) -> None:
    for body in NOT_KEY_LISTS:
        assert error_of(api.put("/nms/metadata/delete", content=json.dumps(body))) == (400, "SKY1000"), body
