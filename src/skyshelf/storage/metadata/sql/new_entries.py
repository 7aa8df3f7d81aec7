"""The entries that objects get in the search index: in each account, the numbers that follow the highest there is."""

from collections.abc import Iterator, Sequence
from itertools import count

from skyshelf.storage.metadata.search_index import ENTRIES_PER_ACCOUNT, IndexedObject
from skyshelf.storage.metadata.sql.statements import Sql


def numbered(sql: Sql, objects: Sequence[IndexedObject]) -> Iterator[tuple[int, IndexedObject]]:
    """Each object with its entry. Whoever writes to an account holds it, so that nobody else gives these out."""
    following = {account_id: count(_highest(sql, account_id) + 1) for account_id in {one.account_id for one in objects}}
    for one in objects:
        yield next(following[one.account_id]), one


def _highest(sql: Sql, account_id: int) -> int:
    low = account_id * ENTRIES_PER_ACCOUNT
    row = sql.one(
        "SELECT max(entry) FROM search_entries WHERE entry >= :low AND entry < :high",
        {"low": low, "high": low + ENTRIES_PER_ACCOUNT},
    )
    return low if row is None or row[0] is None else row[0]
