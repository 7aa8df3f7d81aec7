"""Changes in SQL."""

from collections.abc import Sequence

from skyshelf.storage.metadata.contracts.changes import Change
from skyshelf.storage.metadata.sql.statements import Sql, key_text, raw
from skyshelf.storage.metadata.sql.tree.stored_wire import current_rows, encoding, stored_wire
from skyshelf.storage.metadata.sql.tree.visibility import IS_NOT_PURGED

# What is below a purged folder goes in the background, and is gone for everybody at once. Climbing from
# every object costs time, and is needed only while something is being purged.
_NOTHING_IS_PURGED = (
    "NOT EXISTS (SELECT 1 FROM objects g WHERE g.account_id = :account AND g.status = 'P')"
    " AND NOT EXISTS (SELECT 1 FROM objects g WHERE g.account_id = :account AND g.status = 'T' AND g.trashed_at <="
    " (SELECT c.trash_watermark FROM account_counters c WHERE c.account_id = :account))"
)


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

    def of_object(self, account_id: int, object_key: str, *, among: int, limit: int) -> list[Change]:
        # An index of objects would make every upload slower; a bounded range of the feed is read at once.
        rows = self._sql.all(
            "SELECT seq, at, kind, object_key FROM changes WHERE account_id = :account AND object_key = :key AND seq >"
            " (SELECT change_seq FROM account_counters WHERE account_id = :account) - :among"
            " ORDER BY seq DESC LIMIT :limit",
            {"account": account_id, "key": raw(object_key), "among": among, "limit": limit},
        )
        return [Change(number, at, kind, key_text(key)) for number, at, kind, key in rows]

    def at(self, account_id: int, seq: int) -> int | None:
        row = self._sql.one(
            "SELECT at FROM changes WHERE account_id = :account AND seq = :seq", {"account": account_id, "seq": seq}
        )
        return row[0] if row else None

    def newest_of(self, account_ids: Sequence[int]) -> dict[int, int]:
        rows = self._sql.all(
            "SELECT account_id, change_seq FROM account_counters WHERE account_id = ANY(:accounts)",
            {"accounts": list(account_ids)},
        )
        return dict(rows)

    def objects(self, account_id: int, object_keys: Sequence[str]) -> list[bytes]:
        rows = self._sql.all(
            f"SELECT {stored_wire('o')} FROM objects o WHERE o.account_id = :account AND o.object_key = ANY_KEY(:keys)"
            f" AND {IS_NOT_PURGED} AND o.parent_key IS NOT NULL ORDER BY o.object_key",
            {"account": account_id, "keys": sorted({raw(key) for key in object_keys}), **encoding()},
        )
        return [wire for (wire,) in current_rows(self._sql, account_id, rows)]

    def everything(self, account_id: int, *, after: str | None = None, limit: int) -> list[tuple[str, bytes]]:
        rows = self._sql.all(
            f"SELECT o.object_key, {stored_wire('o')} FROM objects o WHERE o.account_id = :account"
            f" AND o.object_key > :after AND o.parent_key IS NOT NULL AND (({_NOTHING_IS_PURGED}) OR ({IS_NOT_PURGED}))"
            " ORDER BY o.object_key LIMIT :limit",
            {"account": account_id, "after": b"" if after is None else raw(after), "limit": limit, **encoding()},
        )
        return [(key_text(key), wire) for key, wire in current_rows(self._sql, account_id, rows, at=1)]

    def forget(self, account_id: int, up_to_seq: int) -> None:
        self._sql.run(
            "DELETE FROM changes WHERE account_id = :account AND seq <= :seq",
            {"account": account_id, "seq": up_to_seq},
        )

    def forget_older(self, before: int, limit: int) -> int:
        # Up to the newest of the old ones: a clock that went back must not leave a hole.
        ends = self._sql.all(
            "SELECT account_id, max(seq) FROM (SELECT account_id, seq FROM changes WHERE at < :before"
            " ORDER BY at LIMIT :limit) old GROUP BY account_id",
            {"before": before, "limit": limit},
        )
        return sum(
            self._sql.run(
                "DELETE FROM changes WHERE account_id = :account AND seq <= :seq", {"account": account_id, "seq": seq}
            )
            for account_id, seq in ends
        )
