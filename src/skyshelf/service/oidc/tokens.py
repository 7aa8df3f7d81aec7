"""Tokens of a provider: the signature is checked first, then every claim that says for whom and when it was issued."""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from skyshelf.service.oidc.fetch import OidcError
from skyshelf.service.oidc.settings import Provider
from skyshelf.service.secrets import from_base64url, is_same, to_base64url

FindKey = Callable[[str, object], dict[str, Any]]
LOGOUT_EVENT: Final = "http://schemas.openid.net/event/backchannel-logout"
ALGORITHMS: Final = frozenset(
    {"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"}
)
"""Only signatures with a private key: neither none nor a shared secret."""
_HASHES: Final = frozenset({"sha256", "sha384", "sha512"})
TOKEN_BYTES_MAX: Final = 64 * 1024
TEXT_MAX: Final = 255
LEEWAY_SECONDS: Final = 60
"""Maximum difference between the clocks of the provider and this server."""
AGE_SECONDS_MAX: Final = 10 * 60
"""A token that was issued earlier does not belong to the login or logout in progress."""


class TokenRefused(OidcError):
    """A token is not what it claims to be."""


class LogoutToken(msgspec.Struct, frozen=True):
    """The sessions to end: of the subject, of the provider's session, or of both together."""

    subject: str
    sid: str
    token_id: str
    expires_at: int
    """Epoch seconds; until then the token must not count again."""


def id_token_claims(
    token: str, find_key: FindKey, provider: Provider, *, nonce: str, access_token: object = None, now: float
) -> dict[str, Any]:
    """Return the claims of an ID token for our own request; TokenRefused for any other."""
    header, claims = _verified(token, find_key)
    if "events" in claims or header.get("typ") == "logout+jwt":
        raise TokenRefused("the token is no ID token")
    _check_common(claims, provider, now)
    _check_time(claims.get("exp"), "exp", lambda exp: exp > now - LEEWAY_SECONDS, "has expired")
    given = claims.get("nonce")
    if not isinstance(given, str) or not is_same(given, nonce):
        raise TokenRefused("the token answers another request (nonce)")
    text_claim(claims, "sub")
    _check_access_token(claims, access_token, header["alg"])
    return claims


def _check_access_token(claims: Mapping[str, Any], access_token: object, algorithm: str) -> None:
    """TokenRefused if the ID token names another access token."""
    expected, name = claims.get("at_hash"), f"sha{algorithm[-3:]}"
    if not isinstance(expected, str) or not isinstance(access_token, str) or name not in _HASHES:
        return
    digest = hashlib.new(name, access_token.encode("utf-8", "replace")).digest()
    if not is_same(expected, to_base64url(digest[: len(digest) // 2])):
        raise TokenRefused("the access token does not belong to the ID token (at_hash)")


def logout_token(token: str, find_key: FindKey, provider: Provider, *, now: float) -> LogoutToken:
    """Verify a logout token; TokenRefused if it is not one, is for another client, or is too old."""
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
    """Return a claim that identifies something, as the provider spells it."""
    value = claims.get(name)
    if not isinstance(value, str) or not value or len(value) > TEXT_MAX or not value.isprintable():
        raise TokenRefused(f"the token has no usable {name}")
    return value


def _verified(token: str, find_key: FindKey) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return header and claims, if one of the provider's keys has signed them."""
    # Imported here because most servers have no provider, and the server should start quickly.
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
    try:
        found = msgspec.json.decode(from_base64url(token.partition(".")[0]))
    except (ValueError, msgspec.DecodeError, RecursionError):
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


# The person whom the claims describe: those of the ID token, completed by the userinfo endpoint if needed

_GROUPS_MAX: Final = 5000
_GROUP_CHARS_MAX: Final = 500
_EMAIL_CHARS_MAX: Final = 254


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """The provider's statement in our terms; whether the person is admitted is decided elsewhere."""

    issuer: str
    subject: str
    sid: str = ""
    email: str = ""
    is_email_verified: bool = False
    first_name: str = ""
    last_name: str = ""
    groups: frozenset[str] = frozenset()
    has_used_mfa: bool = False


def needs_userinfo(provider: Provider, claims: Mapping[str, Any]) -> bool:
    """Whether the ID token lacks something that we need."""
    if not _text(claims.get(provider.email_claim), _EMAIL_CHARS_MAX):
        return True
    if provider.email_claim == "email" and "email_verified" not in claims:
        return True
    if provider.reads_groups and find_claim(claims, provider.groups_claim) is None:
        return True
    return not any(_text(claims.get(name)) for name in ("given_name", "name"))


def person_of(provider: Provider, claims: Mapping[str, Any], userinfo: Mapping[str, Any] | None = None) -> Person:
    """Build a person from the ID token's claims; the userinfo endpoint adds missing ones."""
    more = userinfo or {}
    email, is_verified = _email(provider, claims, more)
    first, last = _names({**more, **{name: value for name, value in claims.items() if value is not None}}, email)
    groups = find_claim(claims, provider.groups_claim)
    if groups is None:
        groups = find_claim(more, provider.groups_claim)
    return Person(
        issuer=provider.issuer,
        subject=text_claim(claims, "sub"),
        sid=_text(claims.get("sid")),
        email=email,
        is_email_verified=is_verified,
        first_name=first,
        last_name=last,
        groups=_texts(groups),
        has_used_mfa=bool(_texts(claims.get("amr")) & set(provider.mfa_amr)) or claims.get("acr") in provider.mfa_acr,
    )


def _email(provider: Provider, claims: Mapping[str, Any], more: Mapping[str, Any]) -> tuple[str, bool]:
    """Return the address and whether it is verified; the statement must be about that very address."""
    email = _text(claims.get(provider.email_claim), _EMAIL_CHARS_MAX)
    other = _text(more.get(provider.email_claim), _EMAIL_CHARS_MAX)
    said: list[object] = []
    if email:
        said.append(claims.get("email_verified"))
    if other and (not email or other == email):
        said.append(more.get("email_verified"))
    # `email_verified` says nothing about other claims than email.
    said = [one for one in said if one is not None and provider.email_claim == "email"]
    # Some providers send the string.
    is_verified = provider.trust_email if not said else all(one is True or one == "true" for one in said)
    found = email or other
    return found, bool(found) and is_verified


def _names(claims: Mapping[str, Any], email: str) -> tuple[str, str]:
    """Return first and last name; an account needs both, so other names serve as a fallback."""
    first, last = _text(claims.get("given_name")), _text(claims.get("family_name"))
    whole = _text(claims.get("name")).split()
    if not first and whole:
        first, whole = whole[0], whole[1:]
        last = last or " ".join(whole)
    fallback = _text(claims.get("preferred_username")) or email.partition("@")[0]
    return first or fallback, last or fallback


def find_claim(claims: Mapping[str, Any], name: str) -> object:
    """Find a claim by its name, or by a path such as `realm_access.roles`."""
    if name in claims:
        return claims[name]
    found: object = claims
    for part in name.split("."):
        if not isinstance(found, Mapping):
            return None
        found = found.get(part)
    return found


def _text(value: object, most: int = TEXT_MAX) -> str:
    return value.strip() if isinstance(value, str) and len(value) <= most and value.isprintable() else ""


def _texts(value: object) -> frozenset[str]:
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list):
        return frozenset()
    return frozenset(one for one in values[:_GROUPS_MAX] if isinstance(one, str) and len(one) <= _GROUP_CHARS_MAX)
