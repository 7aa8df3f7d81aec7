"""What the owner of a board decided about somebody, in SQL: kept while they are away, because links outlive members."""

from typing import Final

from skyshelf.storage.metadata.sql.statements import Params, Sql, raw

REMOVED: Final = "X"
VIEWER_AT_MOST: Final = "V"


def restrict(sql: Sql, board_key: str, account_id: int, kind: str) -> None:
    """Remember a decision. It is newer than any invitation that is still open, so that one goes."""
    params: Params = {"board": raw(board_key), "account": account_id}
    sql.run(
        "INSERT INTO board_restrictions (board_key, account_id, kind) VALUES (:board, :account, :kind)"
        " ON CONFLICT (board_key, account_id) DO UPDATE SET kind = excluded.kind",
        {"board": raw(board_key), "account": account_id, "kind": kind},
    )
    sql.run(
        "DELETE FROM board_invitations WHERE board_key = :board"
        " AND email_folded = (SELECT a.email_folded FROM accounts a WHERE a.account_id = :account)",
        params,
    )


def lift(sql: Sql, board_key: str, account_id: int) -> None:
    """Forget it: the owner has decided otherwise."""
    sql.run(
        "DELETE FROM board_restrictions WHERE board_key = :board AND account_id = :account",
        {"board": raw(board_key), "account": account_id},
    )


def restriction(sql: Sql, board_key: str, account_id: int) -> str | None:
    row = sql.one(
        "SELECT kind FROM board_restrictions WHERE board_key = :board AND account_id = :account",
        {"board": raw(board_key), "account": account_id},
    )
    return row[0] if row else None
