"""Boards: list, create, look at, and leave."""

import json
from typing import Any

import httpx2
import pytest
from tests.server.answers import answer_of
from tests.server.api import Api, HeldClock, error_of
from tests.server.echoes import echo_of, names

from skyshelf.storage.metadata.contracts.boards import Invitation
from skyshelf.wire.keys import make_key

UNKNOWN = make_key(1, bytes(10))


def create(api: Api, name: object = "Holidays", **more: object) -> dict[str, Any]:
    board: dict[str, Any] = answer_of(api.post("/boards", json={"boardName": name, **more}), "create_board")
    return board


def boards(api: Api, **params: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = answer_of(api.get("/boards/sync/initial", params=params), "board_list")["boards"]
    return found


def details(api: Api, key: str, **params: Any) -> dict[str, Any]:
    answer: dict[str, Any] = answer_of(api.get(f"/boards/{key}", params=params), "board_details")
    return answer


def members(api: Api, key: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = answer_of(api.get(f"/invites/boards/{key}/members"), "board_members")["boardMembers"]
    return found


def leave(api: Api, key: str) -> httpx2.Response:
    return api.put(f"/invites/boards/{key}/unjoin", json=[])


def invite(host: Api, key: str, guest: Api, *, accept: bool = True) -> None:
    """Bring somebody onto a board, straight in the store."""
    now = host.ctx.clock.now()
    new = Invitation(email=guest.account.email, role="M", created_at=now, expires_at=now + 1000)
    host.ctx.metadata.write(lambda unit: unit.board_invitations.invite(host.account.account_id, key, new))
    if accept:
        host.ctx.metadata.write(lambda unit: unit.board_invitations.accept(guest.account.account_id, key, now))


def put_on(api: Api, key: str, *object_keys: str) -> None:
    now = api.ctx.clock.now()
    api.ctx.metadata.write(lambda unit: unit.board_items.add(api.account.account_id, key, object_keys, now))


def test_a_new_board_is_answered_201_with_all_its_fields(api: Api, clock: HeldClock) -> None:
    response = api.post("/boards", json={"boardName": "Été", "boardDescription": "at sea", "parentObjectKey": None})
    assert response.status_code == 201
    board = answer_of(response, "create_board")
    assert board == {
        "boardKey": board["boardKey"],
        "boardName": "Été",
        "boardDescription": "at sea",
        "boardType": "P",
        "status": "A",
        "ownerUserId": api.account.account_key,
        "filesCount": 0,
        "imageCount": 0,
        "videoCount": 0,
        "audioCount": 0,
        "commentsCount": 0,
        "usersCount": 1,
        "sizeInBytes": 0,
        "createdDate": clock.now(),
        "lastModifiedDate": clock.now(),
        "memberType": "O",
    }
    assert boards(api) == [board]
    assert details(api, board["boardKey"]) == {"board": board, "objects": []}


def test_a_description_is_optional(api: Api) -> None:
    assert create(api)["boardDescription"] == ""
    assert create(api, boardDescription=None)["boardDescription"] == ""


def test_bodies_that_are_not_a_board_are_refused(api: Api) -> None:
    bodies: list[Any] = [None, [], {}, "a", {"boardName": None}, {"boardName": 7}, {"boardName": ""}]
    bodies += [{"boardName": "x" * 256}, {"boardName": "a\x00b"}, {"boardName": "a", "boardDescription": 7}]
    bodies += [{"boardName": "a", "boardDescription": "x" * 4001}]
    for body in bodies:
        assert error_of(api.post("/boards", content=json.dumps(body))) == (400, "SKY1000"), body
    assert error_of(api.post("/boards", json={"boardName": "a", "parentObjectKey": "x"})) == (400, "SKY1003")
    assert error_of(api.post("/boards", content=b"{")) == (400, "SKY1001")
    assert boards(api) == []


def test_boards_are_listed_with_the_one_changed_last_in_front(api: Api, clock: HeldClock) -> None:
    for name in "abc":
        clock.advance(1)
        create(api, name)
    assert [one["boardName"] for one in boards(api, page=0, limit=2000, albumType="p")] == ["c", "b", "a"]
    assert [[one["boardName"] for one in boards(api, limit=2, page=page)] for page in range(3)] == [
        ["c", "b"],
        ["a"],
        [],
    ]


def test_bad_queries_are_refused(api: Api) -> None:
    for query in ["limit=0", "limit=5001", "page=-1", "albumType=x", "albumType="]:
        assert error_of(api.get(f"/boards/sync/initial?{query}")) == (400, "SKY1000"), query
    key = create(api)["boardKey"]
    for query in ["limit=0", "limit=5001", "limit=all", "page=x", "sort=lastModifiedDate", "sort=-smd"]:
        assert error_of(api.get(f"/boards/{key}?{query}")) == (400, "SKY1000"), query


def test_only_members_see_a_board(api: Api, other_api: Api) -> None:
    key = create(api)["boardKey"]
    assert boards(other_api) == []
    for board_key in (key, UNKNOWN, "nonsense"):
        answers = [
            other_api.get(f"/boards/{board_key}"),
            other_api.get(f"/invites/boards/{board_key}/members"),
            leave(other_api, board_key),
        ]
        assert [error_of(answer) for answer in answers] == [(404, "SKY3002")] * 3
        assert {answer.json()["message"] for answer in answers} == {"No such album"}
    assert len(members(api, key)) == 1


def test_details_show_the_files_of_all_members_and_count_them(api: Api, other_api: Api) -> None:
    key = create(api)["boardKey"]
    invite(api, key, other_api)
    own = [api.file(name, b"12345") for name in ("a.jpg", "b.mp4", "c.mp3")]
    theirs = other_api.file("d.txt", b"1234567")
    put_on(api, key, *(file.object_key for file in own))
    put_on(other_api, key, theirs.object_key)
    answer = details(api, key, sort="+objectName")
    assert names(answer["objects"]) == ["a.jpg", "b.mp4", "c.mp3", "d.txt"]
    assert answer["objects"][0] == echo_of(api, own[0].object_key)
    board = answer["board"]
    counts = ["filesCount", "imageCount", "videoCount", "audioCount", "usersCount", "sizeInBytes"]
    assert [board[name] for name in counts] == [4, 1, 1, 1, 2, 22]
    assert details(other_api, key)["board"] == {**board, "memberType": "M"}
    assert names(details(other_api, key, sort="+objectName")["objects"]) == ["a.jpg", "b.mp4", "c.mp3", "d.txt"]


def test_details_are_sorted_and_have_pages(api: Api) -> None:
    key = create(api)["boardKey"]
    files = [api.file(name, last_modified_at=when) for name, when in [("a", 3), ("b", 1), ("c", 2)]]
    put_on(api, key, *(file.object_key for file in files))
    assert names(details(api, key)["objects"]) == ["a", "c", "b"]
    assert names(details(api, key, sort="-lastModifiedDate", page=0, limit=5000)["objects"]) == ["a", "c", "b"]
    assert names(details(api, key, sort="-objectName")["objects"]) == ["c", "b", "a"]
    assert [names(details(api, key, limit=2, page=page)["objects"]) for page in range(3)] == [["a", "c"], ["b"], []]


def test_what_its_owner_trashed_is_not_on_the_board(api: Api) -> None:
    key = create(api)["boardKey"]
    file = api.file("a.jpg")
    put_on(api, key, file.object_key)
    api.trash(file.object_key)
    answer = details(api, key)
    assert (answer["objects"], answer["board"]["filesCount"]) == ([], 0)


def test_members_are_reported_with_their_part_and_when_they_joined(api: Api, other_api: Api, clock: HeldClock) -> None:
    key = create(api)["boardKey"]
    clock.advance(1000)
    invite(api, key, other_api)
    assert members(other_api, key) == [
        {
            "userId": api.account.account_key,
            "firstName": "Ada",
            "memberType": "O",
            "memberStatus": "A",
            "memCreatedDate": clock.now() - 1000,
        },
        {
            "userId": other_api.account.account_key,
            "firstName": "Grace",
            "memberType": "M",
            "memberStatus": "A",
            "memCreatedDate": clock.now(),
        },
    ]


def test_the_invited_are_not_on_the_roster_and_see_nothing_yet(api: Api, other_api: Api) -> None:
    key = create(api)["boardKey"]
    invite(api, key, other_api, accept=False)
    assert [one["memberStatus"] for one in members(api, key)] == ["A"]
    assert boards(other_api) == []
    assert error_of(other_api.get(f"/boards/{key}")) == (404, "SKY3002")


def test_a_board_that_its_only_member_leaves_is_gone(api: Api) -> None:
    key = create(api)["boardKey"]
    response = leave(api, key)
    assert answer_of(response, "leave_board") == {}
    assert boards(api) == []
    assert error_of(api.get(f"/boards/{key}")) == (404, "SKY3002")
    assert error_of(leave(api, key)) == (404, "SKY3002")


def test_a_board_that_its_owner_leaves_passes_to_the_oldest_member(api: Api, other_api: Api) -> None:
    key = create(api)["boardKey"]
    invite(api, key, other_api)
    leave(api, key)
    assert boards(api) == []
    (board,) = boards(other_api)
    assert board["ownerUserId"] == other_api.account.account_key
    assert [(one["firstName"], one["memberType"]) for one in members(other_api, key)] == [("Grace", "O")]


def test_a_member_who_leaves_takes_their_files_along(api: Api, other_api: Api) -> None:
    key = create(api)["boardKey"]
    invite(api, key, other_api)
    put_on(other_api, key, other_api.file("theirs.jpg").object_key)
    leave(other_api, key)
    assert details(api, key)["objects"] == []
    assert error_of(other_api.get(f"/boards/{key}")) == (404, "SKY3002")


@pytest.mark.parametrize("body", ["{}", "[1]", "null", '"x"', "[[]]"])
def test_leaving_takes_an_empty_array_and_nothing_else(api: Api, body: str) -> None:
    key = create(api)["boardKey"]
    assert error_of(api.put(f"/invites/boards/{key}/unjoin", content=body)) == (400, "SKY1000")
    assert len(boards(api)) == 1


def test_a_key_in_lower_case_is_accepted(api: Api) -> None:
    key = create(api)["boardKey"].lower()
    assert details(api, key)["board"]["boardKey"] == key.upper()
    assert len(members(api, key)) == 1
    assert leave(api, key).status_code == 200
