"""Folder marks in SQL: what changed last at or below a folder.

A change marks the folder that it happens in, and a move both folders. So the mark of a folder only grows: whatever
leaves a folder leaves a newer mark behind in it. A walk down the folders finds the largest; no ancestor is written to.
"""

from collections.abc import Sequence

from skyshelf.storage.metadata.sql.statements import Sql, key_text, raw

# The limit `one = 1` is explained in visibility.py. CROSS JOIN is SQLite's word for "in this order".
_NEWEST = (
    "WITH RECURSIVE below (top, folder_key, one) AS (SELECT o.object_key, o.object_key, 1 FROM objects o"
    " WHERE o.account_id = :account AND o.object_key = ANY_KEY(:keys)"
    " UNION ALL SELECT below.top, o.object_key, 1 FROM below CROSS JOIN objects o WHERE o.account_id = :account"
    " AND o.parent_key = below.folder_key AND o.status = 'A' AND o.kind = 0 AND below.one = 1)"
    " SELECT below.top, max(m.mark) FROM below CROSS JOIN folder_marks m"
    " WHERE m.account_id = :account AND m.folder_key = below.folder_key GROUP BY below.top"
)


class SqlFolderMarks:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def newest(self, account_id: int, folder_keys: Sequence[str]) -> dict[str, int]:
        if not folder_keys:
            return {}
        keys = sorted({raw(key) for key in folder_keys})
        rows = self._sql.all(_NEWEST, {"account": account_id, "keys": keys})
        return {key_text(key): mark for key, mark in rows}
