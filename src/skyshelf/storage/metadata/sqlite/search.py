"""The search index in SQLite: an FTS5 table whose rowids stand for entries; a search reads it backwards and stops.

Every term stands in it with the number of a part, which is a stretch of entries: no list of entries grows longer than
a part. FTS5 writes whole lists when it merges, while others wait. Nor does a search read other accounts' lists.

A rowid is an entry followed by bits from a hash of it. FTS5 looks up every row that it merges in a hash table of
deleted rows, with linear probing and the rowid itself as the hash: consecutive rowids would be one long cluster.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, count, groupby, repeat
from operator import attrgetter, itemgetter
from typing import Final

from skyshelf.storage.metadata.search_index import ENTRIES_PER_ACCOUNT, IndexedObject, IndexParams, Sought, Stretch
from skyshelf.storage.metadata.sql.statements import Params, Sql, raw

# It keeps nothing but which row has which term; a row can be deleted without knowing what was in it.
MAKE_INDEX: Final = (
    "CREATE VIRTUAL TABLE search_terms USING fts5"
    "(terms, content='', contentless_delete=1, detail=none, tokenize='ascii')"
)

PART_BITS: Final = 18
"""A part has 2 to the power of so many entries; accounts are whole parts."""
# Within an account, entries up to 2 to the power of 30: so often content may arrive in it.
_NUMBER_BITS: Final = 30
_SPREAD_BITS: Final = 10
_ACCOUNT_BITS: Final = _NUMBER_BITS + _SPREAD_BITS
_NUMBERS: Final = (1 << _NUMBER_BITS) - 1
# How many parts a search looks at, one query after the other: what is new is mostly wanted, and often enough.
PARTS_AT_ONCE: Final = (1, 3, 12)


def in_parts(terms: str, entry: str) -> str:
    """SQL that gives every term its part; `terms` is SQL for terms with a blank before each."""
    return f"replace({terms}, ' ', printf(' %xg', {entry} >> {PART_BITS}))"


def rowid_of(entry: str) -> str:
    """SQL for the rowid of an entry: in the order of the entries."""
    number = f"({entry} & {_NUMBERS})"
    # Multiplicative (Fibonacci) hashing.
    spread = f"({number} * 40503 >> {16 - _SPREAD_BITS}) & {(1 << _SPREAD_BITS) - 1}"
    account = f"({entry} >> {_ACCOUNT_BITS} << {_ACCOUNT_BITS})"
    return f"({account} | ({number} << {_SPREAD_BITS}) | ({spread}))"


_ENTRY_OF: Final = f"((rowid >> {_ACCOUNT_BITS} << {_ACCOUNT_BITS}) | (rowid >> {_SPREAD_BITS} & {_NUMBERS}))"


def _first_rowid(entry: int) -> int:
    """Return the lowest that this entry, or a later one, can have."""
    return entry >> _ACCOUNT_BITS << _ACCOUNT_BITS | (entry & _NUMBERS) << _SPREAD_BITS


def _in_part(part: int, term: str) -> str:
    return f"{part:x}g{term}"


def spaced(terms: Sequence[str]) -> str:
    """Return a text as `in_parts` wants it."""
    return " " + " ".join(terms)


_ADD = "INSERT INTO search_entries (entry, account_id, object_key) VALUES (:entry, :account, :key)"
_ADD_TERMS = f"REPLACE INTO search_terms (rowid, terms) VALUES ({rowid_of(':entry')}, {in_parts(':terms', ':entry')})"  # noqa: S608 - our own text
_SET_TERMS = (
    f"REPLACE INTO search_terms (rowid, terms) SELECT {rowid_of('entry')}, {in_parts(':terms', 'entry')}"  # noqa: S608 - our own text
    " FROM search_entries WHERE account_id = :account AND object_key = :key"
)
_ENTRIES = "SELECT entry, object_key FROM search_entries WHERE account_id = :account AND object_key = ANY_KEY(:keys)"
_REMOVE_TERMS = (
    f"DELETE FROM search_terms WHERE rowid IN (SELECT {rowid_of('entry')} FROM search_entries"  # noqa: S608 - our own text
    " WHERE account_id = :account AND object_key = ANY_KEY(:keys))"
)

_account = attrgetter("account_id")

SETTINGS: Final = {
    # FTS5 rewrites a segment of the index once this percentage of its rows is deleted. With its own 10, what a trash
    # has in the index was written again and again while it was emptied, in pieces for which everybody waits.
    "deletemerge": 50,
    # A write merges nothing: merge_some does, in the background. The more there is in the index, the more a write of
    # many objects would merge: 2,000 renames among ten million files took four times as long as among ten thousand.
    "automerge": 0,
    # Only if a level has as many segments does a write merge them, for searches look into each.
    "crisismerge": 64,
}


def settle_index(sql: Sql) -> None:
    """Give the index of a file the settings that are kept in it, unless it has them or there is no index yet."""
    if sql.one("SELECT 1 FROM sqlite_schema WHERE name = 'search_terms'") is None:
        return
    settled: dict[str, int] = dict(sql.all("SELECT k, v FROM search_terms_config"))
    for name, value in SETTINGS.items():
        if settled.get(name) != value:
            sql.run(
                "INSERT INTO search_terms (search_terms, rank) VALUES (:name, :value)", {"name": name, "value": value}
            )


class SqliteSearchIndex:
    """A SearchIndex in SQLite."""

    stops_early = False

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def add(self, objects: Sequence[IndexedObject]) -> None:
        rows: list[Params] = [
            {"entry": entry, "account": one.account_id, "key": raw(one.object_key), "terms": spaced(one.terms)}
            for entry, one in _numbered(self._sql, objects)
        ]
        self._sql.insert_many(_ADD, rows)
        self._sql.insert_many(_ADD_TERMS, rows)

    def change(self, objects: Sequence[IndexedObject]) -> None:
        if len(objects) == 1:
            (one,) = objects
            params: Params = {"account": one.account_id, "key": raw(one.object_key), "terms": spaced(one.terms)}
            self._sql.run(_SET_TERMS, params)
            return
        rows: list[Params] = []
        by_account = groupby(sorted(objects, key=_account), key=_account)
        for account_id, own in by_account:
            terms = {raw(one.object_key): spaced(one.terms) for one in own}
            found = self._sql.all(_ENTRIES, {"account": account_id, "keys": list(terms)})
            rows += [{"entry": entry, "terms": terms[key]} for entry, key in found]
        # In any other order FTS5 ends a part of its index at every step back, and merges the parts at once.
        rows.sort(key=itemgetter("entry"))
        self._sql.insert_many(_ADD_TERMS, rows)

    def remove(self, account_id: int, object_keys: Sequence[str]) -> None:
        params: Params = {"account": account_id, "keys": [raw(key) for key in object_keys]}
        self._sql.run(_REMOVE_TERMS, params)
        self._sql.run("DELETE FROM search_entries WHERE account_id = :account AND object_key = ANY_KEY(:keys)", params)

    def merge_some(self, pages: int) -> bool:
        changes = "SELECT total_changes()"
        before = self._sql.number(changes)
        self._sql.run("INSERT INTO search_terms (search_terms, rank) VALUES ('merge', :pages)", {"pages": pages})
        # The statement itself counts as one.
        return self._sql.number(changes) - before > 1

    def common(self, account_id: int, searches: Sequence[Sought], enough: int) -> list[bool]:
        del account_id, enough  # the statement is the same for both
        return [False] * len(searches)

    def stretches(self, account_id: int, before: int) -> Iterator[Stretch]:
        first = account_id * ENTRIES_PER_ACCOUNT
        before = min(before, _highest_entry(self._sql, account_id) + 1)
        parts = chain(PARTS_AT_ONCE, repeat(PARTS_AT_ONCE[-1]))
        while before > first:
            low = max(first, ((before - 1 >> PART_BITS) - next(parts) + 1) << PART_BITS)
            yield Stretch(account_id, low, before)
            before = low

    def newest_with(self, sought: Sought, *, common: bool) -> str:
        del common
        if not any(sought):
            return (
                "SELECT entry FROM search_entries WHERE entry >= :low AND entry < :before"
                " ORDER BY entry DESC LIMIT :most"
            )
        return (
            f"SELECT {_ENTRY_OF} AS entry FROM search_terms WHERE search_terms MATCH :terms AND rowid >= :first"  # noqa: S608 - our own text
            " AND rowid < :beyond ORDER BY rowid DESC LIMIT :most"
        )

    def parameters(self, sought: Sought, stretch: Stretch, most: int, enough: int) -> IndexParams:
        del enough  # it stops on its own
        params: IndexParams = {"low": stretch.low, "before": stretch.before, "most": most}
        if not any(sought):
            return params
        parts = range(stretch.before - 1 >> PART_BITS, (stretch.low >> PART_BITS) - 1, -1)
        params |= {"first": _first_rowid(stretch.low), "beyond": _first_rowid(stretch.before)}
        return params | {"terms": " OR ".join(f"({_wanted(sought, part)})" for part in parts)}


def _wanted(sought: Sought, part: int) -> str:
    """Return what an entry of a part must have."""
    all_of = [_in_part(part, term) for term in sought.all_of]
    any_of = [f"({' OR '.join(_in_part(part, term) for term in group)})" for group in sought.any_of]
    text = [_in_part(part, term) for term in sought.text]
    if text and sought.instead_of_text is not None:
        text = [f"(({' AND '.join(text)}) OR {_in_part(part, sought.instead_of_text)})"]
    return " AND ".join([*text, *all_of, *any_of])


def _numbered(sql: Sql, objects: Sequence[IndexedObject]) -> Iterator[tuple[int, IndexedObject]]:
    """Yield each object with its entry. A writer holds the account's lock, so no entry is given out twice."""
    following = {
        account_id: count(_highest_entry(sql, account_id) + 1) for account_id in {one.account_id for one in objects}
    }
    for one in objects:
        yield next(following[one.account_id]), one


def _highest_entry(sql: Sql, account_id: int) -> int:
    """Return the newest entry of an account; the number before its first if it has none."""
    low = account_id * ENTRIES_PER_ACCOUNT
    highest = "SELECT max(entry) FROM search_entries WHERE entry >= :low AND entry < :high"
    return sql.value(highest, {"low": low, "high": low + ENTRIES_PER_ACCOUNT}) or low
