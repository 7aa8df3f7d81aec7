"""Accounts and their devices in SQL, and how an account is removed."""

from msgspec.structs import asdict, replace

from skyshelf.storage.errors import AccountMissing, EmailTaken
from skyshelf.storage.metadata.contracts import accounts as records
from skyshelf.storage.metadata.contracts.tree import PURGING
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.boards.members import SqlBoardMembers
from skyshelf.storage.metadata.sql.held import NOT_HELD
from skyshelf.storage.metadata.sql.statements import Columns, Params, Sql, SqlNoun, Value, inserting, raw, required
from skyshelf.storage.metadata.sql.tree.objects import insert_objects, new_folder, objects_where, update_objects
from skyshelf.storage.metadata.sql.tree.purge import SqlPurge
from skyshelf.wire.limits import DEVICES_MAX

ACCOUNT_COLUMNS = Columns(records.Account)
_NEW_ACCOUNT = Columns(records.NewAccount)

# An account that is being removed cannot be changed.
_STAYS = f" AND status <> '{records.GOING}'"


# Tables of which an account may have very many rows, and what their rows are chosen by.
_MANY = (
    ("changes", "seq"),
    ("purged_objects", "object_key"),
    ("kept_contents", "object_key"),
    ("link_changes", "link_id"),
    ("rewind_items", "object_key"),
    ("history_leaves", "first_seq"),
    ("history_tiles", "place"),
)
# In this order: what refers to something goes before it.
_REST = (
    "password_links",
    "second_factors",
    "passkeys",
    "app_passwords",
    "delegation_uses",
    "delegations",
    "identity_sessions",
    "identities",
    "nonces",
    "sessions",
    "devices",
    "uploads",
    "shares",
    "tags",
    "contacts",
    "board_comments",
    "board_events",
    "promotions",
    "rewind_consents",
    "alarms",
    "thumbnails",
    "archives",
    "undated",
    "locks",
    "dead_properties",
    "folder_marks",
    "rewinds",
    "history_logs",
    "objects",
    "account_counters",
    "accounts",
)


