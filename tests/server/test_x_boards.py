"""Boards with people on them: who may do what, and who sees what."""

import pytest
from starlette.testclient import TestClient
from tests.server.answers import answer_of
from tests.server.api import Api, HeldClock, error_of
from tests.server.doors import on_board, reaches_what_is_the_owners, sees
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
    names,
    person,
    shown,
    take_off,
)
from tests.server.uploading import begun, initiate, send, upload

from skyshelf.service.house import House

UNKNOWN = "0" * 32
FORBIDDEN = (403, "SKY2002")
NO_BOARD = (404, "SKY3002")


@pytest.fixture
def carol(client: TestClient, house: House) -> Api:
    return person(client, house, "Carol")


def test_files_are_added_and_what_is_no_file_of_ones_own_is_told(api: Api, other_api: Api) -> None:
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


def test_a_viewer_looks_and_comments_and_adds_nothing(api: Api, other_api: Api) -> None:
    board = create(api)
    join(api, board, other_api, "V")
    file = other_api.file("a.jpg").object_key
    assert error_of(call(other_api, "POST", board, "/objects", {"objectKeys": [file]})) == FORBIDDEN
    assert error_of(upload(other_api, "b.jpg", b"1", boardKey=board)) == FORBIDDEN
    assert error_of(initiate(other_api, "b.jpg", b"12", boardKey=board)) == FORBIDDEN
    assert comment(other_api, board, "Nice")["firstName"] == "Grace"
    assert names(api, board) == []
    assert "b.jpg" not in other_api.get(f"/nms/metadata?folderKey={other_api.root_key}").text


OWNERS_ONLY = {
    "edit": ("PUT", "", {"boardName": "Mine"}),
    "cover": ("PUT", "/cover", {}),
    "delete": ("POST", "/remove", None),
    "invitations": ("GET", "/invitations", None),
    "invite": ("POST", "/invitations", {"emailId": "x@example.org"}),
    "revoke": ("POST", "/invitations/remove", {"emailId": "x@example.org"}),
    "link": ("POST", "/links", {}),
    "revoke link": ("POST", "/links/remove", {"linkKey": UNKNOWN}),
    "role": ("PUT", "/members", {"userId": UNKNOWN, "memberType": "V"}),
    "remove member": ("POST", "/members/remove", {"userId": UNKNOWN}),
}


@pytest.mark.parametrize("what", OWNERS_ONLY)
def test_what_concerns_the_board_itself_is_its_owners(api: Api, other_api: Api, carol: Api, what: str) -> None:
    board = create(api)
    join(api, board, other_api)
    method, path, body = OWNERS_ONLY[what]
    before = api.get(f"/boards/{board}").json()
    assert error_of(call(other_api, method, board, path, body)) == FORBIDDEN
    assert error_of(call(carol, method, board, path, body)) == NO_BOARD
    assert api.get(f"/boards/{board}").json() == before


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
    assert call(api, "POST", board, "/remove").json() == {}
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


def test_roles_change_and_a_board_passes_on(api: Api, other_api: Api, carol: Api) -> None:
    board = create(api)
    join(api, board, other_api)
    grace = other_api.account.account_key

    def set_role(who: Api, user: str, role: str) -> object:
        response = call(who, "PUT", board, "/members", {"userId": user, "memberType": role})
        if response.status_code != 200:
            return error_of(response)
        members = answer_of(response, "set_board_role")["boardMembers"]
        return {one["firstName"]: one["memberType"] for one in members}

    assert set_role(api, grace, "V") == {"Ada": "O", "Grace": "V"}
    assert set_role(api, grace, "M") == {"Ada": "O", "Grace": "M"}
    assert set_role(api, carol.account.account_key, "M") == (404, "SKY3034")
    assert set_role(api, UNKNOWN, "M") == (404, "SKY3034")
    assert set_role(api, "x", "M") == (400, "SKY1003")
    assert set_role(api, grace, "A") == (400, "SKY1000")
    assert set_role(api, api.account.account_key, "V") == FORBIDDEN, "a board has an owner"
    assert set_role(api, grace, "O") == {"Ada": "M", "Grace": "O"}
    assert set_role(api, grace, "M") == FORBIDDEN


def test_a_member_who_is_removed_sees_nothing_more_and_takes_their_files_along(api: Api, other_api: Api) -> None:
    board = create(api)
    join(api, board, other_api)
    mine, theirs = api.file("m.png", PIXEL).object_key, other_api.file("t.png", PIXEL).object_key
    add(api, board, mine)
    add(other_api, board, theirs)
    user = {"userId": other_api.account.account_key}
    assert call(api, "POST", board, "/members/remove", user).json() == {}
    assert error_of(call(api, "POST", board, "/members/remove", user)) == (404, "SKY3034")
    own = {"userId": api.account.account_key}
    assert error_of(call(api, "POST", board, "/members/remove", own)) == FORBIDDEN
    assert not any(sees(other_api, board, mine).values())
    assert not any(on_board(other_api, board).values())
    assert names(api, board) == ["m.png"]
    assert error_of(accept(other_api, board)) == (404, "SKY3033"), "the old invitation is used up"


