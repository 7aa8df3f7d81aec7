"""Reservations: bytes of requests that are still arriving count against the quota before they are written.

An upload in chunks reserves its size in the database when it begins. Everything else that arrives is a reservation in
the memory of the process that receives it: it costs no round trip, and it is gone with the request, however that ends,
and with the process. Several processes may together let an account write as often its free space as there are
processes; when the first of these requests is committed, the database refuses what no longer fits.
"""

import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from skyshelf.service.disk_reserve import DiskReserve
from skyshelf.storage.blobs.protocols import BytesLike
from skyshelf.storage.errors import QuotaExceeded, UploadBusy

COMMIT_SECONDS: Final = 10.0
_ATTEMPTS: Final = 5
# Bytes of chunks, whose account has reserved them in the database; no account has this number.
_RESERVED_ALREADY: Final = 0


class Reservation:
    """The bytes of one request. Its size only grows, and everything is given back at the end."""

    def __init__(self, book: "Reservations", account_id: int) -> None:
        self._book = book
        self._account_id = account_id
        self.size = 0
        self._unwritten = 0

    def cover(self, size: int, free: Callable[[], int], *, unasked: int = 0) -> None:
        """Reserve what is missing to that size: QuotaExceeded beyond the free quota, StoreFull beyond the disk.

        `free` is not asked while everything that arrives for the account is within `unasked` bytes.
        """
        more = max(0, size - self.size)
        self._book.disk.check(self._book.unwritten + more)
        self.size += more
        self._unwritten += more
        arriving, is_committing = self._book.add(self._account_id, more)
        for _ in range(_ATTEMPTS):
            # What arrives is counted before the quota is asked: so a commit in between cannot be missed.
            if arriving <= unasked or arriving <= free():
                return
            # A request that is being committed may count twice: as arriving, and as used already.
            if not is_committing or not self._book.wait_for_a_commit(self._account_id):
                break
            arriving, is_committing = self._book.add(self._account_id, 0)
        raise QuotaExceeded(f"{size} more bytes do not fit beside others that are arriving")

    def counting(self, chunks: Iterable[BytesLike]) -> Iterator[BytesLike]:
        """The chunks on their way to the disk."""
        for chunk in chunks:
            written = min(len(chunk), self._unwritten)
            self._unwritten -= written
            self._book.wrote(written)
            yield chunk

    @contextmanager
    def committing(self) -> Iterator[None]:
        """Around the commit that turns these bytes into used ones."""
        self._book.begin_commit(self._account_id)
        try:
            yield
        finally:
            self._book.end_commit(self._account_id, self)

    def release(self) -> None:
        self._book.give_back(self._account_id, self.size, self._unwritten)
        self.size = self._unwritten = 0


class Reservations:
    """All that is arriving at this process."""

    def __init__(self, disk: DiskReserve | None = None) -> None:
        self.disk = disk or DiskReserve()
        self.unwritten = 0
        self._changed = threading.Condition()
        self._arriving: dict[int, int] = {}
        self._committing: dict[int, int] = {}
        self._held: set[str] = set()

    @contextmanager
    def of(self, account_id: int) -> Iterator[Reservation]:
        """An empty reservation of an account, which ends with the block."""
        reservation = Reservation(self, account_id)
        try:
            yield reservation
        finally:
            reservation.release()

    @contextmanager
    def of_chunk(self, upload_key: str, size: int) -> Iterator[Reservation]:
        """A chunk of an upload, which is covered in the database. UploadBusy while another of its chunks arrives."""
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

    def arriving(self, account_id: int) -> int:
        with self._changed:
            return self._arriving.get(account_id, 0)

    def add(self, account_id: int, more: int) -> tuple[int, bool]:
        """Count more bytes; all that is arriving now, and whether some of that is being committed."""
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
        """Wait until a commit of the account ends; false when none does in time."""
        with self._changed:
            before = self._committing.get(account_id, 0)
            return self._changed.wait_for(
                lambda: self._committing.get(account_id, 0) < max(before, 1), timeout=COMMIT_SECONDS
            )
