"""What a rewind brings back of albums, comments and contacts, in SQL."""

from collections.abc import Iterable
from itertools import groupby
from typing import Any, Final, NamedTuple

import msgspec

from skyshelf.storage.errors import LimitReached, Missing
from skyshelf.storage.metadata.contracts.boards import OWNER
from skyshelf.storage.metadata.history.records import decode_links
from skyshelf.storage.metadata.history.rewinds import Scope, StoredRewind
from skyshelf.storage.metadata.sql import bounds
from skyshelf.storage.metadata.sql.boards.access import hold_board, mark_changed
from skyshelf.storage.metadata.sql.former import COMMENT, CONTACT, Rows, keep
from skyshelf.storage.metadata.sql.history.past import is_by
from skyshelf.storage.metadata.sql.keeping import BOARD
from skyshelf.storage.metadata.sql.statements import Params, Sql, key_text, raw


class Former(NamedTuple):
    """Something as it was from `since` until `kept_at`, when the actor changed it."""

    is_part: bool
    """False for an album, which has to exist before what is part of one."""
    record: bytes
    kind: str
    key: bytes
    actor: str
    since: int
    kept_at: int


def due(sql: Sql, account_id: int, scope: Scope, rewind: StoredRewind | None = None) -> list[Former]:
    """Return what a rewind brings back: whatever was something else at its moment.

    What others have changed since the moment stays as it is, and so does what anybody has changed since the rewind
    was requested.
    """
    if scope.folder_key is not None:
        return []
    rows = sql.all(
        "SELECT object_key, kept_at, links FROM purged_objects WHERE account_id = :account AND folder_key = :folder"
        " AND kept_at > :at ORDER BY object_key",
        {"account": account_id, "folder": bounds.FORMER_FOLDER, "at": scope.at},
    )
    records = [_former(*row) for row in rows]
    if rewind is not None:
        records = [one for one in records if one.actor != rewind.actor]
    found = []
    for _, group in groupby(records, key=lambda one: one.key):
        ones = list(group)
        is_mine = not scope.actor or all(is_by(one.actor, scope.actor) for one in ones)
        is_settled = rewind is None or ones[-1].kept_at <= rewind.created_at
        if is_mine and is_settled and ones[0].since <= scope.at:
            found.append(ones[0])
    return sorted(found)


def _former(record: bytes, kept_at: int, links: bytes) -> Former:
    (link,) = decode_links(links)
    return Former(link.kind != BOARD, bytes(record), link.kind, link.key, link.name, link.at, kept_at)


def bring_back(sql: Sql, account_id: int, one: Former, now: int) -> bool:
    """Make something what it was; false where it is that already, or nobody can. The account is locked."""
    state = sql.value(
        "SELECT state FROM purged_objects WHERE account_id = :account AND object_key = :record",
        {"account": account_id, "record": one.record},
    )
    if state is None:
        return False
    rows: Rows = msgspec.msgpack.decode(state)
    try:
        return _WAYS[one.kind](sql, account_id, one, rows, now)
    except (LimitReached, Missing):
        return False


def hold_boards(sql: Sql, account_id: int, due: Iterable[Former]) -> None:
    """Lock the albums of all comments in the order of their keys, so two transactions cannot wait for each other."""
    records = [one.record for one in due if one.kind == COMMENT]
    if not records:
        return
    states = sql.column(
        "SELECT state FROM purged_objects WHERE account_id = :account AND object_key = ANY_KEY(:records)",
        {"account": account_id, "records": records},
    )
    boards = {msgspec.msgpack.decode(state)["board_comments"][0]["board_key"] for state in states}
    sql.all(
        "SELECT 1 FROM boards WHERE board_key = ANY_KEY(:boards) ORDER BY board_key FOR UPDATE",
        {"boards": sorted(boards)},
    )


def _contact_back(sql: Sql, account_id: int, one: Former, rows: Rows, now: int) -> bool:
    (own,), key = rows["contacts"], one.key
    current = sql.one("SELECT is_active, details FROM contacts WHERE contact_key = :key", {"key": key})
    if current is None:
        bounds.refuse(sql, account_id, "contacts")
    elif current[0]:
        if bytes(current[1]) == own["details"]:
            return False
        keep(sql, account_id, CONTACT, [key], now)
    sql.delete("contacts", contact_key=key)
    own["updated_at"] = now
    _insert(sql, rows)
    return True


def _comment_back(sql: Sql, account_id: int, one: Former, rows: Rows, now: int) -> bool:
    (own,), key = rows["board_comments"], one.key
    board, author = key_text(own["board_key"]), own["account_id"]
    is_owner = hold_board(sql, account_id, board) == OWNER
    is_possible = is_owner or (author == account_id and not _is_moderated(sql, account_id, board, one))
    current = sql.value("SELECT text FROM board_comments WHERE comment_key = :key", {"key": key})
    if not is_possible or current == own["text"] or not sql.exists("accounts", account_id=author):
        return False
    if current is None:
        bounds.refuse(sql, author, "comments")
    else:
        keep(sql, account_id, COMMENT, [key], now)
        sql.delete("board_comments", comment_key=key)
    _insert(sql, rows)
    mark_changed(sql, board, now)
    return True


def _is_moderated(sql: Sql, account_id: int, board_key: str, one: Former) -> bool:
    """Whether the album's owner has removed the comment since."""
    of_owner = (
        "SELECT 1 FROM purged_objects p JOIN boards b ON b.owner_id = p.account_id WHERE b.board_key = :board"
        " AND p.account_id <> :account AND p.folder_key = :former AND p.object_key > :record AND p.object_key < :beyond"
    )
    beyond = one.record[:8] + b"\xff" * 8
    params: Params = {"board": raw(board_key), "account": account_id, "former": bounds.FORMER_FOLDER}
    return sql.one(of_owner, {**params, "record": one.record, "beyond": beyond}) is not None


def _board_back(sql: Sql, _account_id: int, one: Former, rows: Rows, now: int) -> bool:
    key = one.key
    if sql.exists("boards", board_key=key):
        return False
    everybody = {row["account_id"] for table in rows if table != "boards" for row in rows[table]}
    there = set(
        sql.column("SELECT account_id FROM accounts WHERE account_id = ANY(:accounts)", {"accounts": sorted(everybody)})
    )
    rows = {
        table: [row for row in found if row.get("account_id", row.get("owner_id")) in there]
        for table, found in rows.items()
    }
    rows["board_items"] = [row for one in sorted(there) for row in _items_of(sql, one, rows.get("board_items", ()))]
    rows["boards"][0]["updated_at"] = now
    _insert(sql, rows)
    return True


def _items_of(sql: Sql, account_id: int, items: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the items of an account whose files still exist."""
    own = [row for row in items if row["account_id"] == account_id]
    params: Params = {"account": account_id, "keys": [row["object_key"] for row in own]}
    files = "SELECT object_key FROM objects WHERE account_id = :account AND object_key = ANY_KEY(:keys)"
    there = {bytes(key) for key in sql.column(files, params)} if own else set()
    return [row for row in own if row["object_key"] in there]


def _insert(sql: Sql, rows: Rows) -> None:
    for table, found in rows.items():
        sql.insert_rows(table, found)


_WAYS: Final = {BOARD: _board_back, COMMENT: _comment_back, CONTACT: _contact_back}
