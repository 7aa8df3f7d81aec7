"""The tree in SQL: listings, lookups and new folders. Batches of changes are in batches.py."""

from collections.abc import Sequence

from skyshelf.storage.errors import NameTaken, NotAFolder, ObjectMissing
from skyshelf.storage.metadata.contracts import tree
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.quota import objects_left, too_many_objects
from skyshelf.storage.metadata.sql.statements import Params, SqlNoun, Value, key_text, page_after, raw, required
from skyshelf.storage.metadata.sql.tree.batches import Batch, restore_objects
from skyshelf.storage.metadata.sql.tree.objects import (
    COLUMN_NAMES,
    COLUMNS,
    create_objects,
    new_folder,
    object_from,
    object_where,
    objects_where,
)
from skyshelf.storage.metadata.sql.tree.pages import CATEGORY_CONDITIONS, VisiblePage, page_statement
from skyshelf.storage.metadata.sql.tree.placing import Nesting
from skyshelf.storage.metadata.sql.tree.stored_wire import encoded_page, encoding, stored_wire
from skyshelf.storage.metadata.sql.tree.visibility import (
    BELOW,
    IS_NOT_PURGED,
    IS_VISIBLE,
    OBJECT_IS_VISIBLE,
    Lineage,
    among,
)
from skyshelf.storage.metadata.wire_cache import EncodedObjects
from skyshelf.wire.names import order_key

LEVELS_AT_ONCE = 16
"""Names of a path that one statement looks up; SQLite limits the depth of an expression."""
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
_VISIBLE_ONE = (
    f"SELECT {COLUMNS} FROM objects o WHERE o.account_id = :account AND o.object_key = :keys AND o.status = 'A'"
    f" AND {OBJECT_IS_VISIBLE}"
)
_ANCESTORS = (
    f"WITH RECURSIVE above ({COLUMN_NAMES}, distance, one) AS (SELECT {COLUMNS}, 0, 1 FROM objects o"
    f" WHERE o.account_id = :account AND o.object_key = :key AND {IS_NOT_PURGED}"
    f" UNION ALL SELECT {COLUMNS}, above.distance + 1, 1 FROM above CROSS JOIN objects o"
    " WHERE o.account_id = :account AND o.object_key = above.parent_key AND above.one = 1)"
    f" SELECT {COLUMN_NAMES} FROM above ORDER BY distance DESC"
)


