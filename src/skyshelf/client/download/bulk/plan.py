"""What a bulk download has yet to do, in a database of its own, so that memory stays flat however large a tree is.

The names of a folder can only be given when all of it is known (see local_names): its children are collected here,
come out in the order that the names need, and are forgotten. It lives as long as one run.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, Generic, TypeVar

from msgspec import Struct

from skyshelf.client.engine.retries import RetryPolicy
from skyshelf.client.errors import SkyshelfError
from skyshelf.client.local.names import comparable, local_names, safe_name

_Item = TypeVar("_Item")

_TABLES: Final = """
CREATE TABLE folder (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, path TEXT NOT NULL, origin TEXT NOT NULL,
    waiting INTEGER NOT NULL DEFAULT 1
);
CREATE INDEX folder_waiting ON folder (id) WHERE waiting;
CREATE TABLE child (
    folder INTEGER NOT NULL, comparable TEXT NOT NULL, key TEXT NOT NULL, name TEXT NOT NULL,
    is_folder INTEGER NOT NULL, wanted INTEGER NOT NULL, size INTEGER, md5 TEXT, modified INTEGER,
    PRIMARY KEY (folder, comparable, key)
) WITHOUT ROWID;
CREATE UNIQUE INDEX child_once ON child (folder, key);
"""


_SECOND_CHANCES_MAX: Final = 10_000
"""How many folders, or files, get a second chance: when more of them fail, the cause is not temporary."""


class PlannedFolder(Struct, frozen=True):
    """A folder to be listed; `path` holds the local names that lead to it, joined by slashes, `origin` the server's."""

    number: int
    key: str
    path: str
    origin: str


class Child(Struct, frozen=True, kw_only=True):
    """An object of a folder, as a listing shows it."""

    key: str
    name: str
    is_folder: bool
    wanted: bool = True
    size: int | None = None
    md5: str | None = None
    modified_ms: int | None = None


class PlannedFile(Struct, frozen=True, kw_only=True):
    """A file to be downloaded, with its place."""

    folder: str
    name: str
    key: str
    size: int | None
    md5: str | None
    modified_ms: int | None

    @property
    def path(self) -> str:
        """The place below the destination."""
        return f"{self.folder}/{self.name}" if self.folder else self.name


class Job(Struct, frozen=True):
    """A file to be fetched."""

    file: PlannedFile
    replace: bool


class SecondChances(Generic[_Item]):
    """Items that failed and are tried once more when everything else has been tried."""

    def __init__(self, policy: RetryPolicy) -> None:
        self._policy = policy
        self._items: list[_Item] = []
        self._is_over = False

    @property
    def is_over(self) -> bool:
        """Whether the second attempts are running; there is no third."""
        return self._is_over

    def grant(self, item: _Item, error: SkyshelfError) -> bool:
        """Keep a failed item for later, if another attempt may succeed."""
        if self._is_over or len(self._items) >= _SECOND_CHANCES_MAX or not self._policy.covers(error):
            return False
        self._items.append(item)
        return True

    def take(self) -> list[_Item]:
        """The items to try once more; no further ones are kept."""
        items, self._items, self._is_over = self._items, [], True
        return items


class DownloadPlan:
    """Used by one thread at a time."""

    def __init__(self, path: Path) -> None:
        path.unlink(missing_ok=True)
        self._database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        # Nobody reads it after a crash.
        self._database.execute("PRAGMA journal_mode = OFF")
        self._database.execute("PRAGMA synchronous = OFF")
        self._database.execute("PRAGMA locking_mode = EXCLUSIVE")
        self._database.executescript(_TABLES)
        self._path = path

    def close(self) -> None:
        """Forget everything."""
        self._database.close()
        self._path.unlink(missing_ok=True)

    def add_folder(self, key: str, path: str, origin: str) -> bool:
        """A folder to be listed; false when it is known already: servers may show a folder inside itself."""
        added = self._database.execute(
            "INSERT OR IGNORE INTO folder (key, path, origin) VALUES (?, ?, ?)", (key, path, origin)
        )
        return added.rowcount == 1

    def next_folder(self) -> PlannedFolder | None:
        """Some folder that nobody has taken yet; the last one found comes first, which keeps few waiting."""
        row = self._database.execute(
            "SELECT id, key, path, origin FROM folder WHERE waiting ORDER BY id DESC LIMIT 1"
        ).fetchone()
        if row is None:
            return None
        self._database.execute("UPDATE folder SET waiting = 0 WHERE id = ?", (row[0],))
        return PlannedFolder(*row)

    def wait_again(self, folders: Iterable[PlannedFolder]) -> None:
        """Folders that are to be listed once more."""
        self._database.executemany("UPDATE folder SET waiting = 1 WHERE id = ?", ((one.number,) for one in folders))

    def add_children(self, folder: PlannedFolder, children: Iterable[Child]) -> None:
        """Objects of a folder; one that is listed twice counts once."""
        self._database.execute("BEGIN")
        self._database.executemany(
            "INSERT OR IGNORE INTO child VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                (
                    folder.number,
                    comparable(safe_name(one.name)),
                    one.key,
                    # What cannot be stored as text would not be kept in the name either.
                    one.name.encode("utf-8", "replace").decode(),
                    one.is_folder,
                    one.wanted,
                    one.size,
                    one.md5,
                    one.modified_ms,
                )
                for one in children
            ),
        )
        self._database.execute("COMMIT")

    def forget_children(self, folder: PlannedFolder) -> None:
        """Before a folder is listed anew, and when all of it has been handed out."""
        self._database.execute("DELETE FROM child WHERE folder = ?", (folder.number,))

    def named(self, folder: PlannedFolder) -> Iterator[tuple[Child, str]]:
        """Every child with its local name."""
        rows = self._database.execute(
            "SELECT key, name, is_folder, wanted, size, md5, modified FROM child WHERE folder = ?"
            " ORDER BY comparable, key",
            (folder.number,),
        )
        waiting: list[Child] = []

        def pairs() -> Iterator[tuple[str, str]]:
            for key, name, is_folder, wanted, size, md5, modified in rows:
                waiting.append(
                    Child(
                        key=key,
                        name=name,
                        is_folder=bool(is_folder),
                        wanted=bool(wanted),
                        size=size,
                        md5=md5,
                        modified_ms=modified,
                    )
                )
                yield key, name

        for _, local in local_names(pairs()):
            yield waiting.pop(), local
