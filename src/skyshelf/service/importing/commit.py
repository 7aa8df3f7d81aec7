"""Commit of an import: groups of folders and files whose blobs are sealed together, then committed, then reported."""

from concurrent.futures import Future
from contextlib import ExitStack
from functools import partial

import msgspec

from skyshelf.service.context import ServiceContext, command_actor
from skyshelf.service.importing import ImportRun, StoppedError
from skyshelf.service.importing.prepare import ImportItem, PreparedFile, PrepareOutcome
from skyshelf.service.retention import retention
from skyshelf.service.uploads.duplicates import settle
from skyshelf.storage.blobs.protocols import SWEEP_GRACE_MS, BlobBatch
from skyshelf.storage.errors import NameTaken, NotAFolder, ObjectMissing, QuotaExceeded, StorageError, TooDeep
from skyshelf.storage.metadata.contracts.files import PutOutcome
from skyshelf.storage.metadata.contracts.tree import NewFolder
from skyshelf.storage.metadata.store import Unit

NO_SPACE = "does not fit into the quota"
_REASONS: dict[type[StorageError], str] = {
    TooDeep: "its folder would be nested too deep, or have too long a path",
    NameTaken: "something else in the drive has its name",
    NotAFolder: "a file in the drive has the name of its folder",
    ObjectMissing: "its folder no longer exists in the drive: run the import again",
    QuotaExceeded: NO_SPACE,
}

FolderToCreate = tuple[str, NewFolder]
"""The path of the source folder, and the row to create."""


class QuotaFullError(Exception):
    """The account has no space left."""


class ImportGroup:
    """Folders to create, and files that threads are preparing, in one batch of blobs."""

    def __init__(self, ctx: ServiceContext) -> None:
        self._opened = ExitStack()
        self.blobs: BlobBatch = self._opened.enter_context(ctx.blobs.batch())
        self.folders: list[FolderToCreate] = []
        self.tasks: list[tuple[list[ImportItem], Future[list[PrepareOutcome]]]] = []

    def close(self) -> None:
        """Remove what was not sealed; call it when no thread prepares its files any longer. May be called twice."""
        self._opened.close()


class SealedGroup(msgspec.Struct, frozen=True):
    """The durable files of a group, and since when they are durable."""

    files: list[PreparedFile]
    at: int


_CommitOutcome = PutOutcome | StorageError | None


class GroupCommitter:
    """Seals and commits groups; each of the two steps takes one group after the other."""

    def __init__(self, run: ImportRun) -> None:
        self._run = run
        self._failed = False
        self._refused_folders: set[str] = set()
        """Folders that are too deep, and those below them."""

    def seal(self, group: ImportGroup) -> SealedGroup:
        """Make the bytes of a group durable. Errors of the blob store are raised."""
        prepared = self._prepared(group)
        self._run.check_stopped()
        group.blobs.seal()
        return SealedGroup(prepared, self._run.ctx.clock.now())

    def commit(self, group: ImportGroup, sealing: Future[SealedGroup]) -> None:
        """Commit a group and report its files. Errors of the stores are raised.

        After a failure no later group is committed, because it may need the folders of this one.
        """
        if self._failed:
            raise StoppedError
        try:
            self._commit_all(group, sealing.result())
        except BaseException:
            self._failed = True
            raise

    def _prepared(self, group: ImportGroup) -> list[PreparedFile]:
        """Wait for the files of a group, and report those that are not imported."""
        reporter, found = self._run.reporter, []
        for items, preparing in group.tasks:
            for item, outcome in zip(items, preparing.result(), strict=True):
                file = item.file
                if isinstance(outcome, PreparedFile):
                    found.append(outcome)
                elif outcome is None:
                    reporter.unchanged(file.path, file.size)
                elif isinstance(outcome, OSError):
                    reporter.failed(file.path, f"cannot be read: {outcome.strerror or outcome}")
                else:
                    reporter.failed(file.path, str(outcome))
        return found

    def _commit_all(self, group: ImportGroup, sealed: SealedGroup) -> None:
        metadata, step = self._run.ctx.metadata, self._run.options.commit_files
        is_full, folders = False, group.folders
        for first in range(0, max(len(sealed.files), 1), step):
            files = sealed.files[first : first + step]
            created, put = metadata.write(partial(self._commit, folders, files, sealed.at))
            self._report_folders(folders, created)
            for file, outcome in zip(files, put, strict=True):
                self._report_file(file, outcome)
                is_full = is_full or isinstance(outcome, QuotaExceeded)
            metadata.note_bulk_write()
            folders = []
        if is_full:
            raise QuotaFullError

    def _commit(
        self, folders: list[FolderToCreate], prepared: list[PreparedFile], now: int, unit: Unit
    ) -> tuple[list[StorageError | None], list[_CommitOutcome]]:
        # The sweeper may delete an uncommitted location once the whole grace period is over.
        if self._run.ctx.clock.now() - now > SWEEP_GRACE_MS // 2:
            raise StoppedError
        unit.act_as(command_actor("import"))
        account_id, keep = self._run.account.account_id, retention(self._run.ctx).versions_kept
        created: list[StorageError | None] = []
        for _, folder in folders:
            try:
                if folder.parent_key in self._refused_folders:
                    raise TooDeep("the folder above is too deep")
                unit.tree.add_folder(account_id, folder, now)
                created.append(None)
            except tuple(_REASONS) as error:
                if isinstance(error, TooDeep):
                    self._refused_folders.add(folder.object_key)
                created.append(error)
        files = [file.new for file in prepared]
        return created, unit.files.put_many(account_id, files, now, keep_versions=keep)

    def _report_folders(self, folders: list[FolderToCreate], outcomes: list[StorageError | None]) -> None:
        for (path, _), error in zip(folders, outcomes, strict=True):
            if error is None:
                self._run.reporter.folder_created()
            else:
                self._run.reporter.failed(path, _REASONS[type(error)])

    def _report_file(self, file: PreparedFile, outcome: _CommitOutcome) -> None:
        """Report a file, and delete its blob if nothing refers to it."""
        reporter, path, new = self._run.reporter, file.item.file.path, file.new
        if isinstance(outcome, StorageError):
            self._run.ctx.blobs.delete(new.location)
        elif outcome is None or outcome.location != new.location:
            settle(self._run.ctx, new.sha256, new.size, new=new.location, kept=outcome.location if outcome else None)
        if isinstance(outcome, PutOutcome):
            reporter.imported(path, new.size, is_new=outcome.created, linked=file.linked)
        elif outcome is None:
            reporter.unchanged(path, new.size)
        else:
            reason = TooDeep if new.parent_key in self._refused_folders else type(outcome)
            reporter.failed(path, _REASONS[reason])
