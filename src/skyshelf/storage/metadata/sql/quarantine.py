"""Quarantine in SQL."""

from collections.abc import Sequence

from skyshelf.storage.metadata.contracts.content import (
    UNEXPLAINED,
    QuarantineEntry,
    QuarantineTotal,
    Reason,
    ReleasedBytes,
)
from skyshelf.storage.metadata.sql.statements import Columns, Params, Sql, SqlNoun, raw

_ENTRY = Columns(QuarantineEntry, "q")
_IS_REFERRED = (
    "(EXISTS (SELECT 1 FROM blobs b WHERE b.location = {0})"
    " OR EXISTS (SELECT 1 FROM thumbnails t WHERE t.location = {0} AND t.location <> ''))"
)
IS_IN_HISTORY = (
    "(q.reason = 'released' AND q.content IS NOT NULL"
    " AND EXISTS (SELECT 1 FROM kept_contents k WHERE k.content = q.content))"
)
"""A condition on something `q` in quarantine: an account's history still needs it."""
_IS_HELD = (
    "(q.content IS NOT NULL AND EXISTS (SELECT 1 FROM kept_contents k JOIN account_counters c"
    " ON c.account_id = k.account_id WHERE k.content = q.content AND c.held_at > 0))"
)
DUE = "{0}counts_from <= :up_to AND {0}since <= :up_to"
"""A condition on rows or an alias that are in quarantine for long enough. Older servers leave counts_from at 0."""
_LATEST = (1 << 63) - 1


