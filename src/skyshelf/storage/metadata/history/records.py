"""The record of an object as it was: one encoding that never changes, so that records can be compared and hashed.

A record is a MessagePack array that begins with the number of its layout. A new layout gets a new number; the readers
of older ones stay.
"""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.wire.proofs.leaves import encode_state

LAYOUT: Final = 1
SOURCE_FOLDER_MAX: Final = 256
"""The longest source folder, in characters, that a change keeps. A longer one, which may have 12 KiB, would make each
change of a favourite cost that much again; it stays what it is at the object, and purged objects keep theirs."""
_HIDDEN, _LOCKED, _READONLY, _FAVORITE = 1, 2, 4, 8

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
    """The record of an object before a change."""
    if len(stored.source_folder) > SOURCE_FOLDER_MAX:
        stored = replace(stored, source_folder="")
    return encode_past(stored)


def encode_past(stored: StoredObject, *, purged_seq: int = 0) -> bytes:
    """The record of an object, whole."""
    return _encode(
        (
            LAYOUT,
            None if stored.parent_key is None else bytes.fromhex(stored.parent_key),
            stored.is_folder,
            stored.status,
            stored.name,
            stored.size,
            stored.file_created_at,
            stored.last_modified_at,
            None if stored.sha256 is None else bytes.fromhex(stored.sha256),
            None if stored.md5 is None else bytes.fromhex(stored.md5),
            stored.version,
            stored.mime_type,
            stored.mime_subtype,
            stored.source_name,
            stored.source_folder,
            stored.app_code,
            _flags(stored),
            stored.created_at,
            stored.updated_at,
            stored.arrived_at,
            stored.trashed_at,
            stored.taken_at,
            stored.taken_day,
            stored.created_seq,
            purged_seq,
        )
    )


def _flags(stored: StoredObject) -> int:
    return (
        stored.is_hidden * _HIDDEN
        | stored.is_locked * _LOCKED
        | stored.is_readonly * _READONLY
        | stored.is_favorite * _FAVORITE
    )


def decode_past(account_id: int, object_key: str, record: bytes) -> Past:
    """The object that a record describes."""
    row: list[Any] = _decode(record)
    assert row[0] == LAYOUT, "a record of a later version"
    flags = row[16]
    return Past(
        StoredObject(
            account_id=account_id,
            object_key=object_key,
            parent_key=None if row[1] is None else row[1].hex().upper(),
            is_folder=row[2],
            status=row[3],
            name=row[4],
            size=row[5],
            file_created_at=row[6],
            last_modified_at=row[7],
            sha256=None if row[8] is None else row[8].hex(),
            md5=None if row[9] is None else row[9].hex(),
            version=row[10],
            mime_type=row[11],
            mime_subtype=row[12],
            source_name=row[13],
            source_folder=row[14],
            app_code=row[15],
            is_hidden=bool(flags & _HIDDEN),
            is_locked=bool(flags & _LOCKED),
            is_readonly=bool(flags & _READONLY),
            is_favorite=bool(flags & _FAVORITE),
            created_at=row[17],
            updated_at=row[18],
            arrived_at=row[19],
            trashed_at=row[20],
            taken_at=row[21],
            taken_day=row[22],
            created_seq=row[23],
        ),
        row[24],
    )


def encode_after(stored: StoredObject) -> bytes:
    """The record of an object after a change, as the log has it (wire/proofs/leaves.py)."""
    return encode_state(
        None if stored.parent_key is None else bytes.fromhex(stored.parent_key),
        (stored.is_folder, stored.status, stored.name, stored.size),
        (
            None if stored.sha256 is None else bytes.fromhex(stored.sha256),
            None if stored.md5 is None else bytes.fromhex(stored.md5),
        ),
        stored.version,
        (_flags(stored), stored.last_modified_at),
    )


def encode_watermark(watermark: int) -> bytes:
    """What the trash's watermark was before the trash was emptied: the record of that change."""
    return _encode((LAYOUT, watermark))


def decode_watermark(record: bytes) -> int:
    watermark: int = _decode(record)[1]
    return watermark


def encode_links(links: Sequence[Link]) -> bytes:
    return _encode(links)


def decode_links(record: bytes) -> list[Link]:
    return msgspec.msgpack.decode(record, type=list[Link])
