"""All rows of a store in another database: whole, of one moment, and into an empty place alone."""

import threading
from collections.abc import Callable
from pathlib import Path

import apsw
import psycopg
import pytest
from tests.conformance.metadata.backends import Store, open_at
from tests.conformance.metadata.making import make_account, make_folder
from tests.real_parts.postgres import PostgresServer
from tests.storage.schemas import freeze, later
from tests.storage.schemas.samples import FOLDER, SAMPLES

from skyshelf.storage.errors import StoreUnavailable
from skyshelf.storage.metadata.contracts.tree import SearchFilter
from skyshelf.storage.metadata.sql.migrate import newest
from skyshelf.storage.metadata.sql.statements import Row
from skyshelf.storage.metadata.sqlite.store import SqliteStore
from skyshelf.storage.metadata.transfer.changed_rows import copy_changed_rows
from skyshelf.storage.metadata.transfer.postgres_rows import postgres_source
from skyshelf.storage.metadata.transfer.sqlite_rows import sqlite_source
from skyshelf.storage.metadata.transfer.stores import fill, import_sqlite, rows_of
from skyshelf.storage.metadata.transfer.tables import TransferFailed, verify


def _copy(url: str, path: Path, leave_mark: Callable[[str], bool] = lambda _: False) -> None:
    """Copy all rows of a database to a file, as the first backup does."""
    copy_changed_rows(url, path, None, lambda _schema, _tables, _unchanged: set(), leave_mark)


def _silent(_done: int, _total: int) -> None:
    pass


def _sample(path: Path, version: int | None = None) -> Path:
    connection = apsw.Connection(str(path))
    connection.execute((freeze.FOLDER / f"{1 if version else newest()}.sql").read_text("utf-8"))
    connection.close()
    if version != 1:
        SqliteStore(path, migrate_to=version).close()
    return path


def _everything(url: str) -> dict[str, list[Row]]:
    with rows_of(url) as source:
        return {
            name: [row for rows in source.batches(table.in_order) for row in rows]
            for name, table in source.tables().items()
        }


def test_rows_go_to_postgres_and_back_by_way_of_a_file_and_none_is_changed(
    tmp_path: Path, postgres_server: PostgresServer
) -> None:
    original = _sample(tmp_path / "metadata.db")
    url = postgres_server.unmigrated()
    seen: list[tuple[int, int]] = []
    import_sqlite(original, url, lambda done, total: seen.append((done, total)))
    assert _everything(url) == _everything(str(original))
    assert seen == sorted(seen)
    assert seen[-1][0] == seen[-1][1] == 2 * sum(map(len, SAMPLES.values()))

    _copy(url, tmp_path / "rows.db")
    back = tmp_path / "back" / "metadata.db"
    back.parent.mkdir()
    import_sqlite(tmp_path / "rows.db", str(back), _silent)
    assert _everything(str(back)) == _everything(str(original))
    for store in (open_at(url), SqliteStore(back)):
        _is_usable(store)


def _is_usable(store: Store) -> None:
    """Numbers go on where they were, every object is found by its name, and no reference was lost."""
    try:
        with store.read() as unit:
            account = unit.accounts.by_email("ada@example.org")
            found = unit.search.page(account.account_id, SearchFilter(text="stra"), limit=9)
            assert len(found.objects) == 1
            assert unit.inspection.faults_of_the_file(deep=True) == []
        make_folder(store, account, FOLDER.hex().upper(), "new")
        assert make_account(store).account_id == 3
    finally:
        store.close()


def test_no_table_is_forgotten_and_none_may_be_missing_on_one_side(
    tmp_path: Path, postgres_server: PostgresServer
) -> None:
    """A later migration needs no line here: what is copied is what the databases have."""
    path = _sample(tmp_path / "metadata.db")
    with sqlite_source(path) as source:
        assert source.tables().keys() == SAMPLES.keys()
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TABLE later (key BLOB PRIMARY KEY, note TEXT NOT NULL, at INTEGER) STRICT")
    connection.execute("INSERT INTO later VALUES (x'00ff', 'ü', NULL)")
    connection.close()
    with postgres_server.database() as url:
        with pytest.raises(TransferFailed, match="later"):
            import_sqlite(path, url, _silent)
        with psycopg.connect(url) as direct:
            direct.execute("CREATE TABLE later (key bytea PRIMARY KEY, note text NOT NULL, at bigint)")
        import_sqlite(path, url, _silent)
        assert _everything(url)["later"] == [(b"\x00\xff", "ü", None)]
        with psycopg.connect(url) as direct:
            direct.execute("ALTER TABLE later ADD COLUMN exact boolean")
        with pytest.raises(TransferFailed, match="boolean"), rows_of(url) as changed:
            changed.tables()
        with psycopg.connect(url) as direct:
            direct.execute("DROP TABLE later")


