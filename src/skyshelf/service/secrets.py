"""Secrets as text: tokens that can be shown again although only their digests are stored, base64url, comparison."""

import base64
import hashlib
import hmac
from typing import Final

_TOKEN_BYTES: Final = 24


def derived_token(secret: bytes, purpose: str, key: str) -> str:
    """Derive 192 bits that look random to anybody without the secret."""
    return to_base64url(hmac.digest(secret, f"{purpose} {key}".encode(), "sha256")[:_TOKEN_BYTES])


def token_hash(token: str) -> bytes:
    """Return the digest under which a token is stored."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def is_same(given: str, expected: str) -> bool:
    """Compare secrets in constant time."""
    return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), expected.encode())


def to_base64url(data: bytes) -> str:
    """Encode bytes as base64url without padding."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def from_base64url(text: str) -> bytes:
    """Decode base64url without padding; ValueError if it is not valid."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
