"""Listings: what is in a folder, in which order, page by page."""

from typing import Any

import pytest
from tests.server.answers import answer_of
from tests.server.api import ORIGIN, Api, error_of, logged_in, new_account
from tests.server.echoes import listed, make_folders, names

from skyshelf.service.context import ServiceContext
from skyshelf.wire.keys import make_key

DEFAULT_VIEW = "/nms/metadata/defaultview/myfiles/v1"
LEGACY = "/nms/metadata"
VIEWS = [(DEFAULT_VIEW, "default_view"), (LEGACY, "listing")]
UNKNOWN = make_key(1, bytes(10))

both_views = pytest.mark.parametrize(("path", "endpoint"), VIEWS)


@both_views
def test_a_listing_shows_the_space_and_the_objects(api: Api, path: str, endpoint: str) -> None:
    api.file("a.txt", b"12345")
    answer = answer_of(api.get(path, params={"folderKey": api.root_key}), endpoint)
    assert answer.keys() == {"allocatedSpace", "usedSpace", "isUploadAllowed", "objects"}
    assert (answer["allocatedSpace"], answer["usedSpace"], answer["isUploadAllowed"]) == (100 << 30, 5, True)
    assert names(answer["objects"]) == ["a.txt"]


@both_views
def test_an_empty_folder_has_an_empty_list(api: Api, path: str, endpoint: str) -> None:
    assert answer_of(api.get(path, params={"folderKey": api.root_key}), endpoint)["objects"] == []


def test_a_file_is_shown_with_every_field_of_the_interface(api: Api) -> None:
    stored = api.file("Straße 😀.jpg", b"12345", file_created_at=10, last_modified_at=20, source_folder="/DCIM")
    (shown,) = listed(api)
    assert shown == {
        "objectKey": stored.object_key,
        "parentObjectKey": api.root_key,
        "parentObjectType": "FR",
        "objectName": "Straße 😀.jpg",
        "displayName": "Straße 😀.jpg",
        "objectType": "FE",
        "sizeInBytes": 5,
        "mimeType": "image",
        "mimeSubType": "jpeg",
        "sourceFolder": "/DCIM",
        "hash": "827ccb0eea8a706c4c34a16891f84e7b",
        "fileCreatedDate": 10,
        "lastModifiedDate": 20,
        "createdDate": api.ctx.clock.now(),
        "lastUpdatedDate": api.ctx.clock.now(),
        "status": "A",
        "isHidden": False,
        "isLocked": False,
        "isReadonly": False,
        "isFavorite": False,
        "url": f"{ORIGIN}/download/files/{stored.object_key}",
        "imageTranscodeUrl": f"{ORIGIN}/download/avimages/{stored.object_key}",
        "version": 1,
        "latestVersion": 1,
        "sourceName": "DRIVE",
    }


def test_a_folder_has_size_zero_and_no_hash(api: Api) -> None:
    api.folder("Photos")
    (shown,) = listed(api)
    assert (shown["objectType"], shown["sizeInBytes"]) == ("FR", 0)
    assert "hash" not in shown


def test_urls_are_built_on_the_origin_of_the_request(api: Api) -> None:
    api.file("a.txt")
    answer = api.get(LEGACY, params={"folderKey": api.root_key}, headers={"host": "drive.example.org:8600"})
    assert answer.json()["objects"][0]["url"].startswith("http://drive.example.org:8600/download/files/")


@pytest.mark.parametrize(("kind", "expected"), [("f", ["b.txt"]), ("w", ["a"]), (None, ["a", "b.txt"])])
@both_views
def test_type_chooses_files_or_folders_and_no_type_lists_both(
    api: Api, path: str, endpoint: str, kind: str | None, expected: list[str]
) -> None:
    api.folder("a")
    api.file("b.txt")
    params = {"folderKey": api.root_key} | ({"type": kind} if kind else {})
    assert names(answer_of(api.get(path, params=params), endpoint)["objects"]) == expected


@both_views
def test_any_other_type_is_refused_with_its_code(api: Api, path: str, endpoint: str) -> None:
    for kind in ["x", "", "fw", "f ", "null"]:
        answer = api.get(path, params={"folderKey": api.root_key, "type": kind})
        assert error_of(answer) == (400, "NMSOM0129"), kind
        assert answer.json()["message"] == "provide valid value for folder(W) or file(F) search"


