"""Old stores become new ones: every version there has been, with rows in every table, on both databases."""

import re
from pathlib import Path
from typing import Any

import apsw
import psycopg
import pytest
from tests.conformance.metadata.making import make_folder
from tests.real_parts.postgres import PostgresServer
from tests.storage.schemas import freeze, later
from tests.storage.schemas.samples import FOLDER, NOW, SAMPLES, TRASHED, Scalar, samples_for

from skyshelf.storage.metadata.postgres.dialect import TYPES as POSTGRES_TYPES
from skyshelf.storage.metadata.postgres.store import PostgresStore
from skyshelf.storage.metadata.sql.migrate import migrations, newest
from skyshelf.storage.metadata.sqlite.dialect import TYPES as SQLITE_TYPES
from skyshelf.storage.metadata.sqlite.store import SqliteStore
from skyshelf.storage.metadata.wire_cache import encode_object

VERSIONS = range(1, newest() + 1)
Row = dict[str, Scalar]


def _load_dump(version: int, path: Path) -> None:
    connection = apsw.Connection(str(path))
    try:
        connection.execute((freeze.FOLDER / f"{version}.sql").read_text("utf-8"))
    finally:
        connection.close()


def _known(columns: set[str], rows: list[Row]) -> list[str]:
    """Sample rows as far as a version has their columns, in a form that can be compared."""
    return sorted(repr({name: value for name, value in sorted(row.items()) if name in columns}) for row in rows)


