"""One import of a folder tree: it is walked, compared with the drive, prepared by threads and committed in groups."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from skyshelf.service.context import ServiceContext
from skyshelf.service.importing import (
    INTERRUPTED,
    QUOTA_FULL,
    Event,
    ImportOptions,
    ImportRun,
    Reporter,
    StoppedError,
    Summary,
    trees,
)
from skyshelf.service.importing.commit import NO_SPACE, FolderToCreate, Pipeline, QuotaFullError
from skyshelf.service.importing.prepare import FilePreparer, ImportItem
from skyshelf.service.integrity.leftovers import LeftoverWatch
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.tree import NewFolder
from skyshelf.wire.sizes import format_size


class _FolderPair(msgspec.Struct, frozen=True):
    """A source folder, and the folder of the drive that it becomes."""

    source: trees.SourceFolder
    drive: trees.DriveFolder


class Import:
    """An import that can be stopped from any thread or a signal handler: it ends soon and loses nothing."""

    def __init__(
        self, ctx: ServiceContext, account: Account, options: ImportOptions, listener: Callable[[Event], None]
    ) -> None:
        self._ctx = ctx
        self._account = account
        self._options = options
        self._reporter = Reporter(listener)
        self._stop = threading.Event()
        self._run = ImportRun(ctx, account, options, self._reporter, self._stop)
        self._free_bytes = 0

    def stop(self) -> None:
        self._stop.set()

    @contextmanager
    def _until_stopped(self) -> Iterator[None]:
        """Note in the summary what ends the block early."""
        try:
            yield
        except (StoppedError, KeyboardInterrupt):
            self._reporter.summary.stopped = INTERRUPTED
        except QuotaFullError:
            self._reporter.summary.stopped = QUOTA_FULL

    def _check_space(self, item: ImportItem, pipeline: Pipeline) -> None:
        """Stop before reading a file that cannot fit. The commit checks the quota again."""
        if item.file.size > self._free_bytes:
            pipeline.flush()
            self._free_bytes = self._free_space()
        if item.file.size > self._free_bytes:
            self._reporter.failed(item.file.path, NO_SPACE)
            raise QuotaFullError
        self._free_bytes -= item.file.size

    def _free_space(self) -> int:
        with self._ctx.metadata.read() as unit:
            return unit.quotas.get(self._account.account_id, self._ctx.clock.now()).free


class TreeImport(Import):
    """An import of a folder tree of this machine."""

    def run(self, source: Path) -> Summary:
        """Import a folder. Errors of the stores are raised; problems with single files are in the summary."""
        self._preparer = FilePreparer(self._run)
        summary = self._reporter.summary
        summary.dry_run = self._options.dry_run
        ancestors = frozenset({trees.identity_of(str(source))}) if self._options.follow_links else frozenset()
        top = trees.SourceFolder(str(source), source.name, ancestors)
        target, new_folders = trees.resolve_target(self._ctx, self._account, self._options.into)
        counting = threading.Thread(target=self._count, args=(top,), name="skyshelf-import-count", daemon=True)
        counting.start()
        try:
            with self._until_stopped():
                self._import(_FolderPair(top, target), [(str(source), folder) for folder in new_folders])
        finally:
            self._stop.set()
            counting.join()
        return summary

    def _count(self, top: trees.SourceFolder) -> None:
        """Count the files while the import runs, to show the remaining time."""
        for file in trees.walk_files(top, follow=self._options.follow_links, without=self._options.without):
            if self._stop.is_set():
                return
            self._reporter.counted(file.size)
        self._reporter.counting_done()

    def _import(self, top: _FolderPair, new_folders: list[FolderToCreate]) -> None:
        if self._options.dry_run:
            # Without the pipeline, which writes: the store may be opened read-only.
            for _ in new_folders:
                self._reporter.folder_created()
            for _ in self._steps(top):
                pass
            return
        self._free_bytes = self._free_space()
        leftovers = LeftoverWatch()
        with Pipeline(self._run, self._preparer) as pipeline:
            for folder in new_folders:
                pipeline.add_folder(folder)
            for step in self._steps(top):
                self._run.check_stopped()
                leftovers.look(self._ctx.metadata, self._ctx.clock.now(), at_work=True)
                if isinstance(step, ImportItem):
                    self._check_space(step, pipeline)
                    pipeline.add_file(step)
                else:
                    pipeline.add_folder(step)
            pipeline.flush()

    def _steps(self, top: _FolderPair) -> Iterator[ImportItem | FolderToCreate]:
        """Yield everything to do, each folder before its contents."""
        waiting = [top]
        while waiting:
            pair = waiting.pop()
            try:
                found = trees.list_folder(pair.source, follow=self._options.follow_links, without=self._options.without)
            except OSError as error:
                self._reporter.failed(pair.source.path, f"cannot be read: {error.strerror}")
                continue
            for path, reason in found.skipped:
                self._reporter.skipped(path, reason)
            names = trees.drive_names(
                [*(folder.name for folder in found.folders), *(file.name for file in found.files)]
            )
            existing = trees.entries_by_name(self._ctx, self._account, pair.drive)
            for file in found.files:
                yield from self._file(file, pair.drive, names[file.name], existing.get(names[file.name]))
            below = []
            for folder in found.folders:
                name = names[folder.name]
                drive, new = self._folder(folder, pair.drive, name, existing.get(name))
                if new is not None:
                    yield folder.path, new
                if drive is not None:
                    below.append(_FolderPair(folder, drive))
            waiting += reversed(below)

    def _file(
        self, file: trees.SourceFile, drive: trees.DriveFolder, name: str, existing: trees.DriveEntry | None
    ) -> Iterator[ImportItem]:
        if existing is not None and existing.is_folder:
            self._reporter.failed(file.path, "a folder in the drive has its name")
            return
        if file.size > self._ctx.rules.max_file_size:
            self._reporter.failed(file.path, f"larger than {format_size(self._ctx.rules.max_file_size)}")
            return
        same = existing is not None and (existing.size, existing.modified_at) == (file.size, file.modified_at)
        if same and not self._options.by_content:
            self._reporter.unchanged(file.path, file.size)
            return
        if existing is None and trees.is_renamed(file.name, name):
            self._reporter.renamed(file.path, name)
        item = ImportItem(file, drive.object_key, name, existing)
        if self._options.dry_run:
            self._pretend(item)
        else:
            yield item

    def _pretend(self, item: ImportItem) -> None:
        """Report what would happen to a file in a real run."""
        self._run.check_stopped()
        file = item.file
        try:
            if item.existing is not None and self._preparer.is_unchanged(item):
                self._reporter.unchanged(file.path, file.size)
            else:
                self._reporter.imported(file.path, file.size, is_new=item.existing is None, linked=False)
        except (OSError, trees.SourceChanged) as error:
            self._reporter.failed(file.path, f"cannot be read: {error}")

    def _folder(
        self, folder: trees.SourceFolder, drive: trees.DriveFolder, name: str, existing: trees.DriveEntry | None
    ) -> tuple[trees.DriveFolder | None, NewFolder | None]:
        if existing is not None and not existing.is_folder:
            self._reporter.failed(folder.path, "a file in the drive has its name")
            return None, None
        if existing is not None:
            return trees.DriveFolder(existing.object_key, is_new=False), None
        if trees.is_renamed(folder.name, name):
            self._reporter.renamed(folder.path, name)
        new = NewFolder(object_key=self._ctx.new_key(), parent_key=drive.object_key, name=name)
        if self._options.dry_run:
            self._reporter.folder_created()
            return trees.DriveFolder(new.object_key, is_new=True), None
        return trees.DriveFolder(new.object_key, is_new=True), new
