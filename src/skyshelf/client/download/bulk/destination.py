"""The place of a bulk download, open: its folders, what is known to be there, and what is yet to do."""

import os
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from msgspec import Struct

from skyshelf.client.download.bulk.plan import DownloadPlan, PlannedFile
from skyshelf.client.download.bulk.state import BESIDE, DownloadState
from skyshelf.client.download.part_file import PartFile
from skyshelf.client.errors import LocalFileError
from skyshelf.client.local.files import LocalFolder, lock_file
from skyshelf.client.local.names import STATE_FOLDER, part_name

# The folders of a destination that are in use, open; the last ones used stay open for a while.

_KEPT: Final = 64


class OpenFolders:
    """Opens a folder below the destination name by name, so that no link on the way is followed. For any thread."""

    def __init__(self, destination: Path, within: Path | None = None) -> None:
        self.root = LocalFolder.open(destination, within)
        self._lock = threading.Lock()
        self._open: OrderedDict[str, LocalFolder] = OrderedDict()
        self._users: dict[str, int] = {}

    @contextmanager
    def using(self, path: str) -> Iterator[LocalFolder]:
        """The folder, for the length of a block."""
        folder = self.take(path)
        try:
            yield folder
        finally:
            self.release(path)

    def take(self, path: str) -> LocalFolder:
        """The folder, made where it is missing; it stays open until it is given back."""
        with self._lock:
            folder = self._open.get(path) or self._entered(path)
            self._open[path] = folder
            self._open.move_to_end(path)
            self._users[path] = self._users.get(path, 0) + 1
            return folder

    def release(self, path: str) -> None:
        """Done with it."""
        with self._lock:
            self._users[path] -= 1
            if len(self._open) > _KEPT:
                idle = [one for one in self._open if not self._users[one]]
                for one in idle[: len(self._open) - _KEPT]:
                    self._open.pop(one).close()
                    del self._users[one]

    def close(self) -> None:
        """Close all of them."""
        with self._lock:
            while self._open:
                self._open.popitem()[1].close()
            self.root.close()

    def _entered(self, path: str) -> LocalFolder:
        folder = self.root.enter(".")
        for name in path.split("/") if path else ():
            try:
                below = folder.enter(name)
            finally:
                folder.close()
            folder = below
        return folder


# The place of a bulk download, open: its folders, what is known to be there, and what is yet to do.


class OpenDestination(Struct, frozen=True, kw_only=True):
    """Whose parts are closed by whoever has opened it."""

    folders: OpenFolders
    state: DownloadState
    plan: DownloadPlan


def open_destination(destination: Path, within: Path | None, opened: ExitStack) -> OpenDestination:
    """Open it for one run at a time; `opened` closes it."""
    folders = OpenFolders(destination, within)
    opened.callback(folders.close)
    own = folders.root.enter(STATE_FOLDER)
    opened.callback(own.close)
    lock = own.open_file("lock", create=True)
    opened.callback(os.close, lock)
    if not lock_file(lock):
        raise LocalFileError(f"another download into {destination} is running")
    for name in ("state.db", "plan.db"):
        # Opened and closed by us first: a link of that name would make the database write elsewhere.
        os.close(own.open_file(name, create=True))
        for beside in (name + suffix for suffix in BESIDE):
            if own.look(beside) is not None:
                os.close(own.open_file(beside, create=True))
    state = DownloadState(own.path / "state.db")
    opened.callback(state.close)
    plan = DownloadPlan(own.path / "plan.db")
    opened.callback(plan.close)
    # A database is opened by its path, which somebody may have led elsewhere in that moment.
    if not (own.is_at_its_path("state.db") and own.is_at_its_path("plan.db")):
        raise LocalFileError(f"{destination} was moved while it was opened: try again")
    return OpenDestination(folders=folders, state=state, plan=plan)


# The parts that a bulk download is filling, each with its folder held open.


class OpenParts:
    """Opens them in any thread, and lets go of them on the event loop."""

    def __init__(self, folders: OpenFolders) -> None:
        self._folders = folders
        self._open: set[PartFile] = set()

    def open(self, file: PlannedFile) -> PartFile:
        """The part of a file, whose folder is made where it is missing."""
        folder = self._folders.take(file.folder)
        try:
            part = PartFile(folder, part_name(file.name, file.key))
        except BaseException:
            self._folders.release(file.folder)
            raise
        self._open.add(part)
        return part

    def release(self, file: PlannedFile, part: PartFile) -> None:
        """Done with it."""
        part.close()
        self._open.discard(part)
        self._folders.release(file.folder)

    def leave(self) -> None:
        """Give up what a run that was ended has open; parts stay where they are, for the next one."""
        while self._open:
            self._open.pop().close()
