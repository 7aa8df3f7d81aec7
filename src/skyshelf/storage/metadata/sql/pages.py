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
        params["offset"] = page.offset
    else:
        value, key = page.after
        params["after_value"] = order_key(value) if isinstance(value, str) else value
        params["after_key"] = raw(key)
    return _text(page.sort, page.kind, page.descending, page.after is not None), params


@cache
def _text(sort: SortBy, kind: Kind | None, descending: bool, continues: bool) -> str:
    column = sort.value
    direction = "DESC" if descending else "ASC"
    order = f"ORDER BY {column} {direction}, object_key {direction}"
    further = (
        f" AND ({column}, object_key) {'<' if descending else '>'} (:after_value, :after_key)" if continues else ""
    )
    skip = "" if continues else " OFFSET :offset"

    def keys_of(kind_value: str) -> str:
        return (
            f"SELECT {column}, object_key FROM objects WHERE account_id = :account AND parent_key = :folder"
            f" AND status = 'A' AND kind = {kind_value}{further}"
        )

    if kind is not None:
        keys = f"{keys_of(':kind')} {order} LIMIT :limit{skip}"
    else:
        # Both kinds in one order: two ranges of the same index, merged.
        keys = f"{keys_of('0')} UNION ALL {keys_of('1')} {order} LIMIT :limit{skip}"
    # The keys come from the index alone, so that skipped rows are never fetched.
    outer = f"ORDER BY k.{column} {direction}, k.object_key {direction}"
    rows = "JOIN objects o ON o.account_id = :account AND o.object_key = k.object_key"
    return f"SELECT o.wire FROM ({keys}) k {rows} {outer}"
