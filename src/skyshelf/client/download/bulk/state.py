"""What a destination is known to hold: files that arrived whole, and how they looked on the disk then.

It only spares work. A file counts as there when it still looks as it did, and as verified because it was; everything
that does not fit is looked at again, so that a lost or wrong note costs time and never a file.
"""

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from msgspec import Struct

from skyshelf.client.errors import LocalFileError

BESIDE: Final = ("-journal", "-wal", "-shm")
"""What a database calls the files that it makes beside its own."""

_SCHEMA_VERSION: Final = 1
_TABLES: Final = """
CREATE TABLE IF NOT EXISTS file (
    folder TEXT NOT NULL, name TEXT NOT NULL, key TEXT NOT NULL, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,
    md5 TEXT NOT NULL, remote_modified INTEGER, PRIMARY KEY (folder, name)
) WITHOUT ROWID;
"""
_LARGEST: Final = 2**63 - 1


class KnownFile(Struct, frozen=True, kw_only=True):
    """A file in its place: which object it is, its content, and its time on the disk."""

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
        """What is known about some files of a folder, by their names."""
        marks = ",".join("?" * len(names))
        # Put together from question marks alone.
        question = f"SELECT * FROM file WHERE folder = ? AND name IN ({marks})"  # noqa: S608
        rows = self._database.execute(question, (folder, *names))
        return {
            row[1]: KnownFile(
                folder=row[0], name=row[1], key=row[2], size=row[3], mtime_ns=row[4], md5=row[5], remote_modified=row[6]
            )
            for row in rows
        }

    def record(self, files: Iterable[KnownFile]) -> None:
        """Note files that are in place now, but for those whose time is more than a note can hold: from 2262 on."""
        rows = [
            (one.folder, one.name, one.key, one.size, one.mtime_ns, one.md5, one.remote_modified)
            for one in files
            if -_LARGEST <= one.mtime_ns <= _LARGEST
        ]
        try:
            with self._database:
                self._database.execute("BEGIN")
                self._database.executemany("INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
        except sqlite3.Error as wrong:
            raise LocalFileError(f"cannot keep notes about the destination: {wrong}") from None

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def _opened(self, path: Path) -> sqlite3.Connection:
        try:
            return self._connected(path)
        except sqlite3.DatabaseError as unreadable:
            if getattr(unreadable, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
                raise LocalFileError(f"another process uses {path}: wait until it is done") from None
            # What cannot be read is not worth keeping: the files themselves say what they are.
            for suffix in ("", *BESIDE):
                path.with_name(path.name + suffix).unlink(missing_ok=True)
            try:
                return self._connected(path)
            except sqlite3.Error as wrong:
                raise LocalFileError(f"cannot keep notes in {path}: {wrong}") from None

    def _connected(self, path: Path) -> sqlite3.Connection:
        database = sqlite3.connect(path, timeout=1.0, isolation_level=None, check_same_thread=False)
        try:
            # Notes are not waited for: those of the last moments may be lost with the power, and the others stay whole.
            # Nobody else opens the file, so that this works on network file systems too.
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
        raise sqlite3.DatabaseError("of another version")
