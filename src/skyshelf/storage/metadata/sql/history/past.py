"""What was, in SQL: objects and folders at a moment."""

from collections.abc import Sequence
from typing import NamedTuple

from skyshelf.storage.metadata.contracts.tree import ACTIVE, PURGING, TRASHED, Page, StoredObject
from skyshelf.storage.metadata.history.contract import PastPlace, PlacedObject
from skyshelf.storage.metadata.history.records import Past, decode_past, decode_watermark
from skyshelf.storage.metadata.sql.keeping import purged_states
from skyshelf.storage.metadata.sql.statements import Params, Row, Sql, Value, key_text, raw
from skyshelf.storage.metadata.sql.tree.objects import COLUMNS, object_from, object_where, objects_where
from skyshelf.wire.names import order_key

HERE, CHANGED, PURGED = "here", "changed", "purged"
"""Where something that a folder held is found: still there and never changed; in a change; among deleted objects."""
_NEXT_SOURCE = {HERE: CHANGED, CHANGED: PURGED}
_DEPTH_MAX = 250

OF_OBJECT = "c.before IS NOT NULL AND c.kind <> 'emptied'"
"""A condition on a change `c`: it keeps an object."""
_UNCHANGED = (
    "NOT EXISTS (SELECT 1 FROM changes c WHERE c.account_id = {0}.account_id AND c.object_key = {0}.object_key"
    f" AND c.seq > :seq AND {OF_OBJECT})"
)
_IS_FIRST = (
    "NOT EXISTS (SELECT 1 FROM changes e WHERE e.account_id = c.account_id AND e.object_key = c.object_key"
    f" AND {OF_OBJECT.replace('c.', 'e.')} AND e.seq > :seq AND e.seq < c.seq)"
)
_HERE = f"o.parent_key = :folder AND o.status = 'A' AND o.created_seq <= :seq AND {_UNCHANGED.format('o')}"
_CHANGED = (
    "SELECT c.seq, c.object_key, c.before FROM changes c WHERE c.account_id = :account AND c.before_folder = :folder"
    f" AND c.before_folder IS NOT NULL AND c.seq > :after AND {_IS_FIRST} ORDER BY c.seq LIMIT :limit"
)
_PURGED = (
    "SELECT p.object_key, p.state FROM purged_objects p WHERE p.account_id = :account AND p.folder_key = :folder"
    f" AND p.folder_key IS NOT NULL AND p.object_key > :after AND p.purged_seq > :seq AND {_UNCHANGED.format('p')}"
    " ORDER BY p.object_key LIMIT :limit"
)


