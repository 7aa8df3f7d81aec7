"""The local side as it is now."""

import os
import stat
import time
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from skyshelf.client.errors import LocalFileError
from skyshelf.client.local.names import RESERVED, SYNC_FOLDER, comparable, safe_name
from skyshelf.desktop.sync.index import Entry
from skyshelf.desktop.sync.modes import executable_in, keeps_modes

STATE_FOLDER: Final = SYNC_FOLDER

JUNK: Final = frozenset({".DS_Store", "Thumbs.db", "desktop.ini", ".directory"})
"""Files that systems write into folders: they are not synced, and are no reason to keep a folder."""

ANY_NAME: Final = 'any <name>: "what?" * or | \\ . '
"""A file in the state folder, where the file system takes names that Windows refuses."""

COARSE_NS: Final = 2_100_000_000
"""Some file systems store times in steps of two seconds."""

UNKNOWN_TIME: Final = -1
"""A time that no file has, so the next sync compares the content."""

Select = Callable[[str, bool], bool]
"""Whether the item at a path below the folder, which is or is not a folder, is synced."""


class Omission(NamedTuple):
    """Why an item is not synced; the reason is empty if the user excludes it."""

    reason: str
    is_problem: bool = False
    """Whether the user has to do something about it."""


def unreadable(error: OSError) -> Omission:
    """Say that an item cannot be read: it is neither synced nor taken for deleted."""
    return Omission(f"it cannot be read: {error.strerror}", is_problem=True)


class LocalNode:
    """A local file or folder. `left` are the names in it that are not synced.

    `is_mount` says that a folder is on another disk than the one above it. `is_executable` is None where that is not
    synced.
    """

    __slots__ = (
        "changed_ns",
        "children",
        "device",
        "entry",
        "inode",
        "is_executable",
        "is_folder",
        "is_mount",
        "left",
        "md5",
        "modified_ns",
        "name",
        "parent",
        "size",
    )

    def __init__(self, name: str, parent: "LocalNode | None", found: os.stat_result) -> None:
        self.name = name
        self.parent = parent
        self.is_folder = stat.S_ISDIR(found.st_mode)
        self.size = 0 if self.is_folder else found.st_size
        self.modified_ns = 0 if self.is_folder else found.st_mtime_ns
        self.changed_ns = 0 if self.is_folder else found.st_ctime_ns
        self.inode = signed_inode(found)
        self.device = found.st_dev
        self.is_mount = self.is_folder and parent is not None and parent.device != self.device
        self.children: dict[str, LocalNode] = {}
        self.left: dict[str, Omission] = {}
        self.entry: Entry | None = None
        self.is_executable: bool | None = None
        self.md5: str | None = None

    @property
    def parts(self) -> tuple[str, ...]:
        return () if self.parent is None else (*self.parent.parts, self.name)

    @property
    def path(self) -> str:
        """Its path below the local folder, with slashes."""
        return "/".join(self.parts)

    def above(self) -> Iterator["LocalNode"]:
        """Yield the folders that it is in, the nearest first."""
        if self.parent is not None:
            yield self.parent
            yield from self.parent.above()

    def below(self) -> Iterator["LocalNode"]:
        """Yield everything in it, parents first."""
        for child in self.children.values():
            yield child
            yield from child.below()

    def looks_like(self, entry: Entry) -> bool:
        """Whether it is the file whose content was last known, without a change since then.

        Programs can give a file any time of modification, but neither the inode of another file nor a time of change.
        """
        known = (entry.size, entry.modified_ns, entry.inode, entry.changed_ns or self.changed_ns)
        return known == (self.size, self.modified_ns, self.inode, self.changed_ns)

    def is_still(self, found: os.stat_result, *, renamed: bool = False) -> bool:
        """Whether a file is what the scan saw; a rename gives it another time of change."""
        now = (found.st_size, found.st_mtime_ns, signed_inode(found))
        is_unchanged = renamed or found.st_ctime_ns == self.changed_ns
        return stat.S_ISREG(found.st_mode) and is_unchanged and now == (self.size, self.modified_ns, self.inode)

    @property
    def trusted_ns(self) -> int:
        """The time to record; none for a file that was just written, since a second edit may have the same time."""
        return self.modified_ns if time.time_ns() - self.modified_ns > COARSE_NS else UNKNOWN_TIME


