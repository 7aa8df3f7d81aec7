"""Nonces in SQL."""

from skyshelf.storage.errors import Missing
from skyshelf.storage.metadata.nonces import NonceOwner
from skyshelf.storage.metadata.sql.keys import key_text
from skyshelf.storage.metadata.sql.statements import Sql
from skyshelf.storage.metadata.sql.sweeps import sweep


class SqlNonces:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def add(self, nonce_hash: bytes, account_id: int, secret_hash: bytes, expires_at: int) -> None:
        # The session's row is locked, so that a logout at the same moment comes wholly before or wholly after.
        session = self._sql.one(
            "SELECT 1 FROM sessions WHERE secret_hash = :secret AND account_id = :account FOR UPDATE",
            {"secret": secret_hash, "account": account_id},
        )
        if session is None:
            raise Missing("no such session")
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
