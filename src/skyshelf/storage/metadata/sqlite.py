"""Metadata in one SQLite file: the embedded default.

Readers have a connection per thread and never wait. All writes of a process go through one thread that
takes them from a queue and commits several at once, so that many small writes share one fsync. Other
processes may use the same file; SQLite's own lock orders their writers.
"""

import json
import os
import re
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import apsw

from skyshelf.storage.errors import StoreFull, StoreUnavailable
from skyshelf.storage.metadata.group_commit import GroupCommit
from skyshelf.storage.metadata.migrate import Migration, applied, apply_pending, newest, refuse_newer
from skyshelf.storage.metadata.sql.statements import Params, Row, Value
from skyshelf.storage.metadata.sql.unit import SqlUnit

T = TypeVar("T")

TYPES = {
    "serial": "INTEGER PRIMARY KEY",
    "key": "BLOB",
    "bytes": "BLOB",
    "int": "INTEGER",
    "text": "TEXT",
    "strict": " STRICT",
}
APPLICATION_ID = 0x534B5953  # "SKYS": lets `file` and ourselves tell our files from others
BUSY_SECONDS = 60
_NOTHING: Params = {}


@cache
def _in_sqlite(text: str) -> str:
    """What SQLite says differently from PostgreSQL."""
    text = re.sub(r"= ANY\(:(\w+)\)", r"IN (SELECT value FROM json_each(:\1))", text)
    text = re.sub(r"= ANY_KEY\(:(\w+)\)", r"IN (SELECT unhex(value) FROM json_each(:\1))", text)
    return re.sub(r"\bFOR UPDATE( SKIP LOCKED)?", "", text)


def _bound(params: Params) -> dict[str, Any]:
    return {name: _one_bound(value) for name, value in params.items()}


def _one_bound(value: Value) -> str | int | bytes | None:
    if value is None or isinstance(value, str | int | bytes):
        return value
    return json.dumps([item.hex() if isinstance(item, bytes) else item for item in value])


class SqliteSql:
    """Statements on one connection."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def all(self, text: str, params: Params = _NOTHING, /) -> list[Row]:
        return self._connection.execute(_in_sqlite(text), _bound(params)).fetchall()

    def one(self, text: str, params: Params = _NOTHING, /) -> Row | None:
        cursor = self._connection.execute(_in_sqlite(text), _bound(params))
        row: Row | None = cursor.fetchone()
        cursor.close()
        return row

    def run(self, text: str, params: Params = _NOTHING, /) -> int:
        self._connection.execute(_in_sqlite(text), _bound(params)).close()
        return self._connection.changes()

    def run_many(self, text: str, params: Sequence[Params], /) -> None:
        if params:
            self._connection.executemany(_in_sqlite(text), map(_bound, params)).close()

    def pairs(self, pairs: Sequence[tuple[bytes, str]], /) -> tuple[str, Params]:
        table = "(SELECT unhex(value ->> 0) AS a, value ->> 1 AS b FROM json_each(:pairs))"
        return table, {"pairs": json.dumps([(key.hex(), text) for key, text in pairs])}


@contextmanager
def _our_errors(path: Path) -> Iterator[None]:
    """SQLite's errors as ours; anything else passes."""
    try:
        yield
    except apsw.FullError as error:
        raise StoreFull(f"no room left for the metadata at {path}") from error
    except (apsw.NotADBError, apsw.CorruptError) as error:
        raise StoreUnavailable(f"{path} is damaged or not a Skyshelf store: {error}") from error
    except (apsw.BusyError, apsw.IOError, apsw.CantOpenError, apsw.ReadOnlyError, apsw.NoMemError) as error:
        raise StoreUnavailable(f"the metadata at {path} cannot be used: {error}") from error


