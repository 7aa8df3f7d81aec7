"""The schema of a SQLite file: what an upgrade takes, the upgrade, and the way back."""

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import apsw

from skyshelf.storage.metadata.sql import migrate as migrations
from skyshelf.storage.metadata.sqlite.dialect import TYPES, SqliteSql
from skyshelf.storage.metadata.sqlite.file import Looking, connect, is_in_use, our_errors, sign
from skyshelf.storage.metadata.sqlite.search import settle_index


def applied_or_zero(connection: apsw.Connection) -> int:
    """Return the schema version of a file that may still be empty."""
    if not connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations'").get:
        return 0
    version = migrations.applied(SqliteSql(connection))
    migrations.refuse_newer(version)
    return version


class SqliteSchema:
    """The schema of one file, whatever version it has."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def plan(self) -> migrations.UpgradePlan:
        """Return what an upgrade would do; nothing is changed."""
        in_use = is_in_use(self._path)
        with our_errors(self._path), closing(Looking(self._path).connect()) as connection:

            def rows_of(table: str) -> int:
                if not connection.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (table,)).get:
                    return 0
                return int(connection.execute(f"SELECT count(*) FROM {table}").get)  # noqa: S608 - our own names

            return migrations.plan_upgrade(applied_or_zero(connection), rows_of, is_in_use=in_use)

    @contextmanager
    def reading(self) -> Iterator[SqliteSql | None]:
        """Yield what reads the file, whatever version it has; None while it is empty."""
        with our_errors(self._path), closing(Looking(self._path).connect()) as connection:
            yield SqliteSql(connection) if applied_or_zero(connection) else None

    def migrate(self, *, up_to: int | None = None, is_rehearsal: bool = False) -> list[migrations.Migration]:
        """Bring the schema up to date; two processes at once are safe, the second finds nothing to do."""
        with our_errors(self._path):
            sign(self._path)
        with our_errors(self._path), closing(connect(self._path)) as connection:
            sql = SqliteSql(connection)
            if applied_or_zero(connection) == migrations.newest():
                settle_index(sql)
                return []
            with _exclusive(sql, is_rehearsal=is_rehearsal):
                sql.run(
                    "CREATE TABLE IF NOT EXISTS schema_migrations"
                    " (number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT"
                )
                done = migrations.apply_pending(sql, TYPES, int(time.time() * 1000), up_to)
                settle_index(sql)
            return done

    def last_upgrade(self) -> list[migrations.Migration]:
        """Return the migrations of the last upgrade, newest first."""
        with our_errors(self._path), closing(Looking(self._path).connect()) as connection:
            return migrations.last_upgrade(SqliteSql(connection)) if applied_or_zero(connection) else []

    def take_back(self) -> list[migrations.Migration]:
        with our_errors(self._path), closing(connect(self._path)) as connection:
            sql = SqliteSql(connection)
            with _exclusive(sql):
                return migrations.take_back(sql, TYPES)


@contextmanager
def _exclusive(sql: SqliteSql, *, is_rehearsal: bool = False) -> Iterator[None]:
    sql.run("BEGIN IMMEDIATE")
    try:
        yield
        sql.run("ROLLBACK" if is_rehearsal else "COMMIT")
    except BaseException:
        with suppress(apsw.Error):
            sql.run("ROLLBACK")
        raise
