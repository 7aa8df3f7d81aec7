"""Time-based one-time codes (RFC 6238): six digits of an HMAC-SHA1 over the number of a 30-second step."""

import base64
import hmac
from typing import Final
from urllib.parse import quote, urlencode

STEP_MS: Final = 30_000
DIGITS: Final = 6
# The client's clock may be half a minute off.
_DRIFT: Final = (1, 0, -1)


def step_at(now: int) -> int:
    """The number of the step at a time in epoch milliseconds."""
    return now // STEP_MS


def code_of(secret: bytes, step: int, digits: int = DIGITS) -> str:
    """The code of a step."""
    mac = hmac.digest(secret, step.to_bytes(8, "big"), "sha1")
    start = mac[-1] & 0x0F
    number = int.from_bytes(mac[start : start + 4], "big") & 0x7FFF_FFFF
    return str(number % 10**digits).zfill(digits)


def is_code(code: str) -> bool:
    """Whether the text has the form of a code."""
    return len(code) == DIGITS and code.isascii() and code.isdigit()


def matching_step(secret: bytes, code: str, now: int, *, after: int) -> int | None:
    """The step around now, later than `after`, with that code; every comparison takes the same time."""
    steps = [step_at(now) + drift for drift in _DRIFT]
    given = code.encode("utf-8", "surrogatepass")
    matches = [hmac.compare_digest(code_of(secret, step).encode(), given) for step in steps]
    return next((step for step, match in zip(steps, matches, strict=True) if match and step > after), None)


def in_base32(secret: bytes) -> str:
    """The secret as people type it into an authenticator."""
    return base64.b32encode(secret).decode().rstrip("=")


def otpauth_uri(secret: bytes, issuer: str, account: str) -> str:
    """The URI by which authenticator apps import a secret."""
    label = f"{quote(issuer, safe='')}:{quote(account, safe='')}"
    fields = {"secret": in_base32(secret), "issuer": issuer, "algorithm": "SHA1", "digits": DIGITS}
    return f"otpauth://totp/{label}?{urlencode(fields | {'period': STEP_MS // 1000}, quote_via=quote)}"
