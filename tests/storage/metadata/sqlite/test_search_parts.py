"""How many parts the search index gets: every search reads all of them, and they are merged while others wait."""

from collections.abc import Sequence
from contextlib import closing
from itertools import groupby
from pathlib import Path

import apsw
import pytest
from tests.conformance.metadata.making import NOW, apply, make_account, new_file

from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.files import NewFile, PutOutcome
from skyshelf.storage.metadata.contracts.tree import Rename, SearchFilter, StoredObject
from skyshelf.storage.metadata.search_index import ENTRIES_PER_ACCOUNT, IndexedFields, IndexedObject, object_terms
from skyshelf.storage.metadata.sql.unit import Unit
from skyshelf.storage.metadata.sqlite.search import PART_BITS, PARTS_AT_ONCE, rowid_of
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


# Terms belong to a part of the entries, so that no list of entries grows without end.

PARTS = 3 * max(PARTS_AT_ONCE)


def in_many_parts(store: SqliteStore, account: Account, names: Sequence[str]) -> None:
    """Files of which each has a part of its own."""
    files = [new_file(account.root_key, name) for name in names]
    store.write(lambda unit: unit.files.put_many(account.account_id, files, NOW, keep_versions=20))

    def spread(unit: Unit) -> None:
        for (entry,) in unit.sql.all("SELECT entry FROM search_entries ORDER BY entry DESC"):
            low = account.account_id * ENTRIES_PER_ACCOUNT
            params = {"entry": entry, "there": low + ((entry - low) << PART_BITS)}
            unit.sql.run("UPDATE search_entries SET entry = :there WHERE entry = :entry", params)
        unit.sql.run("INSERT INTO search_terms (search_terms) VALUES ('delete-all')")
        stored = [unit.tree.get(account.account_id, key) for key, _ in _objects(store, account)]
        unit.sql.search_index.change([_indexed(one) for one in stored])

    store.write(spread)


def _indexed(stored: StoredObject) -> IndexedObject:
    times = (stored.last_modified_at, stored.file_created_at, stored.taken_at)
    what = IndexedFields(stored.name, stored.source_folder, stored.is_folder, stored.mime_type, stored.size, *times)
    return IndexedObject(stored.account_id, stored.object_key, object_terms(what))


def put(store: SqliteStore, account: Account, file: NewFile) -> None:
    store.write(lambda unit: unit.files.put(account.account_id, file, NOW, keep_versions=20))


def found(store: SqliteStore, account: Account, text: str, limit: int = 50) -> list[list[str]]:
    """The names on each page."""
    pages, after = [], None
    while True:
        with store.read() as unit:
            page = unit.search.page(account.account_id, SearchFilter(text=text), limit=limit, after=after)
        pages.append([one.split(b'"objectName":"', 1)[1].split(b'"', 1)[0].decode() for one in page.objects])
        if (after := page.next) is None:
            return pages


def terms(file: Path) -> dict[str, int]:
    """All terms of the index, with the number of entries that have each."""
    with closing(apsw.Connection(str(file))) as connection:
        connection.execute("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, 'search_terms', 'row')").close()
        return {str(term): int(count) for term, count in connection.execute("SELECT term, doc FROM temp.vocabulary")}


def test_a_search_goes_through_all_parts_newest_first(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "metadata.db")
    account = make_account(store)
    names = [f"holiday {number:03d} {'owl' if number == 0 else 'seal'}.jpg" for number in range(PARTS)]
    in_many_parts(store, account, names)
    newest_first = names[::-1]
    everything = found(store, account, "holiday", limit=PARTS + 1)
    in_pages = found(store, account, "seal", limit=7)
    assert everything == [newest_first]
    assert [name for page in in_pages for name in page] == newest_first[:-1]
    assert [len(page) for page in in_pages[:-1]] == [7] * (len(in_pages) - 1)
    assert found(store, account, "owl") == [names[:1]]
    assert found(store, account, "heron") == [[]]
    (owl,) = (key for key, name in _objects(store, account) if name == names[0])
    apply(store, account, Rename(owl, "holiday 000 heron.jpg"))
    assert found(store, account, "heron") == [["holiday 000 heron.jpg"]]
    assert found(store, account, "owl") == [[]]
    store.close()


def test_no_term_has_entries_of_two_parts_or_two_accounts(tmp_path: Path) -> None:
    file = tmp_path / "metadata.db"
    store = SqliteStore(file)
    accounts = [make_account(store, f"{name}@example.com") for name in ("anna", "ben")]
    for account in accounts:
        same = new_file(account.root_key, "the same name.txt")
        put(store, account, same)
    assert set(terms(file).values()) == {1}
    in_many_parts(store, make_account(store, "carl@example.com"), ["the same name (1).txt", "the same name (2).txt"])
    assert set(terms(file).values()) == {1}
    store.close()


def _objects(store: SqliteStore, account: Account) -> list[tuple[str, str]]:
    with store.read() as unit:
        children = unit.tree.children(account.account_id, account.root_key, limit=2 * PARTS)
    return [(one.object_key, one.name) for one in children]


PLACES = 509
"""About as many as a table of deleted rows has on a page."""


def test_rows_that_follow_each_other_do_not_stand_in_a_row_in_tables_of_deleted_ones() -> None:
    entries = [7 * ENTRIES_PER_ACCOUNT + number for number in range(1, PLACES // 2)]
    with closing(apsw.Connection(":memory:")) as connection:
        rowids = [connection.execute(f"SELECT {rowid_of('?1')}", (entry,)).get for entry in entries]
    assert rowids == sorted(set(rowids))
    assert all(rowid // ENTRIES_PER_ACCOUNT == 7 for rowid in rowids)
    taken = sorted({rowid % PLACES for rowid in rowids})
    assert len(taken) > PLACES // 4
    longest = max(len(list(run)) for _, run in groupby(enumerate(taken), key=lambda pair: pair[1] - pair[0]))
    assert longest < PLACES // 20
