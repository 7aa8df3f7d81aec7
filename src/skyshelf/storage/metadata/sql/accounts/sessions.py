"""Sessions in SQL, with their nonces, and app passwords."""

from msgspec.structs import asdict

from skyshelf.storage.errors import Missing
from skyshelf.storage.metadata.contracts import sessions as records
from skyshelf.storage.metadata.sql import bounds
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.accounts.accounts import DEVICE_COLUMNS, end_session
from skyshelf.storage.metadata.sql.statements import Columns, Expiring, Params, Row, SqlNoun, key_text
from skyshelf.wire.limits import NONCES_MAX

_SCOPE = Columns(records.AppScope)
SESSION_COLUMNS = (
    "s.account_id, a.account_key, a.root_key, a.status, a.first_name, s.device_key, s.created_at, s.last_used_at,"
    " s.expires_at"
)


class SqlSessions(Expiring):
    """A device has one session at most. A session that ends takes its nonces along."""

    _table, _key = "sessions", "secret_hash"

    def open(self, account_id: int, session: records.NewSession, now: int) -> None:
        """Let a registered device in; the session it had ends. Missing when the device is not registered."""
        lock_account(self._sql, account_id)
        seen: Params = {"last_seen_at": now}
        if not self._sql.update("devices", seen, account_id=account_id, device_key=session.device_key):
            raise Missing("no such device")
        end_session(self._sql, account_id, session.device_key)
        opened = {"account_id": account_id, "created_at": now, "last_used_at": now}
        self._sql.insert("sessions", **asdict(session), **opened)

    def find(self, secret_hash: bytes, now: int) -> records.Session | None:
        """Return the session of that secret, if it has not expired and its account is active. One statement."""
        row = self._sql.one(
            f"SELECT {SESSION_COLUMNS} FROM sessions s JOIN accounts a ON a.account_id = s.account_id"
            " WHERE s.secret_hash = :secret AND s.expires_at > :now AND a.status = 'A'",
            {"secret": secret_hash, "now": now},
        )
        return session_of(secret_hash, row) if row else None

    def touch(self, secret_hash: bytes, now: int, *, expires_at: int = 0) -> None:
        """Note that the session and its device are in use, and let it last until expires_at at least.

        Times only move forward.
        """
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
        """End the session of that secret; false when there is none."""
        return self._sql.delete("sessions", secret_hash=secret_hash) > 0

    def revoke(self, account_id: int, device_key: str) -> bool:
        """End the session of a device, and the delegations that it made; false when the account has no such session."""
        lock_account(self._sql, account_id)
        self._sql.run(
            "DELETE FROM sessions WHERE secret_hash IN (SELECT d.secret_hash FROM delegations d"
            " WHERE d.account_id = :account AND d.maker = :device)",
            {"account": account_id, "device": device_key},
        )
        return end_session(self._sql, account_id, device_key)

    def revoke_others(self, account_id: int, keep: bytes) -> int:
        """End every session of the account but the one with that secret_hash; how many ended."""
        lock_account(self._sql, account_id)
        return self._sql.run(
            "DELETE FROM sessions WHERE account_id = :account AND secret_hash <> :keep",
            {"account": account_id, "keep": keep},
        )

    def revoke_all(self, account_id: int) -> int:
        """End every session of the account; how many ended."""
        lock_account(self._sql, account_id)
        return self._sql.delete("sessions", account_id=account_id)

    def end_logins(self, account_id: int) -> int:
        """End every session of the account but those of apps; how many ended."""
        lock_account(self._sql, account_id, even_paused=True)
        return self._sql.run(
            "DELETE FROM sessions WHERE account_id = :account AND NOT EXISTS (SELECT 1 FROM app_passwords p"
            " WHERE p.secret_hash = sessions.secret_hash)",
            {"account": account_id},
        )

    def of_account(self, account_id: int, now: int) -> list[records.DeviceSession]:
        """Return the sessions that have not expired, the one used last at the front."""
        rows = self._sql.all(
            f"SELECT s.secret_hash, s.created_at, s.last_used_at, s.expires_at, {DEVICE_COLUMNS.of('d')}"
            " FROM sessions s JOIN devices d ON d.account_id = s.account_id AND d.device_key = s.device_key"
            " WHERE s.account_id = :account AND s.expires_at > :now ORDER BY s.last_used_at DESC, s.device_key",
            {"account": account_id, "now": now},
        )
        return [records.DeviceSession(DEVICE_COLUMNS.read(row[4:]), *row[:4]) for row in rows]


