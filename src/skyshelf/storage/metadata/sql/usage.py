"""Usage in SQL. What is large is found in an index alone; rows are read only for what is shown."""

from collections.abc import Sequence
from typing import Final

import msgspec

from skyshelf.storage.metadata.contracts.tree import Page, PageCursor, StoredObject
from skyshelf.storage.metadata.sql import bounds
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.content import drop_versions
from skyshelf.storage.metadata.sql.statements import Row, SqlNoun, beyond, key_text, page_after
from skyshelf.storage.metadata.sql.tree.tree import SqlTree


class BytesUsed(msgspec.Struct, frozen=True):
    """Bytes by category (contracts/accounts.py), as counted now."""

    old_versions: dict[str, int]
    """Earlier versions of files outside the trash."""
    trash: dict[str, int]
    """All versions of what is in the trash, or is being purged."""
    is_complete: bool
    """False where the trash has too many objects to be added up."""


class OldVersionsOf(msgspec.Struct, frozen=True):
    file: StoredObject
    versions: int
    size: int


MOST_TRASHED: Final = 200_000
"""Objects of a trash that are added up."""
_MOST_COPIES: Final = 5000
"""Files of one page of duplicates."""

# What is in the trash or being purged, with everything below it. `one` is for PostgreSQL's planner; see visibility.py.
_GONE = (
    "gone (object_key, kind, one) AS (SELECT o.object_key, o.kind, 1 FROM objects o"
    " WHERE o.account_id = :account AND o.status = 'T'"
    " UNION ALL SELECT o.object_key, o.kind, 1 FROM objects o WHERE o.account_id = :account AND o.status = 'P'"
    " UNION ALL SELECT o.object_key, o.kind, 1 FROM gone CROSS JOIN objects o WHERE o.account_id = :account"
    " AND o.parent_key = gone.object_key AND o.status = 'A' AND gone.kind = 0 AND gone.one = 1),"
    f" trashed AS MATERIALIZED (SELECT object_key FROM gone LIMIT {MOST_TRASHED})"
)
_SEVERAL = (
    "several AS MATERIALIZED (SELECT v.object_key FROM versions v WHERE v.account_id = :account"
    " GROUP BY v.object_key HAVING count(*) > 1)"
)
_OLD = (
    " FROM several CROSS JOIN objects o JOIN versions v ON v.account_id = o.account_id"
    " AND v.object_key = o.object_key AND v.version < o.version"
    " WHERE o.account_id = :account AND o.object_key = several.object_key"
)
_USED = (
    f"WITH RECURSIVE {_GONE}, {_SEVERAL}"
    " SELECT 0, v.category, CAST(sum(v.size) AS BIGINT) FROM trashed CROSS JOIN versions v"
    " WHERE v.account_id = :account AND v.object_key = trashed.object_key GROUP BY v.category"
    f" UNION ALL SELECT 1, v.category, CAST(sum(v.size) AS BIGINT){_OLD}"
    " AND o.object_key NOT IN (SELECT object_key FROM trashed) GROUP BY v.category"
    " UNION ALL SELECT 2, '', count(*) FROM trashed"
)


