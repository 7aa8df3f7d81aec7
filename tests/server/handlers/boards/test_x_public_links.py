"""Public links to boards: who makes them, what a visitor sees through them, and when they end."""

from typing import Any

import pytest
from tests.server.answers import answer_of
from tests.server.api import Api, HeldClock, error_of
from tests.server.in_process import TestClient
from tests.server.on_boards import (
    FORBIDDEN,
    NO_BOARD,
    UNKNOWN,
    add,
    call,
    create,
    join,
    leave,
    person,
    take_off,
)
from tests.server.sharing import Link

from skyshelf.service.context import ServiceContext

PASSWORD = "open sesame"


def publish(api: Api, board: str, **fields: Any) -> dict[str, Any]:
    body = {"shareName": "For the family", **fields}
    made: dict[str, Any] = answer_of(call(api, "POST", board, "/shares", body), "add_board_share")
    return made


def link_to(api: Api, board: str, **fields: Any) -> Link:
    return Link(api, publish(api, board, **fields)["shareURL"])


@pytest.fixture
def ada(client: TestClient, ctx: ServiceContext) -> Api:
    return person(client, ctx, "Ada")


@pytest.fixture
def grace(client: TestClient, ctx: ServiceContext) -> Api:
    return person(client, ctx, "Grace")


def test_a_link_to_a_board_shows_the_files_of_all_its_members_and_nothing_else(ada: Api, grace: Api) -> None:
    board = create(ada, "Lisbon")
    join(ada, board, grace)
    hers, theirs = ada.file("a.jpg").object_key, grace.file("b.jpg").object_key
    private = ada.file("private.jpg").object_key
    add(ada, board, hers)
    add(grace, board, theirs)
    link = link_to(ada, board)
    page = link.page()
    assert page.status_code == 200
    assert all(text in page.text for text in ("Lisbon", hers, theirs))
    assert private not in page.text
    assert [link.file(key).status_code for key in (hers, theirs, private)] == [200, 200, 404]
    assert [link.page(key).status_code for key in (hers, theirs, private, ada.root_key)] == [200, 200, 404, 404]
    assert sorted(link.unzipped()) == ["a.jpg", "b.jpg"]
    assert link.zip(private).status_code == 404


def test_what_leaves_the_board_leaves_the_link(ada: Api) -> None:
    board = create(ada)
    kept, gone, trashed = (ada.file(name).object_key for name in ("a.jpg", "b.jpg", "c.jpg"))
    add(ada, board, kept, gone, trashed)
    link = link_to(ada, board)
    take_off(ada, board, gone)
    ada.trash(trashed)
    assert [link.file(key).status_code for key in (kept, gone, trashed)] == [200, 404, 404]
    assert sorted(link.unzipped()) == ["a.jpg"]


def test_only_the_owner_makes_a_board_public(ada: Api, grace: Api) -> None:
    board = create(ada)
    body = {"shareName": "Mine?"}
    assert error_of(call(grace, "POST", board, "/shares", body)) == NO_BOARD
    assert error_of(call(grace, "POST", UNKNOWN, "/shares", body)) == NO_BOARD
    join(ada, board, grace)
    assert error_of(call(grace, "POST", board, "/shares", body)) == FORBIDDEN
    assert answer_of(grace.get("/x/v1/shares"), "own_shares")["shares"] == []


def test_the_links_of_a_board_are_listed_to_their_maker_alone(ada: Api, grace: Api) -> None:
    board, other = create(ada), create(ada)
    made = publish(ada, board, rights="add", maxUploads=7)
    publish(ada, other)
    assert (made["rights"], made["uploads"], made["maxUploads"]) == ("add", 0, 7)
    assert (made["boardKey"], made["boardName"], made["objectKeys"]) == (board, "Holidays", [])
    assert answer_of(call(ada, "GET", board, "/shares"), "board_shares")["shares"] == [made]
    assert error_of(call(grace, "GET", board, "/shares")) == NO_BOARD
    join(ada, board, grace)
    assert answer_of(call(grace, "GET", board, "/shares"), "board_shares")["shares"] == []
    assert len(answer_of(ada.get("/x/v1/shares"), "own_shares")["shares"]) == 2


def test_a_link_ends_with_its_expiry_its_board_and_the_ownership_of_its_maker(
    ada: Api, grace: Api, clock: HeldClock
) -> None:
    short, deleted, left = create(ada), create(ada), create(ada)
    ends = link_to(ada, short, expiryDate=clock.now() + 1000)
    clock.advance(ms=1000)
    assert ends.page().status_code == 404
    goes = link_to(ada, deleted)
    assert call(ada, "DELETE", deleted).status_code == 204
    assert goes.page().status_code == 404
    join(ada, left, grace)
    stays = link_to(ada, left)
    assert stays.page().status_code == 200
    assert leave(ada, left).status_code == 200
    assert stays.page().status_code == 404
    (first, *_rest) = answer_of(ada.get("/x/v1/shares"), "own_shares")["shares"]
    assert (first["boardKey"], first["isLive"]) == (left, False)
    assert "boardName" not in first


def test_a_password_keeps_everything_back_and_the_limit_counts(ada: Api) -> None:
    board = create(ada, "Secret garden")
    key = ada.file("rose.jpg").object_key
    add(ada, board, key)
    link = link_to(ada, board, password=PASSWORD, maxDownloads=1)
    locked = link.page()
    assert "Secret garden" not in locked.text
    assert key not in locked.text
    assert "og:" not in locked.text
    assert [link.file(key).status_code, link.thumbnail(key).status_code, link.zip().status_code] == [401] * 3
    answer = link.get("/l/unlock", method="POST", data={"password": PASSWORD}, follow_redirects=True)
    assert "Secret garden" in answer.text
    assert link.file(key).status_code == 200
    assert link.page().status_code == 404


def test_rights_of_a_board_link_can_change_and_those_of_others_cannot(ada: Api) -> None:
    made = publish(ada, create(ada))
    changed = ada.put(f"/x/v1/shares/{made['shareKey']}", json={"rights": "add"})
    assert answer_of(changed, "edit_share")["rights"] == "add"
    body = {"objectKeys": [ada.folder("Trip").object_key], "shareName": "A folder"}
    plain = answer_of(ada.post("/x/v1/shares", json=body), "add_share")
    assert error_of(ada.put(f"/x/v1/shares/{plain['shareKey']}", json={"rights": "add"}))[0] == 400
    assert answer_of(ada.get(f"/x/v1/shares/{plain['shareKey']}"), "own_share")["rights"] == "view"


def test_files_are_sent_into_one_folder_alone(ada: Api) -> None:
    folder, file = ada.folder("Trip").object_key, ada.file("a.txt").object_key
    wrong: list[dict[str, Any]] = [
        {"objectKeys": [folder], "rights": "add"},
        {"objectKeys": [folder, file], "rights": "send"},
        {"objectKeys": [file], "rights": "send"},
    ]
    for fields in wrong:
        assert error_of(ada.post("/x/v1/shares", json={"shareName": "A link", **fields}))[0] == 400, fields
    assert error_of(call(ada, "POST", create(ada), "/shares", {"shareName": "A link", "rights": "send"}))[0] == 400
    assert answer_of(ada.get("/x/v1/shares"), "own_shares")["shares"] == []
