"""Metadata in one SQLite file: the embedded default.

Readers have a connection per thread and never wait. All writes of a process go through one thread that
takes them from a queue and commits several at once, so many small writes share one fsync. Other
processes may use the same file; SQLite's own lock orders their writers.
"""

import logging
import threading
import weakref
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from ctypes import addressof, c_int, c_int64
from pathlib import Path
from typing import Final, TypeVar

import apsw

from skyshelf.storage.access import Access
from skyshelf.storage.errors import ReadOnly, StorageError, StoreFull, StoreReadOnly, StoreUnavailable
from skyshelf.storage.metadata import read_only
from skyshelf.storage.metadata.sql.migrate import refuse_older
from skyshelf.storage.metadata.sql.unit import Unit
from skyshelf.storage.metadata.sqlite.dialect import SqliteSql
from skyshelf.storage.metadata.sqlite.file import (
    BUSY_SECONDS,
    Looking,
    connect,
    is_in_use,
    make_file,
    our_error,
    our_errors,
)
from skyshelf.storage.metadata.sqlite.group_commit import GroupCommit
from skyshelf.storage.metadata.sqlite.schema import SqliteSchema, applied_or_zero
from skyshelf.storage.metadata.store import Done, Item, MetadataStore, StoreFigures
from skyshelf.storage.space import Ballast, Space, allocate, full_at, space_at

T = TypeVar("T")
_log = logging.getLogger("skyshelf.storage")

OPENING_BYTES: Final = 1 << 20
"""What opening may need: with more space, it failed for another reason."""
LOG_BYTES: Final = 12 << 20
_SLACK: Final = 2 << 20, 4 << 20
_SLACK_STEP: Final = 1 << 16
_SIZE_HINT: Final = apsw.SQLITE_FCNTL_SIZE_HINT
READERS_MS: Final = 1000


