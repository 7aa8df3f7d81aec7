"""An account's lock and counters: one row, taken first by every writer."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec

from skyshelf.storage.errors import AccountMissing
from skyshelf.storage.metadata.alarms.watch import DELETED, MOVED
from skyshelf.storage.metadata.contracts import changes as feed
from skyshelf.storage.metadata.contracts.changes import CREATED
from skyshelf.storage.metadata.contracts.quota import CATEGORIES
from skyshelf.storage.metadata.contracts.tree import ACTIVE, StoredObject
from skyshelf.storage.metadata.history.records import encode_before
from skyshelf.storage.metadata.sql.alarms.counting import counted_watch
from skyshelf.storage.metadata.sql.statements import Params, Sql, raw
from skyshelf.wire.limits import CHANGES_KEPT_MAX

_FORGET_EVERY = 1000
_SECOND_BITS = 20
_SIGNS = {
    feed.TRASHED: DELETED,
    feed.PURGED: DELETED,
    feed.EMPTIED: DELETED,
    feed.RENAMED: MOVED,
    feed.MOVED: MOVED,
}
"""What a change counts as (alarms/watch.py), if nothing else was noted with it."""


class AccountLock(msgspec.Struct, frozen=True):
    """What a writer that holds an account knows of it."""

    change_seq: int
    trash_watermark: int
    objects: int
    watch: bytes | None = None
    """What devices did lately (alarms/watch.py)."""


def lock_account(sql: Sql, account_id: int) -> AccountLock:
    """Hold the account until the transaction ends."""
    row = sql.one(
        "SELECT change_seq, trash_watermark, objects, alarm_watch FROM account_counters WHERE account_id = :account"
        " FOR UPDATE",
        {"account": account_id},
    )
    if row is None:
        raise AccountMissing("no such account")
    return AccountLock(*row)


class Happened(NamedTuple):
    """A change: its kind, its object, and the object as it was, or another record of what was before."""

    kind: str
    object_key: str
    before: StoredObject | bytes | None = None
    sign: str | None = None
    """What it counts as, where the kind does not say it."""
    folder_key: str | None = None
    """The folder that it was in, if that is not said by the object."""

    def row(self, account_id: int, seq: int, now: int, actor: str) -> Params:
        before, folder = self.before, None if self.folder_key is None else raw(self.folder_key)
        if isinstance(before, StoredObject):
            folder = raw(before.parent_key) if before.status == ACTIVE and before.parent_key is not None else None
            before = encode_before(before)
        return {
            "account": account_id,
            "seq": seq,
            "now": now,
            "kind": self.kind,
            "key": raw(self.object_key),
            "actor": actor,
            "before": before,
            "folder": folder,
        }


def record_changes(
    sql: Sql,
    account_id: int,
    lock: AccountLock,
    happened: Iterable[Happened],
    now: int,
    *,
    used: Mapping[str, int] | None = None,
    folders: Iterable[str],
) -> None:
    """Append what happened to the feed. Once per lock: the next number is the lock's.

    `used` is how many bytes came with them, by category; `folders` are those whose entries changed.
    """
    happened = list(happened)
    rows: list[Params] = [
        one.row(account_id, number, now, sql.actor) for number, one in enumerate(happened, start=lock.change_seq + 1)
    ]
    if not rows:
        return
    sql.insert_many(
        "INSERT INTO changes (account_id, seq, at, kind, object_key, actor, before, before_folder)"
        " VALUES (:account, :seq, :now, :kind, :key, :actor, :before, :folder)",
        rows,
    )
    # Every new object is in the feed, so all counters change in one statement.
    newest, created = lock.change_seq + len(rows), sum(row["kind"] == CREATED for row in rows)
    came = {category: size for category, size in (used or {}).items() if size}
    sets = "".join(f", {category}_used = {category}_used + :{category}" for category in CATEGORIES if category in came)
    signs = [sign for one in happened if (sign := one.sign or _SIGNS.get(one.kind)) is not None]
    watch = counted_watch(sql, account_id, lock.watch, signs, seq=newest, now=now)
    counted: Params = {} if watch is None else {"watch": watch}
    sets += "" if watch is None else ", alarm_watch = :watch"
    sql.run(
        f"UPDATE account_counters SET change_seq = :seq, objects = objects + :created{sets}"
        " WHERE account_id = :account",
        {"account": account_id, "seq": newest, "created": created, **came, **counted},
    )
    marked = sorted({raw(folder) for folder in folders})
    if marked:
        mark = newest << _SECOND_BITS | now // 1000 % (1 << _SECOND_BITS)
        sql.insert_many(
            "INSERT INTO folder_marks (account_id, folder_key, mark) VALUES (:account, :folder, :mark)"
            " ON CONFLICT (account_id, folder_key) DO UPDATE SET mark = excluded.mark",
            [{"account": account_id, "folder": folder, "mark": mark} for folder in marked],
        )
    if newest // _FORGET_EVERY > lock.change_seq // _FORGET_EVERY and newest > CHANGES_KEPT_MAX:
        sql.run(
            "DELETE FROM changes WHERE account_id = :account AND seq <= :seq",
            {"account": account_id, "seq": newest - CHANGES_KEPT_MAX},
        )
