"""Tables as both databases describe them: what is copied is read from the catalogue, so no new table is left out."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, Literal, Protocol, TypeAlias

import msgspec

from skyshelf.storage.errors import StorageError
from skyshelf.storage.metadata.search_index import IndexedFields, object_terms
from skyshelf.storage.metadata.sql.statements import Row

Kind = Literal["int", "text", "bytes"]
Rows: TypeAlias = Sequence[Row]
Progress: TypeAlias = Callable[[int, int], None]
"""Hears how many rows are done, and of how many."""

VERSIONS: Final = "schema_migrations"
"""Not copied: the target has applied the same migrations itself."""
ENTRIES: Final = "search_entries"
"""What can be found. The terms beside it are stored differently by each database, and are made again from the
objects."""
ENTRY_COLUMNS: Final = ("entry", "account_id", "object_key")
_OF_OBJECT: Final = ("name", "source_folder", "kind", "mime_type", "size", "last_modified_at", "file_created_at")
BATCH_ROWS: Final = 2000

INDEXED: Final = (
    "SELECT e.entry, e.account_id, e.object_key, "  # noqa: S608 - names of our own
    + ", ".join(f"o.{name}" for name in (*_OF_OBJECT, "taken_at"))
    + " FROM search_entries e JOIN objects o ON o.account_id = e.account_id AND o.object_key = e.object_key"
    " ORDER BY e.entry"
)
"""The entries with what their terms are made of."""


class TransferFailed(StorageError):
    """The rows could not be copied, or are not what they were; the sentence says what to do."""


class Column(msgspec.Struct, frozen=True):
    name: str
    kind: Kind


class Table(msgspec.Struct, frozen=True):
    """A table, its columns by name, and the columns of its primary key."""

    name: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]

    @property
    def names(self) -> str:
        return ", ".join(column.name for column in self.columns)

    @property
    def in_order(self) -> str:
        """Everything, in the order of the primary key, so that it is appended to the indexes of the target."""
        return f"SELECT {self.names} FROM {self.name} ORDER BY {', '.join(self.key)}"  # noqa: S608 - names of our own

    def position(self, column: str) -> int:
        return [one.name for one in self.columns].index(column)


Tables: TypeAlias = Mapping[str, Table]


class Source(Protocol):
    """The rows of one moment."""

    @property
    def version(self) -> int:
        """The version of the schema."""

    def tables(self) -> Tables:
        """Return every table that has rows of the service."""

    def count(self, table: str) -> int: ...

    def batches(self, statement: str) -> Iterator[Rows]:
        """Yield the rows of a SELECT, a few thousand at a time."""


class Target(Source, Protocol):
    """An empty store that is being filled; nothing of it is visible before it is complete."""

    def insert(self, table: Table, batches: Iterator[Rows]) -> None: ...

    def insert_entries(self, batches: Iterator[tuple[Rows, Sequence[Sequence[str]]]]) -> None:
        """The rows of the table of entries, each with its terms."""

    def complete(self) -> None:
        """Make the indexes, check the references, and set the counters of numbered tables."""


def with_terms(rows: Rows) -> tuple[Rows, list[list[str]]]:
    """Rows of INDEXED as entries, and the terms of each."""
    return (
        [row[:3] for row in rows],
        [object_terms(IndexedFields(row[3], row[4], row[5] == 0, *row[6:])) for row in rows],
    )


def digest(rows: Rows) -> int:
    """Return a number that does not depend on the order of the rows, and is comparable within this process alone.

    Python's own hash is keyed per process and an order of magnitude quicker than any other: the target is read back and
    compared by the process that wrote it.
    """
    return sum(map(hash, rows))


def same_tables(source: Tables, target: Tables) -> None:
    """Raise TransferFailed where two stores of one version differ: rows would be lost, or have no place to go."""
    if source.keys() != target.keys():
        differing = ", ".join(sorted(source.keys() ^ target.keys()))
        raise TransferFailed(f"The tables of the two databases differ ({differing}): use an empty database of its own")
    for name, table in source.items():
        if {*table.columns} != {*target[name].columns}:
            raise TransferFailed(f"The table {name} has other columns in one of the two databases")


Change: TypeAlias = Callable[[Table, Rows], Rows]
"""What becomes of some rows of a table on their way."""
Changes: TypeAlias = Mapping[str, Change]


class CopyTally:
    """Counts and digests of the rows written, to compare with the rows read back."""

    def __init__(self, tables: Tables, progress: Progress, total: int) -> None:
        self.tables = tables
        self.rows = dict.fromkeys(tables, 0)
        self.digests = dict.fromkeys(tables, 0)
        self._progress = progress
        self.total = total
        self._done = 0

    def seen(self, table: str, rows: Rows) -> None:
        self.rows[table] += len(rows)
        self.digests[table] += digest(rows)
        self._done += len(rows)
        self._progress(min(self._done, self.total), self.total)


def copy_rows(source: Source, target: Target, progress: Progress, *, changes: Changes | None = None) -> CopyTally:
    """Copy every table; the target has the same schema and no rows."""
    tables = source.tables()
    same_tables(tables, target.tables())
    refuse_rows(target)
    copied = CopyTally(tables, progress, sum(map(source.count, tables)))
    for name, table in tables.items():
        if name == ENTRIES:
            target.insert_entries(_entries(source, copied))
        else:
            change = (changes or {}).get(name)
            target.insert(table, _rows(source, table, copied, change))
    return copied


def verify(copied: CopyTally, target: Source, progress: Progress) -> None:
    """Read everything back; TransferFailed when it is not what was written."""
    read = CopyTally(copied.tables, progress, sum(copied.rows.values()))
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


def _rows(source: Source, table: Table, copied: CopyTally, change: Change | None) -> Iterator[Rows]:
    for batch in source.batches(table.in_order):
        rows = batch if change is None else change(table, batch)
        yield rows
        copied.seen(table.name, rows)


def _entries(source: Source, copied: CopyTally) -> Iterator[tuple[Rows, list[list[str]]]]:
    for batch in source.batches(INDEXED):
        rows, terms = with_terms(batch)
        yield rows, terms
        copied.seen(ENTRIES, rows)
