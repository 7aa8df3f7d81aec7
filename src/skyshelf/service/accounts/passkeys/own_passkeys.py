"""A user's own passkeys: listing, renaming and removing them; and removing those of a person who is locked out."""

from skyshelf.service.accounts.own_account import clean_device_name
from skyshelf.service.accounts.passkeys.assertions import challenge_for
from skyshelf.service.accounts.passkeys.confirmation import confirmation_terms, confirmed
from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import new_event, recorded
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.passkeys import Passkey as StoredPasskey
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.resources.passkeys import (
    ConfirmationRequest,
    Passkey,
    PasskeyChallenge,
    PasskeyNameRequest,
    Passkeys,
)


def listed(ctx: ServiceContext, caller: Caller) -> Passkeys:
    """All passkeys of the account, the newest first."""
    with ctx.metadata.read() as unit:
        found = unit.passkeys.of_account(caller.account_id)
    return Passkeys(passkeys=[wire_passkey(one) for one in found])


def wire_passkey(one: StoredPasskey) -> Passkey:
    return Passkey(
        passkey_key=one.passkey_key,
        name=one.name,
        host=one.host,
        replaces_password=one.replaces_password,
        is_backed_up=one.is_backed_up,
        transports=one.transports.split(),
        created_date=one.created_at,
        last_used_date=one.last_used_at or None,
    )


def challenge(ctx: ServiceContext, caller: Caller, origin: str) -> PasskeyChallenge:
    """A challenge for the account's passkeys of this host, which confirms changes in this session."""
    terms = confirmation_terms(caller, origin)
    with ctx.metadata.read() as unit:
        known = [one for one in unit.passkeys.of_account(caller.account_id) if one.host == terms.party.host]
    if not known:
        raise ServiceError(codes.PASSKEY_NOT_FOUND, f"The account has no passkey for {terms.party.host}")
    return challenge_for(ctx, terms, known, is_alone=False)


def rename(ctx: ServiceContext, caller: Caller, passkey_key: str, request: PasskeyNameRequest) -> None:
    """Name a passkey."""
    name = clean_device_name(request.name)
    if not ctx.metadata.write(lambda unit: unit.passkeys.rename(caller.account_id, passkey_key, name)):
        raise ServiceError(codes.PASSKEY_NOT_FOUND)


def remove(
    ctx: ServiceContext, caller: Caller, passkey_key: str, request: ConfirmationRequest, *, address: str, origin: str
) -> None:
    """Remove a passkey, unless logins would then ask for one that does not exist. No session ends."""
    with ctx.metadata.read() as unit:
        # Before the password: what is refused for another reason must not count as a wrong one.
        chosen = _removable(unit, caller, passkey_key)

    def work(unit: Unit) -> None:
        _removable(unit, caller, passkey_key)
        unit.passkeys.remove(caller.account_id, passkey_key)

    event = new_event(ctx, kinds.PASSKEY_REMOVED, caller, name=chosen.name)
    confirmed(ctx, caller, request, address, origin).change(work, event)


def _removable(unit: Unit, caller: Caller, passkey_key: str) -> StoredPasskey:
    known = {one.passkey_key: one for one in unit.passkeys.of_account(caller.account_id)}
    if passkey_key not in known:
        raise ServiceError(codes.PASSKEY_NOT_FOUND)
    factor = unit.second_factors.of_account(caller.account_id)
    if len(known) == 1 and factor is not None and factor.is_on and not factor.has_app:
        raise ServiceError(codes.PASSKEY_NEEDED)
    others = any(one.replaces_password for one in known.values() if one.passkey_key != passkey_key)
    has_password = bool(unit.accounts.by_id(caller.account_id).password_hash)
    if not others and not has_password and not unit.identities.of_account(caller.account_id):
        raise ServiceError(codes.LAST_WAY_IN)
    return known[passkey_key]


def remove_all(ctx: ServiceContext, account: Account) -> int:
    """Remove all passkeys for the operator, for someone whose devices are lost or stolen; how many there were."""

    def work(unit: Unit) -> int:
        return unit.passkeys.remove_all(account.account_id)

    with ctx.metadata.read() as unit:
        if not unit.passkeys.of_account(account.account_id):
            return 0
    return recorded(ctx, work, new_event(ctx, kinds.PASSKEYS_RESET, account))
