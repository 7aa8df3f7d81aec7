"""Logins through a provider, as far as a server and a provider see them."""

import base64
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.real_parts.scripted_provider import CLIENT, SECRET, ScriptedProvider, send
from tests.server import second_factors
from tests.server.api import HeldClock, error_of, logged_in, new_account
from tests.server.oidc.browser import HEADERS, Browser, outcome_in

from skyshelf.service.accounts import accounts
from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.audit_events import AuditFilter
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.read_only import ReadOnly, switch_off, switch_on

GIB = 2**30


def account_of(ctx: ServiceContext, email: str = "ada@example.org") -> Account:
    with ctx.metadata.read() as unit:
        return unit.accounts.by_email(email)


def kinds_of(ctx: ServiceContext) -> list[str]:
    ctx.trail.flush(ctx.metadata)
    with ctx.metadata.read() as unit:
        return [one.kind for one in reversed(unit.audit.newest(AuditFilter(), limit=100))]


def test_somebody_new_gets_an_account_and_a_session_in_a_cookie(browser: Browser, ctx: ServiceContext) -> None:
    page = browser.come_back(browser.provider.authorize(browser.begin("/drive/photos?sort=new")))
    assert page == "/drive/photos?sort=new&login=done"
    answer = browser.finish(deviceName="Laptop")
    assert answer.status_code == 200, answer.text
    assert "authToken" not in answer.json()
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert browser.profile().json()["emailId"] == "ada@example.org"
    account = account_of(ctx)
    assert (account.first_name, account.last_name, account.password_hash) == ("Ada", "Byron", "")
    assert kinds_of(ctx) == ["account.added", "identity.linked", "login"]
    assert browser.log_in().json()["userId"] == account.account_key


def test_the_attempt_is_kept_in_a_cookie_that_comes_back_from_another_site(browser: Browser) -> None:
    answer = browser.client.get("/oidc/company/login")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly; SameSite=Lax" in cookie
    assert "Path=/oidc;" in cookie
    assert answer.headers["referrer-policy"] == "no-referrer"
    query = parse_qs(urlsplit(answer.headers["location"]).query)
    assert query["scope"] == ["openid email profile"]
    assert query["redirect_uri"] == ["http://testserver/oidc/company/callback"]
    # Nothing in the address opens the cookie, or follows from it without the server's key.
    assert len({query["state"][0], query["nonce"][0], query["code_challenge"][0]}) == 3


def test_the_client_shows_its_secret_as_the_provider_wants_it(browser: Browser, provider: ScriptedProvider) -> None:
    browser.log_in()
    assert provider.auth[0].startswith("Basic ")
    assert base64.b64decode(provider.auth[0][6:]).decode() == f"{CLIENT}:s3cret%3A%2B%2F%C3%BC"


def test_the_client_can_send_its_secret_in_the_form(browser: Browser, provider: ScriptedProvider) -> None:
    provider.discovery = {"token_endpoint_auth_methods_supported": ["client_secret_post"]}
    browser.log_in()
    assert provider.auth[0] == f"post {SECRET}"


def test_what_is_not_in_the_token_is_asked_for(
    browser: Browser, provider: ScriptedProvider, ctx: ServiceContext
) -> None:
    provider.claims = dict.fromkeys(("email", "email_verified", "given_name", "family_name"))
    provider.userinfo = {"email": "ada@example.org", "email_verified": True, "name": "Ada Augusta King"}
    browser.log_in()
    assert provider.auth[-1] == "Bearer an access token"
    assert (account_of(ctx).first_name, account_of(ctx).last_name) == ("Ada", "Augusta King")


def test_the_address_of_the_token_is_not_verified_by_another_one_elsewhere(
    browser: Browser, provider: ScriptedProvider
) -> None:
    provider.claims = {"email": "boss@example.org", "email_verified": None}
    provider.userinfo = {"email": "ada@example.org", "email_verified": True}
    assert error_of(browser.log_in()) == (403, "SKY2038")


# Accounts


@pytest.mark.parametrize("verified", [False, None, "false", 1, "yes"])
def test_an_address_that_is_not_verified_finds_and_makes_no_account(
    browser: Browser, provider: ScriptedProvider, ctx: ServiceContext, verified: object
) -> None:
    provider.claims = {"email_verified": verified}
    assert error_of(browser.log_in()) == (403, "SKY2038")
    new_account(ctx, "ada@example.org")
    assert error_of(browser.log_in()) == (403, "SKY2038")


