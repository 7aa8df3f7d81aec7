"""The search index in SQLite: an FTS5 table whose rowids are entries; a search reads it backwards and stops."""

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Final

from skyshelf.storage.metadata.search.index import ENTRIES_PER_ACCOUNT, IndexedObject, IndexParams, Sought
from skyshelf.storage.metadata.sql.search_entries import numbered
from skyshelf.storage.metadata.sql.statements import Params, Sql, raw

# It keeps nothing but which row has which term; a row can be deleted without knowing what was in it.
MAKE_INDEX: Final = (
    "CREATE VIRTUAL TABLE search_terms USING fts5"
    "(terms, content='', contentless_delete=1, detail=none, tokenize='ascii')"
)

_ADD = "INSERT INTO search_entries (entry, account_id, object_key) VALUES (:entry, :account, :key)"
_ADD_TERMS = "REPLACE INTO search_terms (rowid, terms) VALUES (:entry, :terms)"
_SET_TERMS = (
    "REPLACE INTO search_terms (rowid, terms) SELECT entry, :terms FROM search_entries"
    " WHERE account_id = :account AND object_key = :key"
)
_ENTRIES = "SELECT entry, object_key FROM search_entries WHERE account_id = :account AND object_key = ANY_KEY(:keys)"
_REMOVE_TERMS = (
    "DELETE FROM search_terms WHERE rowid IN"
    " (SELECT entry FROM search_entries WHERE account_id = :account AND object_key = ANY_KEY(:keys))"
)

_account = attrgetter("account_id")

# FTS5 rewrites a part of the index once this percentage of its rows is deleted. With its own 10, what a trash
# has in the index was written again and again while it was emptied, in pieces for which everybody waits.
DELETED_BEFORE_MERGE: Final = 50


def settle_index(sql: Sql) -> None:
    """Give the index of a file the settings that are kept in it, unless it has them or there is no index yet."""
    if sql.one("SELECT 1 FROM sqlite_schema WHERE name = 'search_terms'") is None:
        return
    settled = sql.one("SELECT v FROM search_terms_config WHERE k = 'deletemerge'")
    if settled != (DELETED_BEFORE_MERGE,):
        sql.run(
            "INSERT INTO search_terms (search_terms, rank) VALUES ('deletemerge', :percent)",
            {"percent": DELETED_BEFORE_MERGE},
        )


class SqliteSearchIndex:
    """A SearchIndex in SQLite."""

    stops_early = False

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def add(self, objects: Sequence[IndexedObject]) -> None:
        rows: list[Params] = [
            {"entry": entry, "account": one.account_id, "key": raw(one.object_key), "terms": " ".join(one.terms)}
            for entry, one in numbered(self._sql, objects)
        ]
        self._sql.insert_many(_ADD, rows)
        self._sql.insert_many(_ADD_TERMS, rows)

    def change(self, objects: Sequence[IndexedObject]) -> None:
        if len(objects) == 1:
            (one,) = objects
            params: Params = {"account": one.account_id, "key": raw(one.object_key), "terms": " ".join(one.terms)}
            self._sql.run(_SET_TERMS, params)
            return
        rows: list[Params] = []
        by_account = groupby(sorted(objects, key=_account), key=_account)
        for account_id, own in by_account:
            terms = {raw(one.object_key): " ".join(one.terms) for one in own}
            found = self._sql.all(_ENTRIES, {"account": account_id, "keys": list(terms)})
            rows += [{"entry": entry, "terms": terms[key]} for entry, key in found]
        # In any other order FTS5 ends a part of its index at every step back, and merges the parts at once.
        rows.sort(key=itemgetter("entry"))
        self._sql.insert_many(_ADD_TERMS, rows)

    def remove(self, account_id: int, object_keys: Sequence[str]) -> None:
        params: Params = {"account": account_id, "keys": [raw(key) for key in object_keys]}
        self._sql.run(_REMOVE_TERMS, params)
        self._sql.run("DELETE FROM search_entries WHERE account_id = :account AND object_key = ANY_KEY(:keys)", params)

    def common(self, account_id: int, searches: Sequence[Sought], enough: int) -> list[bool]:
        del account_id, enough  # the statement is the same for both
        return [False] * len(searches)

    def newest_with(self, sought: Sought, *, common: bool) -> str:
        del common
        if not any(sought):
            return (
                "SELECT entry FROM search_entries WHERE entry >= :low AND entry < :before"
                " ORDER BY entry DESC LIMIT :most"
            )
        return (
            "SELECT rowid AS entry FROM search_terms WHERE search_terms MATCH :terms AND rowid >= :low"
            " AND rowid < :before ORDER BY rowid DESC LIMIT :most"
        )

    def parameters(self, account_id: int, sought: Sought, before: int, most: int, enough: int) -> IndexParams:
        del enough  # it stops on its own
        params: IndexParams = {"low": account_id * ENTRIES_PER_ACCOUNT, "before": before, "most": most}
        wanted = [*_text(sought), *sought.all_of, *(f"({' OR '.join(group)})" for group in sought.any_of)]
        return params | ({"terms": " AND ".join(wanted)} if wanted else {})


def _text(sought: Sought) -> tuple[str, ...]:
    if not sought.text or sought.instead_of_text is None:
        return sought.text
    return (f"(({' AND '.join(sought.text)}) OR {sought.instead_of_text})",)
