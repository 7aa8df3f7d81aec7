"""The statements of a folder's page: one range of one index for each sort order; and the timeline."""

from functools import cache
from typing import Final, NamedTuple

from skyshelf.storage.metadata.contracts.tree import CursorRow, Kind, Month, PageCursor, PageOf, SortBy
from skyshelf.storage.metadata.sql.statements import Params, Sql, SqlNoun, Value, page_after, raw
from skyshelf.storage.metadata.sql.tree.stored_wire import cursor_rows, encoding, stored_wire
from skyshelf.storage.metadata.sql.tree.visibility import IS_VISIBLE, OBJECT_IS_VISIBLE, among
from skyshelf.wire.names import order_key

_WIRE = f"{stored_wire('objects')} AS wire"


def page_statement(account_id: int, page: PageOf, *, merges_unions: bool) -> tuple[str, Params]:
    """Return the statement and its parameters."""
    params: dict[str, str | int | bytes | None] = {
        "account": account_id,
        "folder": raw(page.folder_key),
        "limit": page.limit,
        **encoding(),
    }
    if page.kind is not None:
        params["kind"] = page.kind.value
    if page.after is not None:
        value, key = page.after
        params["after_value"] = order_key(value) if isinstance(value, str) else value
        params["after_key"] = raw(key)
        text = _next(page.sort, page.kind, page.descending, merges_unions, has_place=True)
    elif page.offset:
        params["offset"] = page.offset
        text = _skipping(page.sort, page.kind, page.descending, merges_unions)
    else:
        text = _next(page.sort, page.kind, page.descending, merges_unions, has_place=False)
    if page.kind is None and not merges_unions:
        params["most"] = page.limit + (0 if page.after else page.offset)
    return text, params


@cache
def _next(sort: SortBy, kind: Kind | None, descending: bool, merges_unions: bool, *, has_place: bool) -> str:
    further = f" AND ({sort.value}, object_key) {'<' if descending else '>'} (:after_value, :after_key)"
    columns, order = f"{_WIRE}, {sort.value}, object_key", _order(sort, descending)
    return f"SELECT wire FROM ({_rows(columns, further if has_place else '', kind, order, merges_unions)}) page"


@cache
def _skipping(sort: SortBy, kind: Kind | None, descending: bool, merges_unions: bool) -> str:
    """To skip, the keys are counted off in the index alone, and only the rows of the page are fetched."""
    order = _order(sort, descending)
    return (
        f"SELECT {stored_wire('o')} AS wire"
        f" FROM ({_rows(f'{sort.value}, object_key', '', kind, order, merges_unions)} OFFSET :offset) k"
        f" JOIN objects o ON o.account_id = :account AND o.object_key = k.object_key {_order(sort, descending, 'k.')}"
    )


def _order(sort: SortBy, descending: bool, alias: str = "") -> str:
    direction = "DESC" if descending else "ASC"
    return f"ORDER BY {alias}{sort.value} {direction}, {alias}object_key {direction}"


def _rows(columns: str, further: str, kind: Kind | None, order: str, merges_unions: bool) -> str:
    def part(kind_value: str) -> str:
        return (
            f"SELECT {columns} FROM objects WHERE account_id = :account AND parent_key = :folder"
            f" AND status = 'A' AND kind = {kind_value}{further}"
        )

    if kind is not None:
        return f"{part(':kind')} {order} LIMIT :limit"
    # Both kinds in one order: two ranges of the same index, merged.
    parts = [part("0"), part("1")]
    if not merges_unions:
        parts = [f"({one} {order} LIMIT :most)" for one in parts]
    return f"{' UNION ALL '.join(parts)} {order} LIMIT :limit"


_NOTHING: Params = {}


