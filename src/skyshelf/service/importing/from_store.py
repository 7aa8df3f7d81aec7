"""Copies of files from another store, such as a cut of a backup, into an account: new files beside what is there.

Like an import of a folder, it takes the drive itself for the journal, and can be run again after an interruption. Each
content is compared with its SHA-256 as it is copied.
"""

import threading
from collections.abc import Callable, Iterator

import msgspec

from skyshelf.service.context import ServiceContext
from skyshelf.service.files.capture_dates import READ_DATES, can_have_date
from skyshelf.service.files.moves import folder_pages
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
from skyshelf.service.importing.prepare import FilePreparer, ImportItem, PreparedFile
from skyshelf.storage.blobs.protocols import BlobBatch
from skyshelf.storage.errors import BadLocation, BlobCorrupt, BlobMissing, NotAFolder, ObjectMissing, SizeMismatch
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.files import NewFile
from skyshelf.storage.metadata.contracts.tree import NewFolder, StoredObject
from skyshelf.wire.limits import TIME_MS_MAX
from skyshelf.wire.names import category, clean_name, split_mime
from skyshelf.wire.refusals import BadName


class Source(msgspec.Struct, frozen=True):
    """One account in another store."""

    ctx: ServiceContext
    account: Account


class SourcePath(msgspec.Struct, frozen=True):
    """An object of a source, and the names that lead to it."""

    object: StoredObject
    names: tuple[str, ...]


class _StoredItem(ImportItem, frozen=True, kw_only=True):
    stored: StoredObject


class _Preparer(FilePreparer):
    """Takes the bytes from the other store."""

    def __init__(self, run: ImportRun, source: Source) -> None:
        super().__init__(run)
        self._source = source

    def _prepare(self, blobs: BlobBatch, item: ImportItem) -> PreparedFile | None:
        assert isinstance(item, _StoredItem)
        self._run.check_stopped()
        stored, run = item.stored, self._run
        assert stored.sha256 is not None
        try:
            blob = blobs.put(self._pieces(item), expected_size=stored.size)
        except (BlobMissing, BlobCorrupt, BadLocation, SizeMismatch) as error:
            raise trees.SourceChanged(str(error)) from error
        if blob.sha256 != stored.sha256:
            blobs.drop(blob.location)
            raise trees.SourceChanged("is damaged where it comes from")
        mime_type, mime_subtype = split_mime(item.name)
        new = NewFile(
            object_key=run.ctx.new_key(),
            parent_key=item.parent_key,
            name=item.name,
            sha256=blob.sha256,
            md5=blob.md5,
            size=blob.size,
            location=blob.location,
            category=category(mime_type),
            mime_type=mime_type,
            mime_subtype=mime_subtype,
            file_created_at=valid_time(stored.file_created_at),
            last_modified_at=valid_time(stored.last_modified_at),
            created_by=run.account.first_name,
            source_name=stored.source_name,
            source_folder=stored.source_folder,
            app_code=stored.app_code,
            needs_date=can_have_date(mime_type, mime_subtype),
            expected_version=0,
        )
        return PreparedFile(item, new, linked=False)

    def _pieces(self, item: _StoredItem) -> Iterator[bytes]:
        source = self._source
        with source.ctx.metadata.read() as unit:
            location = unit.files.version(source.account.account_id, item.stored.object_key).location
        stream, done = source.ctx.blobs.read(location), 0
        try:
            for piece in stream:
                self._run.check_stopped()
                done += len(piece)
                self._run.reporter.progress(item.file.path, done)
                yield piece
        finally:
            stream.close()


