"""Metadata in PostgreSQL: for several instances of one service.

Connections come from a pool, one per call. A write locks the account it touches (the nouns do that), so two writers of
one account never interleave, on whatever instance they run.
"""

import secrets
import select
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, TypeVar

import psycopg
from psycopg import errors
from psycopg.adapt import Transformer
from psycopg_pool import ConnectionPool, PoolTimeout

from skyshelf.storage.access import Access
from skyshelf.storage.errors import ReadOnly, StoreUnavailable
from skyshelf.storage.metadata import read_only
from skyshelf.storage.metadata.postgres import dialect
from skyshelf.storage.metadata.postgres.dialect import numbered
from skyshelf.storage.metadata.postgres.limits import connection_limits
from skyshelf.storage.metadata.postgres.loop_connection import LoopConnection, Question
from skyshelf.storage.metadata.postgres.schema import applied_or_zero, migrate
from skyshelf.storage.metadata.replay import MissingRows, current_replay, refuse_in_replay
from skyshelf.storage.metadata.sql.migrate import Migration, refuse_newer, refuse_older
from skyshelf.storage.metadata.sql.statements import Row
from skyshelf.storage.metadata.sql.unit import Unit
from skyshelf.storage.metadata.store import (
    ConnectionLimits,
    MetadataStore,
    Shares,
    StoreFigures,
    StoreVersion,
    whose_turn,
)
from skyshelf.storage.watching import store_calls

VALUES_BYTES_MAX: Final = 4096
_VERSION: Final = b"SELECT pg_current_snapshot(), pg_postmaster_start_time() AS skyshelf_version"
_integer: Final = struct.Struct(">q").pack


class PostgresVersions(LoopConnection):
    """Reads on the event loop that came first, with a separate connection; any other loop gets nothing."""

    def __init__(self, url: str, name: str) -> None:
        super().__init__(url, name)
        self._question = Question(_VERSION)
        self._result: object | None = None
        self._version: StoreVersion | None = None
        self._loader = Transformer()

    async def read(self) -> StoreVersion | None:
        """Return the version of a moment after this call; None where it cannot be read at present."""
        if self._question.is_sent:
            self._question = Question(_VERSION)
        result = await self.ask(self._question)
        if result is not None and result is not self._result:
            # One for all who waited.
            self._result = result
            server = self.number, result.get_value(0, 1)
            self._version = StoreVersion(server, result.get_value(0, 0))
        return None if result is None else self._version

    async def rows(self, missing: MissingRows) -> list[Row] | None:
        """Return the rows of a moment after this call; None where they cannot be read this way, or not at present."""
        statement, names = numbered(missing.text)
        written = [_written(missing.params[name]) for name in names]
        values = [value for _, value in written]
        if any(kind < 0 for kind, _ in written) or sum(map(len, filter(None, values))) > VALUES_BYTES_MAX:
            return None
        began = time.perf_counter()
        result = await self.ask(Question(statement, tuple([kind for kind, _ in written]), values))
        if result is None:
            return None
        store_calls.add("database", "read", began)
        self._loader.set_pgresult(result)
        return self._loader.load_rows(0, result.ntuples, tuple)


def _written(value: Any) -> tuple[int, bytes | None]:
    """Return the number of the value's type, and its bytes, as the server reads them; -1 for a type that threads are
    for."""
    if value is None:
        return 0, None
    if type(value) is bytes:
        return 17, value
    if type(value) is int and -(2**63) <= value < 2**63:
        return 20, _integer(value)
    if type(value) is str and "\0" not in value:
        with suppress(UnicodeEncodeError):
            return 25, value.encode()
    return -1, None


TRUSTED_SECONDS: Final = 2.0
RECONNECT_SECONDS: Final = 1.0
"""The pool waits twice as long after each failure, up to minutes; after this it begins again."""


class PooledConnection(psycopg.Connection[Row]):
    """A connection that remembers when it was last known to be alive."""

    alive_at = 0.0


def _check_alive(connection: psycopg.Connection[Row]) -> None:
    """Ask a connection that rested, or has something to say unasked, whether the server is still there."""
    assert isinstance(connection, PooledConnection)
    if time.monotonic() - connection.alive_at > TRUSTED_SECONDS or _has_something_to_say(connection):
        ConnectionPool.check_connection(connection)
    connection.alive_at = time.monotonic()


def _has_something_to_say(connection: psycopg.Connection[Row]) -> bool:
    """Return whether bytes wait on an idle connection: nearly always the server's goodbye."""
    if not hasattr(select, "poll"):
        return True
    poller = select.poll()
    poller.register(connection.fileno(), select.POLLIN)
    return bool(poller.poll(0))


