"""The lists of what a cut needs: names and sizes of contents, sorted, in parts that unchanged cuts share. They say what
a destination holds already, and what its bytes are compared with.

A record is a name, the size of the stored object and, with encryption, the SHA-256 of the stored object, so that it can
be checked without the identity, and a nonce: the same content encrypted twice is two objects.
"""

import hashlib
import struct
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import starmap
from typing import Final, NamedTuple

from skyshelf.backup.cut import Cut, ObjectRef
from skyshelf.backup.packs import get_list
from skyshelf.backup.places import CutDamaged, Place, Progress
from skyshelf.wire.batches import batched

_RECORD: Final = struct.Struct(">32sQ")
_SEALED_RECORD: Final = struct.Struct(">32sQ32s8s")
_SEALED_NAME: Final = struct.Struct(">32sQ40x")
NONCE_BYTES: Final = 8
WANTED_BYTES: Final = _RECORD.size
FEW: Final = 2000
MANY: Final = 50_000
_GROUP: Final = 256


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


def record_size(*, encrypted: bool) -> int:
    return (_SEALED_RECORD if encrypted else _RECORD).size


def wanted_list(contents: Iterable[tuple[bytes, int]]) -> bytes:
    """Return contents and their own sizes; without encryption this is their list."""
    return b"".join(starmap(_RECORD.pack, contents))


def wanted_in(data: bytes) -> Iterator[tuple[bytes, int]]:
    return _RECORD.iter_unpack(data)


def names_in(data: bytes, *, encrypted: bool) -> Iterator[tuple[bytes, int]]:
    """Names and stored sizes of a list, without the rest of its entries: a list has thousands of them."""
    return (_SEALED_NAME if encrypted else _RECORD).iter_unpack(data)


def encoded(entries: Iterable[Entry], *, encrypted: bool) -> bytes:
    """Return the list of these entries."""
    if not encrypted:
        return wanted_list((entry.name, entry.size) for entry in sorted(entries))
    return b"".join(starmap(_SEALED_RECORD.pack, sorted(entries)))


def entries_in(data: bytes, *, encrypted: bool) -> Iterator[Entry]:
    """ValueError when it is no list."""
    if len(data) % record_size(encrypted=encrypted):
        raise ValueError("a list of contents has half a record")
    if encrypted:
        yield from starmap(Entry, _SEALED_RECORD.iter_unpack(data))
    else:
        yield from (Entry(name, size, name) for name, size in wanted_in(data))


def stored_entries(place: Place, stored: ObjectRef, *, encrypted: bool) -> list[Entry]:
    """Return the entries of a list; none of one that is damaged, which verification reports."""
    try:
        return list(entries_in(get_list(place, stored), encrypted=encrypted))
    except (CutDamaged, ValueError):
        return []


def parts_for(count: int) -> int:
    """In how many lists that many contents are kept: 1, 16 or 256, by the first bits of the name."""
    return 1 if count <= FEW else 16 if count <= MANY else 256


def part_of(name: bytes, parts: int) -> int:
    return name[0] * parts // 256


