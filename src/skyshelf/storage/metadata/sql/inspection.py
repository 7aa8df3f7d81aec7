"""Inspection in SQL: read-only checks. The repairs are in repair.py."""

from collections.abc import Sequence

from skyshelf.storage.metadata.contracts.content import StoredContent
from skyshelf.storage.metadata.contracts.inspection import (
    Dangling,
    Holder,
    Miscounted,
    Named,
    Outdated,
    ThumbnailRow,
    Totals,
    Walked,
    WalkPosition,
    WrongFile,
)
from skyshelf.storage.metadata.contracts.tree import PURGING
from skyshelf.storage.metadata.contracts.uploads import Upload
from skyshelf.storage.metadata.sql.references import references
from skyshelf.storage.metadata.sql.statements import Params, Row, Sql, digest_text, key_text, raw
from skyshelf.storage.metadata.sql.tree.objects import COLUMNS, DERIVED, object_from, row_of
from skyshelf.storage.metadata.sql.uploads import COLUMNS as UPLOAD_COLUMNS
from skyshelf.storage.metadata.sql.uploads import upload_from

_START = (0, "")
IN_TIMELINE = "status = 'A' AND timeline_month IS NOT NULL AND objects.parent_key IS NOT NULL"
"""What the timeline counts, as a condition on objects."""
IS_A_STRANGERS = (
    "NOT EXISTS (SELECT 1 FROM board_members m WHERE m.board_key = i.board_key AND m.account_id = i.account_id"
    " AND m.status = 'A')"
)
"""A condition on an item `i` of a board: whose it is is not on the board."""

# The folders of a page and all above them, once each: a circle ends the recursion instead of going round in it.
_ABOVE_FOLDERS = (
    "WITH RECURSIVE above (account_id, object_key, parent_key, one) AS ("
    "SELECT o.account_id, o.object_key, o.parent_key, 1 FROM objects o"
    " WHERE o.account_id = :account AND o.object_key = ANY_KEY(:keys)"
    " UNION SELECT o.account_id, o.object_key, o.parent_key, 1 FROM objects o JOIN above"
    " ON o.account_id = above.account_id AND o.object_key = above.parent_key WHERE above.one = 1)"
    " SELECT object_key, parent_key FROM above"
)


