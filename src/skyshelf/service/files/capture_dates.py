"""Capture dates: when a picture or a video was taken, according to the file's own metadata.

An upload never waits for a media worker. The date of a JPEG is read from its first bytes during the upload; every other
file is committed without its date and read by a background job, which an entry in the outbox starts with the commit.
"""

import logging
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager

import msgspec

from skyshelf.service.context import ServiceContext
from skyshelf.service.media.capture import HEAD_BYTES, CaptureTime, Undecided, date_in, facts_in
from skyshelf.service.media.pool import MediaBusy
from skyshelf.service.media.process import MediaUnavailable
from skyshelf.service.media.protocol import CaptureDateJob
from skyshelf.storage.errors import AccountMissing, BadLocation, BlobCorrupt, BlobMissing, StorageError
from skyshelf.storage.metadata.contracts.files import MediaFacts, NewFile, UndatedFile
from skyshelf.storage.metadata.store import Unit

_log = logging.getLogger("skyshelf.background")

READ_DATES = "read-dates"
# Then the next account's job runs, and this one's continues after it.
FILES_AT_ONCE = 20
RETRY_MS = 10 * 1000
LARGEST_COPY = 512 * 1024 * 1024


class TooLargeToCopyError(Exception):
    """The blob is in a remote store and too large to copy for reading its metadata."""


class CaptureDate(msgspec.Struct, frozen=True):
    """A file's capture date, as far as it is known when the file is committed."""

    taken_at: int | None = None
    taken_day: int | None = None
    needs_date: bool = False
    facts: MediaFacts | None = None

    @property
    def taken(self) -> tuple[int, int] | None:
        """The time and the day, if they are known."""
        return None if self.taken_at is None or self.taken_day is None else (self.taken_at, self.taken_day)


def capture_date(taken: CaptureTime | None, facts: MediaFacts | None, *, needs_date: bool = False) -> CaptureDate:
    taken_at, taken_day = taken or (None, None)
    return CaptureDate(taken_at, taken_day, needs_date, facts)


def can_have_date(mime_type: str, mime_subtype: str) -> bool:
    return mime_type == "video" or (mime_type == "image" and mime_subtype != "svg+xml")


def known_date(
    ctx: ServiceContext, location: str, size: int, mime_type: str, mime_subtype: str, *, at_once: bool = False
) -> CaptureDate:
    """Return the date as far as it is known without a worker. `at_once` does not even read from a remote store."""
    if not can_have_date(mime_type, mime_subtype):
        return CaptureDate()
    if mime_subtype != "jpeg" or (at_once and ctx.blobs.local_path(location) is None):
        return CaptureDate(needs_date=True)
    try:
        with closing(ctx.blobs.read(location, 0, min(size, HEAD_BYTES))) as stream:
            return capture_date_in(b"".join(stream))
    except (Undecided, StorageError, OSError):
        return CaptureDate(needs_date=True)


def capture_date_in(head: bytes) -> CaptureDate:
    """Read the date from the first bytes of a JPEG; Undecided if they do not show whether it has one."""
    taken, facts = date_in(head), facts_in(head)
    # Without its size it has to wait for a worker, too.
    return capture_date(taken, facts, needs_date=facts is None)


# In the background


def enqueue_dates(unit: Unit, account_id: int, files: Iterable[NewFile], now: int) -> None:
    """Schedule the reading of missing dates with this transaction; call `JobNotifier.notify` after the commit."""
    if any(file.needs_date for file in files):
        unit.outbox.put(READ_DATES, str(account_id), b"", now)


def read_dates(ctx: ServiceContext, subject: str) -> Iterator[None]:
    """Read missing dates of a few files of an account; then the job is due again, after other accounts' jobs."""
    account_id = int(subject)
    try:
        with ctx.metadata.read() as unit:
            files = unit.undated.some(account_id, FILES_AT_ONCE)
        for file in files:
            _settle(ctx, account_id, file)
            yield
        if len(files) == FILES_AT_ONCE:
            _run_again(ctx, subject, 0)
    except (MediaBusy, MediaUnavailable):
        # The server is busy or shutting down.
        _run_again(ctx, subject, RETRY_MS)
    except AccountMissing:
        # The account was removed in the meantime, with everything in it.
        return


def _run_again(ctx: ServiceContext, subject: str, later: int) -> None:
    at = ctx.clock.now() + later
    ctx.metadata.write(lambda unit: unit.outbox.put(READ_DATES, subject, b"", at))


def _settle(ctx: ServiceContext, account_id: int, file: UndatedFile) -> None:
    found = known_date(ctx, file.location, file.size, file.mime_type, file.mime_subtype)
    if found.needs_date:
        found = _thoroughly(ctx, account_id, file)
    ctx.metadata.write(lambda unit: unit.undated.settle(account_id, file, found.taken, found.facts))


def _thoroughly(ctx: ServiceContext, account_id: int, file: UndatedFile) -> CaptureDate:
    """Have a worker read the date. It stays unknown if the file is broken, or keeps a worker busy for too long.

    Raises if the store or the workers are at fault; the job is then repeated later.
    """
    try:
        with local_file(ctx, file.location) as path:
            done = ctx.media.run(account_id, CaptureDateJob(path, file.mime_type, file.mime_subtype))
    except (BlobMissing, BlobCorrupt, BadLocation, TooLargeToCopyError):
        return CaptureDate()
    if done is None:
        _log.info("a file of account %d has no date: reading it took too long or failed", account_id)
    return capture_date(done.taken, done.facts) if done else CaptureDate()


@contextmanager
def local_file(ctx: ServiceContext, location: str) -> Iterator[str]:
    """Provide the path of a blob for libraries that need a file: the blob's own, or a temporary copy's."""
    path = ctx.blobs.local_path(location)
    if path is not None:
        yield str(path)
        return
    if ctx.blobs.size(location) > LARGEST_COPY:
        raise TooLargeToCopyError
    with tempfile.NamedTemporaryFile(prefix="skyshelf-") as copy:
        with closing(ctx.blobs.read(location)) as stream:
            copy.writelines(stream)
        copy.flush()
        os.fchmod(copy.fileno(), 0o600)
        yield copy.name
