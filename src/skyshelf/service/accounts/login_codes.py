"""Codes that somebody gives besides a password: whether one is asked for, and taking it, once.

What an authenticator knows cannot be stored as a hash, and is not stored at all: it is derived from a salt of the
account and from a secret of the server, each time that a code is compared.
"""

import hmac
from typing import Final

import msgspec

from skyshelf.service.accounts import login_throttle, recovery_codes, totp
from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.store import Unit

SETTING: Final = "second-factor-key"
_KEY_BYTES: Final = 20


def authenticator_key(secret: bytes, account_key: str, salt: bytes) -> bytes:
    """What the authenticator of an account knows: 160 bits, as many as RFC 4226 recommends."""
    return hmac.digest(secret, f"authenticator {account_key} {salt.hex()}".encode(), "sha256")[:_KEY_BYTES]


def is_asked_for(unit: Unit, account_id: int) -> bool:
    factor = unit.second_factors.of_account(account_id)
    return factor is not None and factor.is_on


class GivenCode(msgspec.Struct, frozen=True):
    """A code that was let through to be compared."""

    account: Account
    code: str
    secret: bytes | None
    now: int
    buckets: login_throttle.LoginBuckets

    def __repr__(self) -> str:
        return "GivenCode(<hidden>)"

    def is_taken(self, unit: Unit) -> bool:
        """Whether it is right; from then on it is worth nothing any more, in the transaction of what it opens."""
        factor = unit.second_factors.of_account(self.account.account_id)
        if factor is None or not factor.is_on or self.secret is None:
            return False
        if totp.looks_like_one(self.code):
            key = authenticator_key(self.secret, self.account.account_key, factor.salt)
            step = totp.fitting_step(key, self.code, self.now, after=factor.last_step)
            taken = step is not None and unit.second_factors.use_step(self.account.account_id, factor.salt, step)
        else:
            code_hash = recovery_codes.digest(self.secret, self.account.account_key, self.code)
            taken = unit.second_factors.use_code(self.account.account_id, code_hash)
        if taken:
            login_throttle.code_succeeded(unit, self.buckets)
        return taken


def given(ctx: ServiceContext, account: Account, code: str, buckets: login_throttle.LoginBuckets) -> GivenCode:
    """Let a code through to the comparison, or say when to come back."""
    login_throttle.admit_code(ctx, buckets)
    with ctx.metadata.read() as unit:
        # Where it is lost, no code is right; a new one would only hide that from the doctor.
        secret = unit.settings.get(SETTING)
    return GivenCode(account, recovery_codes.plain(code), secret, ctx.clock.now(), buckets)
