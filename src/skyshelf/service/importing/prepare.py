"""Preparation of files: compared with the drive, read, hashed and stored as blobs, in several threads."""

import os
from collections.abc import Sequence
from contextlib import suppress
from functools import partial

import msgspec

from skyshelf.service.files.capture_dates import KnownDate, can_have_date, known, known_in
from skyshelf.service.importing import ImportRun
from skyshelf.service.importing.drive_tree import DriveEntry
from skyshelf.service.importing.local_tree import OpenFile, SourceChanged, SourceFile
from skyshelf.service.media.jpeg_head import HEAD_BYTES, Undecided
from skyshelf.service.media.protocol import CaptureDateJob
from skyshelf.storage.blobs.hashing import ContentHash
from skyshelf.storage.blobs.protocols import BlobBatch
from skyshelf.storage.blobs.streams import pieces_of
from skyshelf.storage.metadata.contracts.files import NewFile, Version
from skyshelf.wire.names import category, split_mime


class ImportItem(msgspec.Struct, frozen=True):
    """A source file and where it goes."""

    file: SourceFile
    parent_key: str
    name: str
    existing: DriveEntry | None


class PreparedFile(msgspec.Struct, frozen=True):
    """A file whose blob waits to be sealed."""

    item: ImportItem
    new: NewFile
    linked: bool


PrepareOutcome = PreparedFile | OSError | SourceChanged | None
"""None when the drive already has the file."""


class FilePreparer:
    """Prepares files; the threads of an import share it."""

    def __init__(self, run: ImportRun) -> None:
        self._run = run

    def prepare_all(self, blobs: BlobBatch, items: Sequence[ImportItem]) -> list[PrepareOutcome]:
        """One outcome per file. Several at once, because handing over a small file costs as much as reading it."""
        return [self._outcome(blobs, item) for item in items]

    def is_unchanged(self, item: ImportItem) -> bool:
        """Whether the drive already has the file, for a dry run. OSError and FileChangedError are this file's."""
        with OpenFile(item.file, follow=self._run.options.follow_links) as opened:
            return self._is_in_drive(opened, item)

    def _outcome(self, blobs: BlobBatch, item: ImportItem) -> PrepareOutcome:
        try:
            return self._prepare(blobs, item)
        except (OSError, SourceChanged) as error:
            return error

    def _prepare(self, blobs: BlobBatch, item: ImportItem) -> PreparedFile | None:
        self._run.check_stopped()
        with OpenFile(item.file, follow=self._run.options.follow_links) as opened:
            if self._is_in_drive(opened, item):
                return None
            progress = partial(self._progress, item.file.path, opened)
            taken = blobs.take(opened.descriptor, self._run.options.way, progress=progress)
            try:
                opened.check_unchanged(taken.blob.size)
            except SourceChanged:
                blobs.drop(taken.blob.location)
                raise
            mime_type, mime_subtype = split_mime(item.name)
            date = self._capture_date(opened, mime_type, mime_subtype)
            new = NewFile(
                object_key=self._run.ctx.new_key(),
                parent_key=item.parent_key,
                name=item.name,
                sha256=taken.blob.sha256,
                md5=taken.blob.md5,
                size=taken.blob.size,
                location=taken.blob.location,
                category=category(mime_type),
                mime_type=mime_type,
                mime_subtype=mime_subtype,
                file_created_at=opened.modified_at,
                last_modified_at=opened.modified_at,
                created_by=self._run.account.first_name,
                taken_at=date.taken_at,
                taken_day=date.taken_day,
                facts=date.facts,
            )
            return PreparedFile(item, new, linked=taken.mode != "copy")

    def _is_in_drive(self, opened: OpenFile, item: ImportItem) -> bool:
        """Whether any version of the file in the drive is this one.

        An older version counts, too: it was imported before, and somebody has changed the file in the drive since.
        """
        if item.existing is None:
            return False
        same_size = [version for version in self._versions(item.existing) if version.size == opened.size]
        if not self._run.options.by_content and any(
            version.last_modified_at == opened.modified_at for version in same_size
        ):
            return True
        if not same_size:
            return False
        content = ContentHash()
        for piece in pieces_of(opened.descriptor, lambda _done: self._run.check_stopped()):
            content.update(piece)
        return any((version.size, version.md5) == (content.size, content.md5) for version in same_size)

    def _versions(self, existing: DriveEntry) -> list[Version]:
        with self._run.ctx.metadata.read() as unit:
            return unit.files.versions(self._run.account.account_id, existing.object_key)

    def _capture_date(self, opened: OpenFile, mime_type: str, mime_subtype: str) -> KnownDate:
        """When and where it was taken; as for uploads, a worker process reads it unless the file is a plain JPEG."""
        if not can_have_date(mime_type, mime_subtype):
            return KnownDate()
        if mime_subtype == "jpeg":
            with suppress(Undecided):
                found = known_in(os.pread(opened.descriptor, HEAD_BYTES, 0))
                if not found.needs_date:
                    return found
        path = opened.shared_path
        if path is None:
            return KnownDate()
        job = CaptureDateJob(path, mime_type, mime_subtype)
        done = self._run.ctx.media.run(self._run.account.account_id, job)
        return known(done.taken, done.facts) if done else KnownDate()

    def _progress(self, path: str, opened: OpenFile, done: int) -> None:
        self._run.check_stopped()
        # A log that grows as fast as it is read would never end.
        opened.check_not_longer(done)
        self._run.reporter.progress(path, done)