class SqlQuarantine(SqlNoun):
    """Nothing is moved: a row says that the bytes are unreferenced, and since when.

    So the right database, put back, still finds the bytes that it refers to. To delete, `begin_deleting` is
    committed, then the bytes are deleted, then `end_deleting` forgets them; a crash in between leaves rows that
    `being_deleted` returns.
    """

    def add(self, things: Sequence[QuarantineEntry]) -> None:
        """Note that these are unreferenced. One that is in quarantine already stays as it is; content that is referred
        to is left out."""
        known = referred(self._sql, [one.location for one in things if one.kind == "blob"])
        new = [one for one in {one.location: one for one in things}.values() if one.location not in known]
        rows = [_ENTRY.write(one) | {"counts_from": one.since, "deleting": 0} for one in new]
        self._sql.insert_rows("quarantine", rows, "ON CONFLICT (location) DO NOTHING")

    def known(self, locations: Sequence[str]) -> set[str]:
        """Return the locations among these that are in quarantine."""
        known = "SELECT location FROM quarantine WHERE location = ANY(:locations)"
        return set(self._sql.column(known, {"locations": list(locations)}))

    def page(
        self,
        *,
        after: tuple[int, str] = (-1, ""),
        since_up_to: int | None = None,
        reason: Reason | None = None,
        limit: int,
    ) -> list[QuarantineEntry]:
        """By (since, location), oldest first."""
        of_reason, params = _of_reason(reason)
        up_to = _LATEST if since_up_to is None else since_up_to
        return _ENTRY.all(
            self._sql,
            "FROM quarantine q WHERE (q.since, q.location) > (:since, :location)"
            f" AND q.since <= :up_to{of_reason} ORDER BY q.since, q.location LIMIT :limit",
            {"since": after[0], "location": after[1], "up_to": up_to, "limit": limit, **params},
        )

    def copies(self, sha256: str) -> list[QuarantineEntry]:
        """Return entries with this content that can be reinstated, newest first."""
        alike = "q.content = :content AND q.kind = 'blob' AND q.deleting = 0"
        source = f"FROM quarantine q WHERE {alike} ORDER BY q.since DESC, q.location"
        return _ENTRY.all(self._sql, source, {"content": raw(sha256)})

    def reinstate(self, location: str) -> bool:
        """Somebody refers to it again, in this transaction; false if it is not in quarantine, or being deleted."""
        return self._sql.delete("quarantine", location=location, deleting=0) > 0

    def totals(self, since_up_to: int | None = None) -> list[QuarantineTotal]:
        """Return how much there is, by reason."""
        rows = self._sql.all(
            "SELECT reason, count(*), sum(size), min(since) FROM quarantine WHERE since <= :up_to"
            " GROUP BY reason ORDER BY reason",
            {"up_to": _LATEST if since_up_to is None else since_up_to},
        )
        return [QuarantineTotal(reason, count, int(size), oldest) for reason, count, size, oldest in rows]

    def referred(self, due_up_to: int, limit: int) -> list[str]:
        """Locations of blobs that are due although a row refers to them: something is wrong."""
        return self._sql.column(
            f"SELECT q.location FROM quarantine q WHERE {DUE.format('q.')} AND q.kind = 'blob' AND q.deleting = 0"
            f" AND {_IS_REFERRED.format('q.location')} LIMIT :limit",
            {"up_to": due_up_to, "limit": limit},
        )

    def unexplained(self, due_up_to: int) -> int:
        """Return how much is due that no account has deleted."""
        due = f"FROM quarantine WHERE {DUE.format('')} AND reason = ANY(:reasons)"
        return self._sql.number(f"SELECT count(*) {due}", {"up_to": due_up_to, "reasons": list(UNEXPLAINED)})

    def postpone(self, due_up_to: int, limit: int, now: int) -> bool:
        """Let the time of what histories or holds still need begin again, so the next runs need not look at it; true
        where there may be more."""
        needed = self._sql.column(
            f"SELECT q.location FROM quarantine q WHERE {DUE.format('q.')} AND q.deleting = 0 AND"
            f" ({IS_IN_HISTORY} OR {_IS_HELD}) ORDER BY q.counts_from, q.location LIMIT :limit FOR UPDATE SKIP LOCKED",
            {"up_to": min(due_up_to, now - 1), "limit": limit},
        )
        self._sql.run(
            "UPDATE quarantine SET counts_from = :now WHERE location = ANY(:locations)",
            {"now": now, "locations": needed},
        )
        return len(needed) == limit

    def unneeded(self) -> list[ReleasedBytes]:
        """Return what could go early, by the account that deleted it."""
        rows = self._sql.all(
            "SELECT q.account_id, sum(q.size), coalesce(max(a.default_space + a.paid_space), 0) FROM quarantine q"
            " LEFT JOIN accounts a ON a.account_id = q.account_id WHERE q.reason = 'released' AND q.deleting = 0"
            f" AND NOT {IS_IN_HISTORY} AND NOT {_IS_HELD} GROUP BY q.account_id ORDER BY q.account_id"
        )
        return [ReleasedBytes(account_id, int(size), int(quota)) for account_id, size, quota in rows]

    def begin_deleting(
        self,
        since_up_to: int,
        limit: int,
        reason: Reason | None = None,
        *,
        spare_history: bool = False,
        account_id: int | None = None,
    ) -> list[QuarantineEntry]:
        """Mark the oldest ones as being deleted and return them; they can no longer be reinstated.

        Bytes that a row refers to are left out, and those that a held account deleted; with spare_history all that some
        account's history needs; with an account those that it deleted alone.
        """
        of_reason, params = _of_reason(reason)
        if account_id is not None:
            of_reason += " AND q.account_id = :account"
            params = {**params, "account": account_id}
        # What histories need is not looked at each time: postpone().
        is_due = spare_history and account_id is None
        due, time = (DUE.format("q."), "counts_from") if is_due else ("q.since <= :up_to", "since")
        spared = f" AND NOT {IS_IN_HISTORY}" if spare_history else ""
        found = _ENTRY.all(
            self._sql,
            f"FROM quarantine q WHERE {due} AND q.deleting = 0"
            f"{of_reason}{spared} AND NOT {_IS_HELD} AND NOT {_IS_REFERRED.format('q.location')}"
            f" ORDER BY q.{time}, q.location LIMIT :limit FOR UPDATE SKIP LOCKED",
            {"up_to": since_up_to, "limit": limit, **params},
        )
        self._sql.run(
            "UPDATE quarantine SET deleting = 1 WHERE location = ANY(:locations)",
            {"locations": [one.location for one in found]},
        )
        return found

    def being_deleted(self, limit: int) -> list[QuarantineEntry]:
        """Return entries whose deletion has begun and not ended."""
        source = "FROM quarantine q WHERE q.deleting = 1 ORDER BY q.location LIMIT :limit"
        return _ENTRY.all(self._sql, source, {"limit": limit})

    def end_deleting(self, locations: Sequence[str]) -> None:
        """Forget them: their bytes are gone."""
        self._sql.run(
            "DELETE FROM quarantine WHERE location = ANY(:locations) AND deleting = 1", {"locations": list(locations)}
        )


def _of_reason(reason: Reason | None) -> tuple[str, Params]:
    return ("", {}) if reason is None else (" AND q.reason = :reason", {"reason": reason})


def referred(sql: Sql, locations: Sequence[str]) -> set[str]:
    """Return the locations among these that content or a thumbnail has."""
    known = sql.column(
        "SELECT location FROM blobs WHERE location = ANY(:locations) UNION ALL"
        " SELECT location FROM thumbnails WHERE location = ANY(:locations) AND location <> ''",
        {"locations": list(locations)},
    )
    return set(known)
