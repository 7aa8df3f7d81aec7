"""What a bulk download has done so far, told to whoever listens."""

from collections.abc import Callable

from skyshelf.client.download_events import BulkSummary, DownloadEvent, EventKind, failure_of
from skyshelf.client.download_plan import Job, PlannedFile, PlannedFolder
from skyshelf.client.errors import SkyshelfError


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
