"""A real PostgreSQL for the tests: started once per process of the test run, gone when that ends."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from itertools import count
from pathlib import Path

import psycopg
from psycopg.conninfo import conninfo_to_dict
from tests.real_parts import postgres_keeper

from skyshelf.storage.metadata.postgres.store import PostgresStore


@contextmanager
def running_postgres() -> Iterator[str]:
    """The URL of a server that lives as long as the block, and no longer than this process."""
    folder = Path(tempfile.mkdtemp(prefix="skyshelf-pg-"))
    # The package keeps its lock below the runtime folder of the user, and warns where there is none.
    runtime = folder / "runtime"
    runtime.mkdir(mode=0o700)
    (runtime / "python_PostgresServer").mkdir()
    keeper = subprocess.Popen(
        [sys.executable, "-I", postgres_keeper.__file__, str(folder)],
        env=os.environ | {"XDG_RUNTIME_DIR": str(runtime)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,  # a signal to the group of the test run must not reach it
    )
    assert keeper.stdin is not None
    assert keeper.stdout is not None
    try:
        url = keeper.stdout.readline().strip()
        assert url, "PostgreSQL did not start; what it said is above"
        with psycopg.connect(url, autocommit=True) as connection:
            # The tests pull no plugs: what a crash of the machine would lose need not reach the disk.
            connection.execute("ALTER SYSTEM SET fsync = off")
            connection.execute("SELECT pg_reload_conf()")
        yield url
    finally:
        keeper.stdin.close()
        keeper.wait(timeout=60)
        keeper.stdout.close()
        shutil.rmtree(folder, ignore_errors=True)


def fresh_database(url: str, name: str, template: str = "template1") -> str:
    """The URL of a new database in the server, empty unless it is a copy of another."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    return url.replace("/postgres?", f"/{name}?")


def empty_tables(url: str) -> None:
    """Take every row out of a migrated database, and everybody else who is still connected to it.

    Deleting rows is ten times as quick as making a new database, whose hundreds of files have to be written.
    """
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        connection.execute("""
            DO $$
            DECLARE filled regclass;
            BEGIN
              SET LOCAL session_replication_role = replica;
              FOR filled IN SELECT c.oid FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace
                AND c.relkind = 'r' AND c.relname <> 'schema_migrations'
              LOOP
                EXECUTE format('DELETE FROM %s', filled);
              END LOOP;
            END $$
        """)


def fresh_schema(url: str, name: str) -> str:
    """The URL of a new, empty database on the server."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'CREATE SCHEMA "{name}"')
    separator = "&" if "?" in url else "?"
    return f"{url}{separator}options=-csearch_path%3D{name}"


class PostgresServer:
    """A running server with migrated databases; one that a test is done with is emptied and used again."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._numbers = count(1)
        self._free: list[str] = []

    @contextmanager
    def database(self) -> Iterator[str]:
        """The URL of an empty, migrated database that nobody else has."""
        url = self._free.pop() if self._free else self._copy_of(self._template)
        yield url
        empty_tables(url)
        self._free.append(url)

    @contextmanager
    def large_database(self) -> Iterator[str]:
        """Make a database to fill: it is removed at the end, because emptying it would leave dead rows."""
        url = self._copy_of(self._template)
        yield url
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(f'DROP DATABASE "{_name_of(url)}" WITH (FORCE)')

    def unmigrated(self) -> str:
        """The URL of a database in which there is nothing at all."""
        return fresh_database(self.url, f"test_{next(self._numbers)}")

    @cached_property
    def _template(self) -> str:
        """The name of a migrated database that is copied, which is much quicker than migrating another."""
        url = self.unmigrated()
        store = PostgresStore(url)
        store.migrate()
        store.close()
        return _name_of(url)

    def _copy_of(self, template: str) -> str:
        return fresh_database(self.url, f"test_{next(self._numbers)}", template)


def _name_of(url: str) -> str:
    return conninfo_to_dict(url)["dbname"]  # type: ignore[return-value]
