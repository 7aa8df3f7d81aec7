"""Objects that a rewind may have to do something with, in SQL: a page of them at a time, each about once; and who
changed them."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from skyshelf.storage.metadata.contracts.tree import Page
from skyshelf.storage.metadata.history.rewinds import Place, Scope, StoredRewind
from skyshelf.storage.metadata.sql.history.past import OF_OBJECT, ActorCondition, PastTree, by_actor
from skyshelf.storage.metadata.sql.keeping import purged_states
from skyshelf.storage.metadata.sql.rewind.links import SINCE
from skyshelf.storage.metadata.sql.statements import Params, Row, Sql, Value, key_text, raw
from skyshelf.storage.metadata.sql.tree.visibility import Lineage

WAY, CHANGED, PURGED, LINKED = "way", "changed", "purged", "tagged"
"""Where something to do is found: the folders above the one folder that is rewound; in the changes since the moment;
among deleted objects, most of which went with a folder and have no change; in changes of tags, boards and links."""
_NEXT_SOURCE = {WAY: CHANGED, CHANGED: PURGED, PURGED: LINKED}
_SAME_OBJECT = f"e.account_id = c.account_id AND e.object_key = c.object_key AND {OF_OBJECT.replace('c.', 'e.')}"


class Candidate(NamedTuple):
    object_key: str
    is_new: bool
    """Whether it was found by the change that made it."""


class CandidatePages:
    """The candidates of one rewind."""

    def __init__(self, sql: Sql, account_id: int, scope: Scope) -> None:
        self._sql = sql
        self._account_id = account_id
        self._scope = scope
        self._mine = by_actor(scope.actor) if scope.actor else None

    def page(self, limit: int, after: Place | None) -> Page[Candidate, Place]:
        """At most `limit` of them; the next place is None after the last."""
        place = after or Place(WAY)
        sources = {WAY: self._way, CHANGED: self._changed, PURGED: self._purged, LINKED: self._linked}
        found, further = sources[place.source](limit, place)
        if further is None and place.source in _NEXT_SOURCE:
            further = Place(_NEXT_SOURCE[place.source])
        return Page(found, further)

    def _params(self) -> dict[str, Value]:
        params: dict[str, Value] = {"account": self._account_id, "seq": self._scope.seq, "upto": self._scope.upto}
        return params if self._mine is None else params | self._mine.params

    def _way(self, _limit: int, _place: Place) -> tuple[list[Candidate], Place | None]:
        """Return the folder itself and those above it, if it cannot be seen any longer."""
        folder = self._scope.folder_key
        if folder is None or self._mine is not None:
            return [], None
        if Lineage(self._sql, self._account_id, [folder]).is_visible(folder):
            return [], None
        way = PastTree(self._sql, self._account_id, self._scope.seq).visible(folder) or []
        return [Candidate(one.object_key, False) for one in way[1:]], None

    def _changed(self, limit: int, place: Place) -> tuple[list[Candidate], Place | None]:
        """By the first change of each object since the moment; by the actor's last one, if there is an actor."""
        after = max(place.value, self._scope.seq)
        upto = min(self._scope.upto, after + limit)
        other = f"SELECT 1 FROM changes e WHERE {_SAME_OBJECT}"
        if self._mine is None:
            once = f"(c.before IS NULL OR NOT EXISTS ({other} AND e.seq > :seq AND e.seq < c.seq))"
        else:
            later = f"{other} AND e.seq > c.seq AND e.seq <= :upto AND {self._mine.of('e.actor')}"
            once = f"{self._mine.of('c.actor')} AND NOT EXISTS ({later})"
        rows = self._sql.all(
            "SELECT c.object_key, CASE WHEN c.before IS NULL THEN 1 ELSE 0 END FROM changes c"
            " WHERE c.account_id = :account AND c.seq > :after AND c.seq <= :end AND c.kind <> 'emptied'"
            f" AND {once} ORDER BY c.seq",
            self._params() | {"after": after, "end": upto},
        )
        found = [Candidate(key_text(key), bool(is_new)) for key, is_new in rows]
        return found, None if upto >= self._scope.upto else Place(CHANGED, upto)

    def _purged(self, limit: int, place: Place) -> tuple[list[Candidate], Place | None]:
        mine = "1 = 1" if self._mine is None else self._mine.of("c.actor")
        change = f"SELECT 1 FROM changes c WHERE c.account_id = p.account_id AND {mine}"
        has_own = f"{change} AND c.object_key = p.object_key"
        by_whom = "" if self._mine is None else f" AND EXISTS ({change} AND c.seq = p.purged_seq)"
        rows = self._sql.all(
            "SELECT p.object_key, CASE WHEN p.purged_seq > :seq AND p.purged_seq <= :upto AND NOT EXISTS"
            f" ({has_own} AND c.seq > :seq AND {OF_OBJECT}){by_whom} THEN 1 ELSE 0 END FROM purged_objects p"
            " WHERE p.account_id = :account AND p.object_key > :after ORDER BY p.object_key LIMIT :limit",
            self._params() | {"after": raw(place.key), "limit": limit},
        )
        found = [Candidate(key_text(key), False) for key, is_one in rows if is_one]
        return found, Place(PURGED, 0, key_text(rows[-1][0])) if len(rows) == limit else None

    def _linked(self, limit: int, place: Place) -> tuple[list[Candidate], Place | None]:
        """Objects of which nothing but what they are in has changed."""
        mine = "" if self._mine is None else f" AND {self._mine.of('l.actor')}"
        rows = self._sql.all(
            f"SELECT l.link_id, l.object_key, CASE WHEN {SINCE}{mine} AND NOT EXISTS"
            " (SELECT 1 FROM changes c WHERE c.account_id = l.account_id AND c.object_key = l.object_key"
            f" AND c.seq > :seq AND {OF_OBJECT}) THEN 1 ELSE 0 END FROM link_changes l"
            " WHERE l.account_id = :account AND l.link_id > :after ORDER BY l.link_id LIMIT :limit",
            self._params() | {"at": self._scope.at, "after": place.value, "limit": limit},
        )
        keys = dict.fromkeys(key_text(key) for _, key, is_one in rows if is_one)
        further = Place(LINKED, rows[-1][0]) if len(rows) == limit else None
        return [Candidate(key, False) for key in keys], further