class SqliteStore(MetadataStore):
    """A MetadataStore in one file."""

    def __init__(self, path: Path, *, migrate_to: int | None = None, access: Access = Access.SERVE) -> None:
        self._path = path
        self._local = threading.local()
        # Weak: a thread's connections close when the thread ends.
        self._readers: weakref.WeakSet[apsw.Connection] = weakref.WeakSet()
        self._readers_lock = threading.Lock()
        self._closed = False
        self._first: SqliteWriter | None = None
        self._looking = None if access is Access.SERVE else Looking(path)
        if access is Access.SERVE:
            make_file(path)
            self._even_on_a_full_disk(lambda: SqliteSchema(path).migrate(up_to=migrate_to))
        else:
            self._require_current()
        if not access.is_read_only:
            self._looking = None
            self.group_commit = GroupCommit(self._open_writer, name=f"skyshelf-writer {path.name}")

    def _connect(self) -> apsw.Connection:
        return self._even_on_a_full_disk(self._connect_now) if self._looking is None else self._looking.connect()

    def _connect_now(self) -> apsw.Connection:
        with our_errors(self._path):
            return connect(self._path)

    def _require_current(self) -> None:
        """Refuse a schema of another version."""
        with our_errors(self._path), closing(self._connect()) as connection:
            refuse_older(applied_or_zero(connection))

    def _open_writer(self) -> "SqliteWriter":
        with our_errors(self._path):
            return SqliteWriter(self._connect(), self._path, self.ballast())

    def _even_on_a_full_disk(self, open_it: Callable[[], T]) -> T:
        """Open the file; its log may be missing, and need the space of the ballast to be made."""
        try:
            return open_it()
        except (StoreFull, StoreUnavailable):
            space = self.space()
            if space is None or space.free >= OPENING_BYTES:
                raise
            if not self.ballast().release():
                raise full_at(self._path) from None
            # The log stays as long as one connection is open.
            self._first = self._open_writer()
            self._first.make_room(released=True)
            return open_it()

    def take_reader(self) -> apsw.Connection:
        """Return a connection of this thread that no other unit of it is using: a snapshot in one must not hold a read
        beside it back in time."""
        idle: list[apsw.Connection] | None = getattr(self._local, "idle", None)
        if idle is None:
            idle = self._local.idle = []
        if idle:
            return idle.pop()
        with our_errors(self._path):
            return self._open_reader()

    def give_back(self, connection: apsw.Connection) -> None:
        if self._closed:
            connection.close()
        else:
            self._local.idle.append(connection)

    def translated(self, error: apsw.Error) -> Exception:
        """Return the error in our own words, where there are some."""
        return our_error(error, self._path) or error

    def check_looking(self) -> None:
        if self._looking is not None:
            self._looking.check()

    def _open_reader(self) -> apsw.Connection:
        connection = self._connect()
        connection.execute("PRAGMA query_only = ON").close()
        with self._readers_lock:
            if self._closed:
                connection.close()
                raise StoreUnavailable("the metadata store is closed")
            self._readers.add(connection)
        return connection

    def read(self) -> "_Reading":
        return _Reading(self, is_snapshot=False)

    def snapshot(self) -> "_Reading":
        return _Reading(self, is_snapshot=True)

    def write(self, work: Callable[[Unit], T]) -> T:
        return self._commits().write(work)

    def write_jointly(self, joint: Callable[[Unit, Sequence[Item]], Sequence[T | Exception]], item: Item) -> T:
        return self._commits().write_jointly(joint, item)

    def submit_jointly(
        self, joint: Callable[[Unit, Sequence[Item]], Sequence[T | Exception]], item: Item, done: Done[T]
    ) -> None:
        self._commits().submit_jointly(joint, item, done)

    def _commits(self) -> GroupCommit:
        if self._looking is not None:
            raise ReadOnly(f"the metadata at {self._path} was opened to look, and is not changed")
        return self.group_commit

    def version(self) -> object | None:
        # Its own connection: the number says nothing about another connection's, nor about its own writes.
        watcher: apsw.Connection | None = getattr(self._local, "watcher", None)
        if watcher is None:
            with our_errors(self._path):
                watcher = self._local.watcher = self._open_reader()
        try:
            return watcher, watcher.execute("PRAGMA data_version").get
        except apsw.Error as error:
            raise self.translated(error) from error

    def wait_for_writes(self) -> None:
        """Nothing: a write that was committed after them is enough, and the caller has done one."""

    def note_bulk_write(self) -> None:
        """Nothing: the embedded store plans without ever having counted."""

    def analyze_grown_tables(self) -> None:
        """Nothing: every statement has its index by the schema alone, and tests hold that.

        Once counted, small tables would be read from end to end, and the plan would stay when they have grown.
        """

    def analyze(self) -> None:
        """Refresh what the planner knows about the data; cheap, and worth it after much has come in."""
        self.write(lambda unit: unit.sql.run("PRAGMA optimize = 0x10002"))

    def space(self) -> Space | None:
        return space_at(self._path.parent)

    def ballast(self) -> Ballast:
        return Ballast(self._ballast_path)

    @property
    def _ballast_path(self) -> Path:
        return self._path.with_name(f"{self._path.name}-ballast")

    def figures(self) -> StoreFigures:
        return StoreFigures(waiting=self.group_commit.waiting if self._looking is None else 0)

    def is_in_use(self) -> bool:
        return is_in_use(self._path)

    def check(self) -> None:
        with self.read() as unit:
            unit.sql.one("SELECT 1 FROM settings")

    def close(self) -> None:
        if self._closed:
            return
        with self._readers_lock:
            self._closed = True
        used_ballast = self._looking is None and self.group_commit.close()
        with self._readers_lock:
            for connection in list(self._readers):
                # One that another thread is using right now is closed by that thread when it is done.
                with suppress(apsw.Error):
                    connection.close()
            self._readers.clear()
        if self._first is not None:
            self._first.close()
            used_ballast = True
        if used_ballast:
            # The log is gone with the last connection. Its space is kept for the next start, if there is enough.
            Ballast(self._ballast_path, LOG_BYTES).fill()


class _Reading:
    """A unit that reads. As a class, it takes a fraction of the time of three generators, and every call has some."""

    __slots__ = ("_connection", "_is_snapshot", "_store")

    def __init__(self, store: SqliteStore, *, is_snapshot: bool) -> None:
        self._store = store
        self._is_snapshot = is_snapshot

    def __enter__(self) -> Unit:
        self._connection = self._store.take_reader()
        if self._is_snapshot:
            try:
                self._connection.execute("BEGIN").close()
            except apsw.Error as error:
                self._store.give_back(self._connection)
                raise self._store.translated(error) from error
        return Unit(SqliteSql(self._connection))

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        store = self._store
        try:
            if self._is_snapshot:
                with suppress(apsw.ConnectionClosedError):  # closing the store has ended it already
                    self._connection.execute("ROLLBACK").close()
            if error is None:
                store.check_looking()
        finally:
            store.give_back(self._connection)
        if isinstance(error, apsw.Error):
            raise store.translated(error) from error


