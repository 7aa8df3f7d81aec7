"""A login at a provider: sending the browser there, handling its return, and deciding who is admitted.

Cookies on the way are signed by this server and readable by their owner. All secrets of an attempt (state, nonce and
the PKCE verifier) are derived from its cookie and the server's key. So nothing is stored, however many logins are
pending, and a response counts only in the browser that began the login.
"""

import hashlib
import hmac
import logging
from collections.abc import Mapping
from typing import Final, Literal, TypeVar
from urllib.parse import urlsplit

import msgspec
from msgspec.structs import replace

from skyshelf.service.accounts import login_throttle
from skyshelf.service.audit import kinds, new_event
from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError, Throttled, codes
from skyshelf.service.networks import network_of
from skyshelf.service.oidc.fetch import OidcError, ProviderBusy, ProviderUnavailable
from skyshelf.service.oidc.relying_party import Attempt, RelyingParty
from skyshelf.service.oidc.settings import Provider
from skyshelf.service.oidc.tokens import Person
from skyshelf.service.pages import projected
from skyshelf.service.secret_table import LOGIN_PROVIDERS
from skyshelf.service.secrets import from_base64url, is_same, to_base64url
from skyshelf.storage.metadata.read_only import even_while_read_only

SETTING: Final = LOGIN_PROVIDERS
SEALED_CHARS_MAX: Final = 3500
"""Browsers keep cookies of up to 4 KiB, with their attributes."""
_RANDOM_BYTES: Final = 24
Purpose = Literal["login", "link"]


