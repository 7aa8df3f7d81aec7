"""Many rows in one statement are the rows that one statement for each would write."""

from collections.abc import Iterator

import psycopg
import pytest
from tests.conformance.metadata.making import NOW, make_account, new_file
from tests.real_parts.postgres import PostgresServer

from skyshelf.storage.metadata.postgres.dialect import ROWS_AT_ONCE, PostgresSql, accept_arrays
from skyshelf.storage.metadata.postgres.store import PostgresStore
from skyshelf.storage.metadata.sql.statements import Params

ROWS: list[Params] = [
    {"number": 1, "name": "", "data": b"", "some": None, "none": None},
    {"number": -(2**63), "name": "plain", "data": b"\x00\xff", "some": "x", "none": None},
    {"number": 2**63 - 1, "name": "NULL", "data": b"NULL", "some": None, "none": None},
    {"number": 0, "name": '"{},\\ 東京 é', "data": b"{}", "some": "", "none": None},
    {"number": 7, "name": "::text :name %s %(name)s", "data": b"x" * 5000, "some": "y" * 5000, "none": None},
]


@pytest.fixture
def sql(postgres_url: str) -> Iterator[PostgresSql]:
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        accept_arrays(connection)
        yield PostgresSql(connection)


def test_every_value_arrives_as_it_was(sql: PostgresSql) -> None:
    sql.run(
        "CREATE TEMPORARY TABLE kept (number BIGINT, name TEXT, data BYTEA, maybe TEXT, nothing BIGINT, always INT)"
    )
    insert = (
        "INSERT INTO kept (number, name, data, maybe, nothing, always)"
        " VALUES (:number, :name::text, :data, :some, :none, 5)"
    )
    assert len(ROWS) >= ROWS_AT_ONCE
    for few in (ROWS, ROWS[:1], []):
        sql.run("DELETE FROM kept")
        sql.insert_many(insert, few)
        assert sql.all("SELECT * FROM kept") == [(*row.values(), 5) for row in few]


def test_an_existing_row_is_changed_as_the_statement_says(sql: PostgresSql) -> None:
    sql.run("CREATE TEMPORARY TABLE counted (name TEXT PRIMARY KEY, many BIGINT)")
    add = (
        "INSERT INTO counted (name, many) VALUES (:name, :many)"
        " ON CONFLICT (name) DO UPDATE SET many = counted.many + excluded.many"
    )
    for first in range(3):
        sql.insert_many(add, [{"name": f"{number}", "many": 10} for number in range(first, first + 4)])
    expected = [("0", 10), ("1", 20), ("2", 30), ("3", 30), ("4", 20), ("5", 10)]
    assert sql.all("SELECT name, many FROM counted ORDER BY name") == expected


def test_tables_that_were_empty_are_counted_once_much_came_in(postgres_server: PostgresServer) -> None:
    store = PostgresStore(postgres_server.unmigrated())
    try:
        store.migrate()
        account = make_account(store)
        files = [new_file(account.root_key, f"{number}", b"%d" % number) for number in range(300)]
        store.write(lambda unit: unit.files.put_many(account.account_id, files, NOW, keep_versions=20))
        store.note_bulk_write()
        with store.read() as unit:
            rows = unit.sql.all(
                "SELECT reltuples FROM pg_class WHERE oid IN ('objects'::regclass, 'search_entries'::regclass)"
            )
        assert [count >= 300 for (count,) in rows] == [True, True]
    finally:
        store.close()
