"""Bounds on the rows of an account: nothing that anybody can ask for grows the database for ever.

The rows are counted when one is added, up to the bound and no further; the bounds are small enough for that. Objects
have a counter instead. The caller holds the account's lock, or the board's.
"""

from skyshelf.storage.errors import LimitReached
from skyshelf.storage.metadata.sql.account_lock import AccountLock
from skyshelf.storage.metadata.sql.quota import SqlQuotas
from skyshelf.storage.metadata.sql.statements import Params, Sql
from skyshelf.wire.limits import OBJECT_QUOTA_BYTES, OBJECTS_ALWAYS


def count(sql: Sql, rows: str, params: Params, most: int) -> int:
    """How many rows `FROM … WHERE …` has, up to the bound."""
    row = sql.one(f"SELECT count(*) FROM (SELECT 1 {rows} LIMIT :bound) k", {**params, "bound": most})
    assert row is not None
    found: int = row[0]
    return found


def refuse_beyond(sql: Sql, rows: str, params: Params, *, most: int, what: str, more: int = 1) -> None:
    """Raise LimitReached if adding `more` rows would exceed the limit."""
    if more and count(sql, rows, params, most) + more > most:
        raise LimitReached(f"There can be at most {most:,} {what}")


def objects_left(sql: Sql, account_id: int, lock: AccountLock, now: int) -> int:
    """How many objects the account may add; the quota is read only when the account is near the fixed limit."""
    if lock.objects < OBJECTS_ALWAYS // 2:
        return OBJECTS_ALWAYS - lock.objects
    return objects_left_of(lock, SqlQuotas(sql).get(account_id, now).allocated)


def objects_left_of(lock: AccountLock, allocated: int) -> int:
    """The same, where the quota is known."""
    return OBJECTS_ALWAYS + allocated // OBJECT_QUOTA_BYTES - lock.objects


def too_many_objects() -> LimitReached:
    return LimitReached("The account has as many files and folders as its quota allows")
