"""Rewinds in SQL: their rows, and the steps of their jobs."""

from collections.abc import Sequence
from functools import partial

import msgspec
from msgspec.structs import replace

from skyshelf.storage.errors import LimitReached, Missing
from skyshelf.storage.metadata.alarms import ASIDE, device_in
from skyshelf.storage.metadata.contracts.tree import PURGING, Page, StoredObject
from skyshelf.storage.metadata.history import rewinds
from skyshelf.storage.metadata.sql.account_lock import count_signs, lock_account
from skyshelf.storage.metadata.sql.history.history import SqlHistory
from skyshelf.storage.metadata.sql.keeping import SHARE
from skyshelf.storage.metadata.sql.quota import SqlQuotas
from skyshelf.storage.metadata.sql.rewind import former
from skyshelf.storage.metadata.sql.rewind import items as noted
from skyshelf.storage.metadata.sql.rewind import links as linked
from skyshelf.storage.metadata.sql.rewind.applier import WAITING, Applier
from skyshelf.storage.metadata.sql.rewind.planner import Ways, plan_page
from skyshelf.storage.metadata.sql.statements import Columns, Params, Row, Scalar, SqlNoun, key_text, raw, required
from skyshelf.storage.metadata.sql.tree.visibility import load

_SCOPE = Columns(rewinds.Scope)
_PLAIN = ("account_id", "state", "asked_by", "created_at", "updated_at")
_COLUMNS = f"rewind_key, undo_of, place, counts, {', '.join(_PLAIN)}, {_SCOPE.text}"
_DAY_MS = 24 * 60 * 60 * 1000
_COUNTED = ("restored", "moved", "renamed", "content", "favorite", "trashed")
_FORMER, _LINKS = "former", "tags"
"""Where a job stands that has done all but albums, comments and contacts; then all but the tags, boards and links."""
_encode = msgspec.msgpack.encode


