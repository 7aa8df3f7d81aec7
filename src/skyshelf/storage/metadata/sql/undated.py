"""Files that wait for their capture date, in SQL."""

from collections.abc import Iterable

from msgspec.structs import replace

from skyshelf.storage.metadata.contracts.files import NewFile
from skyshelf.storage.metadata.contracts.media_facts import MediaFacts
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.contracts.undated import UndatedFile
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.media_facts import keep_facts
from skyshelf.storage.metadata.sql.statements import Params, Sql, key_text, raw
from skyshelf.storage.metadata.sql.tree.objects import COLUMNS, object_from, update_objects


def await_dates(sql: Sql, put: Iterable[tuple[StoredObject, NewFile]]) -> None:
    """Have those wait that need a date; the account is locked."""
    rows: list[Params] = [
        {"account": stored.account_id, "key": raw(stored.object_key)} for stored, file in put if file.needs_date
    ]
    if rows:
        sql.insert_many(
            "INSERT INTO undated (account_id, object_key) VALUES (:account, :key)"
            " ON CONFLICT (account_id, object_key) DO NOTHING",
            rows,
        )


class SqlUndated:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def some(self, account_id: int, limit: int) -> list[UndatedFile]:
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
        lock_account(self._sql, account_id)
        key: Params = {"account": account_id, "key": raw(file.object_key)}
        row = self._sql.one(
            f"SELECT {COLUMNS} FROM objects o WHERE o.account_id = :account AND o.object_key = :key", key
        )
        if row is None or (before := object_from(row)).version != file.version:
            return False
        self._sql.run("DELETE FROM undated WHERE account_id = :account AND object_key = :key", key)
        keep_facts(self._sql, [(before, facts)])
        if taken is not None and taken != (before.taken_at, before.taken_day):
            update_objects(self._sql, [(before, replace(before, taken_at=taken[0], taken_day=taken[1]))])
        return True
