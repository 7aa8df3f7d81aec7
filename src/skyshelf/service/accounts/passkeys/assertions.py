"""Assertions: a passkey's signature on a challenge, verified and then used up in the transaction that it authorises,
such as a login."""

import json
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, NoReturn, Protocol

import msgspec

from skyshelf.service.accounts import login_codes, login_throttle
from skyshelf.service.accounts.passkeys import party
from skyshelf.service.accounts.session_opening import Opening, device_of, open_session
from skyshelf.service.audit import kinds, new_event
from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError, codes
from skyshelf.service.secrets import from_base64url, to_base64url
from skyshelf.storage.metadata.contracts.accounts import ACTIVE, Account
from skyshelf.storage.metadata.contracts.sessions import Passkey, PasskeyUse
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.resources.credentials import LoginAnswer, PasskeyLoginRequest
from skyshelf.wire.resources.passkeys import PasskeyAssertion, PasskeyChallenge, PasskeyDescriptor

if TYPE_CHECKING:
    from fido2.webauthn import AuthenticatorData

_ENDED = "This took too long, or was answered before: try again"


class PasskeyProof(msgspec.Struct, frozen=True, kw_only=True):
    """A passkey that has signed a challenge, and may be used once."""

    passkey: Passkey
    use: PasskeyUse
    challenge: party.Challenge
    now: int
    buckets: login_throttle.LoginBuckets | None = None
    """The buckets of a second factor, which a right one empties."""
    is_for_recovery: ClassVar[bool] = False
    own_refusal: ClassVar[codes.ErrorCode] = codes.PASSKEY_REFUSED

    def accept(self, unit: Unit) -> bool:
        """Use up the challenge and record the use; false if the challenge was used or the passkey removed at the same
        moment."""
        if not self.challenge.spend(unit):
            return False
        if not unit.passkeys.use(self.passkey.account_id, self.passkey.passkey_key, self.use, self.now):
            return False
        if self.buckets is not None:
            login_throttle.code_succeeded(unit, self.buckets)
        return True


def challenge_for(
    ctx: ServiceContext, terms: party.Terms, known: list[Passkey] | None, *, is_alone: bool
) -> PasskeyChallenge:
    """Return the options for a browser; `known` are the passkeys that may answer, or None for any of this host."""
    return PasskeyChallenge(
        challenge=to_base64url(party.new_challenge(ctx, terms)),
        timeout=party.LIFETIME_MS,
        rp_id=terms.party.host,
        allow_credentials=None if known is None else [descriptor(one) for one in known],
        user_verification="required" if is_alone else "preferred",
    )


def descriptor(one: Passkey) -> PasskeyDescriptor:
    return PasskeyDescriptor(
        type="public-key", id=to_base64url(one.credential_id), transports=one.transports.split() or None
    )


def verified(
    ctx: ServiceContext,
    assertion: PasskeyAssertion,
    terms: party.Terms,
    buckets: login_throttle.Buckets,
    address: str,
    *,
    account_id: int | None = None,
    is_alone: bool = False,
) -> PasskeyProof:
    """Return the passkey if its signature is right. A failure counts against the address, and is recorded.

    Only passkeys of that account are accepted; without one, as for a login, the passkey names the account. One that
    replaces the password, and so is alone, has to verify its user.
    """
    check = _Check(ctx, assertion, terms, account_id, buckets, address)
    challenge = party.known_challenge(ctx, check.challenge, terms)
    if challenge is None:
        check.refuse(sentence=_ENDED)
    passkey = check.find()
    data = check.signed(passkey)
    if is_alone and not data.is_user_verified():
        check.refuse(passkey, error=codes.PASSKEY_UNVERIFIED)
    if passkey.can_be_backed_up != data.is_backup_eligible() or (data.is_backed_up() and not passkey.can_be_backed_up):
        check.refuse(passkey)
    if data.counter <= passkey.sign_count and (data.counter or passkey.sign_count):
        check.refuse(passkey, error=codes.PASSKEY_COUNTER, kind=kinds.PASSKEY_COPIED)
    use = PasskeyUse(sign_count=data.counter, is_verifying=data.is_user_verified(), is_backed_up=data.is_backed_up())
    of_codes = buckets if isinstance(buckets, login_throttle.LoginBuckets) else None
    return PasskeyProof(passkey=passkey, use=use, challenge=challenge, now=ctx.clock.now(), buckets=of_codes)