class SqlInspection:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def totals(self) -> Totals:
        row = self._sql.one(
            "SELECT (SELECT count(*) FROM accounts), (SELECT count(*) FROM objects), (SELECT count(*) FROM versions),"
            " (SELECT count(*) FROM blobs)"
        )
        assert row is not None
        return Totals(*row)

    def faults_of_the_file(self, *, deep: bool) -> list[str]:
        return self._sql.own_faults(deep=deep)

    def dangling(self) -> list[Dangling]:
        found = []
        for one in references():
            row = self._sql.one(f"SELECT count(*) FROM {one.table} c WHERE {one.dangles}")
            if row is not None and row[0]:
                found.append(Dangling(one.table, one.columns, one.to, row[0], one.may_go))
        return found

    def accounts_without_counters(self) -> list[int]:
        return self._numbers(
            "SELECT a.account_id FROM accounts a WHERE NOT EXISTS"
            " (SELECT 1 FROM account_counters c WHERE c.account_id = a.account_id) ORDER BY a.account_id"
        )

    def accounts_without_root(self) -> list[int]:
        return self._numbers(
            "SELECT a.account_id FROM accounts a WHERE NOT EXISTS (SELECT 1 FROM objects o"
            " WHERE o.account_id = a.account_id AND o.object_key = a.root_key AND o.parent_key IS NULL"
            " AND o.kind = 0 AND o.status = 'A') ORDER BY a.account_id"
        )

    def homeless(self, *, limit: int) -> list[Named]:
        below_nothing = self._sql.all(
            "SELECT o.account_id, o.object_key, o.name FROM objects o WHERE o.parent_key IS NOT NULL AND NOT EXISTS"
            " (SELECT 1 FROM objects p WHERE p.account_id = o.account_id AND p.object_key = o.parent_key"
            " AND p.kind = 0) ORDER BY o.account_id, o.object_key LIMIT :limit",
            {"limit": limit},
        )
        at_the_top = self._sql.all(
            "SELECT o.account_id, o.object_key, o.name FROM objects o WHERE o.parent_key IS NULL AND o.status <> 'P'"
            " AND NOT EXISTS (SELECT 1 FROM accounts a WHERE a.account_id = o.account_id"
            " AND a.root_key = o.object_key) ORDER BY o.account_id, o.object_key LIMIT :limit",
            {"limit": limit},
        )
        return [Named(account, key_text(key), name) for account, key, name in (below_nothing + at_the_top)[:limit]]

    def circling(self, after: WalkPosition | None, *, limit: int) -> Walked[Named]:
        account_id, key = after or _START
        rows = self._sql.all(
            "SELECT o.account_id, o.object_key, o.name FROM objects o WHERE o.kind = 0"
            " AND (o.account_id, o.object_key) > (:account, :key) ORDER BY o.account_id, o.object_key LIMIT :limit",
            {"account": account_id, "key": raw(key), "limit": limit},
        )
        found: list[Named] = []
        for owner in sorted({row[0] for row in rows}):
            names = {row[1]: row[2] for row in rows if row[0] == owner}
            found += [Named(owner, key_text(one), names[one]) for one in self._first_of_circles(owner, list(names))]
        return Walked(found, _place(rows, limit))

    def _first_of_circles(self, account_id: int, folders: list[bytes]) -> list[bytes]:
        """Of these folders those that are in a circle and have the smallest key in it."""
        rows = self._sql.all(_ABOVE_FOLDERS, {"account": account_id, "keys": folders})
        parent: dict[bytes, bytes | None] = {row[0]: row[1] for row in rows}
        sound: set[bytes] = set()
        circles: set[bytes] = set()
        for folder in folders:
            path: dict[bytes, int] = {}
            at: bytes | None = folder
            while at is not None and at in parent and at not in sound and at not in path:
                path[at] = len(path)
                at = parent[at]
            if at is not None and at in path:
                circles.add(min(one for one, number in path.items() if number >= path[at]))
            sound.update(path)
        return sorted(circles.intersection(folders))

    def outdated(self, after: WalkPosition | None, *, limit: int) -> Walked[Outdated]:
        account_id, key = after or _START
        derived = ", ".join(f"o.{column}" for column in DERIVED)
        rows = self._sql.all(
            f"SELECT {COLUMNS}, {derived} FROM objects o WHERE (o.account_id, o.object_key) > (:account, :key)"
            " ORDER BY o.account_id, o.object_key LIMIT :limit",
            {"account": account_id, "key": raw(key), "limit": limit},
        )
        found = []
        for row in rows:
            stored = object_from(row)
            if stored.status == PURGING:
                continue
            fresh = row_of(stored)
            kept = dict(zip(DERIVED, row[-len(DERIVED) :], strict=True))
            if kept["wire_version"] != fresh["wire_version"]:
                # Another release encoded it, and readers do not use it.
                del kept["wire"], kept["wire_version"]
            columns = tuple(column for column, value in kept.items() if value != fresh[column])
            if columns:
                found.append(Outdated(stored.account_id, stored.object_key, stored.name, columns))
        return Walked(found, _place(rows, limit))

    def files_without_current(self, *, limit: int) -> list[WrongFile]:
        return self._files(
            "SELECT o.account_id, o.object_key, o.name, o.version FROM objects o LEFT JOIN versions v"
            " ON v.account_id = o.account_id AND v.object_key = o.object_key AND v.version = o.version"
            " WHERE o.kind = 1 AND (v.content IS NULL OR v.content <> o.content OR v.md5 <> o.md5 OR v.size <> o.size)"
            " ORDER BY o.account_id, o.object_key LIMIT :limit",
            limit,
        )

    def unlike_their_content(self, *, limit: int) -> list[WrongFile]:
        return self._files(
            "SELECT v.account_id, v.object_key, coalesce(o.name, ''), v.version FROM versions v"
            " JOIN blobs b ON b.content = v.content LEFT JOIN objects o"
            " ON o.account_id = v.account_id AND o.object_key = v.object_key"
            " WHERE b.size <> v.size OR b.md5 <> v.md5 ORDER BY v.account_id, v.object_key, v.version LIMIT :limit",
            limit,
        )

    def miscounted(self, *, limit: int) -> list[Miscounted]:
        rows = self._sql.all(
            "SELECT k.content, k.refs, k.counted FROM (SELECT b.content, b.refs,"
            " (SELECT count(*) FROM versions v WHERE v.content = b.content) AS counted FROM blobs b) k"
            " WHERE k.refs <> k.counted ORDER BY k.content LIMIT :limit",
            {"limit": limit},
        )
        return [Miscounted(digest_text(content), refs, counted) for content, refs, counted in rows]

    def unfindable(self, *, limit: int) -> list[Named]:
        missing = self._sql.all(
            "SELECT o.account_id, o.object_key, o.name FROM objects o WHERE o.status = 'A' AND o.parent_key IS NOT NULL"
            " AND NOT EXISTS (SELECT 1 FROM search_entries e WHERE e.account_id = o.account_id"
            " AND e.object_key = o.object_key) ORDER BY o.account_id, o.object_key LIMIT :limit",
            {"limit": limit},
        )
        left = self._sql.all(
            "SELECT o.account_id, o.object_key, o.name FROM search_entries e JOIN objects o"
            " ON o.account_id = e.account_id AND o.object_key = e.object_key WHERE o.status <> 'A'"
            " ORDER BY o.account_id, o.object_key LIMIT :limit",
            {"limit": limit},
        )
        return [Named(account, key_text(key), name) for account, key, name in (missing + left)[:limit]]

    def wrong_months(self) -> list[int]:
        return self._numbers(
            "SELECT c.account_id FROM (SELECT account_id, timeline_month, parent_key, count(*) AS files FROM objects"
            f" WHERE {IN_TIMELINE} GROUP BY account_id, timeline_month, parent_key) c LEFT JOIN timeline_months t"
            " ON t.account_id = c.account_id AND t.month = c.timeline_month AND t.parent_key = c.parent_key"
            " WHERE t.files IS NULL OR t.files <> c.files"
            " UNION SELECT t.account_id FROM timeline_months t WHERE t.files > 0 AND NOT EXISTS (SELECT 1 FROM objects"
            " WHERE objects.account_id = t.account_id AND timeline_month = t.month"
            f" AND objects.parent_key = t.parent_key AND {IN_TIMELINE}) ORDER BY 1"
        )

    def ownerless_boards(self) -> list[str]:
        return self._keys(
            "SELECT b.board_key FROM boards b WHERE NOT EXISTS (SELECT 1 FROM board_members m"
            " WHERE m.board_key = b.board_key AND m.account_id = b.owner_id AND m.role = 'O' AND m.status = 'A')"
            " ORDER BY b.board_key"
        )

    def boards_of_strangers(self) -> list[str]:
        return self._keys(f"SELECT DISTINCT i.board_key FROM board_items i WHERE {IS_A_STRANGERS} ORDER BY i.board_key")

    def broken_feeds(self) -> list[int]:
        return self._numbers(
            "SELECT c.account_id FROM account_counters c JOIN (SELECT account_id, min(seq) AS first, max(seq) AS last,"
            " count(*) AS number FROM changes GROUP BY account_id) f ON f.account_id = c.account_id"
            " WHERE f.last <> c.change_seq OR f.number <> f.last - f.first + 1 ORDER BY c.account_id"
        )

    def forgotten_purges(self, kinds: Sequence[str]) -> list[int]:
        return self._numbers(
            "SELECT c.account_id FROM account_counters c WHERE (EXISTS (SELECT 1 FROM objects o"
            " WHERE o.account_id = c.account_id AND o.status = 'P') OR EXISTS (SELECT 1 FROM objects o"
            " WHERE o.account_id = c.account_id AND o.status = 'T' AND o.trashed_at <= c.trash_watermark))"
            " AND NOT EXISTS (SELECT 1 FROM outbox j WHERE j.kind = ANY(:kinds)"
            " AND j.subject = CAST(c.account_id AS TEXT))"
            " ORDER BY c.account_id",
            {"kinds": list(kinds)},
        )

    def contents(self, after: str, *, limit: int) -> list[StoredContent]:
        rows = self._sql.all(
            "SELECT content, location, size, md5, refs, idle_since FROM blobs WHERE content > :after"
            " ORDER BY content LIMIT :limit",
            {"after": raw(after), "limit": limit},
        )
        return [StoredContent(digest_text(row[0]), row[1], row[2], digest_text(row[3]), *row[4:]) for row in rows]

    def thumbnails(self, after: ThumbnailRow | None, *, limit: int) -> list[ThumbnailRow]:
        rows = self._sql.all(
            "SELECT account_id, content, size, form, location, bytes FROM thumbnails WHERE location <> ''"
            " AND (account_id, content, size, form) > (:account, :content, :size, :form)"
            " ORDER BY account_id, content, size, form LIMIT :limit",
            {
                "account": after.account_id if after else 0,
                "content": raw(after.sha256) if after else b"",
                "size": after.size if after else 0,
                "form": after.form if after else "",
                "limit": limit,
            },
        )
        return [ThumbnailRow(row[0], digest_text(row[1]), *row[2:]) for row in rows]

    def uploads(self, after: str, *, limit: int) -> list[Upload]:
        rows = self._sql.all(
            f"SELECT {UPLOAD_COLUMNS} FROM uploads WHERE upload_key > :after ORDER BY upload_key LIMIT :limit",
            {"after": raw(after), "limit": limit},
        )
        return [upload_from(row) for row in rows]

    def holders(self, sha256: str, *, limit: int) -> list[Holder]:
        rows = self._sql.all(
            "SELECT v.account_id, v.object_key, o.name, v.version FROM versions v JOIN objects o"
            " ON o.account_id = v.account_id AND o.object_key = v.object_key WHERE v.content = :content"
            " ORDER BY v.account_id, v.object_key, v.version LIMIT :limit",
            {"content": raw(sha256), "limit": limit},
        )
        return [Holder(account, key_text(key), name, version) for account, key, name, version in rows]

    def _numbers(self, text: str, params: Params | None = None) -> list[int]:
        return [number for (number,) in self._sql.all(text, params or {})]

    def _keys(self, text: str) -> list[str]:
        return [key_text(key) for (key,) in self._sql.all(text)]

    def _files(self, text: str, limit: int) -> list[WrongFile]:
        rows = self._sql.all(text, {"limit": limit})
        return [WrongFile(account, key_text(key), name, version) for account, key, name, version in rows]


def _place(rows: list[Row], limit: int) -> WalkPosition | None:
    """Where the next page begins: behind the last row of a full one."""
    return (rows[-1][0], key_text(rows[-1][1])) if len(rows) == limit else None
