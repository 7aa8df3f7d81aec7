"""The database file of one moment, read in place while others write to it.

A copy of a large file takes as long as the rest of a backup, and as much space. SQLite promises enough to do
without: while a read transaction is open, checkpoints bring only such pages into the file as belong to its moment, and
the log is not begun again. So the moment is the file, and over it the newest page of each frame of the log up to the
last commit before it (https://sqlite.org/fileformat2.html#the_write_ahead_log).
"""

import os
import struct
from bisect import bisect_left
from pathlib import Path
from typing import Final

import apsw

from skyshelf.storage.errors import StorageError
from skyshelf.storage.metadata.sqlite.file import BUSY_SECONDS

_LOG_HEADER: Final = 32
_SALTS: Final = slice(16, 24)
_FRAME: Final = struct.Struct(">II8s8x")
_ATTEMPTS: Final = 100
_LARGEST_LOG: Final = 1 << 30


class NoImage(StorageError):
    """The file cannot be read like this right now; a copy can be made of it."""


class Image:
    """One moment of a file: for statements by its connection, for bytes by `read`. Close it soon: until then the log
    of the file grows."""

    def __init__(self, path: Path) -> None:
        self.connection = _reader(path)
        self._log: int | None = None
        self._file: apsw.VFSFile | None = None
        try:
            self._page_size = int(self.connection.pragma("page_size"))
            frames = self._hold(path)
            # By SQLite and not by the system: closing a file releases the locks of the whole process on it.
            opening = apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY
            self._file = apsw.VFSFile("", str(path.absolute()), [opening, 0])
            self._places: dict[int, int] = {}
            # The file may have room for more.
            self.size = int(self.connection.pragma("page_count")) * self._page_size
            if frames:
                self._log = os.open(path.with_name(f"{path.name}-wal"), os.O_RDONLY)
                self.size = self._find_pages(frames)
            self._numbers = sorted(self._places)
            self._in_file = min(self.size, self._file.xFileSize())
        except BaseException:
            self.close()
            raise

    def _hold(self, path: Path) -> int:
        """Begin to read, and find out how many frames of the log belong to the moment; 0 when the file has them all."""
        watcher = _reader(path)
        try:
            for _ in range(_ATTEMPTS):
                before = watcher.pragma("data_version")
                self.connection.execute("BEGIN").close()
                self.connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchall()
                frames, in_file = watcher.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_NOOP)
                # Nobody has committed in between, so the last frame is that of our moment.
                if frames >= 0 and watcher.pragma("data_version") == before:
                    return 0 if in_file >= frames else int(frames)
                self.connection.execute("ROLLBACK").close()
        finally:
            watcher.close()
        raise NoImage(f"{path} is written to without a pause")

    def _find_pages(self, frames: int) -> int:
        """Return where in the log the newest of each page is; the size of the database after the last frame."""
        assert self._log is not None
        salts = os.pread(self._log, _LOG_HEADER, 0)[_SALTS]
        step = _FRAME.size + self._page_size
        if frames * step > _LARGEST_LOG:
            raise NoImage("the log of the database is very large")
        pages = 0
        for number in range(frames):
            at = _LOG_HEADER + number * step
            head = os.pread(self._log, _FRAME.size, at)
            if len(head) < _FRAME.size:
                raise NoImage("the log of the database is shorter than it should be")
            page, pages, salt = _FRAME.unpack(head)
            if salt != salts:
                raise NoImage("the log of the database was begun again")
            self._places[page - 1] = at + _FRAME.size
        if pages == 0:
            raise NoImage("the log of the database does not end with a commit")
        self._places = {page: place for page, place in self._places.items() if page < pages}
        return int(pages) * self._page_size

    def read(self, at: int, length: int) -> bytes:
        """Bytes of the moment; fewer at the end. From any thread."""
        assert self._file is not None
        end = min(at + length, self.size)
        if end <= at:
            return b""
        data = self._file.xRead(min(end, self._in_file) - at, at) if at < self._in_file else b""
        first, last = at // self._page_size, (end - 1) // self._page_size
        changed = self._numbers[bisect_left(self._numbers, first) : bisect_left(self._numbers, last + 1)]
        if not changed and len(data) == end - at:
            return data
        whole = bytearray(data).ljust(end - at, b"\0")
        for page in changed:
            start = page * self._page_size
            piece = self._page(page)[max(0, at - start) : end - start]
            offset = max(0, start - at)
            whole[offset : offset + len(piece)] = piece
        return bytes(whole)

    def _page(self, page: int) -> bytes:
        assert self._log is not None
        data = os.pread(self._log, self._page_size, self._places[page])
        if len(data) != self._page_size:
            raise NoImage("the log of the database is shorter than it should be")
        return data

    def close(self) -> None:
        self.connection.close()
        if self._file is not None:
            self._file.xClose()
            self._file = None
        if self._log is not None:
            os.close(self._log)
            self._log = None


def _reader(path: Path) -> apsw.Connection:
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    connection.set_busy_timeout(BUSY_SECONDS * 1000)
    connection.execute("PRAGMA mmap_size = 1073741824").close()
    return connection
