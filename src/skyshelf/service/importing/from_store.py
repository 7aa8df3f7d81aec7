"""An account in another store, such as a cut of a backup: its paths, and all of it as the source of an import.

Each content is compared with its SHA-256 as it is copied. The rows are trusted no more than an export.
"""

from collections.abc import Callable, Iterator

import msgspec
from msgspec.structs import replace

from skyshelf.service.context import ServiceContext
from skyshelf.service.exporting import ExportedAlbum, ExportedObject, ExportedVersion, documents
from skyshelf.service.exporting.objects import described, object_pages
from skyshelf.service.files.capture_dates import READ_DATES, can_have_date
from skyshelf.service.files.moves import folder_pages
from skyshelf.service.importing import Event, ImportOptions, ImportRun, trees
from skyshelf.service.importing.export_run import AccountImport
from skyshelf.service.importing.exported import AccountSource, ExportSummary, ExportUnreadable, Unusable
from skyshelf.service.importing.prepare import FilePreparer, ImportItem, PreparedFile
from skyshelf.storage.blobs.protocols import BlobBatch
from skyshelf.storage.errors import BadLocation, BlobCorrupt, BlobMissing, NotAFolder, ObjectMissing, SizeMismatch
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.inspection import WalkPosition
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.wire.names import clean_name
from skyshelf.wire.resources.contacts import Contact
from skyshelf.wire.times import in_range

_AT_ONCE = 1000


class Source(msgspec.Struct, frozen=True):
    """One account in another store."""

    ctx: ServiceContext
    account: Account


class SourcePath(msgspec.Struct, frozen=True):
    """An object of a source, and the names that lead to it."""

    object: StoredObject
    names: tuple[str, ...]


class _StoredFile(trees.SourceFile, frozen=True):
    """A version of a file of the source."""

    key: str
    location: str


class _Preparer(FilePreparer):
    """Takes the bytes from the other store."""

    def __init__(self, run: ImportRun, source: Source) -> None:
        super().__init__(run)
        self._source = source

    def _prepare(self, blobs: BlobBatch, item: ImportItem) -> PreparedFile | None:
        file, known, run = item.file, item.known, self._run
        assert isinstance(file, _StoredFile)
        assert known is not None
        run.check_stopped()
        with self._source.ctx.metadata.read() as unit:
            stored = unit.tree.get(self._source.account.account_id, file.key)
        try:
            blob = blobs.put(self._pieces(file), expected_size=file.size)
        except (BlobMissing, BlobCorrupt, BadLocation, SizeMismatch) as error:
            raise trees.SourceChanged(str(error)) from error
        if blob.sha256 != known.sha256:
            blobs.drop(blob.location)
            raise trees.SourceChanged("is damaged where it comes from")
        new = self._new_file(item, blob, known)
        new = replace(
            new,
            source_name=stored.source_name,
            source_folder=stored.source_folder,
            app_code=stored.app_code,
            needs_date=can_have_date(new.mime_type, new.mime_subtype),
        )
        return PreparedFile(item, new, linked=False)

    def _pieces(self, file: _StoredFile) -> Iterator[bytes]:
        stream, done = self._source.ctx.blobs.read(file.location), 0
        try:
            for piece in stream:
                self._run.check_stopped()
                done += len(piece)
                self._run.reporter.progress(file.path, done)
                yield piece
        finally:
            stream.close()


class StoredAccount(AccountSource):
    """The account of a source; with a path, what is active there, and nothing else that belongs to the account."""

    def __init__(self, source: Source, what: SourcePath) -> None:
        self.place = source.account.email
        self._source = source
        self._what = what
        self._is_checked = False

    @property
    def _is_whole(self) -> bool:
        return not self._what.names

    def objects(self) -> Iterator[ExportedObject]:
        source = self._source
        if self._is_whole and not self._is_checked:
            self._refuse_circles()
        for page in object_pages(source.ctx, source.account.account_id) if self._is_whole else self._below():
            with source.ctx.metadata.read() as unit:
                lines = described(unit, source.account.account_id, page).lines
            yield from lines

    def _refuse_circles(self) -> None:
        """Refuse rows with which looking for what is above an object would never end."""
        account_id = self._source.account.account_id
        after: WalkPosition | None = (account_id, "")
        while after is not None and after[0] == account_id:
            with self._source.ctx.metadata.read() as unit:
                found, after = unit.inspection.circling(after, limit=_AT_ONCE)
            if any(one.account_id == account_id for one in found):
                raise ExportUnreadable(
                    "the rows of the cut are damaged: a folder is inside itself. --path brings back single folders, and"
                    " --to writes all files to this machine"
                )
        self._is_checked = True

    def _below(self) -> Iterator[list[StoredObject]]:
        names = self._what.names
        yield [find(self._source, "/".join(names[:depth])).object for depth in range(1, len(names))]
        yield [self._what.object]
        waiting = [self._what.object.object_key] if self._what.object.is_folder else []
        while waiting:
            for page in folder_pages(self._source.ctx, self._source.account.account_id, waiting.pop()):
                yield page
                waiting += [one.object_key for one in page if one.is_folder]

    def albums(self) -> Iterator[ExportedAlbum]:
        if not self._is_whole:
            return
        with self._source.ctx.metadata.read() as unit:
            found = list(documents.albums(unit, self._source.account))
        yield from found

    def contacts(self) -> Iterator[Contact | str]:
        if not self._is_whole:
            return
        with self._source.ctx.metadata.read() as unit:
            found = list(documents.contacts(unit, self._source.account))
        yield from found

    def file(self, one: ExportedObject, version: ExportedVersion) -> trees.SourceFile:
        account_id, path = self._source.account.account_id, "/".join(one.place)
        with self._source.ctx.metadata.read() as unit:
            versions = unit.exports.versions(account_id, [one.key]).get(one.key, [])
        stored = next((each for each in versions if each.version == version.version), None)
        if stored is None:
            raise Unusable("is damaged where it comes from")
        return _StoredFile(
            path, one.place[-1], stored.size, in_range(stored.last_modified_at), one.key, stored.location
        )

    def preparer(self, run: ImportRun) -> FilePreparer:
        return _Preparer(run, self._source)


def copy_account(
    ctx: ServiceContext,
    account: Account,
    options: ImportOptions,
    listener: Callable[[Event], None],
    source: StoredAccount,
) -> ExportSummary:
    """Copy an account, or a path of it, into an account. Errors of the stores are raised."""
    try:
        return AccountImport(ctx, account, options, listener).run_account(source)
    finally:
        # Pictures get their facts from the running service.
        now, subject = ctx.clock.now(), str(account.account_id)
        ctx.metadata.write(lambda unit: unit.outbox.put(READ_DATES, subject, b"", now))


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
