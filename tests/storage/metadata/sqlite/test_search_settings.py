"""Settings of the search index that a file keeps."""

from pathlib import Path

from skyshelf.storage.metadata.sqlite.search import DELETED_BEFORE_MERGE
from skyshelf.storage.metadata.sqlite.store import SqliteStore

BEFORE_THERE_WAS_A_SEARCH = 5


def settled(store: SqliteStore) -> object:
    with store.read() as unit:
        return unit.sql.one("SELECT v FROM search_terms_config WHERE k = 'deletemerge'")


def test_a_store_gets_the_settings_however_old_it_is(tmp_path: Path) -> None:
    file = tmp_path / "metadata.db"
    SqliteStore(file, migrate_to=BEFORE_THERE_WAS_A_SEARCH).close()
    store = SqliteStore(file)
    assert settled(store) == (DELETED_BEFORE_MERGE,)
    store.write(lambda unit: unit.sql.run("INSERT INTO search_terms (search_terms, rank) VALUES ('deletemerge', 10)"))
    store.close()
    store = SqliteStore(file)
    assert settled(store) == (DELETED_BEFORE_MERGE,)
    store.close()


def test_opening_a_store_that_has_them_writes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "metadata.db"
    SqliteStore(file).close()
    before = file.read_bytes()
    SqliteStore(file).close()
    assert file.read_bytes() == before
