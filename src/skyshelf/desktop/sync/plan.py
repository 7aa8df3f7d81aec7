"""Compares both sides with the index and decides: what is copied, moved, deleted, and what is kept twice."""

from collections.abc import Container, Sequence
from typing import TypeVar

from msgspec.structs import replace

from skyshelf.desktop.sync.actions import Action, SyncPlan
from skyshelf.desktop.sync.comparison import Comparison
from skyshelf.desktop.sync.index import ROOT_ID, Entry
from skyshelf.desktop.sync.local_tree import LocalNode, composed, unreadable
from skyshelf.desktop.sync.remote_tree import RemoteNode

_Node = TypeVar("_Node", LocalNode, RemoteNode)


class Planner(Comparison):
    """Plans one round. With `forced`, whatever waits for another step gives way under another name."""

    def plan(self) -> SyncPlan:
        self._plan.known_files = sum(not entry.is_folder for entry in self._entries.values())
        self._note_left(self._local)
        for entry in self._entries.values():
            if entry.id == ROOT_ID or entry.id in self._held:
                continue
            local, remote = self._matching.nodes.get(entry.id), self._remote.get(entry.key)
            if local is None and remote is None:
                self._plan.records.append(Action(kind="forget", path=entry.name, entry=entry))
            elif local is not None and remote is not None:
                self._moves(entry, local, remote)
                self._content(entry, local, remote)
                self._mode(entry, local, remote)
            elif remote is not None and self._is_deletable_remote(entry, remote):
                self._leaving_remote.add(remote)
            elif remote is not None and not self._forced and self._is_emptied(entry, remote):
                self._emptied.add(remote)
                self._plan.waiting += 1
            elif local is not None and self._is_deletable_local(entry, local):
                self._leaving_local.add(local)
        self._plan_deletions()
        for action in self._plan.moves:
            if action.kind == "move local" and action.local is not None:
                self._leaving_local.add(action.local)
            elif action.remote is not None:
                self._leaving_remote.add(action.remote)
        self._check_moves()
        self._new_below(self._local, self._remote.root)
        for action in self._plan.deletions:
            action.is_awaited = action.local in self._awaited or action.remote in self._awaited
        return self._plan

    def _plan_deletions(self) -> None:
        """Plan to delete the topmost items alone: a folder stands for everything in it."""
        for remote in sorted(self._leaving_remote, key=lambda one: one.path):
            if remote.parent not in self._leaving_remote:
                files = sum(not one.is_folder for one in (remote, *remote.below()))
                parent = None if remote.parent is None else self._local_folder(remote.parent)
                self._plan.deletions.append(
                    Action(
                        kind="trash remote",
                        path=remote.path,
                        entry=remote.entry,
                        remote=remote,
                        files=files,
                        vacant=parent is None or self._fold(remote.local_name) not in parent.children,
                    )
                )
        for local in sorted(self._leaving_local, key=lambda one: one.path):
            if local.parent not in self._leaving_local:
                files = sum(not one.is_folder for one in (local, *local.below()))
                self._plan.deletions.append(
                    Action(kind="trash local", path=local.path, entry=local.entry, local=local, files=files)
                )

    # Moves and contents of what both sides have

    def _moves(self, entry: Entry, local: LocalNode, remote: RemoteNode) -> None:
        """Merge folder and name separately; where both sides changed one of them, the server's wins."""
        above = self._entries.get(entry.parent)
        parent = local.parent
        assert parent is not None
        assert remote.parent is not None
        remote_moved = above is None or remote.parent.key != above.key.upper()
        local_moved = parent.entry is None or parent.entry.id != entry.parent
        remote_renamed = remote.name != entry.remote_name
        local_renamed = composed(local.name) != composed(entry.name)
        if not (remote_moved or local_moved or remote_renamed or local_renamed):
            return
        wanted_remote = remote.parent if remote_moved or parent.entry is None else self._remote.get(parent.entry.key)
        wanted_local = self._local_folder(remote.parent) if remote_moved else parent
        if not remote_moved and parent.entry is None:
            wanted_remote = None
        if wanted_local is None or wanted_remote is None or wanted_local.entry is None:
            self._plan.waiting += 1  # until that folder exists on both sides
            return
        name = remote.local_name if remote_renamed else local.name
        remote_name = remote.name if remote_renamed else composed(local.name) if local_renamed else entry.remote_name
        stays = wanted_remote is remote.parent and remote_name == remote.name
        if remote_renamed and not stays and remote_name in wanted_remote.names:
            # Renamed there and moved here, and the folder has another item of the new name.
            name, remote_name = local.name, composed(local.name)
        change = Action(
            kind="link",
            path=local.path,
            to="/".join((*wanted_local.parts, name)),
            entry=entry,
            local=local,
            remote=remote,
            parent_local=wanted_local,
            parent_remote=wanted_remote,
            name=name,
            remote_name=remote_name,
        )
        is_local = wanted_local is not parent or name != local.name
        is_remote = wanted_remote is not remote.parent or remote_name != remote.name
        if is_local:
            change.kind = "move local"
            self._plan.moves.append(change)
        if is_remote:
            self._plan.moves.append(replace(change, kind="move remote"))
        if not is_local and not is_remote:
            change.has_same_content = False
            self._plan.records.append(change)

    def _content(self, entry: Entry, local: LocalNode, remote: RemoteNode) -> None:
        if entry.is_folder:
            if (local.inode, local.is_mount) != (entry.inode, entry.is_mount) or entry.id in self._replaced:
                self._record(entry, local, remote)
            return
        may_differ = not local.looks_like(entry)
        if may_differ and self._is_unreadable(local):
            return
        changed_here = may_differ and self._hashes.of(local) != entry.md5
        changed_there = remote.md5 != entry.md5
        if changed_here and changed_there and self._hashes.of(local) != remote.md5:
            self._conflict(local, "both sides changed it", entry, remote)
        elif changed_here and not changed_there:
            self._plan.transfers.append(Action(kind="upload", path=local.path, entry=entry, local=local, remote=remote))
        elif changed_there and not changed_here:
            self._plan.transfers.append(
                Action(kind="download", path=local.path, entry=entry, local=local, remote=remote)
            )
        elif may_differ or entry.changed_ns is None or entry.id in self._replaced:
            self._record(entry, local, remote)

    def _mode(self, entry: Entry | None, local: LocalNode, remote: RemoteNode) -> None:
        step = self._mode_step(entry, local, remote)
        if step is not None:
            (self._plan.records if step.kind == "link" else self._plan.modes).append(step)

    def _is_unreadable(self, local: LocalNode) -> bool:
        """Whether a file cannot be read, and is left alone on both sides therefore."""
        error = self._hashes.error_of(local)
        if error is not None:
            self._plan.held.append((local.path, unreadable(error).reason))
        return error is not None

    def _record(self, entry: Entry, local: LocalNode, remote: RemoteNode) -> None:
        """Record how both sides are the same."""
        self._plan.records.append(Action(kind="link", path=local.path, entry=entry, local=local, remote=remote))

    def _conflict(
        self, local: LocalNode, reason: str, entry: Entry | None = None, remote: RemoteNode | None = None
    ) -> None:
        """Rename the local item, so that it gives way; the server then gets it under that name.

        Two edits of one file, of which the entry is the former content, may be merged instead.
        """
        if local not in self._in_conflict:
            self._in_conflict.add(local)
            self._plan.conflicts.append(
                Action(kind="conflict", path=local.path, local=local, reason=reason, entry=entry, remote=remote)
            )

    # Moves whose target is taken

    def _check_moves(self) -> None:
        kept = []
        for action in self._plan.moves:
            assert action.local is not None
            assert action.remote is not None
            assert action.parent_local is not None
            assert action.parent_remote is not None
            blocked = False
            if action.kind == "move local":
                folded = self._fold(action.name)
                taken = action.parent_local.children.get(folded)
                if folded in action.parent_local.left:
                    self._plan.left.append((action.path, f"{action.to} is taken by something that is not synced"))
                    continue
                if taken is not None and taken is not action.local:
                    blocked = True
                    self._give_way(taken, [taken], self._leaving_local, "an item of the server has its name")
            elif action.remote_name != action.remote.name or action.parent_remote is not action.remote.parent:
                taken_there = [one for one in action.parent_remote.children if one.name == action.remote_name]
                if action.remote_name in action.parent_remote.names and taken_there != [action.remote]:
                    blocked = True
                    reason = "the server has another item of its name"
                    self._give_way(action.local, taken_there, self._leaving_remote, reason)
            if not blocked:
                kept.append(action)
        self._plan.moves = kept

    def _give_way(self, local: LocalNode, taken: Sequence[_Node], leaving: Container[_Node], reason: str) -> None:
        """Wait where what has taken the name leaves it in this round; else give the local item another name."""
        if taken and all(one in leaving for one in taken) and not self._forced:
            self._awaited.update(taken)
            self._plan.waiting += 1
        else:
            self._conflict(local, reason)

    # What only one side has

    def _new_below(self, local: LocalNode, remote: RemoteNode) -> None:
        """Plan everything new in a folder that both sides have."""
        here = {self._fold(node.name): node for node in local.children.values() if self._is_new_here(node)}
        there: dict[str, RemoteNode] = {}
        for node in remote.children:
            if self._is_new_there(node):
                # An item here may have a name that the server's item would not get on every system.
                same = here.get(self._fold(node.name))
                if same is not None and self._fold(node.name) not in there:
                    node.local_name = same.name
                there[self._fold(node.local_name)] = node
        for folded, found in there.items():
            mine = here.pop(folded, None)
            if mine is not None:
                self._both_new(mine, found, local, remote)
            elif folded in local.left:
                self._plan.left.append((found.path, "something that is not synced has its name here"))
            elif (taken := local.children.get(folded)) is not None:
                self._give_way(taken, [taken], self._leaving_local, "an item of the server has its name")
            else:
                self._create_here(found, local)
        for mine in here.values():
            if composed(mine.name) in remote.names:
                taken_there = [one for one in remote.children if one.name == composed(mine.name)]
                self._give_way(mine, taken_there, self._leaving_remote, "the server has another item of its name")
            else:
                self._create_there(mine, remote)
        self._new_in_subfolders(remote)

    def _new_in_subfolders(self, remote: RemoteNode) -> None:
        """Plan what is new in subfolders, also in those that a move has yet to bring together."""
        for node in remote.children:
            if node.is_folder and node.entry is not None and node.entry.id not in self._held:
                found = self._local_folder(node)
                if found is not None:
                    self._new_below(found, node)

    def _is_new_here(self, node: LocalNode) -> bool:
        """Whether the server has to get it: unknown, or deleted there and edited here."""
        if node in self._in_conflict or node in self._leaving_local:
            return False
        if node.entry is not None and (node.entry.id in self._held or self._remote.get(node.entry.key) is not None):
            return False
        return not node.is_folder or self._is_worth_creating(node)

    def _is_worth_creating(self, folder: LocalNode) -> bool:
        """Whether the server gets a folder: not where it holds only items that are not synced."""
        return not folder.left or any(
            not child.is_folder or self._is_worth_creating(child)
            for child in folder.children.values()
            if child not in self._leaving_local
        )

    def _is_new_there(self, node: RemoteNode) -> bool:
        if node in self._leaving_remote or node in self._emptied:
            return False
        if node.entry is None:
            return True
        return node.entry.id not in self._held and node.entry.id not in self._matching.nodes

    def _both_new(self, local: LocalNode, remote: RemoteNode, above: LocalNode, above_there: RemoteNode) -> None:
        if local.is_folder and remote.is_folder:
            self._plan.records.append(self._linked(local, remote, above, above_there))
            self._new_below(local, remote)
        elif not local.is_folder and self._is_unreadable(local):
            return
        elif not local.is_folder and not remote.is_folder and self._hashes.of(local) == remote.md5:
            self._plan.records.append(self._linked(local, remote, above, above_there))
            self._mode(local.entry or remote.entry, local, remote)
        else:
            self._conflict(local, "both sides have another item of this name")

    def _linked(self, local: LocalNode, remote: RemoteNode, above: LocalNode, above_there: RemoteNode) -> Action:
        return Action(
            kind="link",
            path=local.path,
            entry=local.entry or remote.entry,
            local=local,
            remote=remote,
            parent_local=above,
            parent_remote=above_there,
            name=local.name,
            remote_name=remote.name,
        )

    def _create_here(self, remote: RemoteNode, parent: LocalNode | None) -> None:
        """Create a folder with everything in it that is new here."""
        action = Action(
            kind="create local folder" if remote.is_folder else "download",
            path=remote.path,
            entry=remote.entry,
            remote=remote,
            parent_local=parent,
            name=remote.local_name,
            remote_name=remote.name,
        )
        (self._plan.folders if remote.is_folder else self._plan.transfers).append(action)
        for child in remote.children:
            if self._is_new_there(child):
                self._create_here(child, None)
        self._new_in_subfolders(remote)

    def _create_there(self, local: LocalNode, parent: RemoteNode | None) -> None:
        if not local.is_folder and self._is_unreadable(local):
            return
        action = Action(
            kind="create remote folder" if local.is_folder else "upload",
            path=local.path,
            entry=local.entry,
            local=local,
            parent_remote=parent,
            name=local.name,
            remote_name=composed(local.name),
        )
        (self._plan.folders if local.is_folder else self._plan.transfers).append(action)
        for child in local.children.values():
            if self._is_new_here(child):
                self._create_there(child, None)
