"""The tree in SQL: listings, lookups and new folders. Batches of changes are in batches.py."""

from collections.abc import Sequence

from skyshelf.storage.errors import NameTaken, NotAFolder, ObjectMissing
from skyshelf.storage.metadata.contracts.changes import CREATED
from skyshelf.storage.metadata.contracts.tree import (
    CursorRow,
    NewFolder,
    Outcome,
    PageCursor,
    PageOf,
    SortBy,
    StoredObject,
    TreeChange,
)
from skyshelf.storage.metadata.encoded_objects import EncodedObjects
from skyshelf.storage.metadata.sql.account_lock import Happened, lock_account, record_changes
from skyshelf.storage.metadata.sql.bounds import objects_left, too_many_objects
from skyshelf.storage.metadata.sql.statements import Sql, Value, key_text, raw
from skyshelf.storage.metadata.sql.tree.batches import Batch, restore_objects
from skyshelf.storage.metadata.sql.tree.categories import category_statement
from skyshelf.storage.metadata.sql.tree.depth import Nesting
from skyshelf.storage.metadata.sql.tree.objects import COLUMN_NAMES, COLUMNS, insert_object, new_folder, object_from
from skyshelf.storage.metadata.sql.tree.pages import page_statement
from skyshelf.storage.metadata.sql.tree.stored_wire import current_rows, encoded_page, encoding, stored_wire
from skyshelf.storage.metadata.sql.tree.visibility import IS_NOT_PURGED, IS_VISIBLE, OBJECT_IS_VISIBLE, Lineage, among
from skyshelf.wire.names import order_key

# A year of 365.2425 days, the mean of the calendar.
_YEAR_MS = 31_556_952_000

_TAKEN_ON = among(
    "SELECT o.account_id, o.parent_key, o.object_key, o.taken_at FROM objects o"
    " WHERE o.account_id = :account AND o.taken_day IS NOT NULL AND o.status = 'A' AND o.taken_day >= :first_day"
    " AND o.taken_day <= :last_day AND o.taken_at < :before AND o.is_media = 1",
    f"SELECT {COLUMNS} FROM (SELECT c.object_key, row_number() OVER (PARTITION BY (:before - c.taken_at) / {_YEAR_MS}"
    f" ORDER BY c.taken_at DESC, c.object_key DESC) AS place FROM candidate c WHERE {IS_VISIBLE}) k"
    " JOIN objects o ON o.account_id = :account AND o.object_key = k.object_key"
    " WHERE k.place <= :per_year ORDER BY o.taken_at DESC, o.object_key DESC",
)

_VISIBLE_MANY = among(
    f"SELECT {COLUMNS} FROM objects o WHERE o.account_id = :account AND o.object_key = ANY_KEY(:keys)"
    " AND o.status = 'A'",
    f"SELECT c.* FROM candidate c WHERE {IS_VISIBLE}",
)
_ANCESTORS = (
    f"WITH RECURSIVE above ({COLUMN_NAMES}, distance, one) AS (SELECT {COLUMNS}, 0, 1 FROM objects o"
    f" WHERE o.account_id = :account AND o.object_key = :key AND {IS_NOT_PURGED}"
    f" UNION ALL SELECT {COLUMNS}, above.distance + 1, 1 FROM above CROSS JOIN objects o"
    " WHERE o.account_id = :account AND o.object_key = above.parent_key AND above.one = 1)"
    f" SELECT {COLUMN_NAMES} FROM above ORDER BY distance DESC"
)