@pytest.mark.parametrize("chosen", [{"new_accounts": True, "trust_email": True}])
def test_an_operator_may_trust_addresses_about_which_the_provider_says_nothing(
    browser: Browser, provider: ScriptedProvider
) -> None:
    provider.claims = {"email_verified": None}
    assert browser.log_in().status_code == 200
    provider.claims = {"sub": "another", "email": "another@example.org", "email_verified": False}
    assert error_of(browser.log_in()) == (403, "SKY2038")


@pytest.mark.parametrize("chosen", [{}])
def test_without_new_accounts_only_those_come_in_who_have_one(browser: Browser, ctx: ServiceContext) -> None:
    assert error_of(browser.log_in()) == (403, "SKY2037")
    assert not accounts.has_accounts(ctx)


@pytest.mark.parametrize("chosen", [{"new_accounts": True}])
def test_an_address_that_is_taken_is_not_linked_unless_the_operator_wants_that(
    browser: Browser, ctx: ServiceContext
) -> None:
    new_account(ctx, "ADA@example.org")
    assert error_of(browser.log_in()) == (403, "SKY2039")
    assert "identity.linked" not in kinds_of(ctx)


@pytest.mark.parametrize("chosen", [{"link_by_email": True}])
def test_a_verified_address_is_linked_once_and_to_one_identity_of_the_provider(
    browser: Browser, provider: ScriptedProvider, ctx: ServiceContext
) -> None:
    account = new_account(ctx, "ADA@example.org")
    assert browser.log_in().json()["userId"] == account.account_key
    # From now on the identity counts, and not its address.
    provider.claims = {"email": "new@example.org", "email_verified": False}
    assert browser.log_in().json()["userId"] == account.account_key
    provider.claims = {"sub": "somebody else"}
    assert error_of(browser.log_in()) == (409, "SKY2032")


@pytest.mark.parametrize("chosen", [{"link_by_email": True}])
def test_an_account_is_linked_by_its_address_only_after_its_second_factor(
    browser: Browser, ctx: ServiceContext
) -> None:
    account = new_account(ctx, "ada@example.org")
    api = logged_in(browser.another().client, ctx, account)
    phone, _ = second_factors.turned_on(api)
    assert browser.outcome() == "done"
    assert error_of(browser.finish()) == (401, "SKY2005")
    assert error_of(browser.finish(code="000000")) == (401, "SKY2006")
    with ctx.metadata.read() as unit:
        assert unit.identities.of_account(account.account_id) == []
    assert browser.finish(code=phone.code()).status_code == 200
    with ctx.metadata.read() as unit:
        assert len(unit.identities.of_account(account.account_id)) == 1
    assert "second-factor.failed" in kinds_of(ctx)


@pytest.mark.parametrize("chosen", [{"link_by_email": True, "mfa_amr": ("mfa",), "mfa_acr": ("gold",)}])
def test_a_second_factor_at_the_provider_counts_where_the_operator_says_so(
    browser: Browser, provider: ScriptedProvider, ctx: ServiceContext
) -> None:
    api = logged_in(browser.another().client, ctx, new_account(ctx, "ada@example.org"))
    second_factors.turned_on(api)
    for claims in ({"amr": ["pwd", "otp"]}, {"amr": "mfa "}, {"acr": "silver"}, {"acr": ["gold"]}):
        provider.claims = claims
        assert error_of(browser.log_in()) == (401, "SKY2005")
    for claims in ({"amr": ["pwd", "mfa"]}, {"acr": "gold"}):
        provider.claims = claims
        assert browser.log_in().status_code == 200
    assert parse_qs(urlsplit(browser.begin()).query)["acr_values"] == ["gold"]


def test_disabled_and_removed_accounts_stay_out(browser: Browser, ctx: ServiceContext) -> None:
    browser.log_in()
    account = account_of(ctx)
    accounts.disable(ctx, account)
    assert browser.profile().status_code == 401
    assert error_of(browser.log_in()) == (403, "SKY2029")
    accounts.enable(ctx, account)
    assert browser.log_in().status_code == 200


@pytest.mark.parametrize("chosen", [{"link_by_email": True}])
def test_in_read_only_mode_people_log_in_and_nobody_is_linked(browser: Browser, ctx: ServiceContext) -> None:
    new_account(ctx, "ada@example.org")
    assert browser.outcome() == "done"
    switch_on(ctx.metadata, ReadOnly("we move", 1))
    assert error_of(browser.finish()) == (503, "SKY5005")
    switch_off(ctx.metadata)
    assert browser.finish().status_code == 200
    switch_on(ctx.metadata, ReadOnly("we move", 1))
    assert browser.log_in().status_code == 200


