"""The PostgreSQL store: what it needs of its server, and what it survives."""

import logging
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from tests.conformance.metadata.making import NOW, in_parallel, make_account, make_folder, new_key
from tests.conformance.metadata.reading import assert_books_balance, listing
from tests.real_parts.postgres import PostgresServer, running_postgres

from skyshelf.storage.errors import StoreNeedsMigration, StoreTooNew, StoreUnavailable
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.tree import NewFolder
from skyshelf.storage.metadata.postgres.store import PostgresStore
from skyshelf.storage.metadata.sql.migrate import migrations, newest
from skyshelf.storage.metadata.sql.unit import Unit


@pytest.fixture
def store(postgres_url: str) -> Iterator[PostgresStore]:
    store = PostgresStore(postgres_url)
    yield store
    store.close()


@pytest.fixture
def account(store: PostgresStore) -> Account:
    return make_account(store)


def _end_all_connections(url: str) -> int:
    """What a server does when it is told to restart; how many it ended."""
    with psycopg.connect(url, autocommit=True) as connection:
        rows = connection.execute(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        ).fetchall()
    return len(rows)


def _end_this_connection(unit: Unit) -> None:
    """A work whose own connection goes away under it."""
    unit.sql.one("SELECT pg_terminate_backend(pg_backend_pid())")


def test_a_database_that_was_never_migrated_is_refused_with_the_command_to_run(
    postgres_server: PostgresServer,
) -> None:
    store = PostgresStore(postgres_server.unmigrated())
    with pytest.raises(StoreNeedsMigration, match=f"version 0.*needs {newest()}.*skyshelf admin upgrade"):
        store.require_current()
    with pytest.raises(StoreUnavailable):
        store.check()
    assert [one.number for one in store.migrate()] == list(range(1, newest() + 1))
    store.require_current()
    store.check()
    store.close()


@pytest.mark.usefixtures("later_migrations")
def test_a_database_that_was_half_migrated_is_refused_and_then_finished(postgres_server: PostgresServer) -> None:
    store = PostgresStore(postgres_server.unmigrated())
    store.migrate(up_to=1)
    with pytest.raises(StoreNeedsMigration, match="version 1"):
        store.require_current()
    assert store.migrate() == list(migrations()[1:])
    assert store.migrate() == []
    store.require_current()
    store.close()


def test_a_database_of_a_newer_version_is_refused_and_not_migrated(postgres_server: PostgresServer) -> None:
    url = postgres_server.unmigrated()
    store = PostgresStore(url)
    store.migrate()
    with psycopg.connect(url) as newer:
        newer.execute("INSERT INTO schema_migrations VALUES (%s, 'from the future', 0)", (newest() + 1,))
    with pytest.raises(StoreTooNew, match=f"version {newest() + 1}"):
        store.require_current()
    with pytest.raises(StoreTooNew):
        store.migrate()
    store.close()


@pytest.mark.usefixtures("later_migrations")
def test_many_who_migrate_at_once_migrate_once(postgres_server: PostgresServer) -> None:
    url = postgres_server.unmigrated()

    def migrate(_number: int) -> int:
        store = PostgresStore(url)
        try:
            return len(store.migrate())
        finally:
            store.close()

    assert sorted(in_parallel(4, migrate)) == [0, 0, 0, newest()]


def test_a_migration_that_fails_leaves_nothing(postgres_server: PostgresServer) -> None:
    url = postgres_server.unmigrated()
    with psycopg.connect(url) as other:
        other.execute("CREATE TABLE uploads (in_the_way text)")
    store = PostgresStore(url)
    with pytest.raises(psycopg.errors.DuplicateTable):
        store.migrate()
    with psycopg.connect(url) as other:
        tables = other.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        assert tables == [("uploads",)]
        other.execute("DROP TABLE uploads")
    assert len(store.migrate()) == newest()
    store.close()


def test_an_answer_means_on_disk_even_where_the_server_is_laxer(postgres_url: str) -> None:
    with psycopg.connect(postgres_url, autocommit=True) as admin:
        name = admin.info.dbname
        admin.execute(f'ALTER DATABASE "{name}" SET synchronous_commit = off')
    try:
        store = PostgresStore(postgres_url)
        assert store.write(lambda unit: unit.sql.one("SHOW synchronous_commit")) == ("on",)
        store.close()
    finally:
        with psycopg.connect(postgres_url, autocommit=True) as admin:
            admin.execute(f'ALTER DATABASE "{name}" RESET synchronous_commit')


@pytest.mark.whole
def test_connections_that_the_server_ended_are_replaced_without_anybody_noticing(
    store: PostgresStore, account: Account, postgres_url: str
) -> None:
    for number in range(2):
        make_folder(store, account, account.root_key, f"{number}")
        assert _end_all_connections(postgres_url) >= 1
        assert len(listing(store, account, account.root_key)) == number + 1
        assert _end_all_connections(postgres_url) >= 1
    make_folder(store, account, account.root_key, "last")
    assert_books_balance(store, account)


