"""The state of a destination: its complete files, with their size and time on disk.

It only saves work. A file with unchanged size and time counts as up to date; every other one is read and compared, so a
lost or wrong record costs time, never a file.
"""

import sqlite3
import stat
from collections.abc import Iterable, Iterator
from io import FileIO
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import astuple

from skyshelf.client.download.bulk.plan import PlannedFile
from skyshelf.client.download.integrity import ExpectedContent
from skyshelf.client.errors import DestinationExistsError, LocalFileError
from skyshelf.client.local.files import LocalFolder, md5_of_open, translate_os_errors

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


class KnownFile(Struct, frozen=True):
    """A complete file: its object, its content and its time on disk."""

    folder: str
    name: str
    key: str
    size: int
    mtime_ns: int
    md5: str
    remote_modified: int | None

    @classmethod
    def of(cls, file: PlannedFile, size: int, mtime_ns: int, md5: str) -> "KnownFile":
        """Return the state of a planned file that is in place."""
        return cls(file.folder, file.name, file.key, size, mtime_ns, md5, file.modified_ms)

    def is_newer_than(self, file: PlannedFile) -> bool:
        """Whether the server's file was changed before this one."""
        return (
            file.modified_ms is not None
            and self.remote_modified is not None
            and file.modified_ms < self.remote_modified
        )


class DownloadState:
    """The database of known files. It is used by one thread at a time."""

    def __init__(self, path: Path) -> None:
        self._database = self._opened(path)

    def known(self, folder: str, names: list[str]) -> dict[str, KnownFile]:
        """Return the known files among some names in a folder."""
        marks = ",".join("?" * len(names))
        # Built from question marks only.
        question = f"SELECT * FROM file WHERE folder = ? AND name IN ({marks})"  # noqa: S608
        rows = self._database.execute(question, (folder, *names))
        return {row[1]: KnownFile(*row) for row in rows}

    def everything(self) -> Iterator[KnownFile]:
        """Yield all known files, folder by folder."""
        for row in self._database.execute("SELECT * FROM file ORDER BY folder, name"):
            yield KnownFile(*row)

    def record(self, files: Iterable[KnownFile]) -> None:
        """Record complete files, except those modified after 2262, whose time does not fit."""
        rows = [astuple(file) for file in files if -_LARGEST <= file.mtime_ns <= _LARGEST]
        try:
            with self._database:
                self._database.execute("BEGIN")
                self._database.executemany("INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
        except sqlite3.Error as error:
            raise LocalFileError(f"cannot save the state of the destination: {error}") from None

    def close(self) -> None:
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
            # Without a sync per commit, a power failure may lose the last records but no others. The exclusive lock
            # makes WAL work on network file systems as well.
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


class UpToDate(Struct, frozen=True):
    """The local file has the right content; `new` is its state, where the file had to be read."""

    new: KnownFile | None = None


class NeedsDownload(Struct, frozen=True):
    """The file has to be fetched; `replace` says that the existing one may be replaced."""

    replace: bool


def compare_with_local(
    file: PlannedFile, folder: LocalFolder, known: KnownFile | None, *, overwrite: bool
) -> UpToDate | NeedsDownload | DestinationExistsError:
    """Decide what to do about a file.

    A file from an earlier run that has not been modified since may be replaced. Anything else belongs to the user, and
    stays unless `overwrite`.
    """
    found = folder.stat(file.name)
    if found is None:
        return NeedsDownload(replace=False)
    if stat.S_ISREG(found.st_mode):
        untouched = known is not None and (found.st_size, found.st_mtime_ns) == (known.size, known.mtime_ns)
        if known is not None and untouched:
            return UpToDate() if _is_same(file, known) else NeedsDownload(replace=True)
        expected = ExpectedContent.of(file.size, file.md5)
        if expected.md5 is not None and found.st_size == expected.size and _md5(folder, file.name) == expected.md5:
            return UpToDate(KnownFile.of(file, found.st_size, found.st_mtime_ns, expected.md5))
    if overwrite and not stat.S_ISDIR(found.st_mode):
        return NeedsDownload(replace=True)
    return DestinationExistsError(f"{folder.path / file.name} already exists with other content")


def _is_same(file: PlannedFile, known: KnownFile) -> bool:
    """Whether the server still has the fetched content; without a hash, by its modification time."""
    expected = ExpectedContent.of(file.size, file.md5)
    if file.key != known.key or (expected.size is not None and expected.size != known.size):
        return False
    if expected.md5 is not None:
        return expected.md5 == known.md5
    return file.modified_ms is not None and file.modified_ms == known.remote_modified


def _md5(folder: LocalFolder, name: str) -> str:
    with translate_os_errors("cannot read", folder.path, name), FileIO(folder.read_file(name)) as content:
        return md5_of_open(content)