@both_views
def test_a_missing_folder_key_is_refused(api: Api, path: str, endpoint: str) -> None:
    assert error_of(api.get(path)) == (400, "SKY1000")


def test_a_folder_key_that_is_not_a_key_is_refused(api: Api) -> None:
    for key in ["", "root", "0" * 31, "0" * 33, "é" * 32, "../" * 10]:
        assert error_of(api.get(LEGACY, params={"folderKey": key})) == (400, "SKY1003"), key


@both_views
def test_an_unknown_a_trashed_and_a_foreign_folder_are_all_not_found(
    api: Api, other_api: Api, path: str, endpoint: str
) -> None:
    trashed = api.folder("trashed")
    below = api.folder("below", trashed.object_key)
    api.trash(trashed.object_key)
    keys = [UNKNOWN, trashed.object_key, below.object_key, other_api.root_key, other_api.folder("x").object_key]
    answers = [api.get(path, params={"folderKey": key}) for key in keys]
    assert [error_of(answer) for answer in answers] == [(404, "SKY3000")] * 5
    assert len({answer.text for answer in answers}) == 1


@both_views
def test_the_key_of_a_file_is_refused(api: Api, path: str, endpoint: str) -> None:
    file = api.file("a.txt")
    assert error_of(api.get(path, params={"folderKey": file.object_key})) == (400, "SKY3020")


def test_the_key_of_somebody_elses_file_is_not_found(api: Api, other_api: Api) -> None:
    file = other_api.file("a.txt")
    assert error_of(api.get(LEGACY, params={"folderKey": file.object_key})) == (404, "SKY3000")


def test_a_key_is_accepted_in_lower_case(api: Api) -> None:
    folder = api.folder("a")
    api.file("b.txt", parent_key=folder.object_key)
    assert names(listed(api, folder.object_key.lower())) == ["b.txt"]


@both_views
def test_a_limit_out_of_bounds_is_refused_and_never_clamped(api: Api, path: str, endpoint: str) -> None:
    for limit in ["0", "5001", "-1", "1.5", "", "ten", "1e3", " 5", "٣", "9" * 30]:
        answer = api.get(path, params={"folderKey": api.root_key, "limit": limit})
        assert error_of(answer) == (400, "SKY1000"), limit


@both_views
def test_limits_from_one_to_five_thousand_are_taken(api: Api, path: str, endpoint: str) -> None:
    api.file("a.txt")
    api.file("b.txt")
    for limit in [1, 2000, 5000]:
        answer = answer_of(api.get(path, params={"folderKey": api.root_key, "limit": limit}), endpoint)
        assert len(answer["objects"]) == min(limit, 2)


def test_a_page_has_200_objects_unless_the_request_says_otherwise(api: Api) -> None:
    make_folders(api, 201)
    assert len(listed(api)) == 200
    assert names(listed(api, page=1)) == ["0200"]


def test_a_bad_page_is_refused(api: Api) -> None:
    for page in ["-1", "x", "", "1.0", "1000000001"]:
        answer = api.get(LEGACY, params={"folderKey": api.root_key, "page": page})
        assert error_of(answer) == (400, "SKY1000"), page


def test_the_default_view_has_no_pages(api: Api) -> None:
    api.file("a.txt")
    answer = api.get(DEFAULT_VIEW, params={"folderKey": api.root_key, "page": 3, "limit": 1})
    assert names(answer_of(answer, "default_view")["objects"]) == ["a.txt"]


def _sample(api: Api) -> None:
    """Four files whose four orders all differ."""
    for name, size, created, modified in [("b", 30, 2, 400), ("A", 10, 4, 100), ("c", 20, 1, 300), ("Ä", 40, 3, 200)]:
        api.file(name, b"x" * size, file_created_at=created, last_modified_at=modified)


SORTS = {
    "objectName": ["A", "b", "c", "Ä"],
    "sizeInBytes": ["A", "c", "b", "Ä"],
    "fileCreatedDate": ["c", "b", "Ä", "A"],
    "lastModifiedDate": ["A", "Ä", "c", "b"],
}


