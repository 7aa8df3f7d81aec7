"""History in SQL: moments, changes with what was before and after them, and what is no longer kept."""

from collections.abc import Sequence

from skyshelf.storage.errors import AccountMissing
from skyshelf.storage.metadata.contracts.tree import Page
from skyshelf.storage.metadata.history import contract as records
from skyshelf.storage.metadata.history.records import decode_past
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.content import content_places
from skyshelf.storage.metadata.sql.history.differences import DifferenceReader, Surroundings
from skyshelf.storage.metadata.sql.history.given_up import SqlGivenUp
from skyshelf.storage.metadata.sql.history.past import OF_OBJECT, PastTree, by_actor
from skyshelf.storage.metadata.sql.keeping import purged_states
from skyshelf.storage.metadata.sql.quota import add_used
from skyshelf.storage.metadata.sql.statements import Row, SqlNoun, Value, key_text, raw, required
from skyshelf.storage.metadata.sql.tree.visibility import load

_DAY_MS = 24 * 60 * 60 * 1000
# The first change that is still kept; behind the newest one, where none is.
_OLDEST = (
    "coalesce((SELECT h.seq FROM changes h WHERE h.account_id = n.account_id AND h.seq > 0 ORDER BY h.seq LIMIT 1),"
    " n.change_seq + 1)"
)
# Halves the range of numbers until one is left: times ascend with them, unless a clock went back.
_MOMENT = (
    "WITH RECURSIVE halved (low, high) AS ("
    f"SELECT {_OLDEST} - 1, n.change_seq FROM account_counters n WHERE n.account_id = :account"
    " UNION ALL SELECT CASE WHEN c.at <= :at THEN c.seq ELSE halved.low END,"
    " CASE WHEN c.at <= :at THEN halved.high ELSE c.seq - 1 END FROM halved CROSS JOIN changes c"
    " WHERE c.account_id = :account AND c.seq = (halved.low + halved.high + 1) / 2 AND halved.low < halved.high)"
    " SELECT low FROM halved WHERE low >= high"
)
_LATER = (
    "(SELECT c.before FROM changes c WHERE c.account_id = k.account_id AND c.object_key = k.object_key"
    f" AND c.seq > k.seq AND {OF_OBJECT} ORDER BY c.seq LIMIT 1)"
)
_KEPT_TABLES = (
    ("purged_objects", "object_key", "kept_at", "kept_at"),
    ("kept_contents", "object_key, version", "kept_at", "kept_at"),
    ("link_changes", "link_id", "at", "link_id"),
)
_CUTOFF = f":now - CASE WHEN n.history_days < :days THEN n.history_days ELSE :days END * {_DAY_MS}"
_IS_OLD = (
    "(n.held_at = 0 AND n.history_swept < n.history_floor OR"
    " (SELECT h.at FROM changes h WHERE h.account_id = n.account_id AND h.seq > n.history_floor ORDER BY h.seq LIMIT 1)"
    f" < {_CUTOFF} OR n.held_at = 0 AND EXISTS (SELECT 1 FROM purged_objects p WHERE p.account_id = n.account_id"
    f" AND (p.kept_at < {_CUTOFF} OR p.kept_at <= n.history_forgotten_at))"
    " OR n.held_at = 0 AND EXISTS (SELECT 1 FROM kept_contents k WHERE k.account_id = n.account_id"
    f" AND (k.kept_at < {_CUTOFF} OR k.kept_at <= n.history_forgotten_at))"
    " OR n.held_at = 0 AND (SELECT l.at FROM link_changes l WHERE l.account_id = n.account_id ORDER BY l.link_id"
    f" LIMIT 1) < {_CUTOFF})"
)
"""Whether an account `n` has history that is older than it keeps it."""
_OWN_CUTOFF = f"n.history_since + n.history_days * {_DAY_MS}"
_DUE = (
    "SELECT n.account_id FROM account_counters n WHERE n.history_since < :time ORDER BY n.history_since LIMIT :limit",
    f"SELECT n.account_id FROM account_counters n WHERE n.history_days IS NOT NULL AND {_OWN_CUTOFF} < :time"
    f" ORDER BY {_OWN_CUTOFF} LIMIT :limit",
)
"""Accounts whose history may be too old by the operator's choice, and by their own. Each is one range of one index."""
_OLDEST_KEPT = (
    "coalesce((SELECT min(v.at) FROM ("
    "SELECT (SELECT h.at FROM changes h WHERE h.account_id = n.account_id"
    " AND h.seq > n.history_floor ORDER BY h.seq LIMIT 1) AS at"
    " UNION ALL SELECT (SELECT min(p.kept_at) FROM purged_objects p WHERE p.account_id = n.account_id)"
    " UNION ALL SELECT (SELECT min(k.kept_at) FROM kept_contents k WHERE k.account_id = n.account_id)"
    " UNION ALL SELECT (SELECT l.at FROM link_changes l WHERE l.account_id = n.account_id"
    " ORDER BY l.link_id LIMIT 1)) v), :now)"
)
_CHUNK = 500
"""Changes that are read at once where most of them may be somewhere else."""
_COLUMNS = "account_id, seq, at, kind, object_key, actor, before"


