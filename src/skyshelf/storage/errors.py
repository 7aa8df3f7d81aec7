"""The errors of storage, and what each guarantees."""

from errno import ENOSPC


class StorageError(Exception):
    """Base of everything that storage raises on purpose. The message is a sentence for the log."""


class ObjectMissing(StorageError):
    """No such object in this account, or it is no longer visible."""


class TargetMissing(ObjectMissing):
    """The folder that something was to be moved into is not there."""


class AccountMissing(StorageError):
    """No such account."""


class NameTaken(StorageError):
    """An active object of that folder has the name."""


class SessionPaused(StorageError):
    """The device has raised an alarm, and its owner has not decided yet."""


class LeaveRefused(StorageError):
    """A delegation does not allow that."""


class AppLeaveRefused(LeaveRefused):
    """An app password does not allow that."""


class LeaveUsedUp(StorageError):
    """A delegation allows no more of that; `name` is the number that is used up."""

    def __init__(self, message: str, name: str = "") -> None:
        super().__init__(message)
        self.name = name


class VersionChanged(StorageError):
    """The file has another version than the one that was to be replaced."""


class NotAFolder(StorageError):
    """A folder was needed, and the key is a file's."""


class TargetIsAFile(NotAFolder):
    """Something was to be moved into what is not a folder."""


class NotAFile(StorageError):
    """A file was needed, and the key is a folder's."""


class WouldCycle(StorageError):
    """A folder cannot go into itself or below itself."""


class TooDeep(StorageError):
    """The folders would be nested deeper, or their path be longer, than the limits allow."""


class RootIsFixed(StorageError):
    """The root is never renamed, moved or trashed."""


class EmailTaken(StorageError):
    """Another account has that email address."""


class QuotaExceeded(StorageError):
    """The account has no space for this."""


class LimitReached(QuotaExceeded):
    """The account has as many rows of a kind as it may have. The message is a sentence for its owner."""


class Missing(StorageError):
    """A board, share, tag, upload or the like that is not there for this caller."""


class KeptOut(Missing):
    """A board whose owner has removed this account: a link does not bring it back."""


class OffsetConflict(StorageError):
    """A chunk does not start where its upload stands; received is where it does."""

    def __init__(self, received: int) -> None:
        super().__init__(f"the upload stands at {received}")
        self.received = received


class BlobMissing(StorageError):
    """The blob store has nothing at that location."""


class BlobCorrupt(StorageError):
    """The bytes are not what was stored."""


class BadLocation(StorageError):
    """A location or an upload id that no store ever gave out."""


class SizeMismatch(StorageError):
    """A stream was shorter or longer than announced."""


class UploadBusy(StorageError):
    """Somebody else is writing this upload right now."""


class UploadDamaged(StorageError):
    """The upload has fewer bytes than were acknowledged."""


class StoreFull(StorageError):
    """No space on the disk; nothing of the call was kept. is_reserve: there is some left, for deleting."""

    errno = ENOSPC

    def __init__(self, message: str, *, is_reserve: bool = False) -> None:
        super().__init__(message)
        self.is_reserve = is_reserve


class StoreUnavailable(StorageError):
    """The store did not respond; the call may or may not have happened."""


class StoreDamaged(StoreUnavailable):
    """The database's own file is damaged: what it holds cannot be read in full."""


class ReadOnly(StoreUnavailable):
    """The store was opened to look, and something would have changed it."""


class StoreReadOnly(StorageError):
    """The operator has switched writing off; nothing of the call was kept. reason is the operator's own."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"The service is read-only: {reason}")
        self.reason = reason


class StoresDoNotMatch(StorageError):
    """The metadata and the blobs do not belong together; the sentence says what to do."""


class StoreTooNew(StorageError):
    """The store was written by a newer version of this program."""


class StoreNeedsMigration(StorageError):
    """The store is older than this program, and is not migrated automatically here."""


class StoreInUse(StorageError):
    """Somebody is using the store, and it cannot be changed under them."""


class NoWayBack(StorageError):
    """An upgrade of the store cannot be undone; the sentence says what to do."""
