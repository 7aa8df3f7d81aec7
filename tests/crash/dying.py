"""A writer that ends itself at a chosen point, for the moments that a kill from outside hardly ever meets.

The kinds of points: a step of the blob store on its files ("file"); a write of SQLite to any of its files ("page"),
to its log ("log"), or to the database itself ("database"), which outside of a store's birth is a checkpoint; the
beginning of a commit ("commit"); and a line to the parent ("line"), of which every second one is the moment between a
commit and its acknowledgement.
"""

import os
import signal
from itertools import count

import apsw
from tests.crash.lines import Death

from skyshelf.storage.blobs.durable_files import DurableFiles


class Fate:
    """Counts the points that are passed, over all threads, and ends the process at the one that was ordered."""

    def __init__(self, death: Death | None) -> None:
        self._death = death
        self._passed = count(1)

    def may_strike_at(self, *points: str) -> bool:
        return self._death is not None and self._death.point in points

    def is_due(self, point: str) -> bool:
        return self._death is not None and self._death.point == point and next(self._passed) == self._death.nth

    def passes(self, point: str) -> None:
        if self.is_due(point):
            self.strike()

    def strike(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


class MortalFiles(DurableFiles):
    """The steps of the blob store, each of which may be the last; a write may stop half-way."""

    def __init__(self, fate: Fate) -> None:
        self._fate = fate

    def make_folder(self, parent: int, name: str) -> None:
        self._fate.passes("file")
        super().make_folder(parent, name)

    def create(self, folder: int, name: str) -> int:
        self._fate.passes("file")
        return super().create(folder, name)

    def write(self, file: int, data: bytes | memoryview, at: int) -> None:
        if self._fate.is_due("file"):
            super().write(file, data[: len(data) // 2], at)
            self._fate.strike()
        super().write(file, data, at)

    def truncate(self, file: int, size: int) -> None:
        self._fate.passes("file")
        super().truncate(file, size)

    def sync_file(self, file: int) -> None:
        self._fate.passes("file")
        super().sync_file(file)

    def sync_folder(self, folder: int) -> None:
        self._fate.passes("file")
        super().sync_folder(folder)

    def rename(self, folder: int, name: str, new_folder: int, new_name: str) -> None:
        self._fate.passes("file")
        super().rename(folder, name, new_folder, new_name)

    def link(self, folder: int, name: str, new_folder: int, new_name: str) -> bool:
        self._fate.passes("file")
        return super().link(folder, name, new_folder, new_name)

    def remove(self, folder: int, name: str) -> None:
        self._fate.passes("file")
        super().remove(folder, name)


class MortalVfs(apsw.VFS):
    """SQLite's way to the disk, in which any write may be the last, also half-way: of the WAL, or of a checkpoint."""

    def __init__(self, fate: Fate) -> None:
        self._fate = fate
        self._below = apsw.vfs_names()[0]
        super().__init__("mortal", self._below, makedefault=True)

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> "MortalDatabaseFile":  # noqa: N802 - SQLite's name
        return MortalDatabaseFile(self._fate, self._below, name, flags)


class MortalDatabaseFile(apsw.VFSFile):
    def __init__(self, fate: Fate, below: str, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        self._fate = fate
        self._kind = _kind_of(name)
        super().__init__(below, name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - SQLite's name
        if self._fate.is_due("page") or self._fate.is_due(self._kind):
            super().xWrite(data[: len(data) // 2], offset)
            self._fate.strike()
        super().xWrite(data, offset)


def _kind_of(name: str | apsw.URIFilename | None) -> str:
    path = name.filename() if isinstance(name, apsw.URIFilename) else name or ""
    if path.endswith("-wal"):
        return "log"
    return "journal" if path.endswith("-journal") else "database"
