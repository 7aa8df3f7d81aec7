"""The database file as chunks that cuts share, many of them in one pack.

A commit changes pages all over the file, so chunks are small, and packs keep their number of objects small. A pack of
which the new cut would use less than half is not used again: its chunks are written once more.
"""

import hashlib
import os
import struct
import zlib
from collections import Counter
from collections.abc import Container, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import starmap
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from skyshelf.backup.cut import Database, ObjectRef
from skyshelf.backup.packs import PACK_BYTES, get_list, get_pack, put_list, put_pack, unpacked
from skyshelf.backup.places import Batch, Place
from skyshelf.backup.sealing import Names, Opener, Sealer

CHUNK: Final = 32 * 1024
_GROUP: Final = 256
_LEVEL: Final = 1
_RECORD: Final = struct.Struct(">32sIII")


class Bytes(Protocol):
    """A database file of one moment."""

    size: int

    def read(self, at: int, length: int) -> bytes:
        """Fewer bytes at the end; from any thread."""


class Chunk(NamedTuple):
    """Where a chunk is: in which pack of the cut, from where, how long."""

    digest: bytes
    pack: int
    start: int
    length: int


def chunks_in(data: bytes) -> list[Chunk]:
    return list(starmap(Chunk, _RECORD.iter_unpack(data)))


class RowsWriter:
    """Writes a database file; `before` is that of the previous cut, and `usable` the packs of it that exist."""

    def __init__(
        self, place: Place, sealer: Sealer, names: Names, before: Database | None, usable: Container[str]
    ) -> None:
        self._sealer = sealer
        self._names = names
        self._packs: list[ObjectRef] = []
        self._known: dict[bytes, tuple[ObjectRef, int, int]] = {}
        self.written = 0
        self._listed = {before.chunks.name} if before is not None else set[str]()
        if before is not None and before.chunk_size == CHUNK and not before.schema:
            for chunk in chunks_in(get_list(place, before.chunks)):
                pack = before.packs[chunk.pack]
                if pack.name in usable:
                    self._known[chunk.digest] = pack, chunk.start, chunk.length

    def write(self, file: Bytes, batch: Batch) -> Database:
        """Add the chunks to a batch, which the caller seals."""
        digests = list(self._digests(file))
        self._drop_sparse_packs(set(digests))
        places: dict[bytes, Chunk] = {}
        numbers: dict[str, int] = {}
        new: list[int] = []
        seen: set[bytes] = set()
        for position, digest in enumerate(digests):
            known = self._known.get(digest)
            if known is not None:
                pack, start, length = known
                if pack.name not in numbers:
                    numbers[pack.name] = len(self._packs)
                    self._packs.append(pack)
                places[digest] = Chunk(digest, numbers[pack.name], start, length)
            elif digest not in seen:
                seen.add(digest)
                new.append(position)
        self._write_new(file, batch, [(digests[position], position) for position in new], places)
        stored, written = put_list(batch, b"".join(_RECORD.pack(*places[digest]) for digest in digests), self._listed)
        self.written += written
        return Database(file.size, CHUNK, stored, self._packs)

    def _digests(self, file: Bytes) -> Iterator[bytes]:
        """In groups, in two threads: hashing lets other threads run."""
        with ThreadPoolExecutor(2, "backup-hash") as threads:
            groups = range(0, file.size, _GROUP * CHUNK)
            for some in threads.map(lambda at: self._hashed(file.read(at, _GROUP * CHUNK)), groups):
                yield from some

    def _hashed(self, data: bytes) -> list[bytes]:
        view = memoryview(data)
        return [self._names.of(hashlib.sha256(view[at : at + CHUNK]).digest()) for at in range(0, len(data), CHUNK)]

    def _drop_sparse_packs(self, wanted: set[bytes]) -> None:
        used: Counter[str] = Counter()
        held: Counter[str] = Counter()
        for digest, (pack, _, length) in self._known.items():
            held[pack.name] += length
            used[pack.name] += length if digest in wanted else 0
        # Chunks that the previous cut no longer used are in the pack, too, and in no list.
        sparse = {
            pack.name for pack, _, _ in self._known.values() if 2 * used[pack.name] < max(held[pack.name], pack.size)
        }
        self._known = {digest: where for digest, where in self._known.items() if where[0].name not in sparse}

    def _write_new(self, file: Bytes, batch: Batch, new: list[tuple[bytes, int]], places: dict[bytes, Chunk]) -> None:
        pack = bytearray()
        waiting: list[tuple[bytes, int, int]] = []
        for digest, position in new:
            packed = zlib.compress(file.read(position * CHUNK, CHUNK), _LEVEL)
            waiting.append((digest, len(pack), len(packed)))
            pack += packed
            if len(pack) >= PACK_BYTES:
                self._put_pack(batch, bytes(pack), waiting, places)
                pack, waiting = bytearray(), []
        if pack:
            self._put_pack(batch, bytes(pack), waiting, places)

    def _put_pack(
        self, batch: Batch, data: bytes, chunks: list[tuple[bytes, int, int]], places: dict[bytes, Chunk]
    ) -> None:
        stored = put_pack(batch, self._sealer, data)
        self.written += stored.size
        for digest, start, length in chunks:
            places[digest] = Chunk(digest, len(self._packs), start, length)
        self._packs.append(stored)


def read_rows(place: Place, opener: Opener, names: Names, database: Database, path: Path) -> None:
    """Write the database file of a cut, each part verified; CutDamaged when something is not as it was."""
    if database.schema:
        from skyshelf.backup.segments import read_segments

        read_segments(place, opener, names, database, path)
        return
    by_pack: dict[int, list[tuple[int, Chunk]]] = {}
    for position, chunk in enumerate(chunks_in(get_list(place, database.chunks))):
        by_pack.setdefault(chunk.pack, []).append((position, chunk))
    with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.truncate(database.size)
        for number, chunks in by_pack.items():
            pack = get_pack(place, opener, database.packs[number])
            for position, chunk in chunks:
                # Unlike a bare pwrite, it goes on after a part, so a full disk is never missed.
                file.seek(position * database.chunk_size)
                packed = pack[chunk.start : chunk.start + chunk.length]
                file.write(unpacked(packed, chunk.digest, names, database.chunk_size))
        file.flush()
        os.fsync(file.fileno())
