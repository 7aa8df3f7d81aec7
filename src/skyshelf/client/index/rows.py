"""The rows of the local index, in SQLite."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from skyshelf.client.objects.changes import ChangeSet
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.wire.names import order_key
from skyshelf.wire.resources.objects import ObjectSort, ObjectStatus

VERSION: Final = 1
BUSY_SECONDS: Final = 30.0
SORTED_BY: Final = {
    "objectName": "name_order",
    "sizeInBytes": "size",
    "lastModifiedDate": "modified",
    "fileCreatedDate": "created",
}
_PURGED: Final = "purged"
_SCHEMA: Final = Path(__file__).with_name("rows.sql")
PageCursor = tuple[object, str]
"""The sort value and key of the last object of a page."""


class IndexRows:
    """One connection. The current rows belong to one generation; others are being built, or left over."""

    def __init__(self, path: Path) -> None:
        self._database = sqlite3.connect(
            path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False, cached_statements=32
        )
        try:
            # Whatever a system crash destroys is detected and rebuilt.
            self._database.execute("PRAGMA synchronous = NORMAL")
            self._set_up()
        except BaseException:
            self._database.close()
            raise
        self._generation = self._meta("generation")

    def close(self) -> None:
        self._database.close()

    def cursor(self) -> str | None:
        """Return the change cursor of the rows, or None; pages are read from these rows from now on."""
        self._generation = self._meta("generation")
        return self._meta("cursor")

    def add(self, generation: str, objects: Iterable[RemoteObject]) -> None:
        with self._writing():
            self._put(generation, objects)

    def activate(self, generation: str, cursor: str | None, count: int, root_key: str) -> None:
        """Make a complete generation current, unless another process has activated one and removed this.

        One with a key twice, or with objects that no folder leads to, would list less than there is: it is removed.
        """
        with self._writing():
            (existing,) = self._database.execute(
                "SELECT count(*) FROM objects WHERE generation = ?", (generation,)
            ).fetchone()
            if existing == count and self._meta("cursor") is None and not self._has_lost_objects(generation, root_key):
                self._set("generation", generation)
                self._set("cursor", cursor or "")
                self._database.execute("DELETE FROM objects WHERE generation <> ?", (generation,))
            else:
                self._database.execute("DELETE FROM objects WHERE generation = ?", (generation,))

    def _has_lost_objects(self, generation: str, root_key: str) -> bool:
        """Whether active objects exist that can be reached neither from the root nor from a folder in the trash."""
        return (
            self._database.execute(
                "WITH RECURSIVE reached (key) AS ("
                "  SELECT :root UNION"
                "  SELECT key FROM objects WHERE generation = :generation AND is_folder = 1 AND is_active = 0 UNION"
                "  SELECT below.key FROM reached JOIN objects AS below ON below.generation = :generation"
                "   AND below.parent = reached.key AND below.is_folder = 1 AND below.is_active = 1)"
                " SELECT 1 FROM objects WHERE generation = :generation AND is_active = 1 AND key <> :root"
                " AND parent NOT IN (SELECT key FROM reached) LIMIT 1",
                {"generation": generation, "root": root_key},
            ).fetchone()
            is not None
        )

    def apply(self, changes: ChangeSet, since: str) -> bool:
        """Apply changes, if the rows are still at that cursor; False where they are not."""
        with self._writing():
            if self._meta("cursor") != since or self._meta("generation") != self._generation:
                return False
            purged = {change.object_key for change in changes.changes if change.kind == _PURGED and change.object_key}
            purged -= {found.key for found in changes.objects}
            self._database.executemany(
                "DELETE FROM objects WHERE generation = ? AND key = ?", [(self._generation, key) for key in purged]
            )
            self._put(self._generation or "", changes.objects)
            self._set("cursor", changes.cursor)
        return True

    def clear(self, since: str) -> None:
        """Remove the current rows, if they are still at that cursor; generations being built stay."""
        with self._writing():
            if self._meta("cursor") == since:
                self._database.execute("DELETE FROM objects WHERE generation = ?", (self._meta("generation"),))
                self._database.execute("DELETE FROM meta WHERE name IN ('cursor', 'generation')")

    def is_visible(self, key: str, root_key: str) -> bool:
        """Whether a folder exists, and it and all folders above it are active."""
        above: set[str] = set()
        while key != root_key:
            row = self._database.execute(
                "SELECT parent, is_active, is_folder FROM objects WHERE generation = ? AND key = ?",
                (self._generation, key),
            ).fetchone()
            if row is None or not row[1] or not row[2] or key in above:
                return False
            above.add(key)
            key = row[0]
        return True

    def page(
        self, folder_key: str, folders: bool, sort: ObjectSort, limit: int, after: PageCursor | None
    ) -> tuple[list[bytes] | None, PageCursor | None]:
        """Return the objects of a folder as they were sent, after a cursor, and the next page's cursor if there is one.

        The objects are None when another generation is current by now.
        """
        column, direction = SORTED_BY[sort[1:]], "DESC" if sort[0] == "-" else "ASC"
        further = "" if after is None else f" AND ({column}, key) {'<' if sort[0] == '-' else '>'} (?, ?)"
        rows = self._database.execute(
            f"SELECT (SELECT value FROM meta WHERE name = 'generation'), {column}, key, shown FROM objects"  # noqa: S608
            f" WHERE generation = ? AND parent = ? AND is_folder = ? AND is_active = 1{further}"
            f" ORDER BY {column} {direction}, key {direction} LIMIT ?",
            (self._generation, folder_key, int(folders), *(after or ()), limit),
        ).fetchall()
        current = rows[0][0] if rows else self._meta("generation")
        if current != self._generation:
            return None, None
        last = (rows[-1][1], rows[-1][2]) if len(rows) == limit else None
        return [row[3] for row in rows], last

    def _put(self, generation: str, objects: Iterable[RemoteObject]) -> None:
        self._database.executemany(
            "INSERT OR REPLACE INTO objects VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    generation,
                    found.key,
                    found.parent_key or "",
                    int(found.is_folder),
                    int(found.wire.status == ObjectStatus.ACTIVE),
                    order_key(found.name),
                    *(_storable(number) for number in (found.size, found.modified_ms, found.created_ms)),
                    found.sent(),
                )
                for found in objects
            ],
        )

    def _set_up(self) -> None:
        version = self._database.execute("PRAGMA user_version").fetchone()[0]
        if version == VERSION:
            return
        with self._writing():
            if self._database.execute("PRAGMA user_version").fetchone()[0] == VERSION:
                return  # another process was faster
            for (name,) in self._database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                self._database.execute(f'DROP TABLE "{name}"')
            for statement in _SCHEMA.read_text("utf-8").split(";"):
                self._database.execute(statement)
            self._database.execute(f"PRAGMA user_version = {VERSION}")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Make a write transaction of a block; other processes wait."""
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._database.execute("ROLLBACK")
            raise
        self._database.execute("COMMIT")

    def _meta(self, name: str) -> str | None:
        row = self._database.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return row[0] if row else None

    def _set(self, name: str, value: str) -> None:
        self._database.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))


def _storable(number: int | None) -> int:
    """Return a number that fits into a column; another one only sorts wrongly."""
    return number if number is not None and abs(number) < 2**63 else 0
