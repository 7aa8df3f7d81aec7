"""Facts about pictures and videos, in SQL."""

from collections.abc import Iterable, Sequence

from msgspec.structs import asdict, replace

from skyshelf.storage.metadata.contracts.files import MediaFacts, NewFile, PhotoFacts, UndatedFile
from skyshelf.storage.metadata.contracts.tree import Page, StoredObject
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.statements import Columns, Params, Sql, SqlNoun, Value, key_text, raw, replacing
from skyshelf.storage.metadata.sql.tree.objects import update_objects
from skyshelf.storage.metadata.sql.tree.visibility import IS_VISIBLE, among, load

_FACTS = Columns(MediaFacts).of("f")
_OF_OBJECTS = (
    f"SELECT o.object_key, o.version, o.taken_at, {_FACTS} FROM objects o LEFT JOIN media_facts f"
    " ON f.account_id = o.account_id AND f.object_key = o.object_key AND f.version = o.version"
    " WHERE o.account_id = :account AND o.object_key = ANY_KEY(:keys) AND o.timeline_month IS NOT NULL"
)


_LOCATED = among(
    f"SELECT o.account_id, o.parent_key, o.object_key, o.version, o.taken_at, {_FACTS} FROM media_facts f"
    " CROSS JOIN objects o WHERE f.account_id = :account AND f.latitude IS NOT NULL AND f.object_key > :after"
    " AND o.account_id = f.account_id AND o.object_key = f.object_key AND o.version = f.version"
    " AND o.status = 'A' ORDER BY f.object_key LIMIT :limit",
    f"SELECT c.object_key, c.version, c.taken_at, c.width, c.height, c.latitude, c.longitude, c.utc_offset,"
    f" CASE WHEN {IS_VISIBLE} THEN 1 ELSE 0 END FROM candidate c ORDER BY c.object_key",
)


def keep_facts(sql: Sql, put: Iterable[tuple[StoredObject, MediaFacts | None]]) -> None:
    """Store the facts of current versions; the account is locked."""
    rows: list[Params] = [
        _key_of(stored) | {"version": stored.version, **asdict(facts)} for stored, facts in put if facts is not None
    ]
    latest = replacing("account_id, object_key", "version", *MediaFacts.__struct_fields__)
    sql.insert_rows("media_facts", rows, latest)


def _key_of(stored: StoredObject) -> dict[str, Value]:
    return {"account_id": stored.account_id, "object_key": raw(stored.object_key)}


def keep_new_facts(sql: Sql, put: Iterable[tuple[StoredObject, NewFile]]) -> None:
    keep_facts(sql, ((stored, file.facts) for stored, file in put))


class SqlMediaFacts(SqlNoun):
    """Facts come with a file (NewFile.facts), or from the job that reads missing dates (UndatedFile)."""

    def of_objects(self, account_id: int, object_keys: Sequence[str]) -> list[PhotoFacts]:
        """Return the facts of the account's pictures and videos among the keys, in any order, visible or not."""
        if not object_keys:
            return []
        keys = sorted({raw(key) for key in object_keys})
        return [_facts(row) for row in self._sql.all(_OF_OBJECTS, {"account": account_id, "keys": keys})]

    def located(self, account_id: int, *, limit: int, after: str | None = None) -> Page[PhotoFacts, str]:
        """Visible ones whose place is known, by key. At most limit are looked at, so a page may have fewer."""
        rows = self._sql.all(_LOCATED, {"account": account_id, "after": raw(after or ""), "limit": limit})
        found = [_facts(row) for row in rows if row[8]]
        return Page(found, key_text(rows[-1][0]) if len(rows) == limit else None)


def _facts(row: Sequence[Value]) -> PhotoFacts:
    return PhotoFacts(key_text(row[0]), row[1], row[2], MediaFacts(*row[3:8]))  # type: ignore[arg-type]


def await_dates(sql: Sql, put: Iterable[tuple[StoredObject, NewFile]]) -> None:
    """Have those wait that need a date; the account is locked."""
    waiting = [_key_of(stored) for stored, file in put if file.needs_date]
    sql.insert_rows("undated", waiting, "ON CONFLICT (account_id, object_key) DO NOTHING")


class SqlUndated(SqlNoun):
    """A file is put with its date, or waits here for it (NewFile.needs_date)."""

    def some(self, account_id: int, limit: int) -> list[UndatedFile]:
        """Files that wait, with their current versions."""
        rows = self._sql.all(
            "SELECT u.object_key, v.version, b.location, b.size, v.mime_type, v.mime_subtype FROM undated u"
            " JOIN objects o ON o.account_id = u.account_id AND o.object_key = u.object_key"
            " JOIN versions v ON v.account_id = o.account_id AND v.object_key = o.object_key AND v.version = o.version"
            " JOIN blobs b ON b.content = v.content WHERE u.account_id = :account ORDER BY u.object_key LIMIT :limit",
            {"account": account_id, "limit": limit},
        )
        return [UndatedFile(key_text(row[0]), *row[1:]) for row in rows]

    def settle(
        self, account_id: int, file: UndatedFile, taken: tuple[int, int] | None, facts: MediaFacts | None = None
    ) -> bool:
        """End the waiting of that version, with (taken_at, taken_day) or without a date, and with its facts.

        False, and it waits on with its current version, where another one has come.
        """
        lock_account(self._sql, account_id)
        before = load(self._sql, account_id, [file.object_key]).get(file.object_key)
        if before is None or before.version != file.version:
            return False
        self._sql.delete("undated", account_id=account_id, object_key=raw(file.object_key))
        keep_facts(self._sql, [(before, facts)])
        if taken is not None and taken != (before.taken_at, before.taken_day):
            update_objects(self._sql, [(before, replace(before, taken_at=taken[0], taken_day=taken[1]))])
        return True
