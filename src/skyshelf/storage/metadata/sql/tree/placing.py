"""Where objects may go: which names are free in folders, how deep these may be nested, and how long paths may be.

A folder's row says how many levels of folders are below it, and how long the longest path of a folder below it is, at
most: never too little, and perhaps too much, because nothing is counted when something leaves. So a move or a rename
looks at the folders above alone, however much is below. A folder from before these limits, or one that an import of an
earlier release has left, may stay beyond them, and may move to where it is beyond them by no more than before.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from skyshelf.storage.errors import TooDeep
from skyshelf.storage.metadata.contracts.tree import ACTIVE, StoredObject
from skyshelf.storage.metadata.sql.statements import Params, Sql, key_text, raw
from skyshelf.storage.metadata.sql.tree.visibility import Below, Lineage
from skyshelf.wire.limits import FOLDER_DEPTH_MAX, FOLDER_PATH_BYTES_MAX
from skyshelf.wire.names import numbered

ChildName = tuple[str, str]


class ChildNames:
    """Which (folder, name) places are taken by active objects, as a batch goes along."""

    def __init__(self, sql: Sql, account_id: int, wanted: Iterable[ChildName]) -> None:
        self._sql = sql
        self._account_id = account_id
        self._taken: dict[ChildName, str] = {}
        self._known: set[ChildName] = set()
        self.look_up(wanted)

    def look_up(self, wanted: Iterable[ChildName]) -> None:
        """Ask the store about places that were not asked about before, all in one statement."""
        new = sorted(set(wanted) - self._known)
        if not new:
            return
        self._known.update(new)
        table, params = self._sql.pairs([(raw(folder), name) for folder, name in new])
        rows = self._sql.all(
            # A separate SELECT for each name: a join would tempt either database to walk the whole account, and to
            # ask of each object whether it is wanted.
            "SELECT a, b, holder FROM (SELECT a, b, (SELECT o.object_key FROM objects o WHERE o.account_id = :account"
            f" AND o.parent_key = a AND o.name = b AND o.status = 'A') AS holder FROM {table}) k"
            " WHERE holder IS NOT NULL",
            {"account": self._account_id, **params},
        )
        for parent, name, key in rows:
            self._taken.setdefault((key_text(parent), name), key_text(key))

    def holder(self, place: ChildName) -> str | None:
        self.look_up([place])
        return self._taken.get(place)

    def take(self, place: ChildName, object_key: str) -> None:
        self._known.add(place)
        self._taken[place] = object_key

    def leave(self, stored: StoredObject) -> None:
        if stored.parent_key is not None and stored.status == ACTIVE:
            place = (stored.parent_key, stored.name)
            self._known.add(place)
            self._taken.pop(place, None)


def free_name(places: ChildNames, folder: str, name: str) -> str:
    """Return the name, or the first ` (n)` of it that is free."""
    if places.holder((folder, name)) is None:
        return name
    first = 1
    while True:
        # Names are queried in growing groups, so even the thousandth copy costs few statements.
        candidates = [numbered(name, n) for n in range(first, first * 8)]
        places.look_up((folder, candidate) for candidate in candidates)
        for candidate in candidates:
            if places.holder((folder, candidate)) is None:
                return candidate
        first *= 8


MOST_COUNTED: Final = 5000
"""Folders that a batch counts where the rows alone would refuse a move."""


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
        below = self.lineage.below[folder_key]
        if not anywhere and not self._fits(folder_key, parent_key, name, below):
            counted = self._counted(folder_key)
            if counted is None or not self._fits(folder_key, parent_key, name, counted):
                raise TooDeep("the folders would be nested too deep")
            below = counted
            self.lineage.below[folder_key] = below
            self._changed.add(folder_key)
        self._has_moved = True
        self.lineage.name_bytes[folder_key] = len(name.encode())
        self._grow(parent_key, name, below)

    def add(self, parent_key: str, name: str) -> None:
        """Make room for a new folder."""
        if self._at(parent_key, name).is_too_deep():
            raise TooDeep("the folders would be nested too deep")
        self._grow(parent_key, name, Below(0, 0))

    def write(self) -> None:
        rows: list[Params] = []
        for key in self._changed:
            levels, path = self.lineage.below[key]
            rows.append({"account": self._account_id, "key": raw(key), "levels": levels, "path": path})
        self._sql.run_many(_SET, rows)
        self._changed.clear()

    def _fits(self, folder_key: str, parent_key: str, name: str, below: Below) -> bool:
        after = self._at(parent_key, name)
        if not _Place(after.depth + below.levels, after.path + below.path).is_too_deep():
            return True
        before = self._at(self.lineage.parent(folder_key), self.lineage.name_bytes[folder_key])
        return after.depth <= before.depth and after.path <= before.path

    def _at(self, parent_key: str | None, name: str | int) -> _Place:
        """Return the place of a folder of that name."""
        depth, path = 1, _step(name)
        for key in self.lineage.up_from(parent_key):
            if self.lineage.parent(key) is not None:  # the root has no name in a path
                depth += 1
                path += _step(self.lineage.name_bytes[key])
        return _Place(depth, path)

    def _grow(self, parent_key: str, name: str, below: Below) -> None:
        """Let the folders above say that this is below them. Nothing ever asks the root."""
        levels, path = below.levels + 1, below.path + _step(name)
        for key in self.lineage.up_from(parent_key):
            known = self.lineage.below[key]
            if self.lineage.parent(key) is None or (known.levels >= levels and known.path >= path):
                return
            self.lineage.below[key] = Below(max(levels, known.levels), max(path, known.path))
            self._changed.add(key)
            levels, path = levels + 1, path + _step(self.lineage.name_bytes[key])

    def _counted(self, folder_key: str) -> Below | None:
        """Return what really is below a folder; None where there is too much to count, or the batch has changed it."""
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
