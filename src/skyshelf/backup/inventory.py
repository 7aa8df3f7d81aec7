"""The lists of what a cut needs: names and sizes of contents, sorted, in parts that unchanged cuts share.

A record is a name, the size of the stored object and, with encryption, the SHA-256 of the stored object, so that it can
be checked without the identity, and a nonce: the same content encrypted twice is two objects.
"""

import struct
from collections.abc import Iterable, Iterator
from itertools import starmap
from typing import Final, NamedTuple

NAME_BYTES: Final = 32
_RECORD: Final = struct.Struct(">32sQ")
_SEALED_RECORD: Final = struct.Struct(">32sQ40x")
NONCE_BYTES: Final = 8
WANTED_BYTES: Final = _RECORD.size
FEW: Final = 2000
MANY: Final = 50_000


class Entry(NamedTuple):
    """A stored content. The digest is that of the stored bytes; without encryption it is the name, and no nonce."""

    name: bytes
    size: int
    digest: bytes
    nonce: bytes = b""

    @property
    def object_name(self) -> str:
        return object_name(self.name, self.nonce)


def object_name(name: bytes, nonce: bytes) -> str:
    text = name.hex()
    return f"blobs/{text[:2]}/{text}" + (f"-{nonce.hex()}" if nonce else "")


def name_in(object_name: str) -> bytes | None:
    """The name of the content that an object is; None for anything else."""
    text = object_name.rpartition("/")[2].partition("-")[0]
    try:
        return bytes.fromhex(text) if object_name.startswith("blobs/") and len(text) == 2 * NAME_BYTES else None
    except ValueError:
        return None


def wanted_record(name: bytes, size: int) -> bytes:
    """A content and its own size; without encryption this is what its list holds."""
    return _RECORD.pack(name, size)


def wanted_list(contents: Iterable[tuple[bytes, int]]) -> bytes:
    return b"".join(starmap(_RECORD.pack, contents))


def wanted_in(data: bytes) -> Iterator[tuple[bytes, int]]:
    return _RECORD.iter_unpack(data)


def names_in(data: bytes, *, encrypted: bool) -> Iterator[tuple[bytes, int]]:
    """Names and stored sizes of a list, without the rest of its entries: a list has thousands of them."""
    return (_SEALED_RECORD if encrypted else _RECORD).iter_unpack(data)


def encoded(entries: Iterable[Entry], *, encrypted: bool) -> bytes:
    """The list of these entries."""
    if not encrypted:
        return b"".join(wanted_record(entry.name, entry.size) for entry in sorted(entries))
    return b"".join(wanted_record(entry.name, entry.size) + entry.digest + entry.nonce for entry in sorted(entries))


def entries_in(data: bytes, *, encrypted: bool) -> Iterator[Entry]:
    """ValueError when it is no list."""
    step = WANTED_BYTES + (NAME_BYTES + NONCE_BYTES if encrypted else 0)
    if len(data) % step:
        raise ValueError("a list of contents has half a record")
    for at in range(0, len(data), step):
        ((name, size),) = wanted_in(data[at : at + WANTED_BYTES])
        rest = data[at + WANTED_BYTES : at + step]
        yield Entry(name, size, rest[:NAME_BYTES] or name, rest[NAME_BYTES:])


def parts_for(count: int) -> int:
    """In how many lists that many contents are kept: 1, 16 or 256, by the first bits of the name."""
    return 1 if count <= FEW else 16 if count <= MANY else 256


def part_of(name: bytes, parts: int) -> int:
    return name[0] * parts // 256