def _configure(connection: psycopg.Connection[Row]) -> None:
    dialect.accept_arrays(connection)
    # A commit means "on disk" even where the server's default is laxer.
    connection.execute("SET synchronous_commit = on")
    connection.execute("SET TIME ZONE 'UTC'")
    # A unit that only reads cannot change anything; a write declares itself when it begins.
    connection.execute("SET default_transaction_read_only = on")
    connection.read_only = False


def make_pool(url: str, name: str, *, connections: int, timeout: float) -> "ConnectionPool[PooledConnection]":
    """Return a pool that has yet to be opened. It notices a lost connection before it is used, and finds a server that
    is back in seconds."""
    return ConnectionPool(
        url,
        min_size=1,
        max_size=connections,
        timeout=timeout,
        open=False,
        kwargs={"autocommit": True, "application_name": name, "connect_timeout": dialect.CONNECT_SECONDS},
        configure=_configure,
        connection_class=PooledConnection,
        check=_check_alive,
        reconnect_timeout=RECONNECT_SECONDS,
        reconnect_failed=_begin_again,
    )


def _begin_again(pool: "ConnectionPool[PooledConnection]") -> None:
    """For those who wait: the next request would make the pool try again, and there may be none for long."""
    if pool.get_stats().get("requests_waiting", 0):
        with suppress(PoolTimeout):
            pool.putconn(pool.getconn(timeout=0.01))


T = TypeVar("T")

ATTEMPTS = 8
COUNTING_LOCK = 0x534B5954
WRITING_LOCK = 0x534B5955
FEW_ROWS = 1000
_GROWN = (
    "SELECT relid::regclass::text FROM pg_stat_user_tables JOIN pg_class ON pg_class.oid = relid"
    " WHERE schemaname = current_schema() AND n_mod_since_analyze >= greatest(%s, reltuples) ORDER BY relid"
)
_OTHERS = (
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'skyshelf %'"
    " AND application_name <> current_setting('application_name') LIMIT 1"
)
# One round trip. The setting is read after the lock is held, by a separate statement: see read_only.py.
_BEGIN_WRITE = (
    f"BEGIN READ WRITE; SELECT pg_advisory_xact_lock_shared({WRITING_LOCK});"  # noqa: S608 - names of our own
    f" SELECT value FROM settings WHERE name = '{read_only.SETTING}'"
)
_MAY_COUNT = "SELECT pg_try_advisory_xact_lock(%s)"


class _TryAgain(psycopg.OperationalError):
    """Nothing of a work has happened, and running it again may well succeed."""


