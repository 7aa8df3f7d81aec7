"""The month in which the timeline has a picture or video, and the number of files per month and folder."""

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from skyshelf.storage.metadata.contracts.tree import ACTIVE, StoredObject
from skyshelf.storage.metadata.sql.statements import Params, Sql, Value, raw

MEDIA = frozenset({"image", "video"})
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def timeline_month(stored: StoredObject) -> int | None:
    """The month of a picture or video, counted from year 0; None for anything else."""
    if stored.is_folder or stored.mime_type not in MEDIA:
        return None
    at = stored.file_created_at if stored.taken_at is None else stored.taken_at
    moment = _EPOCH + timedelta(milliseconds=at)
    month = moment.year * 12 + moment.month - 1
    if stored.taken_at is None or stored.taken_day is None:
        return month
    # The camera's clock is less than a day from UTC, so its month is at most one away.
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
