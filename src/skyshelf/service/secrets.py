"""Tokens of links, derived from a secret: a link can be shown again, and only its digest is kept."""

import base64
import hashlib
import hmac
from typing import Final

from skyshelf.service.context import ServiceContext

_SECRET_BYTES: Final = 32
_TOKEN_BYTES: Final = 24


def kept_secret(ctx: ServiceContext, name: str) -> bytes:
    """The secret of that name; the first one proposed stays."""
    with ctx.metadata.read() as unit:
        known = unit.settings.get(name)
    if known is not None:
        return known
    proposal = ctx.randomness.bytes(_SECRET_BYTES)
    return ctx.metadata.write(lambda unit: unit.settings.set_once(name, proposal))


def derived_token(secret: bytes, purpose: str, key: str) -> str:
    """192 bits that nobody can tell from random ones without the secret."""
    mac = hmac.digest(secret, f"{purpose} {key}".encode(), "sha256")
    return base64.urlsafe_b64encode(mac[:_TOKEN_BYTES]).decode()


def token_hash(token: str) -> bytes:
    """What is stored of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
