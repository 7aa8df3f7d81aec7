"""Contents of cuts by their SHA-256, out of the sorted lists, of which a few are held: memory stays flat."""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Final

from skyshelf.backup.cut import Cut, Manifest, ObjectRef
from skyshelf.backup.inventory import Entry, entries_in, part_of, record_size
from skyshelf.backup.packs import get_list
from skyshelf.backup.places import CutDamaged, Place
from skyshelf.backup.sealing import Names, Opener
from skyshelf.backup.verify import names_of
from skyshelf.storage.errors import BlobCorrupt, BlobMissing

_LISTS_HELD: Final = 16
_NAME_BYTES: Final = 32


def held_lists(place: Place) -> Callable[[ObjectRef], bytes]:
    """Return a function that reads lists, and holds those that were read last."""

    @lru_cache(_LISTS_HELD)
    def read(stored: ObjectRef) -> bytes:
        return get_list(place, stored)

    return read


class CutContents:
    """Finds and reads the contents of one cut."""

    def __init__(
        self, place: Place, cut: Cut, names: Names, opener: Opener, lists: Callable[[ObjectRef], bytes] | None = None
    ) -> None:
        self._place = place
        self._cut = cut
        self._names = names
        self._opener = opener
        self._size = record_size(encrypted=cut.encrypted)
        self._lists = lists or held_lists(place)

    def entry(self, sha256: bytes) -> Entry:
        """BlobMissing for a content that the cut lacks, BlobCorrupt where its list is damaged."""
        name = self._names.of(sha256)
        data = self._list(part_of(name, len(self._cut.contents)))
        at = bisect_left(_NamesOf(data, self._size), name) * self._size
        if data[at : at + _NAME_BYTES] != name:
            raise BlobMissing("is not in this cut, because the store had lost it")
        return next(entries_in(data[at : at + self._size], encrypted=self._cut.encrypted))

    def read(self, sha256: bytes) -> Iterator[bytes]:
        """Yield a content, which the caller compares with its SHA-256; BlobMissing before the first piece."""
        entry = self.entry(sha256)
        try:
            stored = self._place.read(entry.object_name, entry.size)
        except FileNotFoundError as error:
            raise BlobMissing("is missing in the backup") from error
        return self._opened(stored)

    def _opened(self, stored: Iterator[bytes]) -> Iterator[bytes]:
        try:
            yield from self._opener.open(stored)
        except (CutDamaged, FileNotFoundError) as error:
            raise BlobCorrupt("is damaged in the backup") from error

    def _list(self, part: int) -> bytes:
        try:
            data = self._lists(self._cut.contents[part])
        except CutDamaged as error:
            raise BlobCorrupt("cannot be found, because a list of the backup is damaged") from error
        if len(data) % self._size:
            raise BlobCorrupt("cannot be found, because a list of the backup has half a record")
        return data


class _NamesOf(Sequence[bytes]):
    """The names in a list, without decoding its other records."""

    def __init__(self, data: bytes, size: int) -> None:
        self._data = data
        self._size = size

    def __len__(self) -> int:
        return len(self._data) // self._size

    def __getitem__(self, index: int) -> bytes:  # type: ignore[override]
        return self._data[index * self._size : index * self._size + _NAME_BYTES]


class AnyCut:
    """Finds contents in the cuts of a backup, the newest first."""

    def __init__(self, place: Place, found: Sequence[Manifest], opener: Opener | None) -> None:
        lists = held_lists(place)
        self._cuts: list[CutContents] = []
        for one in reversed(found):
            if one.cut is not None:
                # Verification reports a manifest that somebody without the key has changed.
                with suppress(CutDamaged):
                    self._cuts.append(CutContents(place, one.cut, *names_of(one, opener), lists))

    def copies(self, sha256: str) -> Iterator[Iterator[bytes]]:
        """Yield each stored copy of a content; the caller compares it with its SHA-256, and takes the first sound one.

        BlobCorrupt comes out of a copy that is damaged.
        """
        tried: set[str] = set()
        for cut in self._cuts:
            try:
                name = cut.entry(bytes.fromhex(sha256)).object_name
                if name not in tried:
                    tried.add(name)
                    yield cut.read(bytes.fromhex(sha256))
            except (BlobMissing, BlobCorrupt):
                continue
