"""An account's lock and counters: one row, taken first by every writer; and what devices do, counted with it."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from skyshelf.storage.errors import AccountMissing, LimitReached, Missing, SessionPaused
from skyshelf.storage.metadata import alarms
from skyshelf.storage.metadata.audit_events import AuditEvent
from skyshelf.storage.metadata.contracts import changes as feed
from skyshelf.storage.metadata.contracts.accounts import CATEGORIES
from skyshelf.storage.metadata.contracts.changes import CREATED
from skyshelf.storage.metadata.contracts.tree import ACTIVE, StoredObject
from skyshelf.storage.metadata.history.records import encode_before
from skyshelf.storage.metadata.sql.audit import SqlAudit
from skyshelf.storage.metadata.sql.held import NOT_HELD
from skyshelf.storage.metadata.sql.jobs import SqlOutbox
from skyshelf.storage.metadata.sql.leave import Toll, take_leave
from skyshelf.storage.metadata.sql.statements import Columns, Params, Sql, SqlNoun, raw, replacing, required
from skyshelf.wire.limits import (
    ALARM_CALL_POINTS_MAX,
    ALARM_LIMIT_DEFAULT,
    ALARM_LIMIT_MIN,
    CHANGE_QUOTA_BYTES,
    CHANGES_ALWAYS,
    CHANGES_KEPT_MAX,
    PROOF_BYTES_ALWAYS,
    PROOF_CHANGE_BYTES,
    PROOF_QUOTA_SHARE,
)

_FORGET_EVERY = 1000
_SECOND_BITS = 20
_SIGNS = {
    feed.TRASHED: alarms.DELETED,
    feed.PURGED: alarms.PURGED,
    feed.EMPTIED: alarms.EMPTIED,
    feed.RENAMED: alarms.MOVED,
    feed.MOVED: alarms.MOVED,
    feed.FAVORITE: alarms.MARKED,
}
"""What a change counts as (alarms.py), if nothing else was noted with it."""


class AccountLock(msgspec.Struct, frozen=True):
    """What a writer that holds an account knows of it."""

    change_seq: int
    trash_watermark: int
    objects: int
    watch: bytes | None = None
    """What devices did lately (alarms.py)."""
    history_floor: int = 0
    """The newest change that history no longer needs."""
    space: int = 0
    """The quota without promotions, which end."""
    held_at: int = 0
    """When a legal hold began (held.py); 0 without one."""


LOCK_COLUMNS = (
    "c.change_seq, c.trash_watermark, c.objects, c.alarm_watch, c.history_floor,"
    " (SELECT q.default_space + q.paid_space FROM accounts q WHERE q.account_id = c.account_id),"
    " c.held_at"
)
"""The columns of AccountLock, of account_counters as c."""


def lock_account(sql: Sql, account_id: int, *, even_paused: bool = False, even_full: bool = False) -> AccountLock:
    """Hold the account until the transaction ends, for a device unless it is paused or history is full."""
    row = sql.one(
        f"SELECT {LOCK_COLUMNS} FROM account_counters c WHERE c.account_id = :account FOR UPDATE",
        {"account": account_id},
    )
    lock = AccountLock(*required(row, AccountMissing("no such account")))
    if not even_paused:
        check_device(sql, lock, even_full=even_full)
    return lock


def counted_device(sql: Sql) -> str | None:
    """Return the device for which alarms count: the actor's, or the one that made its delegation."""
    if sql.leave is not None and sql.leave.maker:
        return sql.leave.maker
    return alarms.device_in(sql.actor)


def check_device(sql: Sql, lock: AccountLock, *, even_full: bool = False) -> None:
    """Refuse a device that is paused, or one that would have to push out changes which history needs.

    Otherwise, anyone who has a session for a few minutes could end the past by changes that mean nothing. The service
    itself goes on: it ends what was begun, and deletes what is due.
    """
    if alarms.is_paused(lock.watch, counted_device(sql)) and not sql.has_raised:
        raise SessionPaused("the device has raised an alarm, and nobody has decided yet")
    if even_full or counted_device(sql) is None:
        return
    if lock.change_seq * PROOF_CHANGE_BYTES >= (allowed := proof_bytes_allowed(lock.space)):
        raise LimitReached(
            f"the account's proof of history is full, with {allowed // PROOF_CHANGE_BYTES:,} changes ever: ask the"
            " operator for more quota"
        )
    most = changes_allowed(lock.space)
    if lock.change_seq - lock.history_floor >= most:
        raise LimitReached(
            f"the account's history is full, with {most:,} changes: forget it, keep it for fewer days, or wait until"
            " its oldest days are over"
        )


