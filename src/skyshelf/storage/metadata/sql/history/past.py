"""What was, in SQL: objects and folders at a moment."""

from collections.abc import Sequence

from skyshelf.storage.metadata.contracts.tree import ACTIVE, PURGING, TRASHED, StoredObject
from skyshelf.storage.metadata.history.contract import PastPage, PastPlace, PlacedObject
from skyshelf.storage.metadata.history.records import Past, decode_past, decode_watermark
from skyshelf.storage.metadata.sql.statements import Row, Sql, Value, key_text, raw
from skyshelf.storage.metadata.sql.tree.objects import COLUMNS, object_from
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
    " AND e.before IS NOT NULL AND e.kind <> 'emptied' AND e.seq > :seq AND e.seq < c.seq)"
)
_HERE = (
    f"SELECT {COLUMNS} FROM objects o WHERE o.account_id = :account AND o.parent_key = :folder AND o.status = 'A'"
    f" AND o.created_seq <= :seq AND {_UNCHANGED.format('o')}"
)
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
        """Those of the objects that existed, in three statements at most."""
        unknown = sorted({key for key in object_keys if key not in self._known})
        if unknown:
            self._known |= dict.fromkeys(unknown)
            self._known |= self._load(unknown)
        return {key: found for key in object_keys if (found := self._known[key]) is not None}

    def object(self, object_key: str) -> StoredObject | None:
        return self.objects([object_key]).get(object_key)

    def visible(self, object_key: str) -> list[StoredObject] | None:
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
        """Those of the objects that could be seen, with what was above them; statements for a level, not an object."""
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
        rows = self._sql.all(
            f"SELECT c.object_key, c.before FROM changes c WHERE c.account_id = :account AND {OF_OBJECT}"
            f" AND c.object_key = ANY_KEY(:keys) AND c.seq > :seq AND {_IS_FIRST}",
            {**mine, "keys": [raw(key) for key in keys]},
        )
        found = {key_text(key): self.existing(decode_past(self._account_id, key_text(key), row)) for key, row in rows}
        left = [raw(key) for key in keys if key not in found]
        if left:
            rows = self._sql.all(
                "SELECT object_key, state FROM purged_objects WHERE account_id = :account"
                " AND object_key = ANY_KEY(:keys)",
                {"account": self._account_id, "keys": left},
            )
            for key, state in rows:
                found[key_text(key)] = self.existing(decode_past(self._account_id, key_text(key), state))
            left = [key for key in left if key_text(key) not in found]
        if left:
            rows = self._sql.all(
                f"SELECT {COLUMNS}, o.status FROM objects o WHERE o.account_id = :account"
                " AND o.object_key = ANY_KEY(:keys)",
                {"account": self._account_id, "keys": left},
            )
            found |= {key_text(row[1]): self._unchanged(row) for row in rows}
        return found

    def _unchanged(self, row: Row) -> StoredObject | None:
        """An object that no later change is about; its own status is the last column."""
        stored, stored.status = object_from(row[:-1]), row[-1]
        return None if stored.status == PURGING else self.existing(Past(stored))

    def existing(self, past: Past) -> StoredObject | None:
        """The object, if it existed at the moment."""
        stored = past.object
        if stored.created_seq > self._seq or 0 < past.purged_seq <= self._seq or stored.status == PURGING:
            return None
        if stored.status == TRASHED and stored.trashed_at <= self.watermark():
            return None
        return stored

    def watermark(self) -> int:
        """Up to when the trash had been emptied."""
        if self._watermark is None:
            row = self._sql.one(
                "SELECT (SELECT c.before FROM changes c WHERE c.account_id = :account AND c.object_key = a.root_key"
                " AND c.seq > :seq AND c.before IS NOT NULL AND c.kind = 'emptied' ORDER BY c.seq LIMIT 1),"
                " n.trash_watermark FROM accounts a JOIN account_counters n ON n.account_id = a.account_id"
                " WHERE a.account_id = :account",
                {"account": self._account_id, "seq": self._seq},
            )
            assert row is not None
            self._watermark = row[1] if row[0] is None else decode_watermark(row[0])
        return self._watermark

    def unchanged_child(self, folder_key: str, name: str) -> StoredObject | None:
        row = self._sql.one(
            f"{_HERE} AND o.name = :name",
            {"account": self._account_id, "folder": raw(folder_key), "seq": self._seq, "name": name},
        )
        return None if row is None else object_from(row)

    def child_named(self, folder_key: str, name: str) -> StoredObject | None:
        found = self.unchanged_child(folder_key, name)
        if found is not None:
            return found
        after: PastPlace | None = PastPlace(CHANGED, b"", "")
        while after is not None:
            page = self.children(folder_key, limit=1000, after=after)
            for one in page.objects:
                if one.name == name:
                    return one
            after = page.next
        return None

    def children(self, folder_key: str, *, limit: int, after: PastPlace | None = None) -> PastPage:
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
                return PastPage(found, None)
        return PastPage(found, place)

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
        rows = self._sql.all(f"{_HERE}{further} ORDER BY o.kind, o.name_order, o.object_key LIMIT :limit", params)
        found = [object_from(row) for row in rows]
        if len(found) < limit:
            return found, None
        last = found[-1]
        return found, PastPlace(HERE, bytes([int(not last.is_folder)]) + order_key(last.name), last.object_key)