class SqlHistory(SqlNoun):
    """Nothing here changes an object. A moment must be within the bounds; the caller has checked that."""

    def bounds(self, account_id: int, *, even_forgotten: bool = False) -> records.HistoryBounds:
        """Return which moments can be looked at; `even_forgotten` adds what a hold alone keeps."""
        floor = "n.history_floor"
        if even_forgotten:
            floor = "CASE WHEN n.held_at > 0 THEN n.history_swept ELSE n.history_floor END"
        row = self._sql.one(
            f"SELECT {floor}, {_OLDEST} - 1, n.change_seq, n.history_days, n.history_forgotten_at"
            " FROM account_counters n WHERE n.account_id = :account",
            {"account": account_id},
        )
        floor, trimmed, *rest = required(row, AccountMissing("no such account"))
        return records.HistoryBounds(max(floor, trimmed), *rest)

    def moment(self, account_id: int, at: int) -> int:
        """Return the newest change at or before a time; the one before the oldest that is kept, if there is none."""
        row = self._sql.one(_MOMENT, {"account": account_id, "at": at})
        return int(required(row, AccountMissing("no such account"))[0])

    def at(self, account_id: int, seq: int) -> PastTree:
        """Return the tree at a moment."""
        return PastTree(self._sql, account_id, seq)

    # Changes.

    def entries(
        self, account_id: int, wanted: records.EntryFilter, *, limit: int, among: int, before: int | None = None
    ) -> Page[records.Entry, int]:
        """Changes, newest first; a page looks through `among` changes at most, and may have none of them."""
        bounds = self.bounds(account_id)
        floor, top = self._range(account_id, wanted, bounds)
        top = top if before is None else min(top, before)
        # Changes are numbered without holes, so a range of numbers is a number of changes.
        bottom = floor if wanted.object_key is not None else max(floor, top - among - 1)
        found: list[records.Entry] = []
        chunk = limit if wanted.below is None else max(limit, _CHUNK)
        while True:
            rows = self._rows(account_id, wanted, top, bottom, chunk)
            found += self._below(account_id, self._entries(account_id, rows), wanted.below)
            if len(found) >= limit:
                return Page(found[:limit], found[limit - 1].seq)
            if len(rows) < chunk:
                return Page(found, bottom + 1 if bottom > floor else None)
            top = rows[-1][0]

    def _range(self, account_id: int, wanted: records.EntryFilter, bounds: records.HistoryBounds) -> tuple[int, int]:
        """Return the changes between two times, by number: after the first, before the second."""
        floor, top = bounds.oldest, bounds.newest + 1
        if wanted.since is not None:
            floor = max(floor, self.moment(account_id, wanted.since - 1))
        if wanted.until is not None:
            top = min(top, self.moment(account_id, wanted.until) + 1)
        return floor, top

    def _rows(self, account_id: int, wanted: records.EntryFilter, top: int, bottom: int, limit: int) -> list[Row]:
        params: dict[str, Value] = {"account": account_id, "top": top, "bottom": bottom, "limit": limit}
        source = self._source(account_id, wanted, params)
        condition = ""
        if wanted.kinds:
            condition += " AND k.kind = ANY(:kinds)"
            params["kinds"] = list(wanted.kinds)
        if wanted.actor is not None:
            made = by_actor(wanted.actor)
            condition += f" AND {made.of('k.actor')}"
            params |= made.params
        return self._sql.all(
            f"SELECT k.seq, k.at, k.kind, k.object_key, k.actor, k.before, {_LATER} FROM ({source}) k"
            f" WHERE 1 = 1{condition} ORDER BY k.seq DESC LIMIT :limit",
            params,
        )

    def _source(self, account_id: int, wanted: records.EntryFilter, params: dict[str, Value]) -> str:
        """Return the changes that are looked through: those of one object by an index, else a range of numbers."""
        of_account = "FROM changes c WHERE c.account_id = :account AND c.seq < :top AND c.seq > :bottom"
        if wanted.object_key is None:
            return f"SELECT {_COLUMNS} {of_account}"
        params["key"] = raw(wanted.object_key)
        params["made"] = self._created_seq(account_id, wanted.object_key)
        return (
            f"SELECT {_COLUMNS} {of_account} AND c.object_key = :key AND {OF_OBJECT}"
            f" UNION ALL SELECT {_COLUMNS} {of_account} AND c.seq = :made AND c.object_key = :key AND c.before IS NULL"
        )

    def _below(self, account_id: int, entries: list[records.Entry], folder_key: str | None) -> list[records.Entry]:
        """Return the changes whose object was in a folder, or anywhere below it, right before or after the change."""
        if folder_key is None or not entries:
            return entries
        around = Surroundings(self._sql, account_id, entries[-1].seq - 1)
        sides = {one.seq: [side.parent_key for side in (one.before, one.after) if side is not None] for one in entries}
        around.load(sorted({key for keys in sides.values() for key in keys if key is not None}))
        return [one for one in entries if any(around.is_below(key, folder_key, one.seq) for key in sides[one.seq])]

    def differences(
        self, account_id: int, moments: tuple[int, int], after_seq: int, *, below: str | None, limit: int, among: int
    ) -> Page[records.Difference, int]:
        """Return what the second of two moments shows differently, in the order of the first changes since the first.

        `after_seq` is the first moment, or where the page before ended. With `below`, only what is or was that folder
        or anything below it. A page looks through `among` changes at most, and may have no differences. What is below a
        folder that moved or went is not listed, unless it changed itself.
        """
        reader = DifferenceReader(self._sql, account_id, *moments)
        return reader.page(after_seq, below=below, limit=limit, among=among)

    def _created_seq(self, account_id: int, object_key: str) -> int:
        """Return the change that made an object. An index of all changes by object would make every upload slower."""
        of_object = "SELECT created_seq FROM objects WHERE account_id = :account AND object_key = :key"
        created_seq = self._sql.value(of_object, {"account": account_id, "key": raw(object_key)})
        if created_seq is not None:
            return int(created_seq)
        purged = purged_states(self._sql, account_id, [object_key]).get(object_key)
        return 0 if purged is None else purged.object.created_seq

    def _entries(self, account_id: int, rows: Sequence[Row]) -> list[records.Entry]:
        keys = sorted({key_text(row[3]) for row in rows if row[6] is None and row[2] != "emptied"})
        purged = {key: past.object for key, past in purged_states(self._sql, account_id, keys).items()}
        current = load(self._sql, account_id, keys) | purged
        entries = []
        for seq, at, kind, raw_key, actor, before, later in rows:
            key, is_emptying = key_text(raw_key), kind == "emptied"
            was = None if before is None or is_emptying else decode_past(account_id, key, before).object
            if is_emptying or kind == "purged":
                became = None
            else:
                became = current.get(key) if later is None else decode_past(account_id, key, later).object
            entries.append(records.Entry(seq, at, kind, key, actor, was, became))
        return entries

    # Contents.

    def content(self, sha256: str) -> records.ContentPlace | None:
        """Return where a content that a record names still is; None where its bytes are gone."""
        return content_places(self._sql, [sha256]).get(sha256)

    # What is no longer kept.

    def set_days(self, account_id: int, days: int | None) -> bool:
        """How long the account keeps its history; None for as long as the operator has chosen. False where it is so."""
        lock_account(self._sql, account_id, even_full=True)
        if self.bounds(account_id).days == days:
            return False
        self._sql.update("account_counters", {"history_days": days}, account_id=account_id)
        return True

    def forget(self, account_id: int, now: int) -> None:
        """History begins now. expire_some removes what was before."""
        lock_account(self._sql, account_id, even_full=True)
        self._sql.run(
            "UPDATE account_counters SET history_floor = change_seq, history_forgotten_at = :now, history_since = 0"
            " WHERE account_id = :account",
            {"account": account_id, "now": now},
        )

    def give_up_some(self, limit: int) -> bool:
        """Forget contents because the disk is full; false where nobody's history keeps any (given_up.py)."""
        return SqlGivenUp(self._sql).give_up_some(limit)

    def due_to_expire(self, now: int, days: int, *, limit: int) -> list[int]:
        """Accounts some of whose history may be older than they keep it; others are not looked at. Two statements."""
        times = (now - days * _DAY_MS, now)
        found = [self._sql.column(due, {"time": time, "limit": limit}) for due, time in zip(_DUE, times, strict=True)]
        return sorted({account_id for accounts in found for account_id in accounts})

    def accounts_with_old(self, now: int, days: int, *, among: Sequence[int]) -> list[int]:
        """Accounts among these some of whose history is older than they keep it, by number."""
        old = f"SELECT n.account_id FROM account_counters n WHERE n.account_id = ANY(:accounts) AND {_IS_OLD}"
        return self._sql.column(f"{old} ORDER BY n.account_id", {"now": now, "days": days, "accounts": list(among)})

    def note_expired(self, now: int, days: int, accounts: Sequence[int]) -> None:
        """Note of accounts without anything old what is the oldest that they keep: until that is old, they are not due.

        An account that somebody writes to right now is left for the next time.
        """
        held = self._sql.column(
            "SELECT account_id FROM account_counters WHERE account_id = ANY(:accounts) ORDER BY account_id"
            " FOR UPDATE SKIP LOCKED",
            {"accounts": list(accounts)},
        )
        self._sql.run(
            f"UPDATE account_counters AS n SET history_since = {_OLDEST_KEPT} WHERE n.account_id = ANY(:accounts)"
            f" AND {_IS_OLD} IS NOT TRUE",
            {"now": now, "days": days, "accounts": held},
        )

    def expire_some(self, account_id: int, before: int, limit: int, now: int) -> bool:
        """Forget what is older than a time, some of each kind; true while some is left. A held account's history leaves
        its owner's sight as it would without the hold, and nothing of it is deleted.

        Contents that no history needs any longer stay in quarantine for their time from now on.
        """
        if lock_account(self._sql, account_id).held_at:
            return self._hide_some(account_id, before, limit)
        floor, trimmed, swept, forgotten_at, old = self._sql.only(
            f"SELECT n.history_floor, {_OLDEST} - 1, n.history_swept, n.history_forgotten_at, (SELECT max(c.seq) FROM"
            " (SELECT h.seq, h.at FROM changes h WHERE h.account_id = :account AND h.seq > n.history_swept"
            " ORDER BY h.seq LIMIT :limit) c WHERE c.at < :before) FROM account_counters n"
            " WHERE n.account_id = :account",
            {"account": account_id, "before": before, "limit": limit},
        )
        floor = max(floor, trimmed, old or 0)
        to = max(trimmed, min(floor, swept + limit))
        # The feed keeps its entries for longer than history does.
        self._sql.run(
            "UPDATE changes SET before = NULL, before_folder = NULL WHERE account_id = :account AND seq > :swept"
            " AND seq <= :upto AND before IS NOT NULL",
            {"account": account_id, "swept": swept, "upto": to},
        )
        self._sql.update("account_counters", {"history_floor": floor, "history_swept": to}, account_id=account_id)
        self._sql.run(
            "DELETE FROM history_leaves WHERE account_id = :account AND first_seq <= :upto AND last_seq <= :upto",
            {"account": account_id, "upto": to},
        )
        gone = self._forget_some(account_id, max(before, forgotten_at + 1), limit, now)
        return to < floor or to - swept >= limit or gone >= limit

    def _hide_some(self, account_id: int, before: int, limit: int) -> bool:
        floor, newest = self._sql.only(
            "SELECT n.history_floor, (SELECT max(c.seq) FROM (SELECT h.seq, h.at FROM changes h WHERE"
            " h.account_id = :account AND h.seq > n.history_floor ORDER BY h.seq LIMIT :limit) c WHERE c.at < :before)"
            " FROM account_counters n WHERE n.account_id = :account",
            {"account": account_id, "before": before, "limit": limit},
        )
        if newest is None:
            return False
        self._sql.update("account_counters", {"history_floor": newest}, account_id=account_id)
        return bool(newest - floor >= limit)

    def _forget_some(self, account_id: int, before: int, limit: int, now: int) -> int:
        """Deleted objects, contents and links that are no longer kept; how many there were of the most frequent."""
        numbers = []
        for table, key, at, order in _KEPT_TABLES:
            returned = {"kept_contents": "content, size", "link_changes": "link_id"}.get(table, "account_id")
            rows = self._sql.all(
                f"DELETE FROM {table} WHERE account_id = :account AND ({key}) IN (SELECT {key} FROM {table}"
                f" WHERE account_id = :account AND {at} < :before ORDER BY {order} LIMIT :limit) RETURNING {returned}",
                {"account": account_id, "before": before, "limit": limit},
            )
            numbers.append(len(rows))
            if rows and table == "link_changes":
                self._sql.run(
                    "UPDATE account_counters SET links_counted = links_counted - CASE"
                    " WHEN links_counted_upto >= :newest THEN :gone ELSE links_counted END WHERE account_id = :account",
                    {"account": account_id, "newest": max(link_id for (link_id,) in rows), "gone": len(rows)},
                )
            if rows and table == "kept_contents":
                # Their time in quarantine begins when nobody's history needs them any longer.
                self._sql.run(
                    "UPDATE quarantine SET since = :now, counts_from = :now WHERE content = ANY_KEY(:contents)"
                    " AND reason = 'released'"
                    " AND NOT EXISTS (SELECT 1 FROM kept_contents k WHERE k.content = quarantine.content)",
                    {"now": now, "contents": sorted({content for content, _ in rows})},
                )
                add_used(self._sql, account_id, {}, history=-sum(size for _, size in rows))
        return max(numbers)
