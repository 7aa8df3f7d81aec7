"""A database that grows is counted while it grows, and not when the server's own round comes by."""

from collections.abc import Iterator

import psycopg
import pytest
from tests.conformance.metadata.making import NOW, make_account, new_file
from tests.real_parts.postgres import PostgresServer

from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.postgres.store import COUNTING_LOCK, FEW_ROWS, PostgresStore


class Counted:
    """A store whose tables nobody counts but the store itself."""

    def __init__(self, url: str) -> None:
        self.url = url
        # One connection, so that what it has done is told to the statistics before it looks at them.
        self.store = PostgresStore(url, connections=1)
        self.store.migrate()
        self.account: Account = make_account(self.store)
        self._put = 0
        with psycopg.connect(url) as connection:
            for table in ("objects", "changes"):
                connection.execute(f"ALTER TABLE {table} SET (autovacuum_enabled = off)".encode())

    def put(self, count: int) -> None:
        numbers = range(self._put, self._put + count)
        files = [new_file(self.account.root_key, f"{number}", b"the same") for number in numbers]
        self._put += count
        self.store.write(lambda unit: unit.files.put_many(self.account.account_id, files, NOW, keep_versions=20))

    def look(self) -> tuple[int, int]:
        """One look of the store; how often the objects were counted by now, and how many they are taken for."""
        with self.store.read() as unit:
            unit.sql.one("SELECT pg_stat_force_next_flush()::text")
        self.store.analyze_grown_tables()
        with self.store.read() as unit:
            row = unit.sql.one(
                "SELECT analyze_count, reltuples::bigint FROM pg_stat_user_tables JOIN pg_class ON oid = relid"
                " WHERE relid = 'objects'::regclass"
            )
        assert row is not None
        return row[0], row[1]


@pytest.fixture
def counted(postgres_server: PostgresServer) -> Iterator[Counted]:
    counted = Counted(postgres_server.unmigrated())
    yield counted
    counted.store.close()


@pytest.mark.whole
def test_tables_are_counted_when_many_rows_came_in_and_then_each_time_they_double(counted: Counted) -> None:
    counted.put(FEW_ROWS // 2)
    assert counted.look() == (0, -1)
    counted.put(FEW_ROWS)
    times, rows = counted.look()
    assert (times, rows > FEW_ROWS) == (1, True)
    counted.put(FEW_ROWS)
    assert counted.look() == (1, rows)
    counted.put(FEW_ROWS)
    times, rows = counted.look()
    assert (times, rows > 3 * FEW_ROWS) == (2, True)


def test_of_several_instances_one_counts_and_the_others_do_not_wait_for_it(counted: Counted) -> None:
    counted.put(2 * FEW_ROWS)
    with psycopg.connect(counted.url) as other:
        other.execute("SELECT pg_advisory_xact_lock(%s)", (COUNTING_LOCK,))
        assert counted.look() == (0, -1)
    assert counted.look()[0] == 1
