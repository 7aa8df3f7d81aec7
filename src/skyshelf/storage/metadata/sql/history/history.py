"""History in SQL: moments, changes with what was before and after them, and what is no longer kept."""

from collections.abc import Sequence

from skyshelf.storage.errors import AccountMissing
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.history.contract import (
    ContentPlace,
    DifferencePage,
    Entry,
    EntryFilter,
    EntryPage,
    HistoryBounds,
    PastPage,
    PastPlace,
    PlacedObject,
)
from skyshelf.storage.metadata.history.records import decode_past
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.alarms.counting import refuse_paused
from skyshelf.storage.metadata.sql.history.differences import DifferenceReader, Surroundings
from skyshelf.storage.metadata.sql.history.past import OF_OBJECT, PastTree
from skyshelf.storage.metadata.sql.kept.links import links_at
from skyshelf.storage.metadata.sql.statements import Row, Sql, Value, digest_text, key_text, raw
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
_CUTOFF = f":now - coalesce(n.history_days, :days) * {_DAY_MS}"
_ACCOUNTS_WITH_OLD = (
    "SELECT n.account_id FROM account_counters n WHERE n.account_id > :after AND (n.history_swept < n.history_floor OR"
    " (SELECT h.at FROM changes h WHERE h.account_id = n.account_id AND h.seq > n.history_floor ORDER BY h.seq LIMIT 1)"
    f" < {_CUTOFF} OR EXISTS (SELECT 1 FROM purged_objects p WHERE p.account_id = n.account_id"
    f" AND (p.kept_at < {_CUTOFF} OR p.kept_at <= n.history_forgotten_at))"
    " OR EXISTS (SELECT 1 FROM kept_contents k WHERE k.account_id = n.account_id"
    f" AND (k.kept_at < {_CUTOFF} OR k.kept_at <= n.history_forgotten_at))"
    " OR (SELECT l.at FROM link_changes l WHERE l.account_id = n.account_id ORDER BY l.link_id LIMIT 1)"
    f" < {_CUTOFF}) ORDER BY n.account_id LIMIT :limit"
)
_CHUNK = 500
"""Changes that are read at once where most of them may be somewhere else."""
_COLUMNS = "account_id, seq, at, kind, object_key, actor, before"


