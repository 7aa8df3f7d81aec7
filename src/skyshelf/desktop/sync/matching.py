"""Finds the local items of the index's entries: at their place, or where they were moved to.

An inode says nothing alone: systems give the inode of a deleted item to the next new one. A moved item has the same
content, too. Where that is not certain and somebody else may look at the item through a public link, it counts as new:
the link would show the wrong content to strangers.
"""

import os
from collections import defaultdict
from collections.abc import Callable, Container, Iterable
from functools import cache
from pathlib import Path
from typing import Final

from skyshelf.client.local.files import md5_of
from skyshelf.desktop.sync.index import ROOT_ID, Entry
from skyshelf.desktop.sync.local_tree import LocalNode, Omission

UNREADABLE: Final = "unreadable"
_NOT_MOUNTED: Final = "the disk that was mounted here at the last sync is missing: mount it, or use --start-over"
_NOW_MOUNTED: Final = "a disk was mounted here since the last sync: unmount it, or use --start-over"


class Hashes:
    """MD5s of local files, computed where they are needed, once per scan."""

    def __init__(self, top: Path, hashed: Callable[[str, int], None] | None = None) -> None:
        self._top = top
        self._hashed = hashed

    def of(self, node: LocalNode) -> str:
        entry = node.entry
        if node.md5 is None and entry is not None and entry.md5 is not None and node.looks_like(entry):
            node.md5 = entry.md5
        if node.md5 is None:
            try:
                node.md5 = md5_of(self._top.joinpath(*node.parts))
            except OSError:
                return UNREADABLE  # it counts as changed
            if self._hashed is not None:
                self._hashed(node.path, node.size)
        return node.md5

    def error_of(self, node: LocalNode) -> OSError | None:
        """Return why a file cannot be read; None where it can, or was deleted since the scan."""
        try:
            os.close(os.open(self._top.joinpath(*node.parts), os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)))
        except FileNotFoundError:
            return None
        except OSError as error:
            return error
        return None


class Matching:
    """Which local item belongs to which entry, and which entries are to be left alone."""

    def __init__(
        self,
        entries: Iterable[Entry],
        root: LocalNode,
        fold: Callable[[str], str],
        hashes: Hashes,
        linked: Callable[[], Container[str]],
    ) -> None:
        """`linked` returns the keys of everything with a public link; it is called where something was moved."""
        self.nodes: dict[int, LocalNode] = {ROOT_ID: root}
        self.held: set[int] = set()
        self._fold = fold
        self._hashes = hashes
        self._linked = cache(linked)
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
                is_mount = child is not None and child.is_mount
                if entry.is_mount not in {None, is_mount} and (child is None or child.is_folder):
                    folder.left[folded] = Omission(_NOW_MOUNTED if is_mount else _NOT_MOUNTED, is_problem=True)
                    folder.children.pop(folded, None)
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
        """Hold an entry whose name something has that is not synced: neither it nor anything below it is deleted."""
        self.held.add(entry.id)
        self._missing.pop(entry.id, None)
        for child in self._below[entry.id]:
            self._hold(child)

    def _miss(self, entry: Entry) -> None:
        self._missing[entry.id] = entry
        for child in self._below[entry.id]:
            self._miss(child)

    def _by_inode(self, root: LocalNode) -> None:
        """Find moved items by inode: folders first, since their items are then in place; parents before children."""
        free: dict[int, LocalNode] = {node.inode: node for node in root.below() if node.entry is None}
        for entry in list(self._missing.values()):
            node = free.get(entry.inode)
            if entry.id not in self._missing or not entry.is_folder or node is None or not node.is_folder or node.entry:
                continue
            if self._has_same_file(entry, node) and not self._shows_link(entry):
                self._bind(entry, node)
                self._in_place(entry.id, node)
        for entry in list(self._missing.values()):
            node = free.get(entry.inode)
            if node is not None and node.entry is None and self._is_same_file(entry, node):
                self._bind(entry, node)

    def _has_same_file(self, entry: Entry, folder: LocalNode) -> bool:
        """Whether a file that the folder had is in it, at any depth; without one, its inode may have been reused."""
        for known in self._below[entry.id]:
            node = folder.children.get(self._fold(known.name))
            if node is None or node.is_folder != known.is_folder or node.entry is not None:
                continue
            if self._has_same_file(known, node) if known.is_folder else self._is_same_file(known, node):
                return True
        return False

    def _is_same_file(self, entry: Entry, node: LocalNode) -> bool:
        """Whether it is the file of the entry, wherever it is now: by its inode and its content."""
        if entry.is_folder or node.is_folder or (node.inode, node.size) != (entry.inode, entry.size):
            return False
        if node.looks_like(entry) and not self._is_linked(entry):
            return True
        return entry.size > 0 and self._hashes.of(node) == entry.md5

    def _is_linked(self, entry: Entry) -> bool:
        return entry.key.upper() in self._linked()

    def _shows_link(self, entry: Entry) -> bool:
        """Whether it, or anything below it, has a public link."""
        return self._is_linked(entry) or any(map(self._shows_link, self._below[entry.id]))

    def _by_content(self, root: LocalNode) -> None:
        """Find files that were copied and deleted, or moved by a program that keeps no inodes."""
        wanted: dict[int, list[Entry]] = defaultdict(list)
        for entry in self._missing.values():
            if not entry.is_folder and entry.size:
                wanted[entry.size].append(entry)
        for node in root.below() if wanted else ():
            if node.entry is not None or node.is_folder or not wanted.get(node.size):
                continue
            candidates = [one for one in wanted[node.size] if one.md5 == self._hashes.of(node)]
            candidates = [one for one in candidates if not self._is_linked(one)]
            if candidates:
                chosen = next((one for one in candidates if one.name == node.name), candidates[0])
                wanted[node.size].remove(chosen)
                self._bind(chosen, node)
