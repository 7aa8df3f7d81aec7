"""Rows out of a SQLite file, and into a new one."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import apsw

from skyshelf.storage.errors import StoreUnavailable
from skyshelf.storage.local_paths import sync_folder
from skyshelf.storage.metadata.sql.statements import Row
from skyshelf.storage.metadata.sqlite.file import APPLICATION_ID, our_errors
from skyshelf.storage.metadata.sqlite.search import in_parts, rowid_of, spaced
from skyshelf.storage.metadata.sqlite.store import SqliteStore
from skyshelf.storage.metadata.transfer import tables as catalog
from skyshelf.storage.space import full_at, naming_full
from skyshelf.wire.batches import batched

ROWS_ID: Final = 0x534B5952
"""The application id, "SKYR", of a file that has rows and no indexes: serve refuses it as a file of another program."""

_KINDS: Final[dict[str, catalog.Kind]] = {"INTEGER": "int", "TEXT": "text", "BLOB": "bytes"}
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
        return int(self._connection.execute(f"SELECT max(number) FROM {catalog.VERSIONS}").get)  # noqa: S608

    def tables(self) -> catalog.Tables:
        names = [str(name) for (name,) in self._connection.execute(_OUR_TABLES)]
        ours = [name for name in names if name not in {catalog.VERSIONS, _TERMS} and not name.startswith(f"{_TERMS}_")]
        return {name: self._table(name) for name in sorted(ours)}

    def _table(self, name: str) -> catalog.Table:
        described: list[Row] = self._connection.execute(f"PRAGMA table_info({name})").fetchall()
        key = sorted((at, column) for _, column, _, _, _, at in described if at)
        columns = tuple(catalog.Column(column, _KINDS[kind]) for _, column, kind, _, _, _ in described)
        return catalog.Table(name, columns, tuple(column for _, column in key))

    def count(self, table: str) -> int:
        return int(self._connection.execute(f"SELECT count(*) FROM {table}").get)  # noqa: S608 - a name of our own

    def batches(self, statement: str) -> Iterator[catalog.Rows]:
        cursor = self._connection.cursor()
        try:
            yield from batched(cursor.execute(statement), catalog.BATCH_ROWS)
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

    def insert(self, table: catalog.Table, batches: Iterator[catalog.Rows]) -> None:
        places = ", ".join("?" * len(table.columns))
        statement = f"INSERT INTO {table.name} ({table.names}) VALUES ({places})"  # noqa: S608 - names of our own
        for rows in batches:
            self._connection.executemany(statement, rows).close()

    def insert_entries(self, batches: Iterator[tuple[catalog.Rows, Sequence[Sequence[str]]]]) -> None:
        for rows, terms in batches:
            self._connection.executemany(
                "INSERT INTO search_entries (entry, account_id, object_key) VALUES (?, ?, ?)", rows
            ).close()
            words = [(row[0], spaced(one)) for row, one in zip(rows, terms, strict=True)]
            self._connection.executemany(_ADD_TERMS, words).close()

    def complete(self) -> None:
        dangling = self._connection.execute("PRAGMA foreign_key_check").fetchall()
        if dangling:
            raise catalog.TransferFailed(
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
            yield SqliteRows(connection)
        finally:
            connection.close()


@contextmanager
def new_file(path: Path, version: int, *, is_store: bool = False) -> Iterator[SqliteRows]:
    """A new file, which takes its name when the block ends without an error, and is gone otherwise; as a store, it is
    migrated before."""
    partial = path.with_name(f"{path.name}.partial")
    _remove(partial)
    with our_errors(path), naming_full(path):
        try:
            SqliteStore(partial, migrate_to=version).close()
            connection = apsw.Connection(str(partial))
            try:
                rows = SqliteRows(connection)
                rows.begin()
                yield rows
            finally:
                connection.close()
            if is_store:
                SqliteStore(partial).close()
            take_name(partial, path)
        except BaseException:
            _remove(partial)
            raise


def take_name(partial: Path, path: Path) -> None:
    """Sync a finished file, and give it its name. A log beside it is what a full disk did not let into the file."""
    if Path(f"{partial}-wal").exists():
        raise full_at(path)
    with partial.open("rb") as file:
        os.fsync(file.fileno())
    for suffix in ("-wal", "-shm"):
        with suppress(FileNotFoundError):
            Path(f"{path}{suffix}").unlink()
    partial.replace(path)
    sync_folder(path.parent)


def _remove(path: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        with suppress(FileNotFoundError):
            Path(f"{path}{suffix}").unlink()
