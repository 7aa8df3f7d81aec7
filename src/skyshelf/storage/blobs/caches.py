"""Caches of the blob stores: small, bounded, shared by threads. Losing an entry costs time and nothing else."""

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import Generic, TypeVar

from skyshelf.storage.blobs.hashing import ContentHash
from skyshelf.storage.blobs.records import Part

Key = TypeVar("Key")
Value = TypeVar("Value")


class BoundedCache(Generic[Key, Value]):
    """Keeps the entries used last, as long as their total weight stays within the limit."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._lock = Lock()
        self._entries: OrderedDict[Key, tuple[Value, int]] = OrderedDict()
        self._weight = 0

    def get(self, key: Key) -> Value | None:
        with self._lock:
            if key not in self._entries:
                return None
            self._entries.move_to_end(key)
            return self._entries[key][0]

    def put(self, key: Key, value: Value, weight: int = 1) -> None:
        """Remember the value; one that is heavier than the limit alone is not kept."""
        with self._lock:
            self._remove(key)
            self._entries[key] = (value, weight)
            self._weight += weight
            while self._weight > self._limit:
                self._remove(next(iter(self._entries)))

    def forget(self, key: Key) -> None:
        with self._lock:
            self._remove(key)

    def __len__(self) -> int:
        return len(self._entries)

    def _remove(self, key: Key) -> None:
        if key in self._entries:
            self._weight -= self._entries.pop(key)[1]


UPLOADS_REMEMBERED = 4096


class RunningHashes:
    """The digests of uploads in progress, so the last chunk need not read the others back.

    Kept are the digests up to the last part, and up to the one before it for a caller whose commit failed and who sends
    the same chunk again. They are found by the token of the part they end with. A token names one attempt, so digests
    of an attempt that lost, or that another process has overwritten since, are never used for other bytes.
    """

    def __init__(self) -> None:
        self._states: BoundedCache[str, tuple[tuple[str, ContentHash], ...]] = BoundedCache(UPLOADS_REMEMBERED)

    def upto(self, upload_id: str, part: Part | None) -> ContentHash | None:
        """A copy of the digests of everything up to the end of the part; None when they are not known."""
        if part is None:
            return ContentHash()
        for token, content in self._states.get(upload_id) or ():
            if token == part.token and content.size == part.end:
                return content.copy()
        return None

    def furthest(self, upload_id: str, parts: Sequence[Part]) -> ContentHash:
        """The digests that are known of as many of the parts as possible, counted from the first."""
        known = (self.upto(upload_id, part) for part in reversed(parts))
        return next((content for content in known if content is not None), ContentHash())

    def remember(self, upload_id: str, part: Part, content: ContentHash) -> None:
        before = self._states.get(upload_id) or ()
        self._states.put(upload_id, ((part.token, content), *before[:1]))

    def forget(self, upload_id: str) -> None:
        self._states.forget(upload_id)