def test_an_invitation_tells_nothing_of_accounts(api: Api, other_api: Api) -> None:
    board = create(api)
    addresses = [other_api.account.email, "nobody@example.org", api.account.email]
    answers = [call(api, "POST", board, "/invitations", {"emailId": one, "memberType": "V"}) for one in addresses]
    assert {answer.status_code for answer in answers} == {201}
    told = [answer_of(answer, "invite_to_board") for answer in answers]
    assert [{**one, "emailId": ""} for one in told] == [{**told[0], "emailId": ""}] * 3
    listed = answer_of(call(api, "GET", board, "/invitations"), "board_invitations")
    assert sorted(one["emailId"] for one in listed["invitations"]) == sorted(addresses)
    assert [one["firstName"] for one in api.get(f"/invites/boards/{board}/members").json()["boardMembers"]] == ["Ada"]
    assert api.get(f"/boards/{board}").json()["board"]["usersCount"] == 1


def test_invitations_are_received_accepted_declined_revoked_and_end(api: Api, other_api: Api, clock: HeldClock) -> None:
    boards = [create(api, name) for name in ("accepted", "declined", "revoked", "late")]
    for board in boards:
        clock.advance(1)
        invite(api, board, other_api, "V")

    def received(**params: object) -> list[str]:
        answer = answer_of(other_api.get("/x/v1/invitations", params=params), "received_invitations")
        return [one["boardName"] for one in answer["invitations"]]

    assert received() == ["late", "revoked", "declined", "accepted"]
    (newest, *_) = other_api.get("/x/v1/invitations").json()["invitations"]
    assert newest == {
        "boardKey": boards[3],
        "boardName": "late",
        "ownerName": "Ada",
        "memberType": "V",
        "createdDate": clock.now(),
        "expiresDate": clock.now() + 30 * 86_400_000,
    }
    assert accept(other_api, boards[0]).json()["boardName"] == "accepted"
    assert accept(other_api, boards[0]).status_code == 200, "to accept twice is to accept once"
    assert other_api.post("/x/v1/invitations/decline", json={"boardKey": boards[1]}).json() == {}
    body = {"emailId": other_api.account.email.upper()}
    assert call(api, "POST", boards[2], "/invitations/remove", body).json() == {}
    assert error_of(call(api, "POST", boards[2], "/invitations/remove", body)) == (404, "SKY3033")
    clock.advance(days=30)
    assert received() == []
    for board in (*boards[1:], UNKNOWN):
        assert error_of(accept(other_api, board)) == (404, "SKY3033")
        decline = other_api.post("/x/v1/invitations/decline", json={"boardKey": board})
        assert error_of(decline) == (404, "SKY3033")


def test_received_invitations_have_pages(api: Api, other_api: Api, clock: HeldClock) -> None:
    for number in range(5):
        clock.advance(1)
        invite(api, create(api, str(number)), other_api)
    found: list[str] = []
    params: dict[str, object] = {"limit": 2}
    while True:
        answer = answer_of(other_api.get("/x/v1/invitations", params=params), "received_invitations")
        found += [one["boardName"] for one in answer["invitations"]]
        if "nextCursor" not in answer:
            break
        params["cursor"] = answer["nextCursor"]
    assert found == ["4", "3", "2", "1", "0"]
    for cursor in ("x", "bm9uc2Vuc2U", "WzEsMl0", "WyJhYiIsIjAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwIl0", "é"):
        assert error_of(other_api.get("/x/v1/invitations", params={"cursor": cursor})) == (400, "SKY1010"), cursor


def test_bad_invitations_are_refused(api: Api, clock: HeldClock) -> None:
    board = create(api)
    for body in (
        {},
        {"emailId": ""},
        {"emailId": "x" * 255},
        {"emailId": "a\x00b"},
        {"emailId": "x@example.org", "memberType": "O"},
        {"emailId": "x@example.org", "expiresDate": clock.now()},
        {"emailId": "x@example.org", "expiresDate": -1},
    ):
        assert error_of(call(api, "POST", board, "/invitations", body)) == (400, "SKY1000"), body
    for body in ({"boardKey": board, "token": "x"}, {}, {"token": ""}, {"token": "x" * 4097}):
        assert error_of(api.post("/x/v1/invitations/accept", json=body)) == (400, "SKY1000"), body


