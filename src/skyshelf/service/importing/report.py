"""What an import tells while it runs, and when it ends."""

import threading
from collections.abc import Callable
from typing import Literal

import msgspec

TOLD = 1000
"""So many files are named in each list of a report; all of them are counted."""


class About(msgspec.Struct, frozen=True, rename="camel"):
    """Something about one path below the folder that is imported."""

    path: str
    what: str


class Summary(msgspec.Struct, rename="camel"):
    """What became of everything. Each list holds the first of its kind; the counter beside it counts all."""

    files_imported: int = 0
    versions_added: int = 0
    files_unchanged: int = 0
    folders_made: int = 0
    bytes_imported: int = 0
    linked: int = 0
    renamed_count: int = 0
    skipped_count: int = 0
    failed_count: int = 0
    renamed: list[About] = []
    skipped: list[About] = []
    failed: list[About] = []
    dry_run: bool = False
    stopped: str | None = None
    """Why it ended before everything was looked at."""

    @property
    def is_whole(self) -> bool:
        return self.stopped is None and not self.failed_count


What = Literal["counted", "all counted", "moving", "imported", "unchanged", "failed", "skipped"]


class Event(msgspec.Struct, frozen=True):
    """Something happened to a file; size is how many bytes it has, or how many of them were read by now."""

    what: What
    path: str = ""
    size: int = 0
    why: str = ""


class Teller:
    """Counts, and passes on; any thread may tell."""

    def __init__(self, tell: Callable[[Event], None]) -> None:
        self.summary = Summary()
        self._tell = tell
        self._lock = threading.Lock()

    def counted(self, size: int) -> None:
        self._tell(Event("counted", size=size))

    def all_counted(self) -> None:
        self._tell(Event("all counted"))

    def moving(self, path: str, done: int) -> None:
        self._tell(Event("moving", path, done))

    def folder_made(self) -> None:
        with self._lock:
            self.summary.folders_made += 1

    def imported(self, path: str, size: int, *, is_new: bool, linked: bool) -> None:
        with self._lock:
            self.summary.files_imported += is_new
            self.summary.versions_added += not is_new
            self.summary.bytes_imported += size
            self.summary.linked += linked
        self._tell(Event("imported", path, size))

    def unchanged(self, path: str, size: int) -> None:
        with self._lock:
            self.summary.files_unchanged += 1
        self._tell(Event("unchanged", path, size))

    def renamed(self, path: str, name: str) -> None:
        with self._lock:
            self.summary.renamed_count += 1
            self._note(self.summary.renamed, path, name)

    def skipped(self, path: str, why: str) -> None:
        with self._lock:
            self.summary.skipped_count += 1
            self._note(self.summary.skipped, path, why)
        self._tell(Event("skipped", path, why=why))

    def failed(self, path: str, why: str) -> None:
        with self._lock:
            self.summary.failed_count += 1
            self._note(self.summary.failed, path, why)
        self._tell(Event("failed", path, why=why))

    def _note(self, notes: list[About], path: str, what: str) -> None:
        if len(notes) < TOLD:
            notes.append(About(readable_path(path), what))


def readable_path(path: str) -> str:
    """A path as text that everybody can encode: bytes that are no UTF-8 show as \\xNN."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
