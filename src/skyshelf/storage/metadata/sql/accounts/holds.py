"""Legal holds in SQL. What deletes for good asks for them itself: sql/held.py."""

from skyshelf.storage.errors import AccountMissing
from skyshelf.storage.metadata.contracts.accounts import GOING
from skyshelf.storage.metadata.contracts.holds import HeldSpace, Hold
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.statements import Params, SqlNoun


class SqlHolds(SqlNoun):
    """While an account is held, nothing of it is deleted for good, by whomever and for whatever reason.

    What its owner deletes leaves their sight and stays in history, which forgets nothing. A hold counts from the commit
    that sets it, because everything that deletes holds the account's row first.
    """

    def get(self, account_id: int) -> Hold | None:
        """Return the hold of an account. One statement."""
        held = "SELECT held_at, held_by, held_for FROM account_counters WHERE account_id = :account AND held_at > 0"
        row = self._sql.one(held, {"account": account_id})
        return Hold(*row) if row else None

    def put(self, account_id: int, hold: Hold) -> bool:
        """Hold an account; false where it is held already. AccountMissing where it is being removed."""
        lock = lock_account(self._sql, account_id, even_paused=True)
        if self._sql.exists("accounts", account_id=account_id, status=GOING):
            raise AccountMissing("the account is being removed")
        if lock.held_at:
            return False
        self._store(account_id, hold)
        return True

    def release(self, account_id: int) -> Hold | None:
        """End the hold of an account; None where there is none."""
        lock_account(self._sql, account_id, even_paused=True)
        found = self.get(account_id)
        if found is not None:
            self._store(account_id, Hold(0, "", ""))
        return found

    def count(self) -> int:
        """Return how many accounts are held."""
        return self._sql.number("SELECT count(*) FROM account_counters WHERE held_at > 0")

    def space(self, account_id: int, *, kept_before: int, trashed_up_to: int) -> HeldSpace:
        """Return what would be gone without the hold: contents kept before one time, and objects trashed by another."""
        row = self._sql.only(
            "SELECT count(k.size), coalesce(sum(k.size), 0) FROM account_counters c JOIN kept_contents k"
            " ON k.account_id = c.account_id WHERE c.account_id = :account"
            " AND (k.kept_at < :kept OR k.kept_at <= c.history_forgotten_at)",
            {"account": account_id, "kept": kept_before},
        )
        trashed = self._sql.only(
            "SELECT count(*), coalesce(sum(o.size), 0) FROM objects o WHERE o.account_id = :account"
            " AND o.status = 'T' AND o.trashed_at <= :trashed",
            {"account": account_id, "trashed": trashed_up_to},
        )
        return HeldSpace(row[0], int(row[1]), trashed[0], int(trashed[1]))

    def _store(self, account_id: int, hold: Hold) -> None:
        values: Params = {"held_at": hold.at, "held_by": hold.by, "held_for": hold.reason}
        self._sql.update("account_counters", values, account_id=account_id)
