"""Finds the local item of each entry of the index: at its place, or where it was moved to.

A place is trusted first, since programs save a file by replacing it. What is no longer at its place is recognised by
its inode, and a file also by its content.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from skyshelf.desktop.hashing import md5_of
from skyshelf.desktop.sync.index import ROOT_ID, Entry
from skyshelf.desktop.sync.local_tree import LocalNode

UNREADABLE: Final = "unreadable"


class Hashes:
    """MD5s of local files, computed where they are needed, once per scan."""

    def __init__(self, top: Path, hashed: Callable[[str, int], None] | None = None) -> None:
        self._top = top
        self._hashed = hashed

    def of(self, node: LocalNode) -> str:
        """The MD5 of the file's content."""
        entry = node.entry
        if node.md5 is None and entry is not None and entry.md5 is not None and node.looks_like(entry):
            node.md5 = entry.md5
        if node.md5 is None:
            try:
                node.md5 = md5_of(self._top.joinpath(*node.parts))
            except OSError:
                # It counts as changed: its upload fails with the reason, and everything else is synced.
                return UNREADABLE
            if self._hashed is not None:
                self._hashed(node.path, node.size)
        return node.md5


class Matching:
    """Which local item belongs to which entry, and which entries are to be left alone."""

    def __init__(self, entries: Iterable[Entry], root: LocalNode, fold: Callable[[str], str], hashes: Hashes) -> None:
        self.nodes: dict[int, LocalNode] = {ROOT_ID: root}
        self.held: set[int] = set()
        self._fold = fold
        self._hashes = hashes
        self._below: dict[int, list[Entry]] = defaultdict(list)
        self._missing: dict[int, Entry] = {}
        for entry in entries:
            self._below[entry.parent].append(entry)
        self._in_place(ROOT_ID, root)
        if self._missing:
            self._by_inode(root)
        if self._missing:
            self._by_content(root)

    def _in_place(self, entry_id: int, node: LocalNode) -> None:
        """Bind what is at its place below a folder that was found."""
        waiting = [(entry_id, node)]
        while waiting:
            above, folder = waiting.pop()
            for entry in self._below[above]:
                folded = self._fold(entry.name)
                child = folder.children.get(folded)
                if folded in folder.left:
                    self._hold(entry)
                elif child is not None and child.entry is None and child.is_folder == entry.is_folder:
                    self._bind(entry, child)
                    waiting.append((entry.id, child))
                else:
                    self._miss(entry)

    def _bind(self, entry: Entry, node: LocalNode) -> None:
        node.entry = entry
        self.nodes[entry.id] = node
        self._missing.pop(entry.id, None)

    def _hold(self, entry: Entry) -> None:
        """Something that is not synced has its name: it is not deleted, and neither is anything below it."""
        self.held.add(entry.id)
        self._missing.pop(entry.id, None)
        for child in self._below[entry.id]:
            self._hold(child)

    def _miss(self, entry: Entry) -> None:
        self._missing[entry.id] = entry
        for child in self._below[entry.id]:
            self._miss(child)

    def _by_inode(self, root: LocalNode) -> None:
        """Folders first, since everything in a moved folder is then at its place; parents before children."""
        free: dict[int, LocalNode] = {node.inode: node for node in root.below() if node.entry is None}
        for entry in list(self._missing.values()):
            node = free.get(entry.inode)
            if not entry.is_folder or entry.id in self.nodes or node is None or not node.is_folder or node.entry:
                continue
            names = {self._fold(one.name) for one in self._below[entry.id]}
            if names and not names & node.children.keys():
                continue  # the inode of a deleted folder was used again
            self._bind(entry, node)
            self._in_place(entry.id, node)
        for entry in list(self._missing.values()):
            node = free.get(entry.inode)
            if entry.is_folder or node is None or node.is_folder or node.entry is not None:
                continue
            if node.looks_like(entry):
                self._bind(entry, node)

    def _by_content(self, root: LocalNode) -> None:
        """A file that was copied and deleted, or moved by a program that keeps no inodes."""
        wanted: dict[int, list[Entry]] = defaultdict(list)
        for entry in self._missing.values():
            if not entry.is_folder and entry.size:
                wanted[entry.size].append(entry)
        for node in root.below() if wanted else ():
            if node.entry is not None or node.is_folder or not wanted.get(node.size):
                continue
            candidates = [one for one in wanted[node.size] if one.md5 == self._hashes.of(node)]
            if candidates:
                chosen = next((one for one in candidates if one.name == node.name), candidates[0])
                wanted[node.size].remove(chosen)
                self._bind(chosen, node)
