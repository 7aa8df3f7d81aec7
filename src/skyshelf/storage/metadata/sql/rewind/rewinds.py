"""Rewinds in SQL: their rows, and the steps of their jobs."""

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from skyshelf.storage.errors import Missing
from skyshelf.storage.metadata.contracts.tree import PURGING, StoredObject
from skyshelf.storage.metadata.history.rewinds import (
    ACTIVE_STATES,
    CANCELLED,
    DONE,
    LAST,
    PLANNING,
    REFUSED,
    RUNNING,
    Counts,
    Place,
    PlanPage,
    PlanPlace,
    Problem,
    Scope,
    StoredRewind,
)
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.kept.links import SHARE
from skyshelf.storage.metadata.sql.quota import SqlQuotas
from skyshelf.storage.metadata.sql.rewind.applier import WAITING, Applier
from skyshelf.storage.metadata.sql.rewind.items import (
    add_items,
    clear_items,
    next_items,
    note_outcomes,
    problems_of,
)
from skyshelf.storage.metadata.sql.rewind.link_changes import (
    LINK_ACTIONS,
    SINCE,
    LinkChange,
    link_changes,
    renames_tags,
)
from skyshelf.storage.metadata.sql.rewind.links import set_links
from skyshelf.storage.metadata.sql.rewind.planner import Planner
from skyshelf.storage.metadata.sql.rewind.ways import current_ways
from skyshelf.storage.metadata.sql.statements import Row, Sql, key_text, raw

_COLUMNS = (
    "rewind_key, account_id, state, seq, at, upto, folder_key, actor, asked_by, undo_of, created_at, updated_at, place,"
    " counts"
)
_COUNTED = ("restored", "moved", "renamed", "content", "favorite", "trashed")
_LINKS = "tags"
"""Where a job stands that has done all but the tags, albums and links."""
_encode = msgspec.msgpack.encode


