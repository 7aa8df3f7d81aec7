"""Expiry in SQL."""

from skyshelf.storage.metadata.contracts.expiry import Due
from skyshelf.storage.metadata.sql.quarantine import IS_IN_HISTORY
from skyshelf.storage.metadata.sql.statements import Params, Sql


class SqlExpiry:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def trash(self, trashed_up_to: int) -> Due:
        return self._due(
            "count(*), sum(o.size) FROM objects o JOIN account_counters c ON c.account_id = o.account_id"
            " WHERE o.status = 'T' AND o.trashed_at <= :up_to AND o.trashed_at > c.trash_watermark",
            {"up_to": trashed_up_to},
        )

    def uploads(self, updated_before: int) -> Due:
        return self._due("count(*), sum(received) FROM uploads WHERE updated_at < :before", {"before": updated_before})

    def changes(self, before: int) -> Due:
        return self._due("count(*), 0 FROM changes WHERE at < :before", {"before": before})

    def versions(self, kept: int) -> Due:
        return self._due(
            "count(*), sum(v.size) FROM versions v JOIN objects o ON o.account_id = v.account_id"
            " AND o.object_key = v.object_key WHERE v.version <= o.version - :kept",
            {"kept": kept},
        )

    def quarantine(self, since_up_to: int) -> Due:
        return self._due(
            f"count(*), sum(q.size) FROM quarantine q WHERE q.since <= :up_to AND NOT {IS_IN_HISTORY}",
            {"up_to": since_up_to},
        )

    def history(self, before: int) -> Due:
        return self._due("count(*), sum(size) FROM kept_contents WHERE kept_at < :before", {"before": before})

    def quarantine_beyond(self, size: int) -> Due:
        return self._due(
            "count(*), sum(size) FROM (SELECT size, sum(size) OVER (ORDER BY since DESC, location DESC) AS total"
            " FROM quarantine WHERE reason = 'released') newest WHERE total > :size",
            {"size": size},
        )

    def audit(self, before: int) -> Due:
        return self._due("count(*), 0 FROM audit_events WHERE happened_at < :before", {"before": before})

    def contents(self) -> int:
        return self._due("count(*), 0 FROM blobs", {}).count

    def accounts(self, now: int) -> tuple[int, int]:
        row = self._sql.one(
            "SELECT count(*) FILTER (WHERE delete_at > 0 AND delete_at <= :now), count(*) FROM accounts", {"now": now}
        )
        assert row is not None
        return row[0], row[1]

    def _due(self, query: str, params: Params) -> Due:
        row = self._sql.one(f"SELECT {query}", params)
        assert row is not None
        return Due(row[0], int(row[1] or 0))
