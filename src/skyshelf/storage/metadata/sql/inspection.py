"""Inspection in SQL: read-only checks. The repairs are in repair.py."""

import re
from collections.abc import Sequence
from functools import cache

import msgspec

from skyshelf.storage.metadata.contracts import inspection as records
from skyshelf.storage.metadata.contracts.content import StoredContent
from skyshelf.storage.metadata.contracts.files import Upload
from skyshelf.storage.metadata.contracts.tree import PURGING, Page
from skyshelf.storage.metadata.sql.content import CONTENT
from skyshelf.storage.metadata.sql.migrate import migrations
from skyshelf.storage.metadata.sql.statements import Columns, Params, Row, SqlNoun, digest_text, key_text, raw
from skyshelf.storage.metadata.sql.tree.objects import COLUMNS, DERIVED, object_from, row_of
from skyshelf.storage.metadata.sql.uploads import COLUMNS as UPLOAD_COLUMNS

_THUMBNAIL = Columns(records.ThumbnailRow)
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


class SqlInspection(SqlNoun):
    def totals(self) -> records.Totals:
        counts = ", ".join(f"(SELECT count(*) FROM {table})" for table in ("accounts", "objects", "versions", "blobs"))
        return records.Totals(*self._sql.only(f"SELECT {counts}"))

    def faults_of_the_file(self, *, deep: bool) -> list[str]:
        """Return what the database itself finds wrong with its own structure, in its own words; deep checks indexes,
        too.

        Empty from a database server, which checks itself.
        """
        return self._sql.own_faults(deep=deep)

    def dangling(self) -> list[records.Dangling]:
        """Return every kind of reference between tables that does not hold, parents of objects aside."""
        found = []
        for one in references():
            rows = self._sql.number(f"SELECT count(*) FROM {one.table} c WHERE {one.dangles}")
            if rows:
                found.append(records.Dangling(one.table, one.columns, one.to, rows, one.may_go))
        return found

    def accounts_without_counters(self) -> list[int]:
        return self._sql.column(
            "SELECT a.account_id FROM accounts a WHERE NOT EXISTS"
            " (SELECT 1 FROM account_counters c WHERE c.account_id = a.account_id) ORDER BY a.account_id"
        )

    def accounts_without_root(self) -> list[int]:
        """Accounts whose root is not there, or is no active folder at the top."""
        return self._sql.column(
            "SELECT a.account_id FROM accounts a WHERE NOT EXISTS (SELECT 1 FROM objects o"
            " WHERE o.account_id = a.account_id AND o.object_key = a.root_key AND o.parent_key IS NULL"
            " AND o.kind = 0 AND o.status = 'A') ORDER BY a.account_id"
        )

    def homeless(self, *, limit: int) -> list[records.FaultyObject]:
        """Objects whose parent is not there or is a file, and objects at the top that are no root.

        What is being purged may be at the top.
        """
        below_nothing = self._objects(
            "objects o WHERE o.parent_key IS NOT NULL AND NOT EXISTS (SELECT 1 FROM objects p"
            " WHERE p.account_id = o.account_id AND p.object_key = o.parent_key AND p.kind = 0)",
            limit,
        )
        at_the_top = self._objects(
            "objects o WHERE o.parent_key IS NULL AND o.status <> 'P' AND NOT EXISTS (SELECT 1 FROM accounts a"
            " WHERE a.account_id = o.account_id AND a.root_key = o.object_key)",
            limit,
        )
        return (below_nothing + at_the_top)[:limit]

    def circling(
        self, after: records.WalkPosition | None, *, limit: int
    ) -> Page[records.FaultyObject, records.WalkPosition]:
        """Return folders among the next ones that are their own ancestors, one per cycle."""
        account_id, key = after or _START
        rows = self._sql.all(
            "SELECT o.account_id, o.object_key, o.name FROM objects o WHERE o.kind = 0"
            " AND (o.account_id, o.object_key) > (:account, :key) ORDER BY o.account_id, o.object_key LIMIT :limit",
            {"account": account_id, "key": raw(key), "limit": limit},
        )
        found: list[records.FaultyObject] = []
        for owner in sorted({row[0] for row in rows}):
            names = {row[1]: row[2] for row in rows if row[0] == owner}
            circles = self._first_of_circles(owner, list(names))
            found += [records.FaultyObject(owner, key_text(one), names[one]) for one in circles]
        return Page(found, _place(rows, limit))

    def _first_of_circles(self, account_id: int, folders: list[bytes]) -> list[bytes]:
        """Return one folder per cycle: the smallest key."""
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

    def outdated(
        self, after: records.WalkPosition | None, *, limit: int
    ) -> Page[records.FaultyObject, records.WalkPosition]:
        """Return objects among the next ones whose derived columns, above all the encoded form, are not up to date.

        Nobody sees what is being purged, and its encoded form may be old.
        """
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
                found.append(records.FaultyObject(stored.account_id, stored.object_key, stored.name, columns))
        return Page(found, _place(rows, limit))

    def files_without_current(self, *, limit: int) -> list[records.NamedVersion]:
        """Files whose current version is not there, or is another content than the file's own row says."""
        return self._files(
            "SELECT o.account_id, o.object_key, o.name, o.version FROM objects o LEFT JOIN versions v"
            " ON v.account_id = o.account_id AND v.object_key = o.object_key AND v.version = o.version"
            " WHERE o.kind = 1 AND (v.content IS NULL OR v.content <> o.content OR v.md5 <> o.md5 OR v.size <> o.size)"
            " ORDER BY o.account_id, o.object_key LIMIT :limit",
            limit,
        )

    def unlike_their_content(self, *, limit: int) -> list[records.NamedVersion]:
        """Versions whose size or MD5 is not that of the content they refer to."""
        return self._files(
            "SELECT v.account_id, v.object_key, coalesce(o.name, ''), v.version FROM versions v"
            " JOIN blobs b ON b.content = v.content LEFT JOIN objects o"
            " ON o.account_id = v.account_id AND o.object_key = v.object_key"
            " WHERE b.size <> v.size OR b.md5 <> v.md5 ORDER BY v.account_id, v.object_key, v.version LIMIT :limit",
            limit,
        )

    def miscounted(self, *, limit: int) -> list[records.MiscountedContent]:
        """Content whose counter of references is not the number of versions that refer to it."""
        rows = self._sql.all(
            "SELECT k.content, k.refs, k.counted FROM (SELECT b.content, b.refs,"
            " (SELECT count(*) FROM versions v WHERE v.content = b.content) AS counted FROM blobs b) k"
            " WHERE k.refs <> k.counted ORDER BY k.content LIMIT :limit",
            {"limit": limit},
        )
        return [records.MiscountedContent(digest_text(content), refs, counted) for content, refs, counted in rows]

    def unfindable(self, *, limit: int) -> list[records.FaultyObject]:
        """Objects that a search should find and the index does not have, and vice versa."""
        missing = self._objects(
            "objects o WHERE o.status = 'A' AND o.parent_key IS NOT NULL AND NOT EXISTS (SELECT 1 FROM search_entries e"
            " WHERE e.account_id = o.account_id AND e.object_key = o.object_key)",
            limit,
        )
        left = self._objects(
            "search_entries e JOIN objects o ON o.account_id = e.account_id AND o.object_key = e.object_key"
            " WHERE o.status <> 'A'",
            limit,
        )
        return (missing + left)[:limit]

    def wrong_months(self) -> list[int]:
        """Accounts whose timeline counts other numbers of pictures than there are."""
        return self._sql.column(
            "SELECT c.account_id FROM (SELECT account_id, timeline_month, parent_key, count(*) AS files FROM objects"
            f" WHERE {IN_TIMELINE} GROUP BY account_id, timeline_month, parent_key) c LEFT JOIN timeline_months t"
            " ON t.account_id = c.account_id AND t.month = c.timeline_month AND t.parent_key = c.parent_key"
            " WHERE t.files IS NULL OR t.files <> c.files"
            " UNION SELECT t.account_id FROM timeline_months t WHERE t.files > 0 AND NOT EXISTS (SELECT 1 FROM objects"
            " WHERE objects.account_id = t.account_id AND timeline_month = t.month"
            f" AND objects.parent_key = t.parent_key AND {IN_TIMELINE}) ORDER BY 1"
        )

    def ownerless_boards(self) -> list[str]:
        """Boards whose owner is no member, or not the one that has the role."""
        return self._sql.keys(
            "SELECT b.board_key FROM boards b WHERE NOT EXISTS (SELECT 1 FROM board_members m"
            " WHERE m.board_key = b.board_key AND m.account_id = b.owner_id AND m.role = 'O' AND m.status = 'A')"
            " ORDER BY b.board_key"
        )

    def boards_of_strangers(self) -> list[str]:
        """Boards that show something of an account which is not on them."""
        return self._sql.keys(
            f"SELECT DISTINCT i.board_key FROM board_items i WHERE {IS_A_STRANGERS} ORDER BY i.board_key"
        )

    def broken_feeds(self) -> list[int]:
        """Accounts whose changes have a hole, or do not end with the newest."""
        return self._sql.column(
            "SELECT c.account_id FROM account_counters c JOIN (SELECT account_id, min(seq) AS first, max(seq) AS last,"
            " count(*) AS number FROM changes GROUP BY account_id) f ON f.account_id = c.account_id"
            " WHERE f.last <> c.change_seq OR f.number <> f.last - f.first + 1 ORDER BY c.account_id"
        )

    def forgotten_purges(self, kinds: Sequence[str]) -> list[int]:
        """Accounts with objects marked for deletion and no job of these kinds in the outbox."""
        return self._sql.column(
            "SELECT c.account_id FROM account_counters c WHERE (EXISTS (SELECT 1 FROM objects o"
            " WHERE o.account_id = c.account_id AND o.status = 'P') OR EXISTS (SELECT 1 FROM objects o"
            " WHERE o.account_id = c.account_id AND o.status = 'T' AND o.trashed_at <= c.trash_watermark))"
            " AND NOT EXISTS (SELECT 1 FROM outbox j WHERE j.kind = ANY(:kinds)"
            " AND j.subject = CAST(c.account_id AS TEXT))"
            " ORDER BY c.account_id",
            {"kinds": list(kinds)},
        )

    def contents(self, after: str, *, limit: int) -> list[StoredContent]:
        """Return the index of blobs in the order of the SHA-256; after is the last one seen, or empty."""
        source = "FROM blobs b WHERE b.content > :after ORDER BY b.content LIMIT :limit"
        return CONTENT.all(self._sql, source, {"after": raw(after), "limit": limit})

    def thumbnails(self, after: records.ThumbnailRow | None, *, limit: int) -> list[records.ThumbnailRow]:
        """Stored thumbnails, in the order of account, content, size and form."""
        start = after or records.ThumbnailRow(0, "", 0, "", "", 0)
        place: Params = {"content": raw(start.sha256), "size": start.size, "form": start.form}
        return _THUMBNAIL.all(
            self._sql,
            "FROM thumbnails WHERE location <> ''"
            " AND (account_id, content, size, form) > (:account, :content, :size, :form)"
            " ORDER BY account_id, content, size, form LIMIT :limit",
            {"account": start.account_id, **place, "limit": limit},
        )

    def uploads(self, after: str, *, limit: int) -> list[Upload]:
        """Uploads in progress, of all accounts, in the order of their keys; after is the last one seen, or empty."""
        source = "FROM uploads WHERE upload_key > :after ORDER BY upload_key LIMIT :limit"
        return UPLOAD_COLUMNS.all(self._sql, source, {"after": raw(after), "limit": limit})

    def holders(self, sha256: str, *, limit: int) -> list[records.NamedVersion]:
        """Return who refers to this content; for a sentence that says what is lost."""
        return self._files(
            "SELECT v.account_id, v.object_key, o.name, v.version FROM versions v JOIN objects o"
            " ON o.account_id = v.account_id AND o.object_key = v.object_key WHERE v.content = :content"
            " ORDER BY v.account_id, v.object_key, v.version LIMIT :limit",
            limit,
            content=raw(sha256),
        )

    def _objects(self, source: str, limit: int) -> list[records.FaultyObject]:
        """Return objects `o` of a source, by account and key."""
        ordered = f"{source} ORDER BY o.account_id, o.object_key LIMIT :limit"
        rows = self._sql.all(f"SELECT o.account_id, o.object_key, o.name FROM {ordered}", {"limit": limit})
        return [records.FaultyObject(account, key_text(key), name) for account, key, name in rows]

    def _files(self, text: str, limit: int, **params: bytes) -> list[records.NamedVersion]:
        rows = self._sql.all(text, {"limit": limit, **params})
        return [records.NamedVersion(account, key_text(key), name, version) for account, key, name, version in rows]