class SqlTree(SqlNoun):
    """Rows with a parent. Names are clean (wire.names) before they come here.

    An object can be seen when it and all its ancestors are active. What is below a trashed folder keeps its
    own status, so trashing, restoring or moving a folder touches one row, however much is below it.
    Keys of other accounts are, for every call, keys that do not exist.
    """

    def get(self, account_id: int, object_key: str) -> tree.StoredObject:
        """Return the object, active or trashed, seen or not; ObjectMissing when it is being purged or goes with a
        folder that is."""
        return self._there(account_id, object_key, IS_NOT_PURGED)

    def visible(self, account_id: int, object_key: str) -> tree.StoredObject:
        """Return the object, if it can be seen; ObjectMissing otherwise."""
        return self._there(account_id, object_key, f"o.status = 'A' AND {OBJECT_IS_VISIBLE}")

    def _there(self, account_id: int, object_key: str, condition: str) -> tree.StoredObject:
        stored = object_where(self._sql, account_id, f"o.object_key = :key AND {condition}", {"key": raw(object_key)})
        return required(stored, ObjectMissing("no such object"))

    def visible_folder(self, account_id: int, object_key: str) -> tree.StoredObject:
        """Like visible, but raise NotAFolder for a file's key."""
        stored = self.visible(account_id, object_key)
        if not stored.is_folder:
            raise NotAFolder("the key is a file's")
        return stored

    def visible_many(self, account_id: int, object_keys: Sequence[str]) -> dict[str, tree.StoredObject]:
        """Return the visible objects among the keys, by key."""
        keys = sorted({raw(key) for key in object_keys})
        # A single one, as the folder of an upload, needs no tables of candidates and of what is above them.
        text, given = (_VISIBLE_ONE, keys[0]) if len(keys) == 1 else (_VISIBLE_MANY, keys)
        rows = self._sql.all(text, {"account": account_id, "keys": given})
        return {stored.object_key: stored for stored in map(object_from, rows)}

    def child_named(self, account_id: int, folder_key: str, name: str) -> tree.StoredObject | None:
        """Return the active object of that name in that folder."""
        named = "o.parent_key = :folder AND o.name = :name AND o.status = 'A'"
        return object_where(self._sql, account_id, named, {"folder": raw(folder_key), "name": name})

    def at_path(self, account_id: int, folder_key: str, names: Sequence[str]) -> tree.StoredObject | None:
        """Return the active object at a path of at least one name below a folder, which the caller knows to be visible.

        One statement for paths of usual length: SQLite refuses expressions that are nested too deeply.
        """
        while len(names) > LEVELS_AT_ONCE:
            found = self._below(account_id, folder_key, names[:LEVELS_AT_ONCE])
            if found is None or not found.is_folder:
                return None
            folder_key, names = found.object_key, names[LEVELS_AT_ONCE:]
        return self._below(account_id, folder_key, names)

    def _below(self, account_id: int, folder_key: str, names: Sequence[str]) -> tree.StoredObject | None:
        folder = ":folder"
        for number in range(len(names) - 1):
            folder = (
                "(SELECT f.object_key FROM objects f WHERE f.account_id = :account AND f.status = 'A' AND f.kind = 0"
                f" AND f.name = :name{number} AND f.parent_key = {folder})"
            )
        params: dict[str, Value] = {f"name{number}": name for number, name in enumerate(names)}
        there = f"o.status = 'A' AND o.name = :name{len(names) - 1} AND o.parent_key = {folder}"
        return object_where(self._sql, account_id, there, {"folder": raw(folder_key), **params})

    def first_key_between(self, account_id: int, between: tuple[str, str]) -> str | None:
        """Return the first key of the account's objects in a range, its ends included, whatever their state; None if
        none."""
        row = self._sql.one(
            "SELECT object_key FROM objects WHERE account_id = :account AND object_key >= :first"
            " AND object_key <= :last ORDER BY object_key LIMIT 1",
            {"account": account_id, "first": raw(between[0]), "last": raw(between[1])},
        )
        return key_text(row[0]) if row else None

    def ancestors(self, account_id: int, object_key: str) -> list[tree.StoredObject]:
        """Return the folders from the root down to the object's parent; empty for the root. ObjectMissing as in get."""
        rows = self._sql.all(_ANCESTORS, {"account": account_id, "key": raw(object_key)})
        if not rows:
            raise ObjectMissing("no such object")
        return [object_from(row) for row in rows[:-1]]

    def page(self, account_id: int, page: tree.PageOf) -> EncodedObjects:
        """Return the active objects of a folder as wire JSON.

        One range of one index. The byte 0x01 in an encoded object stands for the origin of URLs (see
        wire_cache.py). The caller has checked that the folder is visible.
        """
        text, params = page_statement(account_id, page, merges_unions=self._sql.merges_unions)
        return encoded_page(self._sql, account_id, text, params)

    def children(
        self,
        account_id: int,
        folder_key: str,
        *,
        after: tree.StoredObject | None = None,
        limit: int = 1000,
        backwards: bool = False,
    ) -> list[tree.StoredObject]:
        """Return the active objects of a folder, folders first, then by name; those after the given one.

        Backwards, this order is reversed: those before the given one, the nearest first.
        """
        comparison, direction = ("<", "DESC") if backwards else (">", "ASC")
        params: dict[str, Value] = {"folder": raw(folder_key), "limit": limit}
        place = ""
        if after is not None:
            place = f" AND (o.kind, o.name_order, o.object_key) {comparison} (:kind, :name, :key)"
            params |= {"kind": int(not after.is_folder), "name": order_key(after.name), "key": raw(after.object_key)}
        order = f"ORDER BY o.kind {direction}, o.name_order {direction}, o.object_key {direction} LIMIT :limit"
        return objects_where(self._sql, account_id, f"o.parent_key = :folder AND o.status = 'A'{place} {order}", params)

    def count_below(self, account_id: int, folder_key: str, most: int) -> int:
        """Return how many active objects are below a folder; from that many on they are not counted."""
        few = f"{BELOW} SELECT count(*) FROM (SELECT 1 FROM below LIMIT :most) few"
        (count,) = self._sql.only(few, {"account": account_id, "folder": raw(folder_key), "most": most})
        return int(count)

    def trash_page(
        self,
        account_id: int,
        *,
        sort: tree.SortBy | None = None,
        descending: bool = True,
        limit: int,
        offset: int = 0,
        after: tree.PageCursor | None = None,
    ) -> EncodedObjects:
        """Objects that were trashed themselves (not those below them), encoded as in page.

        Without a sort it is the time of trashing that orders. Ties break by object_key, in the same direction. `after`
        is the place of the last object seen in this order, and stays valid if that object leaves the trash.
        """
        column = "o.trashed_at" if sort is None else f"o.{sort.value}"
        page, place = page_after(column, "o.object_key", after, limit, ascending=not descending)
        return self._encoded(
            account_id,
            "o.status = 'T' AND o.trashed_at >"
            f" (SELECT c.trash_watermark FROM account_counters c WHERE c.account_id = :account){page} OFFSET :offset",
            {"offset": offset, **place},
        )

    def _encoded(self, account_id: int, condition: str, params: Params) -> EncodedObjects:
        text = f"SELECT {stored_wire('o')} AS wire FROM objects o WHERE o.account_id = :account AND {condition}"
        return encoded_page(self._sql, account_id, text, {"account": account_id, **encoding(), **params})

    def add_folder(self, account_id: int, folder: tree.NewFolder, now: int) -> tree.StoredObject:
        """ObjectMissing when the parent cannot be seen, NotAFolder when it is a file, NameTaken."""
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
        with self._sql.together():
            nesting.write()
            create_objects(self._sql, lock, [stored], now)
        return stored

    def apply(
        self, account_id: int, changes: Sequence[tree.TreeChange], now: int, *, whole: bool = False
    ) -> list[tree.Outcome]:
        """Apply changes in order, each on its own: the changed object, or the error that refused it.

        A refused change leaves nothing behind and does not stop the others. What already holds succeeds.
        Refusals: ObjectMissing, RootIsFixed, NameTaken; for a move also TargetMissing, TargetIsAFile, and
        WouldCycle — under the account's lock, so two concurrent moves cannot make a cycle either. After the change
        that raises an alarm, the others are SessionPaused, unless they only make sense as a whole.
        """
        return Batch(self._sql, account_id, changes, now).apply(whole=whole)

    def restore(self, account_id: int, object_keys: Sequence[str], now: int) -> list[tree.Outcome]:
        """Take objects out of the trash, in order, each on its own.

        If the old parent is no longer visible, the object goes to the root; where the name is taken, it
        gets ` (1)`, ` (2)` and so on. An active object stays as it is. ObjectMissing is the only refusal.
        """
        return restore_objects(self._sql, account_id, object_keys, now)

    def recent(self, account_id: int, *, media: bool, limit: int) -> EncodedObjects:
        """Files that can be seen, newest arrival first: images and videos, or all others. Encoded as in page."""
        files = f"o.is_media = :media AND o.status = 'A' AND o.kind = 1 AND {OBJECT_IS_VISIBLE}"
        newest_first = f"{files} ORDER BY o.arrived_at DESC, o.object_key DESC LIMIT :limit"
        return self._encoded(account_id, newest_first, {"media": int(media), "limit": limit})

    def favorites(
        self, account_id: int, *, by_name: bool = False, limit: int, after: tree.PageCursor | None = None
    ) -> list[tree.CursorRow]:
        """Favourites that can be seen: by name, or newest arrival first. A place is the name_order or arrived_at."""
        column = "o.name_order" if by_name else "o.arrived_at"
        page = VisiblePage(column, "o.object_key", limit, after, ascending=by_name)
        favorites = "objects o WHERE o.account_id = :account AND o.is_favorite = 1"
        return page.rows(self._sql, account_id, favorites)

    def of_category(
        self,
        account_id: int,
        category: str,
        *,
        sort: tree.SortBy | None = None,
        descending: bool = True,
        limit: int,
        after: tree.PageCursor | None = None,
    ) -> list[tree.CursorRow]:
        """Visible files of one kind: `photos`, `videos`, `audio`, `documents` or `others`.

        Without a sort, the time at which they arrived orders; other orders read all files of the account.
        """
        column = "o.arrived_at" if sort is None else f"o.{sort.value}"
        page = VisiblePage(column, "o.object_key", limit, after, ascending=not descending)
        files = f"objects o WHERE o.account_id = :account AND o.kind = 1 AND {CATEGORY_CONDITIONS[category]}"
        return page.rows(self._sql, account_id, files)

    def of_app(self, account_id: int, app_code: str, *, limit: int, offset: int = 0) -> EncodedObjects:
        """Files that can be seen and that an app brought, newest arrival first. Encoded as in page."""
        files = f"o.app_code = :app AND o.app_code <> '' AND o.status = 'A' AND {OBJECT_IS_VISIBLE}"
        newest_first = f"{files} ORDER BY o.arrived_at DESC, o.object_key DESC LIMIT :limit OFFSET :offset"
        return self._encoded(account_id, newest_first, {"app": app_code, "limit": limit, "offset": offset})

    def taken_on(
        self, account_id: int, *, first_day: int, last_day: int, before: int, per_year: int
    ) -> list[tree.StoredObject]:
        """Pictures and videos that can be seen and were taken between two days of the year (1231 for the last of
        December), before a point in time, newest first.

        Of each year, counted back from that point, at most per_year: the newest. A rich year does not crowd out
        the others.
        """
        days: Params = {"account": account_id, "first_day": first_day, "last_day": last_day}
        rows = self._sql.all(_TAKEN_ON, {**days, "before": before, "per_year": per_year})
        return [object_from(row) for row in rows]
