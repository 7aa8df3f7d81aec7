"""Leaves of an account's log: the parts of a change that are hashed.

The body of a change has its kind, object, actor, and the object before and after it. The leaf has the number and the
time of the change, and the hash of the body. So what a change was about can be forgotten, and the log stays provable.
Both are MessagePack arrays that begin with the number of their layout; a layout never changes.
"""

import hashlib
from typing import Any, Final, TypeAlias

import msgspec

from skyshelf.wire.proofs.merkle import leaf_hash

LAYOUT: Final = 1
_PAST_LAYOUT: Final = 1
_STATE_LAYOUT: Final = 1
_FAVORITE: Final = 8
_PAST_FIELDS: Final = 25
_STATE_FIELDS: Final = 11

_encode: Final = msgspec.msgpack.Encoder().encode
_NO_RECORD: Final = "not the record of an object"


class State(msgspec.Struct, frozen=True):
    """The properties of an object that people see."""

    parent_key: str | None
    is_folder: bool
    status: str
    name: str
    size: int
    sha256: bytes | None
    md5: bytes | None
    version: int
    is_favorite: bool


_Seen: TypeAlias = tuple[bytes | None, bool, str, str, int, bytes | None, bytes | None, int, int]
"""The fields of a State as records have them, with flags at the end."""


class Body(msgspec.Struct, frozen=True):
    """The content of a change. `before` and `after` are records of the object, as the server stores them."""

    kind: str
    object_key: bytes
    actor: str
    before: bytes | None
    after: bytes | None

    def encoded(self) -> bytes:
        return _encode((LAYOUT, self.kind, self.object_key, self.actor, self.before, self.after))


def decode_body(record: bytes) -> Body:
    """Return the body of a change; ValueError for anything else."""
    try:
        row = msgspec.msgpack.decode(record, type=tuple[int, str, bytes, str, bytes | None, bytes | None])
    except msgspec.MsgspecError as wrong:
        raise ValueError("not the record of a change") from wrong
    if row[0] != LAYOUT:
        raise ValueError("a record of a later version")
    return Body(*row[1:])


def hash_of_body(record: bytes) -> bytes:
    return hashlib.sha256(record).digest()


def hash_of_leaf(number: int, at: int, body_hash: bytes | None) -> bytes:
    """Return the leaf of a change; without a body hash if the change was forgotten before the log reached it."""
    return leaf_hash(_encode((LAYOUT, number, at, body_hash)))


# Objects after a change.


def encode_state(
    parent_key: bytes | None,
    content: tuple[bool, str, str, int],
    hashes: tuple[bytes | None, bytes | None],
    version: int,
    flags: tuple[int, int],
) -> bytes:
    """Encode the record of an object after a change.

    `content` is (is a folder, status, name, size), `hashes` (SHA-256, MD5), `flags` (flags, time of modification).
    """
    return _encode((_STATE_LAYOUT, parent_key, *content, *hashes, version, *flags))


def decode_state(record: bytes) -> State:
    """Return an object after a change; ValueError for anything else."""
    row = _row(record, _STATE_LAYOUT)
    if len(row) != _STATE_FIELDS:
        raise ValueError(_NO_RECORD)
    return _state(row[1:10])


def decode_before(record: bytes) -> State | None:
    """Return an object before a change; None if the record is not about an object, such as for an emptied trash."""
    row = _row(record, _PAST_LAYOUT)
    if len(row) != _PAST_FIELDS:
        return None
    return _state([*row[1:6], *row[8:11], row[16]])


def _row(record: bytes, layout: int) -> list[Any]:
    try:
        row = msgspec.msgpack.decode(record, type=list[Any])
    except msgspec.MsgspecError as wrong:
        raise ValueError(_NO_RECORD) from wrong
    if not row or row[0] != layout:
        raise ValueError(_NO_RECORD)
    return row


def _state(values: list[Any]) -> State:
    try:
        parent, is_folder, status, name, size, sha256, md5, version, flags = msgspec.convert(values, _Seen)
    except msgspec.ValidationError as wrong:
        raise ValueError(_NO_RECORD) from wrong
    parent_key = None if parent is None else parent.hex().upper()
    return State(parent_key, is_folder, status, name, size, sha256, md5, version, bool(flags & _FAVORITE))
