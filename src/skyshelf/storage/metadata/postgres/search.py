"""The search index in PostgreSQL: each entry has its terms as an array of numbers, with a GIN index on it.

Core features alone. A term and its account make one number, so the index is as good as one per account. Two terms
may make the same number; then an entry too many is found, and every caller checks entries anyway.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final
from zlib import crc32

from skyshelf.storage.metadata.search_index import ENTRIES_PER_ACCOUNT, IndexedObject, IndexParams, Sought, Stretch
from skyshelf.storage.metadata.sql.statements import Params, Sql, Value, raw

TERMS_COLUMN: Final = ",\n  terms INTEGER[] NOT NULL DEFAULT ARRAY[]::INTEGER[]"
MAKE_INDEX: Final = "CREATE INDEX search_entries_terms ON search_entries USING gin (terms)"

# GIN gives no order: of a term that every other object has, it would first collect half a million. Such terms are found
# often enough among so many of the newest entries, which are read one by one; it is rare ones that need the index.
NEWEST_LOOKED_AT: Final = 3000

# The number comes from the same statement, since an upload waits for every round trip. All rows of one statement see
# the entries from before it, and of several statements each sees those before it: the numbers grow in either case.
_ADD = (
    "INSERT INTO search_entries (entry, account_id, object_key, terms) VALUES ((SELECT coalesce(max(entry), :low)"
    " FROM search_entries WHERE entry >= :low AND entry < :high) + :number, :account, :key, :terms::text::integer[])"
)
_CHANGE = "UPDATE search_entries SET terms = :terms::text::integer[] WHERE account_id = :account AND object_key = :key"
_NEWEST: Final = (
    "SELECT entry, terms FROM search_entries WHERE entry >= :low AND entry < :before ORDER BY entry DESC LIMIT :newest"
)
_IN_ORDER = "SELECT entry FROM search_entries WHERE entry >= :low AND entry < :before ORDER BY entry DESC LIMIT :most"


class PostgresSearchIndex:
    """A SearchIndex in PostgreSQL."""

    stops_early = True
    newest_looked_at = NEWEST_LOOKED_AT

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def add(self, objects: Sequence[IndexedObject]) -> None:
        numbers: dict[int, int] = {}
        rows: list[Params] = []
        for one in objects:
            numbers[one.account_id] = number = numbers.get(one.account_id, 0) + 1
            rows.append(
                {
                    "low": one.account_id * ENTRIES_PER_ACCOUNT,
                    "high": (one.account_id + 1) * ENTRIES_PER_ACCOUNT,
                    "number": number,
                    "account": one.account_id,
                    "key": raw(one.object_key),
                    "terms": _numbers(one.account_id, one.terms),
                }
            )
        self._sql.insert_many(_ADD, rows)

    def change(self, objects: Sequence[IndexedObject]) -> None:
        rows: list[Params] = [
            {"account": one.account_id, "key": raw(one.object_key), "terms": _numbers(one.account_id, one.terms)}
            for one in objects
        ]
        self._sql.run_many(_CHANGE, rows)

    def remove(self, account_id: int, object_keys: Sequence[str]) -> None:
        params: Params = {"account": account_id, "keys": [raw(key) for key in object_keys]}
        self._sql.run("DELETE FROM search_entries WHERE account_id = :account AND object_key = ANY_KEY(:keys)", params)

    def merge_some(self, pages: int) -> bool:
        del pages  # autovacuum does it
        return False

    def common(self, account_id: int, searches: Sequence[Sought], enough: int) -> list[bool]:
        params: dict[str, Value] = {
            "low": account_id * ENTRIES_PER_ACCOUNT,
            "before": (account_id + 1) * ENTRIES_PER_ACCOUNT,
            "newest": self.newest_looked_at,
        }
        for number, sought in enumerate(searches):
            params |= _arrays(account_id, sought, f"_{number}")
        counts = ", ".join(
            f"count(*) FILTER (WHERE {_has(sought, f'_{number}')})" for number, sought in enumerate(searches)
        )
        row = self._sql.one(f"SELECT {counts} FROM ({_NEWEST}) newest", params)  # noqa: S608 - names of our own
        assert row is not None
        return [count >= enough for count in row]

    def stretches(self, account_id: int, before: int) -> Iterator[Stretch]:
        yield Stretch(account_id, account_id * ENTRIES_PER_ACCOUNT, before)

    def newest_with(self, sought: Sought, *, common: bool) -> str:
        if not any(sought):
            return _IN_ORDER
        return _of_common(_has(sought)) if common else _of_rare(_has(sought))

    def parameters(self, sought: Sought, stretch: Stretch, most: int, enough: int) -> IndexParams:
        params: IndexParams = {"low": stretch.low, "before": stretch.before, "most": most}
        if not any(sought):
            return params
        return params | _arrays(stretch.account_id, sought) | {"enough": enough, "newest": self.newest_looked_at}


def _has(sought: Sought, suffix: str = "") -> str:
    """Return the condition that an entry has what is sought.

    The terms stand in separate SELECTs, so they are read once and not once for every row.
    """
    parts = [f"terms @> (SELECT :terms{suffix}::text::integer[])"] if sought.all_of else []
    if sought.text:
        text = f"terms @> (SELECT :text{suffix}::text::integer[])"
        more = f" OR terms @> (SELECT :more{suffix}::text::integer[])"
        parts.append(text if sought.instead_of_text is None else f"({text}{more})")
    parts += [f"terms && (SELECT :any{suffix}_{number}::text::integer[])" for number in range(len(sought.any_of))]
    return " AND ".join(parts) or "true"


def _arrays(account_id: int, sought: Sought, suffix: str = "") -> dict[str, str]:
    """Return the parameters of that condition."""
    arrays = {f"terms{suffix}": _numbers(account_id, sought.all_of)} if sought.all_of else {}
    if sought.text:
        arrays[f"text{suffix}"] = _numbers(account_id, sought.text)
        if sought.instead_of_text is not None:
            arrays[f"more{suffix}"] = _numbers(account_id, (sought.instead_of_text,))
    groups = enumerate(sought.any_of)
    return arrays | {f"any{suffix}_{number}": _numbers(account_id, group) for number, group in groups}


@cache
def _of_rare(has: str) -> str:
    # The plus keeps it from going through the whole account by the index of entries.
    return (
        f"SELECT entry FROM (SELECT entry FROM search_entries WHERE {has}"  # noqa: S608 - a condition of our own
        " AND entry + 0 >= :low AND entry + 0 < :before OFFSET 0) found ORDER BY entry DESC LIMIT :most"
    )


@cache
def _of_common(has: str) -> str:
    return (
        f"WITH newest AS MATERIALIZED ({_NEWEST}),"  # noqa: S608 - a condition of our own
        f" near AS MATERIALIZED (SELECT entry FROM newest WHERE {has}),"
        f" far AS MATERIALIZED (SELECT entry FROM search_entries WHERE {has}"
        " AND (SELECT count(*) FROM near) < :enough AND (SELECT count(*) FROM newest) = :newest"
        " AND entry + 0 >= :low AND entry + 0 < (SELECT min(entry) FROM newest)) SELECT entry FROM"
        " (SELECT entry FROM near UNION ALL SELECT entry FROM far) found ORDER BY entry DESC LIMIT :most"
    )


def _numbers(account_id: int, terms: Sequence[str]) -> str:
    """Return the terms as the text of an array: much quicker to make than an array for the driver to take apart."""
    return "{" + ",".join(map(str, term_numbers(account_id, terms))) + "}"


def term_numbers(account_id: int, terms: Sequence[str]) -> list[int]:
    """Return the numbers that stand for the terms of an object."""
    account = crc32(account_id.to_bytes(8, "big"))
    return [crc32(term.encode(), account) - 0x80000000 for term in terms]
