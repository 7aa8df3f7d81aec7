"""Passwords: argon2id with the parameters that OWASP recommends, and the same work whether or not an account exists."""

from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from skyshelf.service.errors import ServiceError, codes
from skyshelf.wire.limits import PASSWORD_CHARS_MAX

SHORTEST = 8

# 19 MiB, two passes, one lane: about 25 ms of one core, and little memory even for a small machine.
_hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


@cache
def nobodys_hash() -> str:
    """Return the hash to verify against when there is no account: it costs the same and never matches."""
    return _hasher.hash("nobody has this password, and nobody can log in with it")


def check_new_password(password: str) -> None:
    """ServiceError for a password that is too short, or that a login could not send."""
    if len(password) < SHORTEST:
        raise ServiceError(codes.INVALID_REQUEST, f"The password needs at least {SHORTEST} characters")
    if len(password) > PASSWORD_CHARS_MAX:
        raise ServiceError(codes.INVALID_REQUEST, f"The password can have at most {PASSWORD_CHARS_MAX} characters")
    if not _encodes(password):
        raise ServiceError(codes.INVALID_REQUEST, "The password is not valid Unicode")


def hash_password(password: str) -> str:
    return _hasher.hash(password)


def matches(password: str, password_hash: str | None) -> bool:
    """Whether the password matches.

    The hash is None for an account that does not exist, and empty for one without a password; both take as long.
    """
    if not _encodes(password):
        password, password_hash = "", None
    try:
        _hasher.verify(password_hash or nobodys_hash(), password)
    except (VerificationError, InvalidHashError):
        return False
    return bool(password_hash)


def needs_rehash(password_hash: str) -> bool:
    """Whether the hash was created with other parameters than the current ones."""
    return _hasher.check_needs_rehash(password_hash)


def _encodes(password: str) -> bool:
    try:
        password.encode()
    except UnicodeEncodeError:
        return False
    return True
