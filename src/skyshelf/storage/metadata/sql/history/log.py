"""The log of an account's changes in SQL."""

from collections.abc import Sequence
from contextlib import suppress

import msgspec
from msgspec.structs import replace

from skyshelf.storage.metadata.contracts.changes import EMPTIED, PURGED
from skyshelf.storage.metadata.contracts.tree import PURGING
from skyshelf.storage.metadata.history.log import Growth, HistoryKey, Log, LoggedChange
from skyshelf.storage.metadata.history.records import decode_past, encode_after
from skyshelf.storage.metadata.sql.history.past import OF_OBJECT
from skyshelf.storage.metadata.sql.keeping import own_status
from skyshelf.storage.metadata.sql.statements import Columns, Params, Row, SqlNoun, key_text, raw, replacing
from skyshelf.storage.metadata.sql.tree.objects import COLUMN_NAMES, object_from
from skyshelf.wire.proofs.leaves import Body

# The oldest change whose record is kept; nothing is known of those up to history_floor.
_BEGINNING = (
    "SELECT min(c.seq) FROM changes c WHERE c.account_id = :account AND c.seq >"
    " (SELECT n.history_floor FROM account_counters n WHERE n.account_id = :account)"
)
_BEHIND = (
    "SELECT n.account_id FROM account_counters n LEFT JOIN history_logs l ON l.account_id = n.account_id"
    " WHERE n.account_id > :after AND CASE WHEN l.account_id IS NULL THEN n.change_seq > n.history_floor"
    " ELSE n.change_seq >= l.start_seq + l.size END ORDER BY n.account_id LIMIT :limit"
)
_OBJECT = ", ".join(f"o.{column.strip()}" for column in COLUMN_NAMES.split(","))
_CHANGES = (
    "SELECT c.seq, c.at, c.kind, c.object_key, c.actor, c.before, (SELECT x.before FROM changes x"
    " WHERE x.account_id = c.account_id AND x.object_key = c.object_key AND x.seq > c.seq"
    f" AND {OF_OBJECT.replace('c.', 'x.')} ORDER BY x.seq LIMIT 1), p.state, {_OBJECT} FROM changes c"
    " LEFT JOIN objects o ON o.account_id = c.account_id AND o.object_key = c.object_key"
    " LEFT JOIN purged_objects p ON p.account_id = c.account_id AND p.object_key = c.object_key"
    " WHERE c.account_id = :account AND c.seq >= :first ORDER BY c.seq LIMIT :limit"
)
_STATES = (
    "SELECT first_seq, states FROM history_leaves WHERE account_id = :account AND first_seq <= :last AND first_seq >="
    " coalesce((SELECT max(f.first_seq) FROM history_leaves f WHERE f.account_id = :account"
    " AND f.first_seq <= :first), :first) ORDER BY first_seq"
)
_RECORDS = (
    "SELECT c.seq, c.at, c.kind, c.object_key, c.actor, c.before FROM changes c JOIN account_counters n"
    " ON n.account_id = c.account_id WHERE c.account_id = :account AND c.seq >= :first AND c.seq <= :last"
    " AND c.seq > n.history_floor ORDER BY c.seq"
)


