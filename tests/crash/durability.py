"""A watch over both stores: what has been written and is not yet known to be on the disk.

It sees what the blob store asks of its files (through DurableFiles) and what SQLite asks of its own (through a VFS).
"""

import os
import threading

import apsw
from tests.storage.blobs.disk.watched_files import WatchedFiles, name_of

from skyshelf.storage.errors import StorageError

LOG = "-wal"


class Watch:
    """Collects sentences about everything that came in the wrong order."""

    def __init__(self) -> None:
        self.wrong: list[str] = []
        self.log_writes = 0
        self._at_risk: dict[tuple[str, int], str] = {}
        self._log_at_risk = False
        self._lock = threading.Lock()

    def written(self, kind: str, descriptor: int) -> None:
        with self._lock:
            self._at_risk[kind, os.fstat(descriptor).st_ino] = f"{kind} of {name_of(descriptor)}"

    def synced(self, kind: str, descriptor: int) -> None:
        with self._lock:
            self._at_risk.pop((kind, os.fstat(descriptor).st_ino), None)

    def log_written(self) -> None:
        """SQLite writes a commit: all that the commit may refer to must be safe by now."""
        with self._lock:
            self.log_writes += 1
            self._log_at_risk = True
            self.wrong += [f"a commit began before the {what} were synced" for what in self._at_risk.values()]
            self._at_risk.clear()

    def log_synced(self) -> None:
        with self._lock:
            self._log_at_risk = False

    def acknowledged(self) -> None:
        with self._lock:
            if self._log_at_risk:
                self.wrong.append("an acknowledgement came before the log of the commits was synced")


class WatchedBlobFiles(WatchedFiles):
    """Bytes are at risk from a write to the file's sync, and names from their making to the folder's sync.

    The name under which a put begins its file is not counted: the blob never has it.
    """

    def __init__(self, watch: Watch) -> None:
        self._watch = watch

    def after(self, step: str, descriptor: int) -> None:
        match step:
            case "write" | "truncate":
                self._watch.written("bytes", descriptor)
            case "sync file":
                self._watch.synced("bytes", descriptor)
            case "rename" | "link":
                self._watch.written("names", descriptor)
            case "sync folder":
                self._watch.synced("names", descriptor)

    def make_folder(self, parent: int, name: str) -> None:
        known = name in os.listdir(parent)
        super().make_folder(parent, name)
        if not known:
            self._watch.written("names", parent)

    def open(
        self, folder: int, name: str, *, damaged: type[StorageError], writing: bool = False, create: bool = False
    ) -> int:
        known = not create or name in os.listdir(folder)
        file = super().open(folder, name, damaged=damaged, writing=writing, create=create)
        if not known:
            self._watch.written("names", folder)
        return file


class WatchedVfs(apsw.VFS):
    """SQLite's way to the disk while it is registered."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._below = apsw.vfs_names()[0]
        super().__init__("watched", self._below, makedefault=True)

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802 - SQLite's name
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        if path is not None and path.endswith(LOG):
            return WatchedLog(self._watch, self._below, name, flags)
        return apsw.VFSFile(self._below, name, flags)


class WatchedLog(apsw.VFSFile):
    def __init__(self, watch: Watch, below: str, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        self._watch = watch
        self.forgets = False
        """Set by a test that leaves the syncs out."""
        super().__init__(below, name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - SQLite's name
        self._watch.log_written()
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802 - SQLite's name
        if not self.forgets:
            super().xSync(flags)
            self._watch.log_synced()
