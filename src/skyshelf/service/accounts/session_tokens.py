"""Tokens of sessions: base64 of `<identity>#ATK#<secret>`. Only a digest of the secret is stored."""

import base64
import binascii
import hashlib

from skyshelf.wire.limits import TOKEN_CHARS_MAX

_SEPARATOR = b"#ATK#"
_REFRESH_SEPARATOR = b"#RTK#"
_SCHEME = "basic "
SECRET_BYTES = 32


def make_token(identity: str, secret: bytes) -> str:
    """The token that follows `Basic `. The identity is new at every login and never compared."""
    return base64.b64encode(identity.encode() + _SEPARATOR + secret.hex().encode()).decode()


def hash_of_secret(secret: bytes) -> bytes:
    """The digest by which a session is found. The secret is random, so a plain digest hides it."""
    return hashlib.sha256(secret.hex().encode()).digest()


def make_refresh_token(identity: str, secret: bytes) -> str:
    """The token that renews a session. It holds the same secret: who has either could keep the session in use."""
    return base64.b64encode(identity.encode() + _REFRESH_SEPARATOR + secret.hex().encode()).decode()


def secret_in(authorization: str) -> bytes | None:
    """The secret in an Authorization header, as text; None when it holds no session token.

    Some clients encode the token once more, because the scheme is called Basic.
    """
    if len(authorization) > TOKEN_CHARS_MAX or authorization[: len(_SCHEME)].lower() != _SCHEME:
        return None
    token = authorization[len(_SCHEME) :].strip()
    return _secret_of(token, _SEPARATOR) or _secret_of(_decoded(token).decode("latin-1"), _SEPARATOR)


def secret_in_refresh(token: str) -> bytes | None:
    """The secret in a token that renews a session, as text; None when it is none."""
    return _secret_of(token, _REFRESH_SEPARATOR)


def _secret_of(token: str, separator: bytes) -> bytes | None:
    identity, found, secret = _decoded(token).partition(separator)
    return secret if identity and found and secret else None


def _decoded(token: str) -> bytes:
    """What a text in base64 holds; nothing if it is none."""
    try:
        return base64.b64decode(token.encode("ascii"), validate=True)
    except (UnicodeEncodeError, binascii.Error, ValueError):
        return b""
