"""The search index in PostgreSQL: each entry has its terms as an array of numbers, with a GIN index on it.

Core features alone. A term and its account make one number, so that the index is as good as one per account. Two terms
may make the same number, in which case an entry too many is found, which every caller looks at anyway.
"""

from collections.abc import Sequence
from hashlib import blake2b
from typing import Final

from skyshelf.storage.metadata.search_index import ENTRIES_PER_ACCOUNT, IndexedObject, IndexParams
from skyshelf.storage.metadata.sql.keys import raw
from skyshelf.storage.metadata.sql.statements import Params, Sql

TERMS_COLUMN: Final = ",\n  terms BIGINT[] NOT NULL DEFAULT ARRAY[]::BIGINT[]"
MAKE_INDEX: Final = "CREATE INDEX search_entries_terms ON search_entries USING gin (terms)"

# So many of the newest entries are looked at one by one before the index is asked. GIN gives no order: of a term that
# every other object has, it would first collect half a million. Such terms are found often enough among the newest.
NEWEST_LOOKED_AT: Final = 3000

_ADD = (
    "INSERT INTO search_entries (entry, account_id, object_key, terms) VALUES ((SELECT coalesce(max(entry), :low) + 1"
    " FROM search_entries WHERE entry >= :low AND entry < :high), :account, :key, :terms::bigint[])"
)
_IN_ORDER = "SELECT entry FROM search_entries WHERE entry >= :low AND entry < :before ORDER BY entry DESC LIMIT :most"
_WITH_TERMS = (
    "WITH newest AS MATERIALIZED (SELECT entry, terms FROM search_entries WHERE entry >= :low AND entry < :before"
    " ORDER BY entry DESC LIMIT :newest),"
    " near AS MATERIALIZED (SELECT entry FROM newest WHERE terms @> :terms::bigint[]),"
    " far AS MATERIALIZED (SELECT entry FROM search_entries WHERE terms @> :terms::bigint[]"
    " AND (SELECT count(*) FROM near) < :enough AND (SELECT count(*) FROM newest) = :newest"
    # Not by the index of entries: that would go through the whole account.
    " AND entry + 0 < (SELECT min(entry) FROM newest))"
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
        self._sql.run_many(
            "UPDATE search_entries SET terms = :terms::bigint[] WHERE account_id = :account AND object_key = :key",
            [
                {
                    "account": one.account_id,
                    "key": raw(one.object_key),
                    "terms": _numbers(one.account_id, one.terms),
                }
                for one in objects
            ],
        )

    def remove(self, account_id: int, object_keys: Sequence[str]) -> None:
        params: Params = {"account": account_id, "keys": [raw(key) for key in object_keys]}
        self._sql.run("DELETE FROM search_entries WHERE account_id = :account AND object_key = ANY_KEY(:keys)", params)

    def newest_with(self, terms: Sequence[str]) -> str:
        return _WITH_TERMS if terms else _IN_ORDER

    def parameters(self, account_id: int, terms: Sequence[str], before: int, most: int, enough: int) -> IndexParams:
        params: IndexParams = {"low": account_id * ENTRIES_PER_ACCOUNT, "before": before, "most": most}
        if not terms:
            return params
        return params | {
            "terms": _numbers(account_id, terms),
            "enough": enough,
            "newest": self.newest_looked_at,
        }


def _numbers(account_id: int, terms: Sequence[str]) -> list[int]:
    account = account_id.to_bytes(8, "big")
    return [
        int.from_bytes(blake2b(term.encode(), digest_size=8, key=account).digest(), "big", signed=True)
        for term in terms
    ]
