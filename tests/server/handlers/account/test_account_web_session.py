"""The session of a browser: its token lives in a cookie that no script can read and no other site can use."""

import json

import httpx2
import pytest
from tests.server.api import PASSWORD, Api, error_of, log_in, new_account
from tests.server.in_process import TestClient

from skyshelf.service.context import ServiceContext
from skyshelf.wire.headers import API_KEY, APP_SECRET

NO_SESSION = (401, "TEJGA0401")
EMAIL = "grace@example.org"
OWN = {"Sec-Fetch-Site": "same-origin"}
PAGE = {
    "Content-Type": "application/json",
    "Accept-Language": "en",
    "X-Api-Key": API_KEY,
    "X-App-Secret": APP_SECRET,
}


@pytest.fixture
def browser(client: TestClient, ctx: ServiceContext) -> TestClient:
    """The client, with the cookie of a login; it sends what a page of ours sends."""
    new_account(ctx, EMAIL)
    answer = client.post("/x/v1/login", json={"emailId": EMAIL, "password": PASSWORD, "inCookie": True}, headers=OWN)
    assert answer.status_code == 200
    return client


def call(browser: TestClient, method: str = "GET", path: str = "/security/users", **headers: str) -> httpx2.Response:
    response: httpx2.Response = browser.request(method, path, headers={**PAGE, **OWN, **headers})
    return response


def test_the_answer_keeps_the_token_to_the_cookie(client: TestClient, ctx: ServiceContext) -> None:
    new_account(ctx, EMAIL)
    answer = log_in(client, EMAIL, inCookie=True)
    assert answer.json().keys() == {"userId", "deviceKey", "rootFolderKey", "jwt"}
    (cookie,) = answer.headers.get_list("set-cookie")
    name, _, attributes = cookie.partition("=")
    assert name == "skyshelf_session"
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= {part.strip() for part in attributes.split(";")}
    assert "Domain" not in cookie


def test_the_cookie_is_secure_where_the_page_came_by_tls(client: TestClient, ctx: ServiceContext) -> None:
    new_account(ctx, EMAIL)
    body = {"emailId": EMAIL, "password": PASSWORD, "inCookie": True}
    answer = client.post("https://testserver/x/v1/login", json=body)
    cookie = answer.headers["set-cookie"]
    assert {"Secure", "Path=/"} <= {part.strip() for part in cookie.split(";")}
    assert cookie.startswith("__Host-skyshelf_session=")


def test_a_cookie_of_one_scheme_opens_nothing_under_the_other(client: TestClient, ctx: ServiceContext) -> None:
    new_account(ctx, EMAIL)
    body = {"emailId": EMAIL, "password": PASSWORD, "inCookie": True}
    statuses = {}
    for scheme in ("http", "https"):
        url = f"{scheme}://testserver"
        answer = client.post(f"{url}/x/v1/login", json=body)
        value = answer.headers["set-cookie"].partition("=")[2].partition(";")[0]
        client.cookies.clear()
        for name in ("skyshelf_session", "__Host-skyshelf_session"):
            headers = {**PAGE, **OWN, "cookie": f"{name}={value}"}
            statuses[scheme, name] = client.get(f"{url}/security/users", headers=headers).status_code
    assert statuses == {
        ("http", "skyshelf_session"): 200,
        ("http", "__Host-skyshelf_session"): 401,
        ("https", "skyshelf_session"): 401,
        ("https", "__Host-skyshelf_session"): 200,
    }


def test_over_tls_the_nonce_is_in_a_cookie_that_a_plain_connection_cannot_set(api: Api) -> None:
    file = api.file("a.txt", b"bytes")
    api.client.base_url = "https://testserver"
    answer = api.post("/security/getokenforcookie", json={"jwt": api.login["jwt"]})
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("__Secure-skyshelf_nonce=")
    assert {"Secure", "HttpOnly", "Path=/download"} <= {part.strip() for part in cookie.split(";")}
    api.client.cookies.clear()
    path, nonce = f"/download/files/{file.object_key}", answer.json()["nonce"]
    assert api.client.get(path, headers={"cookie": f"skyshelf_nonce={nonce}"}).status_code == 401
    assert api.client.get(path, headers={"cookie": f"__Secure-skyshelf_nonce={nonce}"}).status_code == 200


