"""What a destination holds already, by the lists of its newest cut and by what an interrupted run has noted."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from skyshelf.backup.chunks import get_list
from skyshelf.backup.cut import Cut, Stored
from skyshelf.backup.errors import CutDamaged
from skyshelf.backup.inventory import Entry, entries_in, names_in, part_of
from skyshelf.backup.places import Place


class Known:
    """Entries by the part of the lists that they belong to."""

    def __init__(
        self, place: Place, before: Cut | None, unfinished: dict[bytes, Entry], present: dict[str, int] | None
    ) -> None:
        self._place = place
        self._before = before
        self._unfinished = unfinished
        self._present = present
        self._grouped: tuple[int, dict[int, list[tuple[bytes, Entry]]]] | None = None

    def stored(self, part: int, parts: int) -> Stored | None:
        """The list of that part in the previous cut, if it has the same parts and need not be checked."""
        if self._before is None or len(self._before.contents) != parts or self._present is not None:
            return None
        return self._before.contents[part]

    def names(self, part: int, parts: int) -> set[bytes]:
        """What is stored of that part."""
        stored = self.stored(part, parts)
        if stored is None:
            return set(self.entries(part, parts))
        found = {name for name, _ in names_in(self._data(stored), encrypted=self._is_encrypted)}
        found.update(name for name, _ in self._others(parts).get(part, ()))
        return found

    def totals(self, stored: Stored) -> tuple[int, int]:
        """How many contents a list of the previous cut has, and their bytes as stored."""
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
        """What is not in lists of the same parts, sorted once: what was noted, and lists of a cut of another size."""
        if self._grouped is None or self._grouped[0] != parts:
            grouped: dict[int, list[tuple[bytes, Entry]]] = {}
            lists = self._before.contents if self._before is not None and len(self._before.contents) != parts else []
            for found in (*map(self._decoded, lists), self._unfinished):
                for name, entry in found.items():
                    grouped.setdefault(part_of(name, parts), []).append((name, entry))
            self._grouped = parts, grouped
        return self._grouped[1]

    def _decoded(self, stored: Stored) -> dict[bytes, Entry]:
        return {entry.name: entry for entry in entries_in(self._data(stored), encrypted=self._is_encrypted)}

    def _data(self, stored: Stored) -> bytes:
        try:
            return get_list(self._place, stored)
        except CutDamaged:
            # What is in it is copied again; verification reports it.
            return b""

    @property
    def _is_encrypted(self) -> bool:
        return self._before is not None and self._before.encrypted


def entries_of(place: Place, cut: Cut, threads: ThreadPoolExecutor | None = None) -> list[list[Entry]]:
    """All entries of a cut, list by list; CutDamaged when a list is."""

    def decoded(stored: Stored) -> list[Entry]:
        return list(entries_in(get_list(place, stored), encrypted=cut.encrypted))

    return list((threads.map if threads else map)(decoded, cut.contents))


def find_earlier(place: Place, cuts: Sequence[Cut], name: bytes) -> Entry | None:
    """A content in the newest of these cuts that has it."""
    for cut in reversed(cuts):
        try:
            data = get_list(place, cut.contents[part_of(name, len(cut.contents))])
        except CutDamaged:
            continue
        for entry in entries_in(data, encrypted=cut.encrypted):
            if entry.name == name:
                return entry
    return None
