"""Changing the tree: batches of renames, moves, favourites and trashings, and restoring from the trash.

A batch loads all it needs in a fixed number of statements, decides in memory in the order of its changes, and
writes what changed. All of it happens under the account's lock.
"""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from skyshelf.storage.errors import (
    NameTaken,
    ObjectMissing,
    RootIsFixed,
    StorageError,
    TargetIsAFile,
    TargetMissing,
    TooDeep,
    WouldCycle,
)
from skyshelf.storage.metadata.alarms.signs import hides_type
from skyshelf.storage.metadata.alarms.watch import SCRAMBLED
from skyshelf.storage.metadata.contracts import changes as feed
from skyshelf.storage.metadata.contracts.tree import (
    ACTIVE,
    PURGING,
    TRASHED,
    Move,
    Outcome,
    Relocate,
    Rename,
    SetFavorite,
    StoredObject,
    Trash,
    TreeChange,
)
from skyshelf.storage.metadata.sql.account_lock import Happened, lock_account, record_changes
from skyshelf.storage.metadata.sql.alarms.counting import refuse_paused
from skyshelf.storage.metadata.sql.search_entries import reindex
from skyshelf.storage.metadata.sql.statements import Sql, key_text, raw
from skyshelf.storage.metadata.sql.tree.child_names import ChildName, ChildNames, free_name
from skyshelf.storage.metadata.sql.tree.depth import Nesting
from skyshelf.storage.metadata.sql.tree.objects import update_objects
from skyshelf.storage.metadata.sql.tree.visibility import Lineage, load


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
        self._happened: list[Happened] = []

    def change(self, after: StoredObject, kind: str, sign: str | None = None) -> StoredObject:
        after.updated_at = self.now
        self._happened.append(Happened(kind, after.object_key, self.objects[after.object_key], sign))
        self.objects[after.object_key] = after
        return after

    def write_now(self) -> None:
        """Write what has changed so far; what changes next begins from here."""
        self.write()
        self._before, self._happened = dict(self.objects), []
        self.lock = lock_account(self.sql, self.account_id)

    def write(self) -> None:
        changed = [(self._before[key], after) for key, after in self.objects.items() if after is not self._before[key]]
        with self.sql.together():
            update_objects(self.sql, changed)
            # Of something that has lost its place, the former folder does not exist.
            sides = [after for _, after in changed] if self.is_repair else [side for pair in changed for side in pair]
            folders = {side.parent_key for side in sides if side.parent_key is not None}
            record_changes(self.sql, self.account_id, self.lock, self._happened, self.now, folders=folders)


class Batch:
    """One call of Tree.apply."""

    def __init__(self, sql: Sql, account_id: int, changes: Sequence[TreeChange], now: int) -> None:
        targets = [change.parent_key for change in changes if isinstance(change, Move | Relocate)]
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

    def _wanted_names(self) -> Iterable[ChildName]:
        """Where each change would end up if it were the only one of its object, as nearly always it is."""
        for change in self._changes:
            stored = self._work.objects.get(change.object_key)
            if stored is None or stored.parent_key is None:
                continue
            if isinstance(change, Rename):
                yield stored.parent_key, change.name
            elif isinstance(change, Move):
                yield change.parent_key, stored.name
            elif isinstance(change, Relocate):
                yield change.parent_key, change.name

    def apply(self) -> list[Outcome]:
        outcomes: list[Outcome] = []
        for change in self._changes:
            try:
                outcomes.append(self._apply_one(change))
            except StorageError as refusal:
                outcomes.append(refusal)
        self._work.write()
        self._nesting.write()
        return outcomes

    def _apply_one(self, change: TreeChange) -> StoredObject:
        stored = self._work.objects.get(change.object_key)
        if stored is None or stored.status == PURGING:
            raise ObjectMissing("no such object")
        # An object trashed separately survives its former folder; any other goes with it.
        if stored.status == ACTIVE and self._lineage.is_being_purged(stored.parent_key):
            raise ObjectMissing("no such object")
        if isinstance(change, SetFavorite):
            if stored.is_favorite == change.favorite:
                return stored
            return self._work.change(replace(stored, is_favorite=change.favorite), feed.FAVORITE)
        if stored.parent_key is None:
            raise RootIsFixed("the root cannot be renamed, moved or trashed")
        refuse_paused(self._work.sql, self._work.lock.watch)
        if isinstance(change, Trash):
            return self._trash(stored)
        if isinstance(change, Rename):
            return self._relocate(stored, stored.parent_key, change.name, feed.RENAMED)
        self._refuse_bad_target(stored, change.parent_key)
        if isinstance(change, Move):
            return self._relocate(stored, change.parent_key, stored.name, feed.MOVED)
        kind = feed.RENAMED if change.parent_key == stored.parent_key else feed.MOVED
        return self._relocate(stored, change.parent_key, change.name, kind)

    def _trash(self, stored: StoredObject) -> StoredObject:
        if stored.status == TRASHED:
            return stored
        self._names.leave(stored)
        self._lineage.set_status(stored.object_key, TRASHED)
        # Later than the last emptying of the trash, even within the same millisecond or by a clock that went back.
        trashed_at = max(self._work.now, self._work.lock.trash_watermark + 1)
        return self._work.change(replace(stored, status=TRASHED, trashed_at=trashed_at), feed.TRASHED)

    def _refuse_bad_target(self, stored: StoredObject, target_key: str) -> None:
        target = self._work.objects.get(target_key)
        if target is None or target.status != ACTIVE:
            raise TargetMissing("the target folder is not there")
        if not target.is_folder:
            raise TargetIsAFile("the target is a file")
        if stored.object_key in self._lineage.up_from(target_key):
            raise WouldCycle("a folder cannot be moved into itself or below itself")
        if not self._lineage.is_visible(target_key):
            raise TargetMissing("the target folder is not there")

    def _relocate(self, stored: StoredObject, parent_key: str, name: str, kind: str) -> StoredObject:
        if (stored.parent_key, stored.name) == (parent_key, name):
            return stored
        if stored.status == ACTIVE and self._names.holder((parent_key, name)) not in {None, stored.object_key}:
            raise NameTaken("the folder already has an object of that name")
        if stored.is_folder:
            self._nesting.settle(stored.object_key, parent_key, name)
        if stored.status == ACTIVE:
            self._names.leave(stored)
            self._names.take((parent_key, name), stored.object_key)
        self._lineage.set_parent(stored.object_key, parent_key)
        is_hidden = not stored.is_folder and hides_type(stored.name, name)
        after = replace(stored, parent_key=parent_key, name=name)
        return self._work.change(after, kind, SCRAMBLED if is_hidden else None)


