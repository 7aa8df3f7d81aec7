"""Who may see a board, and what it shows: what the nouns of a board have in common."""

from skyshelf.storage.errors import Missing
from skyshelf.storage.metadata.sql.statements import Sql, raw
from skyshelf.storage.metadata.sql.tree.visibility import OBJECT_IS_VISIBLE

# Items `i` with their objects `o`, and the conditions under which a board shows one. The second asks each
# object for the folders above it: right for one object, and too much for a whole board.
# CROSS JOIN is SQLite's word for "in this order": a board is small, and the tree is not.
ITEMS = "board_items i CROSS JOIN objects o CROSS JOIN accounts a"
IS_ACTIVE = (
    "o.account_id = i.account_id AND o.object_key = i.object_key AND a.account_id = i.account_id"
    " AND o.status = 'A' AND a.status = 'A' AND a.delete_at = 0"
)
IS_SHOWN = f"{IS_ACTIVE} AND {OBJECT_IS_VISIBLE}"


def role_on_board(sql: Sql, account_id: int, board_key: str) -> str | None:
    """The role of an active member; None for anybody else."""
    row = sql.one(
        "SELECT role FROM board_members WHERE board_key = :board AND account_id = :account AND status = 'A'",
        {"board": raw(board_key), "account": account_id},
    )
    return row[0] if row else None


def require_member(sql: Sql, account_id: int, board_key: str) -> str:
    """The role of an active member; Missing for anybody else."""
    role = role_on_board(sql, account_id, board_key)
    if role is None:
        raise Missing("no such board")
    return role


def lock_board(sql: Sql, board_key: str) -> None:
    """Hold the board until the transaction ends. Who needs an account's lock too takes that one first."""
    if sql.one("SELECT 1 FROM boards WHERE board_key = :board FOR UPDATE", {"board": raw(board_key)}) is None:
        raise Missing("no such board")


def hold_board(sql: Sql, account_id: int, board_key: str) -> str:
    """Lock the board, then read the role: read before, it could be out of date by now."""
    lock_board(sql, board_key)
    return require_member(sql, account_id, board_key)


def mark_changed(sql: Sql, board_key: str, now: int) -> None:
    """The caller holds the board."""
    sql.run("UPDATE boards SET updated_at = :now WHERE board_key = :board", {"board": raw(board_key), "now": now})
