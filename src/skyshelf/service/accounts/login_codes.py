"""Login codes: what an authenticator or a recovery code is, and accepting each code once.

An authenticator's key cannot be stored as a hash, so it is not stored at all: it is derived from the account's salt
and the server's secret each time a code is verified. Recovery codes are 80 random bits that people can copy by hand,
each valid for one login, in Crockford's 32 characters, which leave out those that are easily confused.
"""

import base64
import hmac
from typing import ClassVar, Final, Protocol
from urllib.parse import quote, urlencode

import msgspec

from skyshelf.service.accounts import login_throttle
from skyshelf.service.context import Randomness, ServiceContext
from skyshelf.service.errors import ServiceError, codes
from skyshelf.service.secret_table import SECOND_FACTOR
from skyshelf.service.secrets import is_same
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.secrets import Generations
from skyshelf.storage.metadata.store import Unit

# Time-based one-time codes (RFC 6238): six digits of an HMAC-SHA1 over the number of a 30-second step.

STEP_MS: Final = 30_000
DIGITS: Final = 6
# The client's clock may be half a minute off.
_DRIFT: Final = (1, 0, -1)


def step_at(now: int) -> int:
    """Return the number of the step at a time in epoch milliseconds."""
    return now // STEP_MS


def code_of(secret: bytes, step: int, digits: int = DIGITS) -> str:
    mac = hmac.digest(secret, step.to_bytes(8, "big"), "sha1")
    start = mac[-1] & 0x0F
    number = int.from_bytes(mac[start : start + 4], "big") & 0x7FFF_FFFF
    return str(number % 10**digits).zfill(digits)


def is_code(code: str) -> bool:
    return len(code) == DIGITS and code.isascii() and code.isdigit()


def matching_step(secret: bytes, code: str, now: int, *, after: int) -> int | None:
    """Find the step around now, later than `after`, with that code; every comparison takes the same time."""
    steps = [step_at(now) + drift for drift in _DRIFT]
    matches = [is_same(code, code_of(secret, step)) for step in steps]
    return next((step for step, match in zip(steps, matches, strict=True) if match and step > after), None)


def in_base32(secret: bytes) -> str:
    """Return the secret as people type it into an authenticator."""
    return base64.b32encode(secret).decode().rstrip("=")


def otpauth_uri(secret: bytes, issuer: str, account: str) -> str:
    """Return the URI by which authenticator apps import a secret."""
    label = f"{quote(issuer, safe='')}:{quote(account, safe='')}"
    fields = {"secret": in_base32(secret), "issuer": issuer, "algorithm": "SHA1", "digits": DIGITS}
    return f"otpauth://totp/{label}?{urlencode(fields | {'period': STEP_MS // 1000}, quote_via=quote)}"


# Codes of an account: whether it requires one besides the password

SETTING: Final = SECOND_FACTOR
_KEY_BYTES: Final = 20
SALT_BYTES: Final = 16
RECOVERY_CODES: Final = 10
_CHARACTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_MISREAD: Final = str.maketrans("OIL", "011")
_LENGTH, _GROUP = 16, 4


def authenticator_key(secret: bytes, account_key: str, salt: bytes, mask: bytes | None = None) -> bytes:
    """Derive the key of an account's authenticator: 160 bits, as RFC 4226 recommends.

    An app that was set up before the secret was replaced knows a key that the new secret does not derive: the mask is
    the difference, and useless without the secret.
    """
    derived = hmac.digest(secret, f"authenticator {account_key} {salt.hex()}".encode(), "sha256")[:_KEY_BYTES]
    return derived if mask is None else _difference(derived, mask)


def mask_of(key: bytes, secret: bytes, account_key: str, salt: bytes) -> bytes:
    """Return the mask with which a secret and a new salt derive the key that an authenticator knows."""
    return _difference(key, authenticator_key(secret, account_key, salt))


def _difference(one: bytes, other: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(one, other, strict=True))


def is_required(unit: Unit, account_id: int) -> bool:
    factor = unit.second_factors.of_account(account_id)
    return factor is not None and factor.is_on