# Groups


OF_GROUPS: dict[str, Any] = {
    "new_accounts": True,
    "allowed_groups": ("staff", "students"),
    "admin_groups": ("admins",),
    "quotas": {"staff": 500 * GIB, "students": 20 * GIB},
}


@pytest.mark.parametrize("chosen", [OF_GROUPS])
def test_groups_decide_at_every_login(browser: Browser, provider: ScriptedProvider, ctx: ServiceContext) -> None:
    provider.claims = {"groups": ["students", "staff", "admins", 7, None]}
    browser.log_in()
    assert (account_of(ctx).default_space, account_of(ctx).is_operator) == (500 * GIB, True)
    accounts.set_operator(ctx, new_account(ctx, "other@example.org"), is_operator=True)
    provider.claims = {"groups": "students"}
    browser.log_in()
    assert (account_of(ctx).default_space, account_of(ctx).is_operator) == (20 * GIB, False)
    assert {"account.quota-set", "account.operator-revoked"} <= set(kinds_of(ctx))
    for groups in ([], ["guests"], None, {"staff": True}):
        provider.claims = {"groups": groups}
        assert browser.outcome() == "group"
    # The session from before goes on until the provider ends it.
    assert browser.profile().status_code == 200


@pytest.mark.parametrize("chosen", [OF_GROUPS])
def test_the_last_operator_stays_one(browser: Browser, provider: ScriptedProvider, ctx: ServiceContext) -> None:
    provider.claims = {"groups": ["staff", "admins"]}
    browser.log_in()
    provider.claims = {"groups": ["staff"]}
    assert browser.log_in().status_code == 200
    assert account_of(ctx).is_operator


@pytest.mark.parametrize("chosen", [{**OF_GROUPS, "groups_claim": "realm_access.roles"}])
def test_groups_may_be_deeper_and_elsewhere(browser: Browser, provider: ScriptedProvider) -> None:
    assert browser.outcome() == "group"
    provider.userinfo = {"realm_access": {"roles": ["staff"]}}
    assert browser.outcome() == "done"


@pytest.mark.parametrize("chosen", [{"new_accounts": True, "allowed_domains": ("example.org",)}])
def test_only_verified_addresses_of_allowed_domains_come_in(browser: Browser, provider: ScriptedProvider) -> None:
    assert browser.outcome() == "done"
    for email in ("ada@example.com", "ada@sub.example.org", "ada@example.org.evil.net", "example.org", ""):
        provider.claims = {"email": email}
        assert browser.outcome() in {"domain", "unverified"}, email
    provider.claims = {"email_verified": False}
    assert browser.outcome() == "unverified"


@pytest.mark.parametrize("chosen", [{"new_accounts": True, "allowed_domains": ("strasse.example",)}])
def test_a_domain_that_only_folds_to_an_allowed_one_is_another(browser: Browser, provider: ScriptedProvider) -> None:
    provider.claims = {"email": "ada@straße.example"}
    assert browser.outcome() == "domain"
    provider.claims = {"email": "ada@STRASSE.example"}
    assert browser.outcome() == "done"


@pytest.mark.parametrize("chosen", [{"new_accounts": True, "link_by_email": True}])
def test_an_address_that_only_folds_to_that_of_an_account_is_another(
    browser: Browser, provider: ScriptedProvider, ctx: ServiceContext
) -> None:
    account = new_account(ctx, "ada@strasse.example")
    provider.claims = {"email": "ada@straße.example"}
    assert error_of(browser.log_in()) == (403, "SKY2039")
    with ctx.metadata.read() as unit:
        assert unit.identities.of_account(account.account_id) == []
    provider.claims = {"email": "ADA@strasse.example"}
    assert browser.log_in().status_code == 200


# States and tickets


def test_an_answer_counts_once(browser: Browser, provider: ScriptedProvider) -> None:
    answer = provider.authorize(browser.begin())
    cookies = dict(browser.client.cookies)
    assert outcome_in(browser.come_back(answer)) == "done"
    browser.client.cookies.update(cookies)
    assert outcome_in(browser.come_back(answer)) == "ended"
    assert provider.asked.count("/token") == 1


