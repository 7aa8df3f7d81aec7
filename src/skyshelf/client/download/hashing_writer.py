"""Pieces of a large part on their way to the disk: hashed in one thread, written in another, synced in a third.

MD5 is slower than the network and the disk. It is fast enough only when it never waits: neither for a piece, nor for
the event loop to hand it one, nor at the end for everything to reach the disk at once.
"""

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final, NamedTuple

from skyshelf.client.download.part_file import PartFile
from skyshelf.client.local.disk_threads import await_future
from skyshelf.client.local.files import let_go, sync_file

_LANES: Final = ("hash", "write", "sync")
_AHEAD: Final = 4
"""Pieces that wait at most; together with the one that arrives, this is the memory that a large file takes."""

_SYNCED_BYTES: Final = 32 * 1024 * 1024
"""What is written before the disk is asked to have it, while more arrives."""


class HashingWriter:
    """The threads of one part. Close it after the last piece, also when something went wrong."""

    def __init__(self, part: PartFile) -> None:
        self._part = part
        self._pools = [ThreadPoolExecutor(1, thread_name_prefix=f"skyshelf-{name}") for name in _LANES]
        self._hashing, self._writing, self._syncing = self._pools
        self._sync: Future[None] | None = None
        self._under_way: deque[_Piece] = deque()
        self.end = part.length
        self._unsynced = 0
        self._is_broken = False

    async def store(self, piece: bytes | bytearray) -> None:
        """Take the next piece; waits where too many are under way, and raises what went wrong with an earlier one."""
        while len(self._under_way) >= _AHEAD:
            await self._settle_first()
        hashing = self._hashing.submit(self._part.hash_next, piece)
        writing = self._writing.submit(self._part.write_at, piece, self.end)
        self._under_way.append(_Piece(piece, hashing, writing))
        self.end += len(piece)

    async def drain(self) -> None:
        """All pieces are stored, or the first error is raised; in either case no thread is at work any more."""
        wrong: BaseException | None = None
        while self._under_way or self._sync is not None:
            try:
                await (self._settle_first() if self._under_way else self._settle_sync())
            except BaseException as error:  # noqa: BLE001 - raised when all threads are at rest
                wrong = wrong or error
        if wrong is not None:
            raise wrong

    def close(self) -> None:
        """Give the threads back."""
        for pool in self._pools:
            pool.shutdown(wait=False)

    async def _settle_first(self) -> None:
        piece = self._under_way.popleft()
        try:
            await await_future(piece.hashing)
        finally:
            # Also when all is cancelled, both threads have ended then, and what they did counts.
            try:
                await await_future(piece.writing)
            finally:
                self._count(piece)
        if self._unsynced >= _SYNCED_BYTES and (self._sync is None or self._sync.done()):
            self._unsynced = 0
            await self._settle_sync()
            self._sync = self._syncing.submit(_sync, self._part.file, self._part.length)

    def _count(self, piece: "_Piece") -> None:
        """What comes after a piece that is missing is not the beginning of the object any more."""
        if piece.hashing.exception() or piece.writing.exception():
            self._is_broken = True
        if not self._is_broken:
            self._part.count(len(piece.content))
            self._unsynced += len(piece.content)

    async def _settle_sync(self) -> None:
        sync, self._sync = self._sync, None
        if sync is not None:
            await await_future(sync)


class _Piece(NamedTuple):
    content: bytes | bytearray
    hashing: "Future[None]"
    writing: "Future[None]"


def _sync(file: int, length: int) -> None:
    """What is on the disk makes room in memory for what comes: that is quicker than to find ever more of it."""
    sync_file(file)
    let_go(file, length)
