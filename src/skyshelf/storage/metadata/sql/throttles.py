"""Throttles in SQL."""

from collections.abc import Sequence

from skyshelf.storage.metadata.sql.statements import Sql
from skyshelf.storage.metadata.sql.sweeps import sweep
from skyshelf.storage.metadata.throttles import ThrottleRule


class SqlThrottles:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def failed(self, bucket: bytes, now: int, rule: ThrottleRule) -> int:
        failures, closed_until = self._count(bucket, now, rule, even_if_closed=True)
        closed_until = self._close(bucket, now, max(closed_until, now + rule.pause_after(failures)))
        return closed_until if closed_until > now else 0

    def admit(self, bucket: bytes, now: int, rule: ThrottleRule) -> int:
        failures, closed_until = self._count(bucket, now, rule, even_if_closed=False)
        if closed_until > now:
            return closed_until
        self._close(bucket, now, now + rule.pause_after(failures))
        return 0

    def closed_until(self, buckets: Sequence[bytes], now: int) -> int:
        if not buckets:
            return 0
        row = self._sql.one(
            "SELECT max(closed_until) FROM throttles WHERE bucket = ANY_KEY(:buckets) AND closed_until > :now",
            {"buckets": list(buckets), "now": now},
        )
        return row[0] if row and row[0] is not None else 0

    def succeeded(self, bucket: bytes) -> None:
        self._sql.run("DELETE FROM throttles WHERE bucket = :bucket", {"bucket": bucket})

    def sweep(self, failed_before: int, limit: int) -> int:
        old = "last_failure_at < :before AND closed_until < :before"
        params = {"before": failed_before, "limit": limit}
        return sweep(self._sql, "throttles", "bucket", old=old, oldest_by="last_failure_at", params=params)

    def _count(self, bucket: bytes, now: int, rule: ThrottleRule, *, even_if_closed: bool) -> tuple[int, int]:
        """One more failure: how many there are, and until when the bucket was closed before.

        The row stays locked until the transaction ends, so whoever comes next sees what is written after this.
        """
        counted = "TRUE" if even_if_closed else "throttles.closed_until <= :now"
        row = self._sql.one(
            "INSERT INTO throttles (bucket, failures, last_failure_at, closed_until) VALUES (:bucket, 1, :now, 0)"
            f" ON CONFLICT (bucket) DO UPDATE SET failures = CASE WHEN NOT ({counted}) THEN throttles.failures"
            " WHEN throttles.last_failure_at < :forgotten AND throttles.closed_until <= :now THEN 1"
            " ELSE throttles.failures + 1 END, last_failure_at = CASE WHEN"
            f" {counted} THEN :now ELSE throttles.last_failure_at END RETURNING failures, closed_until",
            {"bucket": bucket, "now": now, "forgotten": now - rule.memory},
        )
        assert row is not None
        failures, closed_until = row
        return failures, closed_until

    def _close(self, bucket: bytes, now: int, until: int) -> int:
        if until > now:
            self._sql.run(
                "UPDATE throttles SET closed_until = :until WHERE bucket = :bucket",
                {"bucket": bucket, "until": until},
            )
        return until
