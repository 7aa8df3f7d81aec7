"""Read-only mode as an instance sees it: the fence in the store decides, this only spares what would be in vain."""

import threading
import time
from typing import Final

from skyshelf.storage.errors import StoreReadOnly
from skyshelf.storage.metadata.read_only import ReadOnly, read_only
from skyshelf.storage.metadata.store import MetadataStore

SEEN_SECONDS: Final = 1.0


class ReadOnlyMode:
    """The mode, at most as old as it says; a second in a server."""

    def __init__(self, seen_seconds: float | None = None) -> None:
        self._seen_seconds = seen_seconds
        self._lock = threading.Lock()
        self._seen: ReadOnly | None = None
        self._look_again_at = 0.0

    def now(self, metadata: MetadataStore) -> ReadOnly | None:
        """None while writes are accepted."""
        with self._lock:
            if time.monotonic() < self._look_again_at:
                return self._seen
            self._look_again_at = time.monotonic() + (
                SEEN_SECONDS if self._seen_seconds is None else self._seen_seconds
            )
        self._seen = read_only(metadata)
        return self._seen

    def check(self, metadata: MetadataStore) -> None:
        """Raise StoreReadOnly where a write would be refused."""
        mode = self.now(metadata)
        if mode is not None:
            raise StoreReadOnly(mode.reason)
