"""Settings of the search index that a file keeps."""

from pathlib import Path

from tests.conformance.metadata.making import make_account, put_file

from skyshelf.storage.metadata.sqlite.search import SETTINGS
from skyshelf.storage.metadata.sqlite.store import SqliteStore


def settled(store: SqliteStore) -> object:
    with store.read() as unit:
        return dict(unit.sql.all("SELECT k, v FROM search_terms_config WHERE k <> 'version'"))


def test_a_store_gets_the_settings_that_it_lacks(tmp_path: Path) -> None:
    file = tmp_path / "metadata.db"
    store = SqliteStore(file)
    assert settled(store) == SETTINGS
    store.write(lambda unit: unit.sql.run("INSERT INTO search_terms (search_terms, rank) VALUES ('automerge', 8)"))
    store.close()
    store = SqliteStore(file)
    assert settled(store) == SETTINGS
    store.close()


def test_opening_a_store_that_has_them_writes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "metadata.db"
    SqliteStore(file).close()
    before = file.read_bytes()
    SqliteStore(file).close()
    assert file.read_bytes() == before


def segments(store: SqliteStore) -> int:
    """Count the segments of the search index: a search reads each."""
    with store.read() as unit:
        row = unit.sql.one("SELECT count(DISTINCT segid) FROM search_terms_idx")
    assert row is not None
    return int(row[0])


def test_writes_leave_merging_to_the_background(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "metadata.db")
    account = make_account(store)
    for number in range(20):
        put_file(store, account, account.root_key, f"{number}.txt")
    assert segments(store) >= 20
    steps = 0
    while store.write(lambda unit: unit.search.merge_some(1)):
        steps += 1
    assert steps > 0
    assert segments(store) < 10
    store.close()


def test_without_a_background_there_are_never_many_segments(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "metadata.db")
    account = make_account(store)
    for number in range(SETTINGS["crisismerge"] + 10):
        put_file(store, account, account.root_key, f"{number}.txt")
    assert segments(store) < SETTINGS["crisismerge"]
    store.close()
