"""Invitations to boards, by address and by link."""

from tests.server.answers import answer_of
from tests.server.api import Api, HeldClock, error_of
from tests.server.on_boards import (
    UNKNOWN,
    accept,
    call,
    create,
    invite,
    names,
)


def test_an_invitation_reveals_nothing_about_accounts(api: Api, other_api: Api) -> None:
    board = create(api)
    addresses = [other_api.account.email, "nobody@example.org", api.account.email]
    answers = [call(api, "POST", board, "/invitations", {"emailId": one, "memberType": "V"}) for one in addresses]
    assert {answer.status_code for answer in answers} == {201}
    reported = [answer_of(answer, "invite_to_board") for answer in answers]
    assert len({one.pop("invitationKey") for one in reported}) == 3
    assert [{**one, "emailId": ""} for one in reported] == [{**reported[0], "emailId": ""}] * 3
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
    again = call(api, "POST", boards[2], "/invitations", {"emailId": other_api.account.email.upper()}).json()
    (sent,) = call(api, "GET", boards[2], "/invitations").json()["invitations"]
    assert sent["invitationKey"] == again["invitationKey"], "case does not count in addresses"
    path = f"/invitations/{sent['invitationKey']}"
    assert error_of(call(api, "DELETE", boards[3], path)) == (404, "SKY3033"), "the key of another board's"
    assert call(api, "DELETE", boards[2], path).status_code == 204
    assert error_of(call(api, "DELETE", boards[2], path)) == (404, "SKY3033")
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


def test_a_link_lets_anyone_with_it_join_until_it_is_revoked(
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
    assert call(api, "DELETE", board, f"/links/{link['linkKey']}").status_code == 204
    assert error_of(call(api, "DELETE", board, f"/links/{link['linkKey']}")) == (404, "SKY3033")
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
    with api.ctx.metadata.read() as unit:
        assert unit.board_invitations.links(api.account.account_id, board, 0)[0].link_key not in token
        rows = unit.sql.all("SELECT token_hash FROM board_links")
    assert len(rows[0][0]) == 32
    assert token.encode() not in rows[0][0]
