"""Accounts under a legal hold: the condition, for statements that would delete something for good, and what counts."""

from typing import Final

from skyshelf.storage.metadata.sql.statements import Sql
from skyshelf.wire.limits import HISTORY_KEPT_DAYS

NOT_HELD: Final = (
    "NOT EXISTS (SELECT 1 FROM account_counters held WHERE held.account_id = {0}.account_id AND held.held_at > 0)"
)
"""A condition on a table or alias with the column account_id."""
EVENT_NOT_HELD: Final = (
    "NOT EXISTS (SELECT 1 FROM account_counters held JOIN accounts holder ON holder.account_id = held.account_id"
    " WHERE held.held_at > 0 AND holder.account_key = audit_events.account_key)"
)
"""A condition on audit_events, which know the account by its key."""


def is_held(sql: Sql, account_id: int) -> bool:
    """Return whether an account is under a hold; a writer holds the account's lock."""
    held = "SELECT 1 FROM account_counters WHERE account_id = :account AND held_at > 0"
    return sql.one(held, {"account": account_id}) is not None


def seen_since(sql: Sql, account_id: int, now: int) -> int:
    """Return since when the history of a held account counts: about what its owner sees, and 30 days at most.

    The hold alone keeps what is older.
    """
    forgotten_at, floor_at = sql.only(
        "SELECT n.history_forgotten_at, (SELECT c.at FROM changes c WHERE c.account_id = n.account_id"
        " AND c.seq = n.history_floor) FROM account_counters n WHERE n.account_id = :account",
        {"account": account_id},
    )
    return max(int(forgotten_at), int(floor_at or 0), now - HISTORY_KEPT_DAYS * 24 * 60 * 60 * 1000) + 1
