"""A whole folder tree into an account: walked, compared, prepared by threads, and brought in group by group."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from skyshelf.service.context import ServiceContext
from skyshelf.service.importing import ImportOptions
from skyshelf.service.importing.commit import QuotaFullError, Sealing
from skyshelf.service.importing.drive_tree import DriveFolder, There, drive_names, is_renamed, names_in, way_to
from skyshelf.service.importing.local_tree import ChangingError, LocalFile, LocalFolder, count, identity_of, listing
from skyshelf.service.importing.pipeline import Pipeline
from skyshelf.service.importing.prepare import Arriving, Preparing, StoppedError
from skyshelf.service.importing.report import Event, Summary, Teller
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.tree import NewFolder


class _Walking(msgspec.Struct, frozen=True):
    """A folder of this machine, and the one of the drive that it becomes."""

    local: LocalFolder
    drive: DriveFolder


class TreeImport:
    """One run. stop, from any thread or a signal handler, ends it soon and loses nothing."""

    def __init__(
        self, ctx: ServiceContext, account: Account, options: ImportOptions, tell: Callable[[Event], None]
    ) -> None:
        self._ctx = ctx
        self._account = account
        self._options = options
        self._teller = Teller(tell)
        self._stop = threading.Event()
        self._preparing = Preparing(ctx, account, options, self._teller, self._stop)
        self._sealing = Sealing(ctx, account, options, self._teller, self._stop)
        self._room = 0

    def stop(self) -> None:
        self._stop.set()

    def run(self, source: Path) -> Summary:
        """Errors of the stores come out; what is the matter with single files is in the summary."""
        summary = self._teller.summary
        summary.dry_run = self._options.dry_run
        above = frozenset({identity_of(str(source))}) if self._options.follow_links else frozenset()
        top = LocalFolder(str(source), source.name, above)
        target, made = way_to(self._ctx, self._account, self._options.into)
        counting = threading.Thread(target=self._count, args=(top,), name="skyshelf-import-count", daemon=True)
        counting.start()
        try:
            self._import(_Walking(top, target), [(str(source), folder) for folder in made])
        except (StoppedError, KeyboardInterrupt):
            summary.stopped = "it was interrupted"
        except QuotaFullError:
            summary.stopped = "the quota is full"
        finally:
            self._stop.set()
            counting.join()
        return summary

    def _count(self, top: LocalFolder) -> None:
        """How much there is, beside the import itself, so that the time that is left can be told."""
        for file in count(top, follow=self._options.follow_links, without=self._options.without):
            if self._stop.is_set():
                return
            self._teller.counted(file.size)
        self._teller.all_counted()

    def _import(self, top: _Walking, made: list[tuple[str, NewFolder]]) -> None:
        with self._ctx.metadata.read() as unit:
            self._room = unit.quotas.get(self._account.account_id, self._ctx.clock.now()).free
        with Pipeline(self._ctx, self._options, self._preparing, self._sealing, self._stop) as pipeline:
            for folder in made:
                if self._options.dry_run:
                    self._teller.folder_made()
                else:
                    pipeline.add_folder(folder)
            for step in self._steps(top):
                if self._stop.is_set():
                    raise StoppedError
                if isinstance(step, Arriving):
                    self._refuse_without_room(step, pipeline)
                    pipeline.add_file(step)
                else:
                    pipeline.add_folder(step)
            pipeline.flush()

    def _steps(self, top: _Walking) -> Iterator[Arriving | tuple[str, NewFolder]]:
        """Everything there is to do, in an order in which a folder comes before what is in it."""
        waiting = [top]
        while waiting:
            walking = waiting.pop()
            try:
                found = listing(walking.local, follow=self._options.follow_links, without=self._options.without)
            except OSError as wrong:
                self._teller.failed(walking.local.path, f"it cannot be read: {wrong.strerror}")
                continue
            for path, why in found.left_out:
                self._teller.skipped(path, why)
            names = drive_names([*(one.name for one in found.folders), *(one.name for one in found.files)])
            there = names_in(self._ctx, self._account, walking.drive)
            for file in found.files:
                yield from self._file(file, walking.drive, names[file.name], there.get(names[file.name]))
            below = []
            for folder in found.folders:
                name = names[folder.name]
                drive, new = self._folder(folder, walking.drive, name, there.get(name))
                if new is not None:
                    yield folder.path, new
                if drive is not None:
                    below.append(_Walking(folder, drive))
            waiting += reversed(below)

    def _file(self, file: LocalFile, drive: DriveFolder, name: str, there: There | None) -> Iterator[Arriving]:
        if there is not None and there.is_folder:
            self._teller.failed(file.path, "a folder has its name in the drive")
            return
        if file.size > self._ctx.rules.max_file_size:
            self._teller.failed(file.path, f"a file may have {self._ctx.rules.max_file_size:,} bytes here")
            return
        same = there is not None and (there.size, there.modified_at) == (file.size, file.modified_at)
        if same and not self._options.by_content:
            self._teller.unchanged(file.path, file.size)
            return
        if there is None and is_renamed(file.name, name):
            self._teller.renamed(file.path, name)
        arriving = Arriving(file, drive.object_key, name, there)
        if self._options.dry_run:
            self._pretend(arriving)
        else:
            yield arriving

    def _pretend(self, arriving: Arriving) -> None:
        """Tell what would become of a file."""
        file, there = arriving.file, arriving.there
        try:
            if there is not None and self._preparing.is_unchanged(arriving):
                self._teller.unchanged(file.path, file.size)
            else:
                self._teller.imported(file.path, file.size, is_new=there is None, linked=False)
        except (OSError, ChangingError) as wrong:
            self._teller.failed(file.path, f"it cannot be read: {wrong}")

    def _folder(
        self, folder: LocalFolder, drive: DriveFolder, name: str, there: There | None
    ) -> tuple[DriveFolder | None, NewFolder | None]:
        if there is not None and not there.is_folder:
            self._teller.failed(folder.path, "a file has its name in the drive")
            return None, None
        if there is not None:
            return DriveFolder(there.object_key, is_new=False), None
        if is_renamed(folder.name, name):
            self._teller.renamed(folder.path, name)
        new = NewFolder(object_key=self._ctx.new_key(), parent_key=drive.object_key, name=name)
        if self._options.dry_run:
            self._teller.folder_made()
            return DriveFolder(new.object_key, is_new=True), None
        return DriveFolder(new.object_key, is_new=True), new

    def _refuse_without_room(self, arriving: Arriving, pipeline: Pipeline) -> None:
        """Reading what will not fit is work for nothing: it ends here. The commits themselves look again."""
        if arriving.file.size > self._room:
            pipeline.flush()
            with self._ctx.metadata.read() as unit:
                self._room = unit.quotas.get(self._account.account_id, self._ctx.clock.now()).free
        if arriving.file.size > self._room:
            self._teller.failed(arriving.file.path, "the quota has no room for it")
            raise QuotaFullError
        self._room -= arriving.file.size