class Proof(Protocol):
    """A second factor that was presented and may be accepted once: a code, or a passkey."""

    @property
    def is_for_recovery(self) -> bool:
        """Whether it must never count twice, not even if a write is lost."""

    @property
    def own_refusal(self) -> codes.ErrorCode | None:
        """The error if it is not accepted; None for the one of a wrong code."""

    def accept(self, unit: Unit) -> bool:
        """Whether it is right. It is used up in the same transaction as whatever it authorises."""


def accept_proof(unit: Unit, account_id: int, given: Proof | None) -> None:
    """Accept the second factor of a login, if the account has one; ServiceError if it is missing or wrong."""
    if not is_required(unit, account_id):
        return
    if given is None:
        # The second factor was turned on while the login was verified.
        raise ServiceError(codes.SECOND_FACTOR_REQUIRED)
    if not given.accept(unit):
        raise ServiceError(given.own_refusal or codes.LOGIN_CODE_REFUSED)


class CodeProof(msgspec.Struct, frozen=True):
    """A code that passed the throttle and may be verified."""

    account: Account
    code: str
    secret: Generations | None
    new_salt: bytes
    """For an authenticator that moves to the secret in use."""
    now: int
    buckets: login_throttle.LoginBuckets
    own_refusal: ClassVar[codes.ErrorCode | None] = None

    def __repr__(self) -> str:
        return "CodeProof(<hidden>)"

    @property
    def is_for_recovery(self) -> bool:
        return not is_code(self.code)

    def accept(self, unit: Unit) -> bool:
        factor = unit.second_factors.of_account(self.account.account_id)
        if factor is None or not factor.is_on or self.secret is None:
            return False
        if is_code(self.code):
            if not factor.has_app:
                return False
            secret = self.secret.values.get(factor.generation)
            if secret is None:
                return False
            key = authenticator_key(secret, self.account.account_key, factor.salt, factor.mask)
            step = matching_step(key, self.code, self.now, after=factor.last_step)
            accepted = step is not None and unit.second_factors.use_step(self.account.account_id, factor.salt, step)
            if accepted and factor.generation != self.secret.current:
                self._move(unit, self.secret, factor.salt, key)
        else:
            secret = self.secret.values.get(factor.codes_generation)
            if secret is None:
                return False
            code_hash = recovery_digest(secret, self.account.account_key, self.code)
            accepted = unit.second_factors.use_code(self.account.account_id, code_hash)
        if accepted:
            login_throttle.code_succeeded(unit, self.buckets)
        return accepted

    def _move(self, unit: Unit, secret: Generations, old_salt: bytes, key: bytes) -> None:
        mask = mask_of(key, secret.value, self.account.account_key, self.new_salt)
        unit.second_factors.move(
            self.account.account_id, old_salt, salt=self.new_salt, mask=mask, generation=secret.current
        )


def admit(ctx: ServiceContext, account: Account, code: str, buckets: login_throttle.LoginBuckets) -> CodeProof:
    """Check the throttle for a code; Throttled after too many attempts."""
    login_throttle.admit_code(ctx, buckets)
    with ctx.metadata.read() as unit:
        # If the secret is lost, no code is right. Creating a new one would only hide that from the doctor.
        secret = unit.secrets.get(SETTING)
    return CodeProof(account, plain_code(code), secret, ctx.randomness.bytes(SALT_BYTES), ctx.clock.now(), buckets)


def new_recovery_codes(randomness: Randomness) -> list[str]:
    """Create a set of recovery codes in readable groups."""
    # A byte has exactly eight times as many values as there are characters, so all are equally likely.
    texts = ("".join(_CHARACTERS[byte % 32] for byte in randomness.bytes(_LENGTH)) for _ in range(RECOVERY_CODES))
    return ["-".join(text[start : start + _GROUP] for start in range(0, _LENGTH, _GROUP)) for text in texts]


def plain_code(code: str) -> str:
    """Return a code as it is compared: without spaces and hyphens, in capitals."""
    return "".join(code.split()).replace("-", "").upper()


def recovery_digest(secret: bytes, account_key: str, code: str) -> bytes:
    """The stored recovery_digest of a code. It is useless for another account, and without the server's secret."""
    text = f"recovery {account_key} {plain_code(code).translate(_MISREAD)}"
    return hmac.digest(secret, text.encode("utf-8", "surrogatepass"), "sha256")
