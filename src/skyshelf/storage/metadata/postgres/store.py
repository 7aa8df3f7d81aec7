"""Metadata in PostgreSQL: for several instances of one service.

Connections come from a pool, one per call. A write locks the account it touches (the nouns do that), so two writers of
one account never interleave, on whatever instance they run.
"""

import secrets
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import TypeVar

import psycopg
from psycopg import errors

from skyshelf.storage.access import Access
from skyshelf.storage.errors import ReadOnly, StoreUnavailable
from skyshelf.storage.metadata import read_only
from skyshelf.storage.metadata.postgres.dialect import PostgresSql, our_errors, refuse_malformed
from skyshelf.storage.metadata.postgres.pool import CONNECT_SECONDS, make_pool
from skyshelf.storage.metadata.postgres.replayed import ReplayedSql
from skyshelf.storage.metadata.postgres.schema import applied_or_zero, migrate
from skyshelf.storage.metadata.postgres.versions import PostgresVersions
from skyshelf.storage.metadata.replay import current_replay, refuse_in_replay
from skyshelf.storage.metadata.sql.migrate import Migration, refuse_newer, refuse_older
from skyshelf.storage.metadata.sql.statements import Row
from skyshelf.storage.metadata.sql.unit import SqlUnit
from skyshelf.storage.metadata.store import Done, Item, StoreFigures, submit_alone, write_alone
from skyshelf.storage.metadata.turns import Shares, whose_turn
from skyshelf.storage.watching import store_calls

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


class PostgresStore:
    """A MetadataStore in PostgreSQL."""

    def __init__(self, url: str, *, connections: int = 16, timeout: float = 30, access: Access = Access.SERVE) -> None:
        refuse_malformed(url)
        self._access = access
        self._url = url
        # Distinguishes our connections from those of other processes.
        self._name = f"skyshelf {secrets.token_hex(8)}"
        self._writing = threading.local()
        # Who waits for an account's lock holds a connection: one account's writes must not hold them all.
        self._shares = Shares(max(1, connections // 4))
        self._pool = make_pool(url, self._name, connections=connections, timeout=timeout)
        with our_errors():
            # The pool would wait, and then only say so; one connection of our own says at once what is wrong.
            psycopg.connect(url, connect_timeout=CONNECT_SECONDS).close()
            self._pool.open(wait=True, timeout=timeout)

    def require_current(self) -> None:
        """Refuse to serve from a schema of another version."""
        with our_errors(), self._pool.connection() as connection:
            version = applied_or_zero(connection)
        refuse_newer(version)
        refuse_older(version)

    @contextmanager
    def read(self) -> Iterator[SqlUnit]:
        if (replay := current_replay()) is not None:
            yield SqlUnit(ReplayedSql(replay))
            return
        with store_calls.timed("database", "read"), our_errors(), self._pool.connection() as connection:
            yield SqlUnit(PostgresSql(connection))

    @contextmanager
    def snapshot(self) -> Iterator[SqlUnit]:
        refuse_in_replay()
        with (
            store_calls.timed("database", "read"),
            our_errors(),
            self._pool.connection() as connection,
            connection.transaction(),
        ):
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield SqlUnit(PostgresSql(connection))

    def write(self, work: Callable[[SqlUnit], T]) -> T:
        if self._access.is_read_only:
            raise ReadOnly("the database was opened to look, and is not changed")
        refuse_in_replay()
        if getattr(self._writing, "now", False):
            raise RuntimeError("a work must not write again: it could wait for itself")
        self._writing.now = True
        try:
            with store_calls.timed("database", "write"), our_errors(), self._shares.held(whose_turn()):
                for attempt in range(ATTEMPTS - 1):
                    try:
                        return self._write_once(work)
                    except _TryAgain:
                        time.sleep(0.005 * 2**attempt)
                return self._write_once(work)
        finally:
            self._writing.now = False

    def write_jointly(self, joint: Callable[[SqlUnit, Sequence[Item]], Sequence[T | Exception]], item: Item) -> T:
        # Writers of one account wait for its row, and others share nothing: each has its own transaction.
        return write_alone(self.write, joint, item)

    def submit_jointly(
        self, joint: Callable[[SqlUnit, Sequence[Item]], Sequence[T | Exception]], item: Item, done: Done[T]
    ) -> None:
        submit_alone(partial(self.write_jointly, joint, item), done)

    def _write_once(self, work: Callable[[SqlUnit], T]) -> T:
        worked = False
        with self._pool.connection() as connection:
            try:
                _begin_write(connection)
                result = work(SqlUnit(PostgresSql(connection)))
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

    def version(self) -> object | None:
        """None: each look would be a round trip."""
        return None

    def versions(self) -> PostgresVersions:
        return PostgresVersions(self._url, self._name)

    def wait_for_writes(self) -> None:
        with our_errors(), self._pool.connection() as connection, connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (WRITING_LOCK,))

    def migrate(self, *, up_to: int | None = None) -> list[Migration]:
        """Bring the schema up to date; two at once are safe, the second finds nothing to do."""
        with our_errors(), self._pool.connection() as connection:
            return migrate(connection, up_to=up_to)

    def note_bulk_write(self) -> None:
        """Have tables counted that the planner takes for empty, and would until the server's own round, minutes later.

        In an empty table every index is as good as any other, so it looks up the parent of a new row, as the
        foreign key wants, in an index that it has to read from end to end; and a plan is kept for as long as the
        connection lives, or until somebody counts.
        """
        with our_errors(), self._pool.connection() as connection:
            counted = connection.execute("SELECT reltuples FROM pg_class WHERE oid = 'objects'::regclass").fetchone()
            if counted is not None and counted[0] < FEW_ROWS:
                connection.execute("ANALYZE objects, versions, blobs, changes, search_entries")

    def analyze_grown_tables(self) -> None:
        """Have those tables counted that changed by more rows than they had when they were counted last.

        The server's own round comes a minute after the first row, or never where it is switched off. Counting takes a
        sample, so it costs the same for a large table as for a small one; of several instances one does it.
        """
        with our_errors(), self._pool.connection() as connection, connection.transaction():
            grown = connection.execute(_GROWN, (FEW_ROWS,)).fetchall()
            if grown and connection.execute(_MAY_COUNT, (COUNTING_LOCK,)).fetchone() == (True,):
                connection.execute(f"ANALYZE {', '.join(table for (table,) in grown)}".encode())

    def analyze(self) -> None:
        """Refresh what the planner knows about the data, as PostgreSQL does some time after a change."""
        with our_errors(), self._pool.connection() as connection:
            connection.execute("VACUUM (ANALYZE)")

    def space(self) -> None:
        """The disk of a database server cannot be seen from here."""

    def ballast(self) -> None:
        """That disk holds nothing that could be released."""

    def figures(self) -> StoreFigures:
        stats = self._pool.get_stats()
        return StoreFigures(
            connections=stats.get("pool_size", 0),
            idle=stats.get("pool_available", 0),
            most=stats.get("pool_max", 0),
            waiting=stats.get("requests_waiting", 0),
        )

    def is_in_use(self) -> bool:
        with our_errors(), self._pool.connection() as connection:
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
