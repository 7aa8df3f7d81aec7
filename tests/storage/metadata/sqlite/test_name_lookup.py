"""How SQLite finds out whether names are taken: one search for each name, however much the account has."""

from pathlib import Path

from tests.conformance.metadata.making import NOW, make_account, make_folder
from tests.conformance.metadata.recording import statements_of_write

from skyshelf.storage.metadata.contracts.tree import Rename
from skyshelf.storage.metadata.sqlite.store import SqliteStore


def test_names_are_looked_up_by_folder_and_name(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "metadata.db")
    account = make_account(store)
    change = Rename(make_folder(store, account, account.root_key, "a").object_key, "b")
    ran = statements_of_write(store, lambda unit: unit.tree.apply(account.account_id, [change], NOW))
    ((look_up, params),) = [(text, params) for text, params in ran if "pairs" in params]
    with store.read() as unit:
        steps = [row[3] for row in unit.sql.all(f"EXPLAIN QUERY PLAN {look_up}", params)]
    store.close()
    assert any("account_id=? AND parent_key=? AND name=?" in step for step in steps), steps
