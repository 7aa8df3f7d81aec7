"""Metadata in PostgreSQL: for several instances of one service.

Connections come from a pool, one per call. A write locks the account it touches (the nouns do that by
themselves), so that two writers of one account never interleave, on whatever instance they run.
"""

import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar

import psycopg
from psycopg import errors
from psycopg_pool import ConnectionPool, PoolTimeout

from skyshelf.storage.errors import StoreFull, StoreUnavailable
from skyshelf.storage.metadata.migrate import Migration, applied, apply_pending, refuse_newer, refuse_older
from skyshelf.storage.metadata.sql.statements import Params, Row
from skyshelf.storage.metadata.sql.unit import SqlUnit

T = TypeVar("T")

TYPES = {
    "serial": "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    "key": "BYTEA",
    "bytes": "BYTEA",
    "int": "BIGINT",
    "text": 'TEXT COLLATE "C"',  # the same order everywhere, and no index that a new libc can break
    "strict": "",
}
ATTEMPTS = 8
TRUSTED_SECONDS = 2.0
MIGRATION_LOCK = 0x534B5953
_NOTHING: Params = {}


@cache
def _in_postgres(text: str) -> bytes:
    """`:name` as psycopg wants it; a `::cast` stays."""
    text = text.replace("%", "%%").replace("= ANY_KEY(", "= ANY(")
    return re.sub(r"(?<!:):([a-z_]\w*)", r"%(\1)s", text).encode()


class PostgresSql:
    """Statements on one connection."""

    def __init__(self, connection: psycopg.Connection[Row]) -> None:
        self._cursor = connection.cursor(binary=True)

    def all(self, text: str, params: Params = _NOTHING, /) -> list[Row]:
        return self._cursor.execute(_in_postgres(text), _bound(params)).fetchall()

    def one(self, text: str, params: Params = _NOTHING, /) -> Row | None:
        return self._cursor.execute(_in_postgres(text), _bound(params)).fetchone()

    def run(self, text: str, params: Params = _NOTHING, /) -> int:
        return self._cursor.execute(_in_postgres(text), _bound(params)).rowcount

    def run_many(self, text: str, params: Sequence[Params], /) -> None:
        if params:
            self._cursor.executemany(_in_postgres(text), [_bound(one) for one in params])

    def pairs(self, pairs: Sequence[tuple[bytes, str]], /) -> tuple[str, Params]:
        table = "unnest(:pair_a::bytea[], :pair_b::text[]) AS pair (a, b)"
        return table, {"pair_a": [a for a, _ in pairs], "pair_b": [b for _, b in pairs]}


def _bound(params: Params) -> dict[str, Any]:
    return dict(params)


@contextmanager
def _our_errors() -> Iterator[None]:
    try:
        yield
    except (errors.DiskFull, errors.OutOfMemory) as error:
        raise StoreFull("the database has no room left") from error
    except PoolTimeout as error:
        raise StoreUnavailable("the database did not answer in time") from error
    except (psycopg.OperationalError, psycopg.InterfaceError) as error:
        raise StoreUnavailable(f"the database cannot be used: {_without_details(error)}") from error


def _without_details(error: psycopg.Error) -> str:
    """The first line of the database's message: it names what failed and holds no parameter."""
    return str(error).strip().partition("\n")[0] or type(error).__name__


class _Connection(psycopg.Connection[Row]):
    """A connection that remembers when it was last known to be alive."""

    alive_at = 0.0


def _check(connection: psycopg.Connection[Row]) -> None:
    """Ask a connection that rested for a while whether the server is still there; a busy one is not asked."""
    assert isinstance(connection, _Connection)
    if time.monotonic() - connection.alive_at > TRUSTED_SECONDS:
        ConnectionPool.check_connection(connection)
    connection.alive_at = time.monotonic()


def _configure(connection: psycopg.Connection[Row]) -> None:
    # An answer means "on disk" even where the server's own default is laxer.
    connection.execute("SET synchronous_commit = on")
    connection.execute("SET TIME ZONE 'UTC'")


class PostgresStore:
    """A MetadataStore in PostgreSQL; keeps every promise of that Protocol."""

    def __init__(self, url: str, *, connections: int = 16, timeout: float = 30) -> None:
        self._pool = ConnectionPool(
            url,
            min_size=1,
            max_size=connections,
            timeout=timeout,
            open=False,
            kwargs={"autocommit": True},
            configure=_configure,
            connection_class=_Connection,
            check=_check,
        )
        with _our_errors():
            try:
                self._pool.open(wait=True, timeout=timeout)
            except PoolTimeout:
                # The pool only says that it waited; one connection of our own says what is wrong.
                psycopg.connect(url, connect_timeout=5).close()
                raise

    def require_current(self) -> None:
        """Refuse to serve from a schema of another version."""
        with _our_errors(), self._pool.connection() as connection:
            version = _applied_or_zero(connection)
        refuse_newer(version)
        refuse_older(version)

    @contextmanager
    def read(self) -> Iterator[SqlUnit]:
        with _our_errors(), self._pool.connection() as connection:
            yield SqlUnit(PostgresSql(connection))

    @contextmanager
    def snapshot(self) -> Iterator[SqlUnit]:
        with _our_errors(), self._pool.connection() as connection, connection.transaction():
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield SqlUnit(PostgresSql(connection))

    def write(self, work: Callable[[SqlUnit], T]) -> T:
        with _our_errors():
            for attempt in range(ATTEMPTS):
                try:
                    with self._pool.connection() as connection, connection.transaction():
                        return work(SqlUnit(PostgresSql(connection)))
                except (errors.DeadlockDetected, errors.SerializationFailure):
                    if attempt + 1 == ATTEMPTS:
                        raise
                    time.sleep(0.005 * 2**attempt)
        raise AssertionError("unreachable")

    def migrate(self, *, up_to: int | None = None) -> list[Migration]:
        """Bring the schema up to date; two at once are safe, the second finds nothing to do."""
        with _our_errors(), self._pool.connection() as connection, connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))
            sql = PostgresSql(connection)
            sql.run(
                "CREATE TABLE IF NOT EXISTS schema_migrations"
                " (number BIGINT PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL)"
            )
            return apply_pending(sql, TYPES, int(time.time() * 1000), up_to)

    def analyze(self) -> None:
        """Refresh what the planner knows about the data, as PostgreSQL does by itself some time after a change."""
        with _our_errors(), self._pool.connection() as connection:
            connection.execute("VACUUM (ANALYZE)")

    def check(self) -> None:
        with self.read() as unit:
            unit.sql.one("SELECT 1 FROM settings")

    def close(self) -> None:
        self._pool.close()


def _applied_or_zero(connection: psycopg.Connection[Row]) -> int:
    found = connection.execute("SELECT to_regclass('schema_migrations')").fetchone()
    return applied(PostgresSql(connection)) if found and found[0] else 0
