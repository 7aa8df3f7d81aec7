"""Uploads that land on a board."""

from tests.server.api import Api, error_of
from tests.server.board_access import sees
from tests.server.good_calls import PIXEL
from tests.server.on_boards import (
    NO_BOARD,
    UNKNOWN,
    create,
    join,
    leave,
    names,
    take_off,
)
from tests.server.uploading import begun, initiate, send, upload


def test_an_upload_lands_in_the_members_own_drive_and_on_the_board(api: Api, other_api: Api) -> None:
    board = create(api, "Sea / sun: 2026?")
    join(api, board, other_api)
    first = upload(other_api, "a.png", PIXEL, boardKey=board, folderKey=None)
    assert first.status_code == 201, first.text
    second = upload(other_api, "b.png", PIXEL + b"2", boardKey=board, folderKey=None, file_first=True).json()
    assert first.json()["parentObjectKey"] == second["parentObjectKey"]
    assert names(api, board) == ["a.png", "b.png"]
    root = other_api.get(f"/nms/metadata?folderKey={other_api.root_key}").json()["objects"]
    assert [one["objectName"] for one in root] == ["Boards"]
    inside = other_api.get(f"/nms/metadata?folderKey={root[0]['objectKey']}").json()["objects"]
    assert [one["objectName"] for one in inside] == ["Sea _ sun_ 2026_"]
    beside = upload(other_api, "c.png", PIXEL + b"3", boardKey=board).json()
    assert beside["parentObjectKey"] == other_api.root_key, "a folder that is named is where it lands"
    assert names(api, board) == ["a.png", "b.png", "c.png"]
    assert all(sees(api, board, first.json()["objectKey"]).values())


def test_a_chunked_upload_lands_on_the_board_with_its_last_byte(api: Api, other_api: Api) -> None:
    board = create(api)
    join(api, board, other_api)
    transaction = begun(other_api, "film.mp4", b"0123456789", boardKey=board, folderKey=None)
    send(other_api, transaction, 0, b"01234")
    assert names(api, board) == []
    done = send(other_api, transaction, 5, b"56789")
    assert (done.status_code, names(api, board)) == (201, ["film.mp4"])
    again = initiate(other_api, "other name.mp4", b"0123456789", boardKey=board, folderKey=None)
    assert again.json()["objectName"] == "other name.mp4", "known content needs no bytes, and lands all the same"
    assert names(api, board) == ["film.mp4", "other name.mp4"]
    take_off(other_api, board, done.json()["objectKey"])
    initiate(other_api, "film.mp4", b"0123456789", boardKey=board, folderKey=None)
    assert names(api, board) == ["film.mp4", "other name.mp4"]


def test_an_upload_for_a_board_that_was_left_since_shows_nothing_there(api: Api, other_api: Api) -> None:
    board = create(api)
    join(api, board, other_api)
    transaction = begun(other_api, "film.mp4", b"0123456789", boardKey=board)
    leave(other_api, board)
    assert error_of(send(other_api, transaction, 0, b"0123456789")) == NO_BOARD
    assert names(api, board) == []
    finished = initiate(other_api, "film.mp4", b"0123456789")
    assert finished.json()["objectName"] == "film.mp4", "the bytes that came are not lost"
    assert names(api, board) == []


def test_an_upload_needs_a_folder_or_a_board(api: Api, other_api: Api) -> None:
    assert error_of(upload(api, "a.txt", b"1", folderKey=None)) == (400, "SKY1000")
    assert error_of(upload(api, "a.txt", b"1", boardKey="x")) == (400, "SKY1003")
    theirs = create(other_api)
    for board in (theirs, UNKNOWN):
        for folder in (None, api.root_key):
            assert error_of(upload(api, "a.txt", b"1", folderKey=folder, boardKey=board)) == NO_BOARD
            assert error_of(initiate(api, "a.txt", b"1", folderKey=folder, boardKey=board)) == NO_BOARD
    api.file("Boards")
    board = create(api)
    assert error_of(upload(api, "a.txt", b"1", folderKey=None, boardKey=board)) == (409, "SKY3010")
