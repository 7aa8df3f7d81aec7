"""Who may do what on a board, and who is on it."""

import pytest
from tests.server.answers import answer_of
from tests.server.api import Api, error_of
from tests.server.board_access import on_board, sees
from tests.server.good_calls import PIXEL
from tests.server.on_boards import (
    FORBIDDEN,
    NO_BOARD,
    UNKNOWN,
    accept,
    add,
    call,
    comment,
    create,
    invite,
    join,
    names,
)
from tests.server.uploading import initiate, upload


def test_a_viewer_can_read_and_comment_but_not_add_files(api: Api, other_api: Api) -> None:
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
    "delete": ("DELETE", "", None),
    "invitations": ("GET", "/invitations", None),
    "invite": ("POST", "/invitations", {"emailId": "x@example.org"}),
    "revoke": ("DELETE", f"/invitations/{UNKNOWN}", None),
    "link": ("POST", "/links", {}),
    "revoke link": ("DELETE", f"/links/{UNKNOWN}", None),
    "role": ("PUT", f"/members/{UNKNOWN}", {"memberType": "V"}),
    "remove member": ("DELETE", f"/members/{UNKNOWN}", None),
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


def test_a_list_of_boards_shows_what_one_is_on_each(api: Api, other_api: Api, carol: Api) -> None:
    board = create(api)
    for guest, role in ((other_api, "M"), (carol, "V")):
        invite(api, board, guest, role)
        assert answer_of(accept(guest, board), "accept_invitation")["memberType"] == role
    for who, role in ((api, "O"), (other_api, "M"), (carol, "V")):
        (listed,) = answer_of(who.get("/boards/sync/initial"), "board_list")["boards"]
        assert (listed["boardKey"], listed["memberType"]) == (board, role)
        assert answer_of(who.get(f"/boards/{board}"), "board_details")["board"]["memberType"] == role
    call(api, "PUT", board, f"/members/{carol.account.account_key}", {"memberType": "O"})
    assert [one.get(f"/boards/{board}").json()["board"]["memberType"] for one in (api, carol)] == ["M", "O"]


def test_roles_change_and_a_board_passes_on(api: Api, other_api: Api, carol: Api) -> None:
    board = create(api)
    join(api, board, other_api)
    grace = other_api.account.account_key

    def set_role(who: Api, user: str, role: str) -> object:
        response = call(who, "PUT", board, f"/members/{user}", {"memberType": role})
        if response.status_code != 200:
            return error_of(response)
        members = answer_of(response, "set_board_role")["boardMembers"]
        return {one["firstName"]: one["memberType"] for one in members}

    assert set_role(api, grace, "V") == {"Ada": "O", "Grace": "V"}
    assert set_role(api, grace, "M") == {"Ada": "O", "Grace": "M"}
    assert set_role(api, carol.account.account_key, "M") == (404, "SKY3034")
    assert set_role(api, UNKNOWN, "M") == (404, "SKY3034")
    assert set_role(api, "x", "M") == (404, "SKY3034")
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
    member = f"/members/{other_api.account.account_key}"
    assert call(api, "DELETE", board, member).status_code == 204
    assert error_of(call(api, "DELETE", board, member)) == (404, "SKY3034")
    assert error_of(call(api, "DELETE", board, f"/members/{api.account.account_key}")) == FORBIDDEN
    assert not any(sees(other_api, board, mine).values())
    assert not any(on_board(other_api, board).values())
    assert names(api, board) == ["m.png"]
    assert error_of(accept(other_api, board)) == (404, "SKY3033"), "the old invitation is used up"


def test_a_removed_member_comes_back_by_invitation_and_not_by_a_link(api: Api, other_api: Api, carol: Api) -> None:
    board = create(api)
    add(api, board, api.file("m.png", PIXEL).object_key)
    token = call(api, "POST", board, "/links", {"memberType": "M"}).json()["token"]

    def by_link(who: Api) -> object:
        response = who.post("/x/v1/invitations/accept", json={"token": token})
        return 200 if response.status_code == 200 else error_of(response)

    assert by_link(other_api) == 200
    assert call(api, "DELETE", board, f"/members/{other_api.account.account_key}").status_code == 204
    assert by_link(other_api) == (403, "SKY3037")
    assert "an invitation does" in other_api.post("/x/v1/invitations/accept", json={"token": token}).json()["message"]
    assert error_of(other_api.get(f"/boards/{board}")) == (404, "SKY3002")
    assert by_link(carol) == 200, "others still come by it"
    join(api, board, other_api)
    assert other_api.get(f"/boards/{board}").status_code == 200
    assert by_link(other_api) == 200
