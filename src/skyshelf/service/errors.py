"""Service errors: every failure of a use case is a row of the error table.

This is the one place where storage errors become error codes of the interface. An error and its code are imported from
here together.
"""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager

from skyshelf.storage import errors as storage
from skyshelf.wire import error_codes as codes
from skyshelf.wire.keys import is_key
from skyshelf.wire.refusals import Refusal
from skyshelf.wire.resources.batch import UnprocessedEntry, UnprocessedObject

__all__ = [
    "Busy", "ServiceError", "Throttled", "canonical_key", "code_of", "codes", "missing_as", "unprocessed",
    "unprocessed_besides", "valid_keys",
]  # fmt: skip

_CODES: dict[type[storage.StorageError], codes.ErrorCode] = {
    storage.ObjectMissing: codes.OBJECT_NOT_FOUND,
    storage.TargetMissing: codes.TARGET_NOT_FOLDER,
    storage.TargetIsAFile: codes.TARGET_NOT_FOLDER,
    storage.Missing: codes.OBJECT_NOT_FOUND,
    storage.KeptOut: codes.REMOVED_FROM_BOARD,
    storage.AccountMissing: codes.SESSION_INVALID,
    storage.EmailTaken: codes.EMAIL_TAKEN,
    storage.NameTaken: codes.NAME_TAKEN,
    storage.SessionPaused: codes.SESSION_PAUSED,
    storage.AppLeaveRefused: codes.APP_SCOPE,
    storage.LeaveRefused: codes.DELEGATION_SCOPE,
    storage.LeaveUsedUp: codes.DELEGATION_USED_UP,
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

    def __init__(self, error: codes.ErrorCode, message: str | None = None) -> None:
        super().__init__(message, error)


class Throttled(Exception):
    """Too many attempts; the client may try again after that many seconds."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"try again in {seconds} s")
        self.seconds = seconds


class Busy(Throttled):
    """The server as a whole is overloaded; the client may try again after that many seconds."""


def code_of(error: storage.StorageError) -> codes.ErrorCode:
    """Return the error code for a storage error; INTERNAL if none is listed."""
    for kind in type(error).__mro__:
        if kind in _CODES:
            return _CODES[kind]
    return codes.INTERNAL


@contextmanager
def missing_as(
    error: codes.ErrorCode, kind: type[storage.StorageError] = storage.Missing, *, message: str | None = None
) -> Iterator[None]:
    """Report a missing row, raised inside, as this error."""
    try:
        yield
    except kind as missing:
        raise ServiceError(error, message) from missing


def valid_keys(keys: Iterable[str]) -> list[str]:
    """Return the keys as they are stored, without those that cannot exist."""
    return [key.upper() for key in keys if is_key(key)]


def canonical_key(key: str) -> str:
    """Return a key as responses spell it; anything that is not a key stays as it was sent."""
    return key.upper() if is_key(key) else key


def unprocessed(
    key: str, reason: Refusal | storage.StorageError, *, operation: str | None = None, correlation_id: str | None = None
) -> UnprocessedEntry:
    """Build the entry for a rejected object; only batches have an operation and a correlation id."""
    error = ServiceError(code_of(reason)) if isinstance(reason, storage.StorageError) else reason
    return UnprocessedEntry(
        operation=operation,
        correlation_id=correlation_id,
        object=UnprocessedObject(object_key=canonical_key(key), error_message=error.message, error_code=error.code),
    )


def unprocessed_besides(
    done: Collection[str], requested: Iterable[str], reason: storage.StorageError
) -> list[UnprocessedEntry]:
    """Build entries for the requested keys that are not among those that are done."""
    found = set(done)
    return [unprocessed(key, reason) for key in requested if key.upper() not in found]
