"""One file on its way: compared with what the drive has, read, hashed and made a blob; in a thread of its own."""

import threading
from collections.abc import Sequence
from functools import partial

import msgspec

from skyshelf.service.context import ServiceContext
from skyshelf.service.files.capture_dates import DATED
from skyshelf.service.importing import ImportOptions
from skyshelf.service.importing.drive_tree import There
from skyshelf.service.importing.local_tree import ChangingError, LocalFile, OpenFile
from skyshelf.service.importing.report import Teller
from skyshelf.service.media.protocol import CaptureDateJob
from skyshelf.storage.blobs.hashing import ContentHash
from skyshelf.storage.blobs.protocols import BlobBatch
from skyshelf.storage.blobs.streams import pieces_of
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.files import NewFile, Version
from skyshelf.wire.names import category, split_mime


class StoppedError(Exception):
    """The import is asked to end."""


class Arriving(msgspec.Struct, frozen=True):
    """A file of this machine, and where it goes."""

    file: LocalFile
    parent_key: str
    name: str
    there: There | None


class Prepared(msgspec.Struct, frozen=True):
    """A file whose blob waits to be sealed."""

    arriving: Arriving
    new: NewFile
    linked: bool


Outcome = Prepared | OSError | ChangingError | None
"""None when the drive has the file already."""


class Preparing:
    """What the threads of an import share."""

    def __init__(
        self, ctx: ServiceContext, account: Account, options: ImportOptions, teller: Teller, stop: threading.Event
    ) -> None:
        self._ctx = ctx
        self._account = account
        self._options = options
        self._teller = teller
        self._stop = stop

    def prepare(self, batch: BlobBatch, arriving: Arriving) -> Prepared | None:
        """None when the drive has it already. OSError and ChangingError are about this file alone."""
        self._refuse_stopped(0)
        with OpenFile(arriving.file, follow=self._options.follow_links) as opened:
            if self._is_there(opened, arriving):
                return None
            progress = partial(self._moving, arriving.file.path, opened)
            taken = batch.take(opened.descriptor, self._options.way, progress=progress)
            try:
                opened.refuse_changed(taken.blob.size)
            except ChangingError:
                batch.drop(taken.blob.location)
                raise
            mime_type, mime_subtype = split_mime(arriving.name)
            taken_at, taken_day = self._dates(opened, mime_type, mime_subtype) or (None, None)
            new = NewFile(
                object_key=self._ctx.new_key(),
                parent_key=arriving.parent_key,
                name=arriving.name,
                sha256=taken.blob.sha256,
                md5=taken.blob.md5,
                size=taken.blob.size,
                location=taken.blob.location,
                category=category(mime_type),
                mime_type=mime_type,
                mime_subtype=mime_subtype,
                file_created_at=opened.modified_at,
                last_modified_at=opened.modified_at,
                created_by=self._account.first_name,
                taken_at=taken_at,
                taken_day=taken_day,
            )
            return Prepared(arriving, new, linked=taken.way != "copy")

    def prepare_all(self, batch: BlobBatch, handful: Sequence[Arriving]) -> list[Outcome]:
        """What became of each: to hand over a small file by itself would take as long as to read it."""
        return [self._outcome(batch, one) for one in handful]

    def _outcome(self, batch: BlobBatch, arriving: Arriving) -> Outcome:
        try:
            return self.prepare(batch, arriving)
        except (OSError, ChangingError) as wrong:
            return wrong

    def is_unchanged(self, arriving: Arriving) -> bool:
        """Whether the drive has it already, for whoever only wants to know. Errors as for prepare."""
        with OpenFile(arriving.file, follow=self._options.follow_links) as opened:
            return self._is_there(opened, arriving)

    def _is_there(self, opened: OpenFile, arriving: Arriving) -> bool:
        """Whether some version of the file in the drive is this one.

        An older one counts too: then it was imported before, and somebody has changed it in the drive since.
        """
        there = arriving.there
        if there is None:
            return False
        versions = self._versions(there)
        alike = [one for one in versions if one.size == opened.size]
        if not self._options.by_content and any(one.last_modified_at == opened.modified_at for one in alike):
            return True
        if not alike:
            return False
        content = ContentHash()
        for piece in pieces_of(opened.descriptor, self._refuse_stopped):
            content.update(piece)
        return any((one.size, one.md5) == (content.size, content.md5) for one in alike)

    def _versions(self, there: There) -> list[Version]:
        with self._ctx.metadata.read() as unit:
            return unit.files.versions(self._account.account_id, there.object_key)

    def _dates(self, opened: OpenFile, mime_type: str, mime_subtype: str) -> tuple[int, int] | None:
        """When it was taken, by the file itself; a worker process looks, as for uploads."""
        if mime_type not in DATED or opened.path_for_others is None:
            return None
        done = self._ctx.media.run(CaptureDateJob(opened.path_for_others, mime_type, mime_subtype))
        return done.taken if done else None

    def _moving(self, path: str, opened: OpenFile, done: int) -> None:
        self._refuse_stopped(done)
        # A log that somebody writes to as fast as we read has no end.
        opened.refuse_longer(done)
        self._teller.moving(path, done)

    def _refuse_stopped(self, _done: int) -> None:
        if self._stop.is_set():
            raise StoppedError