def composed(name: str) -> str:
    """Return the name in NFC, as servers store it; macOS may use another form."""
    return unicodedata.normalize("NFC", name)


def signed_inode(found: os.stat_result) -> int:
    """Return the inode as the index stores it, signed; some file systems use all 64 bits."""
    return found.st_ino if found.st_ino < 1 << 63 else found.st_ino - (1 << 64)


class LocalScan:
    """Reads the local side; `fold` gives names that the file system treats as one the same form."""

    def __init__(self, top: Path, select: Select | None = None) -> None:
        self.top = top
        self._device = 0
        self._select = select
        # Whether the file system treats names that differ in case as the same.
        state = top / STATE_FOLDER
        self.ignores_case = state.is_dir() and (top / STATE_FOLDER.upper()).exists()
        self.has_modes = keeps_modes(state)
        if state.is_dir():
            self._is_like_windows = ANY_NAME not in {one.name for one in state.iterdir()}
        else:
            self._is_like_windows = os.name != "posix"

    def fold(self, name: str) -> str:
        """Return the form in which two names are the same name here."""
        return comparable(name) if self.ignores_case else composed(name)

    def local_name(self, name: str) -> str:
        """Return the name that an item of the server gets here."""
        return safe_name(name, on_windows=self._is_like_windows)

    def read(self) -> LocalNode:
        """Read the whole tree, without what cannot be read; an unreadable root is an error."""
        try:
            root = LocalNode("", None, self.top.stat())
        except OSError as error:
            raise LocalFileError(f"cannot read {self.top}: {error.strerror}") from error
        self._device = root.device
        self._fill(root, self.top, "")
        return root

    def _fill(self, node: LocalNode, folder: Path, prefix: str) -> None:
        try:
            with os.scandir(folder) as found:
                listed = sorted(found, key=lambda one: one.name)
        except OSError as error:
            if node.parent is None:
                raise LocalFileError(f"cannot read {folder}: {error.strerror}") from error
            folded = self.fold(node.name)
            del node.parent.children[folded]
            if not isinstance(error, FileNotFoundError | NotADirectoryError):
                node.parent.left[folded] = unreadable(error)
            # Else it was deleted or replaced since the folder above was listed.
            return
        for one in listed:
            if one.name in JUNK or (one.name in RESERVED and (node.parent is None or node.is_mount)):
                continue
            child = self._child(node, one, prefix)
            if child is not None and child.is_folder:
                self._fill(child, folder / one.name, f"{prefix}{one.name}/")

    def _child(self, node: LocalNode, found: "os.DirEntry[str]", prefix: str) -> LocalNode | None:
        folded = self.fold(found.name)
        try:
            described = found.stat(follow_symlinks=False)
        except FileNotFoundError:
            return None  # deleted since the folder was listed
        except OSError as error:
            node.left[folded] = unreadable(error)
            return None
        reason = self._reason(found.name, described, prefix)
        if reason is None and folded in node.children:
            reason = f"{node.children[folded].name} has the same name in another Unicode form"
        if reason is not None:
            node.left[folded] = Omission(reason)
            return None
        child = LocalNode(found.name, node, described)
        if self.has_modes and not child.is_folder:
            child.is_executable = executable_in(described, self._device)
        node.children[folded] = child
        return child

    def _reason(self, name: str, found: os.stat_result, prefix: str) -> str | None:
        """Say why the item is not synced; the reason is empty if the user excludes it."""
        if name in RESERVED or (
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