def _place(rows: list[Row], limit: int) -> records.WalkPosition | None:
    """Return where the next page begins: behind the last row of a full one."""
    return (rows[-1][0], key_text(rows[-1][1])) if len(rows) == limit else None


# Which tables refer to which, read from the migrations themselves, so a new table is checked as well.


_TABLE = re.compile(r"CREATE TABLE (\w+) \((.*?)\n\)", re.DOTALL)
_ADDED = re.compile(r"ALTER TABLE (\w+) ADD COLUMN ([^;]*)")
_OF_COLUMN = re.compile(r"^\s*(\w+) [^\n]*?REFERENCES (\w+) \((\w+)\)([^\n]*)", re.MULTILINE)
_OF_TABLE = re.compile(r"FOREIGN KEY \(([^)]*)\) REFERENCES (\w+) \(([^)]*)\)([^\n]*)")
_DROPPED = re.compile(r"DROP TABLE (?:IF EXISTS )?(\w+)")

# These rows are useless without the row they refer to, although the database would rather refuse than remove them.
_MAY_GO = {("versions", "objects"), ("thumbnails", "blobs"), ("sessions", "devices"), ("nonces", "sessions")}


class Reference(msgspec.Struct, frozen=True):
    """The columns of one table that name a row of another."""

    table: str
    columns: tuple[str, ...]
    to: str
    to_columns: tuple[str, ...]
    may_go: bool

    @property
    def dangles(self) -> str:
        """A condition on a row `c` of the table: it names a row that is not there."""
        named = " AND ".join(f"c.{column} IS NOT NULL" for column in self.columns)
        pairs = zip(self.columns, self.to_columns, strict=True)
        same = " AND ".join(f"p.{theirs} = c.{ours}" for ours, theirs in pairs)
        return f"{named} AND NOT EXISTS (SELECT 1 FROM {self.to} p WHERE {same})"


@cache
def references() -> tuple[Reference, ...]:
    """Return all but the parents of objects, which have separate checks."""
    found: dict[tuple[str, tuple[str, ...]], Reference] = {}
    for migration in migrations():
        text = re.sub(r"--[^\n]*", "", migration.text)
        for dropped in _DROPPED.findall(text):
            found = {key: one for key, one in found.items() if dropped not in {one.table, one.to}}
        for table, body in [*_TABLE.findall(text), *_ADDED.findall(text)]:
            for one in _in(table, body):
                found[one.table, one.columns] = one
    return tuple(one for one in found.values() if (one.table, one.to) != ("objects", "objects"))


def _in(table: str, body: str) -> list[Reference]:
    whole = [match.groups() for match in _OF_TABLE.finditer(body)]
    single = [match.groups() for match in _OF_COLUMN.finditer(body) if "FOREIGN KEY" not in match[0]]
    return [
        Reference(table, _names(columns), to, _names(to_columns), "ON DELETE CASCADE" in rest or (table, to) in _MAY_GO)
        for columns, to, to_columns, rest in [*whole, *single]
    ]


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(","))
