"""Sessions in SQL."""

from skyshelf.storage.errors import Missing
from skyshelf.storage.metadata.contracts.accounts import Device
from skyshelf.storage.metadata.contracts.sessions import DeviceSession, NewSession, NonceOwner, Session
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.accounts.accounts import COLUMNS as DEVICE_COLUMNS
from skyshelf.storage.metadata.sql.accounts.accounts import end_session
from skyshelf.storage.metadata.sql.statements import Sql, key_text, sweep
from skyshelf.wire.limits import NONCES_MAX

_OF_DEVICE = ", ".join(f"d.{column}" for column in DEVICE_COLUMNS)


class SqlSessions:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def open(self, account_id: int, session: NewSession, now: int) -> None:
        lock_account(self._sql, account_id)
        device_is_there = self._sql.run(
            "UPDATE devices SET last_seen_at = :now WHERE account_id = :account AND device_key = :device",
            {"account": account_id, "device": session.device_key, "now": now},
        )
        if not device_is_there:
            raise Missing("no such device")
        end_session(self._sql, account_id, session.device_key)
        self._sql.run(
            "INSERT INTO sessions (secret_hash, account_id, device_key, created_at, last_used_at, expires_at)"
            " VALUES (:secret, :account, :device, :now, :now, :expires)",
            {
                "secret": session.secret_hash,
                "account": account_id,
                "device": session.device_key,
                "now": now,
                "expires": session.expires_at,
            },
        )

    def find(self, secret_hash: bytes, now: int) -> Session | None:
        row = self._sql.one(
            "SELECT s.account_id, a.account_key, a.root_key, a.status, a.first_name, s.device_key, s.created_at,"
            " s.last_used_at, s.expires_at FROM sessions s JOIN accounts a ON a.account_id = s.account_id"
            " WHERE s.secret_hash = :secret AND s.expires_at > :now AND a.status = 'A'",
            {"secret": secret_hash, "now": now},
        )
        return Session(secret_hash, row[0], key_text(row[1]), key_text(row[2]), *row[3:]) if row else None

    def touch(self, secret_hash: bytes, now: int, *, expires_at: int = 0) -> None:
        # The device first, as in open, so the two never wait for each other.
        self._sql.run(
            "UPDATE devices SET last_seen_at = :now WHERE last_seen_at < :now AND (account_id, device_key) IN"
            " (SELECT account_id, device_key FROM sessions WHERE secret_hash = :secret)",
            {"secret": secret_hash, "now": now},
        )
        self._sql.run(
            "UPDATE sessions SET last_used_at = :now, expires_at = CASE WHEN expires_at < :expires THEN :expires"
            " ELSE expires_at END WHERE secret_hash = :secret AND last_used_at < :now",
            {"secret": secret_hash, "now": now, "expires": expires_at},
        )

    def close(self, secret_hash: bytes) -> bool:
        return bool(self._sql.run("DELETE FROM sessions WHERE secret_hash = :secret", {"secret": secret_hash}))

    def revoke(self, account_id: int, device_key: str) -> bool:
        lock_account(self._sql, account_id)
        return end_session(self._sql, account_id, device_key)

    def revoke_others(self, account_id: int, keep: bytes) -> int:
        lock_account(self._sql, account_id)
        return self._sql.run(
            "DELETE FROM sessions WHERE account_id = :account AND secret_hash <> :keep",
            {"account": account_id, "keep": keep},
        )

    def revoke_all(self, account_id: int) -> int:
        lock_account(self._sql, account_id)
        return self._sql.run("DELETE FROM sessions WHERE account_id = :account", {"account": account_id})

    def of_account(self, account_id: int, now: int) -> list[DeviceSession]:
        rows = self._sql.all(
            f"SELECT s.secret_hash, s.created_at, s.last_used_at, s.expires_at, {_OF_DEVICE} FROM sessions s"
            " JOIN devices d ON d.account_id = s.account_id AND d.device_key = s.device_key"
            " WHERE s.account_id = :account AND s.expires_at > :now ORDER BY s.last_used_at DESC, s.device_key",
            {"account": account_id, "now": now},
        )
        return [DeviceSession(Device(*row[4:]), *row[:4]) for row in rows]

    def sweep(self, now: int, limit: int) -> int:
        params = {"now": now, "limit": limit}
        return sweep(
            self._sql, "sessions", "secret_hash", old="expires_at <= :now", oldest_by="expires_at", params=params
        )


# Nonces in SQL.


class SqlNonces:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def add(self, nonce_hash: bytes, account_id: int, secret_hash: bytes, expires_at: int) -> None:
        # The session's row is locked, so a concurrent logout comes wholly before or wholly after.
        session = self._sql.one(
            "SELECT 1 FROM sessions WHERE secret_hash = :secret AND account_id = :account FOR UPDATE",
            {"secret": secret_hash, "account": account_id},
        )
        if session is None:
            raise Missing("no such session")
        self._sql.run(
            "DELETE FROM nonces WHERE nonce_hash IN (SELECT nonce_hash FROM nonces WHERE secret_hash = :secret"
            " ORDER BY expires_at DESC LIMIT :more OFFSET :most)",
            {"secret": secret_hash, "most": NONCES_MAX - 1, "more": NONCES_MAX},
        )
        self._sql.run(
            "INSERT INTO nonces (nonce_hash, account_id, secret_hash, expires_at)"
            " VALUES (:nonce, :account, :secret, :expires)",
            {"nonce": nonce_hash, "account": account_id, "secret": secret_hash, "expires": expires_at},
        )

    def find(self, nonce_hash: bytes, now: int) -> NonceOwner | None:
        row = self._sql.one(
            "SELECT n.account_id, a.account_key, a.root_key, a.first_name, s.device_key, n.expires_at FROM nonces n"
            " JOIN sessions s ON s.secret_hash = n.secret_hash JOIN accounts a ON a.account_id = n.account_id"
            " WHERE n.nonce_hash = :nonce AND n.expires_at > :now AND s.expires_at > :now AND a.status = 'A'",
            {"nonce": nonce_hash, "now": now},
        )
        return NonceOwner(row[0], key_text(row[1]), key_text(row[2]), *row[3:]) if row else None

    def sweep(self, now: int, limit: int) -> int:
        params = {"now": now, "limit": limit}
        return sweep(self._sql, "nonces", "nonce_hash", old="expires_at <= :now", oldest_by="expires_at", params=params)
