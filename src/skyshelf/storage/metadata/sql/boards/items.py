"""Items of boards in SQL."""

from collections.abc import Sequence
from functools import cache

from skyshelf.storage.errors import NotAFile, ObjectMissing
from skyshelf.storage.metadata.contracts.boards import Contributor
from skyshelf.storage.metadata.contracts.tree import SortBy, StoredObject
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.boards.access import (
    IS_ACTIVE,
    IS_SHOWN,
    ITEMS,
    hold_board,
    mark_changed,
    require_member,
)
from skyshelf.storage.metadata.sql.boards.events import record
from skyshelf.storage.metadata.sql.bounds import refuse_beyond
from skyshelf.storage.metadata.sql.kept.links import BOARD, record_links
from skyshelf.storage.metadata.sql.statements import Params, Sql, key_text, raw
from skyshelf.storage.metadata.sql.tree.objects import COLUMNS, object_from
from skyshelf.storage.metadata.sql.tree.stored_wire import current_rows, encoding, stored_wire
from skyshelf.storage.metadata.sql.tree.tree import SqlTree
from skyshelf.storage.metadata.sql.tree.visibility import IS_VISIBLE, among
from skyshelf.storage.metadata.wire_cache import encoded_for_others
from skyshelf.wire.limits import BOARD_ITEMS_MAX

OWN_ITEMS = (
    "FROM board_members m JOIN board_items i ON i.board_key = m.board_key AND i.account_id = m.account_id"
    " WHERE m.account_id = :account"
)
"""The items that an account has on boards."""


class SqlBoardItems:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def add(
        self, account_id: int, board_key: str, object_keys: Sequence[str], now: int, *, guest: str | None = None
    ) -> list[str]:
        # The account's lock keeps the objects from being purged before this commits.
        lock_account(self._sql, account_id)
        hold_board(self._sql, account_id, board_key)
        wanted = list(dict.fromkeys(object_keys))
        visible = SqlTree(self._sql).visible_many(account_id, wanted)
        if len(visible) < len(wanted):
            raise ObjectMissing("an object for the board is not there")
        if any(stored.is_folder for stored in visible.values()):
            raise NotAFile("a board shows files, and the key is a folder's")
        already = self._on_board(board_key, wanted)
        new = [key for key in wanted if key not in already]
        refuse_beyond(
            self._sql,
            OWN_ITEMS,
            {"account": account_id},
            most=BOARD_ITEMS_MAX,
            more=len(new),
            what="files of one account on boards: remove some",
        )
        self._sql.run_many(
            "INSERT INTO board_items (board_key, account_id, object_key, added_at)"
            " VALUES (:board, :account, :object, :now)",
            [{"board": raw(board_key), "account": account_id, "object": raw(key), "now": now} for key in new],
        )
        links = [(key, board_key, "") for key in new]
        record_links(self._sql, account_id, links, now, kind=BOARD, added=True)
        if new:
            mark_changed(self._sql, board_key, now)
            record(self._sql, board_key, account_id, "added", now, files=len(new), guest=guest)
        return new

    def remove(
        self, account_id: int, board_key: str, object_keys: Sequence[str], now: int, *, only_own: bool
    ) -> list[str]:
        hold_board(self._sql, account_id, board_key)
        wanted = list(dict.fromkeys(object_keys))
        if not wanted:
            return []
        params: dict[str, int | bytes | list[bytes]] = {"board": raw(board_key), "keys": [raw(key) for key in wanted]}
        if only_own:
            params["account"] = account_id
        rows = self._sql.all(
            "DELETE FROM board_items WHERE board_key = :board AND object_key = ANY_KEY(:keys)"
            f"{' AND account_id = :account' if only_own else ''} RETURNING object_key, account_id",
            params,
        )
        gone = {key_text(key) for key, _ in rows}
        for owner_id in sorted({owner_id for _, owner_id in rows}):
            links = [(key_text(key), board_key, "") for key, owner in rows if owner == owner_id]
            record_links(self._sql, owner_id, links, now, kind=BOARD, added=False)
        if gone:
            mark_changed(self._sql, board_key, now)
            record(self._sql, board_key, account_id, "withdrew", now, files=len(gone))
        return [key for key in wanted if key in gone]

    def page(
        self,
        account_id: int,
        board_key: str,
        *,
        sort: SortBy = SortBy.MODIFIED,
        descending: bool = True,
        limit: int,
        offset: int = 0,
    ) -> list[bytes]:
        require_member(self._sql, account_id, board_key)
        rows = self._sql.all(
            _page_statement(sort, descending), {"board": raw(board_key), "limit": limit, "offset": offset, **encoding()}
        )
        return [_as_seen_by(account_id, owner_id, wire) for owner_id, wire in current_rows(self._sql, None, rows, at=1)]

    def shown(self, account_id: int, board_key: str, object_keys: Sequence[str]) -> dict[str, bytes]:
        require_member(self._sql, account_id, board_key)
        params: Params = {"board": raw(board_key), "keys": [raw(key) for key in object_keys], **encoding()}
        rows = current_rows(self._sql, None, self._sql.all(_SHOWN, params), at=2) if object_keys else []
        return {key_text(key): _as_seen_by(account_id, owner_id, wire) for owner_id, key, wire in rows}

    def contributors(self, account_id: int, board_key: str, object_keys: Sequence[str]) -> list[Contributor]:
        require_member(self._sql, account_id, board_key)
        if not object_keys:
            return []
        rows = self._sql.all(
            "SELECT i.object_key, w.account_key, w.first_name, g.guest_name, i.added_at FROM board_items i"
            " JOIN accounts w ON w.account_id = i.account_id LEFT JOIN guest_files g"
            " ON g.account_id = i.account_id AND g.object_key = i.object_key"
            " WHERE i.board_key = :board AND i.object_key = ANY_KEY(:keys)",
            {"board": raw(board_key), "keys": [raw(key) for key in object_keys]},
        )
        return [Contributor(key_text(key), key_text(account), *rest) for key, account, *rest in rows]

    def owner_of(self, account_id: int, object_key: str) -> int | None:
        row = self._sql.one(
            f"SELECT i.account_id FROM {ITEMS} JOIN board_members m ON m.board_key = i.board_key"
            f" WHERE i.object_key = :object AND m.account_id = :account AND m.status = 'A' AND {IS_SHOWN} LIMIT 1",
            {"object": raw(object_key), "account": account_id},
        )
        return row[0] if row else None

    def gallery(self, board_key: str, *, limit: int, after: StoredObject | None = None) -> list[StoredObject]:
        params: dict[str, int | bytes] = {"board": raw(board_key), "limit": limit}
        if after is not None:
            params |= _place_of(after)
        return [object_from(row) for row in self._sql.all(_gallery_statement(after is not None), params)]

    def in_gallery(self, board_key: str, object_key: str) -> StoredObject | None:
        row = self._sql.one(
            f"SELECT {COLUMNS} FROM {ITEMS} WHERE i.board_key = :board AND i.object_key = :object AND {IS_SHOWN}",
            {"board": raw(board_key), "object": raw(object_key)},
        )
        return object_from(row) if row else None

    def beside(self, board_key: str, item: StoredObject) -> tuple[str | None, str | None]:
        params: Params = {"board": raw(board_key), **_place_of(item)}
        before, after = (self._sql.one(statement, params) for statement in (_BEFORE, _AFTER))
        return key_text(before[0]) if before else None, key_text(after[0]) if after else None

    def _on_board(self, board_key: str, object_keys: list[str]) -> set[str]:
        if not object_keys:
            return set()
        params: Params = {"board": raw(board_key), "keys": [raw(key) for key in object_keys]}
        rows = self._sql.all(
            "SELECT object_key FROM board_items WHERE board_key = :board AND object_key = ANY_KEY(:keys)", params
        )
        return {key_text(key) for (key,) in rows}


