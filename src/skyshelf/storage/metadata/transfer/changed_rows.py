"""Which rows of a PostgreSQL database have changed since an earlier moment, without reading those that have not.

PostgreSQL keeps with every row the number of the transaction that wrote it (`xmin`). A transaction that the snapshot of
the earlier moment did not see has at least the oldest number that was still open then. So a set of rows is what it was
if it has as many rows as then, and none of them has such a number: rows that were added or changed have one, and rows
that were deleted are missing from the count. No code has to remember what it changes.

Numbers can be compared only if the database is a successor of what it was. One that was dumped and restored has other
numbers, and one that was put back to an older state uses numbers again. A mark decides that: a random row, committed
after the snapshot of the earlier moment. A state that has the mark has all that the snapshot saw, and numbers go on
behind it. A copy by rows has the mark, too; the identifiers of the cluster and of the database exclude it.
"""

import secrets
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from skyshelf.storage.metadata.sql.migrate import refuse_newer
from skyshelf.storage.metadata.transfer.moments import GROUP_COLUMN, MARK, CopiedRows, Group, Moment
from skyshelf.storage.metadata.transfer.postgres_rows import PostgresRows, postgres_source
from skyshelf.storage.metadata.transfer.sqlite_rows import new_file
from skyshelf.storage.metadata.transfer.tables import Table, Tables

_ROWS_PER_GROUP: Final = 8
"""Tables with fewer rows per account are small, and are read as a whole."""
_NUMBERS: Final = 2**32
_COMPARABLE: Final = 2**31
_FIRST_VERSION: Final = 130_000


def copy_changed_rows(
    url: str,
    path: Path,
    before: Moment | None,
    choose: Callable[[int, Tables, Iterable[Group]], set[Group]],
    leave_mark: Callable[[str], bool],
) -> CopiedRows:
    """Write the rows of this moment to a file, without groups that have not changed and that `choose` takes.

    `choose` gets the version of the schema, its tables and the unchanged groups; `leave_mark` commits a mark in another
    transaction.
    """
    with postgres_source(url) as source:
        schema = source.version
        refuse_newer(schema)
        moment = _moment(source)
        since = before if moment is not None and before is not None and _is_successor(source, moment, before) else None
        tables = source.tables()
        if moment is not None and not leave_mark(moment.mark):
            moment = None
        groups, unchanged = _groups(source, tables, since)
        taken = choose(schema, tables, unchanged)
        with new_file(path, schema) as target:
            for name, table in tables.items():
                for statement in _statements(table, groups.get(name), taken):
                    target.insert(table, source.batches(statement))
            target.complete_without_indexes()
    return CopiedRows(schema, moment, groups, taken)


def _moment(source: PostgresRows) -> Moment | None:
    """Return the moment of a snapshot, whose mark is yet to be left; None where that cannot be known."""
    if int(_value(source, "SELECT current_setting('server_version_num')")) < _FIRST_VERSION:
        return None
    if not _value(source, "SELECT has_function_privilege('pg_control_system()', 'EXECUTE')"):
        return None
    return Moment(
        cluster=str(_value(source, "SELECT system_identifier::text FROM pg_control_system()")),
        database=int(_value(source, "SELECT oid::bigint FROM pg_database WHERE datname = current_database()")),
        oldest=int(_value(source, "SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint")),
        mark=secrets.token_hex(16),
    )


def _is_successor(source: PostgresRows, now: Moment, before: Moment) -> bool:
    """Return whether the numbers of the rows can be compared with those of an earlier moment."""
    if (now.cluster, now.database) != (before.cluster, before.database):
        return False
    if not before.mark.isalnum() or not 0 <= now.oldest - before.oldest < _COMPARABLE:
        return False
    return bool(_value(source, f"SELECT count(*) FROM settings WHERE name = '{MARK}{before.mark}'"))  # noqa: S608


def _groups(source: PostgresRows, tables: Tables, since: Moment | None) -> tuple[dict[str, list[Group]], list[Group]]:
    """Return the groups of each table that has some, and those of all that have not changed."""
    newest = int(_value(source, "SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint"))
    oldest = newest if since is None else since.oldest
    changed = f"((xmin::text::bigint - {oldest}) & {_NUMBERS - 1}) < {newest - oldest}"
    groups: dict[str, list[Group]] = {}
    unchanged: list[Group] = []
    for name, table in tables.items():
        if GROUP_COLUMN not in {column.name for column in table.columns}:
            continue
        found = [
            row
            for batch in source.batches(
                f"SELECT {GROUP_COLUMN}, count(*), bool_or({changed}) FROM {name}"  # noqa: S608 - names of our own
                f" GROUP BY {GROUP_COLUMN} ORDER BY {GROUP_COLUMN}"
            )
            for row in batch
        ]
        belongs = all(account is not None for account, _, _ in found)
        if found and belongs and sum(count for _, count, _ in found) >= _ROWS_PER_GROUP * len(found):
            groups[name] = [Group(name, account, count) for account, count, _ in found]
            if since is not None:
                unchanged += [
                    group for group, (_, _, is_changed) in zip(groups[name], found, strict=True) if not is_changed
                ]
    return groups, unchanged


def _statements(table: Table, groups: list[Group] | None, taken: set[Group]) -> Iterable[str]:
    """Yield what reads the rows of a table that are not taken."""
    if groups is None or not any(group in taken for group in groups):
        yield table.in_order
        return
    rest = ",".join(str(group.account) for group in groups if group not in taken)
    yield table.in_order.replace(
        f" FROM {table.name} ", f" FROM {table.name} WHERE {GROUP_COLUMN} = ANY('{{{rest}}}'::bigint[]) "
    )


def _value(source: PostgresRows, statement: str) -> int | str:
    for rows in source.batches(statement):
        return rows[0][0]  # type: ignore[no-any-return]
    return 0
