"""What was the same on both sides after the last sync, in a SQLite file inside the local folder.

The file lives in the folder so that it moves with it, and so that an empty mount point has no index: without one,
nothing can look deleted. It is written after each step, so losing its last writes costs a comparison and nothing else.
"""

import shutil
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from msgspec import Struct, ValidationError, convert
from msgspec.structs import asdict

from skyshelf.client.errors import LocalFileError
from skyshelf.client.local.files import DiskFullError, translate_os_errors

ROOT_ID: Final = 0
VERSION: Final = "2"
_READABLE: Final = frozenset({"1", VERSION, None})
_BUSY_SECONDS: Final = 30.0
_LITTLE_SPACE: Final = 64 * 1024
_FOLLOWS_FULL_DISK: Final = frozenset({sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN})
_DAMAGED: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR})
_SCHEMA: Final = Path(__file__).with_name("index.sql")


class Entry(Struct, kw_only=True):
    """A file or folder that both sides had, under its local and its remote name.

    `size`, `modified_ns`, `changed_ns` and `inode` are those of the local file when its content had this `md5`.
    `is_mount` says whether the local folder was on another disk than the one above it. Version 1 did not know
    `changed_ns` and `is_mount`.
    """

    id: int = -1
    parent: int
    name: str
    remote_name: str
    is_folder: bool
    key: str
    md5: str | None = None
    size: int = 0
    modified_ns: int = 0
    inode: int = 0
    is_mount: bool | None = None
    changed_ns: int | None = None
    is_executable: bool | None = None
    """Whether both sides had it as executable; None for an entry of a version that did not know that."""


_COLUMNS: Final = Entry.__struct_fields__
_VALUES: Final = ", ".join(f":{name}" for name in _COLUMNS)
_RECORD: Final = f"INSERT OR REPLACE INTO entries ({', '.join(_COLUMNS)}) VALUES ({_VALUES})"  # noqa: S608


class SyncIndex:
    """The open index. Safe to use from several threads."""

    def __init__(self, path: Path | None) -> None:
        """Open the file, or without a path an empty index that is not stored."""
        self._path = path
        self._lock = threading.Lock()
        try:
            self._database = sqlite3.connect(
                path or ":memory:", timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
        except sqlite3.Error as error:
            raise self._described(error) from error
        try:
            self._prepare()
        except BaseException:
            self._database.close()
            raise

    def _prepare(self) -> None:
        with self._open() as database:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = NORMAL")
            database.executescript(_SCHEMA.read_text("utf-8"))
        if self.get("version") not in _READABLE:
            raise LocalFileError(f"{self._path} was written by a newer version of Skyshelf: update this one")
        with self._open() as database:
            # Version 1 lacks some of them.
            known = {row[1] for row in database.execute("PRAGMA table_info(entries)")}
            for name in _COLUMNS:
                if name not in known:
                    database.execute(f"ALTER TABLE entries ADD COLUMN {name} INTEGER")
        self.put(version=VERSION)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Yield the database to one thread at a time; a transaction that fails is rolled back."""
        with self._lock:
            try:
                with self._database:
                    yield self._database
            except (sqlite3.Error, ValidationError) as error:
                raise self._described(error) from error

    def _described(self, error: Exception) -> LocalFileError:
        """Return the error that says what helps."""
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
        is_full = False
        if self._path is not None:
            with suppress(OSError):  # its folder may be gone, with the disk that it was on
                is_full = shutil.disk_usage(self._path.parent).free < _LITTLE_SPACE
        if code == sqlite3.SQLITE_FULL or (is_full and code in _FOLLOWS_FULL_DISK):
            return DiskFullError(f"cannot write the index {self._path}: the disk is full")
        if code in _DAMAGED:
            return LocalFileError(
                f"the index {self._path} is damaged ({error}): start over with --start-over, which sets it aside and"
                " deletes nothing"
            )
        return LocalFileError(f"cannot access the index {self._path}: {error}")

    def close(self) -> None:
        with self._lock:
            self._database.close()

    def get(self, name: str) -> str | None:
        """Return a setting of this sync, such as the folder on the server."""
        with self._open() as database:
            found = database.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return None if found is None else str(found[0])

    def put(self, **settings: str) -> None:
        """Store settings, all of them or none."""
        with self._open() as database:
            database.execute("BEGIN")
            database.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", settings.items())

    def entries(self) -> list[Entry]:
        """Return all entries, in no particular order."""
        with self._open() as database:
            rows = database.execute(f"SELECT {', '.join(_COLUMNS)} FROM entries").fetchall()  # noqa: S608
            return [convert(dict(zip(_COLUMNS, row, strict=True)), Entry, strict=False) for row in rows]

    def record(self, entry: Entry) -> int:
        """Store an entry, a new one or one with changes, and return its id."""
        values = asdict(entry) | {"id": None if entry.id < 0 else entry.id}
        with self._open() as database:
            entry.id = database.execute(_RECORD, values).lastrowid or entry.id
        return entry.id

    def forget(self, ids: Iterable[int]) -> None:
        """Remove entries; both sides keep what they have."""
        with self._open() as database:
            database.execute("BEGIN")
            database.executemany("DELETE FROM entries WHERE id = ?", [(one,) for one in ids])

    def versions(self, keys: Iterable[str]) -> dict[str, int]:
        """Return the highest version of each file that the server has had, as far as it is known."""
        with self._open() as database:
            rows = [
                database.execute("SELECT key, version FROM versions WHERE key = ?", (key,)).fetchone() for key in keys
            ]
        return dict(filter(None, rows))

    def note_versions(self, versions: Mapping[str, int], *, are_all: bool = False) -> None:
        """Store versions that the server has had, unless a higher one is known; with `are_all`, forget those before."""
        with self._open() as database:
            database.execute("BEGIN")
            if are_all:
                database.execute("DELETE FROM versions")
            database.executemany(
                "INSERT INTO versions VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET version = excluded.version"
                " WHERE excluded.version > version",
                versions.items(),
            )


def set_aside(path: Path) -> None:
    """Give an index another name, a damaged one too: the next sync merges both sides and deletes nothing."""
    with translate_os_errors("cannot rename", path):
        # The database comes last: without its log it is an older one, and a new one must not get this log.
        for ending in ("-shm", "-wal", ""):
            with suppress(FileNotFoundError):
                path.with_name(path.name + ending).replace(path.with_name(f"former-{path.name}{ending}"))