class SqliteWriter:
    """The one writing connection of a process: several works in one commit, each whole or not at all."""

    def __init__(self, connection: apsw.Connection, path: Path, ballast: Ballast) -> None:
        self._ballast = ballast
        self._connection = connection
        self._sql = SqliteSql(connection)
        self._path = path
        self._ended_by: type[StorageError] = StoreUnavailable
        self._mode: read_only.ReadOnly | None = None

    def begin(self) -> None:
        with our_errors(self._path):
            self._sql.run("BEGIN IMMEDIATE")
            # While this process holds the lock, no other can change it.
            row = self._sql.one("SELECT value FROM settings WHERE name = :name", {"name": read_only.SETTING})
            self._mode = None if row is None else read_only.decode(row[0])

    def attempt(self, work: Callable[[Unit], T], *, even_while_read_only: bool, is_only: bool = False) -> T:
        """Run one work; when it raises, what it did is undone and the others stay.

        The only work of a transaction needs no savepoint, for which SQLite copies every page before it changes: what
        it did is undone with the transaction, and another one begins.
        """
        with our_errors(self._path):
            self._refuse_without_transaction()
            if self._mode is not None and not even_while_read_only:
                raise StoreReadOnly(self._mode.reason)
            if not is_only:
                self._sql.run("SAVEPOINT work")
            try:
                result = work(Unit(self._sql))
            except BaseException as error:
                if not self._connection.in_transaction:
                    self._ended_by = StoreFull if isinstance(error, apsw.FullError) else StoreUnavailable
                elif is_only:
                    self._sql.run("ROLLBACK")
                    self.begin()
                else:
                    self._sql.run("ROLLBACK TO work")
                    self._sql.run("RELEASE work")
                raise
            if not is_only:
                self._sql.run("RELEASE work")
            return result

    def commit(self) -> None:
        with our_errors(self._path):
            self._refuse_without_transaction()
            self._sql.run("COMMIT")

    def _refuse_without_transaction(self) -> None:
        """SQLite may end a whole transaction, as on a full disk; nothing may be added after that."""
        if not self._connection.in_transaction:
            raise self._ended_by(f"the metadata at {self._path} could not be written")

    def rollback(self) -> None:
        with suppress(apsw.Error):
            if self._connection.in_transaction:
                self._sql.run("ROLLBACK")

    def make_room(self, *, released: bool = False) -> bool:
        """Let the log begin again, so that its space can be written once more, and turn the ballast into space of the
        database: no other program can take it then. Return whether there was a ballast, or it was `released` before."""
        released = self._ballast.release() or released
        with suppress(apsw.Error, OSError):
            if released:
                _log.warning("the disk is full: the ballast was released, so that files can be deleted")
                self._keep_slack()
            # Readers hold the log. Those of a backup do so for long, and are not waited for.
            self._connection.set_busy_timeout(READERS_MS)
            self._sql.run("PRAGMA wal_checkpoint(RESTART)")
        if released:
            allocate(self._path.with_name(f"{self._path.name}-wal"), LOG_BYTES)
        with suppress(apsw.Error, OSError):
            self._connection.set_busy_timeout(BUSY_SECONDS * 1000)
        return released

    def _keep_slack(self) -> None:
        """Let this connection keep the file a few MiB larger than it is, for pages that the log has to put there."""
        size = self._path.stat().st_size
        steps = range(_SLACK[1], 2 * _SLACK[1], _SLACK_STEP)
        chunk = next((step for step in steps if _SLACK[0] <= -size % step <= _SLACK[1]), _SLACK[1])
        for operation, value in ((apsw.SQLITE_FCNTL_CHUNK_SIZE, c_int(chunk)), (_SIZE_HINT, c_int64(size + 1))):
            self._connection.file_control("main", operation, addressof(value))

    def close(self) -> None:
        with suppress(apsw.Error):
            self._connection.close()
