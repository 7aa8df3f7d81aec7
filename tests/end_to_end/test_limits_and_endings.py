"""What limits a link, and what ends a session, holds at every instance of the service at once."""

import base64
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
from tests.end_to_end.conftest import NewClient
from tests.end_to_end.plain_client import PASSWORD, PlainClient
from tests.real_parts.servers import Stack

from skyshelf.service.accounts.login_codes import code_of, step_at

LINK_PASSWORD = "open sesame"


def link(client: PlainClient, *keys: str, **limits: Any) -> dict[str, Any]:
    body = {"objectKeys": keys, "shareName": "A link", **limits}
    made: dict[str, Any] = client.json("POST", "/x/v1/shares", json=body, expect=201)
    return made


def token(made: dict[str, Any]) -> str:
    url: str = made["shareURL"]
    return parse_qs(urlsplit(url).query)["u"][0]


def test_a_limit_of_downloads_is_one_limit_at_all_instances(stack: Stack, client: PlainClient) -> None:
    key = client.upload("a.txt", b"what is limited")["objectKey"]
    made = link(client, key, maxDownloads=5)

    def take(number: int) -> int:
        url = stack.urls[number % len(stack.urls)]
        return httpx2.get(f"{url}/l/file/{key}", params={"u": token(made)}, timeout=60).status_code

    with ThreadPoolExecutor(12) as pool:
        statuses = sorted(pool.map(take, range(12)))
    assert statuses == [200] * 5 + [404] * 7
    assert client.json("GET", f"/x/v1/shares/{made['shareKey']}")["downloads"] == 5


def test_a_link_that_was_opened_at_one_instance_is_open_at_the_others(stack: Stack, client: PlainClient) -> None:
    key = client.upload("a.txt", b"behind a password")["objectKey"]
    made = link(client, key, password=LINK_PASSWORD, maxDownloads=1)
    asked = {"u": token(made)}
    first, last = stack.urls[0], stack.urls[-1]
    with httpx2.Client(timeout=60) as visitor:
        assert "This link has a password" in visitor.get(f"{last}/l/file/{key}", params=asked).text
        opened = visitor.post(f"{first}/l/unlock", params=asked, data={"password": LINK_PASSWORD})
        assert opened.status_code == 303
        # Cookies belong to a host, whatever the port.
        assert visitor.get(f"{last}/l/file/{key}", params=asked).content == b"behind a password"
        stack.strike(first)
        rest = visitor.get(f"{last}/l/file/{key}", params=asked, headers={"Range": "bytes=7-"})
        assert (rest.status_code, rest.content) == (206, b"a password")
        assert visitor.get(f"{last}/l/file/{key}", params=asked).status_code == 404
    client.request("DELETE", f"/x/v1/shares/{made['shareKey']}")
    assert client.json("GET", "/x/v1/shares")["shares"] == []


def test_a_new_password_ends_the_other_sessions_at_every_instance(stack: Stack, new_client: NewClient) -> None:
    client = new_client()
    email = client.json("GET", "/security/users")["emailId"]
    others = [PlainClient(stack.urls).log_in(email) for _ in range(2)]
    body = {"oldPassword": PASSWORD, "newPassword": "a quite different one"}
    assert client.json("POST", "/x/v1/account/password", json=body) == {"endedSessions": 2}
    for other in others:
        assert {other.get("/security/users").status_code for _ in stack.urls} == {401}
        other.close()
    assert {client.get("/security/users").status_code for _ in stack.urls} == {200}
    (device,) = [one for one in client.json("GET", "/x/v1/account/devices")["devices"] if one["isLoggedIn"]]
    assert device["isCurrent"]


def test_of_logins_with_one_code_at_all_instances_one_is_let_in(stack: Stack, client: PlainClient) -> None:
    """The code is a recovery code: those of an authenticator pass with time, and a busy machine takes its time."""
    factor, email = "/x/v1/account/second-factor", client.json("GET", "/security/users")["emailId"]
    secret = client.json("POST", f"{factor}/begin", json={"password": PASSWORD})["secret"]
    code = code_of(base64.b32decode(secret), step_at(time.time_ns() // 1_000_000))
    (recovery, *_) = client.json("POST", f"{factor}/confirm", json={"code": code})["recoveryCodes"]

    def enter(number: int) -> tuple[int, str | None]:
        url, body = stack.urls[number % len(stack.urls)], {"emailId": email, "password": PASSWORD, "code": recovery}
        answer = httpx2.post(f"{url}/x/v1/login", json=body, timeout=60)
        return answer.status_code, answer.json().get("code")

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(enter, range(4)), key=str) == [(200, None)] + [(401, "SKY2006")] * 3
    assert client.json("GET", factor)["recoveryCodesLeft"] == 9


def test_an_account_that_is_to_go_survives_a_crash_and_can_be_kept(stack: Stack, client: PlainClient) -> None:
    key = client.upload("a.txt", b"one")["objectKey"]
    client.upload("a.txt", b"second")
    made = link(client, key)
    date = client.json("POST", "/x/v1/account/deletion", json={"password": PASSWORD})["deletionDate"]
    stack.crash()
    assert client.json("GET", "/security/users")["deletionDate"] == date
    page = f"{stack.urls[-1]}/l/"
    assert httpx2.get(page, params={"u": token(made)}).status_code == 404
    assert client.request("POST", "/x/v1/account/deletion/cancel").status_code == 204
    assert httpx2.get(page, params={"u": token(made)}).status_code == 200
    assert client.json("POST", "/x/v1/versions/restore", json={"objectKey": key, "version": 1})["version"] == 3
    assert client.download(key) == b"one"
