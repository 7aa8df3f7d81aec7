"""An account's identities at login providers: listing them, linking another one, and unlinking."""

from skyshelf.service.accounts import login_throttle
from skyshelf.service.accounts.own_account import check_password_unchanged, verify_password
from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import new_event, recorded
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.identity.logins import TICKET_LIFETIME, link_permit, party_of
from skyshelf.service.identity.sealed import Ticket, unseal
from skyshelf.service.identity.sessions import new_identity, spend
from skyshelf.service.oidc.parties import wire_provider
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.identities import Identity
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.resources.identities import (
    LinkIdentityRequest,
    OwnIdentities,
    OwnIdentity,
    UnlinkIdentityRequest,
)

SETTINGS_PAGE = "/drive/settings"


def own_identities(ctx: ServiceContext, caller: Caller) -> OwnIdentities:
    """The identities of the caller's account, and the providers of which it has none."""
    with ctx.metadata.read() as unit:
        account = unit.accounts.by_id(caller.account_id)
        found = unit.identities.of_account(caller.account_id)
    issuers = {one.issuer for one in found}
    return OwnIdentities(
        has_password=bool(account.password_hash),
        identities=[_wire(ctx, one) for one in found],
        providers=[
            wire_provider(party.provider) for party in ctx.providers.values() if party.provider.issuer not in issuers
        ],
    )


def _wire(ctx: ServiceContext, identity: Identity) -> OwnIdentity:
    provider = ctx.providers.of_issuer(identity.issuer)
    return OwnIdentity(
        issuer=identity.issuer,
        provider_name=provider.name if provider else None,
        email_id=identity.email or None,
        linked_date=identity.created_at,
        last_used_date=identity.last_used_at,
    )


def permit_link(ctx: ServiceContext, caller: Caller, request: LinkIdentityRequest, address: str) -> str:
    """Begin to link an identity, which then opens the account: it takes the password, as any lasting way in.

    The result is for a cookie, with which the browser is then sent to the provider.
    """
    party_of(ctx, request.provider)
    account, buckets = verify_password(ctx, caller, request.password, address)

    def work(unit: Unit) -> None:
        check_password_unchanged(unit, account)
        login_throttle.succeeded(unit, buckets)

    ctx.metadata.write(work)
    return link_permit(ctx, request.provider, caller.account_key, back=SETTINGS_PAGE)


def finish_link(ctx: ServiceContext, caller: Caller, sealed: str) -> OwnIdentities:
    """Link the identity that a provider has named, if this account has begun that."""
    ticket = unseal(ctx, Ticket, sealed, lifetime=TICKET_LIFETIME)
    if ticket.purpose != "link" or ticket.account_key != caller.account_key:
        raise ServiceError(codes.PROVIDER_LOGIN_ENDED)
    now = ctx.clock.now()

    def work(unit: Unit) -> None:
        spend(unit, ticket)
        if not unit.identities.add(caller.account_id, new_identity(ticket), now):
            raise ServiceError(codes.IDENTITY_TAKEN)

    recorded(ctx, work, new_event(ctx, kinds.IDENTITY_LINKED, caller, provider=ticket.provider))
    ctx.provider_counts.add(ticket.provider, "linked")
    return own_identities(ctx, caller)


def unlink(ctx: ServiceContext, caller: Caller, request: UnlinkIdentityRequest) -> OwnIdentities:
    """Unlink an identity; not the last way into the account."""

    def work(unit: Unit) -> None:
        account = unit.accounts.by_id(caller.account_id)
        if not unit.identities.remove(caller.account_id, request.issuer):
            raise ServiceError(codes.IDENTITY_NOT_FOUND)
        has_passkey = any(one.replaces_password for one in unit.passkeys.of_account(caller.account_id))
        if not account.password_hash and not has_passkey and not unit.identities.of_account(caller.account_id):
            raise ServiceError(codes.LAST_WAY_IN)

    recorded(ctx, work, new_event(ctx, kinds.IDENTITY_UNLINKED, caller, provider=_name(ctx, request.issuer)))
    return own_identities(ctx, caller)


def unlink_for_operator(ctx: ServiceContext, account: Account, issuer: str) -> bool:
    """The same for an operator, who may take the last way in; the sessions that came from there end."""

    def work(unit: Unit) -> bool:
        identity = next((one for one in unit.identities.of_account(account.account_id) if one.issuer == issuer), None)
        if identity is None:
            return False
        unit.identities.remove(account.account_id, issuer)
        unit.identities.end_sessions(issuer, subject=identity.subject)
        return True

    return recorded(ctx, work, new_event(ctx, kinds.IDENTITY_UNLINKED, account, provider=_name(ctx, issuer)))


def _name(ctx: ServiceContext, issuer: str) -> str:
    provider = ctx.providers.of_issuer(issuer)
    return provider.id if provider else issuer