def test_the_cookie_opens_every_call_and_the_session_shows_what_a_page_needs(browser: TestClient) -> None:
    assert call(browser).json()["emailId"] == EMAIL
    session = call(browser, path="/x/v1/session").json()
    assert session.keys() == {"userId", "deviceKey", "rootFolderKey", "jwt"}
    nonce = browser.post("/security/getokenforcookie", json={"jwt": session["jwt"]}, headers={**PAGE, **OWN})
    assert nonce.status_code == 200


def test_a_page_of_another_site_cannot_use_the_cookie(browser: TestClient) -> None:
    for site in ("cross-site", "same-site", "none"):
        assert error_of(call(browser, **{"Sec-Fetch-Site": site})) == NO_SESSION


def test_the_cookie_alone_is_not_enough_the_headers_of_the_app_are_needed(browser: TestClient) -> None:
    headers = {"Content-Type": "application/json", "Accept-Language": "en", **OWN}
    assert browser.get("/security/users", headers=headers).status_code == 403


def test_another_site_cannot_log_a_browser_in(client: TestClient, ctx: ServiceContext) -> None:
    new_account(ctx, EMAIL)
    body = {"emailId": EMAIL, "password": PASSWORD, "inCookie": True}
    answer = client.post("/x/v1/login", json=body, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", None])
def test_a_form_of_another_site_cannot_log_a_browser_in(
    client: TestClient, ctx: ServiceContext, kind: str | None
) -> None:
    # Over plain HTTP browsers do not say which site a request comes from, and a form can have any text.
    new_account(ctx, EMAIL)
    body = json.dumps({"emailId": EMAIL, "password": PASSWORD, "inCookie": True, "x": "="})
    headers = {"Origin": "http://elsewhere.example"} | ({"Content-Type": kind} if kind else {})
    for path in ("/x/v1/login", "/x/v1/login/passkey", "/x/v1/login/provider"):
        answer = client.post(path, content=body, headers=headers)
        assert answer.status_code >= 400
        assert "set-cookie" not in answer.headers
    # The password is right, and the answer does not say that it is wrong.
    assert error_of(client.post("/x/v1/login", content=body, headers=headers)) == (415, "SKY1008")


def test_a_damaged_cookie_is_no_session(browser: TestClient) -> None:
    good = browser.cookies["skyshelf_session"]
    for bad in ("", ":", "::", good[:-4], good.replace(":", "."), "x" * 10_000, f"{good}:"):
        browser.cookies.clear()
        browser.cookies.set("skyshelf_session", bad)
        assert error_of(call(browser)) == NO_SESSION, bad


def test_logging_out_ends_the_session_and_takes_the_cookie_back(browser: TestClient) -> None:
    kept = browser.cookies["skyshelf_session"]
    ended = call(browser, "PUT", "/security/users/logout")
    assert (ended.status_code, ended.headers["clear-site-data"]) == (204, '"cache"')
    assert "skyshelf_session" not in browser.cookies
    browser.cookies.set("skyshelf_session", kept)
    assert error_of(call(browser)) == NO_SESSION


def test_headers_win_over_the_cookie(browser: TestClient, api: Api) -> None:
    assert browser.get("/security/users", headers=api.headers).json()["emailId"] == api.account.email


def test_downloads_need_a_nonce_and_not_the_cookie(browser: TestClient, api: Api) -> None:
    key = api.file("a.txt").object_key
    assert browser.get(f"/download/files/{key}", headers=OWN).status_code == 401
