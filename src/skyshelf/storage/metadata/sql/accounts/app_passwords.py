"""App passwords in SQL."""

from skyshelf.storage.metadata.contracts.accounts import Device
from skyshelf.storage.metadata.contracts.app_passwords import AppPassword, AppScope, AppSession
from skyshelf.storage.metadata.contracts.sessions import Session
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.accounts.accounts import COLUMNS as DEVICE_COLUMNS
from skyshelf.storage.metadata.sql.bounds import refuse_beyond
from skyshelf.storage.metadata.sql.statements import Row, Sql, key_text, raw
from skyshelf.wire.limits import APP_PASSWORDS_MAX

_OF_DEVICE = ", ".join(f"d.{column}" for column in DEVICE_COLUMNS)
_SCOPE = "p.folder_key, p.can_write, p.webdav_only"


class SqlAppPasswords:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def add(self, account_id: int, secret_hash: bytes, scope: AppScope) -> None:
        lock_account(self._sql, account_id)
        refuse_beyond(
            self._sql,
            "FROM app_passwords WHERE account_id = :account",
            {"account": account_id},
            most=APP_PASSWORDS_MAX,
            what="app passwords",
        )
        self._sql.run(
            "INSERT INTO app_passwords (secret_hash, account_id, folder_key, can_write, webdav_only)"
            " VALUES (:secret, :account, :folder, :write, :webdav)",
            {
                "secret": secret_hash,
                "account": account_id,
                "folder": None if scope.folder_key is None else raw(scope.folder_key),
                "write": int(scope.can_write),
                "webdav": int(scope.webdav_only),
            },
        )

    def find(self, secret_hash: bytes, now: int) -> AppSession | None:
        row = self._sql.one(
            "SELECT s.account_id, a.account_key, a.root_key, a.status, a.first_name, s.device_key, s.created_at,"
            f" s.last_used_at, s.expires_at, a.email, {_SCOPE} FROM app_passwords p"
            " JOIN sessions s ON s.secret_hash = p.secret_hash JOIN accounts a ON a.account_id = s.account_id"
            " WHERE p.secret_hash = :secret AND s.expires_at > :now AND a.status = 'A'",
            {"secret": secret_hash, "now": now},
        )
        if row is None:
            return None
        session = Session(secret_hash, row[0], key_text(row[1]), key_text(row[2]), *row[3:9])
        return AppSession(session, row[9], _scope(row[10:13]))

    def of_account(self, account_id: int) -> list[AppPassword]:
        rows = self._sql.all(
            f"SELECT {_SCOPE}, s.created_at, s.last_used_at, {_OF_DEVICE} FROM app_passwords p"
            " JOIN sessions s ON s.secret_hash = p.secret_hash"
            " JOIN devices d ON d.account_id = s.account_id AND d.device_key = s.device_key"
            " WHERE p.account_id = :account ORDER BY s.created_at DESC, s.device_key",
            {"account": account_id},
        )
        return [AppPassword(Device(*row[5:]), _scope(row[:3]), row[3], row[4]) for row in rows]


def _scope(row: Row) -> AppScope:
    folder, write, webdav = row
    return AppScope(
        folder_key=None if folder is None else key_text(folder), can_write=bool(write), webdav_only=bool(webdav)
    )
