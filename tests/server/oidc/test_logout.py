"""Back-channel logout: the provider ends the sessions that came from it, and nobody else can."""

from collections.abc import Callable
from typing import Any

import httpx2
import pytest
from tests.real_parts.scripted_provider import Claims, ScriptedProvider, new_key
from tests.server.api import logged_in, new_account
from tests.server.in_process import TestClient
from tests.server.oidc.browser import Browser
from tests.server.oidc.test_hostile_tokens import (
    signed_with_the_client_secret,
    signed_with_the_public_key,
    unsigned,
    with_its_own_key,
)
from tests.server.oidc.test_logins import kinds_of

from skyshelf.service.context import ServiceContext

LONG_AGO = 1_000_000_000


def log_out(browser: Browser, token: str) -> httpx2.Response:
    answer: httpx2.Response = browser.another().client.post("/oidc/company/logout", data={"logout_token": token})
    return answer


def test_the_sessions_of_one_session_there_end(
    browser: Browser, provider: ScriptedProvider, ctx: ServiceContext
) -> None:
    provider.claims = {"sid": "first"}
    browser.log_in()
    other = browser.another()
    provider.claims = {"sid": "second"}
    other.log_in()
    answer = log_out(browser, provider.logout_token(sid="first"))
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
    assert browser.profile().status_code == 401
    assert other.profile().status_code == 200
    assert kinds_of(ctx)[-1] == "logout.by-provider"
    assert ctx.provider_counts.take()["company", "logout"] == 1


def test_all_sessions_of_a_person_end_and_those_of_a_password_go_on(
    browser: Browser, provider: ScriptedProvider, ctx: ServiceContext
) -> None:
    browser.log_in()
    stranger = logged_in(browser.another().client, ctx, new_account(ctx, "other@example.org"))
    assert log_out(browser, provider.logout_token(sub="ada")).status_code == 200
    assert browser.profile().status_code == 401
    assert stranger.get("/security/users").status_code == 200
    # Nobody is logged in there any more; that is fine, too.
    assert log_out(browser, provider.logout_token(sub="ada")).status_code == 200


def test_a_renewed_session_ends_as_well(browser: Browser, provider: ScriptedProvider, ctx: ServiceContext) -> None:
    browser.log_in()
    name, value = next((name, value) for name, value in browser.client.cookies.items() if "session" in name)
    user, device, token = value.split(":", 2)
    renewed = browser.client.post(
        "/account/token/refresh",
        json={"refreshToken": _refresh_token(token)},
        headers={"content-type": "application/json"},
    )
    assert renewed.status_code == 200, renewed.text
    browser.client.cookies.set(name, f"{user}:{device}:{renewed.json()['authToken']}")
    assert browser.profile().status_code == 200
    log_out(browser, provider.logout_token(sub="ada"))
    assert browser.profile().status_code == 401


def _refresh_token(token: str) -> str:
    import base64

    return base64.b64encode(base64.b64decode(token).replace(b"#ATK#", b"#RTK#")).decode()


@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "https://evil.example"},
        {"aud": "another"},
        {"events": None},
        {"events": {}},
        {"events": ["http://schemas.openid.net/event/backchannel-logout"]},
        {"nonce": "x"},
        {"iat": LONG_AGO},
        {"iat": None},
        {"exp": LONG_AGO},
        {"jti": None},
        {"jti": ""},
        {"sub": None},
        {"sub": "a\x00"},
    ],
)
def test_a_token_with_a_wrong_claim_ends_nothing(
    browser: Browser, provider: ScriptedProvider, claims: dict[str, Any]
) -> None:
    browser.log_in()
    answer = log_out(browser, provider.logout_token(**{"sub": "ada", **claims}))
    assert (answer.status_code, answer.headers["cache-control"]) == (400, "no-store")
    assert browser.profile().status_code == 200


def test_a_token_counts_once(browser: Browser, provider: ScriptedProvider) -> None:
    browser.log_in()
    token = provider.logout_token(sub="ada")
    assert log_out(browser, token).status_code == 200
    browser.log_in()
    assert log_out(browser, token).status_code == 400
    assert browser.profile().status_code == 200


def test_nobody_else_can_sign_one(browser: Browser, provider: ScriptedProvider) -> None:
    browser.log_in()
    own, provider.key = provider.key, new_key(provider.key.kid or "")
    token = provider.logout_token(sub="ada")
    provider.key = own
    for wrong in (token, "", "x.y.z", provider.id_token("nonce")):
        assert log_out(browser, wrong).status_code == 400
    assert browser.profile().status_code == 200


@pytest.mark.parametrize("way", [unsigned, signed_with_the_public_key, signed_with_the_client_secret, with_its_own_key])
def test_a_forged_one_ends_nothing(
    browser: Browser, provider: ScriptedProvider, way: Callable[[ScriptedProvider], Callable[[Claims], str]]
) -> None:
    browser.log_in()
    provider.sign = way(provider)
    assert log_out(browser, provider.logout_token(sub="ada")).status_code == 400
    assert browser.profile().status_code == 200


def test_a_flood_of_forged_ones_is_throttled_and_does_not_keep_the_provider_out(
    browser: Browser, provider: ScriptedProvider, ctx: ServiceContext
) -> None:
    """They cost the provider one more request for its keys, and the audit trail nothing."""
    browser.log_in()
    events = kinds_of(ctx)
    own, provider.key = provider.key, new_key("nobody's")
    forged = [provider.logout_token(sub="ada", jti=f"forged {number}") for number in range(50)]
    provider.key = own
    flood = TestClient(browser.client.app, client=("203.0.113.9", 4000))
    answers = [flood.post("/oidc/company/logout", data={"logout_token": token}) for token in forged]
    assert [answer.status_code for answer in answers[-20:]] == [429] * 20
    assert int(answers[-1].headers["retry-after"]) > 0
    assert provider.asked.count("/jwks") <= 2
    assert kinds_of(ctx) == events
    assert log_out(browser, provider.logout_token(sub="ada")).status_code == 200
    assert browser.profile().status_code == 401


def test_forms_are_bounded(browser: Browser) -> None:
    assert browser.client.post("/oidc/company/logout", content=b"x" * 200_000).status_code == 413
    assert browser.client.post("/oidc/company/logout", json={"logout_token": "x"}).status_code == 415
    assert browser.client.get("/oidc/company/logout").status_code == 405
