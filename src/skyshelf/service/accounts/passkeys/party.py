"""This server as browsers know it: the host that passkeys are bound to, and the only origin that may use them.

Browsers offer passkeys only over https, and on localhost; and only where the address has a host name.
"""

import base64
import binascii
import ipaddress
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import msgspec

from skyshelf.service.errors import ServiceError
from skyshelf.wire import error_codes as codes

if TYPE_CHECKING:
    from fido2.server import Fido2Server

NAME: Final = "Skyshelf"
_PORTS: Final = {"https": 443, "http": 80}
_LOCAL: Final = "localhost"
ES256, EDDSA, RS256 = -7, -8, -257
ALGORITHMS: Final = (ES256, EDDSA, RS256)
"""The kinds of keys that are accepted, as the standard numbers them; every authenticator can make one of these."""


class Party(msgspec.Struct, frozen=True):
    """What the standard calls a relying party."""

    host: str
    origin: str

    def server(self) -> "Fido2Server":
        """Verifies what browsers answer for this host."""
        # Here, because only passkeys need it, and the server should start quickly.
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
    """The party of the address that a request came to; PASSKEYS_NEED_HTTPS where browsers offer no passkeys."""
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
    """The same; None where browsers offer no passkeys."""
    try:
        return party_of(origin)
    except ServiceError:
        return None


def _ascii(host: str) -> str:
    """The name as browsers write it in an origin."""
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


# Bytes in JSON


def encoded(data: bytes) -> str:
    """Bytes as this JSON has them."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def decoded(text: str) -> bytes:
    """The bytes of such a text; ValueError if there are none."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error as wrong:
        raise ValueError("not base64url") from wrong
