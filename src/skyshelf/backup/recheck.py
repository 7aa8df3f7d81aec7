"""Reading what earlier cuts have stored before a new one relies on it: what is missing or damaged is stored again."""

import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Final

from skyshelf.backup.chunks import get_list, pack_name
from skyshelf.backup.cut import Cut
from skyshelf.backup.errors import CutDamaged
from skyshelf.backup.inventory import Entry, entries_in
from skyshelf.backup.places import Place, digest_of
from skyshelf.backup.progress import Progress

_GROUP: Final = 256


class Recheck:
    """Knows which objects of a place are as they were stored."""

    def __init__(self, place: Place, progress: Progress) -> None:
        self._place = place
        self._progress = progress
        self._stopped = threading.Event()

    def contents(self, before: Cut | None, unfinished: Iterable[Entry]) -> dict[str, int]:
        """Sizes of the sound contents among those of a cut and of an interrupted run, by the names of their objects."""
        self._progress.step("reading what is stored")
        present = {kept.name: kept.size for kept in self._place.list("blobs/")}
        sound: dict[str, int] = {}
        with ThreadPoolExecutor(self._place.writers, "recheck") as threads:
            try:
                for entries in (*self._lists(before), list(unfinished)):
                    whole = iter([one for one in entries if present.get(one.object_name) == one.size])
                    while some := list(islice(whole, _GROUP)):
                        for entry, is_sound in zip(some, threads.map(self._is_sound, some), strict=True):
                            if is_sound:
                                sound[entry.object_name] = entry.size
            except BaseException:
                self._stopped.set()
                raise
        return sound

    def packs(self, before: Cut | None) -> set[str]:
        """The names of the sound packs of a cut."""
        packs = [] if before is None else before.database.packs
        return {one.name for one in packs if self._digest(pack_name(one.name), one.size) == one.name}

    def _lists(self, before: Cut | None) -> Iterator[list[Entry]]:
        for stored in before.contents if before is not None else ():
            try:
                yield list(entries_in(get_list(self._place, stored), encrypted=before is not None and before.encrypted))
            except (CutDamaged, ValueError):
                # Its contents are stored again, and so is the list.
                continue

    def _is_sound(self, entry: Entry) -> bool:
        self._progress.queued(entry.size)
        is_sound = self._digest(entry.object_name, entry.size) == entry.digest.hex()
        self._progress.finished(entry.name.hex()[:12], entry.size)
        return is_sound

    def _digest(self, name: str, size: int) -> str | None:
        return digest_of(self._place, name, size, self._stopped.is_set)