@both_views
def test_each_field_sorts_in_both_directions(api: Api, path: str, endpoint: str) -> None:
    _sample(api)
    for field, expected in SORTS.items():
        for sort, order in [(f"+{field}", expected), (f"-{field}", expected[::-1])]:
            answer = api.get(path, params={"folderKey": api.root_key, "sort": sort})
            assert names(answer_of(answer, endpoint)["objects"]) == order, sort


def test_a_raw_plus_arrives_as_a_blank_and_means_ascending(api: Api) -> None:
    _sample(api)
    for raw in ("+sizeInBytes", "%20sizeInBytes", "%2BsizeInBytes"):
        answer = api.get(f"{LEGACY}?folderKey={api.root_key}&sort={raw}")
        assert names(answer_of(answer, "listing")["objects"]) == SORTS["sizeInBytes"]


def test_names_order_without_regard_to_case_by_default(api: Api) -> None:
    for name in ("b", "C", "a", "D"):
        api.file(name)
    assert names(listed(api)) == ["a", "b", "C", "D"]


@both_views
def test_an_unknown_sort_is_refused(api: Api, path: str, endpoint: str) -> None:
    for sort in ["objectName", "+name", "", "+", "+objectName,-sizeInBytes", "*", "+smd"]:
        answer = api.get(path, params={"folderKey": api.root_key, "sort": sort})
        assert error_of(answer) == (400, "SKY1000"), sort


def test_folders_and_files_share_one_order(api: Api) -> None:
    api.file("a")
    api.folder("b")
    api.file("c")
    assert names(listed(api)) == ["a", "b", "c"]
    assert names(listed(api, sort="-objectName")) == ["c", "b", "a"]


@pytest.mark.parametrize("kind", ["f", "w", None])
def test_pages_never_overlap_and_together_are_everything(api: Api, kind: str | None) -> None:
    for number in range(7):
        api.folder(f"folder {number}")
        api.file(f"file {number}", last_modified_at=5, file_created_at=5)
    for sort in ["+objectName", "-lastModifiedDate", "+sizeInBytes", "-fileCreatedDate"]:
        params: dict[str, Any] = {"sort": sort} | ({"type": kind} if kind else {})
        whole = listed(api, limit=100, **params)
        assert len(whole) == (14 if kind is None else 7)
        pages = [listed(api, limit=3, page=page, **params) for page in range(6)]
        assert [one for page in pages for one in page] == whole, sort


def test_trashed_objects_do_not_appear(api: Api) -> None:
    kept, gone = api.file("kept"), api.file("gone")
    api.trash(gone.object_key)
    assert [one["objectKey"] for one in listed(api)] == [kept.object_key]


def test_uploads_are_allowed_while_there_is_space(api: Api, ctx: ServiceContext) -> None:
    small = logged_in(api.client, ctx, new_account(ctx, "small@example.org", quota=10))
    for size, allowed in [(9, True), (1, False)]:
        small.file(f"{size}", b"x" * size)
        answer = answer_of(small.get(LEGACY, params={"folderKey": small.root_key}), "listing")
        assert answer["isUploadAllowed"] is allowed
    assert (answer["allocatedSpace"], answer["usedSpace"]) == (10, 10)


def test_hostile_names_do_not_forge_urls_or_break_the_page(api: Api) -> None:
    hostile = [
        '"},{"objectKey":"',
        '\\u0001"url":',
        "</script>",
        "\u202egpj.exe",
        "\\",
        "'; DROP TABLE objects; --",
        "%00",
    ]
    for name in hostile:
        api.file(name)
    shown = listed(api)
    assert sorted(names(shown)) == sorted(hostile)
    assert all(one["url"] == f"{ORIGIN}/download/files/{one['objectKey']}" for one in shown)


def test_two_thousand_objects_fit_into_one_page(api: Api) -> None:
    folder = api.folder("many")
    make_folders(api, 2000, folder.object_key)
    assert names(listed(api, folder.object_key, limit=2000)) == [f"{number:04d}" for number in range(2000)]


def test_one_account_never_sees_what_another_has(api: Api, other_api: Api) -> None:
    other_api.file("secret.txt")
    assert listed(api) == []
