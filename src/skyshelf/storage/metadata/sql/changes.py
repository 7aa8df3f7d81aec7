"""Changes in SQL."""

from skyshelf.storage.metadata.changes import Change
from skyshelf.storage.metadata.sql.keys import key_text
from skyshelf.storage.metadata.sql.statements import Sql


class SqlChanges:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def newest(self, account_id: int) -> int:
        row = self._sql.one(
            "SELECT change_seq FROM account_counters WHERE account_id = :account", {"account": account_id}
        )
        return row[0] if row else 0

    def oldest(self, account_id: int) -> int:
        # One statement: between two, a change could come in, and be taken for one that is no longer kept.
        row = self._sql.one(
            "SELECT coalesce((SELECT min(seq) FROM changes WHERE account_id = :account), change_seq + 1)"
            " FROM account_counters WHERE account_id = :account",
            {"account": account_id},
        )
        return row[0] if row else 1

    def since(self, account_id: int, seq: int, limit: int) -> list[Change]:
        rows = self._sql.all(
            "SELECT seq, at, kind, object_key FROM changes WHERE account_id = :account AND seq > :seq"
            " ORDER BY seq LIMIT :limit",
            {"account": account_id, "seq": seq, "limit": limit},
        )
        return [Change(number, at, kind, key_text(key)) for number, at, kind, key in rows]

    def forget(self, account_id: int, up_to_seq: int) -> None:
        self._sql.run(
            "DELETE FROM changes WHERE account_id = :account AND seq <= :seq",
            {"account": account_id, "seq": up_to_seq},
        )
