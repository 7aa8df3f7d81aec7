"""Albums, comments and contacts as they were before somebody deleted or edited them, in SQL.

They are kept for as long as history: as rows of purged_objects, in a folder that no account has. A rewind brings them
back (rewind/former.py).
"""

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, Final

import msgspec

from skyshelf.storage.metadata.alarms import DELETED
from skyshelf.storage.metadata.history.records import Link, encode_links
from skyshelf.storage.metadata.sql import bounds
from skyshelf.storage.metadata.sql.account_lock import count_signs
from skyshelf.storage.metadata.sql.held import seen_since
from skyshelf.storage.metadata.sql.keeping import BOARD
from skyshelf.storage.metadata.sql.statements import Sql
from skyshelf.wire import limits

COMMENT, CONTACT = "comment", "contact"
_TABLES: Final[dict[str, dict[str, str]]] = {
    BOARD: {
        "boards": "board_key, owner_id, name, description, board_type, status, created_at, updated_at, cover_key",
        "board_members": "board_key, account_id, role, status, joined_at",
        "board_restrictions": "board_key, account_id, kind",
        "board_items": "board_key, account_id, object_key, added_at",
        "board_comments": "board_key, comment_key, account_id, object_key, text, created_at, edited_at",
    },
    COMMENT: {"board_comments": "comment_key, board_key, account_id, object_key, text, created_at, edited_at"},
    CONTACT: {
        "contacts": "contact_key, account_id, display_name, name_order, is_active, updated_at, details",
        "contact_emails": "contact_key, position, account_id, email, display_name, name_order",
    },
}
"""What belongs to each kind: its own table, then others whose rows name it. The first column is its key."""
_NEWEST: Final = {
    "board_comments": ("created_at", "FORMER_BOARD_COMMENTS_MAX"),
    "board_items": ("added_at", "FORMER_BOARD_FILES_MAX"),
}
"""What an album may have so much of that keeping all of it would be beyond every bound."""
_SINCE: Final = {BOARD: ("created_at",), COMMENT: ("created_at", "edited_at"), CONTACT: ("updated_at",)}
Rows = dict[str, list[dict[str, Any]]]


def keep(sql: Sql, account_id: int, kind: str, keys: Sequence[bytes], now: int, *, sign: str = DELETED) -> None:
    """Keep what is about to be deleted or edited, and count it. The account is locked."""
    found: dict[bytes, Rows] = {}
    for table, columns in _TABLES[kind].items():
        names = columns.split(", ")
        text = f"SELECT {columns} FROM {table} WHERE {names[0]} = ANY_KEY(:keys)"
        if kind == BOARD and table in _NEWEST:
            time, limit = _NEWEST[table]
            text += f" ORDER BY {time} DESC LIMIT {int(getattr(limits, limit))}"
        for row in sql.all(text, {"keys": sorted(keys)}):
            found.setdefault(bytes(row[0]), {}).setdefault(table, []).append(dict(zip(names, row, strict=True)))
    comments = sum(len(rows.get("board_comments", ())) for rows in found.values()) if kind == BOARD else 0
    count_signs(sql, account_id, [sign] * (len(found) + comments), now)
    rules = sql.one(
        "SELECT history_days, held_at FROM account_counters WHERE account_id = :account", {"account": account_id}
    )
    days, held_at = rules or (None, 0)
    if days == 0 and not held_at:
        return
    kept = [
        {"account_id": account_id, **_record(kind, key, rows, now, actor=sql.actor)}
        for key, rows in sorted(found.items())
    ]
    since = seen_since(sql, account_id, now) if held_at else 0
    bounds.refuse(sql, account_id, "formerRows", more=len(kept), since=since)
    bounds.refuse(sql, account_id, "formerBytes", more=sum(len(row["state"]) for row in kept), since=since)
    sql.insert_rows("purged_objects", kept, "ON CONFLICT (account_id, object_key) DO NOTHING")


def _record(kind: str, key: bytes, rows: Rows, now: int, *, actor: str) -> dict[str, Any]:
    own = rows[next(iter(_TABLES[kind]))][0]
    since = max(own[name] for name in _SINCE[kind])
    return {
        # One after the other for each, by time.
        "object_key": blake2b(key, digest_size=8).digest() + now.to_bytes(8, "big"),
        "purged_seq": 0,
        "kept_at": now,
        "folder_key": bounds.FORMER_FOLDER,
        "state": msgspec.msgpack.encode(rows),
        "links": encode_links([Link(kind, key, actor, since)]),
    }
