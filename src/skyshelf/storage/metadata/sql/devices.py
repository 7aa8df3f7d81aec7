"""Devices in SQL."""

from skyshelf.storage.metadata.devices import Device, NewDevice
from skyshelf.storage.metadata.sql.locks import lock_account
from skyshelf.storage.metadata.sql.statements import Sql

COLUMNS = ("account_id", "device_key", "device_name", "device_type", "platform_type", "created_at", "last_seen_at")
_COLUMNS = ", ".join(COLUMNS)


class SqlDevices:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def register(self, account_id: int, device: NewDevice, now: int) -> Device:
        lock_account(self._sql, account_id)
        end_session(self._sql, account_id, device.device_key)
        row = self._sql.one(
            f"INSERT INTO devices ({_COLUMNS}) VALUES (:account, :device, :name, :type, :platform, :now, :now)"
            " ON CONFLICT (account_id, device_key) DO UPDATE SET device_name = excluded.device_name,"
            " device_type = excluded.device_type, platform_type = excluded.platform_type,"
            f" last_seen_at = excluded.last_seen_at RETURNING {_COLUMNS}",
            {
                "account": account_id,
                "device": device.device_key,
                "name": device.device_name,
                "type": device.device_type,
                "platform": device.platform_type,
                "now": now,
            },
        )
        assert row is not None
        return Device(*row)

    def of_account(self, account_id: int) -> list[Device]:
        rows = self._sql.all(
            f"SELECT {_COLUMNS} FROM devices WHERE account_id = :account ORDER BY created_at, device_key",
            {"account": account_id},
        )
        return [Device(*row) for row in rows]

    def remove(self, account_id: int, device_key: str) -> bool:
        lock_account(self._sql, account_id)
        end_session(self._sql, account_id, device_key)
        gone = self._sql.run(
            "DELETE FROM devices WHERE account_id = :account AND device_key = :device",
            {"account": account_id, "device": device_key},
        )
        return bool(gone)

    def sweep(self, seen_before: int, limit: int) -> int:
        # A login writes its device's row before its session: so a device that is locked here stays without one.
        rows = self._sql.all(
            "SELECT d.account_id, d.device_key FROM devices d WHERE d.last_seen_at < :before AND NOT EXISTS"
            " (SELECT 1 FROM sessions s WHERE s.account_id = d.account_id AND s.device_key = d.device_key)"
            " ORDER BY d.last_seen_at LIMIT :limit FOR UPDATE SKIP LOCKED",
            {"before": seen_before, "limit": limit},
        )
        self._sql.run_many(
            "DELETE FROM devices WHERE account_id = :account AND device_key = :device",
            [{"account": account_id, "device": device} for account_id, device in rows],
        )
        return len(rows)


def end_session(sql: Sql, account_id: int, device_key: str) -> bool:
    """End the session of a device; its nonces go with it. The caller holds the account's lock."""
    return bool(
        sql.run(
            "DELETE FROM sessions WHERE account_id = :account AND device_key = :device",
            {"account": account_id, "device": device_key},
        )
    )
