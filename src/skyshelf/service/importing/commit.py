"""Groups of folders and files that reach the drive together: blobs sealed, then one commit, then told."""

import threading
from concurrent.futures import Future
from contextlib import ExitStack
from functools import partial

import msgspec

from skyshelf.service.context import ServiceContext
from skyshelf.service.importing import ImportOptions
from skyshelf.service.importing.prepare import Arriving, Outcome, Prepared, StoppedError
from skyshelf.service.importing.report import Teller
from skyshelf.storage.blobs.protocols import SWEEP_GRACE_MS, BlobBatch
from skyshelf.storage.errors import NameTaken, NotAFolder, ObjectMissing, QuotaExceeded, StorageError
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.files import PutOutcome
from skyshelf.storage.metadata.contracts.tree import NewFolder
from skyshelf.storage.metadata.store import Unit

_REFUSALS = (NameTaken, NotAFolder, ObjectMissing, QuotaExceeded)
_SENTENCES: dict[type[StorageError], str] = {
    NameTaken: "something else has its name in the drive",
    NotAFolder: "a file is in the drive where its folder should be",
    ObjectMissing: "its folder is not in the drive any more: run the import again",
    QuotaExceeded: "the quota has no room for it",
}


class QuotaFullError(Exception):
    """There is no room for more."""


class Group:
    """Folders to make, and files that threads are preparing, in one batch of blobs."""

    def __init__(self, ctx: ServiceContext) -> None:
        self._opened = ExitStack()
        self.batch: BlobBatch = self._opened.enter_context(ctx.blobs.batch())
        self.folders: list[tuple[str, NewFolder]] = []
        self.handfuls: list[tuple[list[Arriving], Future[list[Outcome]]]] = []

    def close(self) -> None:
        """Remove what was not sealed; no thread prepares a file of it any more. May be called twice."""
        self._opened.close()


class Sealed(msgspec.Struct, frozen=True):
    """What of a group is durable, and since when."""

    files: list[Prepared]
    at: int


Told = PutOutcome | StorageError | None


class Sealing:
    """Brings groups into the drive, in two steps, each of which takes one group after the other."""

    def __init__(
        self, ctx: ServiceContext, account: Account, options: ImportOptions, teller: Teller, stop: threading.Event
    ) -> None:
        self._ctx = ctx
        self._account = account
        self._options = options
        self._teller = teller
        self._stop = stop
        self._failed = False

    def seal(self, group: Group) -> Sealed:
        """The bytes of the group are durable when this returns. Errors of the blob store come out."""
        prepared = self._prepared(group)
        if self._stop.is_set():
            raise StoppedError
        group.batch.seal()
        return Sealed(prepared, self._ctx.clock.now())

    def commit(self, group: Group, sealing: Future[Sealed]) -> None:
        """When this returns, what is told as imported is durable. Errors of the stores come out.

        A group is in the drive only if those before it are: it may need their folders.
        """
        if self._failed:
            raise StoppedError
        try:
            self._commit_all(group, sealing.result())
        except BaseException:
            self._failed = True
            raise

    def _commit_all(self, group: Group, sealed: Sealed) -> None:
        full, folders = 0, group.folders
        for first in range(0, max(len(sealed.files), 1), self._options.commit_files):
            files = sealed.files[first : first + self._options.commit_files]
            made, put = self._ctx.metadata.write(partial(self._commit, folders, files, sealed.at))
            self._tell_folders(folders, made)
            full += sum(self._tell(one, outcome) for one, outcome in zip(files, put, strict=True))
            self._ctx.metadata.note_bulk_write()
            folders = []
        if full:
            raise QuotaFullError

    def _prepared(self, group: Group) -> list[Prepared]:
        found = []
        for handful, preparing in group.handfuls:
            for arriving, outcome in zip(handful, preparing.result(), strict=True):
                file = arriving.file
                if isinstance(outcome, Prepared):
                    found.append(outcome)
                elif outcome is None:
                    self._teller.unchanged(file.path, file.size)
                elif isinstance(outcome, OSError):
                    self._teller.failed(file.path, f"it cannot be read: {outcome.strerror or outcome}")
                else:
                    self._teller.failed(file.path, str(outcome))
        return found

    def _commit(
        self, folders: list[tuple[str, NewFolder]], prepared: list[Prepared], now: int, unit: Unit
    ) -> tuple[list[StorageError | None], list[Told]]:
        # The sweeper may judge a location that nobody has committed when the whole grace is over.
        if self._ctx.clock.now() - now > SWEEP_GRACE_MS // 2:
            raise StoppedError
        account_id = self._account.account_id
        made: list[StorageError | None] = []
        for _, folder in folders:
            try:
                unit.tree.add_folder(account_id, folder, now)
                made.append(None)
            except _REFUSALS as refusal:
                made.append(refusal)
        files = [one.new for one in prepared]
        return made, unit.files.put_many(account_id, files, now, keep_versions=self._ctx.rules.versions_kept)

    def _tell_folders(self, folders: list[tuple[str, NewFolder]], outcomes: list[StorageError | None]) -> None:
        for (path, _), refusal in zip(folders, outcomes, strict=True):
            if refusal is None:
                self._teller.folder_made()
            else:
                self._teller.failed(path, _SENTENCES[type(refusal)])

    def _tell(self, one: Prepared, outcome: Told) -> bool:
        """Tell of one file, and delete the blob that nobody refers to; whether there was no room for it."""
        path = one.arriving.file.path
        if isinstance(outcome, PutOutcome):
            if outcome.location != one.new.location:
                self._ctx.blobs.delete(one.new.location)
            self._teller.imported(path, one.new.size, is_new=outcome.created, linked=one.linked)
            return False
        self._ctx.blobs.delete(one.new.location)
        if outcome is None:
            self._teller.unchanged(path, one.new.size)
            return False
        self._teller.failed(path, _SENTENCES[type(outcome)])
        return isinstance(outcome, QuotaExceeded)
