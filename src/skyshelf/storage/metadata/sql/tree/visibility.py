"""Visibility: an object is visible if all its ancestors are active. Derived, never stored."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from skyshelf.storage.metadata.contracts.tree import ACTIVE, PURGING, FoundFolder, StoredObject
from skyshelf.storage.metadata.sql.statements import Sql, key_text, raw
from skyshelf.storage.metadata.sql.tree.objects import objects_where, status_of

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

# The active objects below a folder.
BELOW = (
    "WITH RECURSIVE below (object_key, kind, one) AS (SELECT o.object_key, o.kind, 1 FROM objects o"
    " WHERE o.account_id = :account AND o.parent_key = :folder AND o.status = 'A'"
    " UNION ALL SELECT o.object_key, o.kind, 1 FROM below CROSS JOIN objects o WHERE o.account_id = :account"
    " AND o.parent_key = below.object_key AND o.status = 'A' AND below.kind = 0 AND below.one = 1)"
)


def among(candidates: str, query: str) -> str:
    """Return a statement whose query chooses, by IS_VISIBLE, from the rows of `candidate c`.

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


def objects_below(sql: Sql, account_id: int, folder_keys: Iterable[str], limit: int) -> dict[str, int]:
    """Return how many active objects are below each of some folders, as far as they are `limit` in all."""
    top = {key: key for key in folder_keys}
    counted: dict[str, int] = {}
    level, tops = list(top), set(top)
    while level and limit > 0:
        rows = sql.all(
            "SELECT o.object_key, o.parent_key, o.kind FROM objects o WHERE o.account_id = :account"
            " AND o.parent_key = ANY_KEY(:keys) AND o.status = 'A' LIMIT :limit",
            {"account": account_id, "keys": sorted(map(raw, level)), "limit": limit},
        )
        limit -= len(rows)
        level = []
        for key, parent, kind in rows:
            above = top[key_text(parent)]
            counted[above] = counted.get(above, 0) + 1
            if kind == 0 and key_text(key) not in tops:
                top[key_text(key)] = above
                level.append(key_text(key))
    return counted


class Below(NamedTuple):
    """What is below a folder: levels of folders, and the bytes of the longest path of one (placing.py)."""

    levels: int
    path: int


class Lineage:
    """The folders above some objects, as they are now; a batch of moves keeps it up to date as it goes."""

    def __init__(self, sql: Sql, account_id: int, folder_keys: Iterable[str]) -> None:
        keys = sorted({raw(key) for key in folder_keys})
        rows = sql.all(_LINEAGE, {"account": account_id, "keys": keys}) if keys else []
        self._parent = {key_text(row[0]): None if row[1] is None else key_text(row[1]) for row in rows}
        self._status: dict[str, str] = {key_text(row[0]): row[2] for row in rows}
        self.name_bytes: dict[str, int] = {key_text(row[0]): row[3] for row in rows}
        self.below = {key_text(row[0]): Below(row[4], row[5]) for row in rows}

    def parent(self, folder_key: str) -> str | None:
        return self._parent.get(folder_key)

    def knows(self, folder_key: str | None) -> bool:
        """Return whether there is such a folder, whatever its status."""
        return folder_key in self._status

    def set_parent(self, folder_key: str, parent_key: str) -> None:
        if folder_key in self._parent:
            self._parent[folder_key] = parent_key

    def set_status(self, folder_key: str, status: str) -> None:
        if folder_key in self._status:
            self._status[folder_key] = status

    def up_from(self, folder_key: str | None) -> Iterable[str]:
        """Return the folder and those above it, up to the root."""
        while folder_key is not None:
            yield folder_key
            folder_key = self._parent.get(folder_key)

    def is_visible(self, folder_key: str | None) -> bool:
        """Return whether the folder exists, and it and all above it are active."""
        return all(self._status.get(key) == ACTIVE for key in self.up_from(folder_key))

    def is_being_purged(self, folder_key: str | None) -> bool:
        """Return whether the folder is being purged, or goes with one above it.

        The first folder that is not active decides: one that was trashed separately survives those above it.
        """
        for key in self.up_from(folder_key):
            status = self._status.get(key, PURGING)
            if status != ACTIVE:
                return status == PURGING
        return False


def load(sql: Sql, account_id: int, object_keys: Sequence[str]) -> dict[str, StoredObject]:
    """Return objects by key, whatever their status."""
    if not object_keys:
        return {}
    keys = sorted({raw(key) for key in object_keys})
    found = objects_where(sql, account_id, "o.object_key = ANY_KEY(:keys)", {"keys": keys})
    return {stored.object_key: stored for stored in found}


def named_folders(sql: Sql, account_id: int, folder_keys: Iterable[str]) -> list[FoundFolder]:
    """Return folders with their names and parents, by key."""
    keys = sorted(raw(key) for key in folder_keys)
    if not keys:
        return []
    rows = sql.all(
        "SELECT o.object_key, o.parent_key, o.name FROM objects o WHERE o.account_id = :account"
        " AND o.object_key = ANY_KEY(:keys) ORDER BY o.object_key",
        {"account": account_id, "keys": keys},
    )
    return [
        FoundFolder(key_text(key), None if parent is None else key_text(parent), name) for key, parent, name in rows
    ]


def root_key_of(sql: Sql, account_id: int) -> str:
    (root_key,) = sql.only("SELECT root_key FROM accounts WHERE account_id = :account", {"account": account_id})
    return key_text(root_key)
