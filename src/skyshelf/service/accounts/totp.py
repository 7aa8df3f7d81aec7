"""One-time codes of an authenticator (RFC 6238): six digits of an HMAC-SHA1 over the number of a step of time."""

import base64
import hmac
from typing import Final
from urllib.parse import quote, urlencode

STEP_MS: Final = 30_000
DIGITS: Final = 6
# A clock that is half a minute off still opens the door.
_DRIFT: Final = (1, 0, -1)


def step_at(now: int) -> int:
    """The number of the step in which that moment lies."""
    return now // STEP_MS


def code_of(secret: bytes, step: int, digits: int = DIGITS) -> str:
    """The code of a step."""
    mac = hmac.digest(secret, step.to_bytes(8, "big"), "sha1")
    start = mac[-1] & 0x0F
    number = int.from_bytes(mac[start : start + 4], "big") & 0x7FFF_FFFF
    return str(number % 10**digits).zfill(digits)


def looks_like_one(code: str) -> bool:
    return len(code) == DIGITS and code.isascii() and code.isdigit()


def fitting_step(secret: bytes, code: str, now: int, *, after: int) -> int | None:
    """The step around this moment, later than `after`, whose code that is; every comparison takes the same time."""
    steps = [step_at(now) + drift for drift in _DRIFT]
    given = code.encode("utf-8", "surrogatepass")
    fits = [hmac.compare_digest(code_of(secret, step).encode(), given) for step in steps]
    return next((step for step, fit in zip(steps, fits, strict=True) if fit and step > after), None)


def in_base32(secret: bytes) -> str:
    """As people type it into an authenticator."""
    return base64.b32encode(secret).decode().rstrip("=")


def otpauth_uri(secret: bytes, issuer: str, account: str) -> str:
    """The address by which applications take over a secret."""
    label = f"{quote(issuer, safe='')}:{quote(account, safe='')}"
    said = {"secret": in_base32(secret), "issuer": issuer, "algorithm": "SHA1", "digits": DIGITS}
    return f"otpauth://totp/{label}?{urlencode(said | {'period': STEP_MS // 1000}, quote_via=quote)}"
