"""Rows out of a PostgreSQL database, and into an empty one."""

import struct
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import psycopg
from psycopg import errors

from skyshelf.storage.errors import StoreUnavailable
from skyshelf.storage.metadata.postgres.dialect import our_errors, refuse_malformed
from skyshelf.storage.metadata.postgres.schema import MIGRATION_LOCK
from skyshelf.storage.metadata.postgres.search import term_numbers
from skyshelf.storage.metadata.sql.statements import Row
from skyshelf.storage.metadata.transfer import tables as catalog

_KINDS: Final[dict[str, catalog.Kind]] = {"bigint": "int", "text": "text", "bytea": "bytes"}
_TYPES: Final[dict[catalog.Kind, str]] = {"int": "int8", "text": "text", "bytes": "bytea"}
_INTEGER: Final = 23
"""The type of an array's elements, by the number that the server knows it by."""
_COLUMNS = (
    "SELECT c.table_name, c.column_name, c.data_type FROM information_schema.columns c"
    " JOIN information_schema.tables t USING (table_schema, table_name)"
    " WHERE table_schema = current_schema() AND t.table_type = 'BASE TABLE' ORDER BY c.table_name, c.ordinal_position"
)
_KEYS = (
    "SELECT u.table_name, u.column_name FROM information_schema.table_constraints c"
    " JOIN information_schema.key_column_usage u USING (constraint_schema, constraint_name)"
    " WHERE constraint_schema = current_schema() AND c.constraint_type = 'PRIMARY KEY'"
    " ORDER BY u.table_name, u.ordinal_position"
)
# Everything but primary keys: an index that is built from sorted rows takes a fraction of the time.
_INDEXES = (
    "SELECT c.relname, pg_get_indexdef(i.indexrelid) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
    " WHERE c.relnamespace = current_schema()::regnamespace"
    " AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid) ORDER BY c.relname"
)
_REFERENCES = (
    "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint"
    " WHERE contype = 'f' AND connamespace = current_schema()::regnamespace ORDER BY conrelid, conname"
)
_NUMBERED = (
    "SELECT table_name, column_name FROM information_schema.columns"
    " WHERE table_schema = current_schema() AND is_identity = 'YES'"
)