class KnownContents:
    """What a destination holds already, by the lists of its newest cut and by what an interrupted run has noted.

    Entries are grouped by the part of the lists that they belong to.
    """

    def __init__(
        self, place: Place, before: Cut | None, unfinished: dict[bytes, Entry], present: dict[str, int] | None
    ) -> None:
        self._place = place
        self._before = before
        self._unfinished = unfinished
        self._present = present
        self._grouped: tuple[int, dict[int, list[tuple[bytes, Entry]]]] | None = None

    def stored(self, part: int, parts: int) -> ObjectRef | None:
        """Return the list of that part in the previous cut, if it has the same parts and need not be checked."""
        if self._before is None or len(self._before.contents) != parts or self._present is not None:
            return None
        return self._before.contents[part]

    def names(self, part: int, parts: int) -> set[bytes]:
        """Return what is stored of that part."""
        stored = self.stored(part, parts)
        if stored is None:
            return set(self.entries(part, parts))
        found = {name for name, _ in names_in(self._data(stored), encrypted=self._is_encrypted)}
        found.update(name for name, _ in self._others(parts).get(part, ()))
        return found

    def totals(self, stored: ObjectRef) -> tuple[int, int]:
        """Return how many contents a list of the previous cut has, and their bytes as stored."""
        sizes = [size for _, size in names_in(self._data(stored), encrypted=self._is_encrypted)]
        return len(sizes), sum(sizes)

    def entries(self, part: int, parts: int) -> dict[bytes, Entry]:
        found: dict[bytes, Entry] = {}
        if self._before is not None and len(self._before.contents) == parts:
            found = self._decoded(self._before.contents[part])
        for name, entry in self._others(parts).get(part, ()):
            found[name] = entry
        if self._present is None:
            return found
        return {name: entry for name, entry in found.items() if self._present.get(entry.object_name) == entry.size}

    def _others(self, parts: int) -> dict[int, list[tuple[bytes, Entry]]]:
        """Return what is not in lists of the same parts, sorted once: what was noted, and lists of a cut of another
        size."""
        if self._grouped is None or self._grouped[0] != parts:
            grouped: dict[int, list[tuple[bytes, Entry]]] = {}
            lists = self._before.contents if self._before is not None and len(self._before.contents) != parts else []
            for found in (*map(self._decoded, lists), self._unfinished):
                for name, entry in found.items():
                    grouped.setdefault(part_of(name, parts), []).append((name, entry))
            self._grouped = parts, grouped
        return self._grouped[1]

    def _decoded(self, stored: ObjectRef) -> dict[bytes, Entry]:
        return {entry.name: entry for entry in entries_in(self._data(stored), encrypted=self._is_encrypted)}

    def _data(self, stored: ObjectRef) -> bytes:
        try:
            return get_list(self._place, stored)
        except CutDamaged:
            # What is in it is copied again; verification reports it.
            return b""

    @property
    def _is_encrypted(self) -> bool:
        return self._before is not None and self._before.encrypted


def find_earlier(place: Place, cuts: Sequence[Cut], name: bytes) -> Entry | None:
    """Return a content in the newest of these cuts that has it."""
    for cut in reversed(cuts):
        for entry in stored_entries(place, cut.contents[part_of(name, len(cut.contents))], encrypted=cut.encrypted):
            if entry.name == name:
                return entry
    return None


class Inspection:
    """Reads stored objects, several at once, to compare them with their hashes."""

    def __init__(self, place: Place, progress: Progress) -> None:
        self._place = place
        self._progress = progress
        self._threads = ThreadPoolExecutor(place.writers, "backup-inspection")
        self._stopped = threading.Event()

    def __enter__(self) -> "Inspection":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self._stopped.set()
        self._threads.shutdown()

    def contents(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, str | None]]:
        """Yield each content with the SHA-256 of its stored bytes, or None, in order."""
        for some in batched(entries, _GROUP):
            yield from zip(some, self._threads.map(self._content_digest, some), strict=True)

    def objects(self, named: Iterable[tuple[str, int]]) -> Iterator[str | None]:
        """Yield the SHA-256 of each object of that name and size, in order; None for one that is missing."""
        return self._threads.map(lambda one: self._digest(*one), named)

    def _content_digest(self, entry: Entry) -> str | None:
        digest = self._digest(entry.object_name, entry.size)
        self._progress.finished(entry.name.hex()[:12], entry.size)
        return digest

    def _digest(self, name: str, size: int) -> str | None:
        digest = hashlib.sha256()
        try:
            for piece in self._place.read(name, size):
                if self._stopped.is_set():
                    return None
                digest.update(piece)
        except FileNotFoundError:
            return None
        return digest.hexdigest()
