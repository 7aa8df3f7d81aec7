"""A passkey after the password, where the second factor is on: instead of a code."""

from typing import Protocol

from skyshelf.service.accounts import login_codes, login_throttle
from skyshelf.service.accounts.passkeys.assertions import Expected, GivenPasskey, challenge_for, verified
from skyshelf.service.accounts.passkeys.challenges import Terms
from skyshelf.service.accounts.passkeys.party import known_party, party_of
from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.wire import error_codes as codes
from skyshelf.wire.resources.passkeys import PasskeyAssertion, PasskeyChallenge


class SecondFactorRequired(ServiceError):
    """The password is right, and something else is needed: a code or, if there is a challenge, a passkey."""

    def __init__(self, passkey: PasskeyChallenge | None, *, has_app: bool) -> None:
        super().__init__(codes.SECOND_FACTOR_REQUIRED)
        self.passkey = passkey
        self.has_app = has_app


def second_factor_required(ctx: ServiceContext, account: Account, origin: str) -> SecondFactorRequired:
    """The refusal of a login with the right password, which alone may learn which passkeys there are."""
    party = known_party(origin)
    with ctx.metadata.read() as unit:
        factor = unit.second_factors.of_account(account.account_id)
        found = unit.passkeys.of_account(account.account_id) if party is not None else []
    has_app = factor is not None and factor.has_app
    known = [one for one in found if party is not None and one.host == party.host]
    if party is None or not known:
        return SecondFactorRequired(None, has_app=has_app)
    terms = Terms(party, "second-factor", account.account_key)
    return SecondFactorRequired(challenge_for(ctx, terms, known, is_alone=False), has_app=has_app)


class Given(Protocol):
    """What a login gives besides the password."""

    @property
    def code(self) -> str | None: ...
    @property
    def passkey(self) -> PasskeyAssertion | None: ...


def given_proof(
    ctx: ServiceContext,
    account: Account,
    given: Given,
    buckets: login_throttle.LoginBuckets,
    *,
    address: str,
    origin: str,
) -> login_codes.GivenProof:
    """The code or the passkey; SecondFactorRequired where there is neither."""
    if given.passkey is not None:
        return _given_passkey(ctx, account, given.passkey, buckets, address=address, origin=origin)
    if given.code is None:
        raise second_factor_required(ctx, account, origin)
    return login_codes.admit(ctx, account, given.code, buckets)


def _given_passkey(
    ctx: ServiceContext,
    account: Account,
    assertion: PasskeyAssertion,
    buckets: login_throttle.LoginBuckets,
    *,
    address: str,
    origin: str,
) -> GivenPasskey:
    """A passkey of the account that has signed the challenge of such a refusal; throttled like a code."""
    terms = Terms(party_of(origin), "second-factor", account.account_key)
    login_throttle.admit_code(ctx, buckets)
    expected = Expected(terms=terms, account_id=account.account_id)
    return verified(ctx, assertion, expected, buckets, address)
