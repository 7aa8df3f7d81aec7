"""Challenges: what a passkey signs, so that no signature can be used twice, or for anything else.

A challenge says itself until when it is valid and what for, with a MAC: nothing is stored when one is asked for, so
strangers can ask for any number of them. One that was answered is remembered until it expires.
"""

import hashlib
import hmac
import struct
from typing import Final, Literal

import msgspec

from skyshelf.service.accounts.passkeys.party import Party, decoded, encoded
from skyshelf.service.context import ServiceContext
from skyshelf.service.secrets import get_or_create_secret
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.limits import PASSKEY_MINUTES

SETTING: Final = "passkeys.key"
LIFETIME_MS: Final = PASSKEY_MINUTES * 60 * 1000
_NONCE_BYTES, _MAC_BYTES = 16, 32
_EXPIRY: Final = struct.Struct(">Q")
_BYTES: Final = _NONCE_BYTES + _EXPIRY.size + _MAC_BYTES

Purpose = Literal["login", "second-factor", "confirmation", "registration"]


class Terms(msgspec.Struct, frozen=True):
    """What a challenge is for: the host, the purpose, and whose it is."""

    party: Party
    purpose: Purpose
    subject: str = ""
    """The account, or the session; empty for a login, which names nobody."""


class Challenge(msgspec.Struct, frozen=True):
    """A challenge of this server that has not expired."""

    data: bytes
    expires_at: int

    def spend(self, unit: Unit) -> bool:
        """Use it up, in the transaction of what it authorises; false if it was used before."""
        return unit.spent_tokens.spend(hashlib.sha256(b"passkey" + self.data).digest(), self.expires_at)


def new_challenge(ctx: ServiceContext, terms: Terms) -> bytes:
    """A challenge for these terms."""
    secret = get_or_create_secret(ctx, SETTING)
    head = ctx.randomness.bytes(_NONCE_BYTES) + _EXPIRY.pack(ctx.clock.now() + LIFETIME_MS)
    return head + _mac(secret, head, terms)


def known_challenge(ctx: ServiceContext, text: str, terms: Terms) -> Challenge | None:
    """The challenge in an answer; None if it is not this server's, is for other terms, or has expired."""
    try:
        data = decoded(text)
    except ValueError:
        return None
    if len(data) != _BYTES or encoded(data) != text:
        return None
    secret = get_or_create_secret(ctx, SETTING)
    head, mac = data[:-_MAC_BYTES], data[-_MAC_BYTES:]
    if not hmac.compare_digest(mac, _mac(secret, head, terms)):
        return None
    (expires_at,) = _EXPIRY.unpack(head[_NONCE_BYTES:])
    return Challenge(data, expires_at) if ctx.clock.now() < expires_at else None


def _mac(secret: bytes, head: bytes, terms: Terms) -> bytes:
    said = "\0".join((terms.purpose, terms.party.origin, terms.subject)).encode()
    return hmac.digest(secret, head + said, "sha256")
