"""Alarms in SQL."""

from typing import Final

from skyshelf.storage.errors import Missing
from skyshelf.storage.metadata.alarms.contract import Alarm, AlarmRule
from skyshelf.storage.metadata.alarms.watch import Watch, decode_watch, encode_watch
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.alarms.counting import operator_limit, refuse_paused
from skyshelf.storage.metadata.sql.statements import Row, Sql

_COLUMNS: Final = (
    "number, device_key, raised_at, since, deleted, overwritten, moved, scrambled, state, decided_at, decided_by"
)
_SHOWN: Final = 100


class SqlAlarms:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def of_account(self, account_id: int) -> list[Alarm]:
        rows = self._sql.all(
            f"SELECT {_COLUMNS} FROM alarms WHERE account_id = :account ORDER BY number DESC LIMIT :limit",
            {"account": account_id, "limit": _SHOWN},
        )
        return [_alarm(row) for row in rows]

    def decide(
        self, account_id: int, device_key: str, state: str, now: int, *, by: str, allowed_until: int = 0
    ) -> Alarm:
        watch = decode_watch(lock_account(self._sql, account_id).watch)
        device = watch.device(device_key)
        if device is None or not device.alarm:
            raise Missing("the device is not paused")
        row = self._sql.one(
            "UPDATE alarms SET state = :state, decided_at = :now, decided_by = :by WHERE account_id = :account"
            f" AND number = :number RETURNING {_COLUMNS}",
            {"account": account_id, "number": device.alarm, "state": state, "now": now, "by": by},
        )
        assert row is not None
        device.alarm, device.allowed_until, device.minutes = 0, allowed_until, []
        self._write(account_id, watch)
        return _alarm(row)

    def is_paused(self, account_id: int, device_key: str) -> bool:
        device = self._watch(account_id).device(device_key)
        return device is not None and device.alarm > 0

    def refuse_paused(self, account_id: int) -> None:
        refuse_paused(self._sql, lock_account(self._sql, account_id).watch)

    def rule(self, account_id: int) -> AlarmRule:
        own = self._watch(account_id).limit
        return AlarmRule(operator_limit(self._sql) if own is None else own, own)

    def set_limit(self, account_id: int, limit: int | None) -> None:
        watch = decode_watch(lock_account(self._sql, account_id).watch)
        watch.limit = limit
        self._write(account_id, watch)

    def _watch(self, account_id: int) -> Watch:
        row = self._sql.one(
            "SELECT alarm_watch FROM account_counters WHERE account_id = :account", {"account": account_id}
        )
        return decode_watch(None if row is None else row[0])

    def _write(self, account_id: int, watch: Watch) -> None:
        self._sql.run(
            "UPDATE account_counters SET alarm_watch = :watch WHERE account_id = :account",
            {"account": account_id, "watch": encode_watch(watch)},
        )


def _alarm(row: Row) -> Alarm:
    number, device_key, raised_at, since, deleted, overwritten, moved, scrambled, state, decided_at, decided_by = row
    return Alarm(
        number=number,
        device_key=device_key,
        raised_at=raised_at,
        since=since,
        deleted=deleted,
        overwritten=overwritten,
        moved=moved,
        scrambled=scrambled,
        state=state,
        decided_at=decided_at,
        decided_by=decided_by,
    )
