"""What a rewind has noted to do, in SQL: a row for each object, done in the order of their ranks."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.history.records import decode_past, encode_past
from skyshelf.storage.metadata.history.rewinds import LATER, STAY, Place, Planned, Problem, StoredRewind
from skyshelf.storage.metadata.sql.statements import Params, Sql, key_text, raw
from skyshelf.storage.metadata.sql.tree.visibility import load

_FIRST = -LATER


class Item(NamedTuple):
    object_key: str
    rank: int
    what: str
    target: StoredObject | None
    problem: str


def add_items(sql: Sql, rewind: StoredRewind, planned: Sequence[Planned]) -> int:
    """Note what is to be done; how many there are."""
    rows: list[Params] = [
        {
            "account": rewind.account_id,
            "rewind": raw(rewind.rewind_key),
            "key": raw(one.object_key),
            "rank": one.rank,
            "what": one.what,
            "target": None if one.target is None else encode_past(one.target),
            "problem": one.problem,
        }
        for one in planned
        if one.what != STAY or one.problem
    ]
    sql.insert_many(
        "INSERT INTO rewind_items (account_id, rewind_key, object_key, rank, what, target, problem)"
        " VALUES (:account, :rewind, :key, :rank, :what, :target, :problem)"
        " ON CONFLICT (account_id, rewind_key, object_key) DO NOTHING",
        rows,
    )
    return len(rows)


def next_items(sql: Sql, rewind: StoredRewind, place: Place, limit: int) -> list[Item]:
    """What comes next; all of it has one rank."""
    rows = sql.all(
        "SELECT object_key, rank, what, target, problem FROM rewind_items WHERE account_id = :account"
        " AND rewind_key = :rewind AND (rank, object_key) > (:rank, :key) ORDER BY rank, object_key LIMIT :limit",
        {
            "account": rewind.account_id,
            "rewind": raw(rewind.rewind_key),
            "rank": place.value if place.source else _FIRST,
            "key": raw(place.key),
            "limit": limit,
        },
    )
    return [
        Item(
            key_text(key),
            rank,
            what,
            None if target is None else decode_past(rewind.account_id, key_text(key), target).object,
            problem,
        )
        for key, rank, what, target, problem in rows
        if rank == rows[0][1]
    ]


def pending_keys(sql: Sql, rewind: StoredRewind, object_keys: Sequence[str], after: tuple[int, str]) -> set[str]:
    """Those of the objects that come after a rank and a key."""
    rows = sql.all(
        "SELECT object_key FROM rewind_items WHERE account_id = :account AND rewind_key = :rewind"
        " AND object_key = ANY_KEY(:keys) AND (rank, object_key) > (:rank, :after) AND what <> :stay",
        {
            "account": rewind.account_id,
            "rewind": raw(rewind.rewind_key),
            "keys": [raw(key) for key in object_keys],
            "rank": after[0],
            "after": raw(after[1]),
            "stay": STAY,
        },
    )
    return {key_text(key) for (key,) in rows}


def note_outcomes(sql: Sql, rewind: StoredRewind, problems: Mapping[str, str], waiting: Sequence[str]) -> None:
    """Note why some things were not done, and that others wait."""
    mine: Params = {"account": rewind.account_id, "rewind": raw(rewind.rewind_key)}
    of_item = "WHERE account_id = :account AND rewind_key = :rewind AND object_key = :key"
    sql.run_many(
        f"UPDATE rewind_items SET problem = :problem {of_item}",
        [{**mine, "key": raw(key), "problem": problem} for key, problem in problems.items()],
    )
    sql.run_many(
        f"UPDATE rewind_items SET rank = rank + :later {of_item}",
        [{**mine, "key": raw(key), "later": LATER} for key in waiting],
    )


def problems_of(sql: Sql, rewind: StoredRewind, limit: int, after: str) -> list[Problem]:
    """What was not done, by key."""
    rows = sql.all(
        "SELECT object_key, problem, target FROM rewind_items WHERE account_id = :account AND rewind_key = :rewind"
        " AND object_key > :after AND problem <> '' ORDER BY object_key LIMIT :limit",
        {"account": rewind.account_id, "rewind": raw(rewind.rewind_key), "after": raw(after), "limit": limit},
    )
    current = load(sql, rewind.account_id, [key_text(key) for key, _, _ in rows])
    return [
        Problem(
            key_text(key),
            problem,
            None if target is None else decode_past(rewind.account_id, key_text(key), target).object,
            current.get(key_text(key)),
        )
        for key, problem, target in rows
    ]


def clear_items(sql: Sql, rewind: StoredRewind, limit: int) -> bool:
    """Forget some of what was done; whether there may be more."""
    gone = sql.run(
        "DELETE FROM rewind_items WHERE account_id = :account AND rewind_key = :rewind AND object_key IN"
        " (SELECT i.object_key FROM rewind_items i WHERE i.account_id = :account AND i.rewind_key = :rewind"
        " AND i.problem = '' ORDER BY i.object_key LIMIT :limit)",
        {"account": rewind.account_id, "rewind": raw(rewind.rewind_key), "limit": limit},
    )
    return gone >= limit
