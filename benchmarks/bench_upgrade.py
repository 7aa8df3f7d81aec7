"""`./dev bench upgrade`: the time of each migration on a store with many files, on both databases.

The estimates of `skyshelf admin upgrade --check` are made of these figures. Until a release has a second migration,
those that the tests make up are measured: a new column with an index, new tables, and work on rows in Python.
"""

import argparse
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path

import apsw
import psycopg
import pytest
from tests.real_parts.postgres import fresh_database, running_postgres
from tests.storage.schemas.later import use_later
from tests.storage.schemas.samples import PHOTO, SAMPLES, Scalar, samples_for

from benchmarks.tables import once, print_table, short
from skyshelf.storage.metadata.postgres.store import PostgresStore
from skyshelf.storage.metadata.sql.migrate import migrations
from skyshelf.storage.metadata.sqlite.store import SqliteStore

_FIRST = 1
Insert = Callable[[str, list[str], list[tuple[Scalar, ...]]], None]


def fill(columns_of: Callable[[str], set[str]], insert: Insert, files: int) -> None:
    """The sample rows of every table, and one of the files many times."""
    for table in SAMPLES:
        for row in samples_for(table, known) if (known := columns_of(table)) else []:
            insert(table, list(row), [tuple(row.values())])
    (photo,) = (row for row in samples_for("objects", columns_of("objects")) if row["object_key"] == PHOTO)
    copies = [
        tuple((photo | {"object_key": number.to_bytes(16, "big"), "name": f"IMG_{number:08d}.jpg"}).values())
        for number in range(files)
    ]
    insert("objects", list(photo), copies)


@contextmanager
def sqlite(files: int) -> Iterator[Callable[[int], object]]:
    """Something that brings a filled store to a version."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "metadata.db"
        SqliteStore(path, migrate_to=_FIRST).close()
        with closing(apsw.Connection(str(path))) as connection:

            def insert(table: str, columns: list[str], rows: list[tuple[Scalar, ...]]) -> None:
                marks = ", ".join("?" for _ in columns)
                with connection:
                    connection.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", rows)

            def columns_of(table: str) -> set[str]:
                return {str(row[1]) for row in connection.execute(f"PRAGMA table_info({table})")}

            fill(columns_of, insert, files)
        yield lambda version: SqliteStore(path, migrate_to=version).close()


@contextmanager
def postgres(files: int) -> Iterator[Callable[[int], object]]:
    """Something that brings a filled PostgreSQL database to a version."""
    with running_postgres() as server:
        url = fresh_database(server, "upgrade")
        store = PostgresStore(url)
        store.migrate(up_to=_FIRST)
        with psycopg.connect(url) as connection:

            def insert(table: str, columns: list[str], rows: list[tuple[Scalar, ...]]) -> None:
                marks = ", ".join("%s" for _ in columns)
                text = f"INSERT INTO {table} ({', '.join(columns)}) OVERRIDING SYSTEM VALUE VALUES ({marks})"
                with connection.cursor() as cursor:
                    cursor.executemany(text.encode(), rows)

            def columns_of(table: str) -> set[str]:
                found = connection.execute(
                    "SELECT column_name FROM information_schema.columns"
                    " WHERE table_schema = 'public' AND table_name = %s",
                    (table,),
                )
                return {str(name) for (name,) in found}

            fill(columns_of, insert, files)
        store.analyze()
        try:
            yield lambda version: store.migrate(up_to=version)
        finally:
            store.close()


def main() -> None:
    parser = argparse.ArgumentParser(prog="./dev bench upgrade", description=__doc__)
    parser.add_argument("--files", type=int, default=200_000, help="in the store (default: 200,000)")
    files = parser.parse_args().files
    took: dict[str, list[float]] = {}
    with made_up() if len(migrations()) == _FIRST else nullcontext():
        measure(files, took)
    rows = [
        [name, *(short(one) for one in both), *(f"{one * 1000 / files:.1f}" for one in both)]
        for name, both in took.items()
    ]
    head = ["migration", "SQLite, ms", "PostgreSQL, ms", "SQLite, µs per file", "PostgreSQL, µs per file"]
    print_table(f"Migrations of a store with {files:,} files:", head, rows, name="migrations")


@contextmanager
def made_up() -> Iterator[None]:
    """Let the program know the migrations of the tests."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as monkeypatch:
        use_later(Path(folder), monkeypatch)
        yield


def measure(files: int, took: dict[str, list[float]]) -> None:
    for place in (sqlite, postgres):
        with place(files) as bring_to:
            for migration in migrations()[_FIRST:]:
                took.setdefault(str(migration), []).append(once(lambda: bring_to(migration.number)))  # noqa: B023 - runs at once


if __name__ == "__main__":
    main()