class SqliteStore:
    """A MetadataStore in one file; keeps every promise of that Protocol."""

    def __init__(self, path: Path, *, migrate_to: int | None = None) -> None:
        self._path = path
        self._local = threading.local()
        # Weak: the connection of a thread closes by itself when the thread ends.
        self._readers: weakref.WeakSet[apsw.Connection] = weakref.WeakSet()
        self._readers_lock = threading.Lock()
        self._closed = False
        self._create()
        with _our_errors(path):
            self.migrated = self.migrate(up_to=migrate_to)
        self._commits = GroupCommit(self._open_writer, name=f"skyshelf-writer {path.name}")

    def _create(self) -> None:
        """Make the file, private to its owner, and its name durable before anything relies on it."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            if self._path.exists():
                self._refuse_strangers()
            else:
                os.close(os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600))
                _sync_folder(self._path.parent)
                _sync_folder(self._path.parent.parent)
        except OSError as error:
            raise StoreUnavailable(f"the metadata at {self._path} cannot be opened: {error.strerror}") from error

    def _connect(self) -> apsw.Connection:
        connection = apsw.Connection(str(self._path), statementcachesize=400)
        connection.set_busy_timeout(BUSY_SECONDS * 1000)
        for pragma in (
            "journal_mode = WAL",
            "synchronous = FULL",
            "fullfsync = ON",
            "checkpoint_fullfsync = ON",
            "foreign_keys = ON",
            "trusted_schema = OFF",
            "temp_store = MEMORY",
            "cache_size = -16000",
            "mmap_size = 1073741824",
        ):
            connection.execute(f"PRAGMA {pragma}").close()
        return connection

    def _open_writer(self) -> "SqliteWriter":
        with _our_errors(self._path):
            return SqliteWriter(self._connect(), self._path)

    def _reader(self) -> apsw.Connection:
        connection: apsw.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            if self._closed:
                raise StoreUnavailable("the metadata store is closed")
            connection = self._connect()
            connection.execute("PRAGMA query_only = ON").close()
            self._local.connection = connection
            with self._readers_lock:
                self._readers.add(connection)
        return connection

    @contextmanager
    def read(self) -> Iterator[SqlUnit]:
        with _our_errors(self._path):
            yield SqlUnit(SqliteSql(self._reader()))

    @contextmanager
    def snapshot(self) -> Iterator[SqlUnit]:
        with _our_errors(self._path):
            connection = self._reader()
            connection.execute("BEGIN").close()
            try:
                yield SqlUnit(SqliteSql(connection))
            finally:
                connection.execute("ROLLBACK").close()

    def write(self, work: Callable[[SqlUnit], T]) -> T:
        return self._commits.write(work)

    def migrate(self, *, up_to: int | None = None) -> list[Migration]:
        connection = self._connect()
        sql = SqliteSql(connection)
        try:
            if applied_or_zero(connection) == newest():
                return []
            sql.run("BEGIN IMMEDIATE")
            try:
                sql.run(f"PRAGMA application_id = {APPLICATION_ID}")
                sql.run(
                    "CREATE TABLE IF NOT EXISTS schema_migrations"
                    " (number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT"
                )
                done = apply_pending(sql, TYPES, int(time.time() * 1000), up_to)
                sql.run("COMMIT")
            except BaseException:
                with suppress(apsw.Error):
                    sql.run("ROLLBACK")
                raise
            return done
        finally:
            connection.close()

    def _refuse_strangers(self) -> None:
        """Look before anything is written: WAL mode alone would already change somebody else's file."""
        with _our_errors(self._path):
            connection = apsw.Connection(str(self._path), flags=apsw.SQLITE_OPEN_READWRITE)
            try:
                connection.set_busy_timeout(BUSY_SECONDS * 1000)
                tables = connection.execute("SELECT count(*) FROM sqlite_schema").get
                owner = connection.pragma("application_id")
            finally:
                connection.close()
        if tables and owner != APPLICATION_ID:
            raise StoreUnavailable(f"{self._path} is a SQLite file of another program; it was not touched")

    def analyze(self) -> None:
        """Refresh what the planner knows about the data; cheap, and worth it after much has come in."""
        self.write(lambda unit: unit.sql.run("PRAGMA optimize = 0x10002"))

    def check(self) -> None:
        with self.read() as unit:
            unit.sql.one("SELECT 1 FROM settings")

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._commits.close()
        with self._readers_lock:
            for connection in list(self._readers):
                with suppress(apsw.Error):
                    connection.close()
            self._readers.clear()


def applied_or_zero(connection: apsw.Connection) -> int:
    """The schema version of a file that may still be empty."""
    if not connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations'").get:
        return 0
    version = applied(SqliteSql(connection))
    refuse_newer(version)
    return version


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class SqliteWriter:
    """The one writing connection of a process: several works in one commit, each whole or not at all."""

    def __init__(self, connection: apsw.Connection, path: Path) -> None:
        self._connection = connection
        self._sql = SqliteSql(connection)
        self._path = path

    def begin(self) -> None:
        with _our_errors(self._path):
            self._sql.run("BEGIN IMMEDIATE")

    def attempt(self, work: Callable[[SqlUnit], T]) -> T:
        """Run one work; when it raises, what it did is undone and the others stay."""
        with _our_errors(self._path):
            self._refuse_without_transaction()
            self._sql.run("SAVEPOINT work")
            try:
                result = work(SqlUnit(self._sql))
            except BaseException:
                if self._connection.in_transaction:  # a full disk has already ended it
                    self._sql.run("ROLLBACK TO work")
                    self._sql.run("RELEASE work")
                raise
            self._sql.run("RELEASE work")
            return result

    def commit(self) -> None:
        with _our_errors(self._path):
            self._refuse_without_transaction()
            self._sql.run("COMMIT")

    def _refuse_without_transaction(self) -> None:
        """SQLite ends a whole transaction by itself when the disk is full; nothing may be added after that."""
        if not self._connection.in_transaction:
            raise StoreFull(f"no room left for the metadata at {self._path}")

    def rollback(self) -> None:
        with suppress(apsw.Error):
            if self._connection.in_transaction:
                self._sql.run("ROLLBACK")

    def close(self) -> None:
        with suppress(apsw.Error):
            self._connection.close()
