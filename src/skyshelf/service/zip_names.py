"""Names inside an archive: safe to unpack on every system (`wire/safe_names.py`), and no two alike in one folder."""

from skyshelf.wire.names import numbered, order_key
from skyshelf.wire.safe_names import safe_name

__all__ = ["FolderNames", "safe_name"]


class FolderNames:
    """The names of one folder of an archive."""

    def __init__(self) -> None:
        self._taken: set[bytes] = set()
        self._next: dict[bytes, int] = {}

    def take(self, name: str) -> str:
        """A safe name that nothing else in the folder has, not even in another case."""
        wanted = candidate = safe_name(name)
        number = self._next.get(order_key(wanted), 0)
        while order_key(candidate) in self._taken:
            number += 1
            candidate = safe_name(numbered(wanted, number))
        self._taken.add(order_key(candidate))
        if number:
            self._next[order_key(wanted)] = number
        return candidate