class SqlAccounts(SqlNoun):
    def add(self, account: records.NewAccount, now: int) -> records.Account:
        """Open an account with its root folder and its counters at zero, all or nothing.

        EmailTaken when an account has that address, in whatever case.
        """
        row: dict[str, Value] = {
            **_NEW_ACCOUNT.write(account),
            "email_folded": account.email.casefold(),
            "status": records.ACTIVE,
            "auth_provider_id": 1,
            "is_mobile_verified": 0,
            "is_email_verified": 1,
            "created_at": now,
            "updated_at": now,
        }
        inserted = inserting("accounts", tuple(row), "ON CONFLICT (email_folded) DO NOTHING")
        added = self._sql.one(f"{inserted} RETURNING {ACCOUNT_COLUMNS.text}", row)
        result = ACCOUNT_COLUMNS.read(required(added, EmailTaken(f"an account has the address {account.email}")))
        counters = (
            "change_seq",
            "trash_watermark",
            *(f"{category}_used" for category in records.CATEGORIES),
            "reserved",
        )
        self._sql.insert("account_counters", account_id=result.account_id, **dict.fromkeys(counters, 0))
        insert_objects(self._sql, [new_folder(result.account_id, result.root_key, None, "root", now)])
        return result

    def by_key(self, account_key: str) -> records.Account:
        """Raise AccountMissing when there is none."""
        return self._one("account_key = :value", raw(account_key))

    def by_email(self, email: str) -> records.Account:
        """Case does not count. AccountMissing when there is none."""
        return self._one("email_folded = :value", email.casefold())

    def by_id(self, account_id: int) -> records.Account:
        """Raise AccountMissing when there is none."""
        return self._one("account_id = :value", account_id)

    def list(self, *, after_id: int = 0, limit: int = 1000) -> list[records.Account]:
        """By account_id, those after the given one."""
        source = "FROM accounts WHERE account_id > :after ORDER BY account_id LIMIT :limit"
        return ACCOUNT_COLUMNS.all(self._sql, source, {"after": after_id, "limit": limit})

    def count(self) -> int:
        """Return how many accounts there are, disabled ones included."""
        return self._sql.number("SELECT count(*) FROM accounts")

    def set_password(self, account_id: int, password_hash: str, now: int) -> None:
        self._set("password_hash = :value", account_id, now, value=password_hash)

    def set_status(self, account_id: int, status: str, now: int) -> None:
        """Let the account in, or keep it out; AccountMissing where it is GOING."""
        self._set("status = :value", account_id, now, condition=_STAYS, value=status)

    def set_space(self, account_id: int, *, default_space: int, paid_space: int, now: int) -> None:
        """Change what the account may hold. Less than it holds is allowed: it then cannot add anything."""
        sets = "default_space = :default, paid_space = :paid"
        self._set(sets, account_id, now, default=default_space, paid=paid_space)

    def set_names(self, account_id: int, *, first_name: str, last_name: str, now: int) -> None:
        self._set("first_name = :first, last_name = :last", account_id, now, first=first_name, last=last_name)

    def set_deletion(self, account_id: int, delete_at: int, now: int) -> None:
        """Say when the account goes for good, or, with 0, that it stays; AccountMissing where it is GOING."""
        self._set("delete_at = :value", account_id, now, condition=_STAYS, value=delete_at)

    def close_due(self, account_id: int, now: int) -> bool:
        """Return whether the time of the account is over; then it is GOING from now on, unless it is held.

        Of this and of set_deletion at the same moment, one comes first, and the other sees it.
        """
        locked = "SELECT held_at FROM account_counters WHERE account_id = :account FOR UPDATE"
        if self._sql.value(locked, {"account": account_id}) != 0:
            return False
        return self._sql.changed(
            "UPDATE accounts SET status = :going, updated_at = :now WHERE account_id = :account AND delete_at > 0"
            " AND delete_at <= :now",
            {"account": account_id, "now": now, "going": records.GOING},
        )

    def remove_some(self, account_id: int, limit: int, now: int) -> bool:
        """Remove an account that is GOING, with everything that it has; true while something of it is left.

        Each call is one small transaction, so others work in between and a crash loses nothing. Content is
        dereferenced, and boards pass on or go, as by leaving them; words on boards go too. Any other account
        stays as it is, and one that is not there is gone already.
        """
        sql = self._sql
        row = sql.one(
            "SELECT c.account_id FROM account_counters c JOIN accounts a ON a.account_id = c.account_id"
            " WHERE c.account_id = :account AND a.status = :going AND c.held_at = 0",
            {"account": account_id, "going": records.GOING},
        )
        if row is None:
            return False
        lock_account(sql, account_id)
        if _give_up_some(sql, account_id, limit):
            return True
        purge = SqlPurge(sql)
        purge.mark_all_for_deletion(account_id, now)
        if purge.delete_batch(account_id, limit, now, keep=False) or _leave_some_boards(sql, account_id, limit, now):
            return True
        if any(_forget_some(sql, account_id, table, key, limit) for table, key in _MANY):
            return True
        for table in _REST:
            sql.delete(table, account_id=account_id)
        return False

    def _one(self, condition: str, value: str | int | bytes) -> records.Account:
        account = ACCOUNT_COLUMNS.one(self._sql, f"FROM accounts WHERE {condition}", {"value": value})
        return required(account, AccountMissing("no such account"))

    def _set(self, assignment: str, account_id: int, now: int, *, condition: str = "", **values: str | int) -> None:
        changed = self._sql.run(
            f"UPDATE accounts SET {assignment}, updated_at = :now WHERE account_id = :account{condition}",
            {"account": account_id, "now": now, **values},
        )
        if not changed:
            raise AccountMissing("no such account")


DEVICE_COLUMNS = Columns(records.Device)


