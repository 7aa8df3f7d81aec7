"""Changes in SQL."""

from collections.abc import Sequence

from skyshelf.storage.metadata.contracts.changes import Change
from skyshelf.storage.metadata.sql.held import NOT_HELD
from skyshelf.storage.metadata.sql.statements import Params, SqlNoun, key_text, raw
from skyshelf.storage.metadata.sql.tree.stored_wire import current_rows, encoding, stored_wire
from skyshelf.storage.metadata.sql.tree.visibility import IS_NOT_PURGED

# What is below a purged folder goes in the background, and is gone for everybody at once. Climbing from
# every object costs time, and is needed only while something is being purged.
_NOTHING_IS_PURGED = (
    "NOT EXISTS (SELECT 1 FROM objects g WHERE g.account_id = :account AND g.status = 'P')"
    " AND NOT EXISTS (SELECT 1 FROM objects g WHERE g.account_id = :account AND g.status = 'T' AND g.trashed_at <="
    " (SELECT c.trash_watermark FROM account_counters c WHERE c.account_id = :account))"
)


class SqlChanges(SqlNoun):
    """An append-only feed per account. seq counts from 1 without holes, and a change is in the feed if and
    only if its cause is committed. A reader that has seen seq n never later finds a new change at or
    below n."""

    def newest(self, account_id: int) -> int:
        """Return the seq of the newest change; 0 where nothing ever happened."""
        newest = "SELECT change_seq FROM account_counters WHERE account_id = :account"
        return self._sql.value(newest, {"account": account_id}) or 0

    def oldest(self, account_id: int) -> int:
        """Return the seq of the oldest change that is still kept; newest + 1 where none is."""
        # One statement: between two, a change could come in, and be taken for one that is no longer kept.
        oldest = "coalesce((SELECT min(seq) FROM changes WHERE account_id = :account), change_seq + 1)"
        kept = f"SELECT {oldest} FROM account_counters WHERE account_id = :account"
        return self._sql.value(kept, {"account": account_id}) or 1

    def since(self, account_id: int, seq: int, limit: int) -> list[Change]:
        """Return the changes after seq, oldest first."""
        source = "FROM changes WHERE account_id = :account AND seq > :seq ORDER BY seq LIMIT :limit"
        return self._changes(source, {"account": account_id, "seq": seq, "limit": limit})

    def of_object(self, account_id: int, object_key: str, *, among: int, limit: int) -> list[Change]:
        """Return the latest changes of one object, newest first, of the account's `among` newest ones."""
        # An index of objects would make every upload slower; a bounded range of the feed is read at once.
        return self._changes(
            "FROM changes WHERE account_id = :account AND object_key = :key AND seq > (SELECT change_seq"
            " FROM account_counters WHERE account_id = :account) - :among ORDER BY seq DESC LIMIT :limit",
            {"account": account_id, "key": raw(object_key), "among": among, "limit": limit},
        )

    def _changes(self, source: str, params: Params) -> list[Change]:
        # A client reads thousands of them at once: by position takes less than half the time of Columns.
        rows = self._sql.all(f"SELECT seq, at, kind, object_key {source}", params)
        return [Change(seq, at, kind, key_text(key)) for seq, at, kind, key in rows]

    def at(self, account_id: int, seq: int) -> int | None:
        """Return when the change with that seq happened; None where there is none, or it is no longer kept."""
        at = "SELECT at FROM changes WHERE account_id = :account AND seq = :seq"
        return self._sql.value(at, {"account": account_id, "seq": seq})

    def newest_of(self, account_ids: Sequence[int]) -> dict[int, int]:
        """Return the seq of the newest change of each of several accounts, in one statement."""
        newest = "SELECT account_id, change_seq FROM account_counters WHERE account_id = ANY(:accounts)"
        return dict(self._sql.all(newest, {"accounts": list(account_ids)}))

    def objects(self, account_id: int, object_keys: Sequence[str]) -> list[bytes]:
        """Return the objects among these that still exist, trashed or invisible ones too; encoded as in Tree.page."""
        rows = self._sql.all(
            f"SELECT {stored_wire('o')} FROM objects o WHERE o.account_id = :account AND o.object_key = ANY_KEY(:keys)"
            f" AND {IS_NOT_PURGED} AND o.parent_key IS NOT NULL ORDER BY o.object_key",
            {"account": account_id, "keys": sorted({raw(key) for key in object_keys}), **encoding()},
        )
        return [wire for (wire,) in current_rows(self._sql, account_id, rows)]

    def everything(self, account_id: int, *, after: str | None = None, limit: int) -> list[tuple[str, bytes]]:
        """Return what an account holds, active or trashed, seen or not, by key; those after a key. The root is not
        shown.

        With the changes since before the first call it makes a whole picture, whatever happens in the meantime.
        """
        rows = self._sql.all(
            f"SELECT o.object_key, {stored_wire('o')} FROM objects o WHERE o.account_id = :account"
            f" AND o.object_key > :after AND o.parent_key IS NOT NULL AND (({_NOTHING_IS_PURGED}) OR ({IS_NOT_PURGED}))"
            " ORDER BY o.object_key LIMIT :limit",
            {"account": account_id, "after": b"" if after is None else raw(after), "limit": limit, **encoding()},
        )
        return [(key_text(key), wire) for key, wire in current_rows(self._sql, account_id, rows, at=1)]

    def forget(self, account_id: int, up_to_seq: int) -> int:
        """Drop the changes up to and including that seq, unless the account is held; how many there were."""
        old = f"DELETE FROM changes WHERE account_id = :account AND seq <= :seq AND {NOT_HELD.format('changes')}"
        return self._sql.run(old, {"account": account_id, "seq": up_to_seq})

    def forget_older(self, before: int, limit: int) -> int:
        """Drop changes of any account that happened before that time, the oldest `limit` of them at most; how many.

        What is kept of an account is always a feed without holes.
        """
        # Up to the newest of the old ones: a clock that went back must not leave a hole.
        ends = self._sql.all(
            "SELECT account_id, max(seq) FROM (SELECT account_id, seq FROM changes WHERE at < :before"
            f" AND {NOT_HELD.format('changes')} ORDER BY at LIMIT :limit) old GROUP BY account_id",
            {"before": before, "limit": limit},
        )
        return sum(self.forget(account_id, seq) for account_id, seq in ends)
