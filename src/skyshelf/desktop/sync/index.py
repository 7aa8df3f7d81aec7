"""What was the same on both sides after the last sync, in a SQLite file inside the local folder.

The file lives in the folder so that it moves with it, and so that an empty mount point has no index: without one,
nothing can look deleted. It is written after each step, so losing its last writes costs a comparison and nothing else.
"""

import sqlite3
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from msgspec import Struct

from skyshelf.client.errors import LocalFileError

ROOT_ID: Final = 0
VERSION: Final = "1"
_BUSY_SECONDS: Final = 30.0
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS entries (
  id INTEGER PRIMARY KEY,
  parent INTEGER NOT NULL,
  name TEXT NOT NULL,
  remote_name TEXT NOT NULL,
  is_folder INTEGER NOT NULL,
  key TEXT NOT NULL UNIQUE,
  md5 TEXT,
  size INTEGER NOT NULL,
  modified_ns INTEGER NOT NULL,
  inode INTEGER NOT NULL
);
"""


class Entry(Struct, kw_only=True):
    """A file or folder that both sides had, under its local and its remote name.

    `size`, `modified_ns` and `inode` are those of the local file when its content had this `md5`.
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


class SyncIndex:
    """The open index. Safe to use from several threads."""

    def __init__(self, path: Path | None) -> None:
        """Open the file, or without a path an empty index that is not stored."""
        self._lock = threading.Lock()
        try:
            self._database = sqlite3.connect(
                path or ":memory:", timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = NORMAL")
            self._database.executescript(_SCHEMA)
            if self.get("version") not in {VERSION, None}:
                raise LocalFileError(f"{path} was written by a newer version of Skyshelf: update this one")
            self.put(version=VERSION)
        except sqlite3.Error as error:
            raise LocalFileError(
                f"the index {path} cannot be read ({error}): start over with --start-over, which deletes nothing"
            ) from error

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._database.close()

    def get(self, name: str) -> str | None:
        """A setting of this sync, such as the folder on the server."""
        with self._lock:
            found = self._database.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return None if found is None else str(found[0])

    def put(self, **settings: str) -> None:
        """Store settings, all of them or none."""
        with self._lock:
            self._database.execute("BEGIN")
            self._database.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", settings.items())
            self._database.execute("COMMIT")

    def entries(self) -> list[Entry]:
        """All entries, in no particular order."""
        with self._lock:
            rows = self._database.execute(
                "SELECT id, parent, name, remote_name, is_folder, key, md5, size, modified_ns, inode FROM entries"
            ).fetchall()
        return [
            Entry(
                id=row[0],
                parent=row[1],
                name=row[2],
                remote_name=row[3],
                is_folder=bool(row[4]),
                key=row[5],
                md5=row[6],
                size=row[7],
                modified_ns=row[8],
                inode=row[9],
            )
            for row in rows
        ]

    def record(self, entry: Entry) -> int:
        """Store an entry, a new one or one with changes, and return its id."""
        values = (
            None if entry.id < 0 else entry.id,
            entry.parent,
            entry.name,
            entry.remote_name,
            entry.is_folder,
            entry.key,
            entry.md5,
            entry.size,
            entry.modified_ns,
            _signed(entry.inode),
        )
        with self._lock:
            cursor = self._database.execute(
                "INSERT OR REPLACE INTO entries (id, parent, name, remote_name, is_folder, key, md5, size, modified_ns,"
                " inode) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                values,
            )
            entry.id = cursor.lastrowid or entry.id
        return entry.id

    def forget(self, ids: Iterable[int]) -> None:
        """Remove entries; both sides keep what they have."""
        with self._lock:
            self._database.execute("BEGIN")
            self._database.executemany("DELETE FROM entries WHERE id = ?", [(one,) for one in ids])
            self._database.execute("COMMIT")

    def clear(self) -> None:
        """Forget everything, the server's folder too: the next sync merges both sides and deletes nothing."""
        with self._lock:
            self._database.executescript("DELETE FROM entries; DELETE FROM meta WHERE name <> 'version';")


def _signed(inode: int) -> int:
    """The number as SQLite stores it; some file systems use all 64 bits."""
    return inode if inode < 1 << 63 else inode - (1 << 64)
