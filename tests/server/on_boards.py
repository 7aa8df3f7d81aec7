"""Short ways to do things to boards over HTTP."""

from typing import Any

import httpx2
from tests.server.answers import answer_of
from tests.server.api import Api, logged_in, new_account
from tests.server.in_process import TestClient

from skyshelf.service.context import ServiceContext

Json = dict[str, Any]

UNKNOWN = "0" * 32
FORBIDDEN = (403, "SKY2002")
NO_BOARD = (404, "SKY3002")


def person(client: TestClient, ctx: ServiceContext, name: str) -> Api:
    """Somebody with a fresh account, logged in."""
    return logged_in(client, ctx, new_account(ctx, f"{name.lower()}@example.org", first_name=name))


def create(api: Api, name: str = "Holidays") -> str:
    key: str = answer_of(api.post("/boards", json={"boardName": name}), "create_board")["boardKey"]
    return key


def call(api: Api, method: str, board: str, path: str = "", body: object = None, **params: Any) -> httpx2.Response:
    more: Json = {} if body is None else {"json": body}
    return api.request(method, f"/x/v1/boards/{board}{path}", params=params, **more)


def add(api: Api, board: str, *keys: str) -> Json:
    answer: Json = answer_of(call(api, "POST", board, "/objects", {"objectKeys": list(keys)}), "add_to_board")
    return answer


def take_off(api: Api, board: str, *keys: str) -> Json:
    response = call(api, "POST", board, "/objects/remove", {"objectKeys": list(keys)})
    answer: Json = answer_of(response, "remove_from_board")
    return answer


def invite(host: Api, board: str, guest: Api, role: str = "M") -> httpx2.Response:
    return call(host, "POST", board, "/invitations", {"emailId": guest.account.email, "memberType": role})


def accept(guest: Api, board: str) -> httpx2.Response:
    return guest.post("/x/v1/invitations/accept", json={"boardKey": board})


def join(host: Api, board: str, guest: Api, role: str = "M") -> None:
    assert invite(host, board, guest, role).status_code == 201
    assert accept(guest, board).status_code == 200


def leave(api: Api, board: str) -> httpx2.Response:
    return api.put(f"/invites/boards/{board}/unjoin", json=[])


def shown(api: Api, board: str) -> list[Json]:
    objects: list[Json] = answer_of(api.get(f"/boards/{board}"), "board_details")["objects"]
    return objects


def names(api: Api, board: str) -> list[str]:
    return sorted(one["objectName"] for one in shown(api, board))


def comment(api: Api, board: str, text: str, about: str | None = None) -> Json:
    body = {"text": text} | ({} if about is None else {"objectKey": about})
    answer: Json = answer_of(call(api, "POST", board, "/comments", body), "add_board_comment")
    return answer


def comments(api: Api, board: str, **params: Any) -> Json:
    answer: Json = answer_of(call(api, "GET", board, "/comments", **params), "board_comments")
    return answer