class _SignedCookie(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """The fields of every cookie: its creation time, and random bytes that make it unique."""

    made_at: int
    random: bytes


class PendingLogin(_SignedCookie, frozen=True, kw_only=True, array_like=True):
    provider: str
    purpose: Purpose
    account_key: str
    """The account to link; empty for a login."""
    back: str
    """The page to go back to, below the server's own address."""


class Ticket(_SignedCookie, frozen=True, kw_only=True, array_like=True):
    """A provider's statement about a person, and the rights that the settings grant; valid for one session or link."""

    provider: str
    purpose: Purpose
    account_key: str
    issuer: str
    subject: str
    sid: str
    email: str
    is_email_verified: bool
    first_name: str
    last_name: str
    is_operator: bool | None
    """None if the provider does not decide this."""
    quota: int | None
    has_used_mfa: bool


Sealed = TypeVar("Sealed", PendingLogin, Ticket)


def new_random(ctx: ServiceContext) -> bytes:
    return ctx.randomness.bytes(_RANDOM_BYTES)


def seal(ctx: ServiceContext, value: PendingLogin | Ticket) -> str:
    content = msgspec.msgpack.encode(value)
    return to_base64url(_mac(ctx, type(value).__name__, content) + content)


def unseal(ctx: ServiceContext, kind: type[Sealed], text: str, *, lifetime: int) -> Sealed:
    """Verify and decode a cookie; PROVIDER_LOGIN_ENDED if it is of another kind, not ours, or too old."""
    ended = ServiceError(codes.PROVIDER_LOGIN_ENDED)
    if not text or len(text) > SEALED_CHARS_MAX:
        raise ended
    try:
        raw = from_base64url(text)
    except ValueError:
        raise ended from None
    mac, content = raw[:32], raw[32:]
    if not hmac.compare_digest(mac, _mac(ctx, kind.__name__, content)):
        raise ended
    found = msgspec.msgpack.decode(content, type=kind)
    if not 0 <= ctx.clock.now() - found.made_at < lifetime:
        raise ended
    return found


def derived(ctx: ServiceContext, pending: PendingLogin, purpose: Literal["state", "nonce", "verifier"]) -> str:
    """Derive a secret of an attempt: 256 bits, in characters that all three may contain."""
    return to_base64url(_mac(ctx, purpose, msgspec.msgpack.encode(pending)))


def _mac(ctx: ServiceContext, purpose: str, content: bytes) -> bytes:
    key = ctx.secret(SETTING)
    return hmac.digest(key, f"{purpose}\0".encode() + content, "sha256")


_log = logging.getLogger("skyshelf.identity")
LIFETIME: Final = 10 * 60 * 1000
"""How long a person may take to log in at the provider."""
TICKET_LIFETIME: Final = 5 * 60 * 1000
PERMIT_LIFETIME: Final = 2 * 60 * 1000
CALLBACK: Final = "/oidc/{provider}/callback"
HOME: Final = "/drive"
_COUNTED: Final = frozenset({"ended", "refused", "group", "domain", "unverified"})
"""Problems caused by the person or an attacker; the provider's own problems lock nobody out."""
_BACK_CHARS_MAX: Final = 500
_CODE_CHARS_MAX: Final = 8 * 1024


class ProviderRedirect(msgspec.Struct, frozen=True):
    """The redirect to the provider, and the cookie that the browser keeps until it returns."""

    url: str
    cookie: str
    state: str


class ProviderReturn(msgspec.Struct, frozen=True):
    """The outcome of a login at a provider: a ticket, or a problem that the page explains."""

    purpose: Purpose
    back: str
    ticket: str | None = None
    problem: str = ""


class LoginRefused(OidcError):
    """A login is refused; `problem` is the key under which the page explains it."""

    def __init__(self, problem: str, sentence: str) -> None:
        super().__init__(sentence)
        self.problem = problem


def check_admission(provider: Provider, person: Person) -> None:
    """Refused unless the person is in an allowed group and has an address in an allowed domain, if any are set."""
    if provider.allowed_groups and person.groups.isdisjoint(provider.allowed_groups):
        raise LoginRefused("group", "the person is in none of the allowed-groups")
    if provider.allowed_domains:
        if not person.is_email_verified:
            raise LoginRefused("unverified", "the provider does not say that the person's address is verified")
        name, _, domain = person.email.rpartition("@")
        # Lower case, not folded: straße.example and strasse.example are two domains.
        if not name or domain.lower() not in provider.allowed_domains:
            raise LoginRefused("domain", "the person's address is in none of the allowed-domains")


def party_of(ctx: ServiceContext, provider_id: str) -> RelyingParty:
    party = ctx.providers.get(provider_id)
    if party is None:
        raise ServiceError(codes.PROVIDER_NOT_FOUND)
    return party


def begin(
    ctx: ServiceContext, provider_id: str, origin: str, *, back: str = HOME, permit: str = ""
) -> ProviderRedirect:
    """Begin a login or, with a permit, a link to the permit's account. `origin` is the server's own address."""
    party, pending = party_of(ctx, provider_id), _pending_login(ctx, provider_id, back)
    if permit:
        allowed = unseal(ctx, PendingLogin, permit, lifetime=PERMIT_LIFETIME)
        if allowed.purpose != "link" or allowed.provider != provider_id:
            raise ServiceError(codes.PROVIDER_LOGIN_ENDED)
        pending = replace(allowed, made_at=pending.made_at, random=pending.random)
    attempt = _attempt(ctx, pending, origin)
    try:
        url = party.authorization_url(attempt)
    except OidcError as problem:
        _log.error("nobody can log in through %s: %s", provider_id, problem)
        ctx.provider_counts.add(provider_id, "unavailable")
        raise ServiceError(codes.PROVIDER_UNAVAILABLE) from None
    return ProviderRedirect(url, seal(ctx, pending), attempt.state)


def link_permit(ctx: ServiceContext, provider_id: str, account_key: str, *, back: str) -> str:
    """Return a permit to begin linking an identity to that account, valid for two minutes."""
    return seal(ctx, replace(_pending_login(ctx, provider_id, back), purpose="link", account_key=account_key))


def _pending_login(ctx: ServiceContext, provider_id: str, back: str) -> PendingLogin:
    return PendingLogin(
        provider=provider_id,
        purpose="login",
        account_key="",
        back=own_page(back),
        made_at=ctx.clock.now(),
        random=new_random(ctx),
    )


def own_page(path: str) -> str:
    """Return a page of the web client; anything else, such as another site, becomes its first page."""
    if len(path) > _BACK_CHARS_MAX or not path.isascii() or not path.isprintable() or "\\" in path:
        return HOME
    parts = urlsplit(path)
    is_page = (path == HOME or parts.path.startswith(f"{HOME}/")) and ".." not in parts.path.split("/")
    return parts._replace(fragment="").geturl() if is_page and not parts.scheme and not parts.netloc else HOME


def _attempt(ctx: ServiceContext, pending: PendingLogin, origin: str) -> Attempt:
    return Attempt(
        derived(ctx, pending, "state"),
        derived(ctx, pending, "nonce"),
        derived(ctx, pending, "verifier"),
        origin + CALLBACK.format(provider=pending.provider),
    )


def returned(
    ctx: ServiceContext, provider_id: str, origin: str, *, query: Mapping[str, str], cookie: str, address: str
) -> ProviderReturn:
    """Handle the browser's return. Every failure becomes a problem that the page explains."""
    party = party_of(ctx, provider_id)
    buckets = login_throttle.provider_buckets(provider_id, address)
    try:
        login_throttle.check(ctx, buckets)
        pending = unseal(ctx, PendingLogin, cookie, lifetime=LIFETIME)
        attempt = _attempt(ctx, pending, origin)
        if pending.provider != provider_id or not is_same(query.get("state", ""), attempt.state):
            raise ServiceError(codes.PROVIDER_LOGIN_ENDED)  # noqa: TRY301 - handled like a missing cookie
    except Throttled:
        return ProviderReturn("login", HOME, problem="throttled")
    except ServiceError:
        # No cookie, another browser, or an unsolicited response.
        _failed(ctx, buckets, provider_id, address, "ended")
        return ProviderReturn("login", HOME, problem="ended")
    problem, ticket = "", None
    try:
        _spend(ctx, attempt.state, pending.made_at + LIFETIME)
        person = _admitted(party, attempt, query)
        ticket = seal(ctx, _ticket(ctx, pending, party.provider, person))
    except ProviderBusy:
        problem = "busy"
    except ServiceError:
        problem = "ended"
    except LoginRefused as refused:
        _log.warning("refused a login through %s: %s", provider_id, refused)
        problem = refused.problem
    except ProviderUnavailable as unavailable:
        _log.error("a login through %s failed: %s", provider_id, unavailable)
        problem = "unavailable"
    except OidcError as wrong:
        _log.warning("refused a login through %s: %s", provider_id, wrong)
        problem = "refused"
    if problem:
        _failed(ctx, buckets, provider_id, address, problem)
    return ProviderReturn(pending.purpose, pending.back, ticket, problem)


def _admitted(party: RelyingParty, attempt: Attempt, query: Mapping[str, str]) -> Person:
    party.check_issuer(query.get("iss"))
    if "error" in query:
        said = query["error"]
        # Only error codes of the specification: the provider's own text may contain anything.
        known = said if said in _ERRORS else "an error of its own"
        raise LoginRefused("cancelled" if said == "access_denied" else "refused", f"the provider reports {known}")
    code = query.get("code", "")
    if not code or len(code) > _CODE_CHARS_MAX:
        raise LoginRefused("refused", "the provider has sent no code")
    person = party.person(code, attempt)
    check_admission(party.provider, person)
    return person


_ERRORS: Final = frozenset(
    {
        *("access_denied", "account_selection_required", "consent_required", "interaction_required", "login_required"),
        *("invalid_request", "invalid_scope", "server_error", "temporarily_unavailable", "unauthorized_client"),
        "unsupported_response_type",
    }
)


def _ticket(ctx: ServiceContext, pending: PendingLogin, provider: Provider, person: Person) -> Ticket:
    """State who logged in, and the rights that their groups grant."""
    quotas = [size for group, size in provider.quotas.items() if group in person.groups]
    return projected(
        Ticket,
        person,
        provider=pending.provider,
        purpose=pending.purpose,
        account_key=pending.account_key,
        is_operator=not person.groups.isdisjoint(provider.admin_groups) if provider.admin_groups else None,
        quota=max(quotas, default=ctx.rules.default_quota) if provider.quotas else None,
        made_at=ctx.clock.now(),
        random=new_random(ctx),
    )


def _spend(ctx: ServiceContext, state: str, until: int) -> None:
    """Accept a response once: its code is sent to the provider at most one time."""
    digest = hashlib.sha256(b"state " + state.encode()).digest()
    with even_while_read_only():
        is_first = ctx.metadata.write(lambda unit: unit.spent_tokens.spend(digest, until))
    if not is_first:
        raise ServiceError(codes.PROVIDER_LOGIN_ENDED)


def _failed(ctx: ServiceContext, buckets: login_throttle.Buckets, provider_id: str, address: str, problem: str) -> None:
    ctx.provider_counts.add(provider_id, problem)
    event = new_event(
        ctx, kinds.LOGIN_PROVIDER_FAILED, address=address, device_key="", provider=provider_id, reason=problem
    )
    if problem in _COUNTED:
        login_throttle.failed(ctx, buckets, event)
    else:
        ctx.trail.note(ctx.metadata, event, f"failures {network_of(address)}")
