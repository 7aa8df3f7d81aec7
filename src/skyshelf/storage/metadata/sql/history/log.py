"""The log of an account's changes in SQL."""

from collections.abc import Sequence

import msgspec

from skyshelf.storage.metadata.contracts.changes import EMPTIED, PURGED
from skyshelf.storage.metadata.contracts.tree import ACTIVE, PURGING, TRASHED, StoredObject
from skyshelf.storage.metadata.history.log import Growth, HistoryKey, Log, LoggedChange
from skyshelf.storage.metadata.history.records import decode_past, encode_after
from skyshelf.storage.metadata.sql.history.past import OF_OBJECT
from skyshelf.storage.metadata.sql.statements import Params, Row, Sql, key_text, raw
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


class SqlHistoryLog:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def get(self, account_id: int) -> Log | None:
        row = self._sql.one(
            "SELECT log_key, start_seq, size, head FROM history_logs WHERE account_id = :account",
            {"account": account_id},
        )
        return None if row is None else Log(key_text(row[0]), *row[1:])

    def behind(self, *, after: int, limit: int) -> list[int]:
        return [number for (number,) in self._sql.all(_BEHIND, {"after": after, "limit": limit})]

    def beginning(self, account_id: int) -> int | None:
        row = self._sql.one(_BEGINNING, {"account": account_id})
        return None if row is None else row[0]

    def changes(self, account_id: int, first: int, limit: int) -> list[LoggedChange]:
        rows = self._sql.all(_CHANGES, {"account": account_id, "first": first, "limit": limit})
        return [LoggedChange(row[0], row[1], _body(row[2:6], _after(account_id, row))) for row in rows]

    def tiles(self, account_id: int, places: Sequence[int]) -> dict[int, bytes]:
        rows = self._sql.all(
            "SELECT place, hashes FROM history_tiles WHERE account_id = :account AND place = ANY(:places)",
            {"account": account_id, "places": list(places)},
        )
        return {place: bytes(hashes) for place, hashes in rows}

    def grow(self, account_id: int, growth: Growth) -> bool:
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
        self._sql.insert_many(
            "INSERT INTO history_tiles (account_id, place, hashes) VALUES (:account, :place, :hashes)"
            " ON CONFLICT (account_id, place) DO UPDATE SET hashes = excluded.hashes",
            [{"account": account_id, "place": place, "hashes": hashes} for place, hashes in growth.tiles.items()],
        )
        self._sql.run(
            "INSERT INTO history_leaves (account_id, first_seq, last_seq, states)"
            " VALUES (:account, :first, :last, :states)",
            {
                "account": account_id,
                "first": log.next,
                "last": log.start + growth.size - 1,
                "states": msgspec.msgpack.encode(growth.states),
            },
        )
        return True

    def records(self, account_id: int, first: int, last: int) -> list[LoggedChange]:
        within = {"account": account_id, "first": first, "last": last}
        after: dict[int, bytes | None] = {}
        for begins, states in self._sql.all(_STATES, within):
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
    """The object after a change: as it was before the next one, when it was deleted for good, or as it is."""
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
        stored.status = _own_status(stored)
    return encode_after(stored)


def _own_status(stored: StoredObject) -> str:
    return TRASHED if stored.trashed_at else ACTIVE


class SqlHistoryKeys:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def all(self) -> list[HistoryKey]:
        rows = self._sql.all(
            "SELECT number, key_id, public_key, NULL, created_at, retired_at, signature FROM history_keys"
            " ORDER BY number"
        )
        return [_key(row) for row in rows]

    def current(self) -> HistoryKey | None:
        row = self._sql.one(
            "SELECT number, key_id, public_key, private_key, created_at, retired_at, signature FROM history_keys"
            " WHERE retired_at = 0 ORDER BY number DESC LIMIT 1"
        )
        return None if row is None else _key(row)

    def add(self, key: HistoryKey) -> bool:
        added = self._sql.run(
            "INSERT INTO history_keys (number, key_id, public_key, private_key, created_at, retired_at, signature)"
            " VALUES (:number, :id, :public, :private, :now, 0, :signature) ON CONFLICT (number) DO NOTHING",
            {
                "number": key.number,
                "id": key.key_id,
                "public": key.public,
                "private": key.private,
                "now": key.created_at,
                "signature": key.signature,
            },
        )
        if added:
            self._sql.run(
                "UPDATE history_keys SET private_key = NULL, retired_at = :now"
                " WHERE number < :number AND retired_at = 0",
                {"number": key.number, "now": key.created_at},
            )
        return bool(added)


def _key(row: Row) -> HistoryKey:
    number, key_id, public, private, created_at, retired_at, signature = row
    return HistoryKey(
        number=number,
        key_id=key_id,
        public=bytes(public),
        private=None if private is None else bytes(private),
        created_at=created_at,
        retired_at=retired_at,
        signature=bytes(signature),
    )
