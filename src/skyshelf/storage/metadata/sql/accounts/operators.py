"""Operators and what they give in SQL: one-time password links, promotions, banners and settings."""

from typing import TypeVar

from msgspec import json

from skyshelf.storage.errors import AccountMissing
from skyshelf.storage.metadata.alarms import OPEN, Alarm
from skyshelf.storage.metadata.contracts import accounts as records
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.accounts.accounts import ACCOUNT_COLUMNS, DEVICE_COLUMNS
from skyshelf.storage.metadata.sql.quota import QUOTA_COLUMNS, QUOTA_WIDTH
from skyshelf.storage.metadata.sql.statements import Columns, Expiring, Params, SqlNoun, key_text, raw, replacing

T = TypeVar("T")
_ALARM = Columns(Alarm)
_ACCOUNT_END = len(ACCOUNT_COLUMNS.names)
_QUOTA_END = _ACCOUNT_END + QUOTA_WIDTH


class SqlOperators(SqlNoun):
    def is_operator(self, account_id: int) -> bool:
        """Return whether the account is active and an operator. One statement."""
        return self._sql.exists("accounts", account_id=account_id, is_operator=1, status=records.ACTIVE)

    def others(self, account_id: int) -> int:
        """Return how many other operators can log in and stay.

        All operators' rows are locked until the transaction ends, so two of them cannot remove each other.
        """
        rows = self._sql.all(
            "SELECT account_id, status, delete_at FROM accounts WHERE is_operator = 1 ORDER BY account_id FOR UPDATE"
        )
        return sum(
            found != account_id and status == records.ACTIVE and not delete_at for found, status, delete_at in rows
        )

    def set(self, account_id: int, is_operator: bool, now: int) -> None:
        """AccountMissing when there is no such account, or it is being removed."""
        changed = self._sql.run(
            "UPDATE accounts SET is_operator = :value, updated_at = :now WHERE account_id = :account"
            " AND status <> :going",
            {"value": int(is_operator), "now": now, "account": account_id, "going": records.GOING},
        )
        if not changed:
            raise AccountMissing("no such account")

    def accounts(
        self, now: int, *, after_id: int = 0, limit: int, text: str = "", account_id: int = 0
    ) -> list[records.AccountOverview]:
        """By account_id, those after the given one whose address or name contains the text; with account_id, that one
        alone. Promotions count while they run. One statement."""
        conditions = "a.account_id > :after"
        if account_id:
            conditions += " AND a.account_id = :account"
        if text:
            full_name = "lower(a.first_name || ' ' || a.last_name)"
            conditions += f" AND (a.email_folded LIKE :text ESCAPE '!' OR {full_name} LIKE :text ESCAPE '!')"
        page: Params = {"now": now, "after": after_id, "limit": limit}
        rows = self._sql.all(
            f"SELECT {ACCOUNT_COLUMNS.of('a')}, {QUOTA_COLUMNS},"
            " (SELECT count(*) FROM second_factors f WHERE f.account_id = a.account_id AND f.confirmed_at > 0),"
            " (SELECT count(*) FROM passkeys p WHERE p.account_id = a.account_id),"
            " (SELECT coalesce(max(d.last_seen_at), 0) FROM devices d WHERE d.account_id = a.account_id),"
            " (SELECT coalesce(max(l.expires_at), 0) FROM password_links l WHERE l.account_id = a.account_id"
            " AND l.expires_at > :now)"
            " FROM accounts a JOIN account_counters c ON c.account_id = a.account_id"
            f" WHERE {conditions} ORDER BY a.account_id LIMIT :limit",
            {**page, "account": account_id, "text": f"%{_escaped(text)}%"},
        )
        return [
            records.AccountOverview(
                ACCOUNT_COLUMNS.read(row[:_ACCOUNT_END]),
                records.Quota(*row[_ACCOUNT_END:_QUOTA_END]),
                bool(row[_QUOTA_END]),
                *row[_QUOTA_END + 1 :],
            )
            for row in rows
        ]

    def quota_totals(self) -> records.QuotaTotals:
        """Accounts, and their bytes. One statement."""
        used = "(c.document_used + c.photo_used + c.video_used + c.audio_used)"
        row = self._sql.only(
            f"SELECT count(*), CAST(coalesce(sum({used}), 0) AS BIGINT),"
            " CAST(coalesce(sum(a.default_space + a.paid_space), 0) AS BIGINT),"
            f" count(*) FILTER (WHERE {used} >= (a.default_space + a.paid_space) / 10 * 9)"
            " FROM accounts a JOIN account_counters c ON c.account_id = a.account_id",
        )
        return records.QuotaTotals(*row)

    def addresses(self, limit: int) -> list[str]:
        """Return the email addresses of operators who can log in, the oldest accounts first. One statement."""
        rows = self._sql.all(
            "SELECT email FROM accounts WHERE is_operator = 1 AND status = :active ORDER BY account_id LIMIT :limit",
            {"active": records.ACTIVE, "limit": limit},
        )
        return [email for (email,) in rows]

    def alarms(self, *, limit: int, only_open: bool) -> list[records.RaisedAlarm]:
        """Return alarms of all accounts, newest first: those that wait for a decision, or also the others. One
        statement."""
        rows = self._sql.all(
            f"SELECT a.account_key, a.email, coalesce(d.device_name, ''), coalesce(d.platform_type, ''),"
            f" {_ALARM.of('r')} FROM alarms r JOIN accounts a ON a.account_id = r.account_id"
            " LEFT JOIN devices d ON d.account_id = r.account_id AND d.device_key = r.device_key"
            + (f" WHERE r.state = '{OPEN}'" if only_open else "")
            + " ORDER BY r.raised_at DESC, r.account_id, r.number LIMIT :limit",
            {"limit": limit},
        )
        return [records.RaisedAlarm(key_text(row[0]), row[1], row[2], row[3], _ALARM.read(row[4:])) for row in rows]

    def sessions(self, now: int, *, limit: int, account_id: int = 0) -> list[records.OpenSession]:
        """Return the sessions of all accounts, or of one, the one used last at the front. One statement."""
        rows = self._sql.all(
            f"SELECT a.account_key, a.email, a.first_name, a.last_name, {DEVICE_COLUMNS.of('d')}, s.secret_hash,"
            " s.created_at, s.last_used_at, s.expires_at FROM sessions s JOIN accounts a ON a.account_id = s.account_id"
            " JOIN devices d ON d.account_id = s.account_id AND d.device_key = s.device_key"
            " WHERE s.expires_at > :now"
            + (" AND s.account_id = :account" if account_id else "")
            + " ORDER BY s.last_used_at DESC, s.device_key LIMIT :limit",
            {"now": now, "limit": limit, "account": account_id},
        )
        end = 4 + len(DEVICE_COLUMNS.names)
        return [
            records.OpenSession(key_text(row[0]), DEVICE_COLUMNS.read(row[4:end]), *row[1:4], *row[end:])
            for row in rows
        ]


