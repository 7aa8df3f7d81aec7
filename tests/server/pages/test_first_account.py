"""The page that creates the first account: available once, with its link."""

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace
from starlette.testclient import TestClient
from tests.server.api import error_of, log_in, new_account

from skyshelf.server.app import ServerSettings, app_for
from skyshelf.service.accounts import accounts
from skyshelf.service.context import ServiceContext

TOKEN = "a-token-that-was-printed"
PATH = "/x/v1/first-account"
FORM = {
    "token": TOKEN,
    "email": "ada@example.org",
    "first_name": "Ada",
    "last_name": "Byron",
    "password": "correct horse battery",
}
NOT_OFFERED = (404, "SKY1006")


@pytest.fixture
def client(ctx: ServiceContext, settings: ServerSettings) -> Iterator[TestClient]:
    app = app_for(ctx, replace(settings, first_account_token=TOKEN))
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


def test_the_link_shows_a_form_that_runs_no_script(client: TestClient) -> None:
    page = client.get(PATH, params={"token": TOKEN})
    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert '<form method="post"' in page.text
    assert "<script" not in page.text
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script" not in policy
    assert "form-action 'self'" in policy
    assert page.headers["cache-control"] == "no-store"


def test_the_form_opens_the_account_and_the_link_is_used_up(client: TestClient, ctx: ServiceContext) -> None:
    answer = client.post(PATH, data=FORM)
    assert answer.status_code == 201
    assert "skyshelf login --server http://testserver ada@example.org" in answer.text
    assert log_in(client, "ada@example.org").status_code == 200
    assert error_of(client.get(PATH, params={"token": TOKEN})) == NOT_OFFERED
    assert error_of(client.post(PATH, data=FORM | {"email": "mallory@example.org"})) == NOT_OFFERED
    assert len(accounts.all_accounts(ctx)) == 1


@pytest.mark.parametrize(
    ("form", "status"),
    [
        (b"&".join(b"f%d=1" % number for number in range(9)), 400),
        (b"token=%ff", 400),
        (b"token=a&token=b", 400),
        (b"x" * 20_000, 413),
    ],
)
def test_whatever_is_no_form_is_refused(client: TestClient, form: bytes, status: int) -> None:
    headers = {"content-type": "application/x-www-form-urlencoded"}
    assert client.post(PATH, content=form, headers=headers).status_code == status
    assert client.post(PATH, content=form, headers={"content-type": "text/plain"}).status_code == 415


@pytest.mark.parametrize("token", ["", "another", "ü", TOKEN[:-1]])
def test_without_the_token_there_is_no_such_page(client: TestClient, ctx: ServiceContext, token: str) -> None:
    assert error_of(client.get(PATH, params={"token": token})) == NOT_OFFERED
    assert error_of(client.post(PATH, data=FORM | {"token": token})) == NOT_OFFERED
    assert accounts.all_accounts(ctx) == []


def test_the_link_ends_when_an_account_was_opened_otherwise(client: TestClient, ctx: ServiceContext) -> None:
    new_account(ctx, "grace@example.org")
    assert error_of(client.get(PATH, params={"token": TOKEN})) == NOT_OFFERED
    assert error_of(client.post(PATH, data=FORM)) == NOT_OFFERED


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"password": "short"}, "at least 8 characters"),
        ({"email": "no address"}, "Not a valid email address"),
        ({"first_name": " "}, "The first name needs"),
        ({"last_name": "x" * 300}, "The last name needs"),
    ],
)
def test_a_mistake_shows_the_form_again_with_a_sentence(
    client: TestClient, ctx: ServiceContext, change: dict[str, str], sentence: str
) -> None:
    answer = client.post(PATH, data=FORM | change)
    assert answer.status_code == 400
    assert sentence in answer.text
    assert FORM["password"] not in answer.text
    assert accounts.all_accounts(ctx) == []


def test_what_was_typed_cannot_become_markup(client: TestClient) -> None:
    answer = client.post(PATH, data=FORM | {"email": '"><img src=x>', "password": "short"})
    assert "<img" not in answer.text
    assert "&lt;img" in answer.text


def test_a_huge_form_and_a_strange_one_are_refused(client: TestClient) -> None:
    assert client.post(PATH, content=b"x" * 20_000).status_code == 413
    assert error_of(client.post(PATH, content=b"\xff\xfe%zz&&==")) == (400, "SKY1000")


def test_two_at_once_open_one_account(ctx: ServiceContext) -> None:
    from concurrent.futures import ThreadPoolExecutor

    def try_it(number: int) -> Any:
        return accounts.add_first_account(ctx, f"person-{number}@example.org", "A", "B", "correct horse battery")

    with ThreadPoolExecutor(8) as pool:
        opened = [one for one in pool.map(try_it, range(8)) if one is not None]
    assert len(opened) == len(accounts.all_accounts(ctx)) == 1


def test_a_server_that_printed_no_link_has_no_such_page(app: Any) -> None:
    with TestClient(app) as plain:
        assert plain.get(PATH, params={"token": ""}).status_code == 404