class SqlDevices(SqlNoun):
    """A device belongs to one account: the same key in two accounts is two devices.

    Keys come in one spelling (lower-case UUIDs); storage compares them as they are.
    """

    def register(self, account_id: int, device: records.NewDevice, now: int) -> records.Device:
        """Add a device, or register one again: its session and nonces end. It keeps the date it was added, and a name
        from rename."""
        lock_account(self._sql, account_id)
        end_session(self._sql, account_id, device.device_key)
        row = self._sql.inserted(
            "devices",
            DEVICE_COLUMNS.text,
            "ON CONFLICT (account_id, device_key) DO UPDATE SET device_name = CASE WHEN devices.is_named = 1"
            " THEN devices.device_name ELSE excluded.device_name END, device_type = excluded.device_type,"
            " platform_type = excluded.platform_type, last_seen_at = excluded.last_seen_at",
            account_id=account_id,
            **asdict(device),
            created_at=now,
            last_seen_at=now,
        )
        self._end_the_longest_unused(account_id, device.device_key, now)
        return DEVICE_COLUMNS.read(row)

    def _end_the_longest_unused(self, account_id: int, keep: str, now: int) -> None:
        # Those without a session first: a delegation that has expired leaves a device behind.
        rows = self._sql.all(
            "SELECT v.device_key FROM devices v LEFT JOIN sessions s ON s.account_id = v.account_id"
            " AND s.device_key = v.device_key AND s.expires_at > :now"
            " WHERE v.account_id = :account AND v.device_key <> :keep"
            " ORDER BY CASE WHEN s.secret_hash IS NULL THEN 1 ELSE 0 END, v.last_seen_at DESC, v.device_key"
            " LIMIT :more OFFSET :most",
            {"account": account_id, "keep": keep, "now": now, "most": DEVICES_MAX - 1, "more": DEVICES_MAX},
        )
        for (device_key,) in rows:
            self.remove(account_id, device_key)

    def of_account(self, account_id: int) -> list[records.Device]:
        """Return all devices, in the order in which they were added."""
        source = "FROM devices WHERE account_id = :account ORDER BY created_at, device_key"
        return DEVICE_COLUMNS.all(self._sql, source, {"account": account_id})

    def rename(self, account_id: int, device_key: str, name: str) -> bool:
        """Give a device a name that it keeps when it is registered again; false when the account has no such device."""
        names: Params = {"device_name": name, "is_named": 1}
        return self._sql.update("devices", names, account_id=account_id, device_key=device_key) > 0

    def remove(self, account_id: int, device_key: str) -> bool:
        """Forget a device, its session and its nonces; false when the account has no such device."""
        lock_account(self._sql, account_id)
        end_session(self._sql, account_id, device_key)
        return self._sql.delete("devices", account_id=account_id, device_key=device_key) > 0

    def sweep(self, seen_before: int, limit: int) -> int:
        """Forget up to limit devices that have no session and were not seen since that time; return how many."""
        # A login writes its device's row before its session: so a device that is locked here stays without one.
        rows = self._sql.all(
            "SELECT d.account_id, d.device_key FROM devices d WHERE d.last_seen_at < :before"
            f" AND {NOT_HELD.format('d')} AND NOT EXISTS"
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
    return bool(sql.delete("sessions", account_id=account_id, device_key=device_key))


def _give_up_some(sql: Sql, account_id: int, limit: int) -> bool:
    """Return the root's children, a few at a time, with everything below them. Trashed objects go with the trash."""
    root = "(SELECT a.root_key FROM accounts a WHERE a.account_id = :account)"
    below_it = f"o.status = 'A' AND o.parent_key = {root} LIMIT :limit"
    given_up = objects_where(sql, account_id, below_it, {"limit": limit})
    if given_up:
        update_objects(sql, [(one, replace(one, status=PURGING)) for one in given_up])
    return bool(given_up)


def _leave_some_boards(sql: Sql, account_id: int, limit: int, now: int) -> bool:
    some = "SELECT board_key FROM board_members WHERE account_id = :account ORDER BY board_key LIMIT :limit"
    boards = sql.keys(some, {"account": account_id, "limit": limit})
    for board_key in boards:
        SqlBoardMembers(sql).leave(account_id, board_key, now, keeps_history=False)
    return len(boards) == limit


def _forget_some(sql: Sql, account_id: int, table: str, key: str, limit: int) -> bool:
    gone = sql.run(
        f"DELETE FROM {table} WHERE account_id = :account AND {key} IN"
        f" (SELECT {key} FROM {table} WHERE account_id = :account ORDER BY {key} LIMIT :limit)",
        {"account": account_id, "limit": limit},
    )
    return gone >= limit
