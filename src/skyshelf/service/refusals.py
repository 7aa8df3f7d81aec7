"""Where storage errors become codes of the interface: here, and nowhere else."""

from skyshelf.storage import errors as storage
from skyshelf.wire import error_codes as codes
from skyshelf.wire.error_codes import ErrorCode
from skyshelf.wire.refusals import Refusal

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
