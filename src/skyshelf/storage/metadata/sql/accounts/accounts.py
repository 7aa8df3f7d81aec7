"""Accounts in SQL."""

from skyshelf.storage.errors import AccountMissing, EmailTaken
from skyshelf.storage.metadata.contracts.accounts import ACTIVE, GOING, Account, Device, NewAccount, NewDevice
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.accounts.removal import remove_some
from skyshelf.storage.metadata.sql.statements import Row, Sql, key_text, raw
from skyshelf.storage.metadata.sql.tree.objects import insert_object, new_folder
from skyshelf.wire.limits import DEVICES_MAX

ACCOUNT_COLUMNS = (
    "account_id",
    "account_key",
    "root_key",
    "email",
    "first_name",
    "last_name",
    "password_hash",
    "status",
    "auth_provider_id",
    "mobile_number",
    "is_mobile_verified",
    "is_email_verified",
    "default_space",
    "paid_space",
    "created_at",
    "updated_at",
    "delete_at",
    "is_operator",
)
_COLUMNS = ", ".join(ACCOUNT_COLUMNS)

# An account that is being removed cannot be changed.
_STAYS = f" AND status <> '{GOING}'"


def account_from(row: Row) -> Account:
    """The account of a row with ACCOUNT_COLUMNS."""
    rest = [*row[3:10], *map(bool, row[10:12]), *row[12:17], bool(row[17])]
    return Account(row[0], key_text(row[1]), key_text(row[2]), *rest)


class SqlAccounts:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def add(self, account: NewAccount, now: int) -> Account:
        added = self._sql.one(
            "INSERT INTO accounts (account_key, root_key, email, email_folded, first_name, last_name, password_hash,"
            " status, auth_provider_id, mobile_number, is_mobile_verified, is_email_verified, default_space,"
            " paid_space, created_at, updated_at) VALUES (:key, :root, :email, :folded, :first, :last, :password,"
            " :status, 1, :mobile, 0, 1, :default_space, :paid_space, :now, :now)"
            f" ON CONFLICT (email_folded) DO NOTHING RETURNING {_COLUMNS}",
            {
                "key": raw(account.account_key),
                "root": raw(account.root_key),
                "email": account.email,
                "folded": account.email.casefold(),
                "first": account.first_name,
                "last": account.last_name,
                "password": account.password_hash,
                "status": ACTIVE,
                "mobile": account.mobile_number,
                "default_space": account.default_space,
                "paid_space": account.paid_space,
                "now": now,
            },
        )
        if added is None:
            raise EmailTaken(f"an account has the address {account.email}")
        result = account_from(added)
        self._sql.run(
            "INSERT INTO account_counters (account_id, change_seq, trash_watermark, document_used, photo_used,"
            " video_used, audio_used, reserved) VALUES (:account, 0, 0, 0, 0, 0, 0, 0)",
            {"account": result.account_id},
        )
        insert_object(self._sql, new_folder(result.account_id, result.root_key, None, "root", now))
        return result

    def by_key(self, account_key: str) -> Account:
        return self._one("account_key = :value", raw(account_key))

    def by_email(self, email: str) -> Account:
        return self._one("email_folded = :value", email.casefold())

    def by_id(self, account_id: int) -> Account:
        return self._one("account_id = :value", account_id)

    def list(self, *, after_id: int = 0, limit: int = 1000) -> list[Account]:
        rows = self._sql.all(
            f"SELECT {_COLUMNS} FROM accounts WHERE account_id > :after ORDER BY account_id LIMIT :limit",
            {"after": after_id, "limit": limit},
        )
        return [account_from(row) for row in rows]

    def count(self) -> int:
        row = self._sql.one("SELECT count(*) FROM accounts")
        assert row is not None
        number: int = row[0]
        return number

    def set_password(self, account_id: int, password_hash: str, now: int) -> None:
        self._set("password_hash = :value", account_id, now, value=password_hash)

    def set_status(self, account_id: int, status: str, now: int) -> None:
        self._set("status = :value", account_id, now, condition=_STAYS, value=status)

    def set_space(self, account_id: int, *, default_space: int, paid_space: int, now: int) -> None:
        self._set(
            "default_space = :default, paid_space = :paid",
            account_id,
            now,
            default=default_space,
            paid=paid_space,
        )

    def set_names(self, account_id: int, *, first_name: str, last_name: str, now: int) -> None:
        self._set("first_name = :first, last_name = :last", account_id, now, first=first_name, last=last_name)

    def set_deletion(self, account_id: int, delete_at: int, now: int) -> None:
        self._set("delete_at = :value", account_id, now, condition=_STAYS, value=delete_at)

    def close_due(self, account_id: int, now: int) -> bool:
        closed = self._sql.run(
            "UPDATE accounts SET status = :going, updated_at = :now WHERE account_id = :account AND delete_at > 0"
            " AND delete_at <= :now",
            {"account": account_id, "now": now, "going": GOING},
        )
        return bool(closed)

    def remove_some(self, account_id: int, limit: int, now: int) -> bool:
        return remove_some(self._sql, account_id, limit, now)

    def _one(self, condition: str, value: str | int | bytes) -> Account:
        row = self._sql.one(f"SELECT {_COLUMNS} FROM accounts WHERE {condition}", {"value": value})
        if row is None:
            raise AccountMissing("no such account")
        return account_from(row)

    def _set(self, assignment: str, account_id: int, now: int, *, condition: str = "", **values: str | int) -> None:
        changed = self._sql.run(
            f"UPDATE accounts SET {assignment}, updated_at = :now WHERE account_id = :account{condition}",
            {"account": account_id, "now": now, **values},
        )
        if not changed:
            raise AccountMissing("no such account")


