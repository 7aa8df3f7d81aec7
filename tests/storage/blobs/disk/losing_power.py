"""A disk that loses power: what was not synced is gone, or is there, whichever is worse.

The store runs on real files; beside them this keeps what a sync has guaranteed. After the power is cut, a folder is
built of it in which another store can be opened.
"""

import os
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tests.storage.blobs.disk.watched_files import WatchedFiles


class PowerCut(BaseException):
    """Nothing that the program does after this has any effect, its handlers included."""


@dataclass(frozen=True)
class WhatSurvives:
    """Which things that were never synced reach the disk all the same."""

    names: bool
    contents: bool


class LosingPower(WatchedFiles):
    def __init__(self, root: Path, cut_before_step: int) -> None:
        self._root = root
        self._cut_before_step = cut_before_step
        self.steps = 0
        self._synced_names: dict[int, dict[str, int]] = {}
        self._synced_contents: dict[int, bytes] = {}
        # Descriptors of everything ever seen: while one is open, its inode number is not given to anything else.
        self._seen: dict[int, int] = {}

    def before(self, step: str, what: str) -> None:
        if self.steps >= self._cut_before_step:
            raise PowerCut
        self.steps += 1

    def after(self, step: str, descriptor: int) -> None:
        inode = self._see(descriptor)
        if step == "sync file":
            self._synced_contents[inode] = _bytes_of(descriptor)
        elif step == "sync folder":
            self._synced_names[inode] = self._names_in(descriptor)
        elif step == "sync all":
            self._sync_below(os.open(self._root, os.O_RDONLY))

    def _sync_below(self, folder: int) -> None:
        """Everything that exists now is guaranteed; closes the folder."""
        names = self._names_in(folder)
        self._synced_names[self._see(folder)] = names
        for inode in names.values():
            if stat.S_ISDIR(os.fstat(self._seen[inode]).st_mode):
                self._sync_below(os.dup(self._seen[inode]))
            else:
                self._synced_contents[inode] = _bytes_of(self._seen[inode])
        os.close(folder)

    def survivors(self, what: WhatSurvives, into: Path) -> None:
        """Build what is on the disk when the power comes back."""
        root = os.open(self._root, os.O_RDONLY)
        try:
            self._rebuild(self._see(root), what, into, {})
        finally:
            os.close(root)

    def close_all(self) -> None:
        while self._seen:
            os.close(self._seen.popitem()[1])

    def _rebuild(self, folder: int, what: WhatSurvives, into: Path, built: dict[int, Path]) -> None:
        into.mkdir(mode=0o700)
        names = dict(self._synced_names.get(folder, {}))
        if what.names:
            names = self._names_in(self._seen[folder])
        for name, inode in names.items():
            if stat.S_ISDIR(os.fstat(self._seen[inode]).st_mode):
                self._rebuild(inode, what, into / name, built)
            elif inode in built:
                (into / name).hardlink_to(built[inode])
            else:
                (into / name).write_bytes(self._content(inode, what))
                built[inode] = into / name

    def _content(self, inode: int, what: WhatSurvives) -> bytes:
        now = _bytes_of(self._seen[inode])
        if what.contents:
            return now
        # Bytes past what was synced may have their place on the disk already, and anything may be in it.
        synced = self._synced_contents.get(inode, b"")
        return synced + b"\xff" * max(0, len(now) - len(synced))

    def _names_in(self, folder: int) -> dict[str, int]:
        names = {}
        for name in os.listdir(folder):
            with suppress(FileNotFoundError):
                entry = os.open(name, os.O_RDONLY, dir_fd=folder)
                names[name] = self._see(entry)
                os.close(entry)
        return names

    def _see(self, descriptor: int) -> int:
        inode = os.fstat(descriptor).st_ino
        if inode not in self._seen:
            self._seen[inode] = os.open(f"/proc/self/fd/{descriptor}", os.O_RDONLY)
        return inode


def _bytes_of(file: int) -> bytes:
    return os.pread(file, os.fstat(file).st_size, 0)