class Sqlite:
    """A SQLite file as the tests read it."""

    def __init__(self, path: Path) -> None:
        self._connection = apsw.Connection(str(path))

    def tables(self) -> dict[str, set[str]]:
        names = [
            str(name) for (name,) in self._connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        ]
        return {
            name: {str(row[1]) for row in self._connection.execute(f"PRAGMA table_info({name})")}
            for name in names
            if name != "schema_migrations" and not name.startswith(freeze.INDEX_TABLES)
        }

    def rows(self, table: str, columns: set[str]) -> list[Row]:
        names = sorted(columns)
        rows: list[tuple[Any, ...]] = self._connection.execute(f"SELECT {', '.join(names)} FROM {table}").fetchall()
        return [dict(zip(names, row, strict=True)) for row in rows]

    def schema(self) -> list[tuple[object, ...]]:
        return sorted(self._connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema"), key=repr)

    def faults(self) -> list[object]:
        return [
            *self._connection.execute("PRAGMA foreign_key_check"),
            *(row for row in self._connection.execute("PRAGMA integrity_check") if row != ("ok",)),
        ]

    def close(self) -> None:
        self._connection.close()


def test_every_version_has_its_dump_and_no_dump_is_left_over() -> None:
    assert sorted(path.stem for path in freeze.FOLDER.glob("*.sql")) == sorted(str(version) for version in VERSIONS)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_dump_is_what_the_migrations_made_of_it(version: int) -> None:
    """A released migration is history: a change to one would not reach existing stores."""
    frozen = (freeze.FOLDER / f"{version}.sql").read_text("utf-8")
    assert freeze.dump_of(version) == frozen, "run: .venv/bin/python -m tests.storage.schemas.freeze"


def test_every_table_has_sample_rows_with_every_column(tmp_path: Path) -> None:
    SqliteStore(tmp_path / "metadata.db").close()
    database = Sqlite(tmp_path / "metadata.db")
    tables = database.tables()
    database.close()
    assert tables == {table: set(rows[0]) for table, rows in SAMPLES.items()}


@pytest.mark.parametrize("version", VERSIONS)
def test_an_old_sqlite_store_is_upgraded_when_it_is_opened(version: int, tmp_path: Path) -> None:
    path = tmp_path / "metadata.db"
    _load_dump(version, path)
    old = Sqlite(path)
    before = old.tables()
    old.close()
    SqliteStore(path).close()
    SqliteStore(tmp_path / "fresh.db").close()
    upgraded, fresh = Sqlite(path), Sqlite(tmp_path / "fresh.db")
    try:
        assert upgraded.schema() == fresh.schema()
        assert upgraded.faults() == []
        for table, columns in before.items():
            assert _known(columns, upgraded.rows(table, columns)) == _known(columns, SAMPLES[table])
    finally:
        upgraded.close()
        fresh.close()


@pytest.mark.parametrize("version", VERSIONS)
def test_an_old_postgres_store_is_upgraded_when_it_is_migrated(version: int, postgres_server: PostgresServer) -> None:
    url = postgres_server.unmigrated()
    store = PostgresStore(url)
    store.migrate(up_to=version)
    with psycopg.connect(url) as connection:
        before = _postgres_tables(connection)
        for table in [name for name in SAMPLES if name in before]:
            for row in samples_for(table, before[table]):
                marks = ", ".join("%s" for _ in row)
                connection.execute(
                    f"INSERT INTO {table} ({', '.join(row)}) OVERRIDING SYSTEM VALUE VALUES ({marks})",
                    list(row.values()),
                )
    store.migrate()
    store.require_current()
    with psycopg.connect(url) as connection, postgres_server.database() as fresh_url:
        with psycopg.connect(fresh_url) as fresh:
            assert _postgres_schema(connection) == _postgres_schema(fresh)
        for table, columns in before.items():
            names = sorted(columns)
            rows = connection.execute(f"SELECT {', '.join(names)} FROM {table}").fetchall()
            found: list[Row] = [dict(zip(names, values, strict=True)) for values in rows]
            assert _known(columns, found) == _known(columns, SAMPLES[table])
    store.close()


def _postgres_tables(connection: psycopg.Connection[tuple[object, ...]]) -> dict[str, set[str]]:
    tables: dict[str, set[str]] = {}
    for table, column in connection.execute(
        "SELECT table_name, column_name FROM information_schema.columns"
        " WHERE table_schema = 'public' AND table_name <> 'schema_migrations'"
        # What the index has of an object, which SQLite keeps elsewhere.
        " AND (table_name, column_name) <> ('search_entries', 'terms')"
    ):
        tables.setdefault(str(table), set()).add(str(column))
    return tables


def _postgres_schema(connection: psycopg.Connection[tuple[object, ...]]) -> list[tuple[object, ...]]:
    """Columns, indexes and constraints, as the server describes them."""
    described: list[tuple[object, ...]] = []
    for query in (
        "SELECT table_name, column_name, data_type, is_nullable, column_default, collation_name, is_identity"
        " FROM information_schema.columns WHERE table_schema = 'public'",
        "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
        "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint"
        " WHERE connamespace = 'public'::regnamespace",
    ):
        described += connection.execute(query).fetchall()
    return sorted(described, key=repr)


def test_the_newest_dump_is_a_store_that_works(tmp_path: Path) -> None:
    path = tmp_path / "metadata.db"
    _load_dump(newest(), path)
    store = SqliteStore(path)
    with store.read() as unit:
        account = unit.accounts.by_email("ADA@example.org")
        trash = unit.tree.trash_page(account.account_id, limit=9)
        assert len(trash) == 1
        assert unit.tree.get(account.account_id, TRASHED.hex().upper()).status == "T"
        assert len(unit.uploads.stale(NOW, 9)) == 1
        assert unit.quotas.get(account.account_id, NOW) == unit.quotas.recount(account.account_id, NOW)
        assert unit.inspection.miscounted(limit=10) == []
    make_folder(store, account, FOLDER.hex().upper(), "new")
    store.close()


def test_migrations_are_numbered_without_holes_and_speak_both_dialects() -> None:
    assert [one.number for one in migrations()] == list(VERSIONS)
    for types in (SQLITE_TYPES, POSTGRES_TYPES):
        for migration in migrations():
            statements = migration.statements(types)
            assert statements or migration.row_work
            assert not [text for text in statements if re.search(r"[{};]|--", text)]


def test_rows_of_another_encoding_are_listed_from_their_columns(tmp_path: Path) -> None:
    path = tmp_path / "metadata.db"
    _load_dump(newest(), path)
    connection = apsw.Connection(str(path))
    connection.execute("UPDATE objects SET wire_version = 0")
    connection.close()
    store = SqliteStore(path)
    with store.read() as unit:
        account_id = unit.accounts.by_email("ADA@example.org").account_id
        (trashed,) = unit.tree.trash_page(account_id, limit=9)
        assert trashed == encode_object(unit.tree.get(account_id, TRASHED.hex().upper()))
        assert (account_id, TRASHED.hex().upper()) in unit.wire_cache.stale(None, limit=99).found
    store.close()


@pytest.mark.usefixtures("later_migrations")
def test_a_store_goes_through_several_migrations_and_keeps_its_rows(tmp_path: Path) -> None:
    path = tmp_path / "metadata.db"
    _load_dump(1, path)
    old = Sqlite(path)
    before = old.tables()
    old.close()
    assert newest() == later.COUNT
    SqliteStore(path).close()
    SqliteStore(tmp_path / "fresh.db").close()
    upgraded, fresh = Sqlite(path), Sqlite(tmp_path / "fresh.db")
    try:
        assert upgraded.tables() == fresh.tables()
        assert upgraded.faults() == []
        for table, columns in before.items():
            if table != "tags":
                assert _known(columns, upgraded.rows(table, columns)) == _known(columns, SAMPLES[table])
        assert [row["note_length"] for row in upgraded.rows("objects", {"note_length"})] == [1] * len(
            SAMPLES["objects"]
        )
        assert [row["name"] for row in upgraded.rows("tags", {"name"})] == [
            str(row["name"])[::-1] for row in SAMPLES["tags"]
        ]
    finally:
        upgraded.close()
        fresh.close()
