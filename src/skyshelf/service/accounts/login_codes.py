"""Login codes: whether an account requires one besides the password, and accepting each code once.

An authenticator's key cannot be stored as a hash, so it is not stored at all: it is derived from the account's salt
and the server's secret each time a code is verified.
"""

import hmac
from typing import Final, Protocol

import msgspec

from skyshelf.service.accounts import login_throttle, recovery_codes, totp
from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.error_codes import ErrorCode

SETTING: Final = "second-factor-key"
_KEY_BYTES: Final = 20


def authenticator_key(secret: bytes, account_key: str, salt: bytes) -> bytes:
    """The key of an account's authenticator: 160 bits, as RFC 4226 recommends."""
    return hmac.digest(secret, f"authenticator {account_key} {salt.hex()}".encode(), "sha256")[:_KEY_BYTES]


def is_required(unit: Unit, account_id: int) -> bool:
    factor = unit.second_factors.of_account(account_id)
    return factor is not None and factor.is_on


class GivenProof(Protocol):
    """A second factor that was given and may be accepted once: a code, or a passkey."""

    @property
    def is_for_recovery(self) -> bool:
        """Whether it must never count twice, not even after a write that was lost."""

    @property
    def own_refusal(self) -> ErrorCode | None:
        """The error if it is not accepted; None for that of a wrong code."""

    def accept(self, unit: Unit) -> bool:
        """Whether it is right. It is used up in the same transaction as whatever it authorises."""


class GivenCode(msgspec.Struct, frozen=True):
    """A code that passed the throttle and may be verified."""

    account: Account
    code: str
    secret: bytes | None
    now: int
    buckets: login_throttle.LoginBuckets

    def __repr__(self) -> str:
        return "GivenCode(<hidden>)"

    @property
    def is_for_recovery(self) -> bool:
        return not totp.is_code(self.code)

    @property
    def own_refusal(self) -> ErrorCode | None:
        return None

    def accept(self, unit: Unit) -> bool:
        """Whether the code is right. It is used up in the same transaction as whatever it authorises."""
        factor = unit.second_factors.of_account(self.account.account_id)
        if factor is None or not factor.is_on or self.secret is None:
            return False
        if totp.is_code(self.code):
            if not factor.has_app:
                return False
            key = authenticator_key(self.secret, self.account.account_key, factor.salt)
            step = totp.matching_step(key, self.code, self.now, after=factor.last_step)
            accepted = step is not None and unit.second_factors.use_step(self.account.account_id, factor.salt, step)
        else:
            code_hash = recovery_codes.digest(self.secret, self.account.account_key, self.code)
            accepted = unit.second_factors.use_code(self.account.account_id, code_hash)
        if accepted:
            login_throttle.code_succeeded(unit, self.buckets)
        return accepted


def admit(ctx: ServiceContext, account: Account, code: str, buckets: login_throttle.LoginBuckets) -> GivenCode:
    """Check the throttle for a code; Throttled when there were too many attempts."""
    login_throttle.admit_code(ctx, buckets)
    with ctx.metadata.read() as unit:
        # If the secret is lost, no code is right. Creating a new one would only hide that from the doctor.
        secret = unit.settings.get(SETTING)
    return GivenCode(account, recovery_codes.plain(code), secret, ctx.clock.now(), buckets)