def restore_objects(sql: Sql, account_id: int, object_keys: Sequence[str], now: int) -> list[Outcome]:
    """One call of Tree.restore."""
    work = _Working(sql, account_id, object_keys, now)
    parents = {one.parent_key for one in work.objects.values() if one.parent_key is not None}
    root_key = _root_key(sql, account_id)
    # The root too: what comes back there takes with it what comes back below it.
    folders = {key for key, one in work.objects.items() if one.is_folder}
    lineage = Lineage(sql, account_id, parents | {root_key} | folders)
    nesting = Nesting(sql, account_id, lineage)
    places = ChildNames(
        sql,
        account_id,
        {(folder, one.name) for one in work.objects.values() for folder in (one.parent_key or root_key, root_key)},
    )
    outcomes: list[Outcome] = []
    for key in object_keys:
        stored = work.objects.get(key)
        if stored is None or stored.status == PURGING:
            outcomes.append(ObjectMissing("no such object in the trash"))
        elif stored.status == ACTIVE:
            seen = stored.parent_key is None or lineage.is_visible(stored.parent_key)
            outcomes.append(stored if seen else ObjectMissing("no such object in the trash"))
        else:
            outcomes.append(_restore_one(work, stored, nesting, places, root_key))
    work.write()
    nesting.write()
    return outcomes


def bring_to_root(sql: Sql, account_id: int, object_keys: Sequence[str], now: int) -> list[str]:
    """Move objects that have lost their place to the root, under free names; those that still had none."""
    root_key = _root_key(sql, account_id)
    work = _Working(sql, account_id, object_keys, now, is_repair=True)
    if root_key not in load(sql, account_id, [root_key]):
        raise ObjectMissing("the account has no root")
    places = ChildNames(sql, account_id, {(root_key, one.name) for one in work.objects.values()})
    moved = []
    for key, stored in list(work.objects.items()):
        if key == root_key or (stored.parent_key is not None and _hangs_below_the_root(sql, account_id, key, root_key)):
            continue
        name = free_name(places, root_key, stored.name) if stored.status == ACTIVE else stored.name
        if stored.status == ACTIVE:
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
    """Whether the ancestors are all folders and end at the root or at a folder that is being purged."""
    rows = sql.all(
        "WITH RECURSIVE above (object_key, parent_key, kind, status, one) AS ("
        "SELECT o.object_key, o.parent_key, CAST(0 AS BIGINT), o.status, 1 FROM objects o"
        " WHERE o.account_id = :account AND o.object_key = :key"
        " UNION SELECT o.object_key, o.parent_key, o.kind, o.status, 1 FROM objects o JOIN above"
        " ON o.object_key = above.parent_key WHERE o.account_id = :account AND above.one = 1)"
        " SELECT object_key, parent_key, kind, status FROM above",
        {"account": account_id, "key": raw(object_key)},
    )
    tops = [(key_text(key), status) for key, parent, _, status in rows if parent is None]
    return all(kind == 0 for _, _, kind, _ in rows) and any(
        key == root_key or status == PURGING for key, status in tops
    )


def _restore_one(
    work: _Working, stored: StoredObject, nesting: Nesting, places: ChildNames, root_key: str
) -> StoredObject:
    lineage = nesting.lineage
    folder = stored.parent_key if stored.parent_key and lineage.is_visible(stored.parent_key) else root_key
    name = free_name(places, folder, stored.name)
    if stored.is_folder:
        try:
            nesting.settle(stored.object_key, folder, name)
        except TooDeep:
            # A longer name, because its own is taken by now. What is in the trash must be able to leave it.
            folder = root_key
            name = free_name(places, folder, stored.name)
            nesting.settle(stored.object_key, folder, name, anywhere=True)
    places.take((folder, name), stored.object_key)
    lineage.set_status(stored.object_key, ACTIVE)
    lineage.set_parent(stored.object_key, folder)
    return work.change(replace(stored, status=ACTIVE, trashed_at=0, parent_key=folder, name=name), feed.RESTORED)


def _root_key(sql: Sql, account_id: int) -> str:
    row = sql.one("SELECT root_key FROM accounts WHERE account_id = :account", {"account": account_id})
    assert row is not None
    return key_text(row[0])
