"""Groups of folders and files that reach the drive together: blobs sealed, then one commit, then told."""

import threading
from concurrent.futures import Future
from contextlib import ExitStack

from skyshelf.service.house import House
from skyshelf.service.importing.local_tree import ChangingError
from skyshelf.service.importing.preparing import Arriving, Prepared, StoppedError
from skyshelf.service.importing.report import Teller
from skyshelf.storage.blobs.protocols import SWEEP_GRACE_MS, BlobBatch
from skyshelf.storage.errors import NameTaken, NotAFolder, ObjectMissing, QuotaExceeded, StorageError
from skyshelf.storage.metadata.accounts import Account
from skyshelf.storage.metadata.files import PutOutcome
from skyshelf.storage.metadata.store import Unit
from skyshelf.storage.metadata.tree import NewFolder

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

    def __init__(self, house: House) -> None:
        self._opened = ExitStack()
        self.batch: BlobBatch = self._opened.enter_context(house.blobs.batch())
        self.folders: list[tuple[str, NewFolder]] = []
        self.files: list[tuple[Arriving, Future[Prepared | None]]] = []
        self.bytes = 0

    def close(self) -> None:
        """Remove what was not sealed; no thread prepares a file of it any more. May be called twice."""
        self._opened.close()


Told = PutOutcome | StorageError | None


class Sealing:
    """Brings groups into the drive, one after the other."""

    def __init__(self, house: House, account: Account, teller: Teller, stop: threading.Event) -> None:
        self._house = house
        self._account = account
        self._teller = teller
        self._stop = stop

    def bring_in(self, group: Group) -> None:
        """When this returns, what is told as imported is durable. Errors of the stores come out."""
        prepared = self._prepared(group)
        if self._stop.is_set():
            raise StoppedError
        group.batch.seal()
        now = self._house.clock.now()
        made, put = self._house.metadata.write(lambda unit: self._commit(unit, group, prepared, now))
        self._tell_folders(group, made)
        refused = [self._tell(one, outcome) for one, outcome in zip(prepared, put, strict=True)]
        self._house.metadata.much_came_in()
        if any(refused):
            raise QuotaFullError

    def _prepared(self, group: Group) -> list[Prepared]:
        found = []
        for arriving, future in group.files:
            path = arriving.file.path
            try:
                prepared = future.result()
            except ChangingError as changing:
                self._teller.failed(path, str(changing))
            except OSError as wrong:
                self._teller.failed(path, f"it cannot be read: {wrong.strerror or wrong}")
            else:
                if prepared is None:
                    self._teller.unchanged(path, arriving.file.size)
                else:
                    found.append(prepared)
        return found

    def _commit(
        self, unit: Unit, group: Group, prepared: list[Prepared], now: int
    ) -> tuple[list[StorageError | None], list[Told]]:
        # The sweeper may judge a location that nobody has committed when the whole grace is over.
        if self._house.clock.now() - now > SWEEP_GRACE_MS // 2:
            raise StoppedError
        account_id = self._account.account_id
        made: list[StorageError | None] = []
        for _, folder in group.folders:
            try:
                unit.tree.add_folder(account_id, folder, now)
                made.append(None)
            except _REFUSALS as refusal:
                made.append(refusal)
        files = [one.new for one in prepared]
        return made, unit.files.put_many(account_id, files, now, keep_versions=self._house.rules.versions_kept)

    def _tell_folders(self, group: Group, outcomes: list[StorageError | None]) -> None:
        for (path, _), refusal in zip(group.folders, outcomes, strict=True):
            if refusal is None:
                self._teller.folder_made()
            else:
                self._teller.failed(path, _SENTENCES[type(refusal)])

    def _tell(self, one: Prepared, outcome: Told) -> bool:
        """Tell of one file, and delete the blob that nobody refers to; whether there was no room for it."""
        path = one.arriving.file.path
        if isinstance(outcome, PutOutcome):
            if outcome.location != one.new.location:
                self._house.blobs.delete(one.new.location)
            self._teller.imported(path, one.new.size, is_new=outcome.created, linked=one.linked)
            return False
        self._house.blobs.delete(one.new.location)
        if outcome is None:
            self._teller.unchanged(path, one.new.size)
            return False
        self._teller.failed(path, _SENTENCES[type(outcome)])
        return isinstance(outcome, QuotaExceeded)