class SqlRewinds(SqlNoun):
    """The moment must be within history's bounds; the caller has checked that."""

    def plan(
        self, account_id: int, scope: rewinds.Scope, *, limit: int, after: rewinds.Place | None = None
    ) -> Page[rewinds.PlannedItem, rewinds.Place]:
        """Return a page of what a rewind would do. It looks at `limit` changes at most, and may be empty."""
        return plan_page(self._sql, account_id, scope, limit, after)

    def others(self, account_id: int, scope: rewinds.Scope) -> int:
        """Return how many deleted or edited albums, comments and contacts it would bring back."""
        return len(former.due(self._sql, account_id, scope))

    def add(self, rewind: rewinds.StoredRewind, *, keep: int) -> bool:
        """Create a rewind; of all, the newest `keep` are kept. False while another one of the account runs.

        LimitReached where devices have started so many within a day: to and fro, a few calls could fill the history.
        """
        account_id = rewind.account_id
        # A paused device may undo what it did; the caller has checked that it is that.
        lock = lock_account(self._sql, account_id, even_paused=True)
        known = self._all(account_id)
        if any(one.state in rewinds.ACTIVE_STATES for one in known):
            return False
        recent = [device_in(one.asked_by) for one in known if one.created_at > rewind.created_at - _DAY_MS]
        device_key = device_in(rewind.asked_by)
        # Half of them for one device: a stolen session must leave some for its owner.
        if device_key is not None and (len(recent) >= keep or recent.count(device_key) >= keep // 2):
            raise LimitReached(
                f"A device can start at most {keep // 2:,} rewinds in 24 hours, all of them {keep:,};"
                " undoing one counts, too"
            )
        for old in [] if lock.held_at else known[keep - 1 :]:
            for table in ("rewind_items", "rewinds"):
                self._sql.delete(table, account_id=account_id, rewind_key=raw(old.rewind_key))
        self._sql.insert(
            "rewinds",
            **_SCOPE.write(rewind.scope),
            rewind_key=raw(rewind.rewind_key),
            **{name: getattr(rewind, name) for name in _PLAIN},
            undo_of=None if rewind.undo_of is None else raw(rewind.undo_of),
            place=_encode(rewind.place),
            counts=_encode(rewind.counts),
        )
        return True

    def get(self, account_id: int, rewind_key: str) -> rewinds.StoredRewind:
        """Missing where there is none."""
        row = self._sql.one(
            f"SELECT {_COLUMNS} FROM rewinds WHERE account_id = :account AND rewind_key = :rewind",
            {"account": account_id, "rewind": raw(rewind_key)},
        )
        return _rewind(required(row, Missing("no such rewind")))

    def owner(self, rewind_key: str) -> int | None:
        """Return the account that it belongs to; None where there is no such rewind."""
        owner = "SELECT account_id FROM rewinds WHERE rewind_key = :rewind"
        return self._sql.value(owner, {"rewind": raw(rewind_key)})

    def latest(self, account_id: int, limit: int) -> list[rewinds.StoredRewind]:
        """Return them newest first."""
        return self._all(account_id)[:limit]

    def _all(self, account_id: int) -> list[rewinds.StoredRewind]:
        rows = self._sql.all(
            f"SELECT {_COLUMNS} FROM rewinds WHERE account_id = :account ORDER BY created_at DESC, rewind_key DESC",
            {"account": account_id},
        )
        return [_rewind(row) for row in rows]

    def problems(self, account_id: int, rewind_key: str, *, limit: int, after: str = "") -> list[rewinds.Problem]:
        """Return what could not be undone, by key; those after a key."""
        return noted.problems_of(self._sql, self.get(account_id, rewind_key), limit, after)

    def cancel(self, account_id: int, rewind_key: str, now: int) -> rewinds.StoredRewind:
        """Stop it; one that has ended stays as it is."""
        rewind = self._locked(account_id, rewind_key)
        if rewind.state not in rewinds.ACTIVE_STATES:
            return rewind
        return self._store(replace(rewind, state=rewinds.CANCELLED), now)

    # Steps of the job.

    def collect_some(self, account_id: int, rewind_key: str, limit: int, now: int) -> bool:
        """Note what is to be done. After the last step the rewind runs, or is refused if it does not fit.

        It is cancelled if history no longer has its moment.
        """
        rewind = self._locked(account_id, rewind_key)
        if rewind.state != rewinds.PLANNING:
            return False
        bounds = SqlHistory(self._sql).bounds(account_id, even_forgotten=rewind.is_by_command)
        if rewind.scope.seq < bounds.oldest:
            self._store(replace(rewind, state=rewinds.CANCELLED), now)
            return False
        place = rewind.place if rewind.place.source else None
        page = self.plan(account_id, rewind.scope, limit=limit, after=place)
        counts = rewind.counts
        counts.total += noted.add_items(self._sql, rewind, page.found)
        counts.size += sum(one.size for one in page.found)
        if page.next is not None:
            self._store(replace(rewind, place=page.next), now)
            return True
        quota = SqlQuotas(self._sql).get(account_id, now)
        counts.missing = max(0, counts.size - (quota.allocated - quota.used - quota.reserved)) if counts.size else 0
        state = rewinds.REFUSED if counts.missing else rewinds.RUNNING
        self._store(replace(rewind, state=state, place=rewinds.Place()), now)
        return False

    def apply_some(self, account_id: int, rewind_key: str, limit: int, now: int, *, keep_versions: int) -> bool:
        """Do some of it."""
        rewind = self._locked(account_id, rewind_key)
        if rewind.state != rewinds.RUNNING or rewind.place.source in {_FORMER, _LINKS}:
            return False
        items = noted.next_items(self._sql, rewind, rewind.place, limit)
        if not items:
            self._store(replace(rewind, place=rewinds.Place(_FORMER)), now)
            return False
        step = Applier(self._sql, rewind, items, now, is_last=items[0].rank >= rewinds.LAST)
        step.apply(keep_versions)
        waiting = [key for key, outcome in step.outcomes.items() if outcome == WAITING]
        problems = {key: outcome for key, outcome in step.outcomes.items() if outcome not in {"", WAITING}}
        noted.note_outcomes(self._sql, rewind, problems, waiting)
        counts = rewind.counts
        for name in _COUNTED:
            setattr(counts, name, getattr(counts, name) + step.actions.count(name))
        counts.left += len(problems)
        self._count_aside(rewind, step.actions.count("trashed"), now)
        counts.done += len(items) - len(waiting)
        self._store(replace(rewind, place=rewinds.Place("items", items[-1].rank, items[-1].object_key)), now)
        return True

    def _count_aside(self, rewind: rewinds.StoredRewind, trashed: int, now: int) -> None:
        """Count what is in the trash now for the device that wanted so, in case it empties the trash."""
        self._sql.actor = rewind.asked_by
        count_signs(self._sql, rewind.account_id, [ASIDE] * trashed, now)
        self._sql.actor = rewind.actor

    def link_some(self, account_id: int, rewind_key: str, limit: int, now: int) -> bool:
        """Bring albums, comments, contacts and tags back and close links, as the last part; then the rewind is done."""
        rewind = self._locked(account_id, rewind_key)
        if rewind.state == rewinds.RUNNING and rewind.place.source == _FORMER:
            return self._bring_back(rewind, limit, now)
        if rewind.state != rewinds.RUNNING or rewind.place.source != _LINKS:
            return False
        scope = rewind.scope
        rows = self._sql.all(
            f"SELECT l.link_id, l.object_key, CASE WHEN {linked.SINCE} AND l.actor <> :mine THEN 1 ELSE 0"
            " END FROM link_changes l WHERE l.account_id = :account AND l.link_id > :after ORDER BY l.link_id"
            " LIMIT :limit",
            {
                "account": account_id,
                "mine": rewind.actor,
                "after": rewind.place.value,
                "limit": limit,
                **linked.since(scope),
            },
        )
        self._set_links(rewind, sorted({key_text(key) for _, key, is_one in rows if is_one}), now)
        if len(rows) < limit:
            self._store(replace(rewind, state=rewinds.DONE, place=rewinds.Place()), now)
            return False
        self._store(replace(rewind, place=rewinds.Place(_LINKS, rows[-1][0])), now)
        return True

    def _bring_back(self, rewind: rewinds.StoredRewind, limit: int, now: int) -> bool:
        account_id, done = rewind.account_id, (rewind.place.value, rewind.place.key)
        due = former.due(self._sql, account_id, rewind.scope, rewind)
        rest = [one for one in due if (int(one.is_part), key_text(one.record)) > done]
        former.hold_boards(self._sql, account_id, rest[:limit])
        for one in rest[:limit]:
            rewind.counts.others += former.bring_back(self._sql, account_id, one, now)
        place = rewinds.Place(_LINKS)
        if len(rest) > limit:
            place = rewinds.Place(_FORMER, int(rest[limit - 1].is_part), key_text(rest[limit - 1].record))
        self._store(replace(rewind, place=place), now)
        return True

    def _set_links(self, rewind: rewinds.StoredRewind, keys: list[str], now: int) -> None:
        account_id, scope, counts = rewind.account_id, rewind.scope, rewind.counts
        ways = Ways(partial(load, self._sql, account_id))
        ways.fetch(keys)
        wanted = linked.link_changes(self._sql, account_id, scope, keys, but_by=rewind.actor)
        meant = {key: _meant(ways.get(key), scope, changes) for key, changes in wanted.items()}
        if scope.folder_key is not None:
            meant = {key: changes for key, changes in meant.items() if ways.is_below(key, scope.folder_key)}
        for kind in linked.set_links(self._sql, account_id, meant, now, rename_tags=linked.renames_tags(scope)):
            name = linked.LINK_ACTIONS[kind]
            setattr(counts, name, getattr(counts, name) + 1)

    def clear_some(self, account_id: int, rewind_key: str, limit: int) -> bool:
        """Forget what a rewind that has ended had noted, but for its problems."""
        rewind = self._locked(account_id, rewind_key)
        return rewind.state not in rewinds.ACTIVE_STATES and noted.clear_items(self._sql, rewind, limit)

    def _locked(self, account_id: int, rewind_key: str) -> rewinds.StoredRewind:
        lock_account(self._sql, account_id, even_paused=True)
        rewind = self.get(account_id, rewind_key)
        self._sql.actor = rewind.actor
        return rewind

    def _store(self, rewind: rewinds.StoredRewind, now: int) -> rewinds.StoredRewind:
        progress: Params = {"state": rewind.state, "place": _encode(rewind.place), "counts": _encode(rewind.counts)}
        key: dict[str, Scalar] = {"account_id": rewind.account_id, "rewind_key": raw(rewind.rewind_key)}
        self._sql.update("rewinds", {**progress, "updated_at": now}, **key)
        return replace(rewind, updated_at=now)


def _meant(
    stored: StoredObject | None, scope: rewinds.Scope, changes: Sequence[linked.LinkChange]
) -> Sequence[linked.LinkChange]:
    """Objects created since the moment are in the trash with their tags; links to them are closed all the same."""
    if stored is None or stored.status == PURGING:
        return ()
    return [one for one in changes if one.kind == SHARE] if stored.created_seq > scope.seq else changes


def _rewind(row: Row) -> rewinds.StoredRewind:
    key, undo_of, place, counts, *others = row
    return rewinds.StoredRewind(
        rewind_key=key_text(key),
        scope=_SCOPE.read(tuple(others[len(_PLAIN) :])),
        undo_of=None if undo_of is None else key_text(undo_of),
        **dict(zip(_PLAIN, others, strict=False)),
        place=msgspec.msgpack.decode(place, type=rewinds.Place),
        counts=msgspec.msgpack.decode(counts, type=rewinds.Counts),
    )
