"""Changing the tree: batches of renames, moves, favourites and trashings, and restoring from the trash.

A batch loads all it needs in a fixed number of statements, decides in memory in the order of its changes, and
writes what changed. All of it happens under the account's lock.
"""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from skyshelf.storage import errors
from skyshelf.storage.metadata.alarms import DELETED, MARKED, REPLACED, SCRAMBLED
from skyshelf.storage.metadata.contracts import changes as feed
from skyshelf.storage.metadata.contracts import tree
from skyshelf.storage.metadata.sql.account_lock import Meter, NewChange, lock_account, record_changes
from skyshelf.storage.metadata.sql.statements import Sql, key_text, raw
from skyshelf.storage.metadata.sql.tree.objects import reindex, update_objects
from skyshelf.storage.metadata.sql.tree.placing import ChildName, ChildNames, Nesting, free_name
from skyshelf.storage.metadata.sql.tree.visibility import Lineage, load, objects_below, root_key_of
from skyshelf.storage.samples import hides_type, is_known_type
from skyshelf.wire.limits import ALARM_FOLDER_OBJECTS_MAX, DELEGATION_OBJECTS_MAX


class _Working:
    """The objects of a batch, before and after its changes, and the changes themselves."""

    def __init__(
        self, sql: Sql, account_id: int, object_keys: Sequence[str], now: int, *, is_repair: bool = False
    ) -> None:
        self.is_repair = is_repair
        self.sql = sql
        self.account_id = account_id
        self.now = now
        self.lock = lock_account(sql, account_id)
        self._before = load(sql, account_id, object_keys)
        self.objects = dict(self._before)
        self._happened: list[NewChange] = []
        self.meter = Meter(sql, self.lock, now)

    def change(self, after: tree.StoredObject, kind: str, sign: str | None = None, times: int = 1) -> tree.StoredObject:
        after.updated_at = self.now
        key, before = after.object_key, self._before[after.object_key]
        change = NewChange(kind, key, self.objects[key], sign, times=times)
        self._happened.append(change)
        if self.objects[key] is not before and replace(after, updated_at=before.updated_at) == before:
            self.meter.forget(key)
        else:
            self.meter.add(change)
        self.objects[key] = after
        return after

    def write_now(self) -> None:
        """Write what has changed so far; what changes next begins from here."""
        self.write()
        self._before, self._happened = dict(self.objects), []
        self.lock = lock_account(self.sql, self.account_id)

    def _settle(self) -> list[NewChange]:
        """Return what has happened in all: nothing to an object that is as it was, and a kind in a row once."""
        for key, before in self._before.items():
            after = self.objects[key]
            if after is not before and replace(after, updated_at=before.updated_at) == before:
                self.objects[key] = before
        latest: dict[str, int] = {}
        settled: list[NewChange] = []
        for one in self._happened:
            if self.objects[one.object_key] is self._before[one.object_key]:
                continue
            at = latest.get(one.object_key)
            if at is not None and settled[at].kind == one.kind:
                settled[at] = settled[at]._replace(sign=settled[at].sign or one.sign, times=settled[at].times + 1)
                continue
            latest[one.object_key] = len(settled)
            settled.append(one)
        return settled

    def write(self) -> None:
        happened = self._settle()
        changed = [(self._before[key], after) for key, after in self.objects.items() if after is not self._before[key]]
        with self.sql.together():
            update_objects(self.sql, changed)
            # Of something that has lost its place, the former folder does not exist.
            sides = [after for _, after in changed] if self.is_repair else [side for pair in changed for side in pair]
            folders = {side.parent_key for side in sides if side.parent_key is not None}
            record_changes(
                self.sql,
                self.account_id,
                self.lock,
                happened,
                self.now,
                folders=folders,
                last_name=self.meter.last_name,
            )


_Placing = tree.Rename | tree.Move | tree.Relocate


def _destination(change: _Placing, stored: tree.StoredObject, folder: str) -> ChildName:
    """Return where a change puts an object that is in a folder."""
    return (
        folder if isinstance(change, tree.Rename) else change.parent_key,
        stored.name if isinstance(change, tree.Move) else change.name,
    )


