"""Locks in SQL."""

from collections.abc import Sequence

from skyshelf.storage.errors import ObjectMissing
from skyshelf.storage.metadata.contracts.webdav import Lock
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.bounds import refuse_beyond
from skyshelf.storage.metadata.sql.statements import Params, Sql, key_text, raw, sweep
from skyshelf.wire.limits import LOCKS_MAX


class SqlLocks:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def hold_account(self, account_id: int) -> None:
        lock_account(self._sql, account_id)

    def add(self, account_id: int, lock: Lock, now: int) -> None:
        lock_account(self._sql, account_id)
        where: Params = {"account": account_id, "object": raw(lock.object_key)}
        if self._sql.one("SELECT 1 FROM objects WHERE account_id = :account AND object_key = :object", where) is None:
            raise ObjectMissing("no such object")
        refuse_beyond(
            self._sql,
            "FROM locks WHERE account_id = :account AND expires_at > :now",
            {"account": account_id, "now": now},
            most=LOCKS_MAX,
            what="locks",
        )
        self._sql.run(
            "INSERT INTO locks (account_id, lock_key, object_key, is_exclusive, is_deep, owner, expires_at)"
            " VALUES (:account, :lock, :object, :exclusive, :deep, :owner, :expires)",
            {
                **where,
                "lock": raw(lock.lock_key),
                "exclusive": int(lock.is_exclusive),
                "deep": int(lock.is_deep),
                "owner": lock.owner,
                "expires": lock.expires_at,
            },
        )

    def of_account(self, account_id: int, now: int) -> list[Lock]:
        rows = self._sql.all(
            "SELECT lock_key, object_key, is_exclusive, is_deep, owner, expires_at FROM locks"
            " WHERE account_id = :account AND expires_at > :now ORDER BY lock_key",
            {"account": account_id, "now": now},
        )
        return [
            Lock(
                lock_key=key_text(lock),
                object_key=key_text(locked),
                is_exclusive=bool(exclusive),
                is_deep=bool(deep),
                owner=owner,
                expires_at=expires,
            )
            for lock, locked, exclusive, deep, owner, expires in rows
        ]

    def extend(self, account_id: int, lock_key: str, expires_at: int, now: int) -> bool:
        lock_account(self._sql, account_id)
        extended = self._sql.run(
            "UPDATE locks SET expires_at = :expires"
            " WHERE account_id = :account AND lock_key = :lock AND expires_at > :now",
            {"account": account_id, "lock": raw(lock_key), "expires": expires_at, "now": now},
        )
        return bool(extended)

    def remove(self, account_id: int, lock_keys: Sequence[str]) -> int:
        if not lock_keys:
            return 0
        lock_account(self._sql, account_id)
        return self._sql.run(
            "DELETE FROM locks WHERE account_id = :account AND lock_key = ANY_KEY(:locks)",
            {"account": account_id, "locks": [raw(key) for key in lock_keys]},
        )

    def sweep(self, now: int, limit: int) -> int:
        return sweep(
            self._sql,
            "locks",
            "lock_key",
            old="expires_at <= :now",
            oldest_by="expires_at",
            params={"now": now, "limit": limit},
        )
