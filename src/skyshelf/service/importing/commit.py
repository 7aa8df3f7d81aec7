"""The commit of an import: groups of folders and files are prepared, sealed together, committed and then reported.

The three steps overlap: while one group is prepared, the previous one is sealed and the one before it committed.
"""

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial

import msgspec

from skyshelf.service.context import ServiceContext, command_actor
from skyshelf.service.importing import ImportRun, StoppedError
from skyshelf.service.importing.prepare import FilePreparer, ImportItem, PreparedFile, PrepareOutcome
from skyshelf.service.retention import retention
from skyshelf.service.uploads.duplicates import settle
from skyshelf.storage.blobs.protocols import SWEEP_GRACE_MS, BlobBatch
from skyshelf.storage.errors import (
    LimitReached,
    NameTaken,
    NotAFolder,
    ObjectMissing,
    QuotaExceeded,
    StorageError,
    TooDeep,
    VersionChanged,
)
from skyshelf.storage.metadata.contracts.files import PutOutcome
from skyshelf.storage.metadata.contracts.tree import NewFolder
from skyshelf.storage.metadata.store import Unit

NO_SPACE = "does not fit into the quota"
_REASONS: dict[type[StorageError], str] = {
    TooDeep: "its folder would be nested too deep, or have too long a path",
    NameTaken: "something else in the drive has its name",
    VersionChanged: "something else in the drive has its name",
    NotAFolder: "a file in the drive has the name of its folder",
    ObjectMissing: "its folder no longer exists in the drive: run the import again",
    QuotaExceeded: NO_SPACE,
    LimitReached: "the account has as many files and folders as its quota allows",
}

FolderToCreate = tuple[str, NewFolder]
"""The path of the source folder, and the row to create."""
_TASK_FILES = 8
_TASK_BYTES = 1024 * 1024
_GROUPS_BEHIND = 2
"""Number of groups that are sealed or committed while the next one is prepared."""


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
        """Remove what was not sealed; call it when no thread prepares its files. May be called twice."""
        self._opened.close()


class SealedGroup(msgspec.Struct, frozen=True):
    """The durable files of a group, and when they became durable."""

    files: list[PreparedFile]
    at: int


_CommitOutcome = PutOutcome | StorageError | None


class GroupCommitter:
    """Seals and commits groups; each step handles one group at a time."""

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
        """Wait for the files of a group, and report those that will not be imported."""
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
            for (path, _), error in zip(folders, created, strict=True):
                if error is None:
                    self._run.reporter.folder_created()
                else:
                    self._run.reporter.failed(path, _REASONS[type(error)])
                    is_full = is_full or isinstance(error, QuotaExceeded)
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
        unit.act_as(command_actor(self._run.options.command))
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


class Pipeline:
    """Accepts folders and files, each folder before its contents."""

    def __init__(self, run: ImportRun, preparer: FilePreparer) -> None:
        self._run = run
        self._preparer = preparer
        self._committer = GroupCommitter(run)
        self._prepare_threads = ThreadPoolExecutor(run.options.threads, "skyshelf-import")
        self._seal_thread = ThreadPoolExecutor(1, "skyshelf-import-seal")
        self._commit_thread = ThreadPoolExecutor(1, "skyshelf-import-commit")
        self._behind: deque[tuple[ImportGroup, Future[None]]] = deque()
        self._begin_group()

    def _begin_group(self) -> None:
        self._group = ImportGroup(self._run.ctx)
        self._group_items, self._group_bytes = 0, 0
        self._task: list[ImportItem] = []
        self._task_bytes = 0

    def __enter__(self) -> "Pipeline":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self._run.stop.set()
        self._prepare_threads.shutdown(wait=True, cancel_futures=True)
        self._seal_thread.shutdown(wait=True)
        self._commit_thread.shutdown(wait=True)
        for group, _committing in self._behind:
            group.close()
        self._group.close()

    def add_folder(self, folder: FolderToCreate) -> None:
        self._group.folders.append(folder)
        self._added(0)

    def add_file(self, item: ImportItem) -> None:
        self._task.append(item)
        self._task_bytes += item.file.size
        if len(self._task) >= _TASK_FILES or self._task_bytes >= _TASK_BYTES:
            self._submit_task()
        self._added(item.file.size)

    def flush(self) -> None:
        """Wait until everything that was added is committed; errors of the stores are raised."""
        self._submit_group()
        while self._behind:
            self._wait_for_oldest()

    def _added(self, size: int) -> None:
        self._group_items += 1
        self._group_bytes += size
        options = self._run.options
        if self._group_items >= options.group_files or self._group_bytes >= options.group_bytes:
            self._submit_group()

    def _submit_task(self) -> None:
        items, self._task, self._task_bytes = self._task, [], 0
        preparing = self._prepare_threads.submit(self._preparer.prepare_all, self._group.blobs, items)
        self._group.tasks.append((items, preparing))

    def _submit_group(self) -> None:
        if self._task:
            self._submit_task()
        while len(self._behind) >= _GROUPS_BEHIND:
            self._wait_for_oldest()
        group = self._group
        sealing = self._seal_thread.submit(self._committer.seal, group)
        self._behind.append((group, self._commit_thread.submit(self._committer.commit, group, sealing)))
        self._begin_group()

    def _wait_for_oldest(self) -> None:
        group, committing = self._behind[0]
        committing.result()
        group.close()
        self._behind.popleft()