class Batch:
    """One call of Tree.apply."""

    def __init__(self, sql: Sql, account_id: int, changes: Sequence[tree.TreeChange], now: int) -> None:
        targets = [change.parent_key for change in changes if isinstance(change, tree.Move | tree.Relocate)]
        self._changes = changes
        self._work = _Working(sql, account_id, [change.object_key for change in changes] + targets, now)
        objects = self._work.objects
        # Above every object, for what is being purged; above every target, for cycles and visibility.
        above = {one.parent_key for one in objects.values() if one.parent_key is not None}
        # And the folders themselves, for what is below them.
        folders = {key for key, one in objects.items() if one.is_folder}
        self._lineage = Lineage(sql, account_id, above | folders)
        self._nesting = Nesting(sql, account_id, self._lineage)
        self._names = ChildNames(sql, account_id, self._wanted_names())
        trashed = {change.object_key for change in changes if isinstance(change, tree.Trash)} & folders
        most = ALARM_FOLDER_OBJECTS_MAX if self._work.meter.counts else 0
        most = most if sql.leave is None else DELEGATION_OBJECTS_MAX
        self._below = objects_below(sql, account_id, trashed, most)
        # What a delegation moves into a folder is deleted with it, even by the same batch.
        brings = sql.leave is not None and sql.leave.delegation is not None and bool(trashed)
        last = max((at for at, change in enumerate(changes) if isinstance(change, tree.Trash)), default=0)
        moved = {change.object_key for change in changes[:last] if isinstance(change, tree.Move | tree.Relocate)}
        self._brought = objects_below(sql, account_id, moved & folders, most) if brings else {}
        self._came_from: dict[str, frozenset[str]] | None = {} if brings else None

    def _wanted_names(self) -> Iterable[ChildName]:
        """Return where each change would end up if it were the only one of its object, as nearly always it is."""
        for change in self._changes:
            stored = self._work.objects.get(change.object_key)
            if stored is not None and stored.parent_key is not None and isinstance(change, _Placing):
                yield _destination(change, stored, stored.parent_key)

    def apply(self, *, whole: bool) -> list[tree.Outcome]:
        outcomes: list[tree.Outcome] = []
        for change in self._changes:
            try:
                if self._work.meter.is_full and not whole:
                    raise errors.SessionPaused("the changes before this one have raised an alarm")
                outcomes.append(self._apply_one(change))
            except errors.StorageError as refusal:
                outcomes.append(refusal)
        self._work.write()
        self._nesting.write()
        return outcomes

    def _apply_one(self, change: tree.TreeChange) -> tree.StoredObject:
        stored = self._work.objects.get(change.object_key)
        if stored is None or stored.status == tree.PURGING:
            raise errors.ObjectMissing("no such object")
        # An object trashed separately survives its former folder; any other goes with it.
        if stored.status == tree.ACTIVE and self._lineage.is_being_purged(stored.parent_key):
            raise errors.ObjectMissing("no such object")
        if isinstance(change, tree.SetFavorite):
            if stored.is_favorite == change.favorite:
                return stored
            return self._work.change(replace(stored, is_favorite=change.favorite), feed.FAVORITE)
        if isinstance(change, tree.SetExecutable):
            if stored.is_folder:
                raise errors.NotAFile("a folder is not a program")
            if stored.is_executable == change.executable:
                return stored
            return self._work.change(replace(stored, is_executable=change.executable), feed.CONTENT, MARKED)
        if stored.parent_key is None:
            raise errors.RootIsFixed("the root cannot be renamed, moved or trashed")
        if isinstance(change, tree.Trash):
            return self._trash(stored)
        if not isinstance(change, tree.Rename):
            self._refuse_bad_target(stored, change.parent_key)
        return self._relocate(stored, *_destination(change, stored, stored.parent_key))

    def _trash(self, stored: tree.StoredObject) -> tree.StoredObject:
        if stored.status == tree.TRASHED:
            return stored
        self._names.leave(stored)
        self._lineage.set_status(stored.object_key, tree.TRASHED)
        # Later than the last emptying of the trash, even within the same millisecond or by a clock that went back.
        trashed_at = max(self._work.now, self._work.lock.trash_watermark + 1)
        sign = REPLACED if stored.is_folder or is_known_type(stored.name) else DELETED
        times = max(1, self._below.get(stored.object_key, 0) + self._brought_into(stored.object_key))
        return self._work.change(replace(stored, status=tree.TRASHED, trashed_at=trashed_at), feed.TRASHED, sign, times)

    def _brought_into(self, folder_key: str) -> int:
        """Return how many objects this batch has moved below a folder, with what is in them."""
        return sum(
            1 + self._brought.get(key, 0)
            for key, above in (self._came_from or {}).items()
            if folder_key not in above and folder_key in self._lineage.up_from(self._work.objects[key].parent_key)
        )

    def _refuse_bad_target(self, stored: tree.StoredObject, target_key: str) -> None:
        target = self._work.objects.get(target_key)
        if target is None or target.status != tree.ACTIVE:
            raise errors.TargetMissing("the target folder is not there")
        if not target.is_folder:
            raise errors.TargetIsAFile("the target is a file")
        if stored.object_key in self._lineage.up_from(target_key):
            raise errors.WouldCycle("a folder cannot be moved into itself or below itself")
        if not self._lineage.is_visible(target_key):
            raise errors.TargetMissing("the target folder is not there")

    def _relocate(self, stored: tree.StoredObject, parent_key: str, name: str) -> tree.StoredObject:
        if (stored.parent_key, stored.name) == (parent_key, name):
            return stored
        if stored.status == tree.ACTIVE and self._names.holder((parent_key, name)) not in {None, stored.object_key}:
            raise errors.NameTaken("the folder already has an object of that name")
        if stored.is_folder:
            self._nesting.settle(stored.object_key, parent_key, name)
        if stored.status == tree.ACTIVE:
            self._names.leave(stored)
            self._names.take((parent_key, name), stored.object_key)
        if self._came_from is not None and parent_key != stored.parent_key:
            self._came_from.setdefault(stored.object_key, frozenset(self._lineage.up_from(stored.parent_key)))
        self._lineage.set_parent(stored.object_key, parent_key)
        is_renamed = not stored.is_folder and stored.name != name
        is_hidden = is_renamed and (self._work.meter.is_unlike(stored.name, name) or hides_type(stored.name, name))
        after = replace(stored, parent_key=parent_key, name=name)
        kind = feed.RENAMED if parent_key == stored.parent_key else feed.MOVED
        return self._work.change(after, kind, SCRAMBLED if is_hidden else None)


