"""What a rewind has noted to do, in SQL: a row for each object, done in the order of their ranks."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.history.records import decode_past, encode_past
from skyshelf.storage.metadata.history.rewinds import LATER, STAY, Place, PlannedItem, Problem, StoredRewind
from skyshelf.storage.metadata.sql.statements import Params, Sql, key_text, raw
from skyshelf.storage.metadata.sql.tree.visibility import load

_FIRST = -LATER
_OF_REWIND = "account_id = :account AND rewind_key = :rewind"


class Item(NamedTuple):
    object_key: str
    rank: int
    what: str
    target: StoredObject | None
    problem: str


def add_items(sql: Sql, rewind: StoredRewind, planned: Sequence[PlannedItem]) -> int:
    """Note what is to be done; how many there are."""
    rows: list[Params] = [
        {
            "account_id": rewind.account_id,
            "rewind_key": raw(rewind.rewind_key),
            "object_key": raw(one.object_key),
            "rank": one.rank,
            "what": one.what,
            "target": None if one.target is None else encode_past(one.target),
            "problem": one.problem,
        }
        for one in planned
        if one.what != STAY or one.problem
    ]
    sql.insert_rows("rewind_items", rows, "ON CONFLICT (account_id, rewind_key, object_key) DO NOTHING")
    return len(rows)


def next_items(sql: Sql, rewind: StoredRewind, place: Place, limit: int) -> list[Item]:
    """Return what comes next; all of it has one rank."""
    start = place.value if place.source else _FIRST
    rows = sql.all(
        f"SELECT object_key, rank, what, target, problem FROM rewind_items WHERE {_OF_REWIND}"
        " AND (rank, object_key) > (:rank, :key) ORDER BY rank, object_key LIMIT :limit",
        {**_named(rewind), "rank": start, "key": raw(place.key), "limit": limit},
    )
    return [
        Item(key_text(key), rank, what, _target(rewind, key, target), problem)
        for key, rank, what, target, problem in rows
        if rank == rows[0][1]
    ]


def _named(rewind: StoredRewind) -> Params:
    """Return the parameters of _OF_REWIND."""
    return {"account": rewind.account_id, "rewind": raw(rewind.rewind_key)}


def _target(rewind: StoredRewind, key: bytes, stored: bytes | None) -> StoredObject | None:
    return None if stored is None else decode_past(rewind.account_id, key_text(key), stored).object


def pending_keys(sql: Sql, rewind: StoredRewind, object_keys: Sequence[str], after: tuple[int, str]) -> set[str]:
    """Return the objects among these that come after a rank and a key."""
    wanted: Params = {"keys": [raw(key) for key in object_keys], "rank": after[0], "after": raw(after[1]), "stay": STAY}
    pending = sql.keys(
        f"SELECT object_key FROM rewind_items WHERE {_OF_REWIND}"
        " AND object_key = ANY_KEY(:keys) AND (rank, object_key) > (:rank, :after) AND what <> :stay",
        {**_named(rewind), **wanted},
    )
    return set(pending)


def note_outcomes(sql: Sql, rewind: StoredRewind, problems: Mapping[str, str], waiting: Sequence[str]) -> None:
    """Note why some things were not done, and that others wait."""
    mine, of_item = _named(rewind), f"WHERE {_OF_REWIND} AND object_key = :key"
    sql.run_many(
        f"UPDATE rewind_items SET problem = :problem {of_item}",
        [{**mine, "key": raw(key), "problem": problem} for key, problem in problems.items()],
    )
    sql.run_many(
        f"UPDATE rewind_items SET rank = rank + :later {of_item}",
        [{**mine, "key": raw(key), "later": LATER} for key in waiting],
    )


def problems_of(sql: Sql, rewind: StoredRewind, limit: int, after: str) -> list[Problem]:
    """Return what was not done, by key."""
    rows = sql.all(
        f"SELECT object_key, problem, target FROM rewind_items WHERE {_OF_REWIND}"
        " AND object_key > :after AND problem <> '' ORDER BY object_key LIMIT :limit",
        {**_named(rewind), "after": raw(after), "limit": limit},
    )
    current = load(sql, rewind.account_id, [key_text(key) for key, _, _ in rows])
    return [
        Problem(key_text(key), problem, _target(rewind, key, target), current.get(key_text(key)))
        for key, problem, target in rows
    ]


def clear_items(sql: Sql, rewind: StoredRewind, limit: int) -> bool:
    """Forget some of what was done; whether there may be more."""
    gone = sql.run(
        f"DELETE FROM rewind_items WHERE {_OF_REWIND} AND object_key IN (SELECT object_key FROM rewind_items"
        f" WHERE {_OF_REWIND} AND problem = '' ORDER BY object_key LIMIT :limit)",
        {**_named(rewind), "limit": limit},
    )
    return gone >= limit
