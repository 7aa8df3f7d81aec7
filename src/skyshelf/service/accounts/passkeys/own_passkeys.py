"""A user's own passkeys: adding, listing, renaming and removing them; and removing all of them for someone locked out.

Attestation is not requested: which maker a passkey comes from is its owner's business.
"""

from typing import TYPE_CHECKING

from skyshelf.service.accounts.accounts import clean_label
from skyshelf.service.accounts.passkeys import party
from skyshelf.service.accounts.passkeys.assertions import challenge_for, challenge_in, descriptor
from skyshelf.service.accounts.passkeys.confirmation import confirmation_terms, confirmed
from skyshelf.service.audit import kinds, new_event, recorded
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, codes
from skyshelf.service.pages import projected
from skyshelf.service.secrets import from_base64url, to_base64url
from skyshelf.storage.errors import LimitReached
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.sessions import NewPasskey
from skyshelf.storage.metadata.contracts.sessions import Passkey as StoredPasskey
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.limits import PASSKEY_ID_BYTES_MAX, PASSKEY_PUBLIC_KEY_BYTES_MAX, PASSKEYS_MAX
from skyshelf.wire.resources import passkeys as wire

if TYPE_CHECKING:
    from fido2.webauthn import AuthenticatorData

_NO_PASSKEY = "The browser's answer is not a passkey for this page"
_ENDED = "Adding the passkey took too long, or was begun in another session: begin again"


def listed(ctx: ServiceContext, caller: Caller) -> wire.Passkeys:
    """List the account's passkeys, newest first."""
    with ctx.metadata.read() as unit:
        found = unit.passkeys.of_account(caller.account_id)
    return wire.Passkeys(passkeys=[wire_passkey(one) for one in found])


def wire_passkey(one: StoredPasskey) -> wire.Passkey:
    return projected(
        wire.Passkey,
        one,
        replaces_password=one.replaces_password,
        transports=one.transports.split(),
        last_used_date=one.last_used_at or None,
    )


def challenge(ctx: ServiceContext, caller: Caller, origin: str) -> wire.PasskeyChallenge:
    """Create a challenge for the account's passkeys of this host, to confirm changes in this session."""
    terms = confirmation_terms(caller, origin)
    with ctx.metadata.read() as unit:
        known = [one for one in unit.passkeys.of_account(caller.account_id) if one.host == terms.party.host]
    if not known:
        raise ServiceError(codes.PASSKEY_NOT_FOUND, f"The account has no passkey for {terms.party.host}")
    return challenge_for(ctx, terms, known, is_alone=False)


def rename(ctx: ServiceContext, caller: Caller, passkey_key: str, request: wire.PasskeyNameRequest) -> None:
    name = clean_label(request.name, "A name")
    if not ctx.metadata.write(lambda unit: unit.passkeys.rename(caller.account_id, passkey_key, name)):
        raise ServiceError(codes.PASSKEY_NOT_FOUND)


def remove(
    ctx: ServiceContext,
    caller: Caller,
    passkey_key: str,
    request: wire.ConfirmationRequest,
    *,
    address: str,
    origin: str,
) -> None:
    """Remove a passkey, unless logins would then require one that does not exist. No session ends."""
    with ctx.metadata.read() as unit:
        # Checked before the password: a refusal for another reason must not count as a wrong password.
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
    """Remove all passkeys, as an operator, of someone whose devices are lost or stolen; returns their number."""
    with ctx.metadata.read() as unit:
        if not unit.passkeys.of_account(account.account_id):
            return 0
    event = new_event(ctx, kinds.PASSKEYS_RESET, account)
    return recorded(ctx, lambda unit: unit.passkeys.remove_all(account.account_id), event)


def begin(
    ctx: ServiceContext, caller: Caller, request: wire.ConfirmationRequest, address: str, origin: str
) -> wire.PasskeyCreation:
    """Return the options for a browser. They require what a login requires: a passkey is lasting access."""
    terms = _registration_terms(caller, origin)
    with ctx.metadata.read() as unit:
        # Checked before the password: a refusal for another reason must not count as a wrong password.
        known = unit.passkeys.of_account(caller.account_id)
    if len(known) >= PASSKEYS_MAX:
        raise LimitReached(f"There can be at most {PASSKEYS_MAX} passkeys")
    confirmation = confirmed(ctx, caller, request, address, origin)
    confirmation.change(lambda _: None)
    account = confirmation.account
    return wire.PasskeyCreation(
        rp=wire.PasskeyHost(id=terms.party.host, name=party.NAME),
        user=wire.PasskeyUser(
            id=to_base64url(bytes.fromhex(account.account_key)),
            name=account.email,
            display_name=f"{account.first_name} {account.last_name}".strip(),
        ),
        challenge=to_base64url(party.new_challenge(ctx, terms)),
        pub_key_cred_params=[wire.PasskeyAlgorithm(type="public-key", alg=one) for one in party.ALGORITHMS],
        timeout=party.LIFETIME_MS,
        exclude_credentials=[descriptor(one) for one in known if one.host == terms.party.host],
        authenticator_selection=wire.PasskeySelection(resident_key="preferred", user_verification="preferred"),
        attestation="none",
        extensions=wire.PasskeyExtensions(cred_props=True),
    )


