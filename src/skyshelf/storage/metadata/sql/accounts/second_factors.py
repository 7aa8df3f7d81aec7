"""Second factors in SQL, and the throttles of logins."""

from collections.abc import Sequence

from skyshelf.storage.errors import Missing
from skyshelf.storage.metadata.contracts.accounts import SecondFactor, ThrottleRule
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.statements import Params, SqlNoun, replacing, sweep


class SqlSecondFactors(SqlNoun):
    """An account has one at most. Recovery codes come here as digests only.

    Whatever counts once counts once, however many try at the same moment and on however many instances.
    """

    def of_account(self, account_id: int) -> SecondFactor | None:
        """None where nothing was ever begun. One statement."""
        row = self._sql.one(
            "SELECT f.salt, f.begun_at, f.confirmed_at, f.last_step, (SELECT count(*) FROM recovery_codes c"
            " WHERE c.account_id = f.account_id), f.generation, f.codes_generation, f.mask"
            " FROM second_factors f WHERE f.account_id = :account",
            {"account": account_id},
        )
        return SecondFactor(*row) if row else None

    def on_among(self, account_ids: Sequence[int]) -> set[int]:
        """Return the accounts among these whose second factor is on, in one statement."""
        on = "SELECT account_id FROM second_factors WHERE account_id = ANY(:accounts) AND confirmed_at > 0"
        return set(self._sql.column(on, {"accounts": list(account_ids)}))

    def begin(self, account_id: int, salt: bytes, now: int, *, generation: int = 1) -> bool:
        """Start over; an earlier one that was never confirmed is forgotten. False if a second factor is already on."""
        lock_account(self._sql, account_id)
        columns = ("salt", "begun_at", "generation", "codes_generation", "mask")
        unless_on = f"{replacing('account_id', *columns)} WHERE second_factors.confirmed_at = 0"
        of_secret: Params = {"generation": generation, "codes_generation": generation, "mask": None}
        begun: Params = {"salt": salt, "begun_at": now, "confirmed_at": 0, "last_step": 0, **of_secret}
        return self._sql.insert("second_factors", unless_on, account_id=account_id, **begun) > 0

    def confirm(self, account_id: int, salt: bytes, step: int, now: int) -> bool:
        """Turn on the factor begun with that salt, by the code of that step; false if another one is pending.

        Step 0 is none: no app has given a code."""
        lock_account(self._sql, account_id)
        return self._sql.changed(
            "UPDATE second_factors SET confirmed_at = :now, last_step = :step WHERE account_id = :account"
            " AND salt = :salt AND confirmed_at = 0",
            {"account": account_id, "salt": salt, "step": step, "now": now},
        )

    def use_step(self, account_id: int, salt: bytes, step: int) -> bool:
        """Take the code of a step, once; false where it, or the code of a later step, was taken already."""
        lock_account(self._sql, account_id)
        return self._sql.changed(
            "UPDATE second_factors SET last_step = :step WHERE account_id = :account AND salt = :salt"
            " AND confirmed_at > 0 AND last_step < :step",
            {"account": account_id, "salt": salt, "step": step},
        )

    def move(self, account_id: int, old_salt: bytes, *, salt: bytes, mask: bytes, generation: int) -> bool:
        """Derive the authenticator's key from another generation; false where it was set up again in the meantime."""
        lock_account(self._sql, account_id, even_paused=True)
        return self._sql.changed(
            "UPDATE second_factors SET salt = :salt, mask = :mask, generation = :generation"
            " WHERE account_id = :account AND salt = :old",
            {"account": account_id, "old": old_salt, "salt": salt, "mask": mask, "generation": generation},
        )

    def replace_codes(self, account_id: int, hashes: Sequence[bytes], *, generation: int = 1) -> None:
        """These are the recovery codes from now on. Missing where nothing was begun."""
        lock_account(self._sql, account_id)
        if not self._sql.exists("second_factors", account_id=account_id):
            raise Missing("no such second factor")
        self._sql.delete("recovery_codes", account_id=account_id)
        self._sql.update("second_factors", {"codes_generation": generation}, account_id=account_id)
        self._sql.insert_rows("recovery_codes", [{"account_id": account_id, "code_hash": one} for one in hashes])

    def use_code(self, account_id: int, code_hash: bytes) -> bool:
        """Use up a recovery code of a factor that is on; false if the code does not exist or was used."""
        lock_account(self._sql, account_id)
        return self._sql.changed(
            "DELETE FROM recovery_codes WHERE account_id = :account AND code_hash = :hash AND EXISTS (SELECT 1"
            " FROM second_factors f WHERE f.account_id = :account AND f.confirmed_at > 0)",
            {"account": account_id, "hash": code_hash},
        )

    def remove(self, account_id: int) -> bool:
        """Forget the factor and its codes; false where nothing was begun."""
        lock_account(self._sql, account_id)
        return self._sql.delete("second_factors", account_id=account_id) > 0


