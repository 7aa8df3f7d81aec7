"""Tokens that are not what they claim to be: none of them lets anybody in."""

import base64
import hmac
import json
from collections.abc import Callable
from typing import Any

import pytest
from joserfc import jwk, jwt
from tests.real_parts.scripted_provider import CLIENT, Claims, ScriptedProvider, new_key
from tests.server.oidc.browser import Browser

from skyshelf.service.context import ServiceContext

LONG_AGO, FAR = 1_000_000_000, 4_000_000_000


def encoded(part: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode()


@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "https://evil.example"},
        {"iss": None},
        {"aud": "somebody-else"},
        {"aud": None},
        {"aud": []},
        {"aud": [CLIENT, "another"]},
        {"aud": [CLIENT, "another"], "azp": "another"},
        {"azp": "another"},
        {"nonce": "of another login"},
        {"nonce": None},
        {"nonce": 7},
        {"exp": LONG_AGO},
        {"exp": None},
        {"exp": "tomorrow"},
        {"exp": True},
        {"iat": LONG_AGO},
        {"iat": FAR},
        {"iat": None},
        {"nbf": FAR},
        {"sub": None},
        {"sub": ""},
        {"sub": "a" * 300},
        {"sub": "a\x00b"},
        {"sub": 7},
        {"events": {"http://schemas.openid.net/event/backchannel-logout": {}}},
        {"at_hash": "of another access token"},
    ],
)
def test_a_token_with_a_wrong_claim_is_refused(browser: Browser, provider: ScriptedProvider, claims: Claims) -> None:
    provider.claims = claims
    assert browser.outcome() == "refused"


def test_a_token_for_several_is_accepted_if_it_was_issued_to_us(browser: Browser, provider: ScriptedProvider) -> None:
    provider.claims = {"aud": [CLIENT, "another"], "azp": CLIENT}
    assert browser.outcome() == "done"


def unsigned(provider: ScriptedProvider) -> Callable[[Claims], str]:
    return lambda claims: f"{encoded({'alg': 'none'})}.{encoded(claims)}."


def signed_with_the_public_key(provider: ScriptedProvider) -> Callable[[Claims], str]:
    """A server that takes the algorithm from the token would verify this with what everybody knows."""
    public = provider.key.as_pem(private=False)

    def sign(claims: Claims) -> str:
        # Libraries refuse to do this.
        content = f"{encoded({'alg': 'HS256', 'kid': provider.key.kid})}.{encoded(claims)}"
        mac = hmac.digest(public, content.encode(), "sha256")
        return f"{content}.{base64.urlsafe_b64encode(mac).rstrip(b'=').decode()}"

    return sign


def signed_with_the_client_secret(provider: ScriptedProvider) -> Callable[[Claims], str]:
    secret = jwk.OctKey.import_key(b"s" * 32)
    return lambda claims: jwt.encode({"alg": "HS256"}, claims, secret)


def signed_by_somebody_else(provider: ScriptedProvider) -> Callable[[Claims], str]:
    other = new_key(provider.key.kid or "")
    return lambda claims: jwt.encode({"alg": "RS256", "kid": provider.key.kid}, claims, other)


def with_its_own_key(provider: ScriptedProvider) -> Callable[[Claims], str]:
    """The key that verifies it comes along, as if that proved anything."""
    other = new_key("mine")
    header = {"alg": "RS256", "kid": "mine", "jwk": other.as_dict(private=False)}
    return lambda claims: jwt.encode(header, claims, other)


def changed_afterwards(provider: ScriptedProvider) -> Callable[[Claims], str]:
    def sign(claims: Claims) -> str:
        head, _, signature = provider.signed(claims).split(".")
        return f"{head}.{encoded({**claims, 'sub': 'boss'})}.{signature}"

    return sign


def no_token(provider: ScriptedProvider) -> Callable[[Claims], str]:
    return lambda claims: "no token at all"


def huge(provider: ScriptedProvider) -> Callable[[Claims], str]:
    return lambda claims: provider.signed({**claims, "more": "x" * 100_000})


def nested(provider: ScriptedProvider) -> Callable[[Claims], str]:
    deep = base64.urlsafe_b64encode(b"[" * 20_000).rstrip(b"=").decode()
    return lambda claims: f"{deep}.{encoded(claims)}.x"


@pytest.mark.parametrize(
    "way",
    [
        unsigned,
        signed_with_the_public_key,
        signed_with_the_client_secret,
        signed_by_somebody_else,
        with_its_own_key,
        changed_afterwards,
        no_token,
        huge,
        nested,
    ],
)
def test_a_token_that_the_provider_has_not_signed_is_refused(
    browser: Browser,
    provider: ScriptedProvider,
    ctx: ServiceContext,
    way: Callable[[ScriptedProvider], Callable[[Claims], str]],
) -> None:
    provider.sign = way(provider)
    assert browser.outcome() == "refused"
    assert browser.finish().status_code == 403


def test_a_new_key_is_fetched_and_an_unknown_one_at_most_once_a_minute(
    browser: Browser, provider: ScriptedProvider
) -> None:
    assert browser.outcome() == "done"
    fresh = new_key("two")
    provider.published, provider.key = [provider.key, fresh], fresh
    assert browser.outcome() == "done"
    assert provider.asked.count("/jwks") == 2
    provider.key = new_key("three")
    for _ in range(5):
        assert browser.outcome() == "refused"
    assert provider.asked.count("/jwks") == 2


def test_a_token_without_the_name_of_its_key_is_verified_by_the_only_one(
    browser: Browser, provider: ScriptedProvider
) -> None:
    provider.sign = lambda claims: jwt.encode({"alg": "RS256"}, claims, provider.key)
    assert browser.outcome() == "done"


@pytest.mark.parametrize(("algorithm", "curve"), [("ES256", "P-256"), ("ES384", "P-384"), ("PS256", None)])
def test_other_signatures_with_a_private_key_count(
    browser: Browser, provider: ScriptedProvider, algorithm: str, curve: str | None
) -> None:
    provider.discovery = {"id_token_signing_alg_values_supported": [algorithm]}
    if curve is not None:
        own = jwk.ECKey.generate_key(curve, {"kid": "curve", "use": "sig"}, private=True)
        provider.published.append(own)  # type: ignore[arg-type]
        provider.sign = lambda claims: jwt.encode(
            {"alg": algorithm, "kid": "curve"}, claims, own, algorithms=[algorithm]
        )
    else:
        provider.sign = lambda claims: jwt.encode(
            {"alg": algorithm, "kid": provider.key.kid}, claims, provider.key, algorithms=[algorithm]
        )
    assert browser.outcome() == "done"


def test_the_userinfo_endpoint_describes_the_same_person(browser: Browser, provider: ScriptedProvider) -> None:
    provider.claims = {"email": None}
    provider.userinfo = {"sub": "boss", "email": "boss@example.org", "email_verified": True}
    assert browser.outcome() == "refused"