# Devices in SQL.

COLUMNS = ("account_id", "device_key", "device_name", "device_type", "platform_type", "created_at", "last_seen_at")
_DEVICE_COLUMNS = ", ".join(COLUMNS)


class SqlDevices:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def register(self, account_id: int, device: NewDevice, now: int) -> Device:
        lock_account(self._sql, account_id)
        end_session(self._sql, account_id, device.device_key)
        row = self._sql.one(
            f"INSERT INTO devices ({_DEVICE_COLUMNS}) VALUES (:account, :device, :name, :type, :platform, :now, :now)"
            " ON CONFLICT (account_id, device_key) DO UPDATE SET device_name = CASE WHEN devices.is_named = 1"
            " THEN devices.device_name ELSE excluded.device_name END,"
            " device_type = excluded.device_type, platform_type = excluded.platform_type,"
            f" last_seen_at = excluded.last_seen_at RETURNING {_DEVICE_COLUMNS}",
            {
                "account": account_id,
                "device": device.device_key,
                "name": device.device_name,
                "type": device.device_type,
                "platform": device.platform_type,
                "now": now,
            },
        )
        self._end_the_longest_unused(account_id, device.device_key)
        assert row is not None
        return Device(*row)

    def _end_the_longest_unused(self, account_id: int, keep: str) -> None:
        rows = self._sql.all(
            "SELECT device_key FROM devices WHERE account_id = :account AND device_key <> :keep"
            " ORDER BY last_seen_at DESC, device_key LIMIT :more OFFSET :most",
            {"account": account_id, "keep": keep, "most": DEVICES_MAX - 1, "more": DEVICES_MAX},
        )
        for (device_key,) in rows:
            self.remove(account_id, device_key)

    def of_account(self, account_id: int) -> list[Device]:
        rows = self._sql.all(
            f"SELECT {_DEVICE_COLUMNS} FROM devices WHERE account_id = :account ORDER BY created_at, device_key",
            {"account": account_id},
        )
        return [Device(*row) for row in rows]

    def rename(self, account_id: int, device_key: str, name: str) -> bool:
        renamed = self._sql.run(
            "UPDATE devices SET device_name = :name, is_named = 1 WHERE account_id = :account AND device_key = :device",
            {"account": account_id, "device": device_key, "name": name},
        )
        return bool(renamed)

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