class PostgresStore(MetadataStore):
    """A MetadataStore in PostgreSQL.

    Writers of one account wait for its row, and others share nothing, so each write has its own transaction.
    """

    def __init__(self, url: str, *, connections: int = 16, timeout: float = 30, access: Access = Access.SERVE) -> None:
        dialect.refuse_malformed(url)
        self._access = access
        self._url = url
        # Distinguishes our connections from those of other processes.
        self._name = f"skyshelf {secrets.token_hex(8)}"
        self._writing = threading.local()
        # Who waits for an account's lock holds a connection: one account's writes must not hold them all.
        self._shares = Shares(max(1, connections // 4))
        self._pool = make_pool(url, self._name, connections=connections, timeout=timeout)
        with dialect.our_errors():
            # The pool would wait, and then only say so; one connection of our own says at once what is wrong.
            psycopg.connect(url, connect_timeout=dialect.CONNECT_SECONDS).close()
            self._pool.open(wait=True, timeout=timeout)

    def require_current(self) -> None:
        """Refuse to serve from a schema of another version."""
        with dialect.our_errors(), self._pool.connection() as connection:
            version = applied_or_zero(connection)
        refuse_newer(version)
        refuse_older(version)

    @contextmanager
    def read(self) -> Iterator[Unit]:
        if (replay := current_replay()) is not None:
            yield Unit(dialect.ReplayedSql(replay))
            return
        with store_calls.timed("database", "read"), dialect.our_errors(), self._pool.connection() as connection:
            yield Unit(dialect.PostgresSql(connection))

    @contextmanager
    def snapshot(self) -> Iterator[Unit]:
        refuse_in_replay()
        with (
            store_calls.timed("database", "read"),
            dialect.our_errors(),
            self._pool.connection() as connection,
            connection.transaction(),
        ):
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield Unit(dialect.PostgresSql(connection))

    def write(self, work: Callable[[Unit], T]) -> T:
        if self._access.is_read_only:
            raise ReadOnly("the database was opened to look, and is not changed")
        refuse_in_replay()
        if getattr(self._writing, "now", False):
            raise RuntimeError("a work must not write again: it could wait for itself")
        self._writing.now = True
        try:
            with store_calls.timed("database", "write"), dialect.our_errors(), self._shares.held(whose_turn()):
                for attempt in range(ATTEMPTS - 1):
                    try:
                        return self._write_once(work)
                    except _TryAgain:
                        time.sleep(0.005 * 2**attempt)
                return self._write_once(work)
        finally:
            self._writing.now = False

    def _write_once(self, work: Callable[[Unit], T]) -> T:
        worked = False
        with self._pool.connection() as connection:
            try:
                _begin_write(connection)
                result = work(Unit(dialect.PostgresSql(connection)))
                worked = True
                connection.commit()
            except (errors.DeadlockDetected, errors.SerializationFailure) as error:
                raise _TryAgain(str(error)) from error
            except psycopg.OperationalError as error:
                # Lost before the commit began: nothing happened. Lost while it went on: nobody knows.
                if connection.closed and not worked:
                    raise _TryAgain(str(error)) from error
                raise
            finally:
                # Nothing to do after a commit.
                with suppress(psycopg.Error):
                    connection.rollback()
            return result

    def versions(self) -> PostgresVersions:
        return PostgresVersions(self._url, self._name)

    def wait_for_writes(self) -> None:
        with dialect.our_errors(), self._pool.connection() as connection, connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (WRITING_LOCK,))

    def migrate(self, *, up_to: int | None = None) -> list[Migration]:
        """Bring the schema up to date; two at once are safe, the second finds nothing to do."""
        with dialect.our_errors(), self._pool.connection() as connection:
            return migrate(connection, up_to=up_to)

    def note_bulk_write(self) -> None:
        """Have tables counted that the planner takes for empty, and would until the server's own round, minutes later.

        In an empty table every index is as good as any other, so it looks up the parent of a new row, as the
        foreign key wants, in an index that it has to read from end to end; and a plan is kept for as long as the
        connection lives, or until somebody counts.
        """
        with dialect.our_errors(), self._pool.connection() as connection:
            counted = connection.execute("SELECT reltuples FROM pg_class WHERE oid = 'objects'::regclass").fetchone()
            if counted is not None and counted[0] < FEW_ROWS:
                connection.execute("ANALYZE objects, versions, blobs, changes, search_entries")

    def analyze_grown_tables(self) -> None:
        """Have those tables counted that changed by more rows than they had when they were counted last.

        The server's own round comes a minute after the first row, or never where it is switched off. Counting takes a
        sample, so it costs the same for a large table as for a small one; of several instances one does it.
        """
        with dialect.our_errors(), self._pool.connection() as connection, connection.transaction():
            grown = connection.execute(_GROWN, (FEW_ROWS,)).fetchall()
            if grown and connection.execute(_MAY_COUNT, (COUNTING_LOCK,)).fetchone() == (True,):
                connection.execute(f"ANALYZE {', '.join(table for (table,) in grown)}".encode())

    def analyze(self) -> None:
        """Refresh what the planner knows about the data, as PostgreSQL does some time after a change."""
        with dialect.our_errors(), self._pool.connection() as connection:
            connection.execute("VACUUM (ANALYZE)")

    def figures(self) -> StoreFigures:
        stats = self._pool.get_stats()
        return StoreFigures(
            connections=stats.get("pool_size", 0),
            idle=stats.get("pool_available", 0),
            most=stats.get("pool_max", 0),
            waiting=stats.get("requests_waiting", 0),
        )

    def connection_limits(self) -> ConnectionLimits:
        with dialect.our_errors(), self._pool.connection() as connection:
            return connection_limits(connection)

    def is_in_use(self) -> bool:
        with dialect.our_errors(), self._pool.connection() as connection:
            return connection.execute(_OTHERS).fetchone() is not None

    def check(self) -> None:
        with self.read() as unit:
            try:
                unit.sql.one("SELECT 1 FROM settings")
            except errors.UndefinedTable as error:
                raise StoreUnavailable("the database has no tables of this service") from error

    def close(self) -> None:
        self._pool.close()


def _begin_write(connection: psycopg.Connection[Row]) -> None:
    """Begin a transaction that may write; StoreReadOnly when it may not."""
    cursor = connection.execute(_BEGIN_WRITE, prepare=False)
    cursor.nextset()
    cursor.nextset()
    row = cursor.fetchone()
    # The value as text, since several statements at once have no binary results.
    read_only.refuse(None if row is None else bytes(row[0]))
