"""Searching over HTTP: what the query can say, and pages by cursor."""

import pytest
from tests.server.api import Api, HeldClock, error_of

NOW = 1_777_800_000_000


def names(api: Api, **params: object) -> list[str]:
    """The names of all pages, in order."""
    found: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        answer = api.get("/x/v1/search", params={**{name: str(value) for name, value in params.items()}, **cursor})
        assert answer.status_code == 200, answer.text
        page = answer.json()
        found += [one["objectName"] for one in page["objects"]]
        if "nextCursor" not in page:
            return found
        cursor = {"cursor": page["nextCursor"]}


def test_a_search_finds_by_words_without_accents_and_case_best_match_first(api: Api) -> None:
    for name in ("a cafe.txt", "CAFÉ", "café müller.pdf", "decafé.txt", "tea.txt"):
        api.file(name)
    assert names(api, query="Cafe") == ["CAFÉ", "café müller.pdf", "a cafe.txt", "decafé.txt"]
    assert names(api, query="muller café") == ["café müller.pdf"]
    assert names(api, query="fé", limit=1) == names(api, query="FE")


def test_objects_come_as_in_listings(api: Api) -> None:
    file = api.file("a picture.png")
    listed = api.get("/nms/metadata", params={"folderKey": api.root_key}).json()["objects"]
    found = api.get("/x/v1/search", params={"query": "picture"}).json()["objects"]
    assert found == listed
    assert found[0]["objectKey"] == file.object_key
    assert found[0]["url"].startswith("http://testserver/download/")


def test_the_folders_above_what_was_found_come_with_it(api: Api) -> None:
    folder = api.folder("a folder")
    deeper = api.folder("deeper", folder.object_key)
    for number in range(3):
        api.file(f"found {number}.txt", parent_key=deeper.object_key)
    api.folder("another")
    folders = api.get("/x/v1/search", params={"query": "found"}).json()["folders"]
    ways = {one["objectKey"]: (one.get("parentObjectKey"), one["objectName"]) for one in folders}
    assert ways.pop(api.root_key)[0] is None
    assert ways == {folder.object_key: (api.root_key, "a folder"), deeper.object_key: (folder.object_key, "deeper")}


def test_all_conditions_of_the_query_hold_together(api: Api) -> None:
    folder = api.folder("trip")
    api.file("trip.JPG", b"1234", folder.object_key, last_modified_at=5, file_created_at=6, taken_at=7, taken_day=101)
    api.file("trip.mp4", b"123456", folder.object_key)
    api.file("trip.txt", b"1")
    assert names(api, query="trip", extension=".jpg") == ["trip.JPG"]
    assert names(api, kind="folder") == ["trip"]
    assert names(api, kind="video") == ["trip.mp4"]
    assert names(api, sizeFrom=4, sizeTo=5) == ["trip.JPG"]
    assert names(api, modifiedTo=5) == ["trip.JPG"]
    assert names(api, createdFrom=6, createdTo=6) == ["trip.JPG"]
    assert names(api, takenFrom=0) == ["trip.JPG"]
    assert sorted(names(api, folderKey=folder.object_key)) == ["trip.JPG", "trip.mp4"]
    assert names(api, isFavorite="true") == []
    assert len(names(api, isFavorite="false")) == 4
    assert names(api, tag="nothing has it") == []


def test_what_is_in_the_trash_or_below_it_is_not_found(api: Api) -> None:
    folder = api.folder("old things")
    api.file("thing.txt", parent_key=folder.object_key)
    alone = api.file("another thing.txt")
    api.trash(folder.object_key, alone.object_key)
    assert names(api, query="thing") == []


def test_an_account_never_finds_another_accounts_objects(api: Api, other_api: Api) -> None:
    api.file("secret.txt")
    assert names(other_api, query="secret") == []
    assert names(other_api) == []


def test_a_folder_that_is_none_or_not_there_is_refused(api: Api, other_api: Api) -> None:
    def asked(key: str) -> tuple[int, str]:
        return error_of(api.get("/x/v1/search", params={"folderKey": key}))

    assert asked(api.file("a.txt").object_key) == (400, "SKY3020")
    assert asked(other_api.root_key) == (404, "SKY3000")
    trashed = api.folder("gone")
    api.trash(trashed.object_key)
    assert asked(trashed.object_key) == (404, "SKY3000")


@pytest.mark.parametrize("cursor", ["x", "é", "AAAA", "A" * 20, "_" * 20, "9" * 4096])
def test_what_is_no_cursor_is_refused(api: Api, cursor: str) -> None:
    assert error_of(api.get("/x/v1/search", params={"cursor": cursor})) == (400, "SKY1010")


def test_a_cursor_belongs_to_its_search(api: Api, other_api: Api) -> None:
    for number in range(3):
        api.file(f"note {number}")
    first = api.get("/x/v1/search", params={"query": "note", "limit": "1"}).json()
    other_words = {"query": "notes", "cursor": first["nextCursor"]}
    assert error_of(api.get("/x/v1/search", params=other_words)) == (400, "SKY1010")
    same = {"query": "note", "cursor": first["nextCursor"]}
    assert len(api.get("/x/v1/search", params={**same, "limit": "5"}).json()["objects"]) == 2
    # Of another account it tells nothing, and finds nothing.
    assert other_api.get("/x/v1/search", params=same).json() == {"objects": [], "folders": []}


def test_pages_do_not_shift_when_something_new_comes_in(api: Api, clock: HeldClock) -> None:
    for number in range(4):
        api.file(f"note {number}")
    first = api.get("/x/v1/search", params={"query": "note", "limit": "2"}).json()
    clock.advance(seconds=1)
    api.file("note 4")
    api.file("note 3", b"its second version")
    second = api.get("/x/v1/search", params={"query": "note", "cursor": first["nextCursor"]}).json()
    assert [one["objectName"] for one in first["objects"]] == ["note 3", "note 2"]
    assert [one["objectName"] for one in second["objects"]] == ["note 1", "note 0"]
