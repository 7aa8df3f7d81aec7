"""How many parts the search index gets: every search reads all of them, and they are merged while others wait."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.conformance.metadata.making import NOW, apply, make_account, new_file

from skyshelf.storage.metadata.contracts.files import PutOutcome
from skyshelf.storage.metadata.contracts.search import SearchFilter
from skyshelf.storage.metadata.contracts.tree import Rename
from skyshelf.storage.metadata.sqlite.store import SqliteStore

FILES = 12
"""Fewer than the sixteen parts at which FTS5 merges them at once."""


@pytest.mark.parametrize("order", [slice(None), slice(None, None, -1)], ids=["in order", "backwards"])
def test_a_batch_of_renames_makes_few_parts_in_whatever_order_they_come(tmp_path: Path, order: slice) -> None:
    store = SqliteStore(tmp_path / "metadata.db")
    account = make_account(store)
    files = [new_file(account.root_key, f"before {number}") for number in range(FILES)]
    put: Sequence[object] = store.write(
        lambda unit: unit.files.put_many(account.account_id, files, NOW, keep_versions=20)
    )
    keys = [one.object.object_key for one in put if isinstance(one, PutOutcome)]
    before = parts(store)
    apply(store, account, *[Rename(key, f"after {number}") for number, key in enumerate(keys)][order])
    assert parts(store) <= before + 2
    with store.read() as unit:
        found = {
            text: len(unit.search.page(account.account_id, SearchFilter(text=text), limit=50).objects)
            for text in ("before", "after", "after 7")
        }
    store.close()
    assert found == {"before": 0, "after": FILES, "after 7": 1}


def parts(store: SqliteStore) -> int:
    with store.read() as unit:
        row = unit.sql.one("SELECT count(DISTINCT segid) FROM search_terms_idx")
    assert row is not None
    return int(row[0])
