"""Objects in memory that count the requests, and let some of them fail."""

from collections import Counter
from collections.abc import Sequence
from threading import Lock

from obstore.store import MemoryStore

from skyshelf.storage.blobs.object_store.objects import Objects
from skyshelf.storage.errors import StoreUnavailable


class WatchedObjects(Objects):
    def __init__(self) -> None:
        self.memory = MemoryStore()
        super().__init__(self.memory)
        self.requests: Counter[str] = Counter()
        self.failing: dict[str, int] = {}
        """After so many requests of a kind, all of that kind fail."""
        self._lock = Lock()

    def put(self, key: str, data: bytes | memoryview) -> None:
        self._count("put")
        super().put(key, data)

    def get(self, key: str) -> bytes:
        self._count("get")
        return super().get(key)

    def get_range(self, key: str, start: int, end: int, *, of_size: int) -> memoryview:
        self._count("get_range")
        return super().get_range(key, start, end, of_size=of_size)

    def size(self, key: str) -> int:
        self._count("size")
        return super().size(key)

    def delete(self, keys: Sequence[str]) -> None:
        for key in keys:
            self._count("delete")
            super().delete([key])

    def all_keys(self, prefix: str = "") -> list[str]:
        return sorted(found.key for found in super().list(prefix))

    def _count(self, kind: str) -> None:
        with self._lock:
            self.requests[kind] += 1
            if self.requests[kind] > self.failing.get(kind, 10**9):
                raise StoreUnavailable("The network is down.")
