"""The condition that an account is under a legal hold, for statements that would delete something for good."""

from typing import Final

from skyshelf.storage.metadata.sql.statements import Sql

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
