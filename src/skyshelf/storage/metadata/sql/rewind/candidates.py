"""Objects that a rewind may have to do something with, in SQL: a page of them at a time, each about once."""

from typing import NamedTuple

from skyshelf.storage.metadata.history.rewinds import PlanPlace, Scope
from skyshelf.storage.metadata.sql.history.past import OF_OBJECT, PastTree
from skyshelf.storage.metadata.sql.rewind.actors import by_actor
from skyshelf.storage.metadata.sql.rewind.link_changes import SINCE
from skyshelf.storage.metadata.sql.statements import Sql, Value, key_text, raw
from skyshelf.storage.metadata.sql.tree.visibility import Lineage

WAY, CHANGED, PURGED, LINKED = "way", "changed", "purged", "tagged"
"""Where something to do is found: the folders above the one folder that is rewound; in the changes since the moment;
among deleted objects, most of which went with a folder and have no change; in changes of tags, albums and links."""
_NEXT_SOURCE = {WAY: CHANGED, CHANGED: PURGED, PURGED: LINKED}
_SAME_OBJECT = "e.account_id = c.account_id AND e.object_key = c.object_key AND e.before IS NOT NULL"


class Candidate(NamedTuple):
    object_key: str
    is_new: bool
    """Whether it was found by the change that made it."""


class Candidates(NamedTuple):
    found: list[Candidate]
    next: PlanPlace | None


class CandidatePages:
    """The candidates of one rewind."""

    def __init__(self, sql: Sql, account_id: int, scope: Scope) -> None:
        self._sql = sql
        self._account_id = account_id
        self._scope = scope
        self._mine = by_actor(scope.actor) if scope.actor else None

    def page(self, limit: int, after: PlanPlace | None) -> Candidates:
        """At most `limit` of them; the next place is None after the last."""
        place = after or PlanPlace(WAY)
        found, further = {
            WAY: self._way,
            CHANGED: self._changed,
            PURGED: self._purged,
            LINKED: self._linked,
        }[place.source](limit, place)
        if further is None and place.source in _NEXT_SOURCE:
            further = PlanPlace(_NEXT_SOURCE[place.source])
        return Candidates(found, further)

    def _params(self) -> dict[str, Value]:
        params: dict[str, Value] = {"account": self._account_id, "seq": self._scope.seq, "upto": self._scope.upto}
        return params if self._mine is None else params | self._mine.params

    def _way(self, _limit: int, _place: PlanPlace) -> tuple[list[Candidate], PlanPlace | None]:
        """The folder itself and those above it, if it cannot be seen any longer."""
        folder = self._scope.folder_key
        if folder is None or self._mine is not None:
            return [], None
        if Lineage(self._sql, self._account_id, [folder]).is_visible(folder):
            return [], None
        way = PastTree(self._sql, self._account_id, self._scope.seq).visible(folder) or []
        return [Candidate(one.object_key, False) for one in way[1:]], None

    def _changed(self, limit: int, place: PlanPlace) -> tuple[list[Candidate], PlanPlace | None]:
        """By the first change of each object since the moment; by the actor's last one, if there is an actor."""
        after = max(place.value, self._scope.seq)
        upto = min(self._scope.upto, after + limit)
        if self._mine is None:
            once = f"(c.before IS NULL OR NOT EXISTS (SELECT 1 FROM changes e WHERE {_SAME_OBJECT}"
            once += " AND e.kind <> 'emptied' AND e.seq > :seq AND e.seq < c.seq))"
        else:
            once = f"{self._mine.of('c.actor')} AND NOT EXISTS (SELECT 1 FROM changes e WHERE {_SAME_OBJECT}"
            once += f" AND e.kind <> 'emptied' AND e.seq > c.seq AND e.seq <= :upto AND {self._mine.of('e.actor')})"
        rows = self._sql.all(
            "SELECT c.object_key, CASE WHEN c.before IS NULL THEN 1 ELSE 0 END FROM changes c"
            " WHERE c.account_id = :account AND c.seq > :after AND c.seq <= :end AND c.kind <> 'emptied'"
            f" AND {once} ORDER BY c.seq",
            {name: value for name, value in self._params().items() if self._mine is not None or name != "upto"}
            | {"after": after, "end": upto},
        )
        found = [Candidate(key_text(key), bool(is_new)) for key, is_new in rows]
        return found, None if upto >= self._scope.upto else PlanPlace(CHANGED, upto)

    def _purged(self, limit: int, place: PlanPlace) -> tuple[list[Candidate], PlanPlace | None]:
        mine = "1 = 1" if self._mine is None else self._mine.of("c.actor")
        has_own = (
            f"SELECT 1 FROM changes c WHERE c.account_id = p.account_id AND c.object_key = p.object_key AND {mine}"
        )
        by_whom = (
            ""
            if self._mine is None
            else " AND EXISTS (SELECT 1 FROM changes c WHERE c.account_id = p.account_id AND c.seq = p.purged_seq"
            f" AND {mine})"
        )
        rows = self._sql.all(
            "SELECT p.object_key, CASE WHEN p.purged_seq > :seq AND p.purged_seq <= :upto AND NOT EXISTS"
            f" ({has_own} AND c.seq > :seq AND {OF_OBJECT}){by_whom} THEN 1 ELSE 0 END FROM purged_objects p"
            " WHERE p.account_id = :account AND p.object_key > :after ORDER BY p.object_key LIMIT :limit",
            self._params() | {"after": raw(place.key), "limit": limit},
        )
        found = [Candidate(key_text(key), False) for key, is_one in rows if is_one]
        return found, PlanPlace(PURGED, 0, key_text(rows[-1][0])) if len(rows) == limit else None

    def _linked(self, limit: int, place: PlanPlace) -> tuple[list[Candidate], PlanPlace | None]:
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
        further = PlanPlace(LINKED, rows[-1][0]) if len(rows) == limit else None
        return [Candidate(key, False) for key in keys], further
