"""Whose changes: conditions on the actor of a change, and what of an object somebody else changed last, in SQL."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from skyshelf.storage.metadata.history.records import decode_past
from skyshelf.storage.metadata.history.rewinds import StoredRewind
from skyshelf.storage.metadata.sql.history.past import OF_OBJECT
from skyshelf.storage.metadata.sql.statements import Params, Sql, Value, key_text, raw

_FOLDERS_MAX = 2000


class ActorCondition(NamedTuple):
    """A condition on a column with actors, and its parameters."""

    text: str
    params: dict[str, Value]

    def of(self, column: str) -> str:
        return self.text.format(column)


def by_actor(actor: str) -> ActorCondition:
    """`device/session` as it is, `device/` for all of a device, `/session` for a session of any device."""
    if actor.endswith("/"):
        # A text that begins with another one lies between it and it with the last character raised.
        return ActorCondition("({0} >= :actor AND {0} < :beyond)", {"actor": actor, "beyond": f"{actor[:-1]}0"})
    if actor.startswith("/"):
        return ActorCondition("{0} LIKE :actor", {"actor": f"%{actor}"})
    return ActorCondition("{0} = :actor", {"actor": actor})


def is_by(actor: str, wanted: str) -> bool:
    """As by_actor, outside of a statement."""
    if wanted.endswith("/"):
        return actor.startswith(wanted)
    return actor.endswith(wanted) if wanted.startswith("/") else actor == wanted


class Touched(NamedTuple):
    """The last change of an object by the actor, and the last by anybody else; 0 where there is none."""

    own: int
    foreign: int


def touched(sql: Sql, account_id: int, keys: Sequence[str], seq: int, actor: str) -> dict[str, Touched]:
    """Who changed objects last since a moment. How an object was made counts, too."""
    mine = by_actor(actor)
    params: Params = {"account": account_id, "keys": [raw(key) for key in keys], "seq": seq, **mine.params}
    is_mine = mine.of("c.actor")
    sides = f"CASE WHEN {is_mine} THEN c.seq ELSE 0 END, CASE WHEN {is_mine} THEN 0 ELSE c.seq END"
    rows = sql.all(
        f"SELECT c.object_key, {sides} FROM changes c WHERE c.account_id = :account"
        f" AND c.object_key = ANY_KEY(:keys) AND c.seq > :seq AND {OF_OBJECT}",
        params,
    )
    # CROSS keeps SQLite from going through all changes, and asking of each whether it is wanted.
    rows += sql.all(
        f"SELECT o.object_key, {sides} FROM objects o CROSS JOIN changes c WHERE c.account_id = o.account_id"
        " AND c.seq = o.created_seq AND o.account_id = :account AND o.object_key = ANY_KEY(:keys)"
        " AND o.created_seq > :seq",
        params,
    )
    rows += sql.all(
        f"SELECT p.object_key, {sides} FROM purged_objects p CROSS JOIN changes c WHERE c.account_id = p.account_id"
        " AND c.seq = p.purged_seq AND p.account_id = :account AND p.object_key = ANY_KEY(:keys)"
        " AND p.purged_seq > :seq",
        params,
    )
    found: dict[str, Touched] = {}
    for raw_key, own, foreign in rows:
        known = found.get(key_text(raw_key), Touched(0, 0))
        found[key_text(raw_key)] = Touched(max(known.own, own), max(known.foreign, foreign))
    for key, made, is_own in _made(sql, account_id, keys, seq, mine):
        known = found.get(key, Touched(0, 0))
        own, foreign = (made, 0) if is_own else (0, made)
        found[key] = Touched(max(known.own, own), max(known.foreign, foreign))
    return found


def _made(
    sql: Sql, account_id: int, keys: Sequence[str], seq: int, mine: ActorCondition
) -> Iterable[tuple[str, int, bool]]:
    """Deleted objects that were made since the moment: the change that made each, and whether the actor did."""
    rows = sql.all(
        "SELECT object_key, state FROM purged_objects WHERE account_id = :account AND object_key = ANY_KEY(:keys)",
        {"account": account_id, "keys": [raw(key) for key in keys]},
    )
    made = {key_text(key): decode_past(account_id, key_text(key), state).object.created_seq for key, state in rows}
    made = {key: number for key, number in made.items() if number > seq}
    if not made:
        return
    found = sql.all(
        f"SELECT c.seq, CASE WHEN {mine.of('c.actor')} THEN 1 ELSE 0 END FROM changes c"
        " WHERE c.account_id = :account AND c.seq = ANY(:seqs)",
        {"account": account_id, "seqs": sorted(set(made.values())), **mine.params},
    )
    is_own: dict[int, int] = dict(found)
    for key, number in made.items():
        if number in is_own:
            yield key, number, bool(is_own[number])


def holds_others(sql: Sql, rewind: StoredRewind, folder_key: str) -> bool:
    """Whether others have put something into a folder since the moment, or changed what is in it.

    A folder with very many folders in it counts as if they had.
    """
    mine = by_actor(rewind.scope.actor)
    others = f"NOT {mine.of('c.actor')} AND c.actor <> :rewind AND c.seq > :seq AND c.account_id = o.account_id"
    level, looked_at = [raw(folder_key)], 0
    while level:
        looked_at += len(level)
        if looked_at > _FOLDERS_MAX:
            return True
        params: dict[str, Value] = {"account": rewind.account_id, "keys": sorted(level)}
        found = sql.one(
            "SELECT 1 FROM objects o WHERE o.account_id = :account AND o.parent_key = ANY_KEY(:keys)"
            " AND o.status = 'A' AND (EXISTS (SELECT 1 FROM changes c WHERE c.object_key = o.object_key"
            f" AND {OF_OBJECT} AND {others}) OR EXISTS (SELECT 1 FROM changes c WHERE c.seq = o.created_seq"
            f" AND {others})) LIMIT 1",
            params | {"seq": rewind.scope.seq, "rewind": rewind.actor, **mine.params},
        )
        if found is not None:
            return True
        rows = sql.all(
            "SELECT o.object_key FROM objects o WHERE o.account_id = :account AND o.parent_key = ANY_KEY(:keys)"
            " AND o.kind = 0 AND o.status = 'A'",
            params,
        )
        level = [key for (key,) in rows]
    return False


def changed_after(sql: Sql, account_id: int, keys: Sequence[str], seq: int, *, but_by: str) -> set[str]:
    """Those of the objects that anybody but an actor has changed, or deleted, after a change."""
    rows = sql.all(
        f"SELECT DISTINCT c.object_key FROM changes c WHERE c.account_id = :account AND c.object_key = ANY_KEY(:keys)"
        f" AND c.seq > :seq AND {OF_OBJECT} AND c.actor <> :actor"
        " UNION SELECT p.object_key FROM purged_objects p WHERE p.account_id = :account"
        " AND p.object_key = ANY_KEY(:keys) AND p.purged_seq > :seq",
        {"account": account_id, "keys": [raw(key) for key in keys], "seq": seq, "actor": but_by},
    )
    return {key_text(key) for (key,) in rows}