def restore_objects(sql: Sql, account_id: int, object_keys: Sequence[str], now: int) -> list[tree.Outcome]:
    """One call of Tree.restore."""
    work = _Working(sql, account_id, object_keys, now)
    parents = {one.parent_key for one in work.objects.values() if one.parent_key is not None}
    root_key = root_key_of(sql, account_id)
    # The root too: what comes back there takes with it what comes back below it.
    folders = {key for key, one in work.objects.items() if one.is_folder}
    lineage = Lineage(sql, account_id, parents | {root_key} | folders)
    nesting = Nesting(sql, account_id, lineage)
    places = ChildNames(
        sql,
        account_id,
        {(folder, one.name) for one in work.objects.values() for folder in (one.parent_key or root_key, root_key)},
    )
    outcomes: list[tree.Outcome] = []
    for key in object_keys:
        stored = work.objects.get(key)
        if stored is None or stored.status == tree.PURGING:
            outcomes.append(errors.ObjectMissing("no such object in the trash"))
        elif stored.status == tree.ACTIVE:
            seen = stored.parent_key is None or lineage.is_visible(stored.parent_key)
            outcomes.append(stored if seen else errors.ObjectMissing("no such object in the trash"))
        else:
            outcomes.append(_restore_one(work, stored, nesting, places, root_key))
    work.write()
    nesting.write()
    return outcomes


def bring_to_root(sql: Sql, account_id: int, object_keys: Sequence[str], now: int) -> list[str]:
    """Move objects that have lost their place to the root, under free names; those that still had none."""
    root_key = root_key_of(sql, account_id)
    work = _Working(sql, account_id, object_keys, now, is_repair=True)
    if root_key not in load(sql, account_id, [root_key]):
        raise errors.ObjectMissing("the account has no root")
    places = ChildNames(sql, account_id, {(root_key, one.name) for one in work.objects.values()})
    moved = []
    for key, stored in list(work.objects.items()):
        if key == root_key or (stored.parent_key is not None and _hangs_below_the_root(sql, account_id, key, root_key)):
            continue
        name = free_name(places, root_key, stored.name) if stored.status == tree.ACTIVE else stored.name
        if stored.status == tree.ACTIVE:
            places.take((root_key, name), key)
        # Nobody knows what the search index has of something without a place: out of it, and into it again.
        sql.search_index.remove(account_id, [key])
        home = work.change(replace(stored, parent_key=root_key, name=name), feed.MOVED)
        # At once, since the next of a circle may be at home by it.
        work.write_now()
        reindex(sql, home)
        moved.append(key)
    return moved


def _hangs_below_the_root(sql: Sql, account_id: int, object_key: str, root_key: str) -> bool:
    """Return whether the ancestors are all folders and end at the root or at a folder that is being purged."""
    rows = sql.all(
        "WITH RECURSIVE above (object_key, parent_key, kind, status, one) AS ("
        "SELECT o.object_key, o.parent_key, CAST(0 AS BIGINT), o.status, 1 FROM objects o"
        " WHERE o.account_id = :account AND o.object_key = :key"
        " UNION SELECT o.object_key, o.parent_key, o.kind, o.status, 1 FROM objects o JOIN above"
        " ON o.object_key = above.parent_key WHERE o.account_id = :account AND above.one = 1)"
        " SELECT object_key, parent_key, kind, status FROM above",
        {"account": account_id, "key": raw(object_key)},
    )
    tops = [key_text(key) == root_key or status == tree.PURGING for key, parent, _, status in rows if parent is None]
    return all(kind == 0 for _, _, kind, _ in rows) and any(tops)


def _restore_one(
    work: _Working, stored: tree.StoredObject, nesting: Nesting, places: ChildNames, root_key: str
) -> tree.StoredObject:
    lineage = nesting.lineage
    folder = stored.parent_key if stored.parent_key and lineage.is_visible(stored.parent_key) else root_key
    name = free_name(places, folder, stored.name)
    if stored.is_folder:
        try:
            nesting.settle(stored.object_key, folder, name)
        except errors.TooDeep:
            # A longer name, because its own is taken by now. What is in the trash must be able to leave it.
            folder = root_key
            name = free_name(places, folder, stored.name)
            nesting.settle(stored.object_key, folder, name, anywhere=True)
    places.take((folder, name), stored.object_key)
    lineage.set_status(stored.object_key, tree.ACTIVE)
    lineage.set_parent(stored.object_key, folder)
    return work.change(replace(stored, status=tree.ACTIVE, trashed_at=0, parent_key=folder, name=name), feed.RESTORED)
