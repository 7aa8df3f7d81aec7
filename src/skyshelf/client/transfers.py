"""Uploads and downloads of many files: what they report while they run, and the summary at their end."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final, Literal, TypeVar

from msgspec import Struct, field

from skyshelf.client.errors import SkyshelfError
from skyshelf.wire.client_errors import EXIT_OK, EXIT_UNEXPECTED

DOWNLOAD_WORKERS: Final = 8
"""Files that are downloaded at once."""

KEEP_REPLACED: Final = timedelta(days=90)
"""How long commands and tools keep what a download of a folder has replaced."""

UPLOAD_WORKERS: Final = 4
"""Files that are uploaded at once."""

TransferEventKind = Literal["listed", "all_listed", "queued", "started", "progress", "done", "skipped", "failed"]


class TransferEvent(Struct, frozen=True, kw_only=True):
    """Something happened during `upload_all` or `download_all`.

    A folder is `listed`; after `all_listed` no further file is found. A file that has to be transferred is `queued`,
    `started`, in `progress`, and then `done` or `failed`; any other file is `skipped` or `failed`. An upload may find
    out only then that the server already has a file: it is `queued`, `started` and `skipped`.

    `path` is below the local folder, with slashes. `size` is the file's size where it is known, `transferred` how many
    bytes of it have arrived. `object_key` is set where the object on the server is known.
    """

    kind: TransferEventKind
    path: str
    object_key: str | None = None
    size: int | None = None
    transferred: int = 0
    reason: str | None = None


class TransferFailure(Struct, frozen=True, kw_only=True):
    """A file or folder that was not transferred. A folder stands for everything in it.

    `path` is below the local folder, with slashes; it is empty for the folder itself.
    """

    path: str
    error: SkyshelfError
    object_key: str | None = None
    is_folder: bool = False

    @property
    def reason(self) -> str:
        """Why, as a sentence."""
        return str(self.error)


class TransferSummary(Struct, kw_only=True):
    """The result of `upload_all` or `download_all`; it is true where everything was transferred or up to date.

    `done` counts transferred files, `skipped` those that were up to date, and `ignored` local entries that are neither
    files nor folders. `unverified` counts transferred files that the server has no hash of, which only a caller that
    allows them gets. `queued` counts the files that had to be transferred, which is all that a dry run does. `folders`
    counts folders that were read, `replaced` counts replaced files that were kept. Only failures are listed one by one.
    `stopped_by` is the error that ended the run early, such as a full disk, an exceeded quota or an ended session.
    """

    done: int = 0
    skipped: int = 0
    ignored: int = 0
    queued: int = 0
    folders: int = 0
    bytes_done: int = 0
    bytes_queued: int = 0
    unverified: int = 0
    replaced: int = 0
    failed: list[TransferFailure] = field(default_factory=list)
    stopped_by: SkyshelfError | None = None

    @property
    def ok(self) -> bool:
        """Whether nothing failed."""
        return not self.failed and self.stopped_by is None

    def __bool__(self) -> bool:
        return self.ok

    @property
    def exit_code(self) -> int:
        """For a command: 0, the code of the error that ended the run or that all failures share, or 1."""
        if self.ok:
            return EXIT_OK
        if self.stopped_by is not None:
            return self.stopped_by.exit_code
        codes = {failure.error.exit_code for failure in self.failed}
        return codes.pop() if len(codes) == 1 else EXIT_UNEXPECTED

    def raise_for_failures(self) -> "TransferSummary":
        """Raise a TransferError with this summary if anything failed; otherwise return the summary."""
        if not self.ok:
            raise TransferError(self) from self.stopped_by
        return self

    def add(self, other: "TransferSummary") -> None:
        """Add another run's numbers and failures."""
        for name in self.__struct_fields__:
            if name != "stopped_by":
                setattr(self, name, getattr(self, name) + getattr(other, name))
        self.stopped_by = self.stopped_by or other.stopped_by


class TransferError(SkyshelfError):
    """Something was not transferred; `summary` says what."""

    def __init__(self, summary: TransferSummary) -> None:
        super().__init__(str(summary.stopped_by or f"{len(summary.failed)} could not be transferred"))
        self.summary = summary


_Error = TypeVar("_Error", bound=BaseException)


def first_error(group: BaseExceptionGroup[_Error]) -> _Error:
    """Return the first error of a group: workers that run at once may all fail with the same one."""
    error = group.exceptions[0]
    return first_error(error) if isinstance(error, BaseExceptionGroup) else error


class TransferReport:
    """Counts into a summary and calls the listener, on the event loop's thread."""

    def __init__(self, on_event: Callable[[TransferEvent], None] | None) -> None:
        self.summary = TransferSummary()
        self._on_event = on_event

    @property
    def has_listener(self) -> bool:
        """Whether anybody hears the events."""
        return self._on_event is not None

    def listed(self, path: str, key: str | None = None) -> None:
        self.summary.folders += 1
        self._event("listed", path, key)

    def all_listed(self, key: str | None = None) -> None:
        self._event("all_listed", "", key)

    def queued(self, path: str, key: str | None, size: int | None) -> None:
        self.summary.queued += 1
        self.summary.bytes_queued += size or 0
        self._event("queued", path, key, size=size)

    def started(self, path: str, key: str | None, size: int | None) -> None:
        self._event("started", path, key, size=size)

    def progress(self, path: str, key: str | None, size: int | None, transferred: int) -> None:
        self._event("progress", path, key, size=size, transferred=transferred)

    def done(self, path: str, key: str | None, size: int) -> None:
        self.summary.done += 1
        self.summary.bytes_done += size
        self._event("done", path, key, size=size, transferred=size)

    def skipped(self, path: str, key: str | None, reason: str, size: int | None = None) -> None:
        self.summary.skipped += 1
        self._event("skipped", path, key, size=size, reason=reason)

    def ignored(self, path: str, key: str | None) -> None:
        """Note something that cannot be transferred, and counts neither as done nor as skipped."""
        self._event("skipped", path, key, reason="it is neither a file nor a folder")

    def failed(self, path: str, key: str | None, error: SkyshelfError, *, is_folder: bool = False) -> None:
        # Its frames would keep buffers in memory for as long as the summary lives.
        error.__context__ = error.__traceback__ = None
        self.summary.failed.append(TransferFailure(path=path, error=error, object_key=key, is_folder=is_folder))
        self._event("failed", path, key, reason=str(error))

    def _event(self, kind: TransferEventKind, path: str, key: str | None, **details: Any) -> None:
        if self._on_event is not None:
            self._on_event(TransferEvent(kind=kind, path=path, object_key=key, **details))
