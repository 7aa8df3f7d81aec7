"""The search index in PostgreSQL: each entry has its terms as an array of numbers, with a GIN index on it.

Core features alone. A term and its account make one number, so that the index is as good as one per account. Two terms
may make the same number, in which case an entry too many is found, which every caller looks at anyway.
"""

from collections.abc import Sequence
from typing import Final
from zlib import crc32

from skyshelf.storage.metadata.search_index import ENTRIES_PER_ACCOUNT, IndexedObject, IndexParams
from skyshelf.storage.metadata.sql.keys import raw
from skyshelf.storage.metadata.sql.statements import Params, Sql, Value

TERMS_COLUMN: Final = ",\n  terms INTEGER[] NOT NULL DEFAULT ARRAY[]::INTEGER[]"
MAKE_INDEX: Final = "CREATE INDEX search_entries_terms ON search_entries USING gin (terms)"

# GIN gives no order: of a term that every other object has, it would first collect half a million. Such terms are found
# often enough among so many of the newest entries, which are looked at one by one; it is rare ones that need the index.
NEWEST_LOOKED_AT: Final = 5000

_ADD = (
    "INSERT INTO search_entries (entry, account_id, object_key, terms) VALUES ((SELECT coalesce(max(entry), :low) + 1"
    " FROM search_entries WHERE entry >= :low AND entry < :high), :account, :key, :terms::text::integer[])"
)
_CHANGE = "UPDATE search_entries SET terms = :terms::text::integer[] WHERE account_id = :account AND object_key = :key"
_NEWEST = (
    "SELECT entry, terms FROM search_entries WHERE entry >= :low AND entry < :before ORDER BY entry DESC LIMIT :newest"
)
_IN_ORDER = "SELECT entry FROM search_entries WHERE entry >= :low AND entry < :before ORDER BY entry DESC LIMIT :most"
# The plus keeps it from going through the whole account by the index of entries. The terms stand in a SELECT of their
# own, so that they are read once and not once for every row.
_RARE = (
    "SELECT entry FROM (SELECT entry FROM search_entries WHERE terms @> (SELECT :terms::text::integer[])"
    " AND entry + 0 >= :low AND entry + 0 < :before OFFSET 0) found ORDER BY entry DESC LIMIT :most"
)
_COMMON = (
    "WITH newest AS MATERIALIZED (SELECT entry, terms FROM search_entries WHERE entry >= :low AND entry < :before"
    " ORDER BY entry DESC LIMIT :newest),"
    " near AS MATERIALIZED (SELECT entry FROM newest WHERE terms @> (SELECT :terms::text::integer[])),"
    " far AS MATERIALIZED (SELECT entry FROM search_entries WHERE terms @> (SELECT :terms::text::integer[])"
    " AND (SELECT count(*) FROM near) < :enough AND (SELECT count(*) FROM newest) = :newest"
    " AND entry + 0 >= :low AND entry + 0 < (SELECT min(entry) FROM newest))"
    " SELECT entry FROM (SELECT entry FROM near UNION ALL SELECT entry FROM far) found ORDER BY entry DESC LIMIT :most"
)


class PostgresSearchIndex:
    """A SearchIndex; keeps every promise of that Protocol."""

    stops_early = True
    newest_looked_at = NEWEST_LOOKED_AT

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def add(self, objects: Sequence[IndexedObject]) -> None:
        self._sql.run_many(
            _ADD,
            [
                {
                    "account": one.account_id,
                    "key": raw(one.object_key),
                    "low": one.account_id * ENTRIES_PER_ACCOUNT,
                    "high": (one.account_id + 1) * ENTRIES_PER_ACCOUNT,
                    "terms": _numbers(one.account_id, one.terms),
                }
                for one in objects
            ],
        )

    def change(self, objects: Sequence[IndexedObject]) -> None:
        rows: list[Params] = [
            {"account": one.account_id, "key": raw(one.object_key), "terms": _numbers(one.account_id, one.terms)}
            for one in objects
        ]
        self._sql.run_many(_CHANGE, rows)

    def remove(self, account_id: int, object_keys: Sequence[str]) -> None:
        params: Params = {"account": account_id, "keys": [raw(key) for key in object_keys]}
        self._sql.run("DELETE FROM search_entries WHERE account_id = :account AND object_key = ANY_KEY(:keys)", params)

    def common(self, account_id: int, searches: Sequence[Sequence[str]], enough: int) -> list[bool]:
        counts = ", ".join(
            f"count(*) FILTER (WHERE terms @> (SELECT :terms_{number}::text::integer[]))"
            for number in range(len(searches))
        )
        params: dict[str, Value] = {
            "low": account_id * ENTRIES_PER_ACCOUNT,
            "before": (account_id + 1) * ENTRIES_PER_ACCOUNT,
            "newest": self.newest_looked_at,
        }
        params |= {f"terms_{number}": _numbers(account_id, terms) for number, terms in enumerate(searches)}
        row = self._sql.one(f"SELECT {counts} FROM ({_NEWEST}) newest", params)  # noqa: S608 - numbers of our own
        assert row is not None
        return [count >= enough for count in row]

    def newest_with(self, terms: Sequence[str], *, common: bool) -> str:
        return (_COMMON if common else _RARE) if terms else _IN_ORDER

    def parameters(self, account_id: int, terms: Sequence[str], before: int, most: int, enough: int) -> IndexParams:
        params: IndexParams = {"low": account_id * ENTRIES_PER_ACCOUNT, "before": before, "most": most}
        if not terms:
            return params
        return params | {
            "terms": _numbers(account_id, terms),
            "enough": enough,
            "newest": self.newest_looked_at,
        }


def _numbers(account_id: int, terms: Sequence[str]) -> str:
    """The terms as the text of an array: much quicker to make than an array for the driver to take apart."""
    account = crc32(account_id.to_bytes(8, "big"))
    return "{" + ",".join([str(crc32(term.encode(), account) - 0x80000000) for term in terms]) + "}"
