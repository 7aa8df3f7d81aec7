"""What others see of a file that is on a board: at no moment more than they should."""

import pytest
from tests.server.api import Api, error_of
from tests.server.board_access import on_board, reaches_what_is_the_owners, sees
from tests.server.good_calls import PIXEL
from tests.server.on_boards import (
    accept,
    add,
    call,
    comment,
    comments,
    create,
    invite,
    join,
    leave,
    shown,
    take_off,
)


def test_others_see_of_a_file_what_the_board_shows_and_nothing_else(api: Api, other_api: Api) -> None:
    board, place = create(api), api.folder("secret place").object_key
    file = api.file("a.png", PIXEL, place, source_folder="/home/ada", app_code="dgl").object_key
    add(api, board, file)
    join(api, board, other_api)
    (seen,) = shown(other_api, board)
    assert seen.keys() == {
        "objectKey", "objectName", "displayName", "objectType", "sizeInBytes", "mimeType", "mimeSubType", "hash",
        "fileCreatedDate", "lastModifiedDate", "status", "url", "imageTranscodeUrl",
    }  # fmt: skip
    (own,) = shown(api, board)
    assert own["parentObjectKey"] == place
    assert {name: own[name] for name in seen} == seen
    assert place not in other_api.get(f"/boards/{board}").text


@pytest.mark.whole
def test_at_no_moment_anybody_sees_what_they_should_not(api: Api, other_api: Api, carol: Api) -> None:
    """Three accounts, a comment, a removed file, a trashed and a purged one, and a member who left: every door, at
    every step."""
    ada, grace = api, other_api
    board = create(ada)
    place = ada.folder("Ada's own").object_key
    files = {name: ada.file(f"{name}.png", PIXEL + name.encode(), place).object_key for name in ("one", "two", "three")}
    theirs = grace.file("grace.png", PIXEL + b"grace").object_key

    def check(**may: set[str]) -> None:
        """By the first name of who looks: the files that they see on the board."""
        everything = files | {"grace": theirs}
        owners = {**dict.fromkeys(files, ada), "grace": grace}
        places = {**dict.fromkeys(files, place), "grace": grace.root_key}
        for one in (ada, grace, carol):
            expected = may.get(one.account.first_name)
            assert set(on_board(one, board).values()) == {expected is not None}
            for name, key in everything.items():
                calls = sees(one, board, key)
                if owners[name] is one:
                    assert calls["listing"] == (name in (expected or ())), name
                    continue
                assert set(calls.values()) == {name in (expected or ())}, (one.account.first_name, name, calls)
                assert reaches_what_is_the_owners(one, key, places[name]) == []

    check(Ada=set())
    add(ada, board, *files.values())
    check(Ada={"one", "two", "three"})
    invite(ada, board, grace)
    check(Ada={"one", "two", "three"})
    accept(grace, board)
    add(grace, board, theirs)
    join(ada, board, carol, "V")
    everybody = {"one", "two", "three", "grace"}
    check(Ada=everybody, Grace=everybody, Carol=everybody)
    comment(carol, board, "Nice", files["one"])
    take_off(ada, board, files["one"])
    left = {"two", "three", "grace"}
    check(Ada=left, Grace=left, Carol=left)
    assert "objectKey" not in comments(carol, board)["comments"][0]
    leave(grace, board)
    check(Ada={"two", "three"}, Carol={"two", "three"})
    ada.trash(files["two"])
    check(Ada={"three"}, Carol={"three"})
    ada.trash(place)
    check(Ada=set(), Carol=set())
    ada.put("/nms/metadata/restore", json={"objectKeys": [place]})
    check(Ada={"three"}, Carol={"three"})
    ada.post("/x/v1/trash/purge", json={"objectKeys": [files["two"]]})
    check(Ada={"three"}, Carol={"three"})
    call(ada, "DELETE", board, f"/members/{carol.account.account_key}")
    check(Ada={"three"})
    call(ada, "DELETE", board)
    check()


def test_a_nonce_opens_what_a_board_shows_and_no_longer(api: Api, other_api: Api) -> None:
    board = create(api)
    join(api, board, other_api)
    file = api.file("a.png", PIXEL).object_key
    nonce = other_api.post("/security/getokenforcookie", json={"jwt": other_api.login["jwt"]}).json()["nonce"]

    def statuses() -> list[int]:
        paths = [f"/download/files/{file}", f"/download/avimages/{file}"]
        return [api.client.get(path, params={"nonce": nonce}).status_code for path in paths]

    assert statuses() == [404, 404]
    add(api, board, file)
    assert statuses() == [200, 200]
    take_off(api, board, file)
    assert statuses() == [404, 404]


def test_a_member_gets_the_file_as_it_is_and_no_version_of_before(api: Api, other_api: Api) -> None:
    board = create(api)
    join(api, board, other_api)
    file = api.file("a.txt", b"the secret first draft").object_key
    api.file("a.txt", b"final")
    add(api, board, file)
    assert other_api.get(f"/download/files/{file}").content == b"final"
    assert api.get(f"/download/files/{file}?version=1").content == b"the secret first draft"
    for number in (1, 2, 3):
        assert error_of(other_api.get(f"/download/files/{file}?version={number}")) == (404, "SKY3003")
    api.file("a.txt", b"after the end")
    assert other_api.get(f"/download/files/{file}").content == b"after the end", "a board shows the file, not a copy"


def test_a_disabled_owner_shows_nothing(api: Api, other_api: Api) -> None:
    board = create(api)
    join(api, board, other_api)
    file = api.file("a.png", PIXEL).object_key
    add(api, board, file)
    api.ctx.metadata.write(lambda unit: unit.accounts.set_status(api.account.account_id, "D", 0))
    assert not any(sees(other_api, board, file).values())
