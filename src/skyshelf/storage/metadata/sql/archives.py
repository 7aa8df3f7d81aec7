"""Archives in SQL."""

from skyshelf.storage.errors import Missing
from skyshelf.storage.metadata.contracts.archives import ChosenObjects
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.statements import Sql, key_text, raw, sweep
from skyshelf.wire.limits import ARCHIVES_MAX

_KEY_BYTES = 16


class SqlArchives:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def add(self, account_id: int, chosen: ChosenObjects) -> None:
        lock_account(self._sql, account_id)
        self._sql.run(
            "DELETE FROM archives WHERE archive_key IN (SELECT archive_key FROM archives WHERE account_id = :account"
            " ORDER BY expires_at DESC LIMIT :more OFFSET :most)",
            {"account": account_id, "most": ARCHIVES_MAX - 1, "more": ARCHIVES_MAX},
        )
        self._sql.run(
            "INSERT INTO archives (archive_key, account_id, name, object_keys, expires_at)"
            " VALUES (:key, :account, :name, :objects, :expires)",
            {
                "key": raw(chosen.archive_key),
                "account": account_id,
                "name": chosen.name,
                "objects": b"".join(map(raw, chosen.object_keys)),
                "expires": chosen.expires_at,
            },
        )

    def get(self, account_id: int, archive_key: str, now: int) -> ChosenObjects:
        row = self._sql.one(
            "SELECT name, object_keys, expires_at FROM archives"
            " WHERE archive_key = :key AND account_id = :account AND expires_at > :now",
            {"key": raw(archive_key), "account": account_id, "now": now},
        )
        if row is None:
            raise Missing("no such archive")
        name, keys, expires_at = row
        object_keys = [key_text(keys[at : at + _KEY_BYTES]) for at in range(0, len(keys), _KEY_BYTES)]
        return ChosenObjects(archive_key=archive_key, name=name, object_keys=object_keys, expires_at=expires_at)

    def sweep(self, now: int, limit: int) -> int:
        params = {"now": now, "limit": limit}
        return sweep(
            self._sql, "archives", "archive_key", old="expires_at <= :now", oldest_by="expires_at", params=params
        )
