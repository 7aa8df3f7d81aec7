"""What WebDAV keeps besides files, in SQL: locks and dead properties."""

from collections.abc import Mapping, Sequence

from msgspec.structs import asdict

from skyshelf.storage.errors import LimitReached, ObjectMissing
from skyshelf.storage.metadata.contracts.tree import DeadProperty, Lock
from skyshelf.storage.metadata.sql import bounds
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.statements import Columns, Expiring, Params, SqlNoun, Value, key_text, raw, replacing
from skyshelf.wire import limits
from skyshelf.wire.sizes import format_size

_LOCK = Columns(Lock)


class SqlLocks(Expiring):
    """Which locks conflict is up to the caller, who holds the account's lock while looking and adding."""

    _table, _key = "locks", "lock_key"

    def hold_account(self, account_id: int) -> None:
        """Take the account's lock: what is read from here on stays so until the transaction ends."""
        lock_account(self._sql, account_id)

    def add(self, account_id: int, lock: Lock, now: int) -> None:
        """ObjectMissing where the account has no such object, LimitReached beyond the most that an account can have."""
        lock_account(self._sql, account_id)
        if not self._sql.exists("objects", account_id=account_id, object_key=raw(lock.object_key)):
            raise ObjectMissing("no such object")
        bounds.refuse(self._sql, account_id, "locks", now=now)
        self._sql.insert("locks", account_id=account_id, **_LOCK.write(lock))

    def of_account(self, account_id: int, now: int) -> list[Lock]:
        """Return all locks that have not expired. One statement, and few rows: most accounts have none."""
        source = "FROM locks WHERE account_id = :account AND expires_at > :now ORDER BY lock_key"
        return _LOCK.all(self._sql, source, {"account": account_id, "now": now})

    def extend(self, account_id: int, lock_key: str, expires_at: int, now: int) -> bool:
        """Let a lock that has not expired last until that time; false where there is none."""
        lock_account(self._sql, account_id)
        live = "account_id = :account AND lock_key = :lock AND expires_at > :now"
        params: Params = {"account": account_id, "lock": raw(lock_key), "expires": expires_at, "now": now}
        return self._sql.run(f"UPDATE locks SET expires_at = :expires WHERE {live}", params) > 0

    def remove(self, account_id: int, lock_keys: Sequence[str]) -> int:
        """Release locks; how many there were."""
        if not lock_keys:
            return 0
        lock_account(self._sql, account_id)
        return self._sql.run(
            "DELETE FROM locks WHERE account_id = :account AND lock_key = ANY_KEY(:locks)",
            {"account": account_id, "locks": [raw(key) for key in lock_keys]},
        )


