"""Identities of an account: linking with the password, unlinking, and accounts that have no password."""

from typing import Any

import httpx2
import pytest
from tests.real_parts.scripted_provider import ScriptedProvider
from tests.server.api import PASSWORD, HeldClock, error_of, new_account
from tests.server.oidc.browser import HEADERS, Browser, outcome_in
from tests.server.oidc.test_logins import account_of, kinds_of

from skyshelf.service.context import ServiceContext
from skyshelf.service.identity import links
from skyshelf.storage.metadata.contracts.accounts import Account


@pytest.fixture
def account(browser: Browser, ctx: ServiceContext) -> Account:
    """Somebody with a password, in the same browser."""
    account = new_account(ctx, "grace@example.org")
    body = {"emailId": account.email, "password": PASSWORD, "inCookie": True}
    assert browser.client.post("/x/v1/login", json=body, headers=HEADERS).status_code == 200
    return account


def begin(browser: Browser, password: str = PASSWORD, provider: str = "company") -> httpx2.Response:
    body = {"provider": provider, "password": password}
    answer: httpx2.Response = browser.client.post("/x/v1/identities/begin", json=body, headers=HEADERS)
    return answer


def call(browser: Browser, path: str, **body: Any) -> httpx2.Response:
    answer: httpx2.Response = browser.client.post(path, json=body, headers=HEADERS)
    return answer


def link(browser: Browser) -> httpx2.Response:
    answer = begin(browser)
    assert answer.json()["url"] == "http://testserver/oidc/company/login?link=1"
    page = browser.come_back(browser.provider.authorize(browser.begin(link="1")))
    assert page == "/drive/settings?link=done"
    return call(browser, "/x/v1/identities")


def test_an_identity_is_linked_used_and_unlinked(browser: Browser, account: Account, ctx: ServiceContext) -> None:
    before = browser.client.get("/x/v1/identities", headers=HEADERS).json()
    assert before == {"hasPassword": True, "identities": [], "providers": [{"id": "company", "name": "Company"}]}
    found = link(browser).json()
    (identity,) = found["identities"]
    assert (identity["providerName"], identity["emailId"], found["providers"]) == ("Company", "ada@example.org", [])
    assert browser.another().log_in().json()["userId"] == account.account_key
    gone = call(browser, "/x/v1/identities/unlink", issuer=browser.provider.issuer).json()
    assert gone == before
    assert error_of(call(browser, "/x/v1/identities/unlink", issuer=browser.provider.issuer)) == (404, "SKY2033")
    assert [kind for kind in kinds_of(ctx) if kind.startswith("identity")] == ["identity.linked", "identity.unlinked"]


def test_a_link_takes_the_password_and_a_permit_of_this_browser(browser: Browser, account: Account) -> None:
    assert error_of(begin(browser, "wrong")) == (403, "SKY2004")
    assert error_of(begin(browser, provider="nobody")) == (404, "SKY2030")
    assert outcome_in(browser.begin(link="1"), "link") == "ended"
    assert begin(browser).status_code == 200
    assert outcome_in(browser.another().begin(link="1"), "link") == "ended"


def test_a_link_is_for_the_account_that_began_it(browser: Browser, account: Account, ctx: ServiceContext) -> None:
    begin(browser)
    browser.come_back(browser.provider.authorize(browser.begin(link="1")))
    other = new_account(ctx, "mallory@example.org")
    body = {"emailId": other.email, "password": PASSWORD, "inCookie": True}
    browser.client.post("/x/v1/login", json=body, headers=HEADERS)
    assert error_of(call(browser, "/x/v1/identities")) == (403, "SKY2031")
    # Nor is it a login.
    assert error_of(browser.finish()) == (403, "SKY2031")


def test_an_identity_of_somebody_else_is_not_taken(browser: Browser, account: Account) -> None:
    somebody = browser.another()
    assert somebody.log_in().status_code == 200
    assert error_of(link(browser)) == (409, "SKY2032")


def test_the_last_way_in_stays(browser: Browser, ctx: ServiceContext) -> None:
    browser.log_in()
    assert browser.client.get("/x/v1/identities", headers=HEADERS).json()["hasPassword"] is False
    assert error_of(call(browser, "/x/v1/identities/unlink", issuer=browser.provider.issuer)) == (409, "SKY2034")
    assert browser.another().log_in().status_code == 200


def test_without_a_password_a_fresh_login_through_the_provider_confirms(
    browser: Browser, provider: ScriptedProvider, clock: HeldClock
) -> None:
    browser.log_in()
    made = call(browser, "/x/v1/app-passwords", name="Phone", password="-")
    assert made.status_code == 201, made.text
    clock.advance(minutes=16)
    assert error_of(call(browser, "/x/v1/app-passwords", name="Phone", password="-")) == (403, "SKY2035")
    browser.log_in()
    assert call(browser, "/x/v1/account/deletion", password="-").status_code == 200


def test_a_password_is_always_looked_at_where_there_is_one(browser: Browser, account: Account) -> None:
    link(browser)
    somebody = browser.another()
    somebody.log_in()
    assert error_of(call(somebody, "/x/v1/app-passwords", name="Phone", password="-")) == (403, "SKY2004")


def test_an_operator_unlinks_and_ends_the_sessions_from_there(browser: Browser, ctx: ServiceContext) -> None:
    browser.log_in()
    account = account_of(ctx)
    assert links.unlink_for_operator(ctx, account, browser.provider.issuer)
    assert not links.unlink_for_operator(ctx, account, browser.provider.issuer)
    assert browser.profile().status_code == 401


def test_nobody_without_a_password_gets_one_by_mail(browser: Browser, ctx: ServiceContext) -> None:
    from skyshelf.service.mail.outgoing import _account

    browser.log_in()
    assert _account(ctx, "new-password", "ada@example.org") is None
    assert _account(ctx, "alarm", "ada@example.org") is not None
    assert _account(ctx, "new-password", new_account(ctx, "b@example.org").email) is not None
