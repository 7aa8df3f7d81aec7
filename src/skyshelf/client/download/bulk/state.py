"""The state of a destination: its complete files, with their size and time on disk.

It only saves work. A file with unchanged size and time counts as up to date; every other one is read and compared, so a
lost or wrong record costs time, never a file.
"""

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from msgspec import Struct

from skyshelf.client.errors import LocalFileError

BESIDE: Final = ("-journal", "-wal", "-shm")
"""The suffixes of the files that SQLite creates next to a database."""

_SCHEMA_VERSION: Final = 1
_TABLES: Final = """
CREATE TABLE IF NOT EXISTS file (
    folder TEXT NOT NULL, name TEXT NOT NULL, key TEXT NOT NULL, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,
    md5 TEXT NOT NULL, remote_modified INTEGER, PRIMARY KEY (folder, name)
) WITHOUT ROWID;
"""
_LARGEST: Final = 2**63 - 1


class KnownFile(Struct, frozen=True, kw_only=True):
    """A complete file: its object, its content and its time on disk."""

    folder: str
    name: str
    key: str
    size: int
    mtime_ns: int
    md5: str
    remote_modified: int | None


class DownloadState:
    """Used by one thread at a time."""

    def __init__(self, path: Path) -> None:
        self._database = self._opened(path)

    def known(self, folder: str, names: list[str]) -> dict[str, KnownFile]:
        """The known files among some names in a folder."""
        marks = ",".join("?" * len(names))
        # Built from question marks only.
        question = f"SELECT * FROM file WHERE folder = ? AND name IN ({marks})"  # noqa: S608
        rows = self._database.execute(question, (folder, *names))
        return {
            row[1]: KnownFile(
                folder=row[0], name=row[1], key=row[2], size=row[3], mtime_ns=row[4], md5=row[5], remote_modified=row[6]
            )
            for row in rows
        }

    def record(self, files: Iterable[KnownFile]) -> None:
        """Record complete files, except those modified after 2262, whose time does not fit."""
        rows = [
            (file.folder, file.name, file.key, file.size, file.mtime_ns, file.md5, file.remote_modified)
            for file in files
            if -_LARGEST <= file.mtime_ns <= _LARGEST
        ]
        try:
            with self._database:
                self._database.execute("BEGIN")
                self._database.executemany("INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
        except sqlite3.Error as error:
            raise LocalFileError(f"cannot save the state of the destination: {error}") from None

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def _opened(self, path: Path) -> sqlite3.Connection:
        try:
            return self._connected(path)
        except sqlite3.DatabaseError as unreadable:
            if getattr(unreadable, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
                raise LocalFileError(f"another process is using {path}: wait until it has finished") from None
            # Unreadable state is deleted: the files themselves can be compared.
            for suffix in ("", *BESIDE):
                path.with_name(path.name + suffix).unlink(missing_ok=True)
            try:
                return self._connected(path)
            except sqlite3.Error as error:
                raise LocalFileError(f"cannot save the state of the destination in {path}: {error}") from None

    def _connected(self, path: Path) -> sqlite3.Connection:
        database = sqlite3.connect(path, timeout=1.0, isolation_level=None, check_same_thread=False)
        try:
            # Not synced: a power failure may lose the last records, and leaves the others intact. The exclusive lock
            # makes WAL work on network file systems too.
            database.execute("PRAGMA locking_mode = EXCLUSIVE")
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = NORMAL")
            _check_version(database)
            database.executescript(_TABLES)
            database.execute(f"PRAGMA user_version = {_SCHEMA_VERSION}")
        except BaseException:
            database.close()
            raise
        return database


def _check_version(database: sqlite3.Connection) -> None:
    if database.execute("PRAGMA user_version").fetchone()[0] not in {0, _SCHEMA_VERSION}:
        raise sqlite3.DatabaseError("unknown schema version")