def test_a_work_whose_connection_is_lost_before_the_commit_runs_again(store: PostgresStore, account: Account) -> None:
    runs: list[int] = []

    def work(unit: Unit) -> str:
        runs.append(1)
        new = NewFolder(object_key=new_key(), parent_key=account.root_key, name="once")
        unit.tree.add_folder(account.account_id, new, NOW)
        if len(runs) < 3:
            _end_this_connection(unit)
        return "done"

    assert store.write(work) == "done"
    assert len(runs) == 3
    assert listing(store, account, account.root_key) == ["once"]
    assert_books_balance(store, account)


def test_work_whose_connection_is_lost_every_time_fails(store: PostgresStore, account: Account) -> None:
    with pytest.raises(StoreUnavailable):
        store.write(_end_this_connection)
    make_folder(store, account, account.root_key, "goes on")


def test_a_connection_lost_at_the_commit_is_not_tried_again(
    store: PostgresStore, account: Account, postgres_url: str
) -> None:
    """Nobody knows whether such a commit happened: to run the work again could do it twice."""
    runs: list[int] = []

    def work(unit: Unit) -> None:
        runs.append(1)
        new = NewFolder(object_key=new_key(), parent_key=account.root_key, name="perhaps")
        unit.tree.add_folder(account.account_id, new, NOW)
        _end_all_connections(postgres_url)

    with pytest.raises(StoreUnavailable):
        store.write(work)
    assert runs == [1]
    assert listing(store, account, account.root_key) == []


def test_works_that_wait_for_each_other_both_succeed(store: PostgresStore) -> None:
    accounts = [make_account(store), make_account(store)]
    both_hold_one = threading.Barrier(2)
    runs: list[int] = []

    def work_of(number: int, unit: Unit) -> int:
        first, second = accounts[number], accounts[1 - number]
        runs.append(number)
        new = NewFolder(object_key=new_key(), parent_key=first.root_key, name=f"first of {number}")
        unit.tree.add_folder(first.account_id, new, NOW)
        if len(runs) <= 2:  # later runs are those that come after the deadlock
            both_hold_one.wait(30)
        new = NewFolder(object_key=new_key(), parent_key=second.root_key, name=f"second of {number}")
        unit.tree.add_folder(second.account_id, new, NOW)
        return number

    assert in_parallel(2, lambda number: store.write(lambda unit: work_of(number, unit))) == [0, 1]
    assert len(runs) >= 3, "one that is repeated may meet the other once more"
    assert listing(store, accounts[0], accounts[0].root_key) == ["first of 0", "second of 1"]
    assert_books_balance(store, *accounts)


def test_a_server_that_is_not_there_is_said_so_without_the_password(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with pytest.raises(StoreUnavailable) as refusal:
        PostgresStore("postgresql://someone:s3cret-w0rd@127.0.0.1:1/drive", timeout=0.5)
    assert "127.0.0.1" in str(refusal.value)
    assert "s3cret-w0rd" not in f"{refusal.value!r} {refusal.value.__cause__!r} {caplog.text}"


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://someone:100%s3cret-w0rd@127.0.0.1/drive",
        "postgresql://someone:s3cret-w0rd@127.0.0.1/drive?nonsense=s3cret-w0rd",
        "host=127.0.0.1 password=s3cret-w0rd nonsense",
    ],
)
def test_a_malformed_url_is_said_so_without_quoting_it(url: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with pytest.raises(StoreUnavailable, match="malformed") as refusal:
        PostgresStore(url, timeout=0.5)
    assert "s3cret-w0rd" not in str(refusal.value)
    # What a log would print below it: nothing.
    assert refusal.value.__cause__ is None
    assert refusal.value.__suppress_context__
    assert "s3cret-w0rd" not in caplog.text


def test_a_wrong_password_is_not_repeated(postgres_url: str) -> None:
    host = postgres_url.partition("host=")[2]
    with pytest.raises(StoreUnavailable) as refusal:
        PostgresStore(f"postgresql://nobody:s3cret-w0rd@/drive?host={host}", timeout=0.5)
    assert "nobody" in str(refusal.value)
    assert "s3cret-w0rd" not in str(refusal.value)


@pytest.mark.whole
def test_a_server_that_stops_is_unavailable_and_never_silently_wrong() -> None:
    with running_postgres() as url:
        store = PostgresStore(url)
        store.migrate()
        account = make_account(store)
        make_folder(store, account, account.root_key, "before")
        # Only now: a busy machine may take its time to open connections, and no more of them come.
        store._pool.timeout = 1
    with pytest.raises(StoreUnavailable):
        store.check()
    with pytest.raises(StoreUnavailable):
        listing(store, account, account.root_key)
    with pytest.raises(StoreUnavailable):
        make_folder(store, account, account.root_key, "after")
    store.close()


def test_more_callers_than_connections_take_turns(postgres_url: str) -> None:
    store = PostgresStore(postgres_url, connections=2)
    account = make_account(store)
    with ThreadPoolExecutor(12) as pool:
        names = list(pool.map(lambda n: make_folder(store, account, account.root_key, f"{n:02}").name, range(36)))
    assert listing(store, account, account.root_key) == names
    store.close()
