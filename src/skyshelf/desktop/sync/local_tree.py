"""The local side as it is now."""

import os
import stat
import time
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from skyshelf.client.errors import LocalFileError
from skyshelf.client.local.names import STATE_FOLDER as BACKUP_FOLDER
from skyshelf.client.local.names import comparable
from skyshelf.desktop.sync.index import Entry

STATE_FOLDER: Final = ".skyshelf-sync"
"""Index, trash and unfinished downloads of a sync, at the top of the local folder."""

JUNK: Final = frozenset({".DS_Store", "Thumbs.db", "desktop.ini", ".directory"})
"""Files that systems write about a folder: not synced, and no reason to keep a folder."""

_STATE: Final = frozenset({STATE_FOLDER, BACKUP_FOLDER})
COARSE_NS: Final = 2_100_000_000
"""Some file systems store times in steps of two seconds."""

UNKNOWN_TIME: Final = -1
"""No file has this time: its content is compared by the next sync."""

Select = Callable[[str, bool], bool]
"""Whether the item at a path below the folder, which is or is not a folder, is synced."""


class LocalNode:
    """A local file or folder. `left` are the names in it that are not synced, each with the reason."""

    __slots__ = ("children", "entry", "inode", "is_folder", "left", "md5", "modified_ns", "name", "parent", "size")

    def __init__(self, name: str, parent: "LocalNode | None", found: os.stat_result) -> None:
        self.name = name
        self.parent = parent
        self.is_folder = stat.S_ISDIR(found.st_mode)
        self.size = 0 if self.is_folder else found.st_size
        self.modified_ns = 0 if self.is_folder else found.st_mtime_ns
        self.inode = signed_inode(found)
        self.children: dict[str, LocalNode] = {}
        self.left: dict[str, str] = {}
        self.entry: Entry | None = None
        self.md5: str | None = None

    @property
    def parts(self) -> tuple[str, ...]:
        """The names that lead to it."""
        return () if self.parent is None else (*self.parent.parts, self.name)

    @property
    def path(self) -> str:
        """Its path below the local folder, with slashes."""
        return "/".join(self.parts)

    def below(self) -> Iterator["LocalNode"]:
        """Everything in it, parents first."""
        for child in self.children.values():
            yield child
            yield from child.below()

    def looks_like(self, entry: Entry) -> bool:
        """Whether it has the size and time that it had when the content was last known."""
        return (self.size, self.modified_ns) == (entry.size, entry.modified_ns)

    @property
    def trusted_ns(self) -> int:
        """The time to record; none for a file that was just written, since a second edit may have the same time."""
        return self.modified_ns if time.time_ns() - self.modified_ns > COARSE_NS else UNKNOWN_TIME


def composed(name: str) -> str:
    """The name in NFC, as servers store it; macOS may use another form."""
    return unicodedata.normalize("NFC", name)


def signed_inode(found: os.stat_result) -> int:
    """The inode as the index stores it."""
    return found.st_ino if found.st_ino < 1 << 63 else found.st_ino - (1 << 64)


class LocalScan:
    """Reads the local side; `fold` gives names that the file system treats as one the same form."""

    def __init__(self, top: Path, select: Select | None = None) -> None:
        self.top = top
        self._select = select
        self.ignores_case = _ignores_case(top)

    def fold(self, name: str) -> str:
        """The form in which two names are the same name here."""
        return comparable(name) if self.ignores_case else composed(name)

    def read(self) -> LocalNode:
        """The whole tree. An unreadable folder is an error: its files would look deleted."""
        try:
            root = LocalNode("", None, self.top.stat())
        except OSError as error:
            raise LocalFileError(f"cannot read {self.top}: {error.strerror}") from error
        self._fill(root, self.top, "")
        return root

    def _fill(self, node: LocalNode, folder: Path, prefix: str) -> None:
        try:
            with os.scandir(folder) as found:
                listed = sorted(found, key=lambda one: one.name)
        except (FileNotFoundError, NotADirectoryError) as error:
            if node.parent is None:
                raise LocalFileError(f"cannot read {folder}: {error.strerror}") from error
            # Deleted or replaced since the folder above was listed.
            node.parent.children.pop(self.fold(node.name), None)
            return
        except OSError as error:
            raise LocalFileError(f"cannot read {folder}: {error.strerror}") from error
        for one in listed:
            if one.name in JUNK or (node.parent is None and one.name in _STATE):
                continue
            child = self._child(node, one, prefix)
            if child is not None and child.is_folder:
                self._fill(child, folder / one.name, f"{prefix}{one.name}/")

    def _child(self, node: LocalNode, found: "os.DirEntry[str]", prefix: str) -> LocalNode | None:
        try:
            described = found.stat(follow_symlinks=False)
        except FileNotFoundError:
            return None  # deleted since the folder was listed
        except OSError as error:
            raise LocalFileError(f"cannot read {prefix}{found.name}: {error.strerror}") from error
        folded = self.fold(found.name)
        reason = self._reason(found.name, described, prefix)
        if reason is None and folded in node.children:
            reason = f"{node.children[folded].name} has the same name in another Unicode form"
        if reason is not None:
            node.left[folded] = reason
            return None
        child = LocalNode(found.name, node, described)
        node.children[folded] = child
        return child

    def _reason(self, name: str, found: os.stat_result, prefix: str) -> str | None:
        """Why the item is not synced; an empty reason is the user's own wish."""
        if name in _STATE or (
            self._select is not None and not self._select(prefix + name, stat.S_ISDIR(found.st_mode))
        ):
            return ""
        if stat.S_ISLNK(found.st_mode):
            return "symbolic links are not synced"
        if not stat.S_ISREG(found.st_mode) and not stat.S_ISDIR(found.st_mode):
            return "it is neither a file nor a folder"
        try:
            name.encode()
        except UnicodeEncodeError:
            return "its name is not valid UTF-8: rename it to sync it"
        return None


def _ignores_case(top: Path) -> bool:
    """Whether the file system treats names that differ in case as the same."""
    state = top / STATE_FOLDER
    if not state.is_dir():
        return False
    return (top / STATE_FOLDER.upper()).exists()
