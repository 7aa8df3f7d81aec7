"""An account's identities at login providers: listing, linking and unlinking them."""

from skyshelf.service.accounts.own_account import confirm_password
from skyshelf.service.audit import kinds, new_event, recorded
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, codes
from skyshelf.service.identity.logins import TICKET_LIFETIME, Ticket, link_permit, party_of, unseal
from skyshelf.service.identity.sessions import new_identity, spend
from skyshelf.service.oidc.relying_party import wire_provider
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.sessions import Identity
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.resources import credentials as wire

SETTINGS_PAGE = "/drive/settings"


def own_identities(ctx: ServiceContext, caller: Caller) -> wire.OwnIdentities:
    """List the identities of the caller's account, and the providers where it has none."""
    with ctx.metadata.read() as unit:
        account = unit.accounts.by_id(caller.account_id)
        found = unit.identities.of_account(caller.account_id)
    issuers = {one.issuer for one in found}
    return wire.OwnIdentities(
        has_password=bool(account.password_hash),
        identities=[_wire(ctx, one) for one in found],
        providers=[
            wire_provider(party.provider) for party in ctx.providers.values() if party.provider.issuer not in issuers
        ],
    )


def _wire(ctx: ServiceContext, identity: Identity) -> wire.OwnIdentity:
    provider = ctx.providers.of_issuer(identity.issuer)
    return wire.OwnIdentity(
        issuer=identity.issuer,
        provider_name=provider.name if provider else None,
        email_id=identity.email or None,
        linked_date=identity.created_at,
        last_used_date=identity.last_used_at,
    )


def permit_link(ctx: ServiceContext, caller: Caller, request: wire.LinkIdentityRequest, address: str) -> str:
    """Begin to link an identity, which will then open the account. Like any lasting access, it requires the password.

    The result is for a cookie, with which the browser is then sent to the provider.
    """
    party_of(ctx, request.provider)
    confirm_password(ctx, caller, request.password, address)
    return link_permit(ctx, request.provider, caller.account_key, back=SETTINGS_PAGE)


def finish_link(ctx: ServiceContext, caller: Caller, sealed: str) -> wire.OwnIdentities:
    """Link the identity that a provider has named, if this account began the link."""
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


def unlink(ctx: ServiceContext, caller: Caller, request: wire.UnlinkIdentityRequest) -> wire.OwnIdentities:
    """Unlink an identity, unless it is the last way into the account."""

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
    """Unlink an identity as an operator, even the last way in; sessions opened through it end."""

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
