"""Consents of owners in SQL: an operator may rewind the account, once and for a limited time."""

from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.statements import Params, SqlNoun, replacing


class SqlRewindConsents(SqlNoun):
    """An account has one at most; the one given last counts."""

    def put(self, account_id: int, now: int, expires_at: int) -> None:
        lock_account(self._sql, account_id)
        given: Params = {"given_at": now, "expires_at": expires_at}
        self._sql.insert("rewind_consents", replacing("account_id", *given), account_id=account_id, **given)

    def until(self, account_id: int, now: int) -> int | None:
        """Return until when an operator may rewind the account; None without a consent, or when it has expired."""
        live = "SELECT expires_at FROM rewind_consents WHERE account_id = :account AND expires_at > :now"
        return self._sql.value(live, {"account": account_id, "now": now})

    def take(self, account_id: int, now: int) -> bool:
        """Use up the consent; of any number of callers at once, one gets it."""
        lock_account(self._sql, account_id)
        live = "DELETE FROM rewind_consents WHERE account_id = :account AND expires_at > :now"
        return self._sql.changed(live, {"account": account_id, "now": now})

    def withdraw(self, account_id: int) -> bool:
        """Return whether there was one."""
        lock_account(self._sql, account_id)
        return self._sql.delete("rewind_consents", account_id=account_id) > 0