def _escaped(text: str) -> str:
    """Return a text of which every character stands for itself in a pattern."""
    folded = text.casefold().replace("!", "!!")
    return folded.replace("%", "!%").replace("_", "!_")


_LIVE = (
    "expires_at > :now AND account_id IN (SELECT a.account_id FROM accounts a WHERE a.account_id ="
    f" password_links.account_id AND a.status = '{records.ACTIVE}')"
)


class SqlPasswordLinks(Expiring):
    """Links that set the password of an account, once. Only digests of their tokens come here."""

    _table, _key = "password_links", "token_hash"

    def put(self, account_id: int, token_hash: bytes, now: int, expires_at: int) -> None:
        """The account's only link from now on. AccountMissing when there is no such account."""
        lock_account(self._sql, account_id)
        link: Params = {"token_hash": token_hash, "created_at": now, "expires_at": expires_at}
        self._sql.insert("password_links", replacing("account_id", *link), account_id=account_id, **link)

    def find(self, token_hash: bytes, now: int) -> int | None:
        """Return the account of a link that has not expired, if the account is active. One statement."""
        live = f"SELECT account_id FROM password_links WHERE token_hash = :token AND {_LIVE}"
        return self._sql.value(live, {"token": token_hash, "now": now})

    def use(self, token_hash: bytes, now: int) -> int | None:
        """Like find, but also remove the link; of any number of concurrent callers, one gets the account."""
        used = f"DELETE FROM password_links WHERE token_hash = :token AND {_LIVE} RETURNING account_id"
        return self._sql.value(used, {"token": token_hash, "now": now})

    def revoke(self, account_id: int) -> None:
        """The account has no link from now on."""
        self._sql.delete("password_links", account_id=account_id)


