"""Carries a plan out, step by step; each is recorded in the index when it is done."""

from collections.abc import Iterable
from typing import Final

from skyshelf.client.errors import SkyshelfError
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.desktop.sync.actions import Action, SyncPlan
from skyshelf.desktop.sync.local_tree import signed_inode
from skyshelf.desktop.sync.remote_tree import RemoteNode
from skyshelf.desktop.sync.steps import entry_of
from skyshelf.desktop.sync.transfers import Transfers

_TRASH_BATCH: Final = 100


class Execution(Transfers):
    """One plan being carried out."""

    def run(self, plan: SyncPlan) -> bool:
        """Carry it out as far as possible without reading both sides again; whether that was all of it."""
        for action in plan.records:
            self._record(action)
        for action in plan.conflicts:
            self._attempt(action, self._conflict)
        if plan.conflicts:
            return False
        for action in plan.folders:
            self._attempt(action, self._create)
        for action in plan.moves:
            self._attempt(action, self._move)
        if plan.is_structural:
            return False
        self._transfer(plan.transfers)
        if not self.failures and not self.retry and not self.again:
            # After a failed transfer, the trash could receive the only copy of something.
            self._delete(plan.deletions)
        return not self.retry and not self.again

    def _record(self, action: Action) -> None:
        entry = action.entry
        if action.kind == "forget":
            assert entry is not None
            self._index.forget([entry.id])
            return
        local, remote = action.local, action.remote
        assert local is not None
        assert remote is not None
        if entry is None:
            assert action.parent_local is not None
            above = action.parent_local.entry
            assert above is not None
            entry = entry_of(None, above.id, local.name, remote.name, remote.key, is_folder=local.is_folder)
        elif action.parent_local is not None and action.parent_local.entry is not None:
            entry.parent, entry.name = action.parent_local.entry.id, action.name
            entry.remote_name = action.remote_name
        self._note_content(entry, local, remote.md5)
        entry.key = remote.key
        self._index.record(entry)
        local.entry = remote.entry = entry

    def _conflict(self, action: Action) -> None:
        assert action.local is not None
        parts = action.local.parts
        name = self._local.give_way(parts)
        self._did(action, to="/".join((*parts[:-1], name)))

    def _create(self, action: Action) -> None:
        if action.kind == "create local folder":
            self._create_here(action)
        else:
            self._create_there(action)
        self._did(action)

    def _create_here(self, action: Action) -> None:
        remote = action.remote
        assert remote is not None
        above, parent = self._place_here(action)
        parts = (*above, action.name)
        found = self._local.create_folder(parts)
        entry = entry_of(action.entry, parent, action.name, remote.name, remote.key, is_folder=True)
        entry.inode = signed_inode(found)
        self._index.record(entry)
        remote.entry = entry
        self._created_here[remote] = (parts, entry.id)

    def _create_there(self, action: Action) -> None:
        local = action.local
        assert local is not None
        key, parent = self._place_there(action)
        made = self._client.create_folder(action.remote_name, key, exist_ok=True)
        entry = entry_of(action.entry, parent, local.name, made.name, made.key, is_folder=True)
        entry.inode = local.inode
        self._index.record(entry)
        local.entry = entry
        self._created_there[local] = (made.key, entry.id)

    def _move(self, action: Action) -> None:
        entry, local, remote = action.entry, action.local, action.remote
        assert entry is not None
        assert local is not None
        assert remote is not None
        assert action.parent_local is not None
        assert action.parent_remote is not None
        assert action.parent_local.entry is not None
        if action.kind == "move local":
            self._local.move(local.parts, (*action.parent_local.parts, action.name))
            local.parent, local.name = action.parent_local, action.name
        else:
            assert remote.object is not None
            moving: RemoteObject = remote.object
            if action.parent_remote is not remote.parent:
                moved = self._client.move([moving], action.parent_remote.key).outcomes[0].object
                moving = moved or self._client.get(remote.key, parent=action.parent_remote.key)
            if action.remote_name != remote.name:
                self._client.rename(moving, action.remote_name)
            remote.parent, remote.name = action.parent_remote, action.remote_name
        if local.parent is action.parent_local and remote.parent is action.parent_remote:
            entry.parent, entry.name = action.parent_local.entry.id, action.name
            entry.remote_name = action.remote_name
            self._index.record(entry)
        self._did(action, to=action.to)

    def _delete(self, actions: Iterable[Action]) -> None:
        there = [action for action in actions if action.kind == "trash remote"]
        for start in range(0, len(there), _TRASH_BATCH):
            self._trash_there(there[start : start + _TRASH_BATCH])
        for action in actions:
            if action.kind == "trash local":
                self._attempt(action, self._trash_here)

    def _trash_there(self, actions: list[Action]) -> None:
        objects = [one.remote.object for one in actions if one.remote is not None and one.remote.object is not None]
        result = self._client.move_to_trash(objects, on_error="return")
        for action, outcome in zip(actions, result.outcomes, strict=False):
            if outcome.ok:
                self._forget(action.remote)
                self._did(action)
            else:
                self._fail(action.path, SkyshelfError(outcome.reason))

    def _trash_here(self, action: Action) -> None:
        assert action.local is not None
        self._local.trash(action.local.parts, action.local)
        nodes = (action.local, *action.local.below())
        self._index.forget([node.entry.id for node in nodes if node.entry is not None])
        self._did(action)

    def _forget(self, remote: RemoteNode | None) -> None:
        """The entries of everything that was trashed."""
        waiting = [] if remote is None else [remote]
        ids = []
        while waiting:
            node = waiting.pop()
            waiting += node.children
            if node.entry is not None:
                ids.append(node.entry.id)
        self._index.forget(ids)
