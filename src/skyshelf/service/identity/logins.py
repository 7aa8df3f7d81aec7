"""A login at a provider: sending the browser there, and taking what it comes back with."""

import hashlib
import hmac
import logging
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

import msgspec
from msgspec.structs import replace

from skyshelf.service.accounts import login_throttle
from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import new_event
from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError, Throttled
from skyshelf.service.identity.admission import Refused, Verdict, verdict_on
from skyshelf.service.identity.sealed import Begun, Purpose, Ticket, derived, new_random, seal, unseal
from skyshelf.service.networks import network_of
from skyshelf.service.oidc.errors import OidcError, ProviderBusy, ProviderUnavailable
from skyshelf.service.oidc.relying_party import Attempt, RelyingParty
from skyshelf.storage.metadata.read_only import even_while_read_only
from skyshelf.wire import error_codes as codes

_log = logging.getLogger("skyshelf.identity")
LIFETIME: Final = 10 * 60 * 1000
"""How long somebody may take to log in at the provider."""
TICKET_LIFETIME: Final = 5 * 60 * 1000
PERMIT_LIFETIME: Final = 2 * 60 * 1000
CALLBACK: Final = "/oidc/{provider}/callback"
HOME: Final = "/drive"
_COUNTED: Final = frozenset({"ended", "refused", "group", "domain", "unverified"})
"""Problems that are the person's own, or an attacker's: those of the provider keep nobody out."""
_BACK_CHARS_MAX: Final = 500
_CODE_CHARS_MAX: Final = 8 * 1024


class Departure(msgspec.Struct, frozen=True):
    """Where the browser is sent, and the cookie that it keeps until it returns."""

    url: str
    cookie: str
    state: str


class Returned(msgspec.Struct, frozen=True):
    """How a login at a provider went: a ticket, or a problem that the page explains."""

    purpose: Purpose
    back: str
    ticket: str | None = None
    problem: str = ""


def party_of(ctx: ServiceContext, provider_id: str) -> RelyingParty:
    party = ctx.providers.get(provider_id)
    if party is None:
        raise ServiceError(codes.PROVIDER_NOT_FOUND)
    return party


def begin(ctx: ServiceContext, provider_id: str, origin: str, *, back: str = HOME, permit: str = "") -> Departure:
    """Begin a login, or, with a permit, a link to the account that has it. `origin` is the server's own address."""
    party = party_of(ctx, provider_id)
    begun = _begun(ctx, provider_id, back)
    if permit:
        allowed = unseal(ctx, Begun, permit, lifetime=PERMIT_LIFETIME)
        if allowed.purpose != "link" or allowed.provider != provider_id:
            raise ServiceError(codes.PROVIDER_LOGIN_ENDED)
        begun = replace(allowed, made_at=begun.made_at, random=begun.random)
    attempt = _attempt(ctx, begun, origin)
    try:
        url = party.authorization_url(attempt)
    except OidcError as problem:
        _log.error("nobody can log in through %s: %s", provider_id, problem)
        ctx.provider_counts.add(provider_id, "unavailable")
        raise ServiceError(codes.PROVIDER_UNAVAILABLE) from None
    return Departure(url, seal(ctx, begun), attempt.state)


def link_permit(ctx: ServiceContext, provider_id: str, account_key: str, *, back: str) -> str:
    """Lets the browser that gets it begin to link an identity to that account, for two minutes."""
    return seal(ctx, replace(_begun(ctx, provider_id, back), purpose="link", account_key=account_key))


def _begun(ctx: ServiceContext, provider_id: str, back: str) -> Begun:
    return Begun(
        provider=provider_id,
        purpose="login",
        account_key="",
        back=own_page(back),
        made_at=ctx.clock.now(),
        random=new_random(ctx),
    )


def own_page(path: str) -> str:
    """A page of the web client; anything else, such as another site, becomes its first page."""
    if len(path) > _BACK_CHARS_MAX or not path.isascii() or not path.isprintable() or "\\" in path:
        return HOME
    parts = urlsplit(path)
    is_page = (path == HOME or parts.path.startswith(f"{HOME}/")) and ".." not in parts.path.split("/")
    return parts._replace(fragment="").geturl() if is_page and not parts.scheme and not parts.netloc else HOME


def _attempt(ctx: ServiceContext, begun: Begun, origin: str) -> Attempt:
    return Attempt(
        derived(ctx, begun, "state"),
        derived(ctx, begun, "nonce"),
        derived(ctx, begun, "verifier"),
        origin + CALLBACK.format(provider=begun.provider),
    )