class SqlHistoryLog(SqlNoun):
    """Nothing here changes an object, or waits for the writers of an account."""

    def get(self, account_id: int) -> Log | None:
        """Return the log; None where it has not begun."""
        row = self._sql.one(
            "SELECT log_key, start_seq, size, head FROM history_logs WHERE account_id = :account",
            {"account": account_id},
        )
        return None if row is None else Log(key_text(row[0]), *row[1:])

    def behind(self, *, after: int, limit: int) -> list[int]:
        """Accounts with changes that are not in their log, by number."""
        return self._sql.column(_BEHIND, {"after": after, "limit": limit})

    def beginning(self, account_id: int) -> int | None:
        """Return the change that a log would begin with: the oldest whose record is kept. None where there is none."""
        return self._sql.value(_BEGINNING, {"account": account_id})

    def changes(self, account_id: int, first: int, limit: int) -> list[LoggedChange]:
        """Changes from a number on, with their objects as they were after them. One statement, of one moment."""
        rows = self._sql.all(_CHANGES, {"account": account_id, "first": first, "limit": limit})
        return [LoggedChange(row[0], row[1], _body(row[2:6], _after(account_id, row))) for row in rows]

    def tiles(self, account_id: int, places: Sequence[int]) -> dict[int, bytes]:
        """Tiles by their places. One statement."""
        rows = self._sql.all(
            "SELECT place, hashes FROM history_tiles WHERE account_id = :account AND place = ANY(:places)",
            {"account": account_id, "places": list(places)},
        )
        return {place: bytes(hashes) for place, hashes in rows}

    def grow(self, account_id: int, growth: Growth) -> bool:
        """Add to a log; false if something else was added to it since, or the key was replaced."""
        log = growth.log
        mine: Params = {"account": account_id, "log": raw(log.log_key), "start": log.start, "head": growth.head}
        sizes: Params = {"old": log.size, "size": growth.size, "key": growth.key_id}
        in_use = "EXISTS (SELECT 1 FROM history_keys k WHERE k.key_id = :key AND k.retired_at = 0)"
        if log.size:
            added = self._sql.run(
                "UPDATE history_logs SET size = :size, head = :head WHERE account_id = :account AND log_key = :log"
                f" AND start_seq = :start AND size = :old AND {in_use}",
                {**mine, **sizes},
            )
        else:
            added = self._sql.run(
                "INSERT INTO history_logs (account_id, log_key, start_seq, size, head)"
                f" SELECT :account, :log, :start, :size, :head WHERE {in_use} ON CONFLICT (account_id) DO NOTHING",
                {**mine, "size": growth.size, "key": growth.key_id},
            )
        if not added:
            return False
        tiles: list[Params] = [
            {"account_id": account_id, "place": place, "hashes": tile} for place, tile in growth.tiles.items()
        ]
        self._sql.insert_rows("history_tiles", tiles, replacing("account_id, place", "hashes"))
        self._sql.insert(
            "history_leaves",
            account_id=account_id,
            first_seq=log.next,
            last_seq=log.start + growth.size - 1,
            states=msgspec.msgpack.encode(growth.states),
        )
        return True

    def records(self, account_id: int, first: int, last: int) -> list[LoggedChange]:
        """Return the leaves of changes whose records are kept, exactly as they were added.

        A row that somebody has spoilt has none.
        """
        within = {"account": account_id, "first": first, "last": last}
        after: dict[int, bytes | None] = {}
        for begins, states in self._sql.all(_STATES, within):
            with suppress(msgspec.MsgspecError):
                decoded = msgspec.msgpack.decode(states, type=list[bytes | None])
                after |= dict(enumerate(decoded, start=begins))
        return [
            LoggedChange(row[0], row[1], _body(row[2:6], after[row[0]]))
            for row in self._sql.all(_RECORDS, within)
            if row[0] in after
        ]


def _body(row: Row, after: bytes | None) -> Body:
    kind, object_key, actor, before = row
    return Body(kind, bytes(object_key), actor, None if before is None else bytes(before), after)


def _after(account_id: int, row: Row) -> bytes | None:
    """Return the object after a change: as it was before the next one, when it was deleted for good, or as it is."""
    kind, key, later, purged = row[2], key_text(row[3]), row[6], row[7]
    if kind in {PURGED, EMPTIED}:
        return None
    if later is not None:
        return encode_after(decode_past(account_id, key, later).object)
    stored = None if row[8] is None else object_from(row[8:])
    if purged is not None and (stored is None or stored.status == PURGING):
        return encode_after(decode_past(account_id, key, purged).object)
    if stored is None:
        return None
    if stored.status == PURGING:
        # With a folder above it: its own state is as it was.
        stored.status = own_status(stored)
    return encode_after(stored)


_KEY = Columns(HistoryKey)


class SqlHistoryKeys(SqlNoun):
    def all(self) -> list[HistoryKey]:
        """Every key there was, oldest first, without private keys."""
        public = _KEY.text.replace("private_key", "NULL")
        return [_KEY.read(row) for row in self._sql.all(f"SELECT {public} FROM history_keys ORDER BY number")]

    def current(self) -> HistoryKey | None:
        """Return the key in use, with its private key; None before there is one."""
        return _KEY.one(self._sql, "FROM history_keys WHERE retired_at = 0 ORDER BY number DESC LIMIT 1")

    def add(self, key: HistoryKey) -> bool:
        """Use a key from now on, and destroy the private key of the former; false if another came before it."""
        row = _KEY.write(replace(key, retired_at=0))
        added = self._sql.insert("history_keys", "ON CONFLICT (number) DO NOTHING", **row)
        if added:
            self._sql.run(
                "UPDATE history_keys SET private_key = NULL, retired_at = :now"
                " WHERE number < :number AND retired_at = 0",
                {"number": key.number, "now": key.created_at},
            )
        return bool(added)