class PostgresRows:
    """A Source, and in a transaction that may write a Target as well."""

    def __init__(self, connection: psycopg.Connection[Row]) -> None:
        self._connection = connection
        self._indexes: list[str] = []
        self._references: list[tuple[str, str, str]] = []

    def _all(self, statement: str) -> list[Row]:
        return self._connection.execute(statement.encode()).fetchall()

    @property
    def version(self) -> int:
        if self._all("SELECT to_regclass('schema_migrations')") == [(None,)]:
            return 0
        (number,) = self._all(f"SELECT coalesce(max(number), 0) FROM {catalog.VERSIONS}")[0]  # noqa: S608
        return int(number)

    def tables(self) -> catalog.Tables:
        columns: dict[str, list[catalog.Column]] = {}
        for table, column, kind in self._all(_COLUMNS):
            if table != catalog.VERSIONS and (table != catalog.ENTRIES or column in catalog.ENTRY_COLUMNS):
                if kind not in _KINDS:
                    raise catalog.TransferFailed(
                        f"The column {column} of the table {table} is of an unknown type, {kind}"
                    )
                columns.setdefault(table, []).append(catalog.Column(column, _KINDS[kind]))
        keys: dict[str, list[str]] = {}
        for table, column in self._all(_KEYS):
            keys.setdefault(table, []).append(column)
        return {name: catalog.Table(name, tuple(columns[name]), tuple(keys[name])) for name in sorted(columns)}

    def count(self, table: str) -> int:
        return int(self._all(f"SELECT count(*) FROM {table}")[0][0])  # noqa: S608 - a name of our own

    def batches(self, statement: str) -> Iterator[catalog.Rows]:
        with self._connection.cursor(binary=True) as cursor:
            batch: list[Row] = []
            for row in cursor.stream(statement.encode(), size=catalog.BATCH_ROWS):
                batch.append(row)
                if len(batch) == catalog.BATCH_ROWS:
                    yield batch
                    batch = []
            if batch:
                yield batch

    def begin(self) -> None:
        """Prepare an empty database: indexes and references come back when the rows are in."""
        self._connection.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))
        self._connection.execute("SET LOCAL maintenance_work_mem = '256MB'")
        for table, name, text in self._all(_REFERENCES):
            self._connection.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}".encode())
            self._references.append((table, name, text))
        for name, text in self._all(_INDEXES):
            self._connection.execute(f"DROP INDEX {name}".encode())
            self._indexes.append(text)

    def insert(self, table: catalog.Table, batches: Iterator[catalog.Rows]) -> None:
        self._copy_in(table.name, table.names, [_TYPES[one.kind] for one in table.columns], batches)

    def insert_entries(self, batches: Iterator[tuple[catalog.Rows, Sequence[Sequence[str]]]]) -> None:
        rows = (
            [(*row, _array(term_numbers(row[1], one))) for row, one in zip(rows, terms, strict=True)]
            for rows, terms in batches
        )
        # An array is sent as it is stored, so to the driver it is bytes.
        self._copy_in(
            catalog.ENTRIES, ", ".join((*catalog.ENTRY_COLUMNS, "terms")), ["int8", "int8", "bytea", "bytea"], rows
        )

    def _copy_in(self, table: str, names: str, types: Sequence[str], batches: Iterable[catalog.Rows]) -> None:
        try:
            with (
                self._connection.cursor() as cursor,
                cursor.copy(f"COPY {table} ({names}) FROM STDIN (FORMAT BINARY)".encode()) as copy,
            ):
                copy.set_types(types)
                for rows in batches:
                    for row in rows:
                        copy.write_row(row)
        except (psycopg.DataError, errors.IntegrityError) as error:
            raise catalog.TransferFailed(f"PostgreSQL does not accept a row of the table {table}: {error}") from error

    def complete(self) -> None:
        for text in self._indexes:
            self._connection.execute(text.encode())
        # Before the references: a planner that takes the tables for empty would look up every row alone.
        self._connection.execute("ANALYZE")
        try:
            for table, name, text in self._references:
                self._connection.execute(f"ALTER TABLE {table} ADD CONSTRAINT {name} {text}".encode())
        except errors.ForeignKeyViolation as error:
            raise catalog.TransferFailed(
                f"Rows refer to rows that do not exist ({str(error).splitlines()[0]}): "
                "run `skyshelf admin doctor --repair` on the source, then start again"
            ) from error
        for table, column in self._all(_NUMBERED):
            self._connection.execute(
                f"SELECT setval(pg_get_serial_sequence('{table}', '{column}'), max({column}))"  # noqa: S608
                f" FROM {table} HAVING max({column}) IS NOT NULL".encode()
            )


def _array(numbers: Sequence[int]) -> bytes:
    """Return an array of integers as PostgreSQL reads it."""
    if not numbers:
        return struct.pack(">3i", 0, 0, _INTEGER)
    elements = [item for number in numbers for item in (4, number)]
    return struct.pack(f">{5 + len(elements)}i", 1, 0, _INTEGER, len(numbers), 1, *elements)


@contextmanager
def postgres_source(url: str) -> Iterator[PostgresRows]:
    """The rows of this moment."""
    with _connected(url) as connection:
        connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        rows = PostgresRows(connection)
        if rows.version == 0:
            raise StoreUnavailable("The database has no tables of Skyshelf")
        yield rows


@contextmanager
def postgres_target(url: str) -> Iterator[PostgresRows]:
    """A database that is filled in one transaction, committed when the block ends without an error."""
    with _connected(url) as connection, connection.transaction():
        connection.execute("SET LOCAL synchronous_commit = on")
        yield PostgresRows(connection)


@contextmanager
def _connected(url: str) -> Iterator[psycopg.Connection[Row]]:
    refuse_malformed(url)
    with our_errors(), psycopg.connect(url, autocommit=True, connect_timeout=10) as connection:
        connection.execute("SET TIME ZONE 'UTC'")
        yield connection
