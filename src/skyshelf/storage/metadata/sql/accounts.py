"""Accounts in SQL."""

from skyshelf.storage.errors import AccountMissing, EmailTaken
from skyshelf.storage.metadata.accounts import ACTIVE, GOING, Account, NewAccount
from skyshelf.storage.metadata.sql.account_removal import remove_some
from skyshelf.storage.metadata.sql.keys import key_text, raw
from skyshelf.storage.metadata.sql.new_objects import new_folder
from skyshelf.storage.metadata.sql.objects import insert_object
from skyshelf.storage.metadata.sql.statements import Row, Sql

_COLUMNS = (
    "account_id, account_key, root_key, email, first_name, last_name, password_hash, status, auth_provider_id,"
    " mobile_number, is_mobile_verified, is_email_verified, default_space, paid_space, created_at, updated_at,"
    " delete_at"
)

# What is being removed is not held up any more.
_STAYS = f" AND status <> '{GOING}'"


def _account(row: Row) -> Account:
    texts = row[3:10]
    return Account(row[0], key_text(row[1]), key_text(row[2]), *texts, *map(bool, row[10:12]), *row[12:])


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
        result = _account(added)
        self._sql.run(
            "INSERT INTO account_counters (account_id, change_seq, trash_floor, document_used, photo_used, video_used,"
            " audio_used, reserved) VALUES (:account, 0, 0, 0, 0, 0, 0, 0)",
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
        return [_account(row) for row in rows]

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
        return _account(row)

    def _set(self, assignment: str, account_id: int, now: int, *, condition: str = "", **values: str | int) -> None:
        changed = self._sql.run(
            f"UPDATE accounts SET {assignment}, updated_at = :now WHERE account_id = :account{condition}",
            {"account": account_id, "now": now, **values},
        )
        if not changed:
            raise AccountMissing("no such account")
