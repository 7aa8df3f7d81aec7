"""Operators and one-time password links in SQL."""

from skyshelf.storage.errors import AccountMissing
from skyshelf.storage.metadata.contracts.accounts import ACTIVE, GOING, Device
from skyshelf.storage.metadata.contracts.operators import AccountOverview, OpenSession, QuotaTotals
from skyshelf.storage.metadata.contracts.quota import Quota
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.accounts.accounts import ACCOUNT_COLUMNS, account_from
from skyshelf.storage.metadata.sql.accounts.accounts import COLUMNS as DEVICE_COLUMNS
from skyshelf.storage.metadata.sql.quota import QUOTA_COLUMNS
from skyshelf.storage.metadata.sql.statements import Sql, key_text, sweep

_OF_ACCOUNT = ", ".join(f"a.{column}" for column in ACCOUNT_COLUMNS)
_OF_DEVICE = ", ".join(f"d.{column}" for column in DEVICE_COLUMNS)
_ACCOUNT_END = len(ACCOUNT_COLUMNS)
_QUOTA_END = _ACCOUNT_END + 9


class SqlOperators:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def is_operator(self, account_id: int) -> bool:
        row = self._sql.one(
            "SELECT 1 FROM accounts WHERE account_id = :account AND is_operator = 1 AND status = :active",
            {"account": account_id, "active": ACTIVE},
        )
        return row is not None

    def others(self, account_id: int) -> int:
        rows = self._sql.all(
            "SELECT account_id, status, delete_at FROM accounts WHERE is_operator = 1 ORDER BY account_id FOR UPDATE",
            {},
        )
        return sum(found != account_id and status == ACTIVE and not delete_at for found, status, delete_at in rows)

    def set(self, account_id: int, is_operator: bool, now: int) -> None:
        changed = self._sql.run(
            "UPDATE accounts SET is_operator = :value, updated_at = :now WHERE account_id = :account"
            " AND status <> :going",
            {"value": int(is_operator), "now": now, "account": account_id, "going": GOING},
        )
        if not changed:
            raise AccountMissing("no such account")

    def accounts(
        self, now: int, *, after_id: int = 0, limit: int, text: str = "", account_id: int = 0
    ) -> list[AccountOverview]:
        conditions = ["a.account_id > :after"]
        if account_id:
            conditions.append("a.account_id = :account")
        if text:
            conditions.append(
                "(a.email_folded LIKE :text ESCAPE '!'"
                " OR lower(a.first_name || ' ' || a.last_name) LIKE :text ESCAPE '!')"
            )
        rows = self._sql.all(
            f"SELECT {_OF_ACCOUNT}, {QUOTA_COLUMNS},"
            " (SELECT count(*) FROM second_factors f WHERE f.account_id = a.account_id AND f.confirmed_at > 0),"
            " (SELECT count(*) FROM passkeys p WHERE p.account_id = a.account_id),"
            " (SELECT coalesce(max(d.last_seen_at), 0) FROM devices d WHERE d.account_id = a.account_id),"
            " (SELECT coalesce(max(l.expires_at), 0) FROM password_links l WHERE l.account_id = a.account_id"
            " AND l.expires_at > :now)"
            " FROM accounts a JOIN account_counters c ON c.account_id = a.account_id"
            f" WHERE {' AND '.join(conditions)} ORDER BY a.account_id LIMIT :limit",
            {
                "now": now,
                "after": after_id,
                "limit": limit,
                **({"account": account_id} if account_id else {}),
                **({"text": f"%{_escaped(text)}%"} if text else {}),
            },
        )
        return [
            AccountOverview(
                account_from(row[:_ACCOUNT_END]),
                Quota(*row[_ACCOUNT_END:_QUOTA_END]),
                bool(row[_QUOTA_END]),
                *row[_QUOTA_END + 1 :],
            )
            for row in rows
        ]

    def totals(self) -> tuple[int, int]:
        row = self._sql.one(
            "SELECT count(*), CAST(coalesce(sum(document_used + photo_used + video_used + audio_used), 0) AS BIGINT)"
            " FROM account_counters"
        )
        assert row is not None
        return row[0], row[1]

    def quota_totals(self) -> QuotaTotals:
        used = "(c.document_used + c.photo_used + c.video_used + c.audio_used)"
        row = self._sql.one(
            f"SELECT count(*), CAST(coalesce(sum({used}), 0) AS BIGINT),"
            " CAST(coalesce(sum(a.default_space + a.paid_space), 0) AS BIGINT),"
            f" count(*) FILTER (WHERE {used} >= (a.default_space + a.paid_space) / 10 * 9)"
            " FROM accounts a JOIN account_counters c ON c.account_id = a.account_id"
        )
        assert row is not None
        return QuotaTotals(*row)

    def sessions(self, now: int, *, limit: int, account_id: int = 0) -> list[OpenSession]:
        rows = self._sql.all(
            f"SELECT a.account_key, a.email, a.first_name, a.last_name, {_OF_DEVICE}, s.secret_hash, s.created_at,"
            " s.last_used_at, s.expires_at FROM sessions s JOIN accounts a ON a.account_id = s.account_id"
            " JOIN devices d ON d.account_id = s.account_id AND d.device_key = s.device_key"
            " WHERE s.expires_at > :now"
            + (" AND s.account_id = :account" if account_id else "")
            + " ORDER BY s.last_used_at DESC, s.device_key LIMIT :limit",
            {"now": now, "limit": limit, **({"account": account_id} if account_id else {})},
        )
        end = 4 + len(DEVICE_COLUMNS)
        return [OpenSession(key_text(row[0]), Device(*row[4:end]), *row[1:4], *row[end:]) for row in rows]


def _escaped(text: str) -> str:
    """A text of which every character stands for itself in a pattern."""
    folded = text.casefold().replace("!", "!!")
    return folded.replace("%", "!%").replace("_", "!_")


# One-time links in SQL.

_LIVE = (
    "expires_at > :now AND account_id IN (SELECT a.account_id FROM accounts a WHERE a.account_id ="
    f" password_links.account_id AND a.status = '{ACTIVE}')"
)


class SqlPasswordLinks:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def put(self, account_id: int, token_hash: bytes, now: int, expires_at: int) -> None:
        lock_account(self._sql, account_id)
        self._sql.run(
            "INSERT INTO password_links (token_hash, account_id, created_at, expires_at)"
            " VALUES (:token, :account, :now, :expires) ON CONFLICT (account_id) DO UPDATE SET"
            " token_hash = excluded.token_hash, created_at = excluded.created_at, expires_at = excluded.expires_at",
            {"token": token_hash, "account": account_id, "now": now, "expires": expires_at},
        )

    def find(self, token_hash: bytes, now: int) -> int | None:
        row = self._sql.one(
            f"SELECT account_id FROM password_links WHERE token_hash = :token AND {_LIVE}",
            {"token": token_hash, "now": now},
        )
        return row[0] if row else None

    def use(self, token_hash: bytes, now: int) -> int | None:
        row = self._sql.one(
            f"DELETE FROM password_links WHERE token_hash = :token AND {_LIVE} RETURNING account_id",
            {"token": token_hash, "now": now},
        )
        return row[0] if row else None

    def revoke(self, account_id: int) -> None:
        self._sql.run("DELETE FROM password_links WHERE account_id = :account", {"account": account_id})

    def sweep(self, now: int, limit: int) -> int:
        params = {"now": now, "limit": limit}
        return sweep(
            self._sql, "password_links", "token_hash", old="expires_at <= :now", oldest_by="expires_at", params=params
        )
