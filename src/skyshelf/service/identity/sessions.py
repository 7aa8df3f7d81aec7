"""Sessions of people who log in through a provider: finding or creating the account, opening and ending sessions."""

import hashlib
import logging
from contextlib import suppress
from typing import Final

from msgspec.structs import replace

from skyshelf.service.accounts import login_codes, login_throttle
from skyshelf.service.accounts.accounts import check_not_last, new_account, normalize_email, same_address
from skyshelf.service.accounts.passkeys.assertions import given_proof
from skyshelf.service.accounts.session_opening import Opening, device_of, open_session
from skyshelf.service.audit import kinds, new_event
from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError, codes
from skyshelf.service.identity.logins import TICKET_LIFETIME, Ticket, party_of, unseal
from skyshelf.service.oidc.fetch import OidcError
from skyshelf.service.oidc.settings import Provider
from skyshelf.service.oidc.tokens import TokenRefused
from skyshelf.storage.errors import AccountMissing, EmailTaken
from skyshelf.storage.metadata.contracts.accounts import ACTIVE, Account
from skyshelf.storage.metadata.contracts.sessions import NewIdentity, SessionOrigin
from skyshelf.storage.metadata.read_only import even_while_read_only
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.resources.credentials import LoginAnswer, ProviderLoginRequest

_log = logging.getLogger("skyshelf.identity")


def use_ticket(
    ctx: ServiceContext, request: ProviderLoginRequest, sealed: str, address: str, origin: str = ""
) -> LoginAnswer:
    """Open a session for the person named by a provider. The ticket counts once, together with the session."""
    ticket = unseal(ctx, Ticket, sealed, lifetime=TICKET_LIFETIME)
    if ticket.purpose != "login":
        raise ServiceError(codes.PROVIDER_LOGIN_ENDED)
    provider = party_of(ctx, ticket.provider).provider
    account = _account(ctx, provider, ticket)
    buckets = login_throttle.LoginBuckets(account.email, address, None)
    with ctx.metadata.read() as unit:
        needs_more = not ticket.has_used_mfa and login_codes.is_required(unit, account.account_id)
    given: login_codes.Proof | None = None
    if needs_more:
        given = given_proof(ctx, account, request, buckets, address=address, origin=origin)
    is_read_only = ctx.mode.now(ctx.metadata) is not None
    with ctx.metadata.read() as unit:
        is_new = unit.identities.find(ticket.issuer, ticket.subject) is None

    def accept(unit: Unit, current: Account) -> None:
        if current.status != ACTIVE:
            raise ServiceError(codes.ACCOUNT_DISABLED)
        if not ticket.has_used_mfa:
            login_codes.accept_proof(unit, current.account_id, given)
        spend(unit, ticket)
        _recognize(ctx, unit, ticket, current, may_link=provider.link_by_email)
        if not is_read_only:
            _follow_groups(ctx, unit, ticket, current)

    came_from = SessionOrigin(ticket.issuer, ticket.subject, ticket.sid)
    opening = Opening(
        account=account,
        device=device_of(ctx, request),
        buckets=buckets,
        accept=accept,
        by=ticket.provider,
        opened=lambda unit, digest: unit.identities.put_origin(account.account_id, digest, came_from),
        # A recovery code must never count twice, and a link must not be lost.
        must_last=is_new or (given is not None and given.is_for_recovery),
    )
    answer = open_session(ctx, opening, address)
    ctx.provider_counts.add(ticket.provider, "in")
    return answer


def spend(unit: Unit, ticket: Ticket) -> None:
    digest = hashlib.sha256(b"ticket " + ticket.random).digest()
    if not unit.spent_tokens.spend(digest, ticket.made_at + TICKET_LIFETIME):
        raise ServiceError(codes.PROVIDER_LOGIN_ENDED)


# The account


def _account(ctx: ServiceContext, provider: Provider, ticket: Ticket) -> Account:
    """Return the account of the identity. If the settings allow it, one with the same address is linked, or a new one
    created."""
    with ctx.metadata.read() as unit:
        identity = unit.identities.find(ticket.issuer, ticket.subject)
        if identity is not None:
            account = unit.accounts.by_id(identity.account_id)
            if account.status != ACTIVE:
                raise ServiceError(codes.ACCOUNT_DISABLED)
            return account
        known = None
        if ticket.email:
            with suppress(AccountMissing):
                known = unit.accounts.by_email(normalize_email(ticket.email))
    if not ticket.is_email_verified:
        raise ServiceError(codes.EMAIL_UNVERIFIED)
    if known is not None:
        if known.status != ACTIVE:
            raise ServiceError(codes.ACCOUNT_DISABLED)
        if not provider.link_by_email or not same_address(ticket.email, known.email):
            raise ServiceError(codes.EMAIL_NOT_LINKED)
        return known
    if not provider.new_accounts:
        raise ServiceError(codes.ACCOUNT_NOT_LINKED)
    return _new_account(ctx, ticket)