class SqlDeadProperties(SqlNoun):
    """Properties of visible objects; the caller has looked these up."""

    def of_objects(self, account_id: int, object_keys: Sequence[str]) -> dict[str, list[DeadProperty]]:
        """Return the objects that have some, by key, each list in the order of namespace and name. One statement."""
        rows = self._sql.all(
            "SELECT object_key, namespace, name, value FROM dead_properties"
            " WHERE account_id = :account AND object_key = ANY_KEY(:keys) ORDER BY object_key, namespace, name",
            {"account": account_id, "keys": sorted({raw(key) for key in object_keys})},
        )
        found: dict[str, list[DeadProperty]] = {}
        for key, namespace, name, value in rows:
            found.setdefault(key_text(key), []).append(DeadProperty(namespace, name, value))
        return found

    def sizes(self, account_id: int, object_keys: Sequence[str]) -> dict[str, int]:
        """Return the bytes in the properties of the objects that have some, by key. One statement."""
        rows = self._sql.all(
            "SELECT object_key, sum(octet_length(value)) FROM dead_properties"
            " WHERE account_id = :account AND object_key = ANY_KEY(:keys) GROUP BY object_key",
            {"account": account_id, "keys": sorted({raw(key) for key in object_keys})},
        )
        return {key_text(key): size for key, size in rows}

    def any_of(self, account_id: int) -> bool:
        """Return whether the account has any at all; one look at an index."""
        return self._sql.exists("dead_properties", account_id=account_id)

    def set(self, account_id: int, object_key: str, properties: Sequence[DeadProperty]) -> None:
        """Set properties; others stay. ObjectMissing where the account has no such object, LimitReached beyond the
        most that an object or the account can have."""
        lock_account(self._sql, account_id)
        if not self._sql.exists("objects", account_id=account_id, object_key=raw(object_key)):
            raise ObjectMissing("no such object")
        known = self.of_objects(account_id, [object_key]).get(object_key, [])
        after = {(one.namespace, one.name): one.value for one in (*known, *properties)}
        if len(after) > limits.DEAD_PROPERTIES_MAX:
            raise LimitReached(f"A file or folder can have at most {limits.DEAD_PROPERTIES_MAX:,} WebDAV properties")
        if sum(len(value.encode()) for value in after.values()) > limits.DEAD_PROPERTIES_BYTES_MAX:
            most = format_size(limits.DEAD_PROPERTIES_BYTES_MAX)
            raise LimitReached(f"The WebDAV properties of a file or folder can have {most} in all")
        before = {(one.namespace, one.name): one.value for one in known}
        self._refuse_more(account_id, len(after) - len(known), _bytes(after) - _bytes(before))
        latest = replacing("account_id, object_key, namespace, name", "value")
        owner: dict[str, Value] = {"account_id": account_id, "object_key": raw(object_key)}
        last = {(one.namespace, one.name): one for one in properties}
        self._sql.insert_rows("dead_properties", [owner | asdict(one) for one in last.values()], latest)

    def _refuse_more(self, account_id: int, more: int, size: int) -> None:
        bounds.refuse(self._sql, account_id, "properties", more=more)
        bounds.refuse(self._sql, account_id, "propertyBytes", more=size)

    def remove(self, account_id: int, object_key: str, named: Sequence[tuple[str, str]]) -> int:
        """Remove properties by namespace and name; how many there were."""
        lock_account(self._sql, account_id)
        return sum(
            self._sql.delete(
                "dead_properties", account_id=account_id, object_key=raw(object_key), namespace=namespace, name=name
            )
            for namespace, name in named
        )

    def copy(self, account_id: int, copies: Sequence[tuple[str, str]]) -> int:
        """Give the second object of each pair, which is new, the properties of the first; how many were copied."""
        lock_account(self._sql, account_id)
        # Few objects have any, so they are looked for all at once.
        known = self.of_objects(account_id, [source for source, _ in copies])
        rows: list[Params] = [
            {"account_id": account_id, "object_key": raw(copy), **asdict(one)}
            for source, copy in copies
            for one in known.get(source, ())
        ]
        sizes = {key: _bytes({(one.namespace, one.name): one.value for one in found}) for key, found in known.items()}
        self._refuse_more(account_id, len(rows), sum(sizes.get(source, 0) for source, _ in copies))
        self._sql.insert_rows("dead_properties", rows)
        return len(rows)


def _bytes(properties: Mapping[tuple[str, str], str]) -> int:
    return sum(len("".join((*name, value)).encode()) for name, value in properties.items())


# The limit `one = 1` is explained in visibility.py. CROSS JOIN is SQLite's word for "in this order".
_NEWEST = (
    "WITH RECURSIVE below (top, folder_key, one) AS (SELECT o.object_key, o.object_key, 1 FROM objects o"
    " WHERE o.account_id = :account AND o.object_key = ANY_KEY(:keys)"
    " UNION ALL SELECT below.top, o.object_key, 1 FROM below CROSS JOIN objects o WHERE o.account_id = :account"
    " AND o.parent_key = below.folder_key AND o.status = 'A' AND o.kind = 0 AND below.one = 1)"
    " SELECT below.top, max(m.mark) FROM below CROSS JOIN folder_marks m"
    " WHERE m.account_id = :account AND m.folder_key = below.folder_key GROUP BY below.top"
)


class SqlFolderMarks(SqlNoun):
    """Every change of the feed marks the folder that it happens in, in the same transaction."""

    def newest(self, account_id: int, folder_keys: Sequence[str]) -> dict[str, int]:
        """Return the mark of the newest change in each of these folders, or in a folder below it that can be seen.

        A folder without any change since marks exist is missing. The mark of a folder never falls, and grows with
        everything that is made, changed, moved, trashed or restored below it. One statement, whose cost is the number
        of folders below.
        """
        if not folder_keys:
            return {}
        keys = sorted({raw(key) for key in folder_keys})
        rows = self._sql.all(_NEWEST, {"account": account_id, "keys": keys})
        return {key_text(key): mark for key, mark in rows}
