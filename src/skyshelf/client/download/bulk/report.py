"""What a bulk download has done so far, told to whoever listens."""

from collections.abc import Callable
from typing import Final, Literal

from msgspec import Struct, field

from skyshelf.client.download.bulk.plan import Job, PlannedFile, PlannedFolder
from skyshelf.client.errors import SkyshelfError
from skyshelf.wire.client_errors import EXIT_OK, EXIT_UNEXPECTED

# What a bulk download tells while it runs, and what it says at its end.

WORKERS: Final = 8
"""Files that are fetched at once."""

EventKind = Literal["listed", "all_listed", "queued", "started", "progress", "done", "skipped", "failed"]


class DownloadEvent(Struct, frozen=True, kw_only=True):
    """Something happened. `path` is below the destination; `received` counts the bytes of this file so far.

    A folder is `listed`, and once everything is `all_listed`, no further file is found; a file that has to be fetched
    is `queued`, `started`, in `progress`, and then `done` or `failed`, any other one is `skipped` or `failed`.
    """

    kind: EventKind
    path: str
    object_key: str
    size: int | None = None
    received: int = 0
    reason: str | None = None


class DownloadFailure(Struct, frozen=True, kw_only=True):
    """What is missing at the end, and why. A folder that could not be listed stands for everything in it."""

    path: str
    object_key: str
    reason: str
    error: str
    exit_code: int = EXIT_UNEXPECTED
    is_folder: bool = False


class BulkSummary(Struct, kw_only=True):
    """How a bulk download went. It is `ok` when everything that the server lists is there.

    `queued` counts what was found missing, which is all that a dry run does.
    """

    done: int = 0
    skipped: int = 0
    bytes_received: int = 0
    queued: int = 0
    bytes_queued: int = 0
    folders: int = 0
    failures: list[DownloadFailure] = field(default_factory=list)
    stopped_by: str | None = None

    @property
    def ok(self) -> bool:
        """Whether nothing is missing."""
        return not self.failures and self.stopped_by is None

    @property
    def exit_code(self) -> int:
        """For a command: 0, the code that all failures share, or 1."""
        if self.ok:
            return EXIT_OK
        codes = {failure.exit_code for failure in self.failures}
        return codes.pop() if len(codes) == 1 else EXIT_UNEXPECTED

    def raise_for_failures(self) -> None:
        """BulkDownloadError unless everything is there."""
        if not self.ok:
            raise BulkDownloadError(self)


class BulkDownloadError(SkyshelfError):
    """Something is missing; `summary` names it."""

    def __init__(self, summary: BulkSummary) -> None:
        super().__init__(summary.stopped_by or f"{len(summary.failures)} could not be downloaded")
        self.summary = summary


def failure_of(path: str, object_key: str, error: SkyshelfError, *, is_folder: bool = False) -> DownloadFailure:
    """The failure that an error means for one object."""
    return DownloadFailure(
        path=path,
        object_key=object_key,
        reason=str(error),
        error=type(error).__name__,
        exit_code=error.exit_code,
        is_folder=is_folder,
    )


# What a bulk download has done so far, told to whoever listens.


class BulkReport:
    """Counts into the summary, and tells the listener, on the thread of the event loop."""

    def __init__(self, on_event: Callable[[DownloadEvent], None] | None) -> None:
        self.summary = BulkSummary()
        self._tell = on_event

    def listed(self, folder: PlannedFolder) -> None:
        self.summary.folders += 1
        self._event("listed", folder.path, folder.key)

    def all_listed(self, key: str) -> None:
        self._event("all_listed", "", key)

    def folder_skipped(self, path: str, key: str, reason: str) -> None:
        self._event("skipped", path, key, reason=reason)

    def folder_failed(self, folder: PlannedFolder, error: SkyshelfError) -> None:
        self._failed(folder.path, folder.key, error, is_folder=True)

    def queued(self, job: Job) -> None:
        self.summary.queued += 1
        self.summary.bytes_queued += job.file.size or 0
        self._event("queued", job.file.path, job.file.key, size=job.file.size)

    def skipped(self, file: PlannedFile, reason: str) -> None:
        self.summary.skipped += 1
        self._event("skipped", file.path, file.key, size=file.size, reason=reason)

    def started(self, file: PlannedFile) -> None:
        self._event("started", file.path, file.key, size=file.size)

    def progress_of(self, file: PlannedFile) -> Callable[[int], None] | None:
        """Hears how much of the file is there; None where nobody listens."""
        if self._tell is None:
            return None
        return lambda received: self._event("progress", file.path, file.key, size=file.size, received=received)

    def done(self, file: PlannedFile, length: int) -> None:
        self.summary.done += 1
        self.summary.bytes_received += length
        self._event("done", file.path, file.key, size=length, received=length)

    def failed(self, file: PlannedFile, error: SkyshelfError) -> None:
        self._failed(file.path, file.key, error)

    def _failed(self, path: str, key: str, error: SkyshelfError, *, is_folder: bool = False) -> None:
        self.summary.failures.append(failure_of(path, key, error, is_folder=is_folder))
        self._event("failed", path, key, reason=str(error))

    def _event(
        self,
        kind: EventKind,
        path: str,
        key: str,
        *,
        size: int | None = None,
        received: int = 0,
        reason: str | None = None,
    ) -> None:
        if self._tell is not None:
            self._tell(DownloadEvent(kind=kind, path=path, object_key=key, size=size, received=received, reason=reason))
