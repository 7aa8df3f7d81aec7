"""Boards themselves and what is put on them."""

from tests.server.answers import answer_of
from tests.server.api import Api, error_of
from tests.server.good_calls import PIXEL
from tests.server.on_boards import (
    NO_BOARD,
    UNKNOWN,
    add,
    call,
    create,
    join,
    names,
    take_off,
)


def test_files_are_added_and_what_is_no_file_of_ones_own_is_reported(api: Api, other_api: Api) -> None:
    board = create(api)
    file, folder = api.file("a.jpg").object_key, api.folder("Folder").object_key
    trashed, theirs = api.file("t.jpg").object_key, other_api.file("theirs.jpg").object_key
    api.trash(trashed)
    answer = add(api, board, file, folder, trashed, theirs, UNKNOWN, "nonsense")
    assert [one["objectKey"] for one in answer["objects"]] == [file]
    assert [(one["object"]["objectKey"], one["object"]["errorCode"]) for one in answer["unprocessed"]] == [
        (folder, "SKY3021"),
        (trashed, "SKY3000"),
        (theirs, "SKY3000"),
        (UNKNOWN, "SKY3000"),
        ("nonsense", "SKY3000"),
    ]
    assert names(api, board) == ["a.jpg"], "a folder is refused, and nothing below it is added in silence"
    assert add(api, board, file.lower(), file)["unprocessed"] == [], "to add twice is to add once"
    assert names(api, board) == ["a.jpg"]


def test_files_are_taken_off_by_who_added_them_or_by_the_owner(api: Api, other_api: Api, carol: Api) -> None:
    board = create(api)
    for guest in (other_api, carol):
        join(api, board, guest)
    own = {one.account.first_name: one.file(f"{one.account.first_name}.jpg").object_key for one in (other_api, carol)}
    add(other_api, board, own["Grace"])
    add(carol, board, own["Carol"])
    refused = take_off(other_api, board, own["Carol"], UNKNOWN)
    assert (refused["objectKeys"], len(refused["unprocessed"])) == ([], 2)
    assert take_off(other_api, board, own["Grace"]) == {"objectKeys": [own["Grace"]], "unprocessed": []}
    assert names(api, board) == ["Carol.jpg"]
    assert take_off(api, board, own["Carol"])["objectKeys"] == [own["Carol"]]
    assert names(api, board) == []
    assert carol.get(f"/download/files/{own['Carol']}").status_code == 200, "it stays with its owner"


def test_a_board_is_edited_and_deleted_by_its_owner(api: Api, other_api: Api) -> None:
    board = create(api)
    join(api, board, other_api)
    file = other_api.file("a.jpg").object_key
    add(other_api, board, file)
    edited = answer_of(call(api, "PUT", board, "", {"boardName": "Sea"}), "edit_board")
    assert (edited["boardName"], edited["boardDescription"]) == ("Sea", "")
    edited = answer_of(call(api, "PUT", board, "", {"boardDescription": "2026", "boardName": None}), "edit_board")
    assert (edited["boardName"], edited["boardDescription"]) == ("Sea", "2026")
    for body in ({}, {"boardName": ""}, {"boardName": "x" * 256}, {"boardDescription": "\x00"}, {"boardName": 7}):
        assert error_of(call(api, "PUT", board, "", body)) == (400, "SKY1000"), body
    assert call(api, "DELETE", board).status_code == 204
    for one in (api, other_api):
        assert error_of(one.get(f"/boards/{board}")) == NO_BOARD
    assert error_of(api.get(f"/download/files/{file}")) == (404, "SKY3000")
    assert other_api.get(f"/download/files/{file}").status_code == 200


def test_a_cover_stands_for_the_board_while_the_board_shows_it(api: Api, other_api: Api) -> None:
    board = create(api)
    join(api, board, other_api)
    file, beside = other_api.file("a.png", PIXEL).object_key, api.file("b.png").object_key
    add(other_api, board, file)
    assert error_of(call(api, "PUT", board, "/cover", {"objectKey": beside})) == (404, "SKY3000")
    assert error_of(call(api, "PUT", board, "/cover", {"objectKey": "x"})) == (400, "SKY1003")
    answer = answer_of(call(api, "PUT", board, "/cover", {"objectKey": file}), "set_board_cover")
    assert answer["coverObjectKey"] == file
    assert api.get("/boards/sync/initial").json()["boards"][0]["coverObjectKey"] == file
    take_off(other_api, board, file)
    assert "coverObjectKey" not in api.get(f"/boards/{board}").json()["board"]
    add(other_api, board, file)
    assert "coverObjectKey" not in call(api, "PUT", board, "/cover", {"objectKey": None}).json()
