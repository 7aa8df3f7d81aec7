"""How deep folders may be nested, and how long their paths may be.

A folder's row says how many levels of folders are below it, and how long the longest path of a folder below it is, at
most: never too little, and perhaps too much, because nothing is counted when something leaves. So a move or a rename
looks at the folders above alone, however much is below. A folder from before these limits, or one that an import of an
earlier release has left, may stay beyond them, and may move to where it is beyond them by no more than before.
"""

from collections import deque
from collections.abc import Iterable
from typing import Final, NamedTuple

from skyshelf.storage.errors import TooDeep
from skyshelf.storage.metadata.sql.statements import Params, Row, Sql, raw
from skyshelf.storage.metadata.sql.tree.visibility import Below, Lineage
from skyshelf.wire.limits import FOLDER_DEPTH_MAX, FOLDER_PATH_BYTES_MAX

MOST_COUNTED: Final = 5000
"""Folders that a batch counts where the rows alone would refuse a move."""
_ACCOUNTS_AT_ONCE: Final = 50


class _Place(NamedTuple):
    """Folders on the way from the root, and the bytes of their names, each with a slash before it."""

    depth: int
    path: int

    def is_too_deep(self) -> bool:
        return self.depth > FOLDER_DEPTH_MAX or self.path > FOLDER_PATH_BYTES_MAX + 1


class Nesting:
    """Where the folders of a lineage are, as a batch goes along under the account's lock."""

    def __init__(self, sql: Sql, account_id: int, lineage: Lineage) -> None:
        self._sql = sql
        self._account_id = account_id
        self.lineage = lineage
        self._changed: set[str] = set()
        self._has_moved = False
        self._to_count = MOST_COUNTED

    def settle(self, folder_key: str, parent_key: str, name: str, *, anywhere: bool = False) -> None:
        """Give a folder of the lineage a place and a name. TooDeep where what is below it does not fit, unless it
        fitted as little before."""
        below = self.lineage.below(folder_key)
        if not anywhere and not self._fits(folder_key, parent_key, name, below):
            counted = self._counted(folder_key)
            if counted is None or not self._fits(folder_key, parent_key, name, counted):
                raise TooDeep("the folders would be nested too deep")
            below = counted
            self.lineage.set_below(folder_key, below)
            self._changed.add(folder_key)
        self._has_moved = True
        self.lineage.set_name(folder_key, name)
        self._grow(parent_key, name, below)

    def add(self, parent_key: str, name: str) -> None:
        """Make room for a new folder."""
        if self._at(parent_key, name).is_too_deep():
            raise TooDeep("the folders would be nested too deep")
        self._grow(parent_key, name, Below(0, 0))

    def write(self) -> None:
        rows: list[Params] = []
        for key in self._changed:
            levels, path = self.lineage.below(key)
            rows.append({"account": self._account_id, "key": raw(key), "levels": levels, "path": path})
        self._sql.run_many(_SET, rows)
        self._changed.clear()

    def _fits(self, folder_key: str, parent_key: str, name: str, below: Below) -> bool:
        after = self._at(parent_key, name)
        if not _Place(after.depth + below.levels, after.path + below.path).is_too_deep():
            return True
        before = self._at(self.lineage.parent(folder_key), self.lineage.name_bytes(folder_key))
        return after.depth <= before.depth and after.path <= before.path

    def _at(self, parent_key: str | None, name: str | int) -> _Place:
        """The place of a folder of that name."""
        depth, path = 1, _step(name)
        for key in self.lineage.up_from(parent_key):
            if self.lineage.parent(key) is not None:  # the root has no name in a path
                depth += 1
                path += _step(self.lineage.name_bytes(key))
        return _Place(depth, path)

    def _grow(self, parent_key: str, name: str, below: Below) -> None:
        """Let the folders above say that this is below them. Nothing ever asks the root."""
        levels, path = below.levels + 1, below.path + _step(name)
        for key in self.lineage.up_from(parent_key):
            known = self.lineage.below(key)
            if self.lineage.parent(key) is None or (known.levels >= levels and known.path >= path):
                return
            self.lineage.set_below(key, Below(max(levels, known.levels), max(path, known.path)))
            self._changed.add(key)
            levels, path = levels + 1, path + _step(self.lineage.name_bytes(key))

    def _counted(self, folder_key: str) -> Below | None:
        """What really is below a folder; None where there is too much to count, or the batch has changed it."""
        if self._has_moved:
            return None
        level, levels, longest = {raw(folder_key): 0}, 0, 0
        while level:
            rows = self._sql.all(
                "SELECT o.object_key, o.parent_key, octet_length(o.name) FROM objects o WHERE o.account_id = :account"
                " AND o.parent_key = ANY_KEY(:keys) AND o.kind = 0 LIMIT :most",
                {"account": self._account_id, "keys": sorted(level), "most": self._to_count + 1},
            )
            self._to_count -= len(rows)
            if self._to_count < 0:
                return None
            level = {key: level[parent] + _step(name) for key, parent, name in rows}
            levels += bool(level)
            longest = max(longest, *level.values(), 0)
        return Below(levels, longest)


_SET: Final = (
    "UPDATE objects SET levels_below = :levels, path_below = :path WHERE account_id = :account AND object_key = :key"
)


def _step(name: str | int) -> int:
    return (name if isinstance(name, int) else len(name.encode())) + 1


def fill_bounds(sql: Sql) -> None:
    """Count what is below the folders from before the limits: the part of the migration that SQL alone cannot do."""
    accounts = [row[0] for row in sql.all("SELECT account_id FROM accounts ORDER BY account_id")]
    for at in range(0, len(accounts), _ACCOUNTS_AT_ONCE):
        some = accounts[at : at + _ACCOUNTS_AT_ONCE]
        rows = sql.all(
            "SELECT account_id, object_key, parent_key, octet_length(name) FROM objects"
            " WHERE account_id >= :first AND account_id <= :last AND kind = 0",
            {"first": some[0], "last": some[-1]},
        )
        sql.run_many(_SET, list(_bounds(rows)))


def _bounds(rows: Iterable[Row]) -> Iterable[Params]:
    """From the innermost folders up; folders in a circle, which a damaged store may have, are left out."""
    folders = {
        (account, key): (None if parent is None else (account, parent), name) for account, key, parent, name in rows
    }
    waiting_for = dict.fromkeys(folders, 0)
    for parent, _ in folders.values():
        if parent in waiting_for:
            waiting_for[parent] += 1
    below = dict.fromkeys(folders, Below(0, 0))
    ready = deque(folder for folder, number in waiting_for.items() if not number)
    while ready:
        folder = ready.popleft()
        parent, name = folders[folder]
        levels, path = below[folder]
        if levels:
            yield {"account": folder[0], "key": folder[1], "levels": levels, "path": path}
        if parent not in folders:
            continue
        known = below[parent]
        below[parent] = Below(max(known.levels, levels + 1), max(known.path, path + _step(name)))
        waiting_for[parent] -= 1
        if not waiting_for[parent]:
            ready.append(parent)