def test_an_answer_counts_in_the_browser_that_began(browser: Browser, provider: ScriptedProvider) -> None:
    answer = provider.authorize(browser.begin())
    assert outcome_in(browser.another().come_back(answer)) == "ended"
    assert outcome_in(browser.come_back({**answer, "state": answer["state"][::-1]})) == "ended"
    assert outcome_in(browser.come_back({"code": answer["code"]})) == "ended"
    assert outcome_in(browser.come_back(answer)) == "done"


def test_several_tabs_log_in_at_once_and_too_many_forget_the_oldest(
    browser: Browser, provider: ScriptedProvider
) -> None:
    first, second = provider.authorize(browser.begin()), provider.authorize(browser.begin())
    assert outcome_in(browser.come_back(first)) == "done"
    assert outcome_in(browser.come_back(second)) == "done"
    for _ in range(20):
        browser.begin()
    assert len([name for name in browser.client.cookies if name.startswith("skyshelf_login_")]) <= 4


def test_an_attempt_and_its_ticket_end_after_a_while(
    browser: Browser, provider: ScriptedProvider, clock: HeldClock
) -> None:
    answer = provider.authorize(browser.begin())
    clock.advance(minutes=10)
    assert outcome_in(browser.come_back(answer)) == "ended"
    assert browser.outcome() == "done"
    clock.advance(minutes=5)
    assert error_of(browser.finish()) == (403, "SKY2031")


def test_a_ticket_counts_once_and_for_what_it_was_made(browser: Browser) -> None:
    assert browser.outcome() == "done"
    assert browser.finish().status_code == 200
    assert error_of(browser.finish()) == (403, "SKY2031")
    assert error_of(browser.another().finish()) == (403, "SKY2031")
    assert browser.outcome() == "done"
    # As a link to the account of the session it is none.
    answer = browser.client.post("/x/v1/identities", headers=HEADERS)
    assert error_of(answer) == (403, "SKY2031")
    cross = browser.client.post("/x/v1/login/provider", json={}, headers={**HEADERS, "sec-fetch-site": "cross-site"})
    assert error_of(cross) == (403, "SKY2031")


@pytest.mark.parametrize(
    "back",
    [
        "https://evil.example/drive/",
        "//evil.example/drive/",
        "/\\evil.example",
        "/drive/../../x",
        "/drivel",
        "javascript:alert(1)",
        "/drive/\r\nset-cookie: a=b",
        "/x/v1/session",
        "/drive/" + "a" * 600,
        "\u2028/drive/",
    ],
)
def test_nobody_is_sent_on_to_another_site(browser: Browser, back: str) -> None:
    page = browser.come_back(browser.provider.authorize(browser.begin(back)))
    assert page == "/drive?login=done"


def test_what_the_provider_reports_is_explained(browser: Browser, provider: ScriptedProvider) -> None:
    for error, problem in (("access_denied", "cancelled"), ("server_error", "refused"), ("<b>", "refused")):
        state = provider.authorize(browser.begin())["state"]
        assert outcome_in(browser.come_back({"error": error, "state": state})) == problem


def test_an_answer_of_another_issuer_is_refused(browser: Browser, provider: ScriptedProvider) -> None:
    answer = provider.authorize(browser.begin())
    assert outcome_in(browser.come_back({**answer, "iss": "https://evil.example"})) == "refused"
    answer = provider.authorize(browser.begin())
    assert outcome_in(browser.come_back({**answer, "iss": provider.issuer})) == "done"
    assert provider.asked.count("/token") == 1


def test_wrong_answers_are_throttled_and_counted(browser: Browser, ctx: ServiceContext) -> None:
    found = [outcome_in(browser.come_back({"state": "x", "code": "y"})) for _ in range(25)]
    assert (found[0], found[-1]) == ("ended", "throttled")
    assert ctx.provider_counts.take()["company", "ended"] == 21
    assert "login.provider-failed" in kinds_of(ctx)


def test_unknown_providers_are_not_found(browser: Browser) -> None:
    assert browser.client.get("/oidc/nobody/login").status_code == 404
    assert browser.client.get("/oidc/nobody/callback").status_code == 404
    assert browser.client.post("/oidc/nobody/logout", data={"logout_token": "x"}).status_code == 404


def test_a_provider_that_is_away_is_explained_and_asked_again_later(
    browser: Browser, provider: ScriptedProvider
) -> None:
    provider.answers["/.well-known/openid-configuration"] = lambda request: send(request, {}, 503)
    for _ in range(3):
        assert outcome_in(browser.begin()) == "unavailable"
    # The failure is remembered for a moment: nobody makes this server flood the provider.
    assert provider.asked == ["/.well-known/openid-configuration"]