class SqlUsage(SqlNoun):
    """Each call reads an index of the account from end to end, so its cost grows with the account, not with others."""

    def used(self, account_id: int) -> BytesUsed:
        rows = self._sql.all(_USED, {"account": account_id})
        count = next(value for part, _, value in rows if part == 2)
        return BytesUsed(
            old_versions={category: size for part, category, size in rows if part == 1},
            trash={category: size for part, category, size in rows if part == 0},
            is_complete=count < MOST_TRASHED,
        )

    def kept(self, account_id: int, now: int) -> list[bounds.KeptKind]:
        """Return everything else that the account has, and at most how much of it."""
        return bounds.kept(self._sql, account_id, now)

    def largest(
        self, account_id: int, *, limit: int, after: PageCursor | None = None
    ) -> Page[StoredObject, PageCursor]:
        """Files by size, the largest first; ties by key."""
        page, params = page_after("o.size", "o.object_key", after, limit)
        rows = self._sql.all(
            "SELECT o.object_key, o.size FROM objects o WHERE o.account_id = :account AND o.status = 'A' AND o.kind = 1"
            f"{page}",
            {"account": account_id, **params},
        )
        files = self._visible(account_id, [key for key, _ in rows])
        return Page([files[key_text(key)] for key, _ in rows if key_text(key) in files], _next(rows, limit))

    def duplicates(
        self, account_id: int, *, limit: int, after: PageCursor | None = None
    ) -> Page[list[StoredObject], PageCursor]:
        """Groups by the size of their files, the largest first; empty files are not duplicates."""
        further, params = beyond("v.size", "v.md5", after)
        rows = self._sql.all(
            "SELECT v.md5, v.size FROM versions v WHERE v.account_id = :account AND v.size > 0"
            f"{further} GROUP BY v.md5, v.size HAVING count(*) > 1 ORDER BY v.size DESC, v.md5 DESC LIMIT :limit",
            {"account": account_id, "limit": limit, **params},
        )
        keys = self._sql.column(
            "SELECT DISTINCT v.object_key FROM versions v WHERE v.account_id = :account AND v.md5 = ANY_KEY(:digests)"
            f" LIMIT {_MOST_COPIES}",
            {"account": account_id, "digests": [md5 for md5, _ in rows]},
        )
        groups: dict[tuple[int, str, str], list[StoredObject]] = {}
        wanted = {(size, md5.hex()) for md5, size in rows}
        for stored in self._visible(account_id, keys).values():
            if (stored.size, stored.md5) in wanted and stored.md5 and stored.sha256:
                groups.setdefault((stored.size, stored.md5, stored.sha256), []).append(stored)
        found = [
            sorted(files, key=lambda one: (one.arrived_at, one.object_key))
            for _, files in sorted(groups.items(), reverse=True)
            if len(files) > 1
        ]
        return Page(found, _next(rows, limit))

    def old_versions(
        self, account_id: int, *, limit: int, after: PageCursor | None = None
    ) -> Page[OldVersionsOf, PageCursor]:
        """Visible files with earlier versions, by the bytes of these, most first."""
        page, params = page_after("size", "object_key", after, limit)
        rows = self._sql.all(
            f"WITH {_SEVERAL} SELECT object_key, size, old FROM (SELECT o.object_key,"
            f" CAST(sum(v.size) AS BIGINT) AS size, count(*) AS old{_OLD} AND o.status = 'A'"
            f" GROUP BY o.object_key) k WHERE 1 = 1{page}",
            {"account": account_id, **params},
        )
        files = self._visible(account_id, [row[0] for row in rows])
        found = [
            OldVersionsOf(files[key_text(key)], versions, size)
            for key, size, versions in rows
            if key_text(key) in files
        ]
        return Page(found, _next(rows, limit))

    def remove_old_versions(self, account_id: int, object_keys: Sequence[str], now: int) -> tuple[int, int]:
        """Delete the earlier versions of those that are visible files; how many, and their bytes."""
        lock_account(self._sql, account_id)
        visible = SqlTree(self._sql).visible_many(account_id, object_keys)
        gone = drop_versions(self._sql, account_id, visible, now, newest=1)
        return len(gone), sum(size for _, _, size, _, _ in gone)

    def _visible(self, account_id: int, keys: Sequence[bytes]) -> dict[str, StoredObject]:
        return SqlTree(self._sql).visible_many(account_id, [key_text(key) for key in keys]) if keys else {}


def _next(rows: Sequence[Row], limit: int) -> PageCursor | None:
    """Rows of key and size, and more columns."""
    return PageCursor(rows[-1][1], key_text(rows[-1][0])) if len(rows) == limit else None
