"""The settings of login providers."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from skyshelf.wire.public_url import is_loopback
from skyshelf.wire.sizes import parse_size

SCOPES: Final = ("openid", "email", "profile")
PROVIDERS_MAX: Final = 20
_ID: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?")
_TEXT_MAX: Final = 200
# Anybody can have an account there, so the operator has to say who may log in.
_PUBLIC: Final = re.compile(
    r"https://accounts\.google\.com|https://login\.microsoftonline\.com/(?:common|organizations|consumers)(?:/.*)?"
    r"|https://appleid\.apple\.com|https://gitlab\.com"
)


class Provider(msgspec.Struct, frozen=True, kw_only=True):
    """One provider, as plain data that can be passed to worker processes."""

    id: str
    name: str
    issuer: str
    client_id: str
    client_secret: str | None = None
    label: str = ""
    """The label of the button; empty for `Log in with` and the name."""
    scopes: tuple[str, ...] = SCOPES
    email_claim: str = "email"
    trust_email: bool = False
    """Whether addresses count as verified if the provider does not say."""
    groups_claim: str = "groups"
    allowed_groups: tuple[str, ...] = ()
    admin_groups: tuple[str, ...] = ()
    quotas: Mapping[str, int] = {}
    new_accounts: bool = False
    allowed_domains: tuple[str, ...] = ()
    link_by_email: bool = False
    mfa_amr: tuple[str, ...] = ()
    mfa_acr: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"Provider({self.id}, {self.issuer})"

    @property
    def reads_groups(self) -> bool:
        """Whether anything depends on groups."""
        return bool(self.allowed_groups or self.admin_groups or self.quotas)


class WrongSetting(ValueError):
    """A setting is wrong; the sentence says which one, and what it may be."""


def providers_of(tables: object, *, folder: Path) -> tuple[Provider, ...]:
    """Parse the `[oidc.ID]` tables; paths in them are relative to the folder. WrongSetting for a mistake."""
    if not isinstance(tables, Mapping):
        raise WrongSetting("[oidc] must have a table for each provider: [oidc.company]")
    if len(tables) > PROVIDERS_MAX:
        raise WrongSetting(f"[oidc] can have at most {PROVIDERS_MAX} providers")
    found = tuple(_provider(name, values, folder) for name, values in tables.items())
    issuers = [one.issuer for one in found]
    for one in found:
        if issuers.count(one.issuer) > 1:
            raise WrongSetting(f"[oidc.{one.id}]: another provider has the same issuer, {one.issuer}")
    return found


def _provider(name: str, values: object, folder: Path) -> Provider:
    where = f"[oidc.{name}]"
    if not _ID.fullmatch(name):
        raise WrongSetting(f"{where}: the id of a provider has lower-case letters, digits and hyphens, at most 32")
    if not isinstance(values, Mapping):
        raise WrongSetting(f"{where} must be a table with issuer and client-id")
    given = {str(key).replace("_", "-"): value for key, value in values.items()}
    read: dict[str, Any] = {"id": name}
    for key, value in given.items():
        if key not in _SETTINGS:
            raise WrongSetting(f"{where} has the setting {key}, which is unknown: use {', '.join(_SETTINGS)}")
        try:
            read[key.replace("-", "_")] = _SETTINGS[key](value)
        except WrongSetting as wrong:
            raise WrongSetting(f"{where}: {key} {wrong}") from None
    for key in ("issuer", "client-id"):
        if key not in given:
            raise WrongSetting(f"{where} lacks {key}")
    file = read.pop("client_secret_file", None)
    secret = None if file is None else _secret(where, folder / file)
    provider = Provider(**{"name": name, **read, "client_secret": secret})
    if "openid" not in provider.scopes:
        raise WrongSetting(f"{where}: scopes must contain openid")
    _check_open_door(where, provider)
    return provider


def _check_open_door(where: str, provider: Provider) -> None:
    """WrongSetting if a provider where anybody can have an account would let everybody in."""
    if provider.new_accounts and _PUBLIC.fullmatch(provider.issuer.rstrip("/")):
        if not provider.allowed_domains and not provider.allowed_groups:
            raise WrongSetting(
                f"{where}: anybody can have an account at {provider.issuer}, so new-accounts needs allowed-domains or"
                " allowed-groups"
            )
        if provider.trust_email:
            raise WrongSetting(f"{where}: trust-email is only for a provider that your organisation runs")


def _secret(where: str, file: Path) -> str:
    try:
        secret = file.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as wrong:
        reason = wrong.strerror if isinstance(wrong, OSError) else "it is not text"
        raise WrongSetting(f"{where}: client-secret-file cannot be read from {file}: {reason}") from None
    if not secret or not secret.isprintable():
        raise WrongSetting(f"{where}: client-secret-file must contain one line, the secret: {file}")
    return secret


# Values


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > _TEXT_MAX or not value.isprintable():
        raise WrongSetting(f"must be a text of at most {_TEXT_MAX} characters")
    return value.strip()


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise WrongSetting("must be true or false")
    return value


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise WrongSetting('must be a list of texts, such as ["staff"]')
    return tuple(map(_text, value))


def _domains(value: object) -> tuple[str, ...]:
    domains = tuple(one.removeprefix("@").lower() for one in _texts(value))
    if any("@" in one or "*" in one for one in domains):
        raise WrongSetting('must be a list of domains, such as ["example.org"]')
    return domains


def _quotas(value: object) -> dict[str, int]:
    if not isinstance(value, Mapping):
        raise WrongSetting('must be a table of groups and sizes, such as { staff = "500GiB" }')
    try:
        return {_text(group): parse_size(_text(size)) for group, size in value.items()}
    except ValueError as wrong:
        raise WrongSetting(f'must be a table of groups and sizes, such as {{ staff = "500GiB" }}: {wrong}') from None


def _issuer(value: object) -> str:
    issuer = _text(value)
    check_address(issuer)
    if urlsplit(issuer).query:
        raise WrongSetting("must not have a query")
    return issuer


_SETTINGS: Final[dict[str, Callable[[object], Any]]] = {
    "name": _text,
    "label": _text,
    "issuer": _issuer,
    "client-id": _text,
    "client-secret-file": _text,
    "scopes": _texts,
    "email-claim": _text,
    "trust-email": _flag,
    "groups-claim": _text,
    "allowed-groups": _texts,
    "admin-groups": _texts,
    "quotas": _quotas,
    "new-accounts": _flag,
    "allowed-domains": _domains,
    "link-by-email": _flag,
    "mfa-amr": _texts,
    "mfa-acr": _texts,
}


# Addresses


def check_address(url: str) -> None:
    """WrongSetting unless it is an https address, or an http address of this machine."""
    try:
        parts = urlsplit(url)
        port_is_right = parts.port is None or parts.port > 0
    except ValueError:
        raise WrongSetting("is not an address: use https://login.example.org") from None
    if parts.scheme == "http" and is_loopback(parts.hostname or ""):
        return
    if parts.scheme != "https" or not parts.hostname or not port_is_right:
        raise WrongSetting("must begin with https://; http:// is only for a provider on this machine")
    if parts.username or parts.password or parts.fragment:
        raise WrongSetting("must have neither a user nor a fragment")
