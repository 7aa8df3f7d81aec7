"""A process's memory of the blobs it has read: which were sound, and which were not.

A blob is remembered with its fingerprint from the store, which changes when its bytes are written to. Silent changes on
the disk are noticed once the memory has expired.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

import msgspec

TRUSTED_MS: Final = 24 * 60 * 60 * 1000
"""How long a verified blob is sent without being read first."""
REFUSED_MS: Final = 60 * 1000
"""How long a damaged blob is refused without checking, if the store has no fingerprints."""
_REMEMBERED: Final = 100_000


class _Observation(msgspec.Struct, frozen=True):
    fingerprint: str | None
    at: int


class BlobMemory:
    """Bounded memory of verified and damaged blobs. Thread-safe."""

    def __init__(self) -> None:
        self._verified: OrderedDict[str, _Observation] = OrderedDict()
        self._damaged: OrderedDict[str, _Observation] = OrderedDict()
        self._lock = threading.Lock()
        self._listeners: list[Callable[[], None]] = []

    def on_damaged_read(self, listener: Callable[[], None]) -> None:
        """Register a function to call whenever a read finds damage."""
        self._listeners.append(listener)

    def count_damaged_read(self) -> None:
        for listener in self._listeners:
            listener()

    def verified(self, location: str, fingerprint: str | None, now: int) -> None:
        """Remember that the bytes were sound."""
        with self._lock:
            self._damaged.pop(location, None)
            _remember(self._verified, location, _Observation(fingerprint, now))

    def is_trusted(self, location: str, fingerprint: str | None, now: int) -> bool:
        """Whether the bytes were sound recently, and have certainly not been written to since."""
        return fingerprint is not None and self.is_verified(location, fingerprint, now)

    def is_verified(self, location: str, fingerprint: str | None, now: int) -> bool:
        """Whether they were sound recently; without fingerprints, nothing more is known."""
        # Without the lock, which only writers need: this runs for every file that is sent.
        seen = self._verified.get(location)
        return seen is not None and seen.fingerprint == fingerprint and 0 <= now - seen.at <= TRUSTED_MS

    def damaged(self, location: str, fingerprint: str | None, now: int) -> bool:
        """Remember that they were damaged; returns whether that is new."""
        with self._lock:
            self._verified.pop(location, None)
            is_new = location not in self._damaged
            _remember(self._damaged, location, _Observation(fingerprint, now))
        return is_new

    def has_damage(self) -> bool:
        return bool(self._damaged)

    def is_refused(self, location: str, fingerprint: str | None, now: int) -> bool:
        """Whether they were damaged at the last read, and have not changed since."""
        with self._lock:
            seen = self._damaged.get(location)
        if seen is None:
            return False
        return fingerprint == seen.fingerprint and (fingerprint is not None or 0 <= now - seen.at <= REFUSED_MS)


def _remember(seen: OrderedDict[str, _Observation], location: str, what: _Observation) -> None:
    seen[location] = what
    seen.move_to_end(location)
    while len(seen) > _REMEMBERED:
        seen.popitem(last=False)
