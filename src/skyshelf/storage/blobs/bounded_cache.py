"""A small cache that several threads share and that never outgrows its limit."""

from collections import OrderedDict
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class BoundedCache(Generic[Key, Value]):
    """Keeps what was used last, as long as the weights of all entries stay within the limit."""

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
