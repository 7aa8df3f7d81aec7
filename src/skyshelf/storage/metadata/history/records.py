"""The record of an object as it was: one encoding that never changes, so that records can be compared and hashed.

A record is a MessagePack array that begins with the number of its layout. A new layout gets a new number; the readers
of older ones stay.
"""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import astuple, replace

from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.wire.proofs.leaves import encode_state

LAYOUT: Final = 1
SOURCE_FOLDER_MAX: Final = 256
"""The longest source folder, in characters, that history keeps. A longer one, which may have 12 KiB, would make each
change of a favourite, and each deleted object, cost that much again; it stays what it is at the object."""
_HIDDEN, _LOCKED, _READONLY, _FAVORITE, _EXECUTABLE = 1, 2, 4, 8, 16

_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder().decode


class Past(msgspec.Struct, frozen=True):
    """An object as it was before a change. If it had been deleted for good by then, the change that did so."""

    object: StoredObject
    purged_seq: int = 0


class Link(msgspec.Struct, frozen=True, array_like=True):
    """Something that an object belongs to: a tag, a share link or a board."""

    kind: str
    key: bytes
    name: str
    at: int = 0


def encode_before(stored: StoredObject) -> bytes:
    """Return the record of an object before a change."""
    return encode_past(_shortened(stored))


def encode_purged(stored: StoredObject, purged_seq: int) -> bytes:
    """Return the record of an object that a change deletes for good."""
    return encode_past(_shortened(stored), purged_seq=purged_seq)


def _shortened(stored: StoredObject) -> StoredObject:
    return replace(stored, source_folder="") if len(stored.source_folder) > SOURCE_FOLDER_MAX else stored


def encode_past(stored: StoredObject, *, purged_seq: int = 0) -> bytes:
    """Return the record of an object, whole."""
    fields = astuple(stored)
    first, middle, last = fields[3:9], fields[11:17], fields[21:28]
    return _encode((LAYOUT, _parent(stored), *first, *_digests(stored), *middle, _flags(stored), *last, purged_seq))


def _parent(stored: StoredObject) -> bytes | None:
    return None if stored.parent_key is None else bytes.fromhex(stored.parent_key)


def _digests(stored: StoredObject) -> tuple[bytes | None, bytes | None]:
    return (
        None if stored.sha256 is None else bytes.fromhex(stored.sha256),
        None if stored.md5 is None else bytes.fromhex(stored.md5),
    )


def _flags(stored: StoredObject) -> int:
    return (
        stored.is_hidden * _HIDDEN
        | stored.is_locked * _LOCKED
        | stored.is_readonly * _READONLY
        | stored.is_favorite * _FAVORITE
        | stored.is_executable * _EXECUTABLE
    )


def decode_past(account_id: int, object_key: str, record: bytes) -> Past:
    """Return the object that a record describes."""
    row: list[Any] = _decode(record)
    assert row[0] == LAYOUT, "a record of a later version"
    flags = row[16]
    stored = StoredObject(
        account_id,
        object_key,
        None if row[1] is None else row[1].hex().upper(),
        *row[2:8],
        *(None if digest is None else digest.hex() for digest in row[8:10]),
        *row[10:16],
        *(bool(flags & flag) for flag in (_HIDDEN, _LOCKED, _READONLY, _FAVORITE)),
        *row[17:24],
    )
    stored.is_executable = bool(flags & _EXECUTABLE)
    return Past(stored, row[24])


def encode_after(stored: StoredObject) -> bytes:
    """Return the record of an object after a change, as the log has it (wire/proofs/leaves.py)."""
    return encode_state(
        _parent(stored),
        (stored.is_folder, stored.status, stored.name, stored.size),
        _digests(stored),
        stored.version,
        (_flags(stored), stored.last_modified_at),
    )


def encode_watermark(watermark: int) -> bytes:
    """Return what the trash's watermark was before the trash was emptied: the record of that change."""
    return _encode((LAYOUT, watermark))


def decode_watermark(record: bytes) -> int:
    watermark: int = _decode(record)[1]
    return watermark


def encode_links(links: Sequence[Link]) -> bytes:
    return _encode(links)


def decode_links(record: bytes) -> list[Link]:
    return msgspec.msgpack.decode(record, type=list[Link])
