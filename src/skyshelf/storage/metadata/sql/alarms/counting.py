"""Counting what devices do, as part of the change itself, and raising alarms."""

from collections.abc import Sequence
from typing import Final

import msgspec

from skyshelf.storage.errors import SessionPaused
from skyshelf.storage.metadata.alarms.contract import LIMIT_SETTING, OPEN, RAISED, TELL_OWNER
from skyshelf.storage.metadata.alarms.watch import (
    Counts,
    Device,
    counted,
    counts_of,
    decode_watch,
    device_in,
    encode_watch,
    is_paused,
)
from skyshelf.storage.metadata.sql.jobs import SqlOutbox
from skyshelf.storage.metadata.sql.statements import Sql
from skyshelf.wire.limits import ALARM_LIMIT_DEFAULT, ALARM_LIMIT_MIN

_KEPT: Final = 100
"""Alarms that are kept of an account."""


def refuse_paused(sql: Sql, stored: bytes | None) -> None:
    """SessionPaused for a device that waits for its owner's decision."""
    if is_paused(stored, sql.actor):
        raise SessionPaused("the device has raised an alarm, and nobody has decided yet")


def counted_watch(
    sql: Sql, account_id: int, stored: bytes | None, signs: Sequence[str], *, seq: int, now: int
) -> bytes | None:
    """The counts of an account with what was just done; None where nothing changes. `seq` is the newest change."""
    device_key = device_in(sql.actor) if signs else None
    if device_key is None:
        return None
    watch = decode_watch(stored)
    known = watch.device(device_key)
    if known is not None and known.allowed_until > now:
        return None
    device = counted(watch, device_key, counts_of(signs), now)
    total = device.total()
    if total.points >= ALARM_LIMIT_MIN and not device.alarm:
        limit = operator_limit(sql) if watch.limit is None else watch.limit
        if 0 < limit <= total.points:
            device.alarm = seq
            _raise(sql, account_id, device, total, now)
    return encode_watch(watch)


def operator_limit(sql: Sql) -> int:
    row = sql.one("SELECT value FROM settings WHERE name = :name", {"name": LIMIT_SETTING})
    return ALARM_LIMIT_DEFAULT if row is None else int(bytes(row[0]))


def _raise(sql: Sql, account_id: int, device: Device, total: Counts, now: int) -> None:
    sql.run(
        "INSERT INTO alarms (account_id, number, device_key, raised_at, since, deleted, overwritten, moved, scrambled,"
        " state, decided_at, decided_by) VALUES (:account, :number, :device, :now, :since, :deleted, :overwritten,"
        " :moved, :scrambled, :state, 0, '')",
        {
            "account": account_id,
            "number": device.alarm,
            "device": device.device_key,
            "now": now,
            "since": device.since,
            "deleted": total.deleted,
            "overwritten": total.overwritten,
            "moved": total.moved,
            "scrambled": total.scrambled,
            "state": OPEN,
        },
    )
    sql.run(
        "DELETE FROM alarms WHERE account_id = :account AND state <> :open AND number <= (SELECT a.number FROM alarms a"
        " WHERE a.account_id = :account ORDER BY a.number DESC LIMIT 1 OFFSET :kept)",
        {"account": account_id, "open": OPEN, "kept": _KEPT},
    )
    details = {
        "deleted": total.deleted,
        "overwritten": total.overwritten,
        "moved": total.moved,
        "scrambled": total.scrambled,
    }
    sql.run(
        "INSERT INTO audit_events (happened_at, kind, account_key, actor, address, device_key, object_key, link_key,"
        " times, details) VALUES (:now, :kind, (SELECT a.account_key FROM accounts a WHERE a.account_id = :account),"
        " '', '', :device, '', '', 1, :details)",
        {
            "now": now,
            "kind": RAISED,
            "account": account_id,
            "device": device.device_key,
            "details": msgspec.json.encode(details).decode(),
        },
    )
    SqlOutbox(sql).put(TELL_OWNER, str(account_id), b"", now)
