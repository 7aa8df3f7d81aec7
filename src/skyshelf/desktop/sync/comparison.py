"""Relates the items of both sides and the entries of the index to each other."""

from collections.abc import Callable, Container

from skyshelf.client.local.names import RESERVED
from skyshelf.desktop.sync.actions import Action, SyncPlan
from skyshelf.desktop.sync.index import ROOT_ID, Entry
from skyshelf.desktop.sync.local_tree import LocalNode, Select, composed
from skyshelf.desktop.sync.matching import Hashes, Matching
from skyshelf.desktop.sync.remote_tree import RemoteNode, RemoteTree


class Comparison:
    """Which local item, which item of the server and which entry belong together; what may be deleted."""

    def __init__(
        self,
        entries: list[Entry],
        local: LocalNode,
        remote: RemoteTree,
        *,
        fold: Callable[[str], str],
        hashes: Hashes,
        linked: Callable[[], Container[str]],
        select: Select | None = None,
        has_modes: bool = False,
        forced: bool = False,
    ) -> None:
        """`has_modes` says that both sides keep which files are executable."""
        self._entries = {entry.id: entry for entry in entries}
        self._local = local
        self._remote = remote
        self._fold = fold
        self._hashes = hashes
        self._plan = SyncPlan(left=list(remote.left), has_modes=has_modes)
        self._entries[ROOT_ID] = Entry(
            id=ROOT_ID, parent=-1, name="", remote_name="", is_folder=True, key=remote.root.key
        )
        self._replaced: set[int] = set()
        self._forget_excluded(select)
        known = [entry for entry in self._entries.values() if entry.id != ROOT_ID]
        self._matching = Matching(known, local, fold, hashes, linked)
        local.entry = remote.root.entry = self._entries[ROOT_ID]
        self._bind_remote(known)
        self._held = {entry.id for entry in known if entry.key.upper() in remote.held} | self._matching.held
        self._deletable_remote: dict[int, bool] = {}
        self._deletable_local: dict[int, bool] = {}
        self._forced = forced
        self._has_modes = has_modes
        self._leaving_local: set[LocalNode] = set()
        self._leaving_remote: set[RemoteNode] = set()
        self._emptied: set[RemoteNode] = set()
        self._awaited: set[LocalNode | RemoteNode] = set()
        self._in_conflict: set[LocalNode] = set()

    def _forget_excluded(self, select: Select | None) -> None:
        """Forget entries that are not synced by now, as the user excludes them: both sides keep what they have."""
        paths: dict[int, str | None] = {ROOT_ID: ""}

        def path_of(entry: Entry) -> str | None:
            """Return the path, or None below something that is excluded."""
            if entry.id not in paths:
                parent = self._entries.get(entry.parent)
                above = None if parent is None else path_of(parent)
                path = None if above is None else f"{above}/{entry.name}" if above else entry.name
                is_synced = entry.name.casefold() not in RESERVED and (
                    select is None or (path is not None and select(path, entry.is_folder))
                )
                paths[entry.id] = path if is_synced else None
            return paths[entry.id]

        for entry in list(self._entries.values()):
            if path_of(entry) is None:
                self._plan.records.append(Action(kind="forget", path=entry.name, entry=entry))
                del self._entries[entry.id]

    def _bind_remote(self, known: list[Entry]) -> None:
        """Bind remote items by key; an object that replaced another one of its name takes its place."""
        missing = []
        for entry in known:
            node = self._remote.get(entry.key)
            if node is not None and node.is_folder == entry.is_folder:
                node.entry = entry
            else:
                missing.append(entry)
        for entry in missing:
            above = self._entries.get(entry.parent)
            folder = None if above is None else self._remote.get(above.key)
            for node in folder.children if folder is not None else ():
                if node.entry is None and node.name == entry.remote_name and node.is_folder == entry.is_folder:
                    node.entry = entry
                    entry.key = node.key
                    self._replaced.add(entry.id)
                    break

    def _note_left(self, folder: LocalNode) -> None:
        for node in (folder, *folder.below()):
            for name, (reason, is_problem) in node.left.items():
                if reason:
                    known = self._plan.held if is_problem else self._plan.left
                    known.append((f"{node.path}/{name}" if node.path else name, reason))

    def _is_deletable_remote(self, entry: Entry, remote: RemoteNode) -> bool:
        """Whether it was deleted here, and is on the server as it was: moved or edited there, it is kept."""
        known = self._deletable_remote.get(entry.id)
        if known is None:
            known = self._is_missing_here(entry, remote)
            if known and entry.is_folder:
                known = all(
                    child.entry is not None and self._is_deletable_remote(child.entry, child)
                    for child in remote.children
                ) and len(remote.children) == len(remote.names)
            elif known:
                known = remote.md5 == entry.md5
            self._deletable_remote[entry.id] = known
        return known

    def _is_missing_here(self, entry: Entry, remote: RemoteNode) -> bool:
        """Whether it is gone here, and on the server where it was."""
        above = self._entries.get(entry.parent)
        stays = above is not None and remote.parent is not None and remote.parent.key == above.key.upper()
        is_gone = entry.id not in self._held and entry.id not in self._matching.nodes
        return is_gone and stays and remote.name == entry.remote_name and not self._is_moved_there(remote.parent)

    def _is_moved_there(self, folder: RemoteNode | None) -> bool:
        """Whether a folder that was deleted here was moved on the server, and so is kept with everything in it."""
        entry = None if folder is None else folder.entry
        if folder is None or folder.parent is None or entry is None or entry.id in self._matching.nodes:
            return False
        above = self._entries.get(entry.parent)
        stays = above is not None and folder.parent.key == above.key.upper() and folder.name == entry.remote_name
        return not stays or self._is_moved_there(folder.parent)

    def _is_emptied(self, entry: Entry, remote: RemoteNode) -> bool:
        """Whether a folder was deleted here after something in it was moved: it goes when that is moved there, too."""
        return (
            entry.is_folder
            and self._is_missing_here(entry, remote)
            and len(remote.children) == len(remote.names)
            and all(
                child.entry is not None
                and child.entry.parent == entry.id
                and (
                    child.entry.id in self._matching.nodes
                    or self._is_deletable_remote(child.entry, child)
                    or self._is_emptied(child.entry, child)
                )
                for child in remote.children
            )
        )

    def _is_deletable_local(self, entry: Entry, local: LocalNode) -> bool:
        """Whether it was deleted on the server, and is here as it was."""
        known = self._deletable_local.get(entry.id)
        if known is None:
            known = entry.id not in self._held and self._remote.get(entry.key) is None
            known = known and self._is_at_its_place(entry, local) and not self._is_moved(local.parent)
            if known and entry.is_folder:
                known = not local.left and all(
                    child.entry is not None and self._is_deletable_local(child.entry, child)
                    for child in local.children.values()
                )
            elif known:
                known = self._hashes.of(local) == entry.md5
            self._deletable_local[entry.id] = known
        return known

    def _is_moved(self, folder: LocalNode | None) -> bool:
        """Whether a folder that was deleted on the server was moved here, and so is kept with everything in it."""
        entry = None if folder is None else folder.entry
        if folder is None or folder.parent is None or entry is None or self._remote.get(entry.key) is not None:
            return False
        return not self._is_at_its_place(entry, folder) or self._is_moved(folder.parent)

    def _is_at_its_place(self, entry: Entry, local: LocalNode) -> bool:
        parent = local.parent
        return (
            parent is not None
            and parent.entry is not None
            and parent.entry.id == entry.parent
            and composed(local.name) == composed(entry.name)
        )

    def _local_folder(self, remote: RemoteNode) -> LocalNode | None:
        """Return the local folder of one on the server; None as long as there is none."""
        return None if remote.entry is None else self._matching.nodes.get(remote.entry.id)

    def _mode_step(self, entry: Entry | None, local: LocalNode, remote: RemoteNode) -> Action | None:
        """Return the step after which both sides have a file as executable or not.

        Without a common state, what is executable on one side is on both; that is so for an object that replaced
        another one, too.
        """
        here, there = local.is_executable, remote.is_executable
        if not self._has_modes or here is None or local.is_folder or remote.is_folder:
            return None
        before = entry is not None and entry.id not in self._replaced and bool(entry.is_executable)
        if here == there == before:
            return None
        step = Action(kind="link", path=local.path, entry=entry, local=local, remote=remote, has_same_content=False)
        if here != there:
            step.kind = "mode local" if here == before else "mode remote"
            step.reason = "not executable" if before else "executable"
        return step
