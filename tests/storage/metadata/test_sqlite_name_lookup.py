"""How SQLite finds out whether names are taken: one search for each name, however much the account has."""

from pathlib import Path

from tests.conformance.metadata.making import apply, make_account, make_folder
from tests.storage.metadata.noted_statements import NotedStore

from skyshelf.storage.metadata.sqlite import SqliteStore
from skyshelf.storage.metadata.tree import Rename


def test_names_are_looked_up_by_folder_and_name(tmp_path: Path) -> None:
    store = NotedStore(SqliteStore(tmp_path / "metadata.db"))
    account = make_account(store)
    folder = make_folder(store, account, account.root_key, "a")
    store.noted.clear()
    apply(store, account, Rename(folder.object_key, "b"))
    (look_up,) = [(text, params) for text, params in store.noted if "pairs" in params]
    with store.store.read() as unit:
        steps = [row[3] for row in unit.sql.all(f"EXPLAIN QUERY PLAN {look_up[0]}", look_up[1])]
    store.close()
    assert any("account_id=? AND parent_key=? AND name=?" in step for step in steps), steps
