"""Session tokens: base64 of `<identity>#ATK#<secret>`. Only a digest of the secret is ever stored."""

import base64
import binascii
import hashlib

from skyshelf.wire.limits import TOKEN_CHARS_MAX

_SEPARATOR = b"#ATK#"
_SCHEME = "basic "


def make_token(identity: str, secret: bytes) -> str:
    """The token that follows `Basic `; the identity is new at every login and is compared with nothing."""
    return base64.b64encode(identity.encode() + _SEPARATOR + secret.hex().encode()).decode()


def hash_of_secret(secret: bytes) -> bytes:
    """The digest by which a session is found: the secret is random, so that a plain digest hides it."""
    return hashlib.sha256(secret.hex().encode()).digest()


def secret_hash_in(authorization: str) -> bytes | None:
    """The digest of the secret that an Authorization header carries; None when it is no token of ours."""
    if len(authorization) > TOKEN_CHARS_MAX or authorization[: len(_SCHEME)].lower() != _SCHEME:
        return None
    try:
        token = base64.b64decode(authorization[len(_SCHEME) :].strip().encode("ascii"), validate=True)
    except (UnicodeEncodeError, binascii.Error, ValueError):
        return None
    identity, separator, secret = token.partition(_SEPARATOR)
    if not (identity and separator and secret):
        return None
    return hashlib.sha256(secret).digest()
