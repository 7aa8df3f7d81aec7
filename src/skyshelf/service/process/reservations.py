"""Reservations: bytes of requests that are still arriving count against quota and disk before they are written.

An upload in chunks reserves its size in the database when it begins. Everything else is a reservation in the memory of
the receiving process: it costs no round trip, and ends with the request, however that ends, or with the process. With
several processes, an account may write its free space once per process; when the first of these requests is committed,
the database refuses what no longer fits.
"""

import logging
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from skyshelf.storage.blobs.protocols import BlobStore, BytesLike
from skyshelf.storage.errors import QuotaExceeded, StoreFull, UploadBusy
from skyshelf.storage.metadata.store import MetadataStore
from skyshelf.storage.space import Ballast, Space
from skyshelf.wire.limits import DISK_RESERVE_BYTES_MAX, DISK_RESERVE_FRACTION
from skyshelf.wire.sizes import format_size

_log = logging.getLogger("skyshelf.server")

FULL_SECONDS: Final = 10.0
RELIEF_SECONDS: Final = 300.0
"""How long space is made for something that was refused."""
_LOOK_SECONDS: Final = 0.2

Look = Callable[[], Space | None]


@dataclass(eq=False)
class DiskReserve:
    """Watches the file systems of the stores: below the reserve nothing is added, so listing, logging in and deleting
    still work. Without any store it never refuses.

    Embedded stores report how much space is left. A database server or a bucket does not: for these, an error that says
    "full" stops additions for a moment; then one addition finds out whether there is space again.
    """

    stores: Mapping[str, Look] = field(default_factory=dict)
    reserve: int | None = None
    ballasts: Sequence[Ballast] = ()
    clock: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._looked_at = float("-inf")
        self._spaces: dict[str, Space] = {}
        self._full_until = float("-inf")
        self._was_low = False
        self._refused = 0
        self._relieve_until = float("-inf")

    def spaces(self) -> dict[str, Space]:
        """Return the space of each store that reports it, at most a moment old."""
        with self._lock:
            now = self.clock()
            if now - self._looked_at >= _LOOK_SECONDS:
                self._looked_at = now
                looked = ((name, look()) for name, look in self.stores.items())
                self._spaces = {name: space for name, space in looked if space is not None}
            return self._spaces

    def reserve_of(self, space: Space) -> int:
        """Return the operator's figure, or a fiftieth of the disk and at most a gibibyte."""
        if self.reserve is not None:
            return self.reserve
        return min(DISK_RESERVE_BYTES_MAX, space.total // DISK_RESERVE_FRACTION)

    def has_space(self, more: int = 0) -> bool:
        """Whether that many bytes can be added without touching the reserve."""
        spaces = self.spaces().values()
        return self.clock() >= self._full_until and all(space.free - more >= self.reserve_of(space) for space in spaces)

    def check(self, more: int = 0) -> None:
        """StoreFull when that many bytes cannot be added."""
        if not self.has_space(more):
            self._refused = more
            self._relieve_until = self.clock() + RELIEF_SECONDS
            self.observe()
            raise StoreFull("the disk is at its reserve", is_reserve=True)

    def is_short(self) -> bool:
        """Whether deleted content has to go early: the disk is at its reserve, or something was refused for its size.

        Nobody makes room for more than another reserve by announcing a large file.
        """
        wanted = self._refused if self.clock() < self._relieve_until else 0
        most = max(map(self.reserve_of, self.spaces().values()), default=0)
        return not self.has_space(min(wanted, most))

    def note_full(self) -> None:
        """Look again after a store was full, and stop additions for a moment if it does not report its space."""
        with self._lock:
            self._looked_at = float("-inf")
        if len(self.spaces()) < len(self.stores):
            self._full_until = self.clock() + FULL_SECONDS
        self.observe()

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
        for ballast in self.ballasts:
            if not is_low and self.has_space(ballast.size):
                ballast.fill()


def lowers_limit(new: int, before: int) -> bool:
    """Whether a new limit allows no more than the former one; 0 is none."""
    return new == before or 0 < new <= (before or new)


def reserve_on(metadata: MetadataStore, blobs: BlobStore, reserve: int | None) -> DiskReserve:
    """Build the reserve for these stores; without a figure, the default one."""
    ballast = metadata.ballast()
    stores = {"metadata": metadata.space, "blobs": blobs.space}
    return DiskReserve(stores, reserve=reserve, ballasts=[ballast] if ballast and reserve != 0 else [])


COMMIT_SECONDS: Final = 10.0
THUMBNAIL_SECONDS: Final = 60.0
_ATTEMPTS: Final = 5
# Stands for chunks, whose bytes are reserved in the database; no account has this number.
_RESERVED_ALREADY: Final = 0


class Reservation:
    """The bytes of one request. Its size only grows, and everything is released at the end."""

    def __init__(self, book: "Reservations", account_id: int) -> None:
        self._book = book
        self._account_id = account_id
        self.size = 0
        self._unwritten = 0

    def cover(self, size: int, free: Callable[[], int], *, unasked: int = 0) -> None:
        """Grow the reservation to that size: QuotaExceeded beyond the free quota, StoreFull beyond the disk.

        `free` is not called while everything that arrives for the account is within `unasked` bytes.
        """
        more = max(0, size - self.size)
        self._book.disk.check(self._book.unwritten + more)
        self.size += more
        self._unwritten += more
        arriving, is_committing = self._book.add(self._account_id, more)
        for _ in range(_ATTEMPTS):
            # Arriving bytes are counted before the quota is read, so a commit in between cannot be missed.
            if arriving <= unasked or arriving <= free():
                return
            # A request that is being committed may count twice: as arriving, and as used.
            if not is_committing or not self._book.wait_for_a_commit(self._account_id):
                break
            arriving, is_committing = self._book.add(self._account_id, 0)
        raise QuotaExceeded(f"{size} more bytes do not fit beside others that are arriving")

    def counting(self, chunks: Iterable[BytesLike]) -> Iterator[BytesLike]:
        """Count chunks on their way to the disk."""
        for chunk in chunks:
            written = min(len(chunk), self._unwritten)
            self._unwritten -= written
            self._book.wrote(written)
            yield chunk

    @contextmanager
    def committing(self) -> Iterator[None]:
        """Wrap the commit that turns these bytes into used space."""
        self._book.begin_commit(self._account_id)
        try:
            yield
        finally:
            self._book.end_commit(self._account_id, self)

    def release(self) -> None:
        self._book.give_back(self._account_id, self.size, self._unwritten)
        self.size = self._unwritten = 0


class Reservations:
    """All bytes that are arriving at this process."""

    def __init__(self, disk: DiskReserve | None = None) -> None:
        self.disk = disk or DiskReserve()
        self.unwritten = 0
        self._changed = threading.Condition()
        self._arriving: dict[int, int] = {}
        self._committing: dict[int, int] = {}
        self._held: set[str] = set()
        self._thumbnail_room: dict[int, tuple[float, int]] = {}

    @contextmanager
    def of(self, account_id: int) -> Iterator[Reservation]:
        """Open an empty reservation of an account, which ends with the block."""
        reservation = Reservation(self, account_id)
        try:
            yield reservation
        finally:
            reservation.release()

    @contextmanager
    def of_chunk(self, upload_key: str, size: int) -> Iterator[Reservation]:
        """Reserve for a chunk of an upload, covered in the database. UploadBusy while another of its chunks arrives."""
        with self._holding(upload_key), self.of(_RESERVED_ALREADY) as reservation:
            reservation.cover(size, lambda: sys.maxsize, unasked=sys.maxsize)
            yield reservation

    @contextmanager
    def _holding(self, upload_key: str) -> Iterator[None]:
        with self._changed:
            if upload_key in self._held:
                raise UploadBusy("another chunk of this upload is arriving")
            self._held.add(upload_key)
        try:
            yield
        finally:
            with self._changed:
                self._held.discard(upload_key)

    def thumbnail_room(self, account_id: int, room: Callable[[], int], *, taken: int = 0) -> int:
        """Return how many bytes of thumbnails fit; adding them up takes time, so it is done once a minute."""
        now = self.disk.clock()
        until, left = self._thumbnail_room.get(account_id, (now, 0))
        if until <= now:
            until, left = now + THUMBNAIL_SECONDS, room()
        self._thumbnail_room[account_id] = until, left - taken
        return left - taken

    def arriving(self, account_id: int) -> int:
        with self._changed:
            return self._arriving.get(account_id, 0)

    def add(self, account_id: int, more: int) -> tuple[int, bool]:
        """Count more bytes; returns all that is arriving, and whether some of it is being committed."""
        with self._changed:
            arriving = self._arriving.get(account_id, 0) + more
            self._arriving[account_id] = arriving
            self.unwritten += more
            return arriving, self._committing.get(account_id, 0) > 0

    def wrote(self, count: int) -> None:
        with self._changed:
            self.unwritten -= count

    def give_back(self, account_id: int, size: int, unwritten: int) -> None:
        with self._changed:
            self.unwritten -= unwritten
            left = self._arriving.get(account_id, 0) - size
            if left > 0:
                self._arriving[account_id] = left
            else:
                self._arriving.pop(account_id, None)

    def begin_commit(self, account_id: int) -> None:
        with self._changed:
            self._committing[account_id] = self._committing.get(account_id, 0) + 1

    def end_commit(self, account_id: int, reservation: Reservation) -> None:
        reservation.release()
        with self._changed:
            left = self._committing.pop(account_id) - 1
            if left:
                self._committing[account_id] = left
            self._changed.notify_all()

    def wait_for_a_commit(self, account_id: int) -> bool:
        """Wait until a commit of the account ends; false if none does in time."""
        with self._changed:
            before = self._committing.get(account_id, 0)
            return self._changed.wait_for(
                lambda: self._committing.get(account_id, 0) < max(before, 1), timeout=COMMIT_SECONDS
            )
