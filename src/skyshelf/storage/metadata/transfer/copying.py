"""Copying all rows between two databases, and reading them back."""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from skyshelf.storage.metadata.transfer.tables import (
    ENTRIES,
    INDEXED,
    Progress,
    Rows,
    Source,
    Table,
    Tables,
    Target,
    TransferFailed,
    digest,
    same_tables,
    with_terms,
)

Change: TypeAlias = Callable[[Table, Rows], Rows]
"""What becomes of some rows of a table on their way."""
Changes: TypeAlias = Mapping[str, Change]


class Copied:
    """What was written, to compare it with what can be read back."""

    def __init__(self, tables: Tables, progress: Progress, total: int) -> None:
        self.tables = tables
        self.rows = dict.fromkeys(tables, 0)
        self.digests = dict.fromkeys(tables, 0)
        self._progress = progress
        self._total = total
        self._done = 0

    def seen(self, table: str, rows: Rows) -> None:
        self.rows[table] += len(rows)
        self.digests[table] += digest(rows)
        self._done += len(rows)
        self._progress(min(self._done, self._total), self._total)


def copy_rows(
    source: Source, target: Target, progress: Progress, *, changes: Changes | None = None, with_search: bool = True
) -> Copied:
    """Copy every table; the target has the same schema and no rows."""
    tables = source.tables()
    same_tables(tables, target.tables())
    refuse_rows(target)
    copied = Copied(tables, progress, sum(map(source.count, tables)))
    for name, table in tables.items():
        if name == ENTRIES and with_search:
            target.insert_entries(_entries(source, copied))
        else:
            change = (changes or {}).get(name)
            target.insert(table, _rows(source, table, copied, change))
    return copied


def verify(copied: Copied, target: Source, progress: Progress) -> None:
    """Read everything back; TransferFailed when it is not what was written."""
    read = Copied(copied.tables, progress, sum(copied.rows.values()))
    for name, table in copied.tables.items():
        for rows in target.batches(table.in_order):
            read.seen(name, rows)
        if (read.rows[name], read.digests[name]) != (copied.rows[name], copied.digests[name]):
            raise TransferFailed(
                f"The table {name} reads back differently: {copied.rows[name]} rows written, {read.rows[name]} read."
                " Nothing was kept; check the disk of the target, then start again"
            )


def refuse_rows(target: Source) -> None:
    """Raise TransferFailed unless every table is empty."""
    filled = [name for name in target.tables() if any(target.batches(f"SELECT 1 FROM {name} LIMIT 1"))]  # noqa: S608
    if filled:
        raise TransferFailed(
            f"The target is not empty: it has rows in {', '.join(filled)}. Nothing was changed; name an empty database"
        )


def _rows(source: Source, table: Table, copied: Copied, change: Change | None) -> Iterator[Rows]:
    for batch in source.batches(table.in_order):
        rows = batch if change is None else change(table, batch)
        yield rows
        copied.seen(table.name, rows)


def _entries(source: Source, copied: Copied) -> Iterator[tuple[Rows, list[list[str]]]]:
    for batch in source.batches(INDEXED):
        rows, terms = with_terms(batch)
        yield rows, terms
        copied.seen(ENTRIES, rows)
