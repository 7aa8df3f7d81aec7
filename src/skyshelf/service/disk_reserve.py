"""The disk reserve: below it nothing is added, so that listing, logging in and deleting still work.

Embedded stores report how much space is left. A database server or a bucket does not: for these, an error that says
"full" stops additions for a moment, and then one of them finds out whether there is space again.
"""

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from skyshelf.storage.blobs.protocols import BlobStore
from skyshelf.storage.errors import StoreFull
from skyshelf.storage.metadata.store import MetadataStore
from skyshelf.storage.space import Ballast, Space
from skyshelf.wire.limits import DISK_RESERVE_BYTES_MAX, DISK_RESERVE_FRACTION
from skyshelf.wire.sizes import format_size

_log = logging.getLogger("skyshelf.server")

FULL_SECONDS: Final = 10.0
REFILL_SECONDS: Final = 60.0
_LOOK_SECONDS: Final = 0.2

Look = Callable[[], Space | None]


class DiskReserve:
    """Watches the file systems of the stores; without any it never refuses."""

    def __init__(
        self,
        stores: Mapping[str, Look] | None = None,
        *,
        reserve: int | None = None,
        ballasts: Sequence[Ballast] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._stores = dict(stores or {})
        self._reserve = reserve
        self._ballasts = ballasts
        self._clock = clock
        self._lock = threading.Lock()
        self._looked_at = float("-inf")
        self._spaces: dict[str, Space] = {}
        self._full_until = float("-inf")
        self._fill_after = float("-inf")
        self._was_low = False

    def spaces(self) -> dict[str, Space]:
        """The space of each store that reports it, at most a moment old."""
        with self._lock:
            now = self._clock()
            if now - self._looked_at >= _LOOK_SECONDS:
                self._looked_at = now
                looked = ((name, look()) for name, look in self._stores.items())
                self._spaces = {name: space for name, space in looked if space is not None}
            return self._spaces

    def reserve_of(self, space: Space) -> int:
        """The operator's figure, or a fiftieth of the disk and at most a gibibyte."""
        if self._reserve is not None:
            return self._reserve
        return min(DISK_RESERVE_BYTES_MAX, space.total // DISK_RESERVE_FRACTION)

    def has_space(self, more: int = 0) -> bool:
        """Whether that many bytes can be added and leave the reserve untouched."""
        spaces = self.spaces().values()
        return self._clock() >= self._full_until and all(
            space.free - more >= self.reserve_of(space) for space in spaces
        )

    def check(self, more: int = 0) -> None:
        """StoreFull when that many bytes cannot be added."""
        if not self.has_space(more):
            self.observe()
            raise StoreFull("the disk is at its reserve", is_reserve=True)

    def note_full(self) -> bool:
        """A store had no space: stop additions for a moment and release the ballast; whether there was one."""
        with self._lock:
            self._looked_at = float("-inf")
        if len(self.spaces()) < len(self._stores):
            # A store that does not say how much is left has just said that it is nothing.
            self._full_until = self._clock() + FULL_SECONDS
        released = sum(ballast.release() for ballast in self._ballasts) > 0
        if released:
            self._fill_after = self._clock() + REFILL_SECONDS
            _log.warning("the disk is full: the ballast was released, so that files can be deleted")
        self.observe()
        return released

    def observe(self) -> None:
        """Log when additions stop and when they are possible again, and fill the ballast while there is space."""
        is_low = not self.has_space()
        with self._lock:
            changed, self._was_low = is_low != self._was_low, is_low
        if changed:
            left = ", ".join(f"{name} {format_size(space.free)}" for name, space in self.spaces().items()) or "unknown"
            if is_low:
                _log.warning("the disk is at its reserve: uploads are refused, deleting works (free: %s)", left)
            else:
                _log.warning("there is space on the disk again: uploads are accepted (free: %s)", left)
        for ballast in self._ballasts:
            if not is_low and self._clock() > self._fill_after and self.has_space(ballast.size):
                ballast.fill()


def reserve_on(metadata: MetadataStore, blobs: BlobStore, reserve: int | None) -> DiskReserve:
    """The reserve on the file systems of these stores; without a figure, the usual one."""
    ballast = metadata.ballast()
    stores = {"metadata": metadata.space, "blobs": blobs.space}
    return DiskReserve(stores, reserve=reserve, ballasts=[ballast] if ballast and reserve != 0 else [])