def add(ctx: ServiceContext, caller: Caller, request: wire.NewPasskeyRequest, origin: str) -> wire.Passkey:
    """Add the passkey that the browser created for a challenge of this session."""
    terms = _registration_terms(caller, origin)
    name, credential = clean_label(request.name, "A name"), request.credential
    challenge = party.known_challenge(ctx, challenge_in(credential.response.client_data_json), terms)
    if challenge is None:
        raise ServiceError(codes.PASSKEY_REFUSED, _ENDED)
    new = _new_passkey(ctx, terms, credential, name)
    now = ctx.clock.now()

    def work(unit: Unit) -> None:
        if not challenge.spend(unit):
            raise ServiceError(codes.PASSKEY_REFUSED, _ENDED)
        if not unit.passkeys.add(caller.account_id, new, now):
            raise ServiceError(codes.PASSKEY_KNOWN)

    recorded(ctx, work, new_event(ctx, kinds.PASSKEY_ADDED, caller, name=name))
    return wire_passkey(projected(StoredPasskey, new, account_id=caller.account_id, created_at=now, last_used_at=0))


def _registration_terms(caller: Caller, origin: str) -> party.Terms:
    return party.Terms(party.party_of(origin), "registration", caller.session_hash.hex())


def _new_passkey(ctx: ServiceContext, terms: party.Terms, credential: wire.PasskeyCredential, name: str) -> NewPasskey:
    data = created(terms, credential)
    made = data.credential_data
    assert made is not None
    results = credential.client_extension_results
    properties = None if results is None else results.cred_props
    return NewPasskey(
        passkey_key=ctx.new_key(),
        credential_id=made.credential_id,
        public_key=bytes(made),
        sign_count=data.counter,
        host=terms.party.host,
        name=name,
        transports=" ".join(dict.fromkeys(credential.response.transports or [])),
        # Browsers that report nothing create discoverable passkeys: only old security keys have no room for an account.
        is_discoverable=properties is None or properties.rk is not False,
        is_verifying=data.is_user_verified(),
        can_be_backed_up=data.is_backup_eligible(),
        is_backed_up=data.is_backed_up(),
    )


def created(terms: party.Terms, credential: wire.PasskeyCredential) -> "AuthenticatorData":
    """Return the authenticator's data about the new key, if it is for this host and page."""
    from fido2.webauthn import (
        AttestationObject,
        AuthenticatorAttestationResponse,
        CollectedClientData,
        RegistrationResponse,
    )

    response = credential.response
    state = {"challenge": challenge_in(response.client_data_json), "user_verification": None}
    try:
        page = CollectedClientData(from_base64url(response.client_data_json))
        said = AuthenticatorAttestationResponse(
            client_data=page, attestation_object=AttestationObject(from_base64url(response.attestation_object))
        )
        answer = RegistrationResponse(raw_id=from_base64url(credential.id), response=said)
        data = terms.party.server().register_complete(state, answer)
    except Exception:  # noqa: BLE001 - any failure on a stranger's bytes means no passkey
        raise ServiceError(codes.PASSKEY_REFUSED, _NO_PASSKEY) from None
    if page.cross_origin or not _is_wanted(data, answer.raw_id):
        raise ServiceError(codes.PASSKEY_REFUSED, _NO_PASSKEY)
    return data


def _is_wanted(data: "AuthenticatorData", credential_id: bytes) -> bool:
    """Whether this is the credential that the browser names, of a requested kind and size."""
    made = data.credential_data
    return (
        made is not None
        and made.credential_id == credential_id
        and 1 <= len(credential_id) <= PASSKEY_ID_BYTES_MAX
        and made.public_key.get(3) in party.ALGORITHMS
        and len(made) - len(credential_id) <= PASSKEY_PUBLIC_KEY_BYTES_MAX
        and (data.is_backup_eligible() or not data.is_backed_up())
    )
