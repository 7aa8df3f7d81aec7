"""The timeline in SQL: its months, and the pages of one."""

from skyshelf.storage.metadata.contracts.tags import Month
from skyshelf.storage.metadata.contracts.tree import CursorRow, PageCursor
from skyshelf.storage.metadata.sql.statements import Sql, Value, key_text, raw
from skyshelf.storage.metadata.sql.tree.stored_wire import current_rows, encoding, stored_wire
from skyshelf.storage.metadata.sql.tree.visibility import IS_VISIBLE, among

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


class SqlTimeline:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def months(self, account_id: int) -> list[Month]:
        return [Month(number, int(files)) for number, files in self._sql.all(_MONTHS, {"account": account_id})]

    def page(self, account_id: int, month: int, *, limit: int, after: PageCursor | None = None) -> list[CursorRow]:
        params: dict[str, Value] = {"account": account_id, "month": month, "limit": limit, **encoding()}
        if after is not None:
            params |= {"after_value": after.value, "after_key": raw(after.key)}
        rows = self._sql.all(_FIRST if after is None else _FOLLOWING, params)
        found = current_rows(self._sql, account_id, rows)
        return [CursorRow(wire, PageCursor(at, key_text(key))) for wire, at, key in found]