class SqlRewinds:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def plan(self, account_id: int, scope: Scope, *, limit: int, after: PlanPlace | None = None) -> PlanPage:
        return Planner(self._sql, account_id, scope).page(limit, after)

    def add(self, rewind: StoredRewind, *, keep: int) -> bool:
        account_id = rewind.account_id
        lock_account(self._sql, account_id)
        known = self._all(account_id)
        if any(one.state in ACTIVE_STATES for one in known):
            return False
        for old in known[keep - 1 :]:
            for table in ("rewind_items", "rewinds"):
                self._sql.run(
                    f"DELETE FROM {table} WHERE account_id = :account AND rewind_key = :rewind",
                    {"account": account_id, "rewind": raw(old.rewind_key)},
                )
        scope = rewind.scope
        self._sql.run(
            f"INSERT INTO rewinds ({_COLUMNS}) VALUES (:rewind, :account, :state, :seq, :at, :upto, :folder, :actor,"
            " :asked_by, :undo_of, :created, :updated, :place, :counts)",
            {
                "rewind": raw(rewind.rewind_key),
                "account": account_id,
                "state": rewind.state,
                "seq": scope.seq,
                "at": scope.at,
                "upto": scope.upto,
                "folder": None if scope.folder_key is None else raw(scope.folder_key),
                "actor": scope.actor,
                "asked_by": rewind.asked_by,
                "undo_of": None if rewind.undo_of is None else raw(rewind.undo_of),
                "created": rewind.created_at,
                "updated": rewind.updated_at,
                "place": _encode(rewind.place),
                "counts": _encode(rewind.counts),
            },
        )
        return True

    def get(self, account_id: int, rewind_key: str) -> StoredRewind:
        row = self._sql.one(
            f"SELECT {_COLUMNS} FROM rewinds WHERE account_id = :account AND rewind_key = :rewind",
            {"account": account_id, "rewind": raw(rewind_key)},
        )
        if row is None:
            raise Missing("no such rewind")
        return _rewind(row)

    def owner(self, rewind_key: str) -> int | None:
        row = self._sql.one("SELECT account_id FROM rewinds WHERE rewind_key = :rewind", {"rewind": raw(rewind_key)})
        return None if row is None else row[0]

    def latest(self, account_id: int, limit: int) -> list[StoredRewind]:
        return self._all(account_id)[:limit]

    def _all(self, account_id: int) -> list[StoredRewind]:
        rows = self._sql.all(
            f"SELECT {_COLUMNS} FROM rewinds WHERE account_id = :account ORDER BY created_at DESC, rewind_key DESC",
            {"account": account_id},
        )
        return [_rewind(row) for row in rows]

    def problems(self, account_id: int, rewind_key: str, *, limit: int, after: str = "") -> list[Problem]:
        return problems_of(self._sql, self.get(account_id, rewind_key), limit, after)

    def cancel(self, account_id: int, rewind_key: str, now: int) -> StoredRewind:
        rewind = self._locked(account_id, rewind_key)
        if rewind.state not in ACTIVE_STATES:
            return rewind
        return self._store(replace(rewind, state=CANCELLED), now)

    # Steps of the job.

    def collect_some(self, account_id: int, rewind_key: str, limit: int, now: int) -> bool:
        rewind = self._locked(account_id, rewind_key)
        if rewind.state != PLANNING:
            return False
        place = PlanPlace(rewind.place.source, rewind.place.value, rewind.place.key) if rewind.place.source else None
        page = self.plan(account_id, rewind.scope, limit=limit, after=place)
        counts = rewind.counts
        counts.total += add_items(self._sql, rewind, page.items)
        counts.size += sum(one.size for one in page.items)
        if page.next is not None:
            self._store(replace(rewind, place=Place(*page.next)), now)
            return True
        quota = SqlQuotas(self._sql).get(account_id, now)
        counts.missing = max(0, counts.size - (quota.allocated - quota.used - quota.reserved)) if counts.size else 0
        state = REFUSED if counts.missing else RUNNING
        self._store(replace(rewind, state=state, place=Place()), now)
        return False

    def apply_some(self, account_id: int, rewind_key: str, limit: int, now: int, *, keep_versions: int) -> bool:
        rewind = self._locked(account_id, rewind_key)
        if rewind.state != RUNNING or rewind.place.source == _LINKS:
            return False
        items = next_items(self._sql, rewind, rewind.place, limit)
        if not items:
            self._store(replace(rewind, place=Place(_LINKS)), now)
            return False
        step = Applier(self._sql, rewind, items, now, is_last=items[0].rank >= LAST)
        step.apply(keep_versions)
        waiting = [key for key, outcome in step.outcomes.items() if outcome == WAITING]
        problems = {key: outcome for key, outcome in step.outcomes.items() if outcome not in {"", WAITING}}
        note_outcomes(self._sql, rewind, problems, waiting)
        counts = rewind.counts
        for name in _COUNTED:
            setattr(counts, name, getattr(counts, name) + step.actions.count(name))
        counts.left += len(problems)
        counts.done += len(items) - len(waiting)
        self._store(replace(rewind, place=Place("items", items[-1].rank, items[-1].object_key)), now)
        return True

    def link_some(self, account_id: int, rewind_key: str, limit: int, now: int) -> bool:
        rewind = self._locked(account_id, rewind_key)
        if rewind.state != RUNNING or rewind.place.source != _LINKS:
            return False
        scope = rewind.scope
        rows = self._sql.all(
            f"SELECT l.link_id, l.object_key, CASE WHEN {SINCE} AND l.actor <> :mine THEN 1 ELSE 0"
            " END FROM link_changes l WHERE l.account_id = :account AND l.link_id > :after ORDER BY l.link_id"
            " LIMIT :limit",
            {
                "account": account_id,
                "seq": scope.seq,
                "at": scope.at,
                "upto": scope.upto,
                "mine": rewind.actor,
                "after": rewind.place.value,
                "limit": limit,
            },
        )
        self._set_links(rewind, sorted({key_text(key) for _, key, is_one in rows if is_one}), now)
        if len(rows) < limit:
            self._store(replace(rewind, state=DONE, place=Place()), now)
            return False
        self._store(replace(rewind, place=Place(_LINKS, rows[-1][0])), now)
        return True

    def _set_links(self, rewind: StoredRewind, keys: list[str], now: int) -> None:
        account_id, scope, counts = rewind.account_id, rewind.scope, rewind.counts
        ways = current_ways(self._sql, account_id)
        ways.fetch(keys)
        wanted = link_changes(self._sql, account_id, scope, keys, but_by=rewind.actor)
        meant = {key: _meant(ways.get(key), scope, changes) for key, changes in wanted.items()}
        if scope.folder_key is not None:
            meant = {key: changes for key, changes in meant.items() if ways.is_below(key, scope.folder_key)}
        for kind in set_links(self._sql, account_id, meant, now, rename_tags=renames_tags(scope)):
            name = LINK_ACTIONS[kind]
            setattr(counts, name, getattr(counts, name) + 1)

    def clear_some(self, account_id: int, rewind_key: str, limit: int) -> bool:
        rewind = self._locked(account_id, rewind_key)
        return rewind.state not in ACTIVE_STATES and clear_items(self._sql, rewind, limit)

    def _locked(self, account_id: int, rewind_key: str) -> StoredRewind:
        lock_account(self._sql, account_id)
        rewind = self.get(account_id, rewind_key)
        self._sql.actor = rewind.actor
        return rewind

    def _store(self, rewind: StoredRewind, now: int) -> StoredRewind:
        self._sql.run(
            "UPDATE rewinds SET state = :state, place = :place, counts = :counts, updated_at = :now"
            " WHERE account_id = :account AND rewind_key = :rewind",
            {
                "account": rewind.account_id,
                "rewind": raw(rewind.rewind_key),
                "state": rewind.state,
                "place": _encode(rewind.place),
                "counts": _encode(rewind.counts),
                "now": now,
            },
        )
        return replace(rewind, updated_at=now)


def _meant(stored: StoredObject | None, scope: Scope, changes: Sequence[LinkChange]) -> Sequence[LinkChange]:
    """What was made since the moment is in the trash, with its tags; links to it are closed all the same."""
    if stored is None or stored.status == PURGING:
        return ()
    return [one for one in changes if one.kind == SHARE] if stored.created_seq > scope.seq else changes


def _rewind(row: Row) -> StoredRewind:
    return StoredRewind(
        rewind_key=key_text(row[0]),
        account_id=row[1],
        state=row[2],
        scope=Scope(
            seq=row[3],
            at=row[4],
            upto=row[5],
            folder_key=None if row[6] is None else key_text(row[6]),
            actor=row[7],
        ),
        asked_by=row[8],
        undo_of=None if row[9] is None else key_text(row[9]),
        created_at=row[10],
        updated_at=row[11],
        place=msgspec.msgpack.decode(row[12], type=Place),
        counts=msgspec.msgpack.decode(row[13], type=Counts),
    )
