"""Packs and lists of a backup: objects that are named by the SHA-256 of their bytes."""

import hashlib
import zlib
from collections.abc import Container
from typing import Final

from skyshelf.backup.cut import ObjectRef
from skyshelf.backup.places import Batch, CutDamaged, Place
from skyshelf.backup.sealing import Names, Opener, Sealer

PACK_BYTES: Final = 8 * 1024 * 1024
"""A pack is full when it has this many."""


def pack_name(name: str) -> str:
    return f"packs/{name}"


def list_name(name: str) -> str:
    return f"lists/{name}"


def put_list(batch: Batch, data: bytes, known: Container[str] = ()) -> tuple[ObjectRef, int]:
    """Store a list unless it is known; return its name, and how many bytes were written."""
    stored = ObjectRef(hashlib.sha256(data).hexdigest(), len(data))
    if stored.name in known:
        return stored, 0
    batch.add(list_name(stored.name), (data,))
    return stored, stored.size


def get_list(place: Place, stored: ObjectRef) -> bytes:
    """Return a list; CutDamaged when it is missing or not what was stored."""
    return _get(place, list_name(stored.name), stored)


def _get(place: Place, name: str, stored: ObjectRef) -> bytes:
    try:
        data = b"".join(place.read(name, stored.size))
    except FileNotFoundError as error:
        raise CutDamaged(f"{name} is missing") from error
    if hashlib.sha256(data).hexdigest() != stored.name:
        raise CutDamaged(f"{name} is damaged")
    return data


def put_pack(batch: Batch, sealer: Sealer, data: bytes) -> ObjectRef:
    """Store a pack, and return its name."""
    sealed = b"".join(sealer.seal((data,)))
    stored = ObjectRef(hashlib.sha256(sealed).hexdigest(), len(sealed))
    batch.add(pack_name(stored.name), (sealed,))
    return stored


def get_pack(place: Place, opener: Opener, stored: ObjectRef) -> bytes:
    """Return a pack, opened; CutDamaged when it is missing or not what was stored."""
    return b"".join(opener.open((_get(place, pack_name(stored.name), stored),)))


def unpacked(data: bytes, digest: bytes, names: Names, size: int) -> bytes:
    """Return a part of a pack, uncompressed; CutDamaged when it is not what was stored."""
    try:
        # Bounded: a manipulated backup must not expand without end.
        whole = zlib.decompressobj().decompress(data, max(1, size))
    except zlib.error as error:
        raise CutDamaged("a part of the rows is damaged") from error
    if names.of(hashlib.sha256(whole).digest()) != digest:
        raise CutDamaged("a part of the rows is not what was stored")
    return whole
