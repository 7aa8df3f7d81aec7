"""Carries a plan out, step by step; each is recorded in the index when it is done."""

from collections import deque
from collections.abc import Callable, Container, Iterator
from typing import Final

from skyshelf.client.errors import SkyshelfError
from skyshelf.client.moves import move_and_rename
from skyshelf.desktop.sync.actions import Action, SyncPlan
from skyshelf.desktop.sync.local_tree import LocalNode, signed_inode
from skyshelf.desktop.sync.refusals import error_of
from skyshelf.desktop.sync.remote_tree import RemoteNode, keys_in, unchanged_nodes
from skyshelf.desktop.sync.steps import STOPPING, entry_of
from skyshelf.desktop.sync.transfers import Transfers

_TRASH_BATCH: Final = 100
_LOOK_BATCH: Final = 1000
"""How many deletions are compared with the server at once: a large folder is not listed again for each batch."""


class Execution(Transfers):
    """One plan being carried out; `merge` is tried where both sides changed a file, before both are kept."""

    merge: Callable[[Action], bool] | None = None

    def run(self, plan: SyncPlan) -> bool:
        """Carry the plan out as far as possible without reading both sides again; return whether that was all of it."""
        for action in plan.records:
            self._record(action)
        for action in plan.conflicts:
            self._attempt(action, self._conflict)
        if plan.conflicts:
            return False
        for action in plan.folders:
            self._attempt(action, self._create_here if action.kind == "create local folder" else self._create_there)
        for action in _in_order(plan.moves):
            self._attempt(action, self._move)
        if plan.is_structural:
            if not self.failures and not self.retry:
                self._delete([one for one in plan.deletions if one.is_awaited])
            return False
        self._transfer(plan.transfers)
        self._set_modes(plan.modes)
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
        local, remote = action.here, action.there
        if entry is None:
            assert action.parent_local is not None
            above = action.parent_local.entry
            assert above is not None
            entry = entry_of(None, above.id, local.name, remote.name, remote.key, is_folder=local.is_folder)
        elif action.parent_local is not None and action.parent_local.entry is not None:
            entry.parent, entry.name = action.parent_local.entry.id, action.name
            entry.remote_name = action.remote_name
        if action.has_same_content:
            self._note_content(entry, local, remote.md5)
        entry.key = remote.key
        if local.is_executable is not None and local.is_executable == remote.is_executable:
            entry.is_executable = local.is_executable
        self._index.record(entry)
        local.entry = remote.entry = entry

    def _conflict(self, action: Action) -> None:
        if self.merge is not None and self.merge(action):
            action.kind = "merge"
            self._did(action)
            return
        parts = action.here.parts
        name = self._local.give_way(parts)
        self._did(action, to="/".join((*parts[:-1], name)))

    def _create_here(self, action: Action) -> None:
        remote = action.there
        above, parent = self._place_here(action)
        parts = (*above, action.name)
        found = self._local.create_folder(parts)
        self._local.check_place()
        self._local.check_disk(parts, found)
        entry = entry_of(action.entry, parent, action.name, remote.name, remote.key, is_folder=True)
        entry.inode, entry.is_mount = signed_inode(found), False
        self._index.record(entry)
        remote.entry = entry
        self._created_here[remote] = (parts, entry.id)
        self._did(action)

    def _create_there(self, action: Action) -> None:
        local = action.here
        key, parent = self._place_there(action)
        made = self._client.create_folder(action.remote_name, key, exist_ok=True)
        entry = entry_of(action.entry, parent, local.name, made.name, made.key, is_folder=True)
        entry.inode, entry.is_mount = local.inode, local.is_mount
        self._index.record(entry)
        local.entry = entry
        self._created_there[local] = (made.key, entry.id)
        self._did(action)

    def _move(self, action: Action) -> None:
        entry, local, remote = action.entry, action.here, action.there
        assert entry is not None
        assert action.parent_local is not None
        assert action.parent_remote is not None
        assert action.parent_local.entry is not None
        if action.kind == "move local":
            self._local.move(local.parts, (*action.parent_local.parts, action.name))
            local.parent, local.name = action.parent_local, action.name
        else:
            assert remote.object is not None
            folder = action.parent_remote.object or self._client.get(action.parent_remote.key)
            move_and_rename(self._client, remote.object, folder, action.remote_name).raise_for_failures()
            remote.parent, remote.name = action.parent_remote, action.remote_name
        if local.parent is action.parent_local and remote.parent is action.parent_remote:
            entry.parent, entry.name = action.parent_local.entry.id, action.name
            entry.remote_name = action.remote_name
            self._index.record(entry)
        self._did(action, to=action.to)

    def _set_modes(self, actions: list[Action]) -> None:
        """Make files executable or not; one whose content has changed since the plan waits for the next round."""
        left_out = self.changed | {path for path, _ in self.failures}
        actions = [one for one in actions if one.path not in left_out]
        for action in actions:
            if action.kind == "mode local":
                self._attempt(action, self._set_mode_here)
        for is_executable in (True, False):
            there = [one for one in actions if one.kind == "mode remote" and one.here.is_executable is is_executable]
            for some in _slices(there, _LOOK_BATCH):
                self._set_modes_there(some, is_executable)

    def _set_mode_here(self, action: Action) -> None:
        entry, wanted = action.here.entry, action.there.is_executable
        assert entry is not None
        found = self._local.set_executable(action.here.parts, entry, wanted)
        entry.changed_ns, entry.is_executable = found.st_ctime_ns, wanted
        self._index.record(entry)
        self._did(action)

    def _set_modes_there(self, actions: list[Action], is_executable: bool) -> None:
        objects = [one.there.object for one in actions if one.there.object is not None]
        try:
            result = self._client.set_executable(objects, is_executable, on_error="return")
        except STOPPING:
            raise
        except SkyshelfError as error:
            for action in actions:
                self._fail(action.path, error)
            return
        for action, outcome in zip(actions, result.outcomes, strict=True):
            if outcome.ok:
                entry = action.here.entry
                assert entry is not None
                entry.is_executable = is_executable
                self._index.record(entry)
                self._did(action)
            else:
                self._fail(action.path, error_of(outcome))

    def _delete(self, actions: list[Action]) -> None:
        there = [action for action in actions if action.kind == "trash remote"]
        for some in _slices(there, _LOOK_BATCH):
            unchanged = unchanged_nodes(self._client, [one.there for one in some])
            for batch in _slices(some, _TRASH_BATCH):
                self._trash_there(batch, unchanged)
        here = [action for action in actions if action.kind == "trash local"]
        above = {one.here.parent.entry.key for one in here if one.here.parent and one.here.parent.entry}
        returned = keys_in(self._client, above)
        for action in here:
            if action.entry is not None and action.entry.key.upper() in returned:
                self._changed(action)
            else:
                self._attempt(action, self._trash_here)

    def _trash_there(self, actions: list[Action], unchanged: Container[RemoteNode]) -> None:
        """Trash what is still as it was when the deletion was planned: an edit since then wins, on either side."""
        for action in actions:
            if action.there not in unchanged or (action.vacant and self._local.has(action.path)):
                self._changed(action)
        actions = [one for one in actions if one.path not in self.changed]
        objects = [one.there.object for one in actions if one.there.object is not None]
        if not objects:
            return
        result = self._client.move_to_trash(objects, on_error="return")
        for action, outcome in zip(actions, result.outcomes, strict=False):
            if outcome.ok:
                self._forget(action.there)
                self._did(action)
            else:
                self._fail(action.path, error_of(outcome))

    def _trash_here(self, action: Action) -> None:
        self._local.trash(action.here.parts, action.here)
        self._forget(action.here)
        self._did(action)

    def _forget(self, node: LocalNode | RemoteNode) -> None:
        self._index.forget([one.entry.id for one in (node, *node.below()) if one.entry is not None])


def _in_order(moves: list[Action]) -> Iterator[Action]:
    """Yield moves in an order in which no folder goes into one that is still inside it, as far as there is one."""
    waiting = deque(moves)
    blocked = 0
    while waiting:
        action = waiting.popleft()
        if blocked < len(waiting) and _goes_into_itself(action):
            waiting.append(action)
            blocked += 1
        else:
            yield action
            blocked = 0


def _goes_into_itself(action: Action) -> bool:
    if action.kind == "move local":
        return action.parent_local is not None and action.here in action.parent_local.above()
    return action.parent_remote is not None and action.there in action.parent_remote.above()


def _slices(actions: list[Action], size: int) -> Iterator[list[Action]]:
    for start in range(0, len(actions), size):
        yield actions[start : start + size]
