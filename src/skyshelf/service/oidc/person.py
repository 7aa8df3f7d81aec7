"""A person as a provider describes them: claims of the ID token, completed by the userinfo endpoint where some are
missing."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from skyshelf.service.oidc.settings import Provider
from skyshelf.service.oidc.tokens import TEXT_MAX, text_claim

_GROUPS_MAX: Final = 5000
_GROUP_CHARS_MAX: Final = 500
_EMAIL_CHARS_MAX: Final = 254


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """What the provider says, in our terms; it is not checked whether the person may come in."""

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
    """Whether something that is needed is not in the ID token."""
    if not _text(claims.get(provider.email_claim), _EMAIL_CHARS_MAX):
        return True
    if provider.email_claim == "email" and "email_verified" not in claims:
        return True
    if provider.reads_groups and find_claim(claims, provider.groups_claim) is None:
        return True
    return not any(_text(claims.get(name)) for name in ("given_name", "name"))


def person_of(provider: Provider, claims: Mapping[str, Any], userinfo: Mapping[str, Any] | None = None) -> Person:
    """The ID token's claims count; the userinfo endpoint adds what is missing there."""
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
    """The address and whether it is verified, which must be said of that very address."""
    email = _text(claims.get(provider.email_claim), _EMAIL_CHARS_MAX)
    other = _text(more.get(provider.email_claim), _EMAIL_CHARS_MAX)
    said: list[object] = []
    if email:
        said.append(claims.get("email_verified"))
    if other and (not email or other == email):
        said.append(more.get("email_verified"))
    # Of another claim than email, nobody says whether it is verified.
    said = [one for one in said if one is not None and provider.email_claim == "email"]
    is_verified = provider.trust_email if not said else all(_is_true(one) for one in said)
    found = email or other
    return found, bool(found) and is_verified


def _is_true(value: object) -> bool:
    # Some providers send the word.
    return value is True or value == "true"


def _names(claims: Mapping[str, Any], email: str) -> tuple[str, str]:
    """First and last name; an account needs both, so the provider's other names have to do."""
    first, last = _text(claims.get("given_name")), _text(claims.get("family_name"))
    whole = _text(claims.get("name")).split()
    if not first and whole:
        first, whole = whole[0], whole[1:]
        last = last or " ".join(whole)
    fallback = _text(claims.get("preferred_username")) or email.partition("@")[0]
    return first or fallback, last or fallback


def find_claim(claims: Mapping[str, Any], name: str) -> object:
    """A claim by its name, or by a path such as `realm_access.roles`."""
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
