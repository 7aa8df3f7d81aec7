"""This server as browsers see it: the host that passkeys are bound to, and the only origin that may use them.

Browsers offer passkeys only over https, and on localhost; and only where the address has a host name.
"""

import hashlib
import hmac
import ipaddress
import struct
from typing import TYPE_CHECKING, Final, Literal
from urllib.parse import urlsplit

import msgspec

from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError, codes
from skyshelf.service.secret_table import PASSKEYS
from skyshelf.service.secrets import from_base64url, to_base64url
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.limits import PASSKEY_MINUTES

if TYPE_CHECKING:
    from fido2.server import Fido2Server

NAME: Final = "Skyshelf"
_PORTS: Final = {"https": 443, "http": 80}
_LOCAL: Final = "localhost"
ES256, EDDSA, RS256 = -7, -8, -257
ALGORITHMS: Final = (ES256, EDDSA, RS256)
"""The accepted kinds of keys, by their COSE numbers; every authenticator supports one of these."""


class Party(msgspec.Struct, frozen=True):
    """A relying party, in the terms of Web Authentication."""

    host: str
    origin: str

    def server(self) -> "Fido2Server":
        """Return a verifier of responses for this host."""
        # Imported here because only passkeys need it, and the server should start quickly.
        from fido2.server import Fido2Server
        from fido2.webauthn import (
            AttestationConveyancePreference,
            PublicKeyCredentialParameters,
            PublicKeyCredentialRpEntity,
            PublicKeyCredentialType,
        )

        server = Fido2Server(
            PublicKeyCredentialRpEntity(id=self.host, name=NAME),
            attestation=AttestationConveyancePreference.NONE,
            verify_origin=lambda origin: origin == self.origin,
        )
        server.allowed_algorithms = [
            PublicKeyCredentialParameters(type=PublicKeyCredentialType.PUBLIC_KEY, alg=one) for one in ALGORITHMS
        ]
        return server


def party_of(origin: str) -> Party:
    """Return the party for the origin of a request; PASSKEYS_NEED_HTTPS where browsers offer no passkeys."""
    parts = urlsplit(origin)
    host = _ascii(parts.hostname or "")
    is_local = host == _LOCAL or host.endswith(f".{_LOCAL}")
    if not host or _is_address(host) or (parts.scheme != "https" and not is_local):
        shown = f"{parts.scheme}://{parts.netloc}"
        raise ServiceError(
            codes.PASSKEYS_NEED_HTTPS, f"{codes.PASSKEYS_NEED_HTTPS.message}, and this server is at {shown}"
        )
    port = "" if parts.port in (None, _PORTS.get(parts.scheme)) else f":{parts.port}"
    return Party(host, f"{parts.scheme}://{host}{port}")


def known_party(origin: str) -> Party | None:
    """Return the party for an origin; None where browsers offer no passkeys."""
    try:
        return party_of(origin)
    except ServiceError:
        return None


def _ascii(host: str) -> str:
    """Return the host name as browsers write it in an origin."""
    try:
        return host.encode("idna").decode().lower() if not host.isascii() else host.lower()
    except UnicodeError:
        return ""


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


# Challenges: what a passkey signs, so no signature can be used twice, or for anything else. A challenge contains its
# expiry and purpose, with a MAC: nothing is stored when one is requested, so strangers can request any number of them.
# An answered challenge is remembered until it expires.

SETTING: Final = PASSKEYS
LIFETIME_MS: Final = PASSKEY_MINUTES * 60 * 1000
_NONCE_BYTES, _MAC_BYTES = 16, 32
_EXPIRY: Final = struct.Struct(">Q")
_BYTES: Final = _NONCE_BYTES + _EXPIRY.size + _MAC_BYTES

Purpose = Literal["login", "second-factor", "confirmation", "registration"]


class Terms(msgspec.Struct, frozen=True):
    """The terms of a challenge: the host, the purpose, and its owner."""

    party: Party
    purpose: Purpose
    subject: str = ""
    """The account or the session; empty for a login, which names nobody."""


class Challenge(msgspec.Struct, frozen=True):
    """A challenge of this server that has not expired."""

    data: bytes
    expires_at: int

    def spend(self, unit: Unit) -> bool:
        """Use it up, in the transaction that it authorises; false if it was used before."""
        return unit.spent_tokens.spend(hashlib.sha256(b"passkey" + self.data).digest(), self.expires_at)


def new_challenge(ctx: ServiceContext, terms: Terms) -> bytes:
    secret = ctx.secret(SETTING)
    head = ctx.randomness.bytes(_NONCE_BYTES) + _EXPIRY.pack(ctx.clock.now() + LIFETIME_MS)
    return head + _mac(secret, head, terms)


def known_challenge(ctx: ServiceContext, text: str, terms: Terms) -> Challenge | None:
    """Return the challenge in an answer; None if it is not ours, is for other terms, or has expired."""
    try:
        data = from_base64url(text)
    except ValueError:
        return None
    if len(data) != _BYTES or to_base64url(data) != text:
        return None
    secret = ctx.secret(SETTING)
    head, mac = data[:-_MAC_BYTES], data[-_MAC_BYTES:]
    if not hmac.compare_digest(mac, _mac(secret, head, terms)):
        return None
    (expires_at,) = _EXPIRY.unpack(head[_NONCE_BYTES:])
    return Challenge(data, expires_at) if ctx.clock.now() < expires_at else None


def _mac(secret: bytes, head: bytes, terms: Terms) -> bytes:
    said = "\0".join((terms.purpose, terms.party.origin, terms.subject)).encode()
    return hmac.digest(secret, head + said, "sha256")
