"""Rows out of a SQLite file, and into a new one."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Final

import apsw

from skyshelf.storage.errors import StoreUnavailable
from skyshelf.storage.metadata.sql.statements import Row
from skyshelf.storage.metadata.sqlite.file import APPLICATION_ID, our_errors
from skyshelf.storage.metadata.sqlite.search import in_parts, rowid_of, spaced
from skyshelf.storage.metadata.sqlite.store import SqliteStore
from skyshelf.storage.metadata.transfer.tables import (
    BATCH_ROWS,
    VERSIONS,
    Column,
    Kind,
    Progress,
    Rows,
    Table,
    Tables,
    TransferFailed,
)

ROWS_ID: Final = 0x534B5952
"""The application id, "SKYR", of a file that has rows and no indexes: serve refuses it as a file of another program."""

PAGES_AT_ONCE = 4096
_KINDS: Final[dict[str, Kind]] = {"INTEGER": "int", "TEXT": "text", "BLOB": "bytes"}
_OUR_TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"
_INDEXES = "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"
_TERMS = "search_terms"
_ADD_TERMS = f"INSERT INTO {_TERMS} (rowid, terms) VALUES ({rowid_of('?1')}, {in_parts('?2', '?1')})"  # noqa: S608 - our own text
# A file that is thrown away when anything fails needs no journal; it is synced once, at its end.
_WHILE_FILLING = (
    "locking_mode = EXCLUSIVE",
    "journal_mode = OFF",
    "synchronous = OFF",
    "foreign_keys = OFF",
    "cache_size = -65536",
)


class SqliteRows:
    """A Source, and on a connection that may write a Target as well."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._indexes: list[str] = []

    @property
    def version(self) -> int:
        return int(self._connection.execute(f"SELECT max(number) FROM {VERSIONS}").get)  # noqa: S608

    def tables(self) -> Tables:
        names = [str(name) for (name,) in self._connection.execute(_OUR_TABLES)]
        ours = [name for name in names if name not in {VERSIONS, _TERMS} and not name.startswith(f"{_TERMS}_")]
        return {name: self._table(name) for name in sorted(ours)}

    def _table(self, name: str) -> Table:
        described: list[Row] = self._connection.execute(f"PRAGMA table_info({name})").fetchall()
        key = sorted((at, column) for _, column, _, _, _, at in described if at)
        columns = tuple(Column(column, _KINDS[kind]) for _, column, kind, _, _, _ in described)
        return Table(name, columns, tuple(column for _, column in key))

    def count(self, table: str) -> int:
        return int(self._connection.execute(f"SELECT count(*) FROM {table}").get)  # noqa: S608 - a name of our own

    def batches(self, statement: str) -> Iterator[Rows]:
        cursor = self._connection.cursor()
        try:
            rows = iter(cursor.execute(statement))
            while batch := list(islice(rows, BATCH_ROWS)):
                yield batch
        finally:
            cursor.close()

    def begin(self) -> None:
        """Prepare a file that holds the schema alone."""
        for pragma in _WHILE_FILLING:
            self._connection.execute(f"PRAGMA {pragma}").close()
        self._connection.execute("BEGIN EXCLUSIVE").close()
        for name, text in self._connection.execute(_INDEXES).fetchall():
            self._connection.execute(f"DROP INDEX {name}").close()
            self._indexes.append(str(text))

    def insert(self, table: Table, batches: Iterator[Rows]) -> None:
        places = ", ".join("?" * len(table.columns))
        statement = f"INSERT INTO {table.name} ({table.names}) VALUES ({places})"  # noqa: S608 - names of our own
        for rows in batches:
            self._connection.executemany(statement, rows).close()

    def insert_entries(self, batches: Iterator[tuple[Rows, Sequence[Sequence[str]]]]) -> None:
        for rows, terms in batches:
            self._connection.executemany(
                "INSERT INTO search_entries (entry, account_id, object_key) VALUES (?, ?, ?)", rows
            ).close()
            words = [(row[0], spaced(one)) for row, one in zip(rows, terms, strict=True)]
            self._connection.executemany(_ADD_TERMS, words).close()

    def complete(self) -> None:
        dangling = self._connection.execute("PRAGMA foreign_key_check").fetchall()
        if dangling:
            raise TransferFailed(
                f"{len(dangling)} rows refer to rows that do not exist, the first in the table {dangling[0][0]}: "
                "run `skyshelf admin doctor --repair` on the source, then start again"
            )
        for text in self._indexes:
            self._connection.execute(text).close()
        self._connection.execute("COMMIT").close()

    def complete_without_indexes(self) -> None:
        """End a file that is only ever read from end to end."""
        self._connection.execute(f"DROP TABLE IF EXISTS {_TERMS}").close()
        self._connection.execute("COMMIT").close()
        self._connection.pragma("application_id", ROWS_ID)


