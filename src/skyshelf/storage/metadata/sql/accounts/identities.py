"""Identities in SQL."""

from collections.abc import Sequence

from skyshelf.storage.metadata.identities import Identity, NewIdentity, SessionOrigin
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.bounds import refuse_beyond
from skyshelf.storage.metadata.sql.statements import Sql, Value, sweep
from skyshelf.wire.limits import IDENTITIES_MAX

_COLUMNS = "issuer, subject, account_id, email, created_at, last_used_at"


class SqlIdentities:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def find(self, issuer: str, subject: str) -> Identity | None:
        row = self._sql.one(
            f"SELECT {_COLUMNS} FROM identities WHERE issuer = :issuer AND subject = :subject",
            {"issuer": issuer, "subject": subject},
        )
        return Identity(*row) if row else None

    def of_account(self, account_id: int) -> list[Identity]:
        rows = self._sql.all(
            f"SELECT {_COLUMNS} FROM identities WHERE account_id = :account ORDER BY created_at, issuer",
            {"account": account_id},
        )
        return [Identity(*row) for row in rows]

    def linked_among(self, account_ids: Sequence[int]) -> set[int]:
        rows = self._sql.all(
            "SELECT DISTINCT account_id FROM identities WHERE account_id = ANY(:accounts)",
            {"accounts": list(account_ids)},
        )
        return {row[0] for row in rows}

    def add(self, account_id: int, identity: NewIdentity, now: int) -> bool:
        lock_account(self._sql, account_id)
        refuse_beyond(
            self._sql,
            "FROM identities WHERE account_id = :account",
            {"account": account_id},
            most=IDENTITIES_MAX,
            what="identities",
        )
        added = self._sql.run(
            f"INSERT INTO identities ({_COLUMNS}) VALUES (:issuer, :subject, :account, :email, :now, :now)"
            " ON CONFLICT DO NOTHING",
            {
                "issuer": identity.issuer,
                "subject": identity.subject,
                "account": account_id,
                "email": identity.email,
                "now": now,
            },
        )
        return bool(added)

    def used(self, issuer: str, subject: str, email: str, now: int) -> None:
        self._sql.run(
            "UPDATE identities SET email = :email, last_used_at = :now WHERE issuer = :issuer AND subject = :subject",
            {"issuer": issuer, "subject": subject, "email": email, "now": now},
        )

    def remove(self, account_id: int, issuer: str) -> bool:
        lock_account(self._sql, account_id)
        removed = self._sql.run(
            "DELETE FROM identities WHERE account_id = :account AND issuer = :issuer",
            {"account": account_id, "issuer": issuer},
        )
        return bool(removed)

    # Sessions

    def put_origin(self, account_id: int, secret_hash: bytes, origin: SessionOrigin) -> None:
        lock_account(self._sql, account_id)
        self._sql.run(
            "INSERT INTO identity_sessions (secret_hash, account_id, issuer, subject, sid)"
            " VALUES (:secret, :account, :issuer, :subject, :sid)",
            {
                "secret": secret_hash,
                "account": account_id,
                "issuer": origin.issuer,
                "subject": origin.subject,
                "sid": origin.sid,
            },
        )

    def origin_of(self, secret_hash: bytes) -> SessionOrigin | None:
        row = self._sql.one(
            "SELECT issuer, subject, sid FROM identity_sessions WHERE secret_hash = :secret", {"secret": secret_hash}
        )
        return SessionOrigin(*row) if row else None

    def end_sessions(self, issuer: str, *, subject: str = "", sid: str = "") -> dict[int, int]:
        if not subject and not sid:
            return {}
        params: dict[str, Value] = {"issuer": issuer}
        params |= {name: value for name, value in (("subject", subject), ("sid", sid)) if value}
        where = " AND ".join(f"{name} = :{name}" for name in params)
        rows = self._sql.all(f"SELECT DISTINCT account_id FROM identity_sessions WHERE {where}", params)
        ended = {}
        # In one order, so that two calls never wait for each other.
        for (account_id,) in sorted(rows):
            lock_account(self._sql, account_id)
            count = self._sql.run(
                "DELETE FROM sessions WHERE account_id = :account AND secret_hash IN (SELECT secret_hash FROM"
                f" identity_sessions WHERE {where})",
                {**params, "account": account_id},
            )
            if count:
                ended[account_id] = count
        return ended


# Spent tokens in SQL.


class SqlSpentTokens:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def spend(self, token_hash: bytes, expires_at: int) -> bool:
        spent = self._sql.run(
            "INSERT INTO spent_tokens (token_hash, expires_at) VALUES (:token, :expires)"
            " ON CONFLICT (token_hash) DO NOTHING",
            {"token": token_hash, "expires": expires_at},
        )
        return bool(spent)

    def sweep(self, now: int, limit: int) -> int:
        params = {"now": now, "limit": limit}
        return sweep(
            self._sql, "spent_tokens", "token_hash", old="expires_at <= :now", oldest_by="expires_at", params=params
        )
