"""What WebDAV keeps besides files, in SQL: locks and dead properties."""

from collections.abc import Sequence

from skyshelf.storage.errors import LimitReached, ObjectMissing
from skyshelf.storage.metadata.contracts.webdav import DeadProperty, Lock
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.bounds import refuse_beyond
from skyshelf.storage.metadata.sql.statements import Params, Sql, key_text, raw, sweep
from skyshelf.wire.limits import (
    DEAD_PROPERTIES_BYTES_MAX,
    DEAD_PROPERTIES_MAX,
    DEAD_PROPERTIES_OF_ACCOUNT_MAX,
    LOCKS_MAX,
)
from skyshelf.wire.sizes import format_size


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


class SqlDeadProperties:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def of_objects(self, account_id: int, object_keys: Sequence[str]) -> dict[str, list[DeadProperty]]:
        rows = self._sql.all(
            "SELECT object_key, namespace, name, value FROM dead_properties"
            " WHERE account_id = :account AND object_key = ANY_KEY(:keys) ORDER BY object_key, namespace, name",
            {"account": account_id, "keys": sorted({raw(key) for key in object_keys})},
        )
        found: dict[str, list[DeadProperty]] = {}
        for key, namespace, name, value in rows:
            found.setdefault(key_text(key), []).append(DeadProperty(namespace, name, value))
        return found

    def any_of(self, account_id: int) -> bool:
        row = self._sql.one(
            "SELECT 1 FROM dead_properties WHERE account_id = :account LIMIT 1", {"account": account_id}
        )
        return row is not None

    def set(self, account_id: int, object_key: str, properties: Sequence[DeadProperty]) -> None:
        lock_account(self._sql, account_id)
        where: Params = {"account": account_id, "object": raw(object_key)}
        if self._sql.one("SELECT 1 FROM objects WHERE account_id = :account AND object_key = :object", where) is None:
            raise ObjectMissing("no such object")
        known = self.of_objects(account_id, [object_key]).get(object_key, [])
        after = {(one.namespace, one.name): one.value for one in (*known, *properties)}
        if len(after) > DEAD_PROPERTIES_MAX:
            raise LimitReached(f"A file or folder can have at most {DEAD_PROPERTIES_MAX:,} WebDAV properties")
        if sum(len(value.encode()) for value in after.values()) > DEAD_PROPERTIES_BYTES_MAX:
            raise LimitReached(
                f"The WebDAV properties of a file or folder can have {format_size(DEAD_PROPERTIES_BYTES_MAX)} in all"
            )
        refuse_beyond(
            self._sql,
            "FROM dead_properties WHERE account_id = :account",
            {"account": account_id},
            most=DEAD_PROPERTIES_OF_ACCOUNT_MAX,
            what="WebDAV properties",
            more=len(after) - len(known),
        )
        self._sql.run_many(
            "INSERT INTO dead_properties (account_id, object_key, namespace, name, value)"
            " VALUES (:account, :object, :namespace, :name, :value)"
            " ON CONFLICT (account_id, object_key, namespace, name) DO UPDATE SET value = excluded.value",
            [{**where, "namespace": one.namespace, "name": one.name, "value": one.value} for one in properties],
        )

    def remove(self, account_id: int, object_key: str, named: Sequence[tuple[str, str]]) -> int:
        lock_account(self._sql, account_id)
        return sum(
            self._sql.run(
                "DELETE FROM dead_properties WHERE account_id = :account AND object_key = :object"
                " AND namespace = :namespace AND name = :name",
                {"account": account_id, "object": raw(object_key), "namespace": namespace, "name": name},
            )
            for namespace, name in named
        )

    def copy(self, account_id: int, copies: Sequence[tuple[str, str]]) -> int:
        lock_account(self._sql, account_id)
        # Few objects have any, so they are looked for all at once.
        known = self.of_objects(account_id, [source for source, _ in copies])
        rows: list[Params] = [
            {
                "account": account_id,
                "object": raw(copy),
                "namespace": one.namespace,
                "name": one.name,
                "value": one.value,
            }
            for source, copy in copies
            for one in known.get(source, ())
        ]
        refuse_beyond(
            self._sql,
            "FROM dead_properties WHERE account_id = :account",
            {"account": account_id},
            most=DEAD_PROPERTIES_OF_ACCOUNT_MAX,
            what="WebDAV properties",
            more=len(rows),
        )
        if rows:
            self._sql.insert_many(
                "INSERT INTO dead_properties (account_id, object_key, namespace, name, value)"
                " VALUES (:account, :object, :namespace, :name, :value)",
                rows,
            )
        return len(rows)
