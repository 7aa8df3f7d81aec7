"""The server's keys: whether each is signed by the one before it, and whether a head is signed by one of them."""

import base64
import binascii
from collections.abc import Sequence

from msgspec import Struct

from skyshelf.client.errors import ConfigurationError
from skyshelf.wire.proofs.heads import SignedHead, key_hash, key_id, succession
from skyshelf.wire.resources.history import KeyOfHistory


class MismatchError(Exception):
    """Something does not fit; the text is a sentence for the user."""


class Key(Struct, frozen=True):
    """A key that is published, and whose predecessors have signed it."""

    id: str
    public: bytes
    created_at: int
    retired_at: int | None


def chain_of(published: Sequence[KeyOfHistory]) -> list[Key]:
    """The published keys, oldest first; MismatchError unless each is signed by the one before it."""
    keys: list[Key] = []
    for one in published:
        public = decoded(one.public_key)
        if len(public) != 32 or one.key_id != key_id(public):
            raise MismatchError(f"The server publishes a key whose id is not its own: {one.key_id}.")
        if keys:
            signed = succession(keys[-1].id, public, one.created_date or 0)
            if not is_signed(keys[-1].public, decoded(one.signature), signed):
                raise MismatchError(f"The key {one.key_id} is not signed by the key before it, {keys[-1].id}.")
        keys.append(Key(one.key_id, public, one.created_date or 0, one.retired_date))
    return keys


def check_known(known: Sequence[str], keys: Sequence[Key]) -> None:
    """MismatchError unless all keys that signed heads which are kept are still published."""
    published = {key.id for key in keys}
    for one in known:
        if one not in published:
            raise MismatchError(
                f"The key {one} signed heads that you keep, and the server no longer publishes it: its keys were"
                " replaced."
            )


def signer_of(signed: SignedHead, keys: Sequence[Key], what: str) -> int:
    """The number of the key that signed a head; MismatchError if none did, or one that was retired by then."""
    for number, key in enumerate(keys):
        if key_hash(key.id) != signed.key_hash:
            continue
        if not is_signed(key.public, signed.signature, signed.head.text()):
            break
        if key.retired_at is not None and signed.head.time > key.retired_at:
            raise MismatchError(f"{what} is signed with the key {key.id}, which had been retired before.")
        return number
    raise MismatchError(f"{what} is not signed by any key of this server.")


def is_signed(public: bytes, signature: bytes, message: bytes) -> bool:
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        raise ConfigurationError(
            "signatures cannot be verified without the package cryptography: run `pip install 'skyshelf[proof]'`"
        ) from None
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def decoded(text: str | None) -> bytes:
    """Base64 that a server sent; empty where it is none."""
    try:
        return base64.b64decode(text or "", validate=True)
    except (binascii.Error, ValueError):
        return b""
