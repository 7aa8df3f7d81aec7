"""Tokens of a provider: the signature first, then every claim that decides whether it is meant for us, now and once."""

import base64
import binascii
import hmac
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from skyshelf.service.oidc.discovery import ALGORITHMS
from skyshelf.service.oidc.errors import TokenRefused
from skyshelf.service.oidc.settings import Provider

FindKey = Callable[[str, object], dict[str, Any]]
LOGOUT_EVENT: Final = "http://schemas.openid.net/event/backchannel-logout"
TOKEN_BYTES_MAX: Final = 64 * 1024
TEXT_MAX: Final = 255
LEEWAY_SECONDS: Final = 60
"""How far the clocks of the provider and of this server may be apart."""
AGE_SECONDS_MAX: Final = 10 * 60
"""A token that was issued earlier was not made for the login or logout that is under way."""


class LogoutToken(msgspec.Struct, frozen=True):
    """Whose sessions end: those of the subject, of the provider's session, or of both together."""

    subject: str
    sid: str
    token_id: str
    expires_at: int
    """Seconds; until then it must not count again."""


def id_token_claims(token: str, find_key: FindKey, provider: Provider, *, nonce: str, now: float) -> dict[str, Any]:
    """The claims of an ID token that answers our own request; TokenRefused for any other."""
    header, claims = _verified(token, find_key)
    if "events" in claims or header.get("typ") == "logout+jwt":
        raise TokenRefused("the token is no ID token")
    _check_common(claims, provider, now)
    _check_time(claims.get("exp"), "exp", lambda exp: exp > now - LEEWAY_SECONDS, "has expired")
    given = claims.get("nonce")
    if not isinstance(given, str) or not hmac.compare_digest(given.encode("utf-8", "replace"), nonce.encode()):
        raise TokenRefused("the token answers another request (nonce)")
    text_claim(claims, "sub")
    return claims


def logout_token(token: str, find_key: FindKey, provider: Provider, *, now: float) -> LogoutToken:
    """A logout token; TokenRefused for what is none, is for somebody else, or is too old."""
    _, claims = _verified(token, find_key)
    _check_common(claims, provider, now)
    events = claims.get("events")
    if not isinstance(events, Mapping) or not isinstance(events.get(LOGOUT_EVENT), Mapping):
        raise TokenRefused("the token is no logout token (events)")
    if "nonce" in claims:
        raise TokenRefused("a logout token must not have a nonce")
    expires = now + AGE_SECONDS_MAX + 2 * LEEWAY_SECONDS
    if "exp" in claims:
        _check_time(claims["exp"], "exp", lambda exp: exp > now - LEEWAY_SECONDS, "has expired")
        expires = max(expires, claims["exp"] + LEEWAY_SECONDS) if claims["exp"] < now + 24 * 3600 else expires
    subject = text_claim(claims, "sub") if "sub" in claims else ""
    sid = text_claim(claims, "sid") if "sid" in claims else ""
    if not subject and not sid:
        raise TokenRefused("the logout token names neither a subject nor a session")
    return LogoutToken(subject, sid, text_claim(claims, "jti"), int(expires))


def text_claim(claims: Mapping[str, Any], name: str) -> str:
    """A claim that identifies something, as the provider spells it."""
    value = claims.get(name)
    if not isinstance(value, str) or not value or len(value) > TEXT_MAX or not value.isprintable():
        raise TokenRefused(f"the token has no usable {name}")
    return value


def _verified(token: str, find_key: FindKey) -> tuple[dict[str, Any], dict[str, Any]]:
    """Header and claims, if one of the provider's keys has signed them."""
    # Most servers have no provider, and none needs these at its start.
    from joserfc import jwt
    from joserfc.errors import JoseError
    from joserfc.jwk import JWKRegistry

    header = _header(token)
    algorithm = header.get("alg")
    if not isinstance(algorithm, str) or algorithm not in ALGORITHMS:
        raise TokenRefused("the token is not signed with an algorithm that is accepted")
    key = find_key(algorithm, header.get("kid"))
    try:
        public = {name: value for name, value in key.items() if name not in _PRIVATE}
        decoded = jwt.decode(token, JWKRegistry.import_key(public), algorithms=[algorithm])
    except (JoseError, ValueError, TypeError, KeyError) as wrong:
        raise TokenRefused(f"the signature of the token is wrong ({type(wrong).__name__})") from None
    if not isinstance(decoded.claims, dict):
        raise TokenRefused("the token has no claims")
    return header, decoded.claims


_PRIVATE: Final = frozenset({"d", "p", "q", "dp", "dq", "qi", "oth", "k", "use", "key_ops"})


def _header(token: str) -> dict[str, Any]:
    if len(token) > TOKEN_BYTES_MAX or token.count(".") != 2:
        raise TokenRefused("the token is not a signed token")
    part = token.partition(".")[0]
    try:
        found = msgspec.json.decode(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except (binascii.Error, ValueError, msgspec.DecodeError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise TokenRefused("the token is not a signed token")
    return found


def _check_common(claims: Mapping[str, Any], provider: Provider, now: float) -> None:
    if claims.get("iss") != provider.issuer:
        raise TokenRefused("the token comes from another issuer")
    audience = claims.get("aud")
    audiences = audience if isinstance(audience, list) else [audience]
    if provider.client_id not in audiences:
        raise TokenRefused("the token is for another client (aud)")
    authorized = claims.get("azp")
    if (len(audiences) > 1 or authorized is not None) and authorized != provider.client_id:
        raise TokenRefused("the token was issued to another client (azp)")
    _check_time(
        claims.get("iat"),
        "iat",
        lambda at: now - AGE_SECONDS_MAX - LEEWAY_SECONDS < at < now + LEEWAY_SECONDS,
        "was not issued just now: compare the clocks of both servers",
    )
    if "nbf" in claims:
        _check_time(claims["nbf"], "nbf", lambda at: at < now + LEEWAY_SECONDS, "is not valid yet")


def _check_time(value: object, name: str, is_right: Callable[[float], bool], otherwise: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TokenRefused(f"the token has no usable {name}")
    if not is_right(value):
        raise TokenRefused(f"the token {otherwise} ({name})")
