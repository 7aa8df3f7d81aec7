"""Registration: a browser creates a passkey, and the account gets its public key.

Attestation is not asked for: which maker a passkey comes from is its owner's business.
"""

from typing import TYPE_CHECKING

from skyshelf.service.accounts.own_account import clean_device_name
from skyshelf.service.accounts.passkeys.assertions import challenge_in, descriptor
from skyshelf.service.accounts.passkeys.challenges import LIFETIME_MS, Terms, known_challenge, new_challenge
from skyshelf.service.accounts.passkeys.confirmation import confirmed
from skyshelf.service.accounts.passkeys.own_passkeys import wire_passkey
from skyshelf.service.accounts.passkeys.party import ALGORITHMS, NAME, decoded, encoded, party_of
from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import new_event, recorded
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.storage.errors import LimitReached
from skyshelf.storage.metadata.passkeys import NewPasskey
from skyshelf.storage.metadata.passkeys import Passkey as StoredPasskey
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.limits import PASSKEY_ID_BYTES_MAX, PASSKEY_PUBLIC_KEY_BYTES_MAX, PASSKEYS_MAX
from skyshelf.wire.resources.passkeys import (
    ConfirmationRequest,
    NewPasskeyRequest,
    Passkey,
    PasskeyAlgorithm,
    PasskeyCreation,
    PasskeyCredential,
    PasskeyExtensions,
    PasskeyHost,
    PasskeySelection,
    PasskeyUser,
)

if TYPE_CHECKING:
    from fido2.webauthn import AuthenticatorData

_NO_PASSKEY = "The browser's answer is not a passkey for this page"
_ENDED = "Adding the passkey took too long, or was begun in another session: begin again"


def begin(
    ctx: ServiceContext, caller: Caller, request: ConfirmationRequest, address: str, origin: str
) -> PasskeyCreation:
    """The options for a browser. They take what a login takes, because a passkey is a lasting way in."""
    terms = _terms(caller, origin)
    with ctx.metadata.read() as unit:
        # Before the password: what is refused for another reason must not count as a wrong one.
        known = unit.passkeys.of_account(caller.account_id)
    if len(known) >= PASSKEYS_MAX:
        raise LimitReached(f"There can be at most {PASSKEYS_MAX} passkeys")
    confirmation = confirmed(ctx, caller, request, address, origin)
    confirmation.change(lambda _: None)
    account = confirmation.account
    return PasskeyCreation(
        rp=PasskeyHost(id=terms.party.host, name=NAME),
        user=PasskeyUser(
            id=encoded(bytes.fromhex(account.account_key)),
            name=account.email,
            display_name=f"{account.first_name} {account.last_name}".strip(),
        ),
        challenge=encoded(new_challenge(ctx, terms)),
        pub_key_cred_params=[PasskeyAlgorithm(type="public-key", alg=one) for one in ALGORITHMS],
        timeout=LIFETIME_MS,
        exclude_credentials=[descriptor(one) for one in known if one.host == terms.party.host],
        authenticator_selection=PasskeySelection(resident_key="preferred", user_verification="preferred"),
        attestation="none",
        extensions=PasskeyExtensions(cred_props=True),
    )


def add(ctx: ServiceContext, caller: Caller, request: NewPasskeyRequest, origin: str) -> Passkey:
    """Add the passkey that the browser has created for a challenge of this session."""
    terms = _terms(caller, origin)
    name, credential = clean_device_name(request.name), request.credential
    challenge = known_challenge(ctx, challenge_in(credential.response.client_data_json), terms)
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
    return wire_passkey(
        StoredPasskey(
            **{field: getattr(new, field) for field in new.__struct_fields__},
            account_id=caller.account_id,
            created_at=now,
            last_used_at=0,
        )
    )


def _terms(caller: Caller, origin: str) -> Terms:
    return Terms(party_of(origin), "registration", caller.session_hash.hex())


def _new_passkey(ctx: ServiceContext, terms: Terms, credential: PasskeyCredential, name: str) -> NewPasskey:
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
        # Browsers that report nothing make passkeys that do: only old security keys have no room for an account.
        is_discoverable=properties is None or properties.rk is not False,
        is_verifying=data.is_user_verified(),
        can_be_backed_up=data.is_backup_eligible(),
        is_backed_up=data.is_backed_up(),
    )


def created(terms: Terms, credential: PasskeyCredential) -> "AuthenticatorData":
    """What the authenticator says of the new key, if it is for this host and page."""
    from fido2.webauthn import (
        AttestationObject,
        AuthenticatorAttestationResponse,
        CollectedClientData,
        RegistrationResponse,
    )

    response = credential.response
    state = {"challenge": challenge_in(response.client_data_json), "user_verification": None}
    try:
        page = CollectedClientData(decoded(response.client_data_json))
        said = AuthenticatorAttestationResponse(
            client_data=page, attestation_object=AttestationObject(decoded(response.attestation_object))
        )
        answer = RegistrationResponse(raw_id=decoded(credential.id), response=said)
        data = terms.party.server().register_complete(state, answer)
    except Exception:  # noqa: BLE001 - whatever a stranger's bytes lead to is no passkey
        raise ServiceError(codes.PASSKEY_REFUSED, _NO_PASSKEY) from None
    if page.cross_origin or not _is_wanted(data, answer.raw_id):
        raise ServiceError(codes.PASSKEY_REFUSED, _NO_PASSKEY)
    return data


def _is_wanted(data: "AuthenticatorData", credential_id: bytes) -> bool:
    """Whether this is the credential that the browser names, of a kind and size that were asked for."""
    made = data.credential_data
    return (
        made is not None
        and made.credential_id == credential_id
        and 1 <= len(credential_id) <= PASSKEY_ID_BYTES_MAX
        and made.public_key.get(3) in ALGORITHMS
        and len(made) - len(credential_id) <= PASSKEY_PUBLIC_KEY_BYTES_MAX
        and (data.is_backup_eligible() or not data.is_backed_up())
    )
