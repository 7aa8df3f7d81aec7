"""The statements of a page: one range of one index for each way to list a folder."""

from functools import cache

from skyshelf.storage.metadata.sql.keys import raw
from skyshelf.storage.metadata.sql.statements import Params
from skyshelf.storage.metadata.tree import Kind, PageOf, SortBy
from skyshelf.wire.names import order_key


def page_statement(account_id: int, page: PageOf) -> tuple[str, Params]:
    """The statement and its parameters."""
    params: dict[str, str | int | bytes | None] = {
        "account": account_id,
        "folder": raw(page.folder_key),
        "limit": page.limit,
    }
    if page.kind is not None:
        params["kind"] = page.kind.value
    if page.after is None:
        if page.offset:
            params["offset"] = page.offset
    else:
        value, key = page.after
        params["after_value"] = order_key(value) if isinstance(value, str) else value
        params["after_key"] = raw(key)
    skips = page.after is None and page.offset > 0
    return _text(page.sort, page.kind, page.descending, page.after is not None, skips), params


@cache
def _text(sort: SortBy, kind: Kind | None, descending: bool, continues: bool, skips: bool) -> str:
    column = sort.value
    direction = "DESC" if descending else "ASC"
    order = f"ORDER BY {column} {direction}, object_key {direction}"
    further = (
        f" AND ({column}, object_key) {'<' if descending else '>'} (:after_value, :after_key)" if continues else ""
    )

    def rows_of(kind_value: str, columns: str) -> str:
        return (
            f"SELECT {columns} FROM objects WHERE account_id = :account AND parent_key = :folder"
            f" AND status = 'A' AND kind = {kind_value}{further}"
        )

    def ordered(columns: str) -> str:
        if kind is not None:
            return f"{rows_of(':kind', columns)} {order} LIMIT :limit"
        # Both kinds in one order: two ranges of the same index, merged.
        return f"{rows_of('0', columns)} UNION ALL {rows_of('1', columns)} {order} LIMIT :limit"

    if not skips:
        return f"SELECT wire FROM ({ordered(f'wire, {column}, object_key')}) page"
    # To skip, the keys are counted off in the index alone, and only the rows of the page are fetched.
    return (
        f"SELECT o.wire FROM ({ordered(f'{column}, object_key')} OFFSET :offset) k"
        " JOIN objects o ON o.account_id = :account AND o.object_key = k.object_key"
        f" ORDER BY k.{column} {direction}, k.object_key {direction}"
    )
