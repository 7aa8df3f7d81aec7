"""Contents that history gives up because the disk is full, in SQL."""

from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.quota import add_used
from skyshelf.storage.metadata.sql.statements import SqlNoun

_QUARANTINED = (
    "FROM kept_contents k JOIN quarantine q ON q.content = k.content WHERE q.reason = 'released' AND q.deleting = 0 AND"
)
_KEPT_ALONE = (
    f"{_QUARANTINED} NOT EXISTS (SELECT 1 FROM kept_contents o WHERE o.content = k.content"
    " AND o.account_id <> k.account_id) AND"
)
"""Contents of one history alone: forgetting them frees their bytes."""
_KEPT_BY_NO_HOLD = (
    f"{_QUARANTINED} NOT EXISTS (SELECT 1 FROM kept_contents o JOIN account_counters h ON h.account_id = o.account_id"
    " WHERE o.content = k.content AND h.held_at > 0) AND"
)
"""Contents whose bytes are free once every history that keeps them has forgotten them."""
_OLDEST_FIRST = "ORDER BY k.kept_at, k.object_key, k.version"


class SqlGivenUp(SqlNoun):
    """Nothing is forgotten whose bytes stay: what one history alone would lose is spared while another keeps it."""

    def give_up_some(self, limit: int) -> bool:
        """Forget the oldest quarantined contents of the account whose history has the most for its quota, because the
        disk is full; false where nobody's history keeps any. So nobody's deletions shorten the history of others.

        What a held account deleted stays.

        What several histories keep goes last, and all of them forget it: one alone would lose it and free nothing.
        """
        return self._give_up_own(limit) or self._give_up_shared(limit)

    def _give_up_own(self, limit: int) -> bool:
        account_id = self._largest_with(_KEPT_ALONE)
        if account_id is None:
            return False
        if lock_account(self._sql, account_id, even_paused=True).held_at:
            return True
        sizes = self._sql.column(
            "DELETE FROM kept_contents WHERE account_id = :account AND (object_key, version) IN (SELECT k.object_key,"
            f" k.version {_KEPT_ALONE} k.account_id = :account {_OLDEST_FIRST} LIMIT :limit) RETURNING size",
            {"account": account_id, "limit": limit},
        )
        add_used(self._sql, account_id, {}, history=-sum(sizes))
        return True

    def _give_up_shared(self, limit: int) -> bool:
        """Forget one content, in as many histories as there may be rows at once; the next calls go on with it."""
        account_id = self._largest_with(_KEPT_BY_NO_HOLD)
        if account_id is None:
            return False
        rows = self._sql.all(
            "SELECT account_id, object_key, version FROM kept_contents WHERE content ="
            f" (SELECT k.content {_KEPT_BY_NO_HOLD} k.account_id = :account {_OLDEST_FIRST} LIMIT 1)"
            " ORDER BY account_id, object_key, version LIMIT :limit",
            {"account": account_id, "limit": limit},
        )
        accounts = sorted({row[0] for row in rows})
        if any(lock_account(self._sql, one, even_paused=True).held_at for one in accounts):
            return True
        for one in accounts:
            sizes = [
                self._sql.value(
                    "DELETE FROM kept_contents WHERE account_id = :account AND object_key = :key AND version = :version"
                    " RETURNING size",
                    {"account": one, "key": key, "version": version},
                )
                for owner, key, version in rows
                if owner == one
            ]
            add_used(self._sql, one, {}, history=-sum(size or 0 for size in sizes))
        return True

    def _largest_with(self, kept: str) -> int | None:
        """Return the account whose history has the most for its quota, among those that keep such contents."""
        return self._sql.value(
            "SELECT c.account_id FROM account_counters c JOIN accounts a ON a.account_id = c.account_id"
            f" WHERE c.history_used > 0 AND c.held_at = 0 AND EXISTS (SELECT 1 {kept} k.account_id = c.account_id)"
            " ORDER BY c.history_used * 1.0 / (a.default_space + a.paid_space + 1) DESC, c.account_id LIMIT 1"
        )
