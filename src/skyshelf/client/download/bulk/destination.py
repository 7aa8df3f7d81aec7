"""The destination of a bulk download, open: its folders, its state and its plan."""

import asyncio
import os
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from msgspec import Struct

from skyshelf.client.download.bulk.plan import Choice, DownloadJob, DownloadPlan, PlannedFile
from skyshelf.client.download.bulk.replaced import ReplacedFiles
from skyshelf.client.download.bulk.state import BESIDE, DownloadState
from skyshelf.client.download.part_file import PartFile
from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.pacer import RateLimit
from skyshelf.client.errors import LocalFileError
from skyshelf.client.local.disk_threads import DiskBatches, DiskThreads
from skyshelf.client.local.files import LocalFolder, lock_file
from skyshelf.client.local.names import STATE_FOLDER, part_name
from skyshelf.client.transfers import TransferReport

_OPEN_FOLDERS: Final = 64
"""Folders that stay open after their last use."""


class OpenFolders:
    """Opens folders below the destination name by name, so no link is followed. Thread-safe."""

    def __init__(self, destination: Path, within: Path | None = None) -> None:
        self.root = LocalFolder.open(destination, within)
        self._lock = threading.Lock()
        self._open: OrderedDict[str, LocalFolder] = OrderedDict()
        self._users: dict[str, int] = {}

    @contextmanager
    def using(self, path: str) -> Iterator[LocalFolder]:
        """Hold a folder open within a block."""
        folder = self.acquire(path)
        try:
            yield folder
        finally:
            self.release(path)

    def acquire(self, path: str) -> LocalFolder:
        """Open a folder, which is created if it is missing; it stays open until it is released."""
        with self._lock:
            folder = self._open.get(path) or self._enter(path)
            self._open[path] = folder
            self._open.move_to_end(path)
            self._users[path] = self._users.get(path, 0) + 1
            return folder

    def release(self, path: str) -> None:
        with self._lock:
            self._users[path] -= 1
            if len(self._open) > _OPEN_FOLDERS:
                idle = [name for name in self._open if not self._users[name]]
                for name in idle[: len(self._open) - _OPEN_FOLDERS]:
                    self._open.pop(name).close()
                    del self._users[name]

    def close(self) -> None:
        with self._lock:
            while self._open:
                self._open.popitem()[1].close()
            self.root.close()

    def _enter(self, path: str) -> LocalFolder:
        return self.root.enter(".").descend(path.split("/") if path else ())


class OpenDestination(Struct, frozen=True, kw_only=True):
    """An open destination; the exit stack given to `open_destination` closes it."""

    folders: OpenFolders
    state: DownloadState
    plan: DownloadPlan


def open_destination(destination: Path, within: Path | None, opened: ExitStack) -> OpenDestination:
    """Open a destination, for one run at a time; `opened` closes it."""
    folders = OpenFolders(destination, within)
    opened.callback(folders.close)
    own = folders.root.enter(STATE_FOLDER)
    opened.callback(own.close)
    lock = own.open_file("lock", create=True)
    opened.callback(os.close, lock)
    if not lock_file(lock):
        raise LocalFileError(f"another download into {destination} is running")
    for name in ("state.db", "plan.db"):
        # Opened here first: if the name were a link, SQLite would write elsewhere.
        os.close(own.open_file(name, create=True))
        for beside in (name + suffix for suffix in BESIDE):
            if own.stat(beside) is not None:
                os.close(own.open_file(beside, create=True))
    state = DownloadState(own.path / "state.db")
    opened.callback(state.close)
    plan = DownloadPlan(own.path / "plan.db")
    opened.callback(plan.close)
    # SQLite opens by path, which may have been redirected in the meantime.
    if not (own.is_at_its_path("state.db") and own.is_at_its_path("plan.db")):
        raise LocalFileError(f"{destination} was moved while it was opened: try again")
    return OpenDestination(folders=folders, state=state, plan=plan)


class CompleteFile(Struct, frozen=True, kw_only=True, eq=False):
    """A file with complete and verified content, still under the name of its part."""

    file: PlannedFile
    part: PartFile
    replace: bool
    is_verified: bool


class OpenParts:
    """The part files in use, each with its open folder; opened in any thread, released on the event loop."""

    def __init__(self, folders: OpenFolders) -> None:
        self._folders = folders
        self._open: set[PartFile] = set()

    def open(self, file: PlannedFile) -> PartFile:
        """Open the part of a file, whose folder is created if it is missing."""
        folder = self._folders.acquire(file.folder)
        try:
            part = PartFile(folder, part_name(file.name, file.key))
        except BaseException:
            self._folders.release(file.folder)
            raise
        self._open.add(part)
        return part

    def release(self, file: PlannedFile, part: PartFile) -> None:
        part.close()
        self._open.discard(part)
        self._folders.release(file.folder)

    def close(self) -> None:
        """Close all parts after an interrupted run; the next run resumes them."""
        while self._open:
            self._open.pop().close()


class BulkRun(Struct, frozen=True, kw_only=True, eq=False):
    """What the stages of one run share: `jobs` are files to fetch, `notes` is the thread of the databases."""

    engine: Engine
    place: OpenDestination
    replaced: ReplacedFiles | None
    parts: OpenParts
    report: TransferReport
    choice: Choice
    workers: int
    rate_limit: RateLimit | None
    page_size: int
    threads: DiskThreads
    storing: DiskBatches
    notes: DiskThreads
    jobs: asyncio.Queue[DownloadJob]
    arrived: asyncio.Queue[list[CompleteFile]]
