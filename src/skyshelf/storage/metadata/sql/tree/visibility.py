"""Visibility: an object is visible if all its ancestors are active. Derived, never stored."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from skyshelf.storage.metadata.contracts.tree import ACTIVE, PURGING, StoredObject
from skyshelf.storage.metadata.sql.statements import Sql, key_text, raw
from skyshelf.storage.metadata.sql.tree.objects import COLUMNS, object_from, status_of

# PostgreSQL expects ten rows of every step of a recursion, and to join ten it would rather read the whole account,
# which may be a thousand times larger than it expects. A step that is limited by an equality it expects to be one
# row, which is looked up: every recursion here has such a limit, if need be on a column that exists for nothing else.

# The folders above a set of folders, themselves included. UNION drops folders that were met already, so a
# thousand siblings cost as much as one.
_OF_FOLDER = f"o.object_key, o.parent_key, {status_of('o')}, octet_length(o.name), o.levels_below, o.path_below, 1"
_LINEAGE = (
    "WITH RECURSIVE above (object_key, parent_key, status, name_bytes, levels_below, path_below, one) AS ("
    f"SELECT {_OF_FOLDER} FROM objects o WHERE o.account_id = :account AND o.object_key = ANY_KEY(:keys)"
    f" UNION SELECT {_OF_FOLDER} FROM objects o JOIN above"
    " ON o.object_key = above.parent_key WHERE o.account_id = :account AND above.one = 1)"
    " SELECT object_key, parent_key, status, name_bytes, levels_below, path_below FROM above"
)

# A condition on an object `o`: no folder above it is trashed or going. The first that is ends the climb.
OBJECT_IS_VISIBLE = (
    "NOT EXISTS (WITH RECURSIVE above (parent_key, status) AS (SELECT p.parent_key, p.status FROM objects p"
    " WHERE p.account_id = o.account_id AND p.object_key = o.parent_key"
    " UNION ALL SELECT p.parent_key, p.status FROM objects p JOIN above"
    " ON p.object_key = above.parent_key WHERE p.account_id = o.account_id AND above.status = 'A')"
    " SELECT 1 FROM above WHERE status <> 'A')"
)

# A condition on an object `o`: it is not being purged, neither itself nor with a folder above it. An object
# trashed separately survives the folders above it, and so does everything below it: the climb ends there.
IS_NOT_PURGED = (
    f"{status_of('o')} <> 'P' AND NOT (o.status = 'A' AND EXISTS (WITH RECURSIVE above (parent_key, status) AS ("
    f"SELECT p.parent_key, {status_of('p')} FROM objects p"
    " WHERE p.account_id = o.account_id AND p.object_key = o.parent_key"
    f" UNION ALL SELECT p.parent_key, {status_of('p')} FROM objects p JOIN above"
    " ON p.object_key = above.parent_key WHERE p.account_id = o.account_id AND above.status = 'A')"
    " SELECT 1 FROM above WHERE status = 'P'))"
)


# A condition on a candidate `c` of `among`: no folder above it is trashed or going. The root is above everything.
IS_VISIBLE = (
    "(c.parent_key IS NULL OR (c.account_id, c.parent_key) NOT IN"
    " (SELECT account_id, folder_key FROM above WHERE status <> 'A'))"
)


def among(candidates: str, query: str) -> str:
    """A statement whose query chooses, by IS_VISIBLE, from the rows of `candidate c`.

    The candidates are active objects, by a SELECT that gives at least account_id and parent_key. A thousand
    of them in one folder cost one walk up the tree.
    """
    return (
        f"WITH RECURSIVE candidate AS MATERIALIZED ({candidates}),"
        " above (account_id, folder_key, next_key, status) AS ("
        "SELECT p.account_id, p.object_key, p.parent_key, p.status"
        # CROSS JOIN is SQLite's word for "in this order": it does not know how few the folders are.
        " FROM (SELECT DISTINCT account_id, parent_key FROM candidate) c CROSS JOIN objects p"
        " WHERE p.account_id = c.account_id AND p.object_key = c.parent_key"
        " UNION ALL SELECT above.account_id, above.folder_key, p.parent_key, p.status"
        " FROM above CROSS JOIN objects p"
        " WHERE p.account_id = above.account_id AND p.object_key = above.next_key AND above.status = 'A')"
        f" {query}"
    )


class Below(NamedTuple):
    """What is below a folder: levels of folders, and the bytes of the longest path of one (depth.py)."""

    levels: int
    path: int


class Lineage:
    """The folders above some objects, as they are now; a batch of moves keeps it up to date as it goes."""

    def __init__(self, sql: Sql, account_id: int, folder_keys: Iterable[str]) -> None:
        keys = sorted({raw(key) for key in folder_keys})
        rows = sql.all(_LINEAGE, {"account": account_id, "keys": keys}) if keys else []
        self._parent = {key_text(row[0]): None if row[1] is None else key_text(row[1]) for row in rows}
        self._status: dict[str, str] = {key_text(row[0]): row[2] for row in rows}
        self._name_bytes: dict[str, int] = {key_text(row[0]): row[3] for row in rows}
        self._below = {key_text(row[0]): Below(row[4], row[5]) for row in rows}

    def parent(self, folder_key: str) -> str | None:
        return self._parent.get(folder_key)

    def name_bytes(self, folder_key: str) -> int:
        return self._name_bytes[folder_key]

    def set_name(self, folder_key: str, name: str) -> None:
        self._name_bytes[folder_key] = len(name.encode())

    def below(self, folder_key: str) -> Below:
        return self._below[folder_key]

    def knows(self, folder_key: str | None) -> bool:
        """Whether there is such a folder, whatever its status."""
        return folder_key in self._status

    def set_below(self, folder_key: str, below: Below) -> None:
        self._below[folder_key] = below

    def set_parent(self, folder_key: str, parent_key: str) -> None:
        if folder_key in self._parent:
            self._parent[folder_key] = parent_key

    def set_status(self, folder_key: str, status: str) -> None:
        if folder_key in self._status:
            self._status[folder_key] = status

    def up_from(self, folder_key: str | None) -> Iterable[str]:
        """The folder and those above it, up to the root."""
        while folder_key is not None:
            yield folder_key
            folder_key = self._parent.get(folder_key)

    def is_visible(self, folder_key: str | None) -> bool:
        """Whether the folder exists, and it and all above it are active."""
        return all(self._status.get(key) == ACTIVE for key in self.up_from(folder_key))

    def is_being_purged(self, folder_key: str | None) -> bool:
        """Whether the folder is being purged, or goes with one above it.

        The first folder that is not active decides: one that was trashed separately survives those above it.
        """
        for key in self.up_from(folder_key):
            status = self._status.get(key, PURGING)
            if status != ACTIVE:
                return status == PURGING
        return False


def load(sql: Sql, account_id: int, object_keys: Sequence[str]) -> dict[str, StoredObject]:
    """Objects by key, whatever their status."""
    if not object_keys:
        return {}
    rows = sql.all(
        f"SELECT {COLUMNS} FROM objects o WHERE o.account_id = :account AND o.object_key = ANY_KEY(:keys)",
        {"account": account_id, "keys": sorted({raw(key) for key in object_keys})},
    )
    return {stored.object_key: stored for stored in map(object_from, rows)}
