"""Second factors in SQL."""

from collections.abc import Sequence

from skyshelf.storage.errors import Missing
from skyshelf.storage.metadata.second_factors import SecondFactor
from skyshelf.storage.metadata.sql.locks import lock_account
from skyshelf.storage.metadata.sql.statements import Params, Sql


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
