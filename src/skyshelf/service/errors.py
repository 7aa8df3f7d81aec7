"""Service errors: every failure of a use case is a row of the error table.

This is the one place where storage errors become error codes of the interface.
"""

from skyshelf.storage import errors as storage
from skyshelf.storage.errors import StorageError
from skyshelf.wire import error_codes as codes
from skyshelf.wire.error_codes import ErrorCode
from skyshelf.wire.keys import is_key
from skyshelf.wire.refusals import Refusal
from skyshelf.wire.resources.batch import UnprocessedEntry, UnprocessedObject

_CODES: dict[type[StorageError], ErrorCode] = {
    storage.ObjectMissing: codes.OBJECT_NOT_FOUND,
    storage.TargetMissing: codes.TARGET_NOT_FOLDER,
    storage.TargetIsAFile: codes.TARGET_NOT_FOLDER,
    storage.Missing: codes.OBJECT_NOT_FOUND,
    storage.KeptOut: codes.REMOVED_FROM_BOARD,
    storage.AccountMissing: codes.SESSION_INVALID,
    storage.EmailTaken: codes.EMAIL_TAKEN,
    storage.NameTaken: codes.NAME_TAKEN,
    storage.SessionPaused: codes.SESSION_PAUSED,
    storage.VersionChanged: codes.VERSION_CHANGED,
    storage.NotAFolder: codes.FOLDER_EXPECTED,
    storage.NotAFile: codes.FILE_EXPECTED,
    storage.WouldCycle: codes.MOVE_INTO_ITSELF,
    storage.TooDeep: codes.TOO_DEEP,
    storage.RootIsFixed: codes.ROOT_FIXED,
    storage.LimitReached: codes.ACCOUNT_LIMIT,
    storage.QuotaExceeded: codes.STORAGE_FULL,
    storage.OffsetConflict: codes.UPLOAD_OFFSET,
    storage.UploadBusy: codes.UPLOAD_BUSY,
    storage.SizeMismatch: codes.CONTENT_SIZE_MISMATCH,
    storage.BlobMissing: codes.CONTENT_DAMAGED,
    storage.BlobCorrupt: codes.CONTENT_DAMAGED,
    storage.BadLocation: codes.CONTENT_DAMAGED,
    storage.StoreFull: codes.DISK_FULL,
    storage.StoreReadOnly: codes.READ_ONLY,
    storage.StoreUnavailable: codes.STORE_UNAVAILABLE,
}


class ServiceError(Refusal):
    """A use case rejects a request, with a row of the error table."""

    def __init__(self, error: ErrorCode, message: str | None = None) -> None:
        super().__init__(message, error)


class Throttled(Exception):
    """Too many attempts; try again after that many seconds."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"try again in {seconds} s")
        self.seconds = seconds


class Busy(Throttled):
    """The server as a whole has too much to do; try again after that many seconds."""


def code_of(error: StorageError) -> ErrorCode:
    """The error code for a storage error; INTERNAL where none is listed."""
    for kind in type(error).__mro__:
        if kind in _CODES:
            return _CODES[kind]
    return codes.INTERNAL


def canonical_key(key: str) -> str:
    """A key as responses spell it; anything that is not a key stays as it was sent."""
    return key.upper() if is_key(key) else key


def unprocessed(
    key: str, reason: Refusal | StorageError, *, operation: str | None = None, correlation_id: str | None = None
) -> UnprocessedEntry:
    """The entry for an object that was rejected; only batches have an operation and a correlation id."""
    error = ServiceError(code_of(reason)) if isinstance(reason, StorageError) else reason
    return UnprocessedEntry(
        operation=operation,
        correlation_id=correlation_id,
        object=UnprocessedObject(object_key=canonical_key(key), error_message=error.message, error_code=error.code),
    )
