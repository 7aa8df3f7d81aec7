"""Connections that change nothing: no row, and no file beside the database.

SQLite's write-ahead log is two files beside the database, `-wal` and `-shm`. A reader of a file that is in use takes
part in both. A file at rest, such as a backup, has none or only the first, and an ordinary reader would create what is
missing; on a read-only medium it would fail. So a file at rest is read without them:

- without a log, as a file that does not change;
- with a log that is not in use, with its index in memory and without locks.

Neither may be read on once somebody has begun to use the file.
"""

import os
from pathlib import Path
from urllib.parse import quote

import apsw

from skyshelf.storage.errors import StoreUnavailable
from skyshelf.storage.metadata.sqlite.file import BUSY_SECONDS, refuse_strangers

_PRAGMAS = (
    "query_only = ON",
    "trusted_schema = OFF",
    "temp_store = MEMORY",
    "cache_size = -16000",
    "mmap_size = 1073741824",
)


class Looking:
    """Opens read-only connections to one file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            if not path.is_file():
                raise StoreUnavailable(f"there is no metadata at {path}: name the right place")
            refuse_strangers(path)
            self._has_log = _size(path, "-wal") > 0
            self.is_at_rest = not path.with_name(f"{path.name}-shm").exists()
        except OSError as error:
            raise StoreUnavailable(f"the metadata at {path} cannot be opened: {error.strerror}") from error

    def connect(self) -> apsw.Connection:
        flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        options = ("?vfs=unix-none" if self._has_log else "?immutable=1") if self.is_at_rest else ""
        connection = apsw.Connection(f"file:{quote(str(self._path.absolute()))}{options}", flags=flags)
        connection.set_busy_timeout(BUSY_SECONDS * 1000)
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
        if self.is_at_rest and self._has_log:
            # Only so does SQLite keep the index of the log in memory.
            connection.execute("PRAGMA locking_mode = EXCLUSIVE").close()
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}").close()
        return connection

    def check(self) -> None:
        """Refuse to go on with a file that was at rest, and no longer is."""
        if self.is_at_rest and self._path.with_name(f"{self._path.name}-shm").exists():
            raise StoreUnavailable(
                f"the metadata at {self._path} came into use while it was being read: run the command again"
            )


def _size(path: Path, suffix: str) -> int:
    beside = path.with_name(f"{path.name}{suffix}")
    return beside.stat().st_size if beside.exists() else 0


def is_in_use(path: Path) -> bool:
    """Whether another process has the file open: each one holds a lock on the index of the log.

    The system's list is read. A lock of our own would have to be released, and with it, by the rules of POSIX, those
    of every connection of this process.
    """
    try:
        state = path.with_name(f"{path.name}-shm").stat()
    except OSError:
        return False
    try:
        locks = [line.split() for line in Path("/proc/locks").read_text("ascii").splitlines()]
    except OSError:
        # Where the system has no list, the files of a log speak for somebody who uses it.
        return True
    place = f"{os.major(state.st_dev):02x}:{os.minor(state.st_dev):02x}:{state.st_ino}"
    return any(place in fields and str(os.getpid()) not in fields for fields in locks)
