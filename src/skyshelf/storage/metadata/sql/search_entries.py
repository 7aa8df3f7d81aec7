"""Objects come into the search index and leave it with what is written about them."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import count

from skyshelf.storage.metadata.contracts.tree import ACTIVE, StoredObject
from skyshelf.storage.metadata.search.index import ENTRIES_PER_ACCOUNT, IndexedObject
from skyshelf.storage.metadata.search.terms import Indexed, TermBudget, object_terms
from skyshelf.storage.metadata.sql.statements import Params, Sql, key_text

_STEP = 1000


def index_new(sql: Sql, objects: Iterable[StoredObject]) -> None:
    """Objects that were inserted."""
    budget = TermBudget()
    sql.search_index.add([_indexed(one, budget) for one in objects if _can_be_found(one)])


def index_changes(sql: Sql, changed: Sequence[tuple[StoredObject, StoredObject]]) -> None:
    """Objects that were updated, as (before, after). New content makes an object the newest again."""
    added: list[IndexedObject] = []
    other_terms: list[IndexedObject] = []
    removed: dict[int, list[str]] = {}
    budget = TermBudget()
    for before, after in changed:
        was, is_ = _can_be_found(before), _can_be_found(after)
        if was and is_ and before.arrived_at == after.arrived_at:
            if _what_is_indexed(before) != _what_is_indexed(after):
                other_terms.append(_indexed(after, budget))
            continue
        if was:
            removed.setdefault(before.account_id, []).append(before.object_key)
        if is_:
            added.append(_indexed(after, budget))
    for account_id, keys in removed.items():
        sql.search_index.remove(account_id, keys)
    if added:
        sql.search_index.add(added)
    if other_terms:
        sql.search_index.change(other_terms)


def reindex(sql: Sql, stored: StoredObject) -> None:
    """Index one object again, whatever the index has of it."""
    sql.search_index.remove(stored.account_id, [stored.object_key])
    index_new(sql, [stored])


def fill_index(sql: Sql) -> None:
    """Index the objects from before the index existed: the part of the migration that SQL alone cannot do.

    It runs on the schema as that migration left it, and uses no column that came later.
    """
    sql.run(
        "INSERT INTO search_entries (entry, account_id, object_key) SELECT account_id * :entries"
        " + row_number() OVER (PARTITION BY account_id ORDER BY arrived_at, object_key), account_id, object_key"
        " FROM objects WHERE status = 'A' AND parent_key IS NOT NULL",
        {"entries": ENTRIES_PER_ACCOUNT},
    )
    for _, objects in _all_terms(sql):
        sql.search_index.change(objects)


def divide_index(sql: Sql) -> None:
    """Give the terms of all objects their parts, where an index has parts; it is empty."""
    if sql.search_index.has_parts:
        for _, objects in _all_terms(sql):
            sql.search_index.change(objects)


def undivide_index(sql: Sql) -> None:
    """Fill the empty index as servers from before the parts read it."""
    if sql.search_index.has_parts:
        for entries, objects in _all_terms(sql):
            pairs = zip(entries, objects, strict=True)
            rows: list[Params] = [{"entry": entry, "terms": " ".join(one.terms)} for entry, one in pairs]
            sql.insert_many("REPLACE INTO search_terms (rowid, terms) VALUES (:entry, :terms)", rows)


def _all_terms(sql: Sql) -> Iterator[tuple[list[int], list[IndexedObject]]]:
    """All entries in their order, in steps, each with its object and the object's terms."""
    last = -1
    while rows := sql.all(
        "SELECT e.entry, e.account_id, e.object_key, o.name, o.source_folder, o.kind, o.mime_type,"
        " o.size, o.last_modified_at, o.file_created_at, o.taken_at"
        " FROM search_entries e JOIN objects o ON o.account_id = e.account_id AND o.object_key = e.object_key"
        " WHERE e.entry > :last ORDER BY e.entry LIMIT :step",
        {"last": last, "step": _STEP},
    ):
        yield (
            [row[0] for row in rows],
            [
                IndexedObject(
                    account_id,
                    key_text(key),
                    object_terms(Indexed(name, source_folder, kind == 0, mime_type, *numbers)),
                )
                for _, account_id, key, name, source_folder, kind, mime_type, *numbers in rows
            ],
        )
        last = rows[-1][0]


def _can_be_found(stored: StoredObject) -> bool:
    """Whether it is in the index: trashed objects and roots are not."""
    return stored.status == ACTIVE and stored.parent_key is not None


def _what_is_indexed(stored: StoredObject) -> Indexed:
    return Indexed(
        stored.name,
        stored.source_folder,
        stored.is_folder,
        stored.mime_type,
        stored.size,
        stored.last_modified_at,
        stored.file_created_at,
        stored.taken_at,
    )


def _indexed(stored: StoredObject, budget: TermBudget) -> IndexedObject:
    return IndexedObject(stored.account_id, stored.object_key, budget.terms_of(_what_is_indexed(stored)))


# The entries that objects get in the search index: in each account, the numbers that follow the highest there is.


def numbered(sql: Sql, objects: Sequence[IndexedObject]) -> Iterator[tuple[int, IndexedObject]]:
    """Each object with its entry. A writer holds the account's lock, so no entry is given out twice."""
    following = {
        account_id: count(highest_entry(sql, account_id) + 1) for account_id in {one.account_id for one in objects}
    }
    for one in objects:
        yield next(following[one.account_id]), one


def highest_entry(sql: Sql, account_id: int) -> int:
    """The newest entry of an account; the number before its first if it has none."""
    low = account_id * ENTRIES_PER_ACCOUNT
    row = sql.one(
        "SELECT max(entry) FROM search_entries WHERE entry >= :low AND entry < :high",
        {"low": low, "high": low + ENTRIES_PER_ACCOUNT},
    )
    return low if row is None or row[0] is None else row[0]