class VisiblePage(NamedTuple):
    """A page of objects that can be seen, in the order of a value and a key; what comes after a place in it."""

    value: str
    key: str
    limit: int
    after: PageCursor | None
    ascending: bool = False

    def rows(self, sql: Sql, account_id: int, source: str, params: Params = _NOTHING) -> list[CursorRow]:
        """Return the objects `o` of a source, tables and a condition on the account `:account`."""
        page, place = page_after(self.value, self.key, self.after, self.limit, ascending=self.ascending)
        text = f"SELECT {stored_wire('o')}, {self.value}, {self.key} FROM {source} AND o.status = 'A'"
        params = {"account": account_id, **params, **encoding(), **place}
        return cursor_rows(sql, account_id, sql.all(f"{text} AND {OBJECT_IS_VISIBLE}{page}", params))


_DOCUMENT: Final = (
    "(o.mime_type = 'text' OR (o.mime_type = 'application' AND (o.mime_subtype IN"
    " ('pdf', 'rtf', 'msword', 'json', 'xml', 'epub+zip') OR o.mime_subtype LIKE 'vnd.ms-%'"
    " OR o.mime_subtype LIKE 'vnd.openxmlformats-%' OR o.mime_subtype LIKE 'vnd.oasis.opendocument.%')))"
)
CATEGORY_CONDITIONS: Final = {
    "photos": "o.is_media = 1 AND o.mime_type = 'image'",
    "videos": "o.is_media = 1 AND o.mime_type = 'video'",
    "audio": "o.is_media = 0 AND o.mime_type = 'audio'",
    "documents": f"o.is_media = 0 AND {_DOCUMENT}",
    "others": f"o.is_media = 0 AND o.mime_type <> 'audio' AND NOT {_DOCUMENT}",
}


_MONTHS = among(
    "SELECT t.account_id, t.parent_key, t.month, t.files FROM timeline_months t"
    " WHERE t.account_id = :account AND t.files > 0",
    f"SELECT c.month, sum(c.files) FROM candidate c WHERE {IS_VISIBLE} GROUP BY c.month ORDER BY c.month DESC",
)
_TAKEN = "coalesce(c.taken_at, c.file_created_at)"


def _page_statement(further: str) -> str:
    # The folders of the month are few; the objects are one range of the index, left out where their folder is hidden.
    return among(
        "SELECT t.account_id, t.parent_key FROM timeline_months t"
        " WHERE t.account_id = :account AND t.month = :month AND t.files > 0",
        f"SELECT {stored_wire('c')}, {_TAKEN}, c.object_key FROM objects c WHERE c.account_id = :account"
        f" AND c.status = 'A' AND c.timeline_month = :month AND c.timeline_month IS NOT NULL{further} AND {IS_VISIBLE}"
        f" ORDER BY {_TAKEN} DESC, c.object_key DESC LIMIT :limit",
    )


_FIRST = _page_statement("")
# The first condition follows from the second: SQLite finds an expression in an index only where it stands alone.
_FOLLOWING = _page_statement(f" AND {_TAKEN} <= :after_value AND ({_TAKEN}, c.object_key) < (:after_value, :after_key)")


class SqlTimeline(SqlNoun):
    """The month of a picture or video is that of the day it was taken, by the clock of its camera; if that
    is unknown, the month of the file's creation date, in UTC. Other files are not in it.
    """

    def months(self, account_id: int) -> list[Month]:
        """Return the months that have something to see, newest first.

        Its cost grows with the number of folders that pictures are in, and not with that of the pictures.
        """
        return [Month(number, int(files)) for number, files in self._sql.all(_MONTHS, {"account": account_id})]

    def page(self, account_id: int, month: int, *, limit: int, after: PageCursor | None = None) -> list[CursorRow]:
        """Return what can be seen of a month, newest first; ties break by object_key, in the same direction."""
        params: dict[str, Value] = {"account": account_id, "month": month, "limit": limit, **encoding()}
        if after is not None:
            params |= {"after_value": after.value, "after_key": raw(after.key)}
        rows = self._sql.all(_FIRST if after is None else _FOLLOWING, params)
        return cursor_rows(self._sql, account_id, rows)