def test_a_link_brings_whoever_has_it_until_it_is_revoked(
    api: Api, other_api: Api, carol: Api, clock: HeldClock
) -> None:
    board = create(api)
    link = answer_of(call(api, "POST", board, "/links", {"memberType": "V"}), "create_board_link")
    assert link["linkURL"].endswith(f"/#invitation={link['token']}")
    assert len(link["token"]) == 32, "24 bytes, which are 192 bits"
    (listed,) = call(api, "GET", board, "/invitations").json()["links"]
    assert listed == link, "the owner can see it again"
    joined = other_api.post("/x/v1/invitations/accept", json={"token": link["token"]})
    assert answer_of(joined, "accept_invitation")["boardKey"] == board
    members = api.get(f"/invites/boards/{board}/members").json()["boardMembers"]
    assert [(one["firstName"], one["memberType"]) for one in members] == [("Ada", "O"), ("Grace", "V")]
    assert call(api, "POST", board, "/links/remove", {"linkKey": link["linkKey"]}).json() == {}
    assert error_of(call(api, "POST", board, "/links/remove", {"linkKey": link["linkKey"]})) == (404, "SKY3033")
    assert error_of(carol.post("/x/v1/invitations/accept", json={"token": link["token"]})) == (404, "SKY3033")
    assert names(other_api, board) == [], "who came by it stays"
    until = clock.now() + 5
    short = call(api, "POST", board, "/links", {"expiresDate": until}).json()
    assert (short["memberType"], short["expiresDate"]) == ("M", until)
    clock.advance(5)
    assert error_of(carol.post("/x/v1/invitations/accept", json={"token": short["token"]})) == (404, "SKY3033")


def test_the_store_knows_no_token_of_a_link(api: Api) -> None:
    board = create(api)
    token = call(api, "POST", board, "/links", {}).json()["token"]
    with api.house.metadata.read() as unit:
        assert unit.board_invitations.links(api.account.account_id, board, 0)[0].link_key not in token
        rows = unit.sql.all("SELECT token_hash FROM board_links")  # type: ignore[attr-defined]
    assert len(rows[0][0]) == 32
    assert token.encode() not in rows[0][0]


def test_comments_are_paged_edited_and_removed_by_who_may(
    api: Api, other_api: Api, carol: Api, clock: HeldClock
) -> None:
    board = create(api)
    join(api, board, other_api)
    join(api, board, carol, "V")
    made = []
    for number, author in enumerate((api, other_api, carol, other_api, api)):
        clock.advance(1)
        made.append(comment(author, board, str(number)))
    found, page = [], comments(carol, board, limit=2)
    while True:
        found += [one["text"] for one in page["comments"]]
        if "nextCursor" not in page:
            break
        page = comments(carol, board, limit=2, cursor=page["nextCursor"])
    assert found == ["4", "3", "2", "1", "0"]
    key = made[1]["commentKey"]
    edited = answer_of(
        call(other_api, "PUT", board, "/comments", {"commentKey": key, "text": "one"}), "edit_board_comment"
    )
    assert (edited["text"], edited["editedDate"], edited["createdDate"]) == ("one", clock.now(), made[1]["createdDate"])
    for who in (api, carol):
        body = {"commentKey": key, "text": "not my words"}
        assert error_of(call(who, "PUT", board, "/comments", body)) == FORBIDDEN
    assert error_of(call(carol, "POST", board, "/comments/remove", {"commentKey": key})) == FORBIDDEN
    for who in (other_api, api):
        gone = made.pop(3 if who is other_api else 2)["commentKey"]
        assert call(who, "POST", board, "/comments/remove", {"commentKey": gone}).json() == {}
        assert error_of(call(who, "POST", board, "/comments/remove", {"commentKey": gone})) == (404, "SKY3032")
    assert [one["text"] for one in comments(api, board)["comments"]] == ["4", "one", "0"]
    assert api.get(f"/boards/{board}").json()["board"]["commentsCount"] == 3


def test_bad_comments_are_refused(api: Api) -> None:
    board = create(api)
    for body in ({}, {"text": ""}, {"text": "x" * 4001}, {"text": "\x00"}, {"text": 5}):
        assert error_of(call(api, "POST", board, "/comments", body)) == (400, "SKY1000"), body
    assert error_of(call(api, "POST", board, "/comments", {"text": "x", "objectKey": UNKNOWN})) == (404, "SKY3000")
    for query in ({"limit": 0}, {"limit": 5001}):
        assert error_of(call(api, "GET", board, "/comments", **query)) == (400, "SKY1000"), query


def test_a_comment_loses_the_key_of_what_the_board_no_longer_shows(api: Api, other_api: Api) -> None:
    board = create(api)
    join(api, board, other_api)
    file = api.file("a.png", PIXEL).object_key
    add(api, board, file)
    made = comment(other_api, board, "This one", file)
    assert made["objectKey"] == file
    take_off(api, board, file)
    (left,) = comments(other_api, board)["comments"]
    assert left == {name: value for name, value in made.items() if name != "objectKey"}


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


def test_an_upload_for_a_board_that_was_left_meanwhile_shows_nothing_there(api: Api, other_api: Api) -> None:
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
                doors = sees(one, board, key)
                if owners[name] is one:
                    assert doors["listing"] == (name in (expected or ())), name
                    continue
                assert set(doors.values()) == {name in (expected or ())}, (one.account.first_name, name, doors)
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
    call(ada, "POST", board, "/members/remove", {"userId": carol.account.account_key})
    check(Ada={"three"})
    call(ada, "POST", board, "/remove")
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
    api.house.metadata.write(lambda unit: unit.accounts.set_status(api.account.account_id, "D", 0))
    assert not any(sees(other_api, board, file).values())