class PastTree:
    """The tree of an account at one moment."""

    def __init__(self, sql: Sql, account_id: int, seq: int) -> None:
        self._sql = sql
        self._account_id = account_id
        self._seq = seq
        self._watermark: int | None = None
        self._known: dict[str, StoredObject | None] = {}

    def objects(self, object_keys: Sequence[str]) -> dict[str, StoredObject]:
        """Return the objects among these that existed, in three statements at most."""
        unknown = sorted({key for key in object_keys if key not in self._known})
        if unknown:
            self._known |= dict.fromkeys(unknown)
            self._known |= self._load(unknown)
        return {key: found for key in object_keys if (found := self._known[key]) is not None}

    def object(self, object_key: str) -> StoredObject | None:
        """Return an object, active or trashed; None where it did not exist, or nothing of it is kept."""
        return self.objects([object_key]).get(object_key)

    def visible(self, object_key: str) -> list[StoredObject] | None:
        """Return an object that was visible, with the folders above it, from the root down; None otherwise."""
        way: list[StoredObject] = []
        key: str | None = object_key
        while key is not None:
            found = self.object(key)
            if found is None or found.status != ACTIVE or len(way) > _DEPTH_MAX:
                return None
            way.append(found)
            key = found.parent_key
        return way[::-1]

    def placed(self, object_keys: Sequence[str]) -> dict[str, PlacedObject]:
        """Return the objects among these that were visible, with their ancestors, in statements per level."""
        wanted, depth = set(object_keys), 0
        while wanted and depth <= _DEPTH_MAX:
            level = self.objects(sorted(wanted))
            wanted = {one.parent_key for one in level.values() if one.parent_key and one.parent_key not in self._known}
            depth += 1
        ways = {key: self.visible(key) for key in object_keys}
        return {
            key: PlacedObject(
                way[-1], tuple(one.object_key for one in way), tuple(one.name for one in way if one.parent_key)
            )
            for key, way in ways.items()
            if way is not None
        }

    def _load(self, keys: Sequence[str]) -> dict[str, StoredObject | None]:
        mine = {"account": self._account_id, "seq": self._seq}
        table, named = self._sql.pairs([(raw(key), "") for key in keys])
        # The first change alone is read for each: an object may have millions.
        rows = self._sql.all(
            "SELECT a, (SELECT c.before FROM changes c WHERE c.account_id = :account AND c.object_key = a"
            f" AND {OF_OBJECT} AND c.seq > :seq ORDER BY c.seq LIMIT 1) FROM {table}",
            {**mine, **named},
        )
        found = {
            key_text(key): self.existing(decode_past(self._account_id, key_text(key), before))
            for key, before in rows
            if before is not None
        }
        purged = purged_states(self._sql, self._account_id, [key for key in keys if key not in found])
        found |= {key: self.existing(past) for key, past in purged.items()}
        left = [raw(key) for key in keys if key not in found]
        if left:
            rows = self._sql.all(
                f"SELECT {COLUMNS}, o.status FROM objects o WHERE o.account_id = :account"
                " AND o.object_key = ANY_KEY(:keys)",
                {"account": self._account_id, "keys": left},
            )
            found |= {key_text(row[1]): self._unchanged(row) for row in rows}
        return found

    def _unchanged(self, row: Row) -> StoredObject | None:
        """Return an object that no later change is about; its own status is the last column."""
        stored, stored.status = object_from(row[:-1]), row[-1]
        return None if stored.status == PURGING else self.existing(Past(stored))

    def existing(self, past: Past) -> StoredObject | None:
        """Return the object, if it existed at the moment."""
        stored = past.object
        if stored.created_seq > self._seq or 0 < past.purged_seq <= self._seq or stored.status == PURGING:
            return None
        if stored.status == TRASHED and stored.trashed_at <= self.watermark():
            return None
        return stored

    def watermark(self) -> int:
        """Return up to when the trash had been emptied."""
        if self._watermark is None:
            before, watermark = self._sql.only(
                "SELECT (SELECT c.before FROM changes c WHERE c.account_id = :account AND c.object_key = a.root_key"
                " AND c.seq > :seq AND c.before IS NOT NULL AND c.kind = 'emptied' ORDER BY c.seq LIMIT 1),"
                " n.trash_watermark FROM accounts a JOIN account_counters n ON n.account_id = a.account_id"
                " WHERE a.account_id = :account",
                {"account": self._account_id, "seq": self._seq},
            )
            self._watermark = watermark if before is None else decode_watermark(before)
        return self._watermark

    def unchanged_child(self, folder_key: str, name: str) -> StoredObject | None:
        """Return the object of that name that a folder held, if nothing has changed it since."""
        params: Params = {"folder": raw(folder_key), "seq": self._seq, "name": name}
        return object_where(self._sql, self._account_id, f"{_HERE} AND o.name = :name", params)

    def children(self, folder_key: str, *, limit: int, after: PastPlace | None = None) -> Page[StoredObject, PastPlace]:
        """Return what a folder held: first what still exists, by name, then the rest. Bounded by the limit."""
        place = after or PastPlace(HERE, b"", "")
        found: list[StoredObject] = []
        while len(found) < limit:
            page, further = self._from(folder_key, place, limit - len(found))
            found += page
            if further is not None:
                place = further
            elif place.source in _NEXT_SOURCE:
                place = PastPlace(_NEXT_SOURCE[place.source], b"", "")
            else:
                return Page(found, None)
        return Page(found, place)

    def _from(self, folder_key: str, place: PastPlace, limit: int) -> tuple[list[StoredObject], PastPlace | None]:
        params: dict[str, Value] = {
            "account": self._account_id,
            "folder": raw(folder_key),
            "seq": self._seq,
            "limit": limit,
        }
        if place.source == HERE:
            return self._here(place, params, limit)
        if place.source == CHANGED:
            params["after"] = int.from_bytes(place.value or self._seq.to_bytes(8), "big")
            rows = self._sql.all(_CHANGED, params)
            pasts = [decode_past(self._account_id, key_text(key), before) for _, key, before in rows]
            further = PastPlace(CHANGED, rows[-1][0].to_bytes(8), "") if len(rows) == limit else None
        else:
            rows = self._sql.all(_PURGED, params | {"after": raw(place.key)})
            pasts = [decode_past(self._account_id, key_text(key), state) for key, state in rows]
            further = PastPlace(PURGED, b"", key_text(rows[-1][0])) if len(rows) == limit else None
        existed = [found for past in pasts if (found := self.existing(past)) is not None]
        return existed, further

    def _here(
        self, place: PastPlace, params: dict[str, Value], limit: int
    ) -> tuple[list[StoredObject], PastPlace | None]:
        further = ""
        if place.key:
            # The first byte is the kind: folders come first.
            further = " AND (o.kind, o.name_order, o.object_key) > (:kind, :name, :key)"
            params |= {"kind": place.value[0], "name": place.value[1:], "key": raw(place.key)}
        order = "ORDER BY o.kind, o.name_order, o.object_key LIMIT :limit"
        found = objects_where(self._sql, self._account_id, f"{_HERE}{further} {order}", params)
        if len(found) < limit:
            return found, None
        last = found[-1]
        return found, PastPlace(HERE, bytes([int(not last.is_folder)]) + order_key(last.name), last.object_key)


class ActorCondition(NamedTuple):
    """A condition on a column with actors, and its parameters."""

    text: str
    params: dict[str, Value]

    def of(self, column: str) -> str:
        return self.text.format(column)


def by_actor(actor: str) -> ActorCondition:
    """`device/session` as it is, `device/` for all of a device, `/session` for a session of any device."""
    if actor.endswith("/"):
        # A text that begins with another one lies between it and it with the last character raised.
        return ActorCondition("({0} >= :actor AND {0} < :beyond)", {"actor": actor, "beyond": f"{actor[:-1]}0"})
    if actor.startswith("/"):
        ends_so = "substr({0}, length({0}) - :ending + 1) = :actor"
        return ActorCondition(ends_so, {"actor": actor, "ending": len(actor)})
    return ActorCondition("{0} = :actor", {"actor": actor})


def is_by(actor: str, wanted: str) -> bool:
    """Check the condition of by_actor outside of a statement."""
    if wanted.endswith("/"):
        return actor.startswith(wanted)
    return actor.endswith(wanted) if wanted.startswith("/") else actor == wanted
