"""Cookies of a login through a provider: readable by their owner, and made by this server alone.

Everything secret about an attempt follows from its cookie and the server's key: the state, the nonce and the verifier
of PKCE. So nothing is stored, however many logins are begun, and an answer counts only in the browser that began.
"""

import base64
import binascii
import hmac
from typing import Final, Literal, TypeVar

import msgspec

from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.secrets import get_or_create_secret
from skyshelf.wire import error_codes as codes

SETTING: Final = "identity.key"
SEALED_CHARS_MAX: Final = 3500
"""Browsers keep cookies of up to 4 KiB, with their attributes."""
_RANDOM_BYTES: Final = 24
Purpose = Literal["login", "link"]


class _Made(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """Whatever is sealed: when it was made, and what makes it unique."""

    made_at: int
    random: bytes


class Begun(_Made, frozen=True, kw_only=True, array_like=True):
    """A login that somebody has begun."""

    provider: str
    purpose: Purpose
    account_key: str
    """Who is to be linked; empty for a login."""
    back: str
    """The page to go back to, below the server's own address."""


class Ticket(_Made, frozen=True, kw_only=True, array_like=True):
    """What a provider has said about somebody, and what follows from the settings: good for one session or link."""

    provider: str
    purpose: Purpose
    account_key: str
    issuer: str
    subject: str
    sid: str
    email: str
    is_email_verified: bool
    first_name: str
    last_name: str
    is_operator: bool | None
    """None where the provider does not decide that."""
    quota: int | None
    has_used_mfa: bool


Sealed = TypeVar("Sealed", Begun, Ticket)


def new_random(ctx: ServiceContext) -> bytes:
    return ctx.randomness.bytes(_RANDOM_BYTES)


def seal(ctx: ServiceContext, value: Begun | Ticket) -> str:
    """The text of a cookie."""
    content = msgspec.msgpack.encode(value)
    return _text(_mac(ctx, type(value).__name__, content) + content)


def unseal(ctx: ServiceContext, kind: type[Sealed], text: str, *, lifetime: int) -> Sealed:
    """What was sealed; PROVIDER_LOGIN_ENDED for what is not of this kind, was not made here, or is too old."""
    ended = ServiceError(codes.PROVIDER_LOGIN_ENDED)
    if not text or len(text) > SEALED_CHARS_MAX:
        raise ended
    try:
        raw = base64.urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
    except (UnicodeEncodeError, binascii.Error, ValueError):
        raise ended from None
    mac, content = raw[:32], raw[32:]
    if not hmac.compare_digest(mac, _mac(ctx, kind.__name__, content)):
        raise ended
    found = msgspec.msgpack.decode(content, type=kind)
    if not 0 <= ctx.clock.now() - found.made_at < lifetime:
        raise ended
    return found


def derived(ctx: ServiceContext, begun: Begun, purpose: Literal["state", "nonce", "verifier"]) -> str:
    """A secret of an attempt: 256 bits, in the characters that all three may have."""
    return _text(_mac(ctx, purpose, msgspec.msgpack.encode(begun)))


def _mac(ctx: ServiceContext, purpose: str, content: bytes) -> bytes:
    key = get_or_create_secret(ctx, SETTING)
    return hmac.digest(key, f"{purpose}\0".encode() + content, "sha256")


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
