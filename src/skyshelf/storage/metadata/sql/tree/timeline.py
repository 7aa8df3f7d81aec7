"""The timeline in SQL: the month of a file, the counters by month and folder, and the pages of a month."""

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from skyshelf.storage.metadata.contracts.tags import Month
from skyshelf.storage.metadata.contracts.tree import ACTIVE, CursorRow, Place, StoredObject
from skyshelf.storage.metadata.sql.statements import Params, Sql, Value, key_text, raw
from skyshelf.storage.metadata.sql.tree.visible_many import IS_VISIBLE, among

MEDIA = frozenset({"image", "video"})
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

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
        f"SELECT c.wire, {_TAKEN}, c.object_key FROM objects c WHERE c.account_id = :account AND c.status = 'A'"
        f" AND c.timeline_month = :month AND c.timeline_month IS NOT NULL{further} AND {IS_VISIBLE}"
        f" ORDER BY {_TAKEN} DESC, c.object_key DESC LIMIT :limit",
    )


_FIRST = _page_statement("")
# The first condition follows from the second: SQLite looks an expression up in an index by itself alone.
_FOLLOWING = _page_statement(f" AND {_TAKEN} <= :after_value AND ({_TAKEN}, c.object_key) < (:after_value, :after_key)")


def timeline_month(stored: StoredObject) -> int | None:
    """The month of a picture or video, counted from year 0; None for anything else."""
    if stored.is_folder or stored.mime_type not in MEDIA:
        return None
    at = stored.file_created_at if stored.taken_at is None else stored.taken_at
    moment = _EPOCH + timedelta(milliseconds=at)
    month = moment.year * 12 + moment.month - 1
    if stored.taken_at is None or stored.taken_day is None:
        return month
    # The camera's clock is less than a day from UTC, so that its month is at most one away.
    return month + {1: 1, -11: 1, -1: -1, 11: -1}.get(stored.taken_day // 100 - moment.month, 0)


def count_months(sql: Sql, changed: Iterable[tuple[StoredObject | None, StoredObject | None]]) -> None:
    """Keep the counters right: for each object, as it was before and as it is now, None where it was or is not there.

    The caller holds the account.
    """
    differences: Counter[tuple[int, int, str]] = Counter()
    for before, after in changed:
        if before is not None and (place := _counted(before)):
            differences[place] -= 1
        if after is not None and (place := _counted(after)):
            differences[place] += 1
    rows: list[dict[str, Value]] = [
        {"account": account_id, "month": month, "parent": raw(parent_key), "files": difference}
        for (account_id, month, parent_key), difference in sorted(differences.items())
        if difference
    ]
    less: list[Params] = [row for row in rows if isinstance(row["files"], int) and row["files"] < 0]
    more: list[Params] = [row for row in rows if isinstance(row["files"], int) and row["files"] > 0]
    sql.run_many(
        "UPDATE timeline_months SET files = files + :files"
        " WHERE account_id = :account AND month = :month AND parent_key = :parent",
        less,
    )
    sql.run_many(
        "DELETE FROM timeline_months WHERE account_id = :account AND month = :month AND parent_key = :parent"
        " AND files = 0",
        [{name: value for name, value in row.items() if name != "files"} for row in less],
    )
    sql.insert_many(
        "INSERT INTO timeline_months (account_id, month, parent_key, files) VALUES (:account, :month, :parent, :files)"
        " ON CONFLICT (account_id, month, parent_key) DO UPDATE SET files = timeline_months.files + excluded.files",
        more,
    )


def _counted(stored: StoredObject) -> tuple[int, int, str] | None:
    """Where an object is counted, if it is."""
    month = timeline_month(stored)
    if stored.status != ACTIVE or month is None or stored.parent_key is None:
        return None
    return stored.account_id, month, stored.parent_key


class SqlTimeline:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def months(self, account_id: int) -> list[Month]:
        return [Month(number, int(files)) for number, files in self._sql.all(_MONTHS, {"account": account_id})]

    def page(self, account_id: int, month: int, *, limit: int, after: Place | None = None) -> list[CursorRow]:
        params: dict[str, Value] = {"account": account_id, "month": month, "limit": limit}
        if after is not None:
            params |= {"after_value": after.value, "after_key": raw(after.key)}
        rows = self._sql.all(_FIRST if after is None else _FOLLOWING, params)
        return [CursorRow(wire, Place(at, key_text(key))) for wire, at, key in rows]
