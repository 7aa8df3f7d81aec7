"""Moments of a run at which something can happen: before and after every write to a disk, an index or the server."""

import errno
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from skyshelf.client.local.files import DiskFullError
from skyshelf.desktop.sync.index import SyncIndex
from skyshelf.desktop.sync.local_side import LocalSide
from skyshelf.desktop.sync.local_tree import ANY_NAME, LocalNode

_WRITES = ("rename", "replace", "link", "unlink", "mkdir")
_NEED_SPACE = frozenset({"link", "mkdir"})
_DISK = 1 << 40
"""Device numbers of simulated disks begin here."""


class Killed(BaseException):
    """The process ends here."""


class Moments:
    """The moments of the run that is going on; without one, nothing is counted and nothing happens."""

    def __init__(self) -> None:
        self.events: dict[int, Callable[[], None]] = {}
        """What happens, by the number of the moment."""
        self.kills = 0
        self.kill_at_record: int | None = None
        """After how many records of new files the process ends: what is recorded has to be there by then."""
        self.passed = 0
        self._number = 0
        self._full = 0
        self._is_running = self._is_dead = False
        self._thread = threading.get_ident()
        self.unreadable: set[Path] = set()
        """Folders of which nobody can see what is in them."""
        self.disks: set[int] = set()
        """Inodes of folders that are disks."""
        self.like_windows: set[Path] = set()
        """Folders on file systems that refuse some names."""

    @contextmanager
    def running(self, events: dict[int, Callable[[], None]]) -> Iterator[None]:
        """Count from here to the end of the block."""
        self.events, self._number, self._full = events, 0, 0
        self._is_running, self._is_dead = True, False
        try:
            yield
        finally:
            self._is_running = self._is_dead = False
            self._full = 0
            self.kill_at_record = None

    def kill(self) -> None:
        """End the process: whatever it does from now on has no effect."""
        self._is_dead = True
        self.kills += 1
        raise Killed

    def fill_disk(self) -> None:
        """Leave no space for a while."""
        self._full = 6

    def reached(self) -> None:
        """Let what is due happen."""
        if not self._is_counting():
            return
        if self._is_dead:
            raise Killed
        self._number += 1
        self.passed += 1
        event = self.events.pop(self._number, None)
        if event is not None:
            with self.paused():
                event()

    def _is_counting(self) -> bool:
        """Whether the program runs; what other threads do has no fixed order, so it does not count."""
        return self._is_running and threading.get_ident() == self._thread

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Let somebody else write."""
        before, self._is_running = self._is_running, False
        try:
            yield
        finally:
            self._is_running = before

    def _is_full(self) -> bool:
        if not self._full or not self._is_counting():
            return False
        self._full -= 1
        return True

    def install(self, patch: pytest.MonkeyPatch) -> None:
        """Take the place of the system's calls, and of the index's."""
        for name in _WRITES:
            patch.setattr(os, name, self._system_call(name, getattr(os, name)))
        for name in ("record", "forget", "put", "note_versions"):
            patch.setattr(SyncIndex, name, self._index_call(name, getattr(SyncIndex, name)))
        patch.setattr(os, "scandir", self._looking(os.scandir, lambda path: (path,)))
        patch.setattr(os, "lstat", self._looking(os.lstat, lambda path: path.parents))
        patch.setattr(LocalNode, "__init__", self._scanned(LocalNode.__init__))
        patch.setattr(LocalSide, "prepare", self._prepared(LocalSide.prepare))
        patch.setattr(LocalSide, "check_disk", self._on_disk(LocalSide.check_disk))

    def _system_call(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def wrapper(*arguments: Any, **options: Any) -> Any:
            if not self._is_counting():
                return call(*arguments, **options)
            self.reached()
            if name in _NEED_SPACE and self._is_full():
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            if name == "rename" and self.disks and _inode(arguments[0]) in self.disks:
                raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
            result = call(*arguments, **options)
            self.reached()
            return result

        return wrapper

    def _index_call(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def wrapper(*arguments: Any, **options: Any) -> Any:
            is_new_file = name == "record" and arguments[1].id < 0 and not arguments[1].is_folder
            self.reached()
            if self._is_full():
                raise DiskFullError("cannot write the index: the disk is full")
            result = call(*arguments, **options)
            self.reached()
            if is_new_file and self._is_counting():
                self._recorded()
            return result

        return wrapper

    def _recorded(self) -> None:
        if self.kill_at_record is not None:
            self.kill_at_record -= 1
            if not self.kill_at_record:
                self.kill()

    def _looking(self, call: Callable[..., Any], through: Callable[[Path], Iterable[Path]]) -> Callable[..., Any]:
        """Refuse to look at what is in an unreadable folder; `through` returns the folders that have to be read."""

        def wrapper(path: Any = ".", **options: Any) -> Any:
            is_refused = self._is_running and self.unreadable and not isinstance(path, int) and not options
            if is_refused and not self.unreadable.isdisjoint(through(Path(path))):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            return call(path, **options)

        return wrapper

    def _scanned(self, call: Callable[..., None]) -> Callable[..., None]:
        def wrapper(node: LocalNode, name: str, parent: LocalNode | None, found: os.stat_result) -> None:
            call(node, name, parent, found)
            if node.inode in self.disks:
                node.device, node.is_mount = _DISK + node.inode, True
            elif parent is not None and parent.device >= _DISK:
                node.device, node.is_mount = parent.device, False

        return wrapper

    def _on_disk(self, call: Callable[..., None]) -> Callable[..., None]:
        def wrapper(side: LocalSide, parts: tuple[str, ...], found: os.stat_result) -> None:
            inodes = (_inode(side.top.joinpath(*parts[:length])) for length in range(len(parts) - 1, 0, -1))
            disk = next((one for one in inodes if one in self.disks), None) if self.disks else None
            call(side, parts, found if disk is None else SimpleNamespace(st_dev=_DISK + disk))

        return wrapper

    def _prepared(self, call: Callable[..., None]) -> Callable[..., None]:
        def wrapper(side: LocalSide) -> None:
            call(side)
            if side.top in self.like_windows:
                (side.state / ANY_NAME).unlink(missing_ok=True)

        return wrapper


def _inode(path: Any) -> int:
    try:
        return os.lstat(path).st_ino
    except OSError:
        return 0
