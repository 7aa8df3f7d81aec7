"""Tokens derived from a stored secret: a link can be shown again although only its digest is stored."""

import base64
import hashlib
import hmac
from typing import Final

from skyshelf.service.context import ServiceContext

_SECRET_BYTES: Final = 32
_TOKEN_BYTES: Final = 24


def get_or_create_secret(ctx: ServiceContext, name: str) -> bytes:
    """The secret with that name, shared by all instances; the first proposal wins."""
    with ctx.metadata.read() as unit:
        known = unit.settings.get(name)
    if known is not None:
        return known
    proposal = ctx.randomness.bytes(_SECRET_BYTES)
    return ctx.metadata.write(lambda unit: unit.settings.set_once(name, proposal))


def derived_token(secret: bytes, purpose: str, key: str) -> str:
    """192 bits that look random to anybody without the secret."""
    mac = hmac.digest(secret, f"{purpose} {key}".encode(), "sha256")
    return base64.urlsafe_b64encode(mac[:_TOKEN_BYTES]).decode()


def token_hash(token: str) -> bytes:
    """The digest under which a token is stored."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
