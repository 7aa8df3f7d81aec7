"""Removing an account: everything that it has, in small transactions, and then the account itself."""

from msgspec.structs import replace

from skyshelf.storage.metadata.contracts.accounts import GOING
from skyshelf.storage.metadata.contracts.tree import PURGING
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.boards.members import SqlBoardMembers
from skyshelf.storage.metadata.sql.statements import Params, Sql, key_text
from skyshelf.storage.metadata.sql.tree.objects import COLUMNS, object_from, update_objects
from skyshelf.storage.metadata.sql.tree.purge import delete_batch, mark_all_for_deletion

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


def remove_some(sql: Sql, account_id: int, limit: int, now: int) -> bool:
    """Files and folders are purged; boards are left; then the changes go; then the small tables."""
    row = sql.one(
        "SELECT c.account_id FROM account_counters c JOIN accounts a ON a.account_id = c.account_id"
        " WHERE c.account_id = :account AND a.status = :going",
        {"account": account_id, "going": GOING},
    )
    if row is None:
        return False
    lock_account(sql, account_id)
    if _give_up_some(sql, account_id, limit):
        return True
    mark_all_for_deletion(sql, account_id, now, None)
    if delete_batch(sql, account_id, limit, now, keep=False) or _leave_some_boards(sql, account_id, limit, now):
        return True
    if any(_forget_some(sql, account_id, table, key, limit) for table, key in _MANY):
        return True
    for table in _REST:
        sql.run(f"DELETE FROM {table} WHERE account_id = :account", {"account": account_id})
    return False


def _give_up_some(sql: Sql, account_id: int, limit: int) -> bool:
    """The root's children, a few at a time, with everything below them. Trashed objects go with the trash."""
    rows = sql.all(
        f"SELECT {COLUMNS} FROM objects o WHERE o.account_id = :account AND o.status = 'A' AND o.parent_key ="
        " (SELECT a.root_key FROM accounts a WHERE a.account_id = :account) LIMIT :limit",
        {"account": account_id, "limit": limit},
    )
    given_up = [object_from(row) for row in rows]
    if given_up:
        update_objects(sql, [(one, replace(one, status=PURGING)) for one in given_up])
    return bool(given_up)


def _leave_some_boards(sql: Sql, account_id: int, limit: int, now: int) -> bool:
    params: Params = {"account": account_id, "limit": limit}
    rows = sql.all(
        "SELECT board_key FROM board_members WHERE account_id = :account ORDER BY board_key LIMIT :limit", params
    )
    members = SqlBoardMembers(sql)
    for (board_key,) in rows:
        members.leave(account_id, key_text(board_key), now)
    return len(rows) == limit


def _forget_some(sql: Sql, account_id: int, table: str, key: str, limit: int) -> bool:
    gone = sql.run(
        f"DELETE FROM {table} WHERE account_id = :account AND {key} IN"
        f" (SELECT {key} FROM {table} WHERE account_id = :account ORDER BY {key} LIMIT :limit)",
        {"account": account_id, "limit": limit},
    )
    return gone >= limit