@pytest.mark.usefixtures("later_migrations")
@pytest.mark.parametrize("version", [1, later.COUNT - 1])
def test_a_file_of_an_earlier_release_is_taken_and_brought_up_to_date(
    version: int, tmp_path: Path, postgres_server: PostgresServer
) -> None:
    old = _sample(tmp_path / "old.db", version)
    connection = apsw.Connection(str(old))
    connection.pragma("application_id", 0x534B5953)
    connection.close()
    url = postgres_server.unmigrated()
    import_sqlite(old, url, _silent)
    import_sqlite(old, str(tmp_path / "metadata.db"), _silent)
    SqliteStore(old).close()
    with sqlite_source(old) as expected:
        upgraded = _everything(str(old))
        assert expected.version == newest()
    for place in (url, str(tmp_path / "metadata.db")):
        found = _everything(place)
        # Entries are numbered by arrival, and the sample's objects arrived at once.
        assert {name: rows for name, rows in found.items() if name != "search_entries"} == {
            name: rows for name, rows in upgraded.items() if name != "search_entries"
        }


def test_a_target_with_rows_is_refused_and_left_as_it_is(tmp_path: Path, postgres_url: str) -> None:
    path = _sample(tmp_path / "metadata.db")
    store = open_at(postgres_url)
    make_account(store)
    store.close()
    other = SqliteStore(tmp_path / "other.db")
    make_account(other)
    other.close()
    for place in (postgres_url, str(tmp_path / "other.db")):
        before = _everything(place)
        with pytest.raises(TransferFailed, match=r"not empty: it has rows in account_counters, accounts"):
            import_sqlite(path, place, _silent)
        assert _everything(place) == before


@pytest.mark.whole
def test_interrupted_at_any_moment_it_leaves_an_empty_target_and_no_file(tmp_path: Path, postgres_url: str) -> None:
    path = _sample(tmp_path / "metadata.db")

    class Interrupted(BaseException):
        pass

    for at in (3, 20, sum(map(len, SAMPLES.values())) + 5):

        def stop(done: int, _total: int, at: int = at) -> None:
            if done > at:
                raise Interrupted

        for place in (postgres_url, str(tmp_path / "new.db")):
            with pytest.raises(Interrupted):
                import_sqlite(path, place, stop)
        assert not any(_everything(postgres_url).values())
        assert [one.name for one in tmp_path.iterdir()] == ["metadata.db"]
    import_sqlite(path, postgres_url, _silent)
    assert _everything(postgres_url) == _everything(str(path))


def test_a_file_of_rows_is_not_taken_for_a_store(tmp_path: Path, postgres_url: str) -> None:
    _copy(postgres_url, tmp_path / "metadata.db")
    with pytest.raises(StoreUnavailable, match="another program"):
        SqliteStore(tmp_path / "metadata.db")


def test_a_copy_of_the_rows_is_of_one_moment_while_others_write(tmp_path: Path, postgres_url: str) -> None:
    """The change feed has no holes and the counter is its last number, whatever was written in the meantime."""
    store = open_at(postgres_url)
    account = make_account(store)
    for number in range(300):
        make_folder(store, account, account.root_key, f"before {number}")
    stop, written = threading.Event(), threading.Event()

    def write() -> None:
        number = 0
        while not stop.is_set():
            make_folder(store, account, account.root_key, f"during {number}")
            number += 1
            written.set()

    def wait_for_a_write(_mark: str) -> bool:
        written.clear()
        assert written.wait(30)
        return False

    writer = threading.Thread(target=write)
    writer.start()
    try:
        assert written.wait(30)
        _copy(postgres_url, tmp_path / "cut.db", wait_for_a_write)
    finally:
        stop.set()
        writer.join()
    store.close()
    cut = _everything(str(tmp_path / "cut.db"))
    with sqlite_source(tmp_path / "cut.db") as source:
        last = source.tables()["account_counters"].position("change_seq")
    assert len(cut["objects"]) - 1 == len(cut["search_entries"]) == len(cut["changes"])
    assert cut["account_counters"][0][last] == len(cut["changes"]) >= 300


def test_what_reads_back_differently_is_an_error(tmp_path: Path, postgres_url: str) -> None:
    path = _sample(tmp_path / "metadata.db")
    with sqlite_source(path) as source:
        copied = fill(source, postgres_url, _silent)
    with psycopg.connect(postgres_url) as direct:
        direct.execute("UPDATE tags SET used_at = used_at + 1")
    with postgres_source(postgres_url) as target, pytest.raises(TransferFailed, match="table tags reads back"):
        verify(copied, target, _silent)