@contextmanager
def sqlite_source(path: Path) -> Iterator[SqliteRows]:
    """The rows of this moment. The file is only read, and never migrated."""
    with reading(path) as connection:
        yield SqliteRows(connection)


@contextmanager
def reading(path: Path) -> Iterator[apsw.Connection]:
    """A connection that sees one moment of an existing file."""
    if not path.is_file():
        raise StoreUnavailable(f"There is no metadata at {path}")
    with our_errors(path):
        # Not read-only: the first connection to a file after a crash has to recover its log.
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            connection.set_busy_timeout(60_000)
            connection.execute("PRAGMA query_only = ON").close()
            connection.execute("PRAGMA mmap_size = 1073741824").close()
            if connection.pragma("application_id") not in {APPLICATION_ID, ROWS_ID}:
                raise StoreUnavailable(f"{path} is no metadata of Skyshelf")
            connection.execute("BEGIN").close()
            connection.execute("SELECT 1 FROM sqlite_schema").fetchall()
            yield connection
        finally:
            connection.close()


@contextmanager
def new_file(path: Path, version: int) -> Iterator[SqliteRows]:
    """A new file, which takes its name when the block ends without an error, and is gone otherwise."""
    partial = path.with_name(f"{path.name}.partial")
    _remove(partial)
    with our_errors(path):
        SqliteStore(partial, migrate_to=version).close()
        try:
            connection = apsw.Connection(str(partial))
            try:
                rows = SqliteRows(connection)
                rows.begin()
                yield rows
            finally:
                connection.close()
            take_name(partial, path)
        except BaseException:
            _remove(partial)
            raise


def copy_pages(source: Path, path: Path, progress: Progress) -> None:
    """One moment of a whole file, page by page, while others write to it.

    A read transaction on the source holds the moment, so a write in between does not start the copy again.
    """
    partial = path.with_name(f"{path.name}.partial")
    _remove(partial)
    with reading(source) as connection, our_errors(path):
        try:
            os.close(os.open(partial, os.O_CREAT | os.O_RDWR, 0o600))
            target = apsw.Connection(str(partial))
            try:
                for pragma in ("journal_mode = OFF", "synchronous = OFF"):
                    target.execute(f"PRAGMA {pragma}").close()
                with target.backup("main", connection, "main") as pages:
                    while not pages.done:
                        pages.step(PAGES_AT_ONCE)
                        progress(pages.page_count - pages.remaining, pages.page_count)
            finally:
                target.close()
            take_name(partial, path)
        except BaseException:
            _remove(partial)
            raise


def take_name(partial: Path, path: Path) -> None:
    """Sync a finished file, and give it its name."""
    with partial.open("rb") as file:
        os.fsync(file.fileno())
    for suffix in ("-wal", "-shm"):
        with suppress(FileNotFoundError):
            Path(f"{path}{suffix}").unlink()
    partial.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _remove(path: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        with suppress(FileNotFoundError):
            Path(f"{path}{suffix}").unlink()