def _recognize(ctx: ServiceContext, unit: Unit, ticket: Ticket, account: Account, *, may_link: bool) -> None:
    """Record the login. An account with the verified address is linked only here, after the second factor."""
    now = ctx.clock.now()
    identity = unit.identities.find(ticket.issuer, ticket.subject)
    if identity is None and may_link and ticket.is_email_verified and same_address(ticket.email, account.email):
        if not unit.identities.add(account.account_id, new_identity(ticket), now):
            # The account has another identity at the same provider.
            raise ServiceError(codes.IDENTITY_TAKEN)
        unit.audit.add([new_event(ctx, kinds.IDENTITY_LINKED, account, provider=ticket.provider)])
    elif identity is None or identity.account_id != account.account_id:
        # The identity was unlinked, or linked to another account, in the meantime.
        raise ServiceError(codes.PROVIDER_LOGIN_ENDED)
    unit.identities.used(ticket.issuer, ticket.subject, ticket.email, now)


def _new_account(ctx: ServiceContext, ticket: Ticket) -> Account:
    """Create an account without a password, which the identity opens."""
    new = new_account(ctx, ticket.email, ticket.first_name, ticket.last_name, None, quota=ticket.quota)
    now = ctx.clock.now()
    events = [
        replace(new_event(ctx, kind, provider=ticket.provider), account_key=new.account_key)
        for kind in (kinds.ACCOUNT_ADDED, kinds.IDENTITY_LINKED)
    ]

    def work(unit: Unit) -> Account:
        account = unit.accounts.add(new, now)
        if not unit.identities.add(account.account_id, new_identity(ticket), now):
            # The same person logged in at the same moment in another tab.
            raise ServiceError(codes.PROVIDER_LOGIN_ENDED)
        unit.audit.add(events)
        return account

    try:
        return ctx.metadata.write(work)
    except EmailTaken:
        raise ServiceError(codes.PROVIDER_LOGIN_ENDED) from None


def new_identity(ticket: Ticket) -> NewIdentity:
    return NewIdentity(issuer=ticket.issuer, subject=ticket.subject, email=ticket.email)


# Rights


def _follow_groups(ctx: ServiceContext, unit: Unit, ticket: Ticket, account: Account) -> None:
    """Set the quota and the operator role according to the groups; the last operator stays one."""
    now = ctx.clock.now()
    if ticket.quota is not None and ticket.quota != account.default_space:
        unit.accounts.set_space(account.account_id, default_space=ticket.quota, paid_space=account.paid_space, now=now)
        event = new_event(
            ctx,
            kinds.ACCOUNT_QUOTA,
            account,
            quota=ticket.quota,
            before=account.default_space,
            provider=ticket.provider,
        )
        unit.audit.add([event])
    if ticket.is_operator is None or ticket.is_operator == account.is_operator:
        return
    if not ticket.is_operator:
        try:
            check_not_last(unit, account.account_id)
        except ServiceError:
            _log.warning("account %s stays an operator: it is the only one", account.account_key)
            return
    unit.operators.set(account.account_id, ticket.is_operator, now)
    kind = kinds.ACCOUNT_OPERATOR if ticket.is_operator else kinds.ACCOUNT_NO_OPERATOR
    unit.audit.add([new_event(ctx, kind, account, provider=ticket.provider)])


# Back-channel logout: a provider ends the sessions that came from it.

_UNUSABLE: Final = "This is no logout token that can be accepted"


def log_out(ctx: ServiceContext, provider_id: str, token: str, address: str) -> int:
    """End the sessions that the token names; returns how many there were. A token counts once."""
    party = party_of(ctx, provider_id)
    buckets = login_throttle.provider_buckets(provider_id, address)
    login_throttle.check(ctx, buckets)
    try:
        named = party.logout_token(token)
    except TokenRefused as refused:
        _log.warning("refused a logout by %s: %s", provider_id, refused)
        ctx.provider_counts.add(provider_id, "logout-refused")
        login_throttle.failed(ctx, buckets)
        raise ServiceError(codes.INVALID_REQUEST, _UNUSABLE) from None
    except OidcError as unavailable:
        _log.error("a logout by %s failed: %s", provider_id, unavailable)
        raise ServiceError(codes.PROVIDER_UNAVAILABLE) from None
    issuer = party.provider.issuer
    digest = hashlib.sha256(f"logout {issuer} {named.token_id}".encode()).digest()

    def work(unit: Unit) -> int | None:
        if not unit.spent_tokens.spend(digest, named.expires_at * 1000):
            return None
        ended = unit.identities.end_sessions(issuer, subject=named.subject, sid=named.sid)
        unit.audit.add(
            [
                new_event(
                    ctx,
                    kinds.LOGOUT_BY_PROVIDER,
                    account_id=account_id,
                    address=address,
                    device_key="",
                    times=count,
                    provider=provider_id,
                )
                for account_id, count in ended.items()
            ]
        )
        return sum(ended.values())

    # A provider's logout takes effect in read-only mode, too.
    with even_while_read_only():
        ended = ctx.metadata.write(work)
    if ended is None:
        _log.warning("refused a logout by %s: the token was used before", provider_id)
        raise ServiceError(codes.INVALID_REQUEST, _UNUSABLE)
    ctx.provider_counts.add(provider_id, "logout")
    return ended
