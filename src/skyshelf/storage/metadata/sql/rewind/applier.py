"""Doing what a rewind has planned, in SQL: objects of one rank at a time, under the account's lock.

What has the same rank is never above or below one another, so everything is decided in memory and written at once.
Nothing is lost on the way: what would have to give up its name to another object gets a free one, and what is to be
overwritten stays as a version.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from skyshelf.storage.errors import TooDeep
from skyshelf.storage.metadata.contracts import changes as feed
from skyshelf.storage.metadata.contracts.tree import ACTIVE, PURGING, TRASHED, StoredObject
from skyshelf.storage.metadata.history import rewinds
from skyshelf.storage.metadata.history.records import Past, encode_past
from skyshelf.storage.metadata.sql.account_lock import NewChange, record_changes
from skyshelf.storage.metadata.sql.content import content_places, drop_versions
from skyshelf.storage.metadata.sql.files_bulk import set_version_dates
from skyshelf.storage.metadata.sql.keeping import links_when_purged, purged_states
from skyshelf.storage.metadata.sql.quota import add_objects, lock_with_quota, objects_left
from skyshelf.storage.metadata.sql.rewind.candidates import changed_after, holds_others
from skyshelf.storage.metadata.sql.rewind.contents import add_versions, give_content, refer_to
from skyshelf.storage.metadata.sql.rewind.items import Item, pending_keys
from skyshelf.storage.metadata.sql.rewind.links import bring_links_back
from skyshelf.storage.metadata.sql.rewind.planner import KEPT_AS_IT_IS, differences, versions_with
from skyshelf.storage.metadata.sql.statements import Sql, raw
from skyshelf.storage.metadata.sql.tree.objects import insert_objects, update_objects
from skyshelf.storage.metadata.sql.tree.placing import ChildNames, Nesting, free_name
from skyshelf.storage.metadata.sql.tree.visibility import Lineage, load, root_key_of

WAITING = "waiting"
"""The outcome of something whose folder is not there yet."""
_KINDS = {"restored": feed.RESTORED, "content": feed.CONTENT, "moved": feed.MOVED, "renamed": feed.RENAMED,
          "favorite": feed.FAVORITE}  # fmt: skip


class Applier:
    """One step of a rewind. `outcomes` has a problem, WAITING, or an empty text for each item."""

    def __init__(
        self, sql: Sql, rewind: rewinds.StoredRewind, items: Sequence[Item], now: int, *, is_last: bool
    ) -> None:
        self._sql = sql
        self._rewind = rewind
        self._account_id = rewind.account_id
        self._items = items
        self._now = now
        self._is_last = is_last
        self.outcomes: dict[str, str] = {}
        self.actions: list[str] = []
        self.needs_dates = False
        account_id, keys = rewind.account_id, [item.object_key for item in items]
        self._lock, quota = lock_with_quota(sql, account_id, now)
        self._space = quota.allocated - quota.used - quota.reserved
        self._room = objects_left(sql, account_id, self._lock, now)
        self._before = load(sql, account_id, keys)
        self._objects = dict(self._before)
        self._purged = purged_states(sql, account_id, [key for key in keys if key not in self._before])
        self._others = changed_after(sql, account_id, keys, rewind.scope.upto, but_by=rewind.actor)
        targets = {item.object_key: item.target for item in items if item.target is not None}
        self._places = content_places(sql, (one.sha256 for one in targets.values() if one.sha256))
        contents = {key: one.sha256 for key, one in targets.items() if one.sha256 is not None}
        self._counted = versions_with(sql, account_id, contents)
        self._root_key = root_key_of(sql, account_id)
        folders = {key for key, one in self._before.items() if one.is_folder}
        above = {one.parent_key for one in (*targets.values(), *self._before.values()) if one.parent_key is not None}
        self._lineage = Lineage(sql, account_id, above | folders | {self._root_key})
        self._nesting = Nesting(sql, account_id, self._lineage)
        wanted = {(one.parent_key, one.name) for one in targets.values() if one.parent_key is not None}
        self._names = ChildNames(sql, account_id, wanted)
        self._happened: list[NewChange] = []
        self._given: list[StoredObject] = []
        self._revived: dict[str, Past] = {}

    def apply(self, keep_versions: int) -> None:
        self._refuse_folders_in_use()
        moving = [item for item in self._items if self._is_possible(item)]
        for item in moving:
            current = self._objects.get(item.object_key)
            if current is not None and current.status == ACTIVE and self._leaves(item, current):
                self._names.leave(current)
        for item in moving:
            self.outcomes[item.object_key] = self._do(item)
        self._write(keep_versions)

    # What can be done.

    def _is_possible(self, item: Item) -> bool:
        key = item.object_key
        if key in self.outcomes:
            return False
        current = self._objects.get(key)
        problem = ""
        if item.what == rewinds.STAY:
            problem = item.problem
        elif key in self._others:
            problem = rewinds.CHANGED_MEANWHILE
        elif current is not None and current.status == PURGING:
            problem = rewinds.GONE
        elif current is None and (item.what == rewinds.TRASH or key not in self._purged):
            problem = "" if item.what == rewinds.TRASH else rewinds.GONE
        elif item.what == rewinds.BRING and not self._is_last and not self._has_place(item):
            problem = WAITING
        else:
            return True
        self.outcomes[key] = problem
        return False

    def _has_place(self, item: Item) -> bool:
        assert item.target is not None
        folder = item.target.parent_key
        if folder is None or not self._lineage.is_visible(folder):
            return False
        return item.object_key not in self._lineage.up_from(folder)

    def _leaves(self, item: Item, current: StoredObject) -> bool:
        if item.what == rewinds.TRASH:
            return True
        assert item.target is not None
        return (current.parent_key, current.name) != (item.target.parent_key, item.target.name)

    def _refuse_folders_in_use(self) -> None:
        """Folders that somebody's doings made go only when nothing of others is left in them."""
        if not self._rewind.scope.actor:
            return
        for item in self._items:
            stored = self._before.get(item.object_key)
            is_folder = item.what == rewinds.TRASH and stored is not None and stored.is_folder
            if is_folder and holds_others(self._sql, self._rewind, item.object_key):
                self.outcomes[item.object_key] = rewinds.IN_USE

    # Doing it.

    def _do(self, item: Item) -> str:
        current = self._objects.get(item.object_key)
        if item.what == rewinds.TRASH:
            if current is not None and current.status == ACTIVE:
                self._change(replace(current, status=TRASHED, trashed_at=self._trashed_at()), feed.TRASHED)
                self._lineage.set_status(current.object_key, TRASHED)
                self.actions.append("trashed")
            return ""
        assert item.target is not None
        return self._bring(item, item.target, current)

    def _bring(self, item: Item, target: StoredObject, current: StoredObject | None) -> str:
        problem = ""
        base = self._purged[item.object_key].object if current is None else current
        is_given = not base.is_folder and (current is None or base.sha256 != target.sha256)
        if is_given:
            problem = self._why_without_content(target)
        if current is None:
            problem = problem or (rewinds.NO_SPACE if self._room < 1 else "")
            if problem:
                return problem
        if problem:
            # Its name and place come back all the same.
            is_given = False
            target = replace(target, file_created_at=base.file_created_at, last_modified_at=base.last_modified_at)
        folder, name, status = self._place(item, target, base)
        after = replace(
            base,
            parent_key=folder,
            name=name,
            status=status,
            trashed_at=0 if status == ACTIVE else (base.trashed_at if current is not None else self._trashed_at()),
            is_favorite=target.is_favorite,
            **{name: getattr(target, name) for name in KEPT_AS_IT_IS},
        )
        if is_given:
            after = give_content(after, target, self._now)
            self._given.append(after)
            self._space -= 0 if after.object_key in self._counted else after.size
        actions = differences(current, after)
        if actions:
            self.actions += actions
            first = next(name for name in _KINDS if name in actions)
            self._change(after, _KINDS[first])
        if current is not None and base.is_folder and actions:
            self._lineage.set_status(base.object_key, status)
            self._lineage.set_parent(base.object_key, folder)
        return problem

    def _why_without_content(self, target: StoredObject) -> str:
        if target.sha256 not in self._places:
            return rewinds.CONTENT_GONE
        is_counted = target.object_key in self._counted
        return rewinds.NO_SPACE if target.size > self._space and not is_counted else ""

    def _place(self, item: Item, target: StoredObject, base: StoredObject) -> tuple[str, str, str]:
        """Return the folder, the name and the status that something gets."""
        status, folder = target.status, target.parent_key
        if item.what == rewinds.HIDE:
            is_gone = not self._lineage.knows(folder) or self._lineage.is_being_purged(folder)
            if is_gone or item.object_key in self._lineage.up_from(folder):
                folder, status = self._root_key, TRASHED
        elif not self._has_place(item):
            folder = self._root_key
        assert folder is not None
        name = target.name
        key = item.object_key
        if status == ACTIVE:
            holder = self._names.holder((folder, name))
            if holder not in {None, key}:
                self._give_way(str(holder), (folder, name), item)
            if self._names.holder((folder, name)) not in {None, key}:
                name = free_name(self._names, folder, name)
            self._names.take((folder, name), key)
        if base.is_folder and (key not in self._before or (base.parent_key, base.name) != (folder, name)):
            self._settle(key, folder, name)
        return folder, name, status

    def _settle(self, key: str, folder: str, name: str) -> None:
        if key in self._before:
            self._nesting.settle(key, folder, name, anywhere=True)
            return
        try:
            self._nesting.add(folder, name)
        except TooDeep:
            # It was there before, and what is there may stay beyond the limits.
            return

    def _give_way(self, holder: str, place: tuple[str, str], item: Item) -> None:
        """Another object that this rewind still comes to has the name: it gets a free one until then."""
        after = (item.rank, self._items[-1].object_key)
        is_pending = holder in pending_keys(self._sql, self._rewind, [holder], after)
        if not is_pending or changed_after(
            self._sql, self._account_id, [holder], self._rewind.scope.upto, but_by=self._rewind.actor
        ):
            return
        if holder not in self._objects:
            self._before |= load(self._sql, self._account_id, [holder])
            self._objects[holder] = self._before[holder]
        stored = self._objects[holder]
        name = free_name(self._names, *place)
        self._names.leave(stored)
        self._names.take((place[0], name), holder)
        self._change(replace(stored, name=name), feed.RENAMED)

    def _change(self, after: StoredObject, kind: str) -> None:
        after.updated_at = self._now
        key = after.object_key
        before = self._objects.get(key)
        if before is None:
            past = self._purged[key]
            self._revived[key] = past
            self._room -= 1
            record = encode_past(past.object, purged_seq=past.purged_seq)
            was_in = past.object.parent_key if past.object.status == ACTIVE else None
            self._happened.append(NewChange(kind, key, record, folder_key=was_in))
        else:
            self._happened.append(NewChange(kind, key, before))
        self._objects[key] = after

    def _trashed_at(self) -> int:
        return max(self._now, self._lock.trash_watermark + 1)

    # Writing it.

    def _write(self, keep_versions: int) -> None:
        if not self._happened:
            return
        sql, account_id = self._sql, self._account_id
        changed = [(self._before[key], one) for key, one in self._objects.items()
                   if key in self._before and one is not self._before[key]]  # fmt: skip
        revived = [self._objects[key] for key in self._revived]
        links = links_when_purged(sql, account_id, list(self._revived))
        # A content that a version of the file has already does not count twice: that version becomes the current one.
        new = [one for one in self._given if one.object_key not in self._counted]
        used = refer_to(sql, new, self._places, self._now)
        update_objects(sql, changed)
        insert_objects(sql, revived)
        add_versions(sql, self._given, self._places, self._now, moved=self._counted)
        self._set_dates(changed)
        self._nesting.write()
        sides = [*(side for pair in changed for side in pair), *revived]
        folders = {one.parent_key for one in sides if one.parent_key is not None}
        record_changes(sql, account_id, self._lock, self._happened, self._now, used=used, folders=folders)
        drop_versions(sql, account_id, [one.object_key for one in self._given], self._now, newest=keep_versions)
        self.needs_dates = bool(self._given)
        if revived:
            keys = sorted(raw(one.object_key) for one in revived)
            sql.run(
                "DELETE FROM purged_objects WHERE account_id = :account AND object_key = ANY_KEY(:keys)",
                {"account": account_id, "keys": keys},
            )
            add_objects(sql, account_id, len(revived))
            bring_links_back(sql, account_id, links, self._now)

    def _set_dates(self, changed: Sequence[tuple[StoredObject, StoredObject]]) -> None:
        """Dates belong to a version as well."""
        kept = [(before, after) for before, after in changed if before.version == after.version and not after.is_folder]
        set_version_dates(
            self._sql,
            [
                after
                for before, after in kept
                if (before.file_created_at, before.last_modified_at) != (after.file_created_at, after.last_modified_at)
            ],
        )