class SqlTree:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def get(self, account_id: int, object_key: str) -> StoredObject:
        row = self._sql.one(
            f"SELECT {COLUMNS} FROM objects o"
            f" WHERE o.account_id = :account AND o.object_key = :key AND {IS_NOT_PURGED}",
            {"account": account_id, "key": raw(object_key)},
        )
        if row is None:
            raise ObjectMissing("no such object")
        return object_from(row)

    def visible(self, account_id: int, object_key: str) -> StoredObject:
        rows = self._sql.all(
            f"SELECT {COLUMNS} FROM objects o WHERE o.account_id = :account AND o.object_key = :key"
            f" AND o.status = 'A' AND {OBJECT_IS_VISIBLE}",
            {"account": account_id, "key": raw(object_key)},
        )
        if not rows:
            raise ObjectMissing("no such object")
        return object_from(rows[0])

    def visible_folder(self, account_id: int, object_key: str) -> StoredObject:
        stored = self.visible(account_id, object_key)
        if not stored.is_folder:
            raise NotAFolder("the key is a file's")
        return stored

    def visible_many(self, account_id: int, object_keys: Sequence[str]) -> dict[str, StoredObject]:
        rows = self._sql.all(_VISIBLE_MANY, {"account": account_id, "keys": sorted({raw(key) for key in object_keys})})
        return {stored.object_key: stored for stored in map(object_from, rows)}

    def child_named(self, account_id: int, folder_key: str, name: str) -> StoredObject | None:
        row = self._sql.one(
            f"SELECT {COLUMNS} FROM objects o WHERE o.account_id = :account AND o.parent_key = :folder"
            " AND o.name = :name AND o.status = 'A'",
            {"account": account_id, "folder": raw(folder_key), "name": name},
        )
        return object_from(row) if row else None

    def at_path(self, account_id: int, folder_key: str, names: Sequence[str]) -> StoredObject | None:
        folder = ":folder"
        for number in range(len(names) - 1):
            folder = (
                "(SELECT f.object_key FROM objects f WHERE f.account_id = :account AND f.status = 'A' AND f.kind = 0"
                f" AND f.name = :name{number} AND f.parent_key = {folder})"
            )
        params: dict[str, Value] = {f"name{number}": name for number, name in enumerate(names)}
        row = self._sql.one(
            f"SELECT {COLUMNS} FROM objects o WHERE o.account_id = :account AND o.status = 'A'"
            f" AND o.name = :name{len(names) - 1} AND o.parent_key = {folder}",
            {"account": account_id, "folder": raw(folder_key), **params},
        )
        return object_from(row) if row else None

    def first_key_between(self, account_id: int, between: tuple[str, str]) -> str | None:
        row = self._sql.one(
            "SELECT object_key FROM objects WHERE account_id = :account AND object_key >= :first"
            " AND object_key <= :last ORDER BY object_key LIMIT 1",
            {"account": account_id, "first": raw(between[0]), "last": raw(between[1])},
        )
        return key_text(row[0]) if row else None

    def ancestors(self, account_id: int, object_key: str) -> list[StoredObject]:
        rows = self._sql.all(_ANCESTORS, {"account": account_id, "key": raw(object_key)})
        if not rows:
            raise ObjectMissing("no such object")
        return [object_from(row) for row in rows[:-1]]

    def page(self, account_id: int, page: PageOf) -> EncodedObjects:
        text, params = page_statement(account_id, page, merges_unions=self._sql.merges_unions)
        return encoded_page(self._sql, account_id, text, params)

    def children(
        self,
        account_id: int,
        folder_key: str,
        *,
        after: StoredObject | None = None,
        limit: int = 1000,
        backwards: bool = False,
    ) -> list[StoredObject]:
        comparison, direction = ("<", "DESC") if backwards else (">", "ASC")
        params: dict[str, Value] = {"account": account_id, "folder": raw(folder_key), "limit": limit}
        place = ""
        if after is not None:
            place = f" AND (o.kind, o.name_order, o.object_key) {comparison} (:kind, :name, :key)"
            params |= {"kind": int(not after.is_folder), "name": order_key(after.name), "key": raw(after.object_key)}
        rows = self._sql.all(
            f"SELECT {COLUMNS} FROM objects o WHERE o.account_id = :account AND o.parent_key = :folder"
            f" AND o.status = 'A'{place}"
            f" ORDER BY o.kind {direction}, o.name_order {direction}, o.object_key {direction} LIMIT :limit",
            params,
        )
        return [object_from(row) for row in rows]

    def trash_page(
        self,
        account_id: int,
        *,
        sort: SortBy | None = None,
        descending: bool = True,
        limit: int,
        offset: int = 0,
        after: PageCursor | None = None,
    ) -> EncodedObjects:
        column = "trashed_at" if sort is None else sort.value
        direction = "DESC" if descending else "ASC"
        params: dict[str, Value] = {"account": account_id, "limit": limit, "offset": offset, **encoding()}
        further = ""
        if after is not None:
            further = f" AND (o.{column}, o.object_key) {'<' if descending else '>'} (:after_value, :after_key)"
            params |= {"after_value": after.value, "after_key": raw(after.key)}
        return encoded_page(
            self._sql,
            account_id,
            f"SELECT {stored_wire('o')} AS wire FROM objects o WHERE o.account_id = :account AND o.status = 'T'"
            " AND o.trashed_at > (SELECT c.trash_watermark FROM account_counters c WHERE c.account_id = :account)"
            f"{further} ORDER BY o.{column} {direction}, o.object_key {direction} LIMIT :limit OFFSET :offset",
            params,
        )

    def add_folder(self, account_id: int, folder: NewFolder, now: int) -> StoredObject:
        lock = lock_account(self._sql, account_id)
        self.visible_folder(account_id, folder.parent_key)
        if self.child_named(account_id, folder.parent_key, folder.name) is not None:
            raise NameTaken("the folder already has an object of that name")
        if objects_left(self._sql, account_id, lock, now) < 1:
            raise too_many_objects()
        nesting = Nesting(self._sql, account_id, Lineage(self._sql, account_id, [folder.parent_key]))
        nesting.add(folder.parent_key, folder.name)
        stored = new_folder(
            account_id, folder.object_key, folder.parent_key, folder.name, now, source_name=folder.source_name
        )
        stored.created_seq = lock.change_seq + 1
        with self._sql.together():
            nesting.write()
            insert_object(self._sql, stored)
            happened = [Happened(CREATED, stored.object_key)]
            record_changes(self._sql, account_id, lock, happened, now, folders=[folder.parent_key])
        return stored

    def apply(self, account_id: int, changes: Sequence[TreeChange], now: int) -> list[Outcome]:
        return Batch(self._sql, account_id, changes, now).apply()

    def restore(self, account_id: int, object_keys: Sequence[str], now: int) -> list[Outcome]:
        return restore_objects(self._sql, account_id, object_keys, now)

    def recent(self, account_id: int, *, media: bool, limit: int) -> EncodedObjects:
        return encoded_page(
            self._sql,
            account_id,
            f"SELECT {stored_wire('o')} AS wire FROM objects o WHERE o.account_id = :account AND o.is_media = :media"
            f" AND o.status = 'A' AND o.kind = 1 AND {OBJECT_IS_VISIBLE}"
            " ORDER BY o.arrived_at DESC, o.object_key DESC LIMIT :limit",
            {"account": account_id, "media": int(media), "limit": limit, **encoding()},
        )

    def favorites(
        self, account_id: int, *, by_name: bool = False, limit: int, after: PageCursor | None = None
    ) -> list[CursorRow]:
        column, beyond, direction = ("name_order", ">", "ASC") if by_name else ("arrived_at", "<", "DESC")
        params: dict[str, Value] = {"account": account_id, "limit": limit, **encoding()}
        further = ""
        if after is not None:
            further = f" AND (o.{column}, o.object_key) {beyond} (:after_value, :after_key)"
            params |= {"after_value": after.value, "after_key": raw(after.key)}
        rows = self._sql.all(
            f"SELECT {stored_wire('o')}, o.{column}, o.object_key FROM objects o WHERE o.account_id = :account"
            f" AND o.is_favorite = 1 AND o.status = 'A'{further} AND {OBJECT_IS_VISIBLE}"
            f" ORDER BY o.{column} {direction}, o.object_key {direction} LIMIT :limit",
            params,
        )
        found = current_rows(self._sql, account_id, rows)
        return [CursorRow(wire, PageCursor(value, key_text(key))) for wire, value, key in found]

    def of_category(
        self,
        account_id: int,
        category: str,
        *,
        sort: SortBy | None = None,
        descending: bool = True,
        limit: int,
        after: PageCursor | None = None,
    ) -> list[CursorRow]:
        text, params = category_statement(account_id, category, sort, descending=descending, limit=limit, after=after)
        found = current_rows(self._sql, account_id, self._sql.all(text, params))
        return [CursorRow(wire, PageCursor(value, key_text(key))) for wire, value, key in found]

    def of_app(self, account_id: int, app_code: str, *, limit: int, offset: int = 0) -> EncodedObjects:
        return encoded_page(
            self._sql,
            account_id,
            f"SELECT {stored_wire('o')} AS wire FROM objects o WHERE o.account_id = :account AND o.app_code = :app"
            f" AND o.app_code <> '' AND o.status = 'A' AND {OBJECT_IS_VISIBLE}"
            " ORDER BY o.arrived_at DESC, o.object_key DESC LIMIT :limit OFFSET :offset",
            {"account": account_id, "app": app_code, "limit": limit, "offset": offset, **encoding()},
        )

    def taken_on(
        self, account_id: int, *, first_day: int, last_day: int, before: int, per_year: int
    ) -> list[StoredObject]:
        rows = self._sql.all(
            _TAKEN_ON,
            {
                "account": account_id,
                "first_day": first_day,
                "last_day": last_day,
                "before": before,
                "per_year": per_year,
            },
        )
        return [object_from(row) for row in rows]
