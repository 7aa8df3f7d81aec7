"""The schema of a PostgreSQL database: what an upgrade takes, the upgrade, and the way back.

Everything happens in one transaction, so a database has one version of the schema or the other. It does not wait long
for a lock: a statement that waits for one lets no other pass, and the whole service would wait with it.
"""

import functools
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import psycopg
from psycopg import errors

from skyshelf.storage.errors import StoreInUse
from skyshelf.storage.metadata.postgres.dialect import CONNECT_SECONDS, TYPES, PostgresSql, our_errors, refuse_malformed
from skyshelf.storage.metadata.sql import migrate as migrations
from skyshelf.storage.metadata.sql.statements import Row

MIGRATION_LOCK: Final = 0x534B5953
_LOCK_SECONDS: Final = 10
_FEW_ROWS: Final = 10_000
_SERVERS: Final = (
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'skyshelf %' LIMIT 1"
)


def applied_or_zero(connection: psycopg.Connection[Row]) -> int:
    """Return the schema version of a database that may still be empty."""
    found = connection.execute("SELECT to_regclass('schema_migrations')").fetchone()
    return migrations.applied(PostgresSql(connection)) if found and found[0] else 0


def migrate(
    connection: psycopg.Connection[Row], *, up_to: int | None = None, is_rehearsal: bool = False
) -> list[migrations.Migration]:
    """Bring the schema up to date; two at once are safe, the second finds nothing to do."""
    with _exclusive(connection, is_rehearsal=is_rehearsal) as sql:
        sql.run(
            "CREATE TABLE IF NOT EXISTS schema_migrations"
            " (number BIGINT PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL)"
        )
        return migrations.apply_pending(sql, TYPES, int(time.time() * 1000), up_to)


@contextmanager
def _exclusive(connection: psycopg.Connection[Row], *, is_rehearsal: bool = False) -> Iterator[PostgresSql]:
    with connection.transaction(force_rollback=is_rehearsal):
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))
        with _without_long_waits(connection):
            yield PostgresSql(connection)


@contextmanager
def _without_long_waits(connection: psycopg.Connection[Row]) -> Iterator[None]:
    """Wait a few seconds for a table, in the transaction that has begun."""
    connection.execute(f"SET LOCAL lock_timeout = '{_LOCK_SECONDS}s'")
    try:
        yield
    except errors.LockNotAvailable as error:
        raise StoreInUse(
            f"a table was in use for more than {_LOCK_SECONDS} seconds, and nothing was changed: try again when less is"
            " going on, or stop the servers first"
        ) from error


class PostgresSchema:
    """The schema of one database, whatever version it has."""

    def __init__(self, url: str) -> None:
        refuse_malformed(url)
        self._url = url

    def plan(self) -> migrations.UpgradePlan:
        """Return what an upgrade would do; nothing is changed."""
        with self._connected() as connection:
            connection.read_only = True
            rows_of = functools.cache(lambda table: _rows(connection, table))
            with connection.transaction(), _without_long_waits(connection):
                version = applied_or_zero(connection)
                migrations.refuse_newer(version)
                is_in_use = connection.execute(_SERVERS).fetchone() is not None
                return migrations.plan_upgrade(version, rows_of, is_in_use=is_in_use)

    @contextmanager
    def reading(self) -> Iterator[PostgresSql | None]:
        """Yield what reads the database, whatever version it has; None while it is empty."""
        with self._connected() as connection:
            connection.read_only = True
            version = applied_or_zero(connection)
            migrations.refuse_newer(version)
            yield PostgresSql(connection) if version else None

    def migrate(self, *, is_rehearsal: bool = False) -> list[migrations.Migration]:
        with self._connected() as connection:
            return migrate(connection, is_rehearsal=is_rehearsal)

    def last_upgrade(self) -> list[migrations.Migration]:
        """Return the migrations of the last upgrade, newest first."""
        with self._connected() as connection:
            migrations.refuse_newer(version := applied_or_zero(connection))
            return migrations.last_upgrade(PostgresSql(connection)) if version else []

    def take_back(self) -> list[migrations.Migration]:
        with self._connected() as connection, _exclusive(connection) as sql:
            return migrations.take_back(sql, TYPES)

    @contextmanager
    def _connected(self) -> Iterator[psycopg.Connection[Row]]:
        with our_errors(), psycopg.connect(self._url, connect_timeout=CONNECT_SECONDS) as connection:
            yield connection


def _rows(connection: psycopg.Connection[Row], table: str) -> int:
    """About how many there are: counting a large table would take as long as some upgrades."""
    found = connection.execute(
        "SELECT reltuples::bigint FROM pg_class WHERE oid = to_regclass(%s)", (table,)
    ).fetchone()
    if found is None or found[0] >= _FEW_ROWS:
        return int(found[0]) if found else 0
    counted = connection.execute(f"SELECT count(*) FROM {table}".encode()).fetchone()  # noqa: S608 - our own names
    return int(counted[0]) if counted else 0