class SqlHistory:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def bounds(self, account_id: int) -> HistoryBounds:
        row = self._sql.one(
            f"SELECT n.history_floor, {_OLDEST} - 1, n.change_seq, n.history_days FROM account_counters n"
            " WHERE n.account_id = :account",
            {"account": account_id},
        )
        if row is None:
            raise AccountMissing("no such account")
        return HistoryBounds(max(row[0], row[1]), row[2], row[3])

    def moment(self, account_id: int, at: int) -> int:
        row = self._sql.one(_MOMENT, {"account": account_id, "at": at})
        if row is None:
            raise AccountMissing("no such account")
        seq: int = row[0]
        return seq

    def object(self, account_id: int, object_key: str, seq: int) -> StoredObject | None:
        return PastTree(self._sql, account_id, seq).object(object_key)

    def visible(self, account_id: int, object_key: str, seq: int) -> list[StoredObject] | None:
        return PastTree(self._sql, account_id, seq).visible(object_key)

    def unchanged_child(self, account_id: int, folder_key: str, name: str, seq: int) -> StoredObject | None:
        return PastTree(self._sql, account_id, seq).unchanged_child(folder_key, name)

    def placed(self, account_id: int, object_keys: Sequence[str], seq: int) -> dict[str, PlacedObject]:
        return PastTree(self._sql, account_id, seq).placed(object_keys)

    def child_named(self, account_id: int, folder_key: str, name: str, seq: int) -> StoredObject | None:
        return PastTree(self._sql, account_id, seq).child_named(folder_key, name)

    def children(
        self, account_id: int, folder_key: str, seq: int, *, limit: int, after: PastPlace | None = None
    ) -> PastPage:
        return PastTree(self._sql, account_id, seq).children(folder_key, limit=limit, after=after)

    # Changes.

    def entries(
        self, account_id: int, wanted: EntryFilter, *, limit: int, among: int, before: int | None = None
    ) -> EntryPage:
        bounds = self.bounds(account_id)
        floor, top = self._range(account_id, wanted, bounds)
        top = top if before is None else min(top, before)
        # Changes are numbered without holes, so a range of numbers is a number of changes.
        bottom = floor if wanted.object_key is not None else max(floor, top - among - 1)
        found: list[Entry] = []
        chunk = limit if wanted.below is None else max(limit, _CHUNK)
        while True:
            rows = self._rows(account_id, wanted, top, bottom, chunk)
            found += self._below(account_id, self._entries(account_id, rows), wanted.below)
            if len(found) >= limit:
                return EntryPage(found[:limit], found[limit - 1].seq)
            if len(rows) < chunk:
                return EntryPage(found, bottom + 1 if bottom > floor else None)
            top = rows[-1][0]

    def _range(self, account_id: int, wanted: EntryFilter, bounds: HistoryBounds) -> tuple[int, int]:
        """The changes between two times, by number: after the first, before the second."""
        floor, top = bounds.oldest, bounds.newest + 1
        if wanted.since is not None:
            floor = max(floor, self.moment(account_id, wanted.since - 1))
        if wanted.until is not None:
            top = min(top, self.moment(account_id, wanted.until) + 1)
        return floor, top

    def _rows(self, account_id: int, wanted: EntryFilter, top: int, bottom: int, limit: int) -> list[Row]:
        params: dict[str, Value] = {"account": account_id, "top": top, "bottom": bottom, "limit": limit}
        source = self._source(account_id, wanted, params)
        condition, more = _condition(wanted)
        return self._sql.all(
            f"SELECT k.seq, k.at, k.kind, k.object_key, k.actor, k.before, {_LATER} FROM ({source}) k"
            f" WHERE 1 = 1{condition} ORDER BY k.seq DESC LIMIT :limit",
            params | more,
        )

    def _source(self, account_id: int, wanted: EntryFilter, params: dict[str, Value]) -> str:
        """The changes that are looked through: those of one object by an index, else a range of numbers."""
        of_account = "FROM changes c WHERE c.account_id = :account AND c.seq < :top AND c.seq > :bottom"
        if wanted.object_key is None:
            return f"SELECT {_COLUMNS} {of_account}"
        params["key"] = raw(wanted.object_key)
        params["made"] = self._created_seq(account_id, wanted.object_key)
        return (
            f"SELECT {_COLUMNS} {of_account} AND c.object_key = :key AND {OF_OBJECT}"
            f" UNION ALL SELECT {_COLUMNS} {of_account} AND c.seq = :made AND c.object_key = :key AND c.before IS NULL"
        )

    def _below(self, account_id: int, entries: list[Entry], folder_key: str | None) -> list[Entry]:
        """Those whose object was in a folder, or anywhere below it, right before the change or after it."""
        if folder_key is None or not entries:
            return entries
        around = Surroundings(self._sql, account_id, entries[-1].seq - 1)
        sides = {one.seq: [side.parent_key for side in (one.before, one.after) if side is not None] for one in entries}
        around.load(sorted({key for keys in sides.values() for key in keys if key is not None}))
        return [one for one in entries if any(around.is_below(key, folder_key, one.seq) for key in sides[one.seq])]

    def differences(
        self, account_id: int, moments: tuple[int, int], after_seq: int, *, below: str | None, limit: int, among: int
    ) -> DifferencePage:
        reader = DifferenceReader(self._sql, account_id, *moments)
        return reader.page(after_seq, below=below, limit=limit, among=among)

    def _created_seq(self, account_id: int, object_key: str) -> int:
        """The change that made an object. An index of all changes by object would make every upload slower."""
        row = self._sql.one(
            "SELECT created_seq FROM objects WHERE account_id = :account AND object_key = :key",
            {"account": account_id, "key": raw(object_key)},
        )
        if row is not None:
            return int(row[0])
        row = self._sql.one(
            "SELECT state FROM purged_objects WHERE account_id = :account AND object_key = :key",
            {"account": account_id, "key": raw(object_key)},
        )
        return 0 if row is None else decode_past(account_id, object_key, row[0]).object.created_seq

    def _entries(self, account_id: int, rows: Sequence[Row]) -> list[Entry]:
        keys = sorted({key_text(row[3]) for row in rows if row[6] is None and row[2] != "emptied"})
        current = load(self._sql, account_id, keys) | self._purged(account_id, keys)
        entries = []
        for seq, at, kind, raw_key, actor, before, later in rows:
            key, is_emptying = key_text(raw_key), kind == "emptied"
            was = None if before is None or is_emptying else decode_past(account_id, key, before).object
            if is_emptying or kind == "purged":
                became = None
            else:
                became = current.get(key) if later is None else decode_past(account_id, key, later).object
            entries.append(Entry(seq, at, kind, key, actor, was, became))
        return entries

    def _purged(self, account_id: int, object_keys: Sequence[str]) -> dict[str, StoredObject]:
        """Objects that were deleted for good, as they were."""
        rows = self._sql.all(
            "SELECT object_key, state FROM purged_objects WHERE account_id = :account AND object_key = ANY_KEY(:keys)",
            {"account": account_id, "keys": [raw(key) for key in object_keys]},
        )
        return {key_text(key): decode_past(account_id, key_text(key), state).object for key, state in rows}

    def links(self, account_id: int, object_key: str, seq: int, at: int) -> list[tuple[str, str, str]]:
        return links_at(self._sql, account_id, object_key, seq, at)

    # Contents.

    def content(self, sha256: str) -> ContentPlace | None:
        row = self._sql.one(
            "SELECT location, size, md5, 0 FROM blobs WHERE content = :content UNION ALL"
            " SELECT location, size, md5, 1 FROM quarantine WHERE content = :content AND kind = 'blob'"
            " AND deleting = 0 AND md5 IS NOT NULL LIMIT 1",
            {"content": raw(sha256)},
        )
        return None if row is None else ContentPlace(row[0], row[1], digest_text(row[2]), bool(row[3]))

    def used(self, account_id: int) -> int:
        row = self._sql.one(
            "SELECT CAST(coalesce(sum(size), 0) AS BIGINT) FROM kept_contents WHERE account_id = :account",
            {"account": account_id},
        )
        assert row is not None
        return int(row[0])

    # What is no longer kept.

    def set_days(self, account_id: int, days: int | None) -> None:
        refuse_paused(self._sql, lock_account(self._sql, account_id).watch)
        self._sql.run(
            "UPDATE account_counters SET history_days = :days WHERE account_id = :account",
            {"account": account_id, "days": days},
        )

    def forget(self, account_id: int, now: int) -> None:
        refuse_paused(self._sql, lock_account(self._sql, account_id).watch)
        self._sql.run(
            "UPDATE account_counters SET history_floor = change_seq, history_forgotten_at = :now"
            " WHERE account_id = :account",
            {"account": account_id, "now": now},
        )

    def accounts_with_old(self, now: int, days: int, *, after: int, limit: int) -> list[int]:
        rows = self._sql.all(_ACCOUNTS_WITH_OLD, {"now": now, "days": days, "after": after, "limit": limit})
        return [account_id for (account_id,) in rows]

    def expire_some(self, account_id: int, before: int, limit: int, now: int) -> bool:
        lock_account(self._sql, account_id)
        row = self._sql.one(
            f"SELECT n.history_floor, {_OLDEST} - 1, n.history_swept, n.history_forgotten_at, (SELECT max(c.seq) FROM"
            " (SELECT h.seq, h.at FROM changes h WHERE h.account_id = :account AND h.seq > n.history_swept"
            " ORDER BY h.seq LIMIT :limit) c WHERE c.at < :before) FROM account_counters n"
            " WHERE n.account_id = :account",
            {"account": account_id, "before": before, "limit": limit},
        )
        assert row is not None
        floor, trimmed, swept, forgotten_at, old = row
        floor = max(floor, trimmed, old or 0)
        to = max(trimmed, min(floor, swept + limit))
        # The feed keeps its entries for longer than history does.
        self._sql.run(
            "UPDATE changes SET before = NULL, before_folder = NULL WHERE account_id = :account AND seq > :swept"
            " AND seq <= :upto AND before IS NOT NULL",
            {"account": account_id, "swept": swept, "upto": to},
        )
        self._sql.run(
            "UPDATE account_counters SET history_floor = :floor, history_swept = :upto WHERE account_id = :account",
            {"account": account_id, "floor": floor, "upto": to},
        )
        self._sql.run(
            "DELETE FROM history_leaves WHERE account_id = :account AND first_seq <= :upto AND last_seq <= :upto",
            {"account": account_id, "upto": to},
        )
        gone = self._forget_some(account_id, max(before, forgotten_at + 1), limit, now)
        return to < floor or to - swept >= limit or gone >= limit

    def _forget_some(self, account_id: int, before: int, limit: int, now: int) -> int:
        """Deleted objects, contents and links that are no longer kept; how many there were of the most frequent."""
        numbers = []
        for table, key, at, order in _KEPT_TABLES:
            returned = "content" if table == "kept_contents" else "account_id"
            rows = self._sql.all(
                f"DELETE FROM {table} WHERE account_id = :account AND ({key}) IN (SELECT {key} FROM {table}"
                f" WHERE account_id = :account AND {at} < :before ORDER BY {order} LIMIT :limit) RETURNING {returned}",
                {"account": account_id, "before": before, "limit": limit},
            )
            numbers.append(len(rows))
            if rows and table == "kept_contents":
                # Their time in quarantine begins when nobody's history needs them any longer.
                self._sql.run(
                    "UPDATE quarantine SET since = :now WHERE content = ANY_KEY(:contents) AND reason = 'released'"
                    " AND NOT EXISTS (SELECT 1 FROM kept_contents k WHERE k.content = quarantine.content)",
                    {"now": now, "contents": sorted({content for (content,) in rows})},
                )
        return max(numbers)


def _condition(wanted: EntryFilter) -> tuple[str, dict[str, Value]]:
    text = ""
    params: dict[str, Value] = {}
    if wanted.kinds:
        text, params = f"{text} AND k.kind = ANY(:kinds)", params | {"kinds": list(wanted.kinds)}
    if wanted.actor is not None:
        # A text that begins with another one lies between it and it with the last character raised.
        if wanted.actor.startswith("/"):
            text, params = (
                f"{text} AND substr(k.actor, length(k.actor) - :ending + 1) = :actor",
                params | {"actor": wanted.actor, "ending": len(wanted.actor)},
            )
        elif wanted.actor.endswith("/"):
            text, params = (
                f"{text} AND k.actor >= :actor AND k.actor < :beyond",
                params | {"actor": wanted.actor, "beyond": f"{wanted.actor[:-1]}0"},
            )
        else:
            text, params = f"{text} AND k.actor = :actor", params | {"actor": wanted.actor}
    return text, params