class SqlThrottles(SqlNoun):
    """Buckets are digests of what is throttled (an account, an address), never the thing itself.

    Every count is exact, however many fail at once and on however many instances.
    """

    def failed(self, bucket: bytes, now: int, rule: ThrottleRule) -> int:
        """Count a failure; the time until which the bucket is closed, 0 when it is open."""
        failures, closed_until = self._count(bucket, now, rule, even_if_closed=True)
        closed_until = self._close(bucket, now, max(closed_until, now + rule.pause_after(failures)))
        return closed_until if closed_until > now else 0

    def admit(self, bucket: bytes, now: int, rule: ThrottleRule) -> int:
        """Count an attempt as a failure before it is checked, so many at once cannot slip through together.

        0 means: proceed, and call succeeded if it was right. Otherwise the bucket is closed until the time
        that is returned, and nothing was counted.
        """
        failures, closed_until = self._count(bucket, now, rule, even_if_closed=False)
        if closed_until > now:
            return closed_until
        self._close(bucket, now, now + rule.pause_after(failures))
        return 0

    def closed_until(self, buckets: Sequence[bytes], now: int) -> int:
        """Return the time at which the last of the buckets opens again; 0 when all are open."""
        if not buckets:
            return 0
        last = "SELECT max(closed_until) FROM throttles WHERE bucket = ANY_KEY(:buckets) AND closed_until > :now"
        return self._sql.value(last, {"buckets": list(buckets), "now": now}) or 0

    def succeeded(self, bucket: bytes) -> None:
        """Forget the failures of a bucket."""
        self._sql.delete("throttles", bucket=bucket)

    def sweep(self, failed_before: int, limit: int) -> int:
        """Forget up to limit buckets that last failed before that time and had opened by then; return how many."""
        old = "last_failure_at < :before AND closed_until < :before"
        before, by = failed_before, "last_failure_at"
        return sweep(self._sql, "throttles", "bucket", old=old, oldest_by=by, before=before, limit=limit)

    def _count(self, bucket: bytes, now: int, rule: ThrottleRule, *, even_if_closed: bool) -> tuple[int, int]:
        """One more failure: how many there are, and until when the bucket was closed before.

        The row stays locked until the transaction ends, so the next attempt sees what this one writes.
        """
        counted = "TRUE" if even_if_closed else "throttles.closed_until <= :now"
        failures, closed_until = self._sql.only(
            "INSERT INTO throttles (bucket, failures, last_failure_at, closed_until) VALUES (:bucket, 1, :now, 0)"
            f" ON CONFLICT (bucket) DO UPDATE SET failures = CASE WHEN NOT ({counted}) THEN throttles.failures"
            " WHEN throttles.last_failure_at < :forgotten AND throttles.closed_until <= :now THEN 1"
            " ELSE throttles.failures + 1 END, last_failure_at = CASE WHEN"
            f" {counted} THEN :now ELSE throttles.last_failure_at END RETURNING failures, closed_until",
            {"bucket": bucket, "now": now, "forgotten": now - rule.memory},
        )
        return failures, closed_until

    def _close(self, bucket: bytes, now: int, until: int) -> int:
        if until > now:
            self._sql.update("throttles", {"closed_until": until}, bucket=bucket)
        return until
