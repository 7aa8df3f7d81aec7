"""Folders: creating them."""

import json
from typing import Any

import httpx2
from tests.server.answers import answer_of
from tests.server.api import Api, error_of
from tests.server.echoes import echo_of, listed, names

from skyshelf.wire.keys import make_key

UNKNOWN = make_key(1, bytes(10))


def create(api: Api, name: object, parent_key: object = None, **more: object) -> httpx2.Response:
    body = {"objectName": name, "parentObjectKey": parent_key or api.root_key, "sourceName": "DRIVE", **more}
    return api.post("/nms/folders", json=body)


def test_a_new_folder_is_answered_201_with_the_full_object(api: Api) -> None:
    response = create(api, "Photos")
    assert response.status_code == 201
    folder = answer_of(response, "create_folder")
    assert folder == echo_of(api, folder["objectKey"])
    assert (folder["objectName"], folder["objectType"], folder["parentObjectKey"]) == ("Photos", "FR", api.root_key)


def test_a_folder_in_a_folder(api: Api) -> None:
    outer = answer_of(create(api, "outer"), "create_folder")["objectKey"]
    inner = answer_of(create(api, "inner", outer.lower()), "create_folder")
    assert inner["parentObjectKey"] == outer
    assert names(listed(api, outer)) == ["inner"]


def test_a_taken_name_is_a_conflict_whether_a_file_or_a_folder_has_it(api: Api) -> None:
    api.folder("a")
    api.file("b")
    assert error_of(create(api, "a")) == (409, "SKY3010")
    assert error_of(create(api, "b")) == (409, "SKY3010")


def test_the_name_of_a_trashed_folder_is_free(api: Api) -> None:
    api.trash(api.folder("a").object_key)
    assert create(api, "a").status_code == 201


def test_names_are_normalised_before_they_are_compared(api: Api) -> None:
    assert answer_of(create(api, "A\u030a"), "create_folder")["objectName"] == "\u00c5"
    assert error_of(create(api, "\u00c5")) == (409, "SKY3010")


def test_a_name_that_no_folder_can_have_is_refused(api: Api) -> None:
    for name in ["", ".", "..", "a/b", "\x00", "a\tb", "\x7f", "a" * 256, "é" * 128]:
        assert error_of(create(api, name)) == (400, "SKY1002"), name
    assert listed(api) == []


def test_every_other_name_is_kept(api: Api) -> None:
    good = ["a" * 255, "é" * 127, "...", " ", "日本語", "\u202ex", "a\\b", "🗂️", "con", "%2f", "<b>&amp;"]
    for name in good:
        assert answer_of(create(api, name), "create_folder")["objectName"] == name
    assert sorted(names(listed(api))) == sorted(good)


def test_an_unknown_a_trashed_and_a_foreign_parent_are_all_not_found(api: Api, other_api: Api) -> None:
    trashed = api.folder("trashed")
    below = api.folder("below", trashed.object_key)
    api.trash(trashed.object_key)
    answers = [create(api, "a", key) for key in (UNKNOWN, trashed.object_key, below.object_key, other_api.root_key)]
    assert [error_of(answer) for answer in answers] == [(404, "SKY3000")] * 4
    assert len({answer.text for answer in answers}) == 1
    assert listed(other_api) == []


def test_a_parent_that_is_a_file_or_no_key_is_refused(api: Api) -> None:
    assert error_of(create(api, "a", api.file("b").object_key)) == (400, "SKY3020")
    assert error_of(create(api, "a", "not a key")) == (400, "SKY1003")


def test_bodies_that_are_not_a_folder_are_refused(api: Api) -> None:
    proper: dict[str, Any] = {"objectName": "a", "parentObjectKey": api.root_key, "sourceName": "DRIVE"}
    bodies: list[Any] = [None, [], "a", {}, proper | {"objectName": 7}, proper | {"objectName": None}]
    bodies += [proper | {"parentObjectKey": None}, proper | {"parentObjectKey": []}, proper | {"sourceName": None}]
    bodies += [proper | {"sourceName": ""}, proper | {"sourceName": "x" * 65}, proper | {"sourceName": "a\x00b"}]
    bodies += [{name: value for name, value in proper.items() if name != left_out} for left_out in list(proper)[:2]]
    for body in bodies:
        assert error_of(api.post("/nms/folders", content=json.dumps(body))) == (400, "SKY1000"), body
    for raw in [b"", b"{", b'{"objectName": "\xff"}', b'{"o":' * 12_000]:
        assert error_of(api.post("/nms/folders", content=raw)) == (400, "SKY1001"), raw[:40]
    assert listed(api) == []


def test_the_source_is_kept_and_is_the_drive_by_default(api: Api) -> None:
    body = {"objectName": "a", "parentObjectKey": api.root_key}
    assert answer_of(api.post("/nms/folders", json=body), "create_folder")["sourceName"] == "DRIVE"
    assert answer_of(create(api, "b", sourceName="UPA"), "create_folder")["sourceName"] == "UPA"
