"""Preparation of files: they are compared with the drive, read, hashed and stored as blobs, in several threads."""

import os
from collections.abc import Sequence
from contextlib import suppress
from functools import partial

import msgspec
from msgspec.structs import replace

from skyshelf.service.files.capture_dates import CaptureDate, can_have_date, capture_date, capture_date_in
from skyshelf.service.importing import ImportRun
from skyshelf.service.importing.trees import DriveEntry, OpenFile, SourceChanged, SourceFile
from skyshelf.service.media.capture import HEAD_BYTES, Undecided
from skyshelf.service.media.protocol import CaptureDateJob
from skyshelf.storage.blobs.hashing import ContentHash
from skyshelf.storage.blobs.protocols import BlobBatch, StoredBlob
from skyshelf.storage.blobs.streams import pieces_of
from skyshelf.storage.metadata.contracts.files import NewFile
from skyshelf.wire.names import category, split_mime

_OTHER_CONTENT = "is not what was exported: its checksum differs"


class KnownFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What an export says about a content; without one, the file of this machine says it."""

    sha256: str
    created_at: int
    modified_at: int
    created_by: str
    expected_version: int | None = None
    """The version in the drive, 0 for a file that must be new; None for whatever is there."""


class ImportItem(msgspec.Struct, frozen=True):
    """A source file and its destination."""

    file: SourceFile
    parent_key: str
    name: str
    existing: DriveEntry | None
    known: KnownFacts | None = None


class PreparedFile(msgspec.Struct, frozen=True):
    """A file whose blob waits to be sealed."""

    item: ImportItem
    new: NewFile
    linked: bool


PrepareOutcome = PreparedFile | OSError | SourceChanged | None
"""None if the drive already has the file."""


def _check_content(item: ImportItem, sha256: str) -> None:
    """SourceChanged if a content is not the one that was exported."""
    if item.known is not None and item.known.sha256 != sha256:
        raise SourceChanged(_OTHER_CONTENT)


class FilePreparer:
    """Prepares files; the threads of an import share it."""

    def __init__(self, run: ImportRun) -> None:
        self._run = run

    def prepare_all(self, blobs: BlobBatch, items: Sequence[ImportItem]) -> list[PrepareOutcome]:
        """Prepare several files, one outcome each: submitting a small file alone costs as much as reading it."""
        outcomes: list[PrepareOutcome] = []
        for item in items:
            try:
                outcomes.append(self._prepare(blobs, item))
            except (OSError, SourceChanged) as error:
                outcomes.append(error)
        return outcomes

    def is_unchanged(self, item: ImportItem) -> bool:
        """Whether the drive already has the file, for a dry run. OSError and SourceChanged concern this file."""
        with OpenFile(item.file, follow=self._run.options.follow_links) as opened:
            return self._is_in_drive(opened, item)

    def _prepare(self, blobs: BlobBatch, item: ImportItem) -> PreparedFile | None:
        self._run.check_stopped()
        with OpenFile(item.file, follow=self._run.options.follow_links) as opened:
            if self._is_in_drive(opened, item):
                return None
            progress = partial(self._progress, item.file.path, opened)
            taken = blobs.take(opened.descriptor, self._run.options.way, progress=progress)
            try:
                opened.check_unchanged(taken.blob.size)
                _check_content(item, taken.blob.sha256)
            except SourceChanged:
                blobs.drop(taken.blob.location)
                raise
            known = item.known or KnownFacts(
                sha256=taken.blob.sha256,
                created_at=opened.modified_at,
                modified_at=opened.modified_at,
                created_by=self._run.account.first_name,
            )
            new = self._new_file(item, taken.blob, known)
            date = self._capture_date(opened, new.mime_type, new.mime_subtype)
            new = replace(new, taken_at=date.taken_at, taken_day=date.taken_day, facts=date.facts)
            return PreparedFile(item, new, linked=taken.mode != "copy")

    def _new_file(self, item: ImportItem, blob: StoredBlob, known: KnownFacts) -> NewFile:
        mime_type, mime_subtype = split_mime(item.name)
        return NewFile(
            object_key=self._run.ctx.new_key(),
            parent_key=item.parent_key,
            name=item.name,
            sha256=blob.sha256,
            md5=blob.md5,
            size=blob.size,
            location=blob.location,
            category=category(mime_type),
            mime_type=mime_type,
            mime_subtype=mime_subtype,
            file_created_at=known.created_at,
            last_modified_at=known.modified_at,
            created_by=known.created_by,
            expected_version=known.expected_version,
        )

    def _is_in_drive(self, opened: OpenFile, item: ImportItem) -> bool:
        """Whether any version of the file in the drive is this one.

        An older version counts, too: it was imported before, and the file in the drive has changed since.
        """
        if item.existing is None:
            return False
        with self._run.ctx.metadata.read() as unit:
            versions = unit.files.versions(self._run.account.account_id, item.existing.object_key)
        same_size = [version for version in versions if version.size == opened.size]
        is_same_time = any(version.last_modified_at == opened.modified_at for version in same_size)
        if is_same_time and not self._run.options.by_content:
            return True
        if not same_size:
            return False
        content = ContentHash()
        for piece in pieces_of(opened.descriptor, lambda _done: self._run.check_stopped()):
            content.update(piece)
        return any((version.size, version.md5) == (content.size, content.md5) for version in same_size)

    def _capture_date(self, opened: OpenFile, mime_type: str, mime_subtype: str) -> CaptureDate:
        """Read when and where it was taken; like for uploads, by a worker process unless the file is a plain JPEG."""
        if not can_have_date(mime_type, mime_subtype):
            return CaptureDate()
        if mime_subtype == "jpeg":
            with suppress(Undecided):
                found = capture_date_in(os.pread(opened.descriptor, HEAD_BYTES, 0))
                if not found.needs_date:
                    return found
        path = opened.shared_path
        if path is None:
            return CaptureDate()
        job = CaptureDateJob(path, mime_type, mime_subtype)
        done = self._run.ctx.media.run(self._run.account.account_id, job)
        return capture_date(done.taken, done.facts) if done else CaptureDate()

    def _progress(self, path: str, opened: OpenFile, done: int) -> None:
        self._run.check_stopped()
        # A log that grows as fast as it is read would never end.
        opened.check_not_longer(done)
        self._run.reporter.progress(path, done)
