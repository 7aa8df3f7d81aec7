"""The folders above objects, at a moment and now, in SQL: a level of all of them at a time."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from skyshelf.storage.metadata.contracts.tree import ACTIVE, StoredObject
from skyshelf.storage.metadata.sql.statements import Sql
from skyshelf.storage.metadata.sql.tree.visibility import load

_DEPTH_MAX = 400
Load = Callable[[Sequence[str]], Mapping[str, StoredObject]]


class Ways:
    """Objects by key with everything above them, as far as that is known."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self._objects: dict[str, StoredObject | None] = {}

    def fetch(self, keys: Iterable[str]) -> None:
        """Load objects and the folders above them."""
        wanted = {key for key in keys if key not in self._objects}
        while wanted:
            found = self._load(sorted(wanted))
            self._objects |= {key: found.get(key) for key in wanted}
            wanted = {one.parent_key for one in found.values() if one.parent_key} - self._objects.keys()

    def get(self, key: str | None) -> StoredObject | None:
        return None if key is None else self._objects.get(key)

    def way(self, key: str) -> list[StoredObject]:
        """From the object up, as far as it is known."""
        found: list[StoredObject] = []
        above = self.get(key)
        while above is not None and len(found) < _DEPTH_MAX:
            found.append(above)
            above = self.get(above.parent_key)
        return found

    def is_visible(self, key: str) -> bool:
        way = self.way(key)
        return bool(way) and way[-1].parent_key is None and all(one.status == ACTIVE for one in way)

    def depth(self, key: str) -> int:
        return len(self.way(key))

    def path(self, key: str) -> str:
        return "".join(f"/{one.name}" for one in reversed(self.way(key)) if one.parent_key is not None)

    def is_below(self, key: str, folder_key: str) -> bool:
        return any(one.parent_key == folder_key for one in self.way(key))


def current_ways(sql: Sql, account_id: int) -> Ways:
    """As they are now, whatever their status."""
    return Ways(lambda keys: load(sql, account_id, keys))
