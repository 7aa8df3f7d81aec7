"""Second factors in SQL."""

from collections.abc import Sequence

from skyshelf.storage.errors import Missing
from skyshelf.storage.metadata.contracts.accounts import SecondFactor, ThrottleRule
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.statements import Params, Sql, sweep


class SqlSecondFactors:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def of_account(self, account_id: int) -> SecondFactor | None:
        row = self._sql.one(
            "SELECT f.salt, f.begun_at, f.confirmed_at, f.last_step, (SELECT count(*) FROM recovery_codes c"
            " WHERE c.account_id = f.account_id) FROM second_factors f WHERE f.account_id = :account",
            {"account": account_id},
        )
        return SecondFactor(*row) if row else None

    def on_among(self, account_ids: Sequence[int]) -> set[int]:
        rows = self._sql.all(
            "SELECT account_id FROM second_factors WHERE account_id = ANY(:accounts) AND confirmed_at > 0",
            {"accounts": list(account_ids)},
        )
        return {row[0] for row in rows}

    def begin(self, account_id: int, salt: bytes, now: int) -> bool:
        lock_account(self._sql, account_id)
        begun = self._sql.run(
            "INSERT INTO second_factors (account_id, salt, begun_at, confirmed_at, last_step)"
            " VALUES (:account, :salt, :now, 0, 0) ON CONFLICT (account_id) DO UPDATE SET salt = excluded.salt,"
            " begun_at = excluded.begun_at WHERE second_factors.confirmed_at = 0",
            {"account": account_id, "salt": salt, "now": now},
        )
        return bool(begun)

    def confirm(self, account_id: int, salt: bytes, step: int, now: int) -> bool:
        lock_account(self._sql, account_id)
        confirmed = self._sql.run(
            "UPDATE second_factors SET confirmed_at = :now, last_step = :step WHERE account_id = :account"
            " AND salt = :salt AND confirmed_at = 0",
            {"account": account_id, "salt": salt, "step": step, "now": now},
        )
        return bool(confirmed)

    def use_step(self, account_id: int, salt: bytes, step: int) -> bool:
        lock_account(self._sql, account_id)
        used = self._sql.run(
            "UPDATE second_factors SET last_step = :step WHERE account_id = :account AND salt = :salt"
            " AND confirmed_at > 0 AND last_step < :step",
            {"account": account_id, "salt": salt, "step": step},
        )
        return bool(used)

    def replace_codes(self, account_id: int, hashes: Sequence[bytes]) -> None:
        lock_account(self._sql, account_id)
        if self._sql.one("SELECT 1 FROM second_factors WHERE account_id = :account", {"account": account_id}) is None:
            raise Missing("no such second factor")
        self._sql.run("DELETE FROM recovery_codes WHERE account_id = :account", {"account": account_id})
        rows: list[Params] = [{"account": account_id, "hash": one} for one in hashes]
        self._sql.run_many("INSERT INTO recovery_codes (account_id, code_hash) VALUES (:account, :hash)", rows)

    def use_code(self, account_id: int, code_hash: bytes) -> bool:
        lock_account(self._sql, account_id)
        used = self._sql.run(
            "DELETE FROM recovery_codes WHERE account_id = :account AND code_hash = :hash AND EXISTS (SELECT 1"
            " FROM second_factors f WHERE f.account_id = :account AND f.confirmed_at > 0)",
            {"account": account_id, "hash": code_hash},
        )
        return bool(used)

    def remove(self, account_id: int) -> bool:
        lock_account(self._sql, account_id)
        gone = self._sql.run("DELETE FROM second_factors WHERE account_id = :account", {"account": account_id})
        return bool(gone)


# Throttles in SQL.


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

        The row stays locked until the transaction ends, so the next attempt sees what this one writes.
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
