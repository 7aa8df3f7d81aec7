"""Where storage errors become codes of the interface: here, and nowhere else."""

from skyshelf.storage import errors as storage
from skyshelf.storage.errors import StorageError
from skyshelf.wire import error_codes as codes
from skyshelf.wire.error_codes import ErrorCode
from skyshelf.wire.keys import is_key
from skyshelf.wire.refusals import Refusal
from skyshelf.wire.resources.batch import UnprocessedEntry, UnprocessedObject

_CODES: dict[type[storage.StorageError], ErrorCode] = {
    storage.ObjectMissing: codes.OBJECT_NOT_FOUND,
    storage.TargetMissing: codes.TARGET_NOT_FOLDER,
    storage.TargetIsAFile: codes.TARGET_NOT_FOLDER,
    storage.Missing: codes.OBJECT_NOT_FOUND,
    storage.AccountMissing: codes.SESSION_INVALID,
    storage.NameTaken: codes.NAME_TAKEN,
    storage.NotAFolder: codes.FOLDER_EXPECTED,
    storage.NotAFile: codes.FILE_EXPECTED,
    storage.WouldCycle: codes.MOVE_INTO_ITSELF,
    storage.RootIsFixed: codes.ROOT_FIXED,
    storage.QuotaExceeded: codes.STORAGE_FULL,
    storage.OffsetConflict: codes.UPLOAD_OFFSET,
    storage.UploadBusy: codes.UPLOAD_BUSY,
    storage.SizeMismatch: codes.CONTENT_SIZE_MISMATCH,
    storage.StoreFull: codes.DISK_FULL,
    storage.StoreUnavailable: codes.STORE_UNAVAILABLE,
}


def code_of(error: storage.StorageError) -> ErrorCode:
    """The code that an error of the stores is answered with; what has none is a fault of ours."""
    for kind in type(error).__mro__:
        if kind in _CODES:
            return _CODES[kind]
    return codes.INTERNAL


class Refused(Refusal):
    """A use-case says no, with a row of the error table."""

    def __init__(self, error: ErrorCode, message: str | None = None) -> None:
        super().__init__(message, error)


class Throttled(Exception):
    """Too many tries; open again after some seconds."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"closed for {seconds} s")
        self.seconds = seconds


# Unprocessed: how an entry that was refused tells which object it was about, and why.


def known_spelling(key: str) -> str:
    """A key in the spelling that answers have; what is not a key stays as it was sent."""
    return key.upper() if is_key(key) else key


def unprocessed(
    key: str, reason: Refusal | StorageError, *, operation: str | None = None, correlation_id: str | None = None
) -> UnprocessedEntry:
    """The entry of a refused object; only batches have an operation and a correlation."""
    refusal = Refused(code_of(reason)) if isinstance(reason, StorageError) else reason
    return UnprocessedEntry(
        operation=operation,
        correlation_id=correlation_id,
        object=UnprocessedObject(
            object_key=known_spelling(key), error_message=refusal.message, error_code=refusal.code
        ),
    )
