"""The statements of a folder's page: one range of one index for each sort order."""

from functools import cache

from skyshelf.storage.metadata.contracts.tree import Kind, PageOf, SortBy
from skyshelf.storage.metadata.sql.statements import Params, raw
from skyshelf.storage.metadata.sql.tree.stored_wire import encoding, stored_wire
from skyshelf.wire.names import order_key

_WIRE = f"{stored_wire('objects')} AS wire"


def page_statement(account_id: int, page: PageOf, *, merges_unions: bool) -> tuple[str, Params]:
    """The statement and its parameters."""
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
        text = _following(page.sort, page.kind, page.descending, merges_unions)
    elif page.offset:
        params["offset"] = page.offset
        text = _skipping(page.sort, page.kind, page.descending, merges_unions)
    else:
        text = _first(page.sort, page.kind, page.descending, merges_unions)
    if page.kind is None and not merges_unions:
        params["most"] = page.limit + (0 if page.after else page.offset)
    return text, params


@cache
def _first(sort: SortBy, kind: Kind | None, descending: bool, merges_unions: bool) -> str:
    order = _order(sort, descending)
    return f"SELECT wire FROM ({_rows(f'{_WIRE}, {sort.value}, object_key', '', kind, order, merges_unions)}) page"


@cache
def _following(sort: SortBy, kind: Kind | None, descending: bool, merges_unions: bool) -> str:
    order = _order(sort, descending)
    further = f" AND ({sort.value}, object_key) {'<' if descending else '>'} (:after_value, :after_key)"
    return f"SELECT wire FROM ({_rows(f'{_WIRE}, {sort.value}, object_key', further, kind, order, merges_unions)}) page"


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