class _Check(NamedTuple):
    ctx: ServiceContext
    assertion: PasskeyAssertion
    terms: party.Terms
    account_id: int | None
    buckets: login_throttle.Buckets
    address: str

    @property
    def challenge(self) -> str:
        return challenge_in(self.assertion.response.client_data_json)

    def find(self) -> Passkey:
        """Return the stored passkey; somebody else's counts as unknown."""
        try:
            credential_id = from_base64url(self.assertion.id)
        except ValueError:
            self.refuse()
        with self.ctx.metadata.read() as unit:
            found = unit.passkeys.find(credential_id)
            account_key = "" if found is None else unit.accounts.by_id(found.account_id).account_key
        wanted, handle = self.account_id, self.assertion.response.user_handle
        if found is None or found.host != self.terms.party.host or wanted not in (None, found.account_id):
            self.refuse()
        # Where no account is named, the passkey itself has to say whose it is.
        if (handle is not None or wanted is None) and handle != to_base64url(bytes.fromhex(account_key)):
            self.refuse(found)
        return found

    def signed(self, passkey: Passkey) -> "AuthenticatorData":
        """Return the signed data if the signature is right, and for this host and page."""
        from fido2.webauthn import (
            AttestedCredentialData,
            AuthenticationResponse,
            AuthenticatorAssertionResponse,
            AuthenticatorData,
            CollectedClientData,
        )

        given = self.assertion.response
        try:
            page = CollectedClientData(from_base64url(given.client_data_json))
            data = AuthenticatorData(from_base64url(given.authenticator_data))
            signed = AuthenticatorAssertionResponse(
                client_data=page, authenticator_data=data, signature=from_base64url(given.signature)
            )
            answer = AuthenticationResponse(raw_id=passkey.credential_id, response=signed)
            state = {"challenge": self.challenge, "user_verification": None}
            self.terms.party.server().authenticate_complete(state, [AttestedCredentialData(passkey.public_key)], answer)
        except Exception:  # noqa: BLE001 - any failure on a stranger's bytes means no signature
            self.refuse(passkey)
        # Inside a page of another site, people cannot see for whom they confirm something.
        if page.cross_origin:
            self.refuse(passkey)
        return data

    def refuse(
        self,
        passkey: Passkey | None = None,
        *,
        error: codes.ErrorCode = codes.PASSKEY_REFUSED,
        sentence: str | None = None,
        kind: str = kinds.PASSKEY_FAILED,
    ) -> NoReturn:
        """Count the failure, and record it for the passkey's account."""
        account_id = (self.account_id or 0) if passkey is None else passkey.account_id
        name = None if passkey is None else passkey.name
        event = new_event(self.ctx, kind, account_id=account_id, address=self.address, name=name)
        login_throttle.failed(self.ctx, self.buckets, event)
        raise ServiceError(error, sentence)


def challenge_in(client_data_json: str) -> str:
    """Return the challenge that a browser says it has answered; empty if there is none."""
    try:
        said: Any = json.loads(from_base64url(client_data_json))
        challenge = said["challenge"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return ""
    return challenge if isinstance(challenge, str) else ""


# Logging in with a passkey: alone, or after the password where the second factor is on


def begin(ctx: ServiceContext, origin: str) -> PasskeyChallenge:
    """Create a challenge for anybody's passkey; nothing is stored."""
    return challenge_for(ctx, _terms(origin), None, is_alone=True)


def login(ctx: ServiceContext, request: PasskeyLoginRequest, address: str, origin: str) -> LoginAnswer:
    """Open a session for the account whose passkey signed. It counts as both factors."""
    terms = _terms(origin)
    buckets = login_throttle.passkey_buckets(request.passkey.id, address)
    login_throttle.admit(ctx, buckets)
    given = verified(ctx, request.passkey, terms, buckets, address, is_alone=True)
    with ctx.metadata.read() as unit:
        account = unit.accounts.by_id(given.passkey.account_id)

    def accept(unit: Unit, current: Account) -> None:
        if current.status != ACTIVE or not given.accept(unit):
            raise ServiceError(codes.PASSKEY_REFUSED)
        login_throttle.succeeded(unit, buckets)

    opening = Opening(
        account=account,
        device=device_of(ctx, request),
        buckets=buckets,
        accept=accept,
        by="passkey",
        failure=kinds.PASSKEY_FAILED,
    )
    return open_session(ctx, opening, address)


def _terms(origin: str) -> party.Terms:
    return party.Terms(party.party_of(origin), "login")


class SecondFactorRequired(ServiceError):
    """The password is right, and more is needed: a code or, if there is a challenge, a passkey."""

    def __init__(self, passkey: PasskeyChallenge | None, *, has_app: bool) -> None:
        super().__init__(codes.SECOND_FACTOR_REQUIRED)
        self.passkey = passkey
        self.has_app = has_app


def second_factor_required(ctx: ServiceContext, account: Account, origin: str) -> SecondFactorRequired:
    """Build the refusal of a login with the right password; only such a login may learn which passkeys exist."""
    ours = party.known_party(origin)
    with ctx.metadata.read() as unit:
        factor = unit.second_factors.of_account(account.account_id)
        found = unit.passkeys.of_account(account.account_id) if ours is not None else []
    challenge = None
    if ours is not None and (known := [one for one in found if one.host == ours.host]):
        terms = party.Terms(ours, "second-factor", account.account_key)
        challenge = challenge_for(ctx, terms, known, is_alone=False)
    return SecondFactorRequired(challenge, has_app=factor is not None and factor.has_app)


class ProofRequest(Protocol):
    """The second factor in a login request."""

    @property
    def code(self) -> str | None: ...
    @property
    def passkey(self) -> PasskeyAssertion | None: ...


def given_proof(
    ctx: ServiceContext,
    account: Account,
    given: ProofRequest,
    buckets: login_throttle.LoginBuckets,
    *,
    address: str,
    origin: str,
) -> login_codes.Proof:
    """Verify the code or the passkey; SecondFactorRequired if there is neither."""
    if given.passkey is not None:
        # It signed the challenge of such a refusal, and is throttled like a code.
        terms = party.Terms(party.party_of(origin), "second-factor", account.account_key)
        login_throttle.admit_code(ctx, buckets)
        return verified(ctx, given.passkey, terms, buckets, address, account_id=account.account_id)
    if given.code is None:
        raise second_factor_required(ctx, account, origin)
    return login_codes.admit(ctx, account, given.code, buckets)
