"""A board of three accounts, by a client that somebody else wrote, on every stack, while servers die.

A comment, a removed file, a trashed one and a member who left: at no moment anybody sees what they should not.
"""

from collections.abc import Callable

import httpx2
from tests.end_to_end.plain_client import Json, PlainClient
from tests.real_parts.servers import Stack
from tests.server.board_access import on_board, reaches_what_is_the_owners, sees
from tests.server.good_calls import PIXEL


def test_at_no_moment_anybody_sees_what_they_should_not(stack: Stack, new_client: Callable[..., PlainClient]) -> None:
    ada, grace, carol = (new_client() for _ in range(3))
    names = {"ada": ada, "grace": grace, "carol": carol}
    board = ada.json("POST", "/boards", json={"boardName": "Summer"}, expect=201)["boardKey"]
    path = f"/x/v1/boards/{board}"
    files = {name: ada.upload(f"{name}.png", PIXEL + name.encode())["objectKey"] for name in ("one", "two")}
    theirs = grace.upload("grace.png", PIXEL + b"grace")["objectKey"]

    nonces = {
        name: client.json("POST", "/security/getokenforcookie", json={"jwt": client.session["jwt"]})["nonce"]
        for name, client in names.items()
    }

    def check(**may: set[str]) -> None:
        for name, client in names.items():
            expected = may.get(name)
            assert set(on_board(client, board).values()) == {expected is not None}, name
            for what, key in (files | {"grace": theirs}).items():
                owner = grace if what == "grace" else ada
                doors = sees(client, board, key)
                if client is owner:
                    assert doors["listing"] == (what in (expected or ())), (name, what)
                    continue
                assert set(doors.values()) == {what in (expected or ())}, (name, what, doors)
                link = f"{client.urls[-1]}/download/files/{key}?nonce={nonces[name]}"
                assert httpx2.get(link).status_code == (200 if what in (expected or ()) else 404)
                if what != "two":  # one file of each owner is enough to try what takes many requests
                    assert reaches_what_is_the_owners(client, key, owner.root) == []

    def email(client: PlainClient) -> str:
        address: str = client.json("GET", "/security/users")["emailId"]
        return address

    ada.json("POST", f"{path}/objects", json={"objectKeys": list(files.values())})
    invited = ada.json("POST", f"{path}/invitations", json={"emailId": email(grace)}, expect=201)
    nobody = ada.json("POST", f"{path}/invitations", json={"emailId": "nobody@example.org"}, expect=201)
    assert invited.keys() == nobody.keys()
    check(ada={"one", "two"})
    (received,) = grace.json("GET", "/x/v1/invitations")["invitations"]
    assert received["boardKey"] == board
    grace.json("POST", "/x/v1/invitations/accept", json={"boardKey": board})
    token = ada.json("POST", f"{path}/links", json={"memberType": "V"}, expect=201)["token"]
    carol.json("POST", "/x/v1/invitations/accept", json={"token": token})
    grace.json("POST", f"{path}/objects", json={"objectKeys": [theirs]})
    refused = carol.request("POST", f"{path}/objects", json={"objectKeys": [theirs]})
    assert refused.status_code == 403
    stack.strike()
    everything = {"one", "two", "grace"}
    check(ada=everything, grace=everything, carol=everything)
    said = carol.json("POST", f"{path}/comments", json={"text": "Nice", "objectKey": files["one"]}, expect=201)
    ada.json("POST", f"{path}/objects/remove", json={"objectKeys": [files["one"]]})
    (left,) = grace.json("GET", f"{path}/comments")["comments"]
    assert left == {name: value for name, value in said.items() if name != "objectKey"}
    check(ada={"two", "grace"}, grace={"two", "grace"}, carol={"two", "grace"})
    assert grace.json("PUT", f"/invites/boards/{board}/unjoin", json=[]) == {}
    stack.strike()
    check(ada={"two"}, carol={"two"})
    (echo,) = [one for one in ada.page() if one["objectName"] == "two.png"]
    ada.changed("TRASH", echo, status="T")
    check(ada=set(), carol=set())
    assert grace.upload("too late.png", PIXEL)["objectKey"]
    late: Json = {"name": "x.png", "size": 1, "hash": "0" * 32, "boardKey": board}
    assert grace.request("POST", "/upload/files/chunked/initiate", json=late).status_code == 404
    assert ada.request("DELETE", f"{path}/members/{carol.session['userId']}").status_code == 204
    check(ada=set())


def test_an_upload_lands_on_the_board_in_one_step(stack: Stack, new_client: Callable[..., PlainClient]) -> None:
    ada, grace = new_client(), new_client()
    board = ada.json("POST", "/boards", json={"boardName": "Summer"}, expect=201)["boardKey"]
    token = ada.json("POST", f"/x/v1/boards/{board}/links", json={}, expect=201)["token"]
    grace.json("POST", "/x/v1/invitations/accept", json={"token": token})
    stored = grace.upload("a.png", PIXEL, boardKey=board)
    stack.strike()
    (shown,) = ada.json("GET", f"/boards/{board}")["objects"]
    assert (shown["objectKey"], "parentObjectKey" in shown) == (stored["objectKey"], False)
    assert ada.get(f"/download/files/{shown['objectKey']}").content == PIXEL
