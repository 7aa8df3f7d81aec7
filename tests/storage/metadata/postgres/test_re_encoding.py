"""Re-encoding beside writers: it waits for nobody, so it can never be part of a deadlock."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.conformance.metadata.making import NOW, make_account, make_folder, new_key
from tests.conformance.metadata.new_encoding import upgrade_encoding

from skyshelf.storage.metadata.contracts.tree import NewFolder, Rename
from skyshelf.storage.metadata.postgres.store import PostgresStore
from skyshelf.storage.metadata.sql.unit import Unit


def test_a_row_that_is_being_written_is_left_to_its_writer(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store = PostgresStore(postgres_url)
    account = make_account(store)
    folder = make_folder(store, account, account.root_key, "folder").object_key
    upgrade_encoding(monkeypatch)
    written, may_commit = threading.Event(), threading.Event()

    def rename(unit: Unit) -> None:
        unit.tree.apply(account.account_id, [Rename(folder, "renamed")], NOW)
        # A row that only gains a child can be rewritten: nothing of it is locked but its key.
        child = NewFolder(object_key=new_key(), parent_key=account.root_key, name="child")
        unit.tree.add_folder(account.account_id, child, NOW)
        written.set()
        assert may_commit.wait(60)

    stale = [(account.account_id, account.root_key), (account.account_id, folder)]
    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(store.write, rename)
        try:
            assert written.wait(60)
            assert store.write(lambda unit: unit.wire_cache.re_encode(stale)) == 1
        finally:
            may_commit.set()
        writing.result()
    with store.read() as unit:
        assert unit.wire_cache.stale(None, limit=9).found == []
        assert unit.tree.get(account.account_id, folder).name == "renamed"
    store.close()
