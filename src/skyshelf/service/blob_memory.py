"""What a process remembers of the blobs it has read: which were right, and which were not.

A blob is remembered with its fingerprint, which the store gives out and which changes when its bytes are written to.
What a disk does to bytes without writing shows when the memory has expired.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

import msgspec

TRUSTED_MS: Final = 24 * 60 * 60 * 1000
"""How long a verified blob is sent without being read first."""
REFUSED_MS: Final = 60 * 1000
"""How long a damaged blob is refused without a look, where the store has no fingerprints."""
_REMEMBERED: Final = 100_000


class _Seen(msgspec.Struct, frozen=True):
    fingerprint: str | None
    at: int


class BlobMemory:
    """Bounded; safe to use from several threads."""

    def __init__(self) -> None:
        self._verified: OrderedDict[str, _Seen] = OrderedDict()
        self._damaged: OrderedDict[str, _Seen] = OrderedDict()
        self._lock = threading.Lock()
        self._listeners: list[Callable[[], None]] = []

    def on_damaged_read(self, listener: Callable[[], None]) -> None:
        """Call it whenever a read finds damage."""
        self._listeners.append(listener)

    def count_damaged_read(self) -> None:
        for listener in self._listeners:
            listener()

    def verified(self, location: str, fingerprint: str | None, now: int) -> None:
        """Remember that the bytes were right."""
        with self._lock:
            self._damaged.pop(location, None)
            _remember(self._verified, location, _Seen(fingerprint, now))

    def is_trusted(self, location: str, fingerprint: str | None, now: int) -> bool:
        """Whether the bytes were right lately, and have certainly not been written to since."""
        return fingerprint is not None and self.is_verified(location, fingerprint, now)

    def is_verified(self, location: str, fingerprint: str | None, now: int) -> bool:
        """Whether they were right lately; where the store has no fingerprints, that is all that is known."""
        # Without the lock, which protects those who change it: this is asked for every file that is sent.
        seen = self._verified.get(location)
        return seen is not None and seen.fingerprint == fingerprint and 0 <= now - seen.at <= TRUSTED_MS

    def damaged(self, location: str, fingerprint: str | None, now: int) -> bool:
        """Remember that they were not; whether that is news."""
        with self._lock:
            self._verified.pop(location, None)
            is_new = location not in self._damaged
            _remember(self._damaged, location, _Seen(fingerprint, now))
        return is_new

    def has_damage(self) -> bool:
        return bool(self._damaged)

    def is_refused(self, location: str, fingerprint: str | None, now: int) -> bool:
        """Whether they were wrong when they were read last, and are still the same."""
        with self._lock:
            seen = self._damaged.get(location)
        if seen is None:
            return False
        return fingerprint == seen.fingerprint and (fingerprint is not None or 0 <= now - seen.at <= REFUSED_MS)


def _remember(seen: OrderedDict[str, _Seen], location: str, what: _Seen) -> None:
    seen[location] = what
    seen.move_to_end(location)
    while len(seen) > _REMEMBERED:
        seen.popitem(last=False)
