"""The tree in SQL: looking, and adding folders. Changing is in tree_changes.py."""

from collections.abc import Sequence

from skyshelf.storage.errors import NameTaken, NotAFolder, ObjectMissing
from skyshelf.storage.metadata.changes import CREATED
from skyshelf.storage.metadata.sql.keys import raw
from skyshelf.storage.metadata.sql.locks import lock_account, record_changes
from skyshelf.storage.metadata.sql.objects import COLUMNS, insert_object, object_from
from skyshelf.storage.metadata.sql.pages import page_statement
from skyshelf.storage.metadata.sql.statements import Params, Sql
from skyshelf.storage.metadata.sql.tree_changes import Batch, restore_objects
from skyshelf.storage.metadata.sql.visibility import CAN_BE_SEEN, Lineage, load
from skyshelf.storage.metadata.tree import (
    ACTIVE,
    PURGING,
    NewFolder,
    Outcome,
    PageOf,
    StoredObject,
    TreeChange,
)
from skyshelf.wire.names import order_key


class SqlTree:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def get(self, account_id: int, object_key: str) -> StoredObject:
        stored = load(self._sql, account_id, [object_key]).get(object_key)
        if stored is None or stored.status == PURGING:
            raise ObjectMissing("no such object")
        return stored

    def visible(self, account_id: int, object_key: str) -> StoredObject:
        rows = self._sql.all(
            f"SELECT {COLUMNS} FROM objects o WHERE o.account_id = :account AND o.object_key = :key"
            f" AND o.status = 'A' AND {CAN_BE_SEEN}",
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
        found = load(self._sql, account_id, object_keys)
        lineage = Lineage(self._sql, account_id, [one.parent_key for one in found.values() if one.parent_key])
        return {
            key: stored
            for key, stored in found.items()
            if stored.status == ACTIVE and lineage.is_visible(stored.parent_key)
        }

    def child_named(self, account_id: int, folder_key: str, name: str) -> StoredObject | None:
        row = self._sql.one(
            f"SELECT {COLUMNS} FROM objects o WHERE o.account_id = :account AND o.parent_key = :folder"
            " AND o.name = :name AND o.status = 'A'",
            {"account": account_id, "folder": raw(folder_key), "name": name},
        )
        return object_from(row) if row else None

    def ancestors(self, account_id: int, object_key: str) -> list[StoredObject]:
        lineage = Lineage(self._sql, account_id, [object_key])
        keys = list(lineage.up_from(object_key))[1:]
        folders = load(self._sql, account_id, keys)
        return [folders[key] for key in reversed(keys)]

    def page(self, account_id: int, page: PageOf) -> list[bytes]:
        text, params = page_statement(account_id, page)
        return [wire for (wire,) in self._sql.all(text, params)]

    def children(
        self, account_id: int, folder_key: str, *, after: StoredObject | None = None, limit: int = 1000
    ) -> list[StoredObject]:
        rows = self._sql.all(
            f"SELECT {COLUMNS} FROM objects o WHERE o.account_id = :account AND o.parent_key = :folder"
            " AND o.status = 'A' AND (o.kind, o.name_order, o.object_key) > (:kind, :name, :key)"
            " ORDER BY o.kind, o.name_order, o.object_key LIMIT :limit",
            {
                "account": account_id,
                "folder": raw(folder_key),
                "kind": -1 if after is None else int(not after.is_folder),
                "name": b"" if after is None else order_key(after.name),
                "key": b"" if after is None else raw(after.object_key),
                "limit": limit,
            },
        )
        return [object_from(row) for row in rows]

    def trash_page(self, account_id: int, *, limit: int, offset: int = 0) -> list[bytes]:
        return self._wires(
            "SELECT o.wire FROM objects o WHERE o.account_id = :account AND o.status = 'T' AND o.trashed_at >"
            " (SELECT c.trash_floor FROM account_counters c WHERE c.account_id = :account)"
            " ORDER BY o.trashed_at DESC, o.object_key DESC LIMIT :limit OFFSET :offset",
            {"account": account_id, "limit": limit, "offset": offset},
        )

    def add_folder(self, account_id: int, folder: NewFolder, now: int) -> StoredObject:
        lock = lock_account(self._sql, account_id)
        self.visible_folder(account_id, folder.parent_key)
        if self.child_named(account_id, folder.parent_key, folder.name) is not None:
            raise NameTaken("the folder already has an object of that name")
        stored = _new_folder(account_id, folder, now)
        insert_object(self._sql, stored)
        record_changes(self._sql, account_id, lock, [(CREATED, stored.object_key)], now)
        return stored

    def apply(self, account_id: int, changes: Sequence[TreeChange], now: int) -> list[Outcome]:
        return Batch(self._sql, account_id, changes, now).apply()

    def restore(self, account_id: int, object_keys: Sequence[str], now: int) -> list[Outcome]:
        return restore_objects(self._sql, account_id, object_keys, now)

    def recent(self, account_id: int, *, media: bool, limit: int) -> list[bytes]:
        return self._wires(
            "SELECT o.wire FROM objects o WHERE o.account_id = :account AND o.is_media = :media AND o.status = 'A'"
            f" AND o.kind = 1 AND {CAN_BE_SEEN} ORDER BY o.arrived_at DESC, o.object_key DESC LIMIT :limit",
            {"account": account_id, "media": int(media), "limit": limit},
        )

    def of_app(self, account_id: int, app_code: str, *, limit: int, offset: int = 0) -> list[bytes]:
        return self._wires(
            "SELECT o.wire FROM objects o WHERE o.account_id = :account AND o.app_code = :app AND o.app_code <> ''"
            f" AND o.status = 'A' AND {CAN_BE_SEEN}"
            " ORDER BY o.arrived_at DESC, o.object_key DESC LIMIT :limit OFFSET :offset",
            {"account": account_id, "app": app_code, "limit": limit, "offset": offset},
        )

    def taken_on(
        self, account_id: int, *, first_day: int, last_day: int, before: int, limit: int
    ) -> list[StoredObject]:
        rows = self._sql.all(
            f"SELECT {COLUMNS} FROM objects o WHERE o.account_id = :account AND o.taken_day IS NOT NULL"
            " AND o.taken_day >= :first_day AND o.taken_day <= :last_day AND o.taken_at < :before AND o.status = 'A'"
            f" AND {CAN_BE_SEEN} ORDER BY o.taken_at DESC, o.object_key DESC LIMIT :limit",
            {
                "account": account_id,
                "first_day": first_day,
                "last_day": last_day,
                "before": before,
                "limit": limit,
            },
        )
        return [object_from(row) for row in rows]

    def _wires(self, text: str, params: Params) -> list[bytes]:
        return [wire for (wire,) in self._sql.all(text, params)]


def _new_folder(account_id: int, folder: NewFolder, now: int) -> StoredObject:
    return StoredObject(
        account_id=account_id,
        object_key=folder.object_key,
        parent_key=folder.parent_key,
        is_folder=True,
        status=ACTIVE,
        name=folder.name,
        size=0,
        file_created_at=now,
        last_modified_at=now,
        sha256=None,
        md5=None,
        version=1,
        mime_type="",
        mime_subtype="",
        source_name=folder.source_name,
        source_folder="",
        app_code="",
        is_hidden=False,
        is_locked=False,
        is_readonly=False,
        is_favorite=False,
        created_at=now,
        updated_at=now,
        arrived_at=now,
        trashed_at=0,
        taken_at=None,
        taken_day=None,
    )