_FOLDERS_MAX = 2000


class LastChanges(NamedTuple):
    """The last change of an object by the actor, and the last by anybody else; 0 where there is none."""

    own: int
    foreign: int


def touched(sql: Sql, account_id: int, keys: Sequence[str], seq: int, actor: str) -> dict[str, LastChanges]:
    """Return who changed objects last since a moment. How an object was made counts, too."""
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
    found: dict[str, LastChanges] = {}
    for raw_key, own, foreign in (*rows, *_made(sql, account_id, keys, seq, mine)):
        key = key_text(raw_key)
        known = found.get(key, LastChanges(0, 0))
        found[key] = LastChanges(max(known.own, own), max(known.foreign, foreign))
    return found


def _made(sql: Sql, account_id: int, keys: Sequence[str], seq: int, mine: ActorCondition) -> Iterable[Row]:
    """Deleted objects that were made since the moment: the change that made each, by the actor or by anybody else."""
    purged = purged_states(sql, account_id, keys)
    made = {key: past.object.created_seq for key, past in purged.items() if past.object.created_seq > seq}
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
            yield (raw(key), number, 0) if is_own[number] else (raw(key), 0, number)


def holds_others(sql: Sql, rewind: StoredRewind, folder_key: str) -> bool:
    """Return whether others have put something into a folder since the moment, or changed what is in it.

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
        level = sql.column(
            "SELECT o.object_key FROM objects o WHERE o.account_id = :account AND o.parent_key = ANY_KEY(:keys)"
            " AND o.kind = 0 AND o.status = 'A'",
            params,
        )
    return False


def changed_after(sql: Sql, account_id: int, keys: Sequence[str], seq: int, *, but_by: str) -> set[str]:
    """Return the objects among these that anybody but the actor has changed or deleted after a change."""
    changed = sql.keys(
        f"SELECT DISTINCT c.object_key FROM changes c WHERE c.account_id = :account AND c.object_key = ANY_KEY(:keys)"
        f" AND c.seq > :seq AND {OF_OBJECT} AND c.actor <> :actor"
        " UNION SELECT p.object_key FROM purged_objects p WHERE p.account_id = :account"
        " AND p.object_key = ANY_KEY(:keys) AND p.purged_seq > :seq",
        {"account": account_id, "keys": [raw(key) for key in keys], "seq": seq, "actor": but_by},
    )
    return set(changed)