def session_of(secret_hash: bytes, row: Row) -> records.Session:
    """Return the session of a row of SESSION_COLUMNS."""
    return records.Session(secret_hash, row[0], key_text(row[1]), key_text(row[2]), *row[3:])


class SqlNonces(Expiring):
    """Only digests of nonces come here. A nonce never outlives the session that asked for it."""

    _table, _key = "nonces", "nonce_hash"

    def add(self, nonce_hash: bytes, account_id: int, secret_hash: bytes, expires_at: int) -> None:
        """Missing when the account has no session with that secret_hash."""
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
        owner: Params = {"account_id": account_id, "secret_hash": secret_hash}
        self._sql.insert("nonces", nonce_hash=nonce_hash, **owner, expires_at=expires_at)

    def find(self, nonce_hash: bytes, now: int) -> records.NonceOwner | None:
        """Its owner, while neither the nonce nor its session has expired and the account is active. One statement."""
        row = self._sql.one(
            "SELECT n.account_id, a.account_key, a.root_key, a.first_name, s.device_key, n.expires_at FROM nonces n"
            " JOIN sessions s ON s.secret_hash = n.secret_hash JOIN accounts a ON a.account_id = n.account_id"
            " WHERE n.nonce_hash = :nonce AND n.expires_at > :now AND s.expires_at > :now AND a.status = 'A'",
            {"nonce": nonce_hash, "now": now},
        )
        return records.NonceOwner(row[0], key_text(row[1]), key_text(row[2]), *row[3:]) if row else None


class SqlAppPasswords(SqlNoun):
    """An app password is a session that Sessions has opened before; it ends with that session."""

    def add(self, account_id: int, secret_hash: bytes, scope: records.AppScope, *, generation: int = 1) -> None:
        """Make the open session with that secret_hash one of an app. LimitReached where there are too many."""
        lock_account(self._sql, account_id)
        bounds.refuse(self._sql, account_id, "appPasswords")
        row: Params = {"secret_hash": secret_hash, "account_id": account_id, "generation": generation}
        self._sql.insert("app_passwords", **row, **_SCOPE.write(scope))

    def move(self, account_id: int, old_hash: bytes, new_hash: bytes, generation: int) -> bool:
        """Find the app by another digest from now on; false where it was revoked, or moved, in the meantime."""
        lock_account(self._sql, account_id, even_paused=True)
        scope = _SCOPE.one(self._sql, "FROM app_passwords WHERE secret_hash = :old", {"old": old_hash})
        if scope is None:
            return False
        # Nothing may refer to the session while its key changes.
        for table in ("app_passwords", "nonces"):
            self._sql.delete(table, secret_hash=old_hash)
        moved = "UPDATE sessions SET secret_hash = :new WHERE secret_hash = :old"
        self._sql.run(moved, {"new": new_hash, "old": old_hash})
        row: Params = {"secret_hash": new_hash, "account_id": account_id, "generation": generation}
        self._sql.insert("app_passwords", **row, **_SCOPE.write(scope))
        return True

    def find(self, secret_hash: bytes, now: int) -> records.AppSession | None:
        """Return the app of that secret, while its account is active. One statement."""
        row = self._sql.one(
            f"SELECT {SESSION_COLUMNS}, a.email, {_SCOPE.of('p')} FROM app_passwords p"
            " JOIN sessions s ON s.secret_hash = p.secret_hash JOIN accounts a ON a.account_id = s.account_id"
            " WHERE p.secret_hash = :secret AND s.expires_at > :now AND a.status = 'A'",
            {"secret": secret_hash, "now": now},
        )
        return records.AppSession(session_of(secret_hash, row[:9]), row[9], _SCOPE.read(row[10:13])) if row else None

    def of_account(self, account_id: int) -> list[records.AppPassword]:
        """Return all of an account, newest first."""
        rows = self._sql.all(
            f"SELECT {_SCOPE.of('p')}, s.created_at, s.last_used_at, s.expires_at, {DEVICE_COLUMNS.of('d')}"
            " FROM app_passwords p"
            " JOIN sessions s ON s.secret_hash = p.secret_hash"
            " JOIN devices d ON d.account_id = s.account_id AND d.device_key = s.device_key"
            " WHERE p.account_id = :account ORDER BY s.created_at DESC, s.device_key",
            {"account": account_id},
        )
        return [records.AppPassword(DEVICE_COLUMNS.read(row[6:]), _SCOPE.read(row[:3]), *row[3:6]) for row in rows]
