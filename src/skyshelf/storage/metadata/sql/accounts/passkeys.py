"""Passkeys in SQL."""

from collections.abc import Sequence

from skyshelf.storage.metadata.passkeys import NewPasskey, Passkey, PasskeyUse
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.bounds import refuse_beyond
from skyshelf.storage.metadata.sql.statements import Row, Sql, key_text, raw
from skyshelf.wire.limits import PASSKEYS_MAX

_COLUMNS = (
    "account_id, passkey_key, credential_id, public_key, sign_count, host, name, transports, is_discoverable,"
    " is_verifying, can_be_backed_up, is_backed_up, created_at, last_used_at"
)


class SqlPasskeys:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def add(self, account_id: int, passkey: NewPasskey, now: int) -> bool:
        lock_account(self._sql, account_id)
        refuse_beyond(
            self._sql,
            "FROM passkeys WHERE account_id = :account",
            {"account": account_id},
            most=PASSKEYS_MAX,
            what="passkeys",
        )
        added = self._sql.run(
            f"INSERT INTO passkeys ({_COLUMNS}) VALUES (:account, :key, :credential, :public_key, :count, :host, :name,"
            " :transports, :discoverable, :verifying, :eligible, :backed_up, :now, 0)"
            " ON CONFLICT (credential_id) DO NOTHING",
            {
                "account": account_id,
                "key": raw(passkey.passkey_key),
                "credential": passkey.credential_id,
                "public_key": passkey.public_key,
                "count": passkey.sign_count,
                "host": passkey.host,
                "name": passkey.name,
                "transports": passkey.transports,
                "discoverable": int(passkey.is_discoverable),
                "verifying": int(passkey.is_verifying),
                "eligible": int(passkey.can_be_backed_up),
                "backed_up": int(passkey.is_backed_up),
                "now": now,
            },
        )
        return bool(added)

    def of_account(self, account_id: int) -> list[Passkey]:
        rows = self._sql.all(
            f"SELECT {_COLUMNS} FROM passkeys WHERE account_id = :account ORDER BY created_at DESC, passkey_key DESC",
            {"account": account_id},
        )
        return [_passkey(row) for row in rows]

    def find(self, credential_id: bytes) -> Passkey | None:
        row = self._sql.one(
            f"SELECT {_COLUMNS} FROM passkeys WHERE credential_id = :credential", {"credential": credential_id}
        )
        return _passkey(row) if row else None

    def rename(self, account_id: int, passkey_key: str, name: str) -> bool:
        renamed = self._sql.run(
            "UPDATE passkeys SET name = :name WHERE account_id = :account AND passkey_key = :key",
            {"account": account_id, "key": raw(passkey_key), "name": name},
        )
        return bool(renamed)

    def remove(self, account_id: int, passkey_key: str) -> bool:
        lock_account(self._sql, account_id)
        removed = self._sql.run(
            "DELETE FROM passkeys WHERE account_id = :account AND passkey_key = :key",
            {"account": account_id, "key": raw(passkey_key)},
        )
        return bool(removed)

    def remove_all(self, account_id: int) -> int:
        lock_account(self._sql, account_id)
        return self._sql.run("DELETE FROM passkeys WHERE account_id = :account", {"account": account_id})

    def counts(self, account_ids: Sequence[int]) -> dict[int, int]:
        rows = self._sql.all(
            "SELECT account_id, count(*) FROM passkeys WHERE account_id = ANY(:accounts) GROUP BY account_id",
            {"accounts": list(account_ids)},
        )
        return {row[0]: row[1] for row in rows}

    def use(self, account_id: int, passkey_key: str, use: PasskeyUse, now: int) -> bool:
        used = self._sql.run(
            "UPDATE passkeys SET sign_count = :count, is_backed_up = :backed_up, last_used_at = :now, is_verifying ="
            " CASE WHEN :verifying = 1 THEN 1 ELSE is_verifying END WHERE account_id = :account AND passkey_key = :key"
            " AND (sign_count < :count OR (sign_count = 0 AND :count = 0))",
            {
                "account": account_id,
                "key": raw(passkey_key),
                "count": use.sign_count,
                "backed_up": int(use.is_backed_up),
                "verifying": int(use.is_verifying),
                "now": now,
            },
        )
        return bool(used)


def _passkey(row: Row) -> Passkey:
    return Passkey(
        account_id=row[0],
        passkey_key=key_text(row[1]),
        credential_id=row[2],
        public_key=row[3],
        sign_count=row[4],
        host=row[5],
        name=row[6],
        transports=row[7],
        is_discoverable=bool(row[8]),
        is_verifying=bool(row[9]),
        can_be_backed_up=bool(row[10]),
        is_backed_up=bool(row[11]),
        created_at=row[12],
        last_used_at=row[13],
    )
