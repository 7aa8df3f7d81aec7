"""The names in folders: which are taken, and the first that is free."""

from collections.abc import Iterable

from skyshelf.storage.metadata.contracts.tree import ACTIVE, StoredObject
from skyshelf.storage.metadata.sql.statements import Sql, key_text, raw
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
            # CROSS keeps SQLite from walking the whole account and asking of each name whether it is wanted.
            f"SELECT o.parent_key, o.name, o.object_key FROM {table} CROSS JOIN objects o"
            " WHERE o.account_id = :account AND o.parent_key = a AND o.name = b AND o.status = 'A'",
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
    """The name, or the first ` (n)` of it that is free."""
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