_PROMOTION, _BANNER = Columns(records.Promotion), Columns(records.Banner)
_PROMOTION_ORDER = "ORDER BY start_at DESC, promotion_key DESC"
_BANNER_ORDER = "ORDER BY start_at DESC, banner_key DESC"


class SqlPromotions(SqlNoun):
    def add(self, promotion: records.Promotion) -> None:
        """AccountMissing when it is for an account that is not there."""
        if promotion.account_id is not None:
            lock_account(self._sql, promotion.account_id)
        self._sql.insert("promotions", **_PROMOTION.write(promotion))

    def of_account(self, account_id: int) -> list[records.Promotion]:
        """Return the account's own and everybody's, whether they run or not, the newest start first."""
        source = f"FROM promotions WHERE account_id = :account OR account_id IS NULL {_PROMOTION_ORDER}"
        return _PROMOTION.all(self._sql, source, {"account": account_id})

    def everything(self) -> list[records.Promotion]:
        """Return the promotions of all accounts, running or not, newest start first."""
        return _PROMOTION.all(self._sql, f"FROM promotions {_PROMOTION_ORDER}")

    def remove(self, promotion_key: str) -> bool:
        """False when there is none. An account that then holds more than it may keeps what it has."""
        return self._sql.delete("promotions", promotion_key=raw(promotion_key)) > 0


class SqlBanners(SqlNoun):
    def add(self, banner: records.Banner) -> None:
        self._sql.insert("banners", **_BANNER.write(banner))

    def live(self, now: int) -> list[records.Banner]:
        """Return the banners to show now, newest start first."""
        source = f"FROM banners WHERE start_at <= :now AND end_at > :now {_BANNER_ORDER}"
        return _BANNER.all(self._sql, source, {"now": now})

    def everything(self) -> list[records.Banner]:
        """Return all banners, past and future ones included, newest start first."""
        return _BANNER.all(self._sql, f"FROM banners {_BANNER_ORDER}")

    def remove(self, banner_key: str) -> bool:
        """Return False when there is none."""
        return self._sql.delete("banners", banner_key=raw(banner_key)) > 0


class SqlSettings(SqlNoun):
    def get(self, name: str) -> bytes | None:
        return self._sql.value("SELECT value FROM settings WHERE name = :name", {"name": name})

    def set_once(self, name: str, value: bytes) -> bytes:
        """Propose a value. The first one committed stays for good, and everybody gets that one back."""
        # The second writer waits here until the first has committed, and then reads the first one's value.
        self._sql.insert("settings", "ON CONFLICT (name) DO NOTHING", name=name, value=value)
        winner = self.get(name)
        assert winner is not None
        return winner

    def set(self, name: str, value: bytes) -> None:
        """Replace the value."""
        self._sql.insert("settings", replacing("name", "value"), name=name, value=value)

    def load(self, name: str, kind: type[T]) -> T | None:
        """Return a value that is kept as JSON."""
        kept = self.get(name)
        return None if kept is None else json.decode(kept, type=kind)

    def store(self, name: str, value: object) -> None:
        """Replace a value that is kept as JSON."""
        self.set(name, json.encode(value))

    def delete(self, name: str) -> None:
        self._sql.delete("settings", name=name)
