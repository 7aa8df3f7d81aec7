"""Assertions: a passkey's signature on a challenge, verified and then used up in the transaction that it authorises."""

import json
from typing import TYPE_CHECKING, Any, NoReturn

import msgspec

from skyshelf.service.accounts import login_throttle
from skyshelf.service.accounts.passkeys.challenges import LIFETIME_MS, Challenge, Terms, known_challenge, new_challenge
from skyshelf.service.accounts.passkeys.party import decoded, encoded
from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import new_event
from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.storage.metadata.passkeys import Passkey, PasskeyUse
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.error_codes import ErrorCode
from skyshelf.wire.resources.passkeys import PasskeyAssertion, PasskeyChallenge, PasskeyDescriptor

if TYPE_CHECKING:
    from fido2.webauthn import AuthenticatorData

_ENDED = "This took too long, or was answered before: try again"


class GivenPasskey(msgspec.Struct, frozen=True, kw_only=True):
    """A passkey that has signed a challenge, and may be used once."""

    passkey: Passkey
    use: PasskeyUse
    challenge: Challenge
    now: int
    buckets: login_throttle.LoginBuckets | None = None
    """Those of a second factor, which a right one empties."""

    @property
    def is_for_recovery(self) -> bool:
        return False

    @property
    def own_refusal(self) -> ErrorCode:
        return codes.PASSKEY_REFUSED

    def accept(self, unit: Unit) -> bool:
        """Use the challenge up and note the use; false where the challenge was used, or the passkey was removed, at the
        same moment."""
        if not self.challenge.spend(unit):
            return False
        if not unit.passkeys.use(self.passkey.account_id, self.passkey.passkey_key, self.use, self.now):
            return False
        if self.buckets is not None:
            login_throttle.code_succeeded(unit, self.buckets)
        return True


class Expected(msgspec.Struct, frozen=True, kw_only=True):
    """What an assertion has to be."""

    terms: Terms
    account_id: int | None = None
    """The only account whose passkeys are accepted; None for a login, where the passkey names the account."""
    is_alone: bool = False
    """Whether it replaces the password: then the passkey has to verify who uses it."""


def challenge_for(
    ctx: ServiceContext, terms: Terms, known: list[Passkey] | None, *, is_alone: bool
) -> PasskeyChallenge:
    """The options for a browser; `known` are the passkeys that may answer, or None for any of this host."""
    return PasskeyChallenge(
        challenge=encoded(new_challenge(ctx, terms)),
        timeout=LIFETIME_MS,
        rp_id=terms.party.host,
        allow_credentials=None if known is None else [descriptor(one) for one in known],
        user_verification="required" if is_alone else "preferred",
    )


def descriptor(one: Passkey) -> PasskeyDescriptor:
    return PasskeyDescriptor(
        type="public-key", id=encoded(one.credential_id), transports=one.transports.split() or None
    )


def verified(
    ctx: ServiceContext,
    assertion: PasskeyAssertion,
    expected: Expected,
    buckets: login_throttle.Buckets,
    address: str,
) -> GivenPasskey:
    """The passkey if its signature is right. A failure counts against the address, and is recorded."""
    check = _Check(ctx, assertion, expected, buckets, address)
    challenge = known_challenge(ctx, check.challenge, expected.terms)
    if challenge is None:
        check.refuse(sentence=_ENDED)
    passkey = check.find()
    data = check.signed(passkey)
    if expected.is_alone and not data.is_user_verified():
        check.refuse(passkey, error=codes.PASSKEY_UNVERIFIED)
    if passkey.can_be_backed_up != data.is_backup_eligible() or (data.is_backed_up() and not passkey.can_be_backed_up):
        check.refuse(passkey)
    if data.counter <= passkey.sign_count and (data.counter or passkey.sign_count):
        check.refuse(passkey, error=codes.PASSKEY_COUNTER, kind=kinds.PASSKEY_COPIED)
    use = PasskeyUse(sign_count=data.counter, is_verifying=data.is_user_verified(), is_backed_up=data.is_backed_up())
    of_codes = buckets if isinstance(buckets, login_throttle.LoginBuckets) else None
    return GivenPasskey(passkey=passkey, use=use, challenge=challenge, now=ctx.clock.now(), buckets=of_codes)


class _Check:
    """One assertion that is being looked at."""

    def __init__(
        self,
        ctx: ServiceContext,
        assertion: PasskeyAssertion,
        expected: Expected,
        buckets: login_throttle.Buckets,
        address: str,
    ) -> None:
        self._ctx = ctx
        self._assertion = assertion
        self._expected = expected
        self._buckets = buckets
        self._address = address

    @property
    def challenge(self) -> str:
        return challenge_in(self._assertion.response.client_data_json)

    def find(self) -> Passkey:
        """The stored passkey; somebody else's is unknown."""
        try:
            credential_id = decoded(self._assertion.id)
        except ValueError:
            self.refuse()
        with self._ctx.metadata.read() as unit:
            found = unit.passkeys.find(credential_id)
            account_key = "" if found is None else unit.accounts.by_id(found.account_id).account_key
        wanted, handle = self._expected.account_id, self._assertion.response.user_handle
        if found is None or found.host != self._expected.terms.party.host or wanted not in (None, found.account_id):
            self.refuse()
        # Without a name, the passkey itself has to say whose it is.
        if (handle is not None or wanted is None) and handle != encoded(bytes.fromhex(account_key)):
            self.refuse(found)
        return found

    def signed(self, passkey: Passkey) -> "AuthenticatorData":
        """What the passkey has signed, if the signature is right, and for this host and page."""
        from fido2.webauthn import (
            AttestedCredentialData,
            AuthenticationResponse,
            AuthenticatorAssertionResponse,
            AuthenticatorData,
            CollectedClientData,
        )

        given = self._assertion.response
        try:
            page = CollectedClientData(decoded(given.client_data_json))
            data = AuthenticatorData(decoded(given.authenticator_data))
            signed = AuthenticatorAssertionResponse(
                client_data=page, authenticator_data=data, signature=decoded(given.signature)
            )
            answer = AuthenticationResponse(raw_id=passkey.credential_id, response=signed)
            state = {"challenge": self.challenge, "user_verification": None}
            self._expected.terms.party.server().authenticate_complete(
                state, [AttestedCredentialData(passkey.public_key)], answer
            )
        except Exception:  # noqa: BLE001 - whatever a stranger's bytes lead to is no signature
            self.refuse(passkey)
        # Inside a page of another site, people cannot see whom they confirm something for.
        if page.cross_origin:
            self.refuse(passkey)
        return data

    def refuse(
        self,
        passkey: Passkey | None = None,
        *,
        error: ErrorCode = codes.PASSKEY_REFUSED,
        sentence: str | None = None,
        kind: str = kinds.PASSKEY_FAILED,
    ) -> NoReturn:
        """Count the failure, and record it with the account whose passkey it is."""
        account_id = 0 if passkey is None else passkey.account_id
        name = None if passkey is None else passkey.name
        event = new_event(
            self._ctx, kind, account_id=account_id or self._expected.account_id or 0, address=self._address, name=name
        )
        login_throttle.failed(self._ctx, self._buckets, event)
        raise ServiceError(error, sentence)


def challenge_in(client_data_json: str) -> str:
    """The challenge that a browser says it has answered; empty where there is none."""
    try:
        said: Any = json.loads(decoded(client_data_json))
        challenge = said["challenge"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return ""
    return challenge if isinstance(challenge, str) else ""