def _as_seen_by(account_id: int, owner_id: int, wire: bytes) -> bytes:
    return wire if owner_id == account_id else encoded_for_others(wire)


_SHOWN = among(
    f"SELECT o.account_id, o.object_key, o.parent_key, {stored_wire('o')} AS wire"
    f" FROM {ITEMS} WHERE i.board_key = :board AND i.object_key = ANY_KEY(:keys) AND {IS_ACTIVE}",
    f"SELECT c.account_id, c.object_key, c.wire FROM candidate c WHERE {IS_VISIBLE}",
)


_MOMENT = "coalesce(o.taken_at, o.file_created_at)"
_IS_AFTER = f"({_MOMENT}, o.object_key) > (:moment, :key)"


def _place_of(item: StoredObject) -> dict[str, int | bytes]:
    moment = item.file_created_at if item.taken_at is None else item.taken_at
    return {"moment": moment, "key": raw(item.object_key)}


@cache
def _gallery_statement(has_place: bool) -> str:
    return among(
        f"SELECT o.account_id, o.object_key, o.parent_key, {_MOMENT} AS moment"
        f" FROM {ITEMS} WHERE i.board_key = :board AND {IS_ACTIVE}{f' AND {_IS_AFTER}' if has_place else ''}",
        f"SELECT {COLUMNS} FROM (SELECT c.account_id, c.object_key, c.moment FROM candidate c"
        f" WHERE {IS_VISIBLE} ORDER BY c.moment, c.object_key LIMIT :limit) k"
        " CROSS JOIN objects o WHERE o.account_id = k.account_id AND o.object_key = k.object_key"
        " ORDER BY k.moment, k.object_key",
    )


def _neighbour(comparison: str, direction: str) -> str:
    return among(
        f"SELECT o.account_id, o.object_key, o.parent_key, {_MOMENT} AS moment FROM {ITEMS}"
        f" WHERE i.board_key = :board AND ({_MOMENT}, o.object_key) {comparison} (:moment, :key) AND {IS_ACTIVE}",
        f"SELECT c.object_key FROM candidate c WHERE {IS_VISIBLE}"
        f" ORDER BY c.moment {direction}, c.object_key {direction} LIMIT 1",
    )


_BEFORE, _AFTER = _neighbour("<", "DESC"), _neighbour(">", "ASC")


@cache
def _page_statement(sort: SortBy, descending: bool) -> str:
    direction = "DESC" if descending else "ASC"
    return among(
        f"SELECT o.account_id, o.object_key, o.parent_key, o.{sort.value} AS sorted_by"
        f" FROM {ITEMS} WHERE i.board_key = :board AND {IS_ACTIVE}",
        # Only the rows of the page are fetched whole.
        f"SELECT o.account_id, {stored_wire('o')} FROM (SELECT c.account_id, c.object_key, c.sorted_by FROM candidate c"
        f" WHERE {IS_VISIBLE} ORDER BY c.sorted_by {direction}, c.object_key {direction} LIMIT :limit OFFSET :offset) k"
        " CROSS JOIN objects o WHERE o.account_id = k.account_id AND o.object_key = k.object_key"
        f" ORDER BY k.sorted_by {direction}, k.object_key {direction}",
    )