def changes_allowed(space: int) -> int:
    """Return how many changes an account with so much quota may keep."""
    return min(CHANGES_KEPT_MAX, CHANGES_ALWAYS + space // CHANGE_QUOTA_BYTES)


def proof_bytes_allowed(space: int) -> int:
    """Return how many bytes the proof of its history may have, which nothing makes smaller."""
    return PROOF_BYTES_ALWAYS + space // PROOF_QUOTA_SHARE


class NewChange(NamedTuple):
    """A change: its kind, its object, and the object as it was, or another record of what was before."""

    kind: str
    object_key: str
    before: StoredObject | bytes | None = None
    sign: str | None = None
    """What it counts as, where the kind does not say it."""
    folder_key: str | None = None
    """The folder that it was in, if that is not said by the object."""
    times: int = 1
    """How often it was made in a row, or how many objects a folder takes with it; each counts."""
    takes: int = 1
    """How many objects a folder takes with it, where `times` does not say it."""

    def signs(self) -> Iterator[tuple[str, int]]:
        """Yield what it counts as, and how often."""
        sign = self.sign or _SIGNS.get(self.kind)
        if sign is not None:
            first = min(self.times, ALARM_CALL_POINTS_MAX) if sign == alarms.REPLACED else self.times
            yield from ((sign, first), (alarms.BELOW, self.times - first))

    def leave(self) -> Toll:
        """Return what it takes of a leave."""
        parent = self.before.parent_key if isinstance(self.before, StoredObject) else None
        return Toll(self.kind, parent, max(self.times, self.takes))

    def row(self, account_id: int, seq: int, now: int, actor: str) -> Params:
        before, folder = self.before, None if self.folder_key is None else raw(self.folder_key)
        if isinstance(before, StoredObject):
            folder = raw(before.parent_key) if before.status == ACTIVE and before.parent_key is not None else None
            before = encode_before(before)
        return {
            "account_id": account_id,
            "seq": seq,
            "at": now,
            "kind": self.kind,
            "object_key": raw(self.object_key),
            "actor": actor,
            "before": before,
            "before_folder": folder,
        }


def record_changes(
    sql: Sql,
    account_id: int,
    lock: AccountLock,
    happened: Iterable[NewChange],
    now: int,
    *,
    used: Mapping[str, int] | None = None,
    folders: Collection[str],
    last_name: str = "",
) -> None:
    """Append what happened to the feed. Once per lock: the next number is the lock's.

    `used` is how many bytes came with them, by category; `folders` are those whose entries changed; `last_name` is the
    name that a file got last.
    """
    happened = list(happened)
    if sql.leave is not None:
        taken = [one.leave() for one in happened]
        take_leave(sql, account_id, taken, now, folders=folders, used=used or {})
    rows: list[Params] = [
        one.row(account_id, number, now, sql.actor) for number, one in enumerate(happened, start=lock.change_seq + 1)
    ]
    if not rows:
        return
    sql.insert_rows("changes", rows)
    # Every new object is in the feed, so all counters change in one statement.
    newest, created = lock.change_seq + len(rows), sum(row["kind"] == CREATED for row in rows)
    came = {category: size for category, size in (used or {}).items() if size}
    sets = "".join(f", {category}_used = {category}_used + :{category}" for category in CATEGORIES if category in came)
    call = Counter[str]()
    for one in happened:
        for sign, times in one.signs():
            call[sign] += times
    watch = counted_watch(sql, account_id, lock.watch, call, seq=newest, now=now, last_name=last_name)
    counted: Params = {} if watch is None else {"watch": watch}
    sets += "" if watch is None else ", alarm_watch = :watch"
    sql.run(
        f"UPDATE account_counters SET change_seq = :seq, objects = objects + :created{sets}"
        " WHERE account_id = :account",
        {"account": account_id, "seq": newest, "created": created, **came, **counted},
    )
    mark = newest << _SECOND_BITS | now // 1000 % (1 << _SECOND_BITS)
    marked = sorted({raw(folder) for folder in folders})
    marks: list[Params] = [{"account_id": account_id, "folder_key": folder, "mark": mark} for folder in marked]
    sql.insert_rows("folder_marks", marks, replacing("account_id, folder_key", "mark"))
    most = changes_allowed(lock.space)
    if newest // _FORGET_EVERY > lock.change_seq // _FORGET_EVERY and newest > most and not lock.held_at:
        sql.run(
            "DELETE FROM changes WHERE account_id = :account AND seq <= :seq",
            {"account": account_id, "seq": min(newest - most, lock.history_floor)},
        )


def count_signs(sql: Sql, account_id: int, signs: Sequence[str], now: int) -> None:
    """Count what a device does that is no change of the feed, such as tags that it gives or takes.

    The caller holds the account, and has checked the device.
    """
    if not signs or counted_device(sql) is None:
        return
    lock = lock_account(sql, account_id, even_paused=True)
    watch = counted_watch(sql, account_id, lock.watch, Counter(signs), seq=lock.change_seq, now=now)
    if watch is not None:
        sql.update("account_counters", {"alarm_watch": watch}, account_id=account_id)


_ALARM = Columns(alarms.Alarm)
_SHOWN: Final = ("deleted", "overwritten", "moved", "scrambled", "marked")
_NAME_KEPT: Final = 32
_KEPT: Final = 100
"""Alarms that are kept of an account, and shown."""


def counted_watch(
    sql: Sql,
    account_id: int,
    stored: bytes | None,
    call: Mapping[str, int],
    *,
    seq: int,
    now: int,
    last_name: str = "",
) -> bytes | None:
    """The counts of an account with what was just done; None where nothing changes. `seq` is the newest change."""
    device_key = counted_device(sql) if call else None
    if device_key is None:
        return None
    watch = alarms.decode_watch(stored)
    known = watch.device(device_key)
    if known is not None and known.allowed_until > now:
        return None
    device = alarms.counted(watch, device_key, call, now)
    device.renamed = last_name[:_NAME_KEPT] or device.renamed
    standing = device.standing(now)
    if not device.alarm and standing.reaches(ALARM_LIMIT_MIN):
        limit = operator_limit(sql) if watch.limit is None else watch.limit
        if standing.reaches(limit):
            # Tags and contacts change without a change of the feed.
            latest = "SELECT coalesce(max(number), 0) FROM alarms WHERE account_id = :account"
            device.alarm = max(seq, sql.number(latest, {"account": account_id}) + 1)
            is_fast = standing._replace(day=alarms.Counts()).reaches(limit)
            counts, since = (standing.lately, device.since) if is_fast else (standing.day, device.quarters[0][0])
            _raise(sql, account_id, device, counts, since=since, now=now)
    return alarms.encode_watch(watch)


class Meter:
    """What a batch counts so far. The change that reaches the limit is its last: the rest is SessionPaused."""

    def __init__(self, sql: Sql, lock: AccountLock, now: int) -> None:
        self._sql = sql
        watch = alarms.decode_watch(lock.watch)
        device_key = counted_device(sql) or ""
        device = watch.device(device_key) or alarms.Device(device_key, now, [])
        self.counts = device_key != "" and device.allowed_until <= now
        self._limit = watch.limit
        self._standing = device.standing(now)
        self._calls: dict[str, Counter[str]] = {}
        self._call = Counter[str]()
        self.last_name = device.renamed
        self.is_full = False

    def add(self, change: NewChange) -> None:
        if not self.counts:
            return
        for sign, times in change.signs():
            self._calls.setdefault(change.object_key, Counter())[sign] += times
            self._call[sign] += times
        points = self._standing.judged(self._call).points
        if self._standing.reaches(ALARM_LIMIT_MIN, points):
            if self._limit is None:
                self._limit = operator_limit(self._sql)
            self.is_full = self._standing.reaches(self._limit, points)

    def forget(self, object_key: str) -> None:
        """Drop what was done to an object that is as it was."""
        self._call.subtract(self._calls.pop(object_key, Counter()))

    def is_unlike(self, name: str, new_name: str) -> bool:
        """Return whether a file's new name is like neither its old one nor the one given before."""
        last, self.last_name = self.last_name, new_name
        return bool(last) and alarms.is_unlike(name, new_name) and alarms.is_unlike(last, new_name)


def operator_limit(sql: Sql) -> int:
    stored = sql.value("SELECT value FROM settings WHERE name = :name", {"name": alarms.LIMIT_SETTING})
    return ALARM_LIMIT_DEFAULT if stored is None else int(bytes(stored))


def _raise(sql: Sql, account_id: int, device: alarms.Device, counts: alarms.Counts, *, since: int, now: int) -> None:
    counted = {name: getattr(counts, name) for name in _SHOWN}
    alarm = alarms.Alarm(
        number=device.alarm,
        device_key=device.device_key,
        raised_at=now,
        since=since,
        state=alarms.OPEN,
        **counted,
    )
    sql.insert("alarms", account_id=account_id, **_ALARM.write(alarm))
    sql.run(
        "DELETE FROM alarms WHERE account_id = :account AND state <> :open AND number <= (SELECT a.number FROM alarms a"
        f" WHERE a.account_id = :account ORDER BY a.number DESC LIMIT 1 OFFSET :kept) AND {NOT_HELD.format('alarms')}",
        {"account": account_id, "open": alarms.OPEN, "kept": _KEPT},
    )
    raised = AuditEvent(
        kind=alarms.RAISED, at=now, account_id=account_id, device_key=device.device_key, details=counted
    )
    SqlAudit(sql).add([raised])
    SqlOutbox(sql).put(alarms.TELL_OWNER, str(account_id), b"", now)
    sql.has_raised = True


class SqlAlarms(SqlNoun):
    """Changes that delete, replace, rename or move are counted by device, in the transaction that makes them. A device
    that reaches the limit raises an alarm, and what it tries next of these is SessionPaused, until that is decided."""

    def of_account(self, account_id: int) -> list[alarms.Alarm]:
        """Return the latest alarms, newest first."""
        source = "FROM alarms WHERE account_id = :account ORDER BY number DESC LIMIT :limit"
        return _ALARM.all(self._sql, source, {"account": account_id, "limit": _KEPT})

    def decide(
        self, account_id: int, device_key: str, state: str, now: int, *, by: str, allowed_until: int = 0
    ) -> alarms.Alarm:
        """End the pause of a device; until the given time, nothing of it counts. Missing where it is not paused."""
        watch = alarms.decode_watch(lock_account(self._sql, account_id, even_paused=True).watch)
        device = watch.device(device_key)
        if device is None or not device.alarm:
            raise Missing("the device is not paused")
        row = self._sql.only(
            "UPDATE alarms SET state = :state, decided_at = :now, decided_by = :by WHERE account_id = :account"
            f" AND number = :number RETURNING {_ALARM.text}",
            {"account": account_id, "number": device.alarm, "state": state, "now": now, "by": by},
        )
        device.alarm, device.allowed_until, device.minutes, device.quarters = 0, allowed_until, [], []
        self._write(account_id, watch)
        return _ALARM.read(row)

    def is_paused(self, account_id: int, device_key: str) -> bool:
        """Return whether a device waits for a decision."""
        device = self._watch(account_id).device(device_key)
        return device is not None and device.alarm > 0

    def paused_since(self, account_id: int, device_key: str) -> int:
        """Return when a device that waits for a decision began with what raised the alarm; 0 for any other."""
        of_device = "SELECT since FROM alarms WHERE account_id = :account AND device_key = :device AND state = :open"
        return int(self._sql.value(of_device, {"account": account_id, "device": device_key, "open": alarms.OPEN}) or 0)

    def refuse_paused(self, account_id: int) -> None:
        """SessionPaused if the device that acts in this unit waits for a decision; holds the account."""
        lock_account(self._sql, account_id)

    def rule(self, account_id: int) -> alarms.AlarmRule:
        """Return the limit that holds for an account."""
        own = self._watch(account_id).limit
        return alarms.AlarmRule(operator_limit(self._sql) if own is None else own, own)

    def set_limit(self, account_id: int, limit: int | None) -> None:
        """The account's own limit, 0 for none, or None for the operator's."""
        watch = alarms.decode_watch(lock_account(self._sql, account_id, even_paused=True).watch)
        watch.limit = limit
        self._write(account_id, watch)

    def _watch(self, account_id: int) -> alarms.Watch:
        stored = "SELECT alarm_watch FROM account_counters WHERE account_id = :account"
        return alarms.decode_watch(self._sql.value(stored, {"account": account_id}))

    def _write(self, account_id: int, watch: alarms.Watch) -> None:
        self._sql.update("account_counters", {"alarm_watch": alarms.encode_watch(watch)}, account_id=account_id)