class StoreImport:
    """One copy from another store. `stop`, called from any thread, ends it soon and loses nothing."""

    def __init__(
        self, ctx: ServiceContext, account: Account, options: ImportOptions, listener: Callable[[Event], None]
    ) -> None:
        self._ctx = ctx
        self._account = account
        self._reporter = Reporter(listener)
        self._stop = threading.Event()
        self._options = options
        self._run = ImportRun(ctx, account, options, self._reporter, self._stop)

    def stop(self) -> None:
        self._stop.set()

    def run(self, source: Source, what: SourcePath) -> Summary:
        """Copy an object with everything below it, into the same path below the target.

        Errors of the stores are raised; problems with single files are in the summary.
        """
        summary = self._reporter.summary
        above = what.names if what.object.is_folder else what.names[:-1]
        target, new = trees.resolve_target(self._ctx, self._account, "/".join((self._options.into, *above)))
        try:
            with Pipeline(self._run, _Preparer(self._run, source)) as pipeline:
                for folder in new:
                    pipeline.add_folder(("/".join(above), folder))
                for step in self._steps(source, what, target):
                    self._run.check_stopped()
                    if isinstance(step, ImportItem):
                        self._check_quota(step, pipeline)
                        pipeline.add_file(step)
                    else:
                        pipeline.add_folder(step)
                pipeline.flush()
        except (StoppedError, KeyboardInterrupt):
            summary.stopped = INTERRUPTED
        except QuotaFullError:
            summary.stopped = QUOTA_FULL
        finally:
            # Pictures get their facts from the running service.
            now, account = self._ctx.clock.now(), str(self._account.account_id)
            self._ctx.metadata.write(lambda unit: unit.outbox.put(READ_DATES, account, b"", now))
        return summary

    def _steps(
        self, source: Source, what: SourcePath, target: trees.DriveFolder
    ) -> Iterator[ImportItem | FolderToCreate]:
        """Yield everything to do, each folder before its contents."""
        if not what.object.is_folder:
            existing = trees.entries_by_name(self._ctx, self._account, target)
            yield from self._file(what, target, existing)
            return
        waiting = [(what, target)]
        while waiting:
            folder, drive = waiting.pop()
            existing = trees.entries_by_name(self._ctx, self._account, drive)
            for child in children(source, folder):
                if not _is_name(child.object.name):
                    self._reporter.failed("/".join(child.names), "its name is not one that the service accepts")
                    continue
                if not child.object.is_folder:
                    yield from self._file(child, drive, existing)
                    continue
                entry, path = existing.get(child.object.name), "/".join(child.names)
                if entry is not None and not entry.is_folder:
                    self._reporter.failed(path, "a file in the drive has its name")
                elif entry is not None:
                    waiting.append((child, trees.DriveFolder(entry.object_key, is_new=False)))
                else:
                    made = NewFolder(
                        object_key=self._ctx.new_key(), parent_key=drive.object_key, name=child.object.name
                    )
                    yield path, made
                    waiting.append((child, trees.DriveFolder(made.object_key, is_new=True)))

    def _file(
        self, found: SourcePath, drive: trees.DriveFolder, existing: dict[str, trees.DriveEntry]
    ) -> Iterator[ImportItem]:
        stored, path, entry = found.object, "/".join(found.names), existing.get(found.object.name)
        self._reporter.counted(stored.size)
        if entry is None:
            file = trees.SourceFile(path, stored.name, stored.size, stored.last_modified_at)
            yield _StoredItem(file, drive.object_key, stored.name, None, stored=stored)
        elif not entry.is_folder and (entry.size, entry.modified_at) == (
            stored.size,
            valid_time(stored.last_modified_at),
        ):
            self._reporter.unchanged(path, stored.size)
        else:
            self._reporter.failed(path, "something else is there, and is left as it is: choose another folder")

    def _check_quota(self, item: ImportItem, pipeline: Pipeline) -> None:
        """Stop before reading a file that cannot fit; the commit checks again."""
        if item.file.size > self._free():
            pipeline.flush()
            if item.file.size > self._free():
                self._reporter.failed(item.file.path, NO_SPACE)
                raise QuotaFullError

    def _free(self) -> int:
        with self._ctx.metadata.read() as unit:
            return unit.quotas.get(self._account.account_id, self._ctx.clock.now()).free


def _is_name(name: str) -> bool:
    """Whether the service would accept a name: the rows of a backup may have been manipulated."""
    try:
        return clean_name(name) == name
    except BadName:
        return False


def valid_time(ms: int) -> int:
    """Return a time of the other store within the interface's range."""
    return min(max(ms, 0), TIME_MS_MAX)


def children(source: Source, folder: SourcePath) -> Iterator[SourcePath]:
    """Yield the entries of a folder."""
    for page in folder_pages(source.ctx, source.account.account_id, folder.object.object_key):
        for child in page:
            yield SourcePath(child, (*folder.names, child.name))


def find(source: Source, path: str) -> SourcePath:
    """Return the object at a path; ObjectMissing or NotAFolder with a sentence."""
    names = tuple(clean_name(part) for part in path.split("/") if part)
    account = source.account
    with source.ctx.metadata.read() as unit:
        found = unit.tree.get(account.account_id, account.root_key)
        for number, name in enumerate(names):
            if not found.is_folder:
                raise NotAFolder(f"/{'/'.join(names[:number])} is a file: it has nothing below it")
            child = unit.tree.child_named(account.account_id, found.object_key, name)
            if child is None:
                raise ObjectMissing(f"{account.email} has no /{'/'.join(names[: number + 1])} there")
            found = child
    return SourcePath(found, names)