def returned(
    ctx: ServiceContext, provider_id: str, origin: str, *, query: Mapping[str, str], cookie: str, address: str
) -> Returned:
    """The browser is back. Whatever is wrong becomes a problem that its page explains."""
    party = party_of(ctx, provider_id)
    buckets = login_throttle.ProviderBuckets(provider_id, address)
    try:
        login_throttle.check(ctx, buckets)
        begun = unseal(ctx, Begun, cookie, lifetime=LIFETIME)
        attempt = _attempt(ctx, begun, origin)
        _check_state(begun, attempt, provider_id, query.get("state", ""))
    except Throttled:
        return Returned("login", HOME, problem="throttled")
    except ServiceError:
        # No cookie, another browser, or an answer without a question.
        _failed(ctx, buckets, provider_id, address, "ended")
        return Returned("login", HOME, problem="ended")
    problem, ticket = "", None
    try:
        _spend(ctx, attempt.state, begun.made_at + LIFETIME)
        verdict = _verdict(ctx, party, attempt, query)
        ticket = seal(ctx, _ticket(ctx, begun, verdict))
    except ProviderBusy:
        problem = "busy"
    except ServiceError:
        problem = "ended"
    except Refused as refused:
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
    return Returned(begun.purpose, begun.back, ticket, problem)


def _check_state(begun: Begun, attempt: Attempt, provider_id: str, given: str) -> None:
    is_same = hmac.compare_digest(given.encode("utf-8", "replace"), attempt.state.encode())
    if begun.provider != provider_id or not is_same:
        raise ServiceError(codes.PROVIDER_LOGIN_ENDED)


def _verdict(ctx: ServiceContext, party: RelyingParty, attempt: Attempt, query: Mapping[str, str]) -> Verdict:
    party.check_issuer(query.get("iss"))
    if "error" in query:
        said = query["error"]
        # Nobody's name, and no sentence of the provider: only the words of the specification.
        known = said if said in _ERRORS else "an error of its own"
        raise Refused("cancelled" if said == "access_denied" else "refused", f"the provider reports {known}")
    code = query.get("code", "")
    if not code or len(code) > _CODE_CHARS_MAX:
        raise Refused("refused", "the provider has sent no code")
    return verdict_on(party.provider, party.person(code, attempt), default_quota=ctx.rules.default_quota)


_ERRORS: Final = frozenset(
    {
        "access_denied",
        "account_selection_required",
        "consent_required",
        "interaction_required",
        "invalid_request",
        "invalid_scope",
        "login_required",
        "server_error",
        "temporarily_unavailable",
        "unauthorized_client",
        "unsupported_response_type",
    }
)


def _ticket(ctx: ServiceContext, begun: Begun, verdict: Verdict) -> Ticket:
    person = verdict.person
    return Ticket(
        provider=begun.provider,
        purpose=begun.purpose,
        account_key=begun.account_key,
        issuer=person.issuer,
        subject=person.subject,
        sid=person.sid,
        email=person.email,
        is_email_verified=person.is_email_verified,
        first_name=person.first_name,
        last_name=person.last_name,
        is_operator=verdict.is_operator,
        quota=verdict.quota,
        has_used_mfa=person.has_used_mfa,
        made_at=ctx.clock.now(),
        random=new_random(ctx),
    )


def _spend(ctx: ServiceContext, state: str, until: int) -> None:
    """An answer counts once: the code in it is sent to the provider at most one time."""
    digest = hashlib.sha256(b"state " + state.encode()).digest()
    with even_while_read_only():
        is_first = ctx.metadata.write(lambda unit: unit.spent_tokens.spend(digest, until))
    if not is_first:
        raise ServiceError(codes.PROVIDER_LOGIN_ENDED)


def _failed(
    ctx: ServiceContext, buckets: login_throttle.ProviderBuckets, provider_id: str, address: str, problem: str
) -> None:
    ctx.provider_counts.add(provider_id, problem)
    event = new_event(
        ctx, kinds.LOGIN_PROVIDER_FAILED, address=address, device_key="", provider=provider_id, reason=problem
    )
    if problem in _COUNTED:
        login_throttle.failed(ctx, buckets, event)
    else:
        ctx.trail.note(ctx.metadata, event, f"failures {network_of(address)}")
