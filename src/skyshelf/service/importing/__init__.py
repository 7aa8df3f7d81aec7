"""Import of a folder tree of this machine into an account, at the speed of the disk.

The drive itself is the journal. A file whose name, size and time are already in the drive is skipped, so running a
killed import again continues it, and nothing is imported twice.

run.py walks the tree, prepare.py turns files into blobs in threads, and commit.py commits them in groups while the next
ones are prepared. recovery.py brings contents back from quarantine.
"""

import threading
from collections.abc import Callable
from typing import Literal

import msgspec

from skyshelf.service.context import ServiceContext
from skyshelf.service.importing.trees import Identity
from skyshelf.storage.blobs.protocols import LinkMode
from skyshelf.storage.metadata.contracts.accounts import Account


class ImportOptions(msgspec.Struct, frozen=True, kw_only=True):
    into: str = "/"
    way: LinkMode = "copy"
    follow_links: bool = False
    by_content: bool = False
    """Compare with the drive by content instead of size and time."""
    dry_run: bool = False
    threads: int = 4
    without: frozenset[Identity] = frozenset()
    """Folders to exclude: the service's own."""
    group_files: int = 2048
    """Number of files that share the disk syncs."""
    group_bytes: int = 256 * 1024 * 1024
    commit_files: int = 512
    """Number of files per commit; other writers wait for one commit at most."""
    command: str = "import"
    """The command that history records."""
    only_new: bool = False
    """Whether everything that an account has stays as it is, such as a file of the name with other contents."""


class StoppedError(Exception):
    """The import was asked to stop."""


# The report: events while it runs, and a summary at the end

NOTES_MAX = 1000
"""Maximum number of files in each list of a summary; the counters count all of them."""
INTERRUPTED = "interrupted"
QUOTA_FULL = "the quota is full"


class Note(msgspec.Struct, frozen=True, rename="camel"):
    """A path of the imported folder with its new name, or the reason why it was not imported."""

    path: str
    detail: str


class Summary(msgspec.Struct, rename="camel"):
    """The result of an import. Each list holds the first notes of its kind; the counter beside it counts all."""

    files_imported: int = 0
    versions_added: int = 0
    files_unchanged: int = 0
    folders_created: int = 0
    bytes_imported: int = 0
    linked: int = 0
    renamed_count: int = 0
    skipped_count: int = 0
    failed_count: int = 0
    renamed: list[Note] = []
    skipped: list[Note] = []
    failed: list[Note] = []
    dry_run: bool = False
    stopped: str | None = None
    """The reason if it ended early."""

    @property
    def is_complete(self) -> bool:
        return self.stopped is None and not self.failed_count


EventKind = Literal["counted", "counting done", "progress", "imported", "unchanged", "failed", "skipped"]


class Event(msgspec.Struct, frozen=True):
    """An event of an import; size is the file's, or for progress the number of bytes read so far."""

    kind: EventKind
    path: str = ""
    size: int = 0
    reason: str = ""


class Reporter:
    """Counts events and passes them to a listener. Safe for use by any thread."""

    def __init__(self, listener: Callable[[Event], None]) -> None:
        self.summary = Summary()
        self._emit = listener
        self._lock = threading.Lock()

    def counted(self, size: int) -> None:
        self._emit(Event("counted", size=size))

    def counting_done(self) -> None:
        self._emit(Event("counting done"))

    def progress(self, path: str, done: int) -> None:
        self._emit(Event("progress", path, done))

    def folder_created(self) -> None:
        with self._lock:
            self.summary.folders_created += 1

    def imported(self, path: str, size: int, *, is_new: bool, linked: bool) -> None:
        with self._lock:
            self.summary.files_imported += is_new
            self.summary.versions_added += not is_new
            self.summary.bytes_imported += size
            self.summary.linked += linked
        self._emit(Event("imported", path, size))

    def unchanged(self, path: str, size: int) -> None:
        with self._lock:
            self.summary.files_unchanged += 1
        self._emit(Event("unchanged", path, size))

    def renamed(self, path: str, name: str) -> None:
        with self._lock:
            self.summary.renamed_count += 1
            self._note(self.summary.renamed, path, name)

    def skipped(self, path: str, reason: str) -> None:
        with self._lock:
            self.summary.skipped_count += 1
            self._note(self.summary.skipped, path, reason)
        self._emit(Event("skipped", path, reason=reason))

    def failed(self, path: str, reason: str) -> None:
        with self._lock:
            self.summary.failed_count += 1
            self._note(self.summary.failed, path, reason)
        self._emit(Event("failed", path, reason=reason))

    def _note(self, notes: list[Note], path: str, detail: str) -> None:
        if len(notes) < NOTES_MAX:
            notes.append(Note(_readable_path(path), detail))


def _readable_path(path: str) -> str:
    """Return a path as text that can always be encoded: bytes that are not UTF-8 show as \\xNN."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


class ImportRun(msgspec.Struct, frozen=True):
    """State shared by the steps of one import."""

    ctx: ServiceContext
    account: Account
    options: ImportOptions
    reporter: Reporter
    stop: threading.Event

    def check_stopped(self) -> None:
        if self.stop.is_set():
            raise StoppedError
