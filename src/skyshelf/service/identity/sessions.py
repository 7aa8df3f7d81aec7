"""The account of somebody who comes from a provider, and the session that it opens."""

import hashlib
import logging
from contextlib import suppress

from msgspec.structs import replace

from skyshelf.service.accounts import login_codes, login_throttle
from skyshelf.service.accounts.accounts import normalize_email, provider_account
from skyshelf.service.accounts.operators import check_not_last
from skyshelf.service.accounts.passkeys import second_step
from skyshelf.service.accounts.session_opening import Opening, device_of, open_session
from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import new_event
from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.identity.logins import TICKET_LIFETIME, party_of
from skyshelf.service.identity.sealed import Ticket, unseal
from skyshelf.service.oidc.settings import Provider
from skyshelf.storage.errors import AccountMissing, EmailTaken
from skyshelf.storage.metadata.contracts.accounts import ACTIVE, Account
from skyshelf.storage.metadata.identities import NewIdentity, SessionOrigin
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.resources.session import LoginAnswer, ProviderLoginRequest

_log = logging.getLogger("skyshelf.identity")


def use_ticket(
    ctx: ServiceContext, request: ProviderLoginRequest, sealed: str, address: str, origin: str = ""
) -> LoginAnswer:
    """Open a session for whom a provider has named. The ticket counts once, together with the session."""
    ticket = unseal(ctx, Ticket, sealed, lifetime=TICKET_LIFETIME)
    if ticket.purpose != "login":
        raise ServiceError(codes.PROVIDER_LOGIN_ENDED)
    provider = party_of(ctx, ticket.provider).provider
    account = _account(ctx, provider, ticket)
    buckets = login_throttle.LoginBuckets(account.email, address, None)
    with ctx.metadata.read() as unit:
        needs_more = not ticket.has_used_mfa and login_codes.is_required(unit, account.account_id)
    given: login_codes.GivenProof | None = None
    if needs_more:
        given = second_step.given_proof(ctx, account, request, buckets, address=address, origin=origin)
    is_read_only = ctx.mode.now(ctx.metadata) is not None
    with ctx.metadata.read() as unit:
        is_new = unit.identities.find(ticket.issuer, ticket.subject) is None

    def accept(unit: Unit, current: Account) -> None:
        if current.status != ACTIVE:
            raise ServiceError(codes.ACCOUNT_DISABLED)
        if login_codes.is_required(unit, current.account_id) and not ticket.has_used_mfa:
            if given is None:
                raise ServiceError(codes.SECOND_FACTOR_REQUIRED)
            if not given.accept(unit):
                raise ServiceError(given.own_refusal or codes.LOGIN_CODE_REFUSED)
        spend(unit, ticket)
        _recognize(ctx, unit, ticket, current, may_link=provider.link_by_email)
        if not is_read_only:
            _follow_groups(ctx, unit, ticket, current)

    came_from = SessionOrigin(ticket.issuer, ticket.subject, ticket.sid)
    opening = Opening(
        account=account,
        device=device_of(ctx, request),
        accept=accept,
        by=ticket.provider,
        opened=lambda unit, digest: unit.identities.put_origin(account.account_id, digest, came_from),
        # A recovery code must never count twice, and a link must not be lost.
        must_last=is_new or (given is not None and given.is_for_recovery),
    )
    try:
        answer = open_session(ctx, opening, address)
    except ServiceError as error:
        if error.error in (codes.LOGIN_CODE_REFUSED, codes.PASSKEY_REFUSED):
            event = new_event(ctx, kinds.FACTOR_FAILED, account, address=address, device_key="")
            login_throttle.failed(ctx, buckets, event)
        raise
    ctx.provider_counts.add(ticket.provider, "in")
    return answer


def spend(unit: Unit, ticket: Ticket) -> None:
    digest = hashlib.sha256(b"ticket " + ticket.random).digest()
    if not unit.spent_tokens.spend(digest, ticket.made_at + TICKET_LIFETIME):
        raise ServiceError(codes.PROVIDER_LOGIN_ENDED)


# The account


def _account(ctx: ServiceContext, provider: Provider, ticket: Ticket) -> Account:
    """The account of the identity; one with the same address is linked, or a new one made, where the operator wants
    that."""
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
        if not provider.link_by_email:
            raise ServiceError(codes.EMAIL_NOT_LINKED)
        return known
    if not provider.new_accounts:
        raise ServiceError(codes.ACCOUNT_NOT_LINKED)
    return _new_account(ctx, ticket)


def _recognize(ctx: ServiceContext, unit: Unit, ticket: Ticket, account: Account, *, may_link: bool) -> None:
    """Note the login. The account with the verified address is linked only here, when the second factor was right."""
    now = ctx.clock.now()
    identity = unit.identities.find(ticket.issuer, ticket.subject)
    if identity is None and may_link and ticket.is_email_verified and _is_same(ticket.email, account.email):
        if not unit.identities.add(account.account_id, new_identity(ticket), now):
            # It has another identity of the same provider.
            raise ServiceError(codes.IDENTITY_TAKEN)
        unit.audit.add([new_event(ctx, kinds.IDENTITY_LINKED, account, provider=ticket.provider)])
    elif identity is None or identity.account_id != account.account_id:
        # It was unlinked, or linked to another account, in the meantime.
        raise ServiceError(codes.PROVIDER_LOGIN_ENDED)
    unit.identities.used(ticket.issuer, ticket.subject, ticket.email, now)


def _is_same(one: str, other: str) -> bool:
    return normalize_email(one).casefold() == normalize_email(other).casefold()


def _new_account(ctx: ServiceContext, ticket: Ticket) -> Account:
    """An account without a password, which the identity opens."""
    new = provider_account(ctx, ticket.email, ticket.first_name, ticket.last_name, quota=ticket.quota)
    now = ctx.clock.now()
    events = [
        replace(new_event(ctx, kind, provider=ticket.provider), account_key=new.account_key)
        for kind in (kinds.ACCOUNT_ADDED, kinds.IDENTITY_LINKED)
    ]

    def work(unit: Unit) -> Account:
        account = unit.accounts.add(new, now)
        if not unit.identities.add(account.account_id, new_identity(ticket), now):
            # The same person, at the same moment, in another tab.
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
    """Set quota and operator as the groups say; the last operator stays one."""
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
