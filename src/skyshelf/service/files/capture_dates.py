"""Capture dates: when a picture or a video was taken, according to the file's own metadata.

An upload never waits for a media worker. The date of a JPEG is read from its first bytes on the way; every other file
is committed without its date and read by a background job, which an entry in the outbox starts with the commit.
"""

import logging
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import msgspec

from skyshelf.service.context import ServiceContext
from skyshelf.service.media.dates import Taken
from skyshelf.service.media.jpeg_facts import facts_in
from skyshelf.service.media.jpeg_head import HEAD_BYTES, Undecided, date_in
from skyshelf.service.media.process import MediaUnavailable
from skyshelf.service.media.protocol import CaptureDateJob
from skyshelf.service.media.queue import MediaBusy
from skyshelf.storage.errors import AccountMissing, BadLocation, BlobCorrupt, BlobMissing, StorageError
from skyshelf.storage.metadata.contracts.files import NewFile
from skyshelf.storage.metadata.contracts.media_facts import MediaFacts
from skyshelf.storage.metadata.contracts.undated import UndatedFile
from skyshelf.storage.metadata.store import Unit

_log = logging.getLogger("skyshelf.background")

READ_DATES = "read-dates"
# Then the next account's job runs, and this one's again after it.
FILES_AT_ONCE = 20
RETRY_MS = 10 * 1000
LARGEST_COPY = 512 * 1024 * 1024


class TooLargeToCopyError(Exception):
    """The blob is in a remote store and too large to copy for reading its metadata."""


class KnownDate(msgspec.Struct, frozen=True):
    """What is known of a file's date when it is committed."""

    taken_at: int | None = None
    taken_day: int | None = None
    needs_date: bool = False
    facts: MediaFacts | None = None


def known(taken: Taken | None, facts: MediaFacts | None, *, needs_date: bool = False) -> KnownDate:
    taken_at, taken_day = taken or (None, None)
    return KnownDate(taken_at, taken_day, needs_date, facts)


def can_have_date(mime_type: str, mime_subtype: str) -> bool:
    return mime_type == "video" or (mime_type == "image" and mime_subtype != "svg+xml")


def known_date(
    ctx: ServiceContext, location: str, size: int, mime_type: str, mime_subtype: str, *, at_once: bool = False
) -> KnownDate:
    """The date as far as it is known without a worker. `at_once` does not even read from a remote store."""
    if not can_have_date(mime_type, mime_subtype):
        return KnownDate()
    if mime_subtype != "jpeg" or (at_once and ctx.blobs.local_path(location) is None):
        return KnownDate(needs_date=True)
    try:
        return known_in(_head(ctx, location, size))
    except (Undecided, StorageError, OSError):
        return KnownDate(needs_date=True)


def known_in(head: bytes) -> KnownDate:
    """What the first bytes of a JPEG say; Undecided where they do not say whether it has a date."""
    taken = date_in(head)
    facts = facts_in(head)
    # Without its size it waits for a worker, too.
    return known(taken, facts, needs_date=facts is None)


def _head(ctx: ServiceContext, location: str, size: int) -> bytes:
    stream = ctx.blobs.read(location, 0, min(size, HEAD_BYTES))
    try:
        return b"".join(stream)
    finally:
        stream.close()


# In the background


def enqueue_dates(unit: Unit, account_id: int, files: Iterable[NewFile], now: int) -> None:
    """Have missing dates read once the transaction is committed; call `JobNotifier.notify` then."""
    if any(file.needs_date for file in files):
        unit.outbox.put(READ_DATES, str(account_id), b"", now)


def read_dates(ctx: ServiceContext, subject: str) -> Iterator[None]:
    """Read missing dates of an account, a few files; then the job is due again, after those of other accounts."""
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
        # The server is busy, or stops.
        _run_again(ctx, subject, RETRY_MS)
    except AccountMissing:
        # The account was removed in the meantime, with everything in it.
        return


def _run_again(ctx: ServiceContext, subject: str, later: int) -> None:
    at = ctx.clock.now() + later
    ctx.metadata.write(lambda unit: unit.outbox.put(READ_DATES, subject, b"", at))


def _settle(ctx: ServiceContext, account_id: int, file: UndatedFile) -> None:
    found = _quickly(ctx, file) or _thoroughly(ctx, account_id, file)
    taken = None if found.taken_at is None or found.taken_day is None else (found.taken_at, found.taken_day)
    ctx.metadata.write(lambda unit: unit.undated.settle(account_id, file, taken, found.facts))


def _quickly(ctx: ServiceContext, file: UndatedFile) -> KnownDate | None:
    """Without a worker, if the first bytes of a JPEG say everything."""
    if file.mime_subtype != "jpeg":
        return None
    try:
        found = known_in(_head(ctx, file.location, file.size))
    except (Undecided, StorageError, OSError):
        return None
    return None if found.needs_date else found


def _thoroughly(ctx: ServiceContext, account_id: int, file: UndatedFile) -> KnownDate:
    """By a worker. Nothing is known where the file is broken, or keeps a worker busy for too long.

    Raises where the store or the workers are at fault; the job is then repeated later.
    """
    try:
        with local_file(ctx, file.location) as path:
            done = ctx.media.run(account_id, CaptureDateJob(path, file.mime_type, file.mime_subtype))
    except (BlobMissing, BlobCorrupt, BadLocation, TooLargeToCopyError):
        return KnownDate()
    if done is None:
        _log.info("a file of account %d has no date: reading it took too long or failed", account_id)
    return known(done.taken, done.facts) if done else KnownDate()


@contextmanager
def local_file(ctx: ServiceContext, location: str) -> Iterator[str]:
    """The path of a blob for libraries that need a file: the blob's own, or that of a temporary copy."""
    path = ctx.blobs.local_path(location)
    if path is not None:
        yield str(path)
        return
    if ctx.blobs.size(location) > LARGEST_COPY:
        raise TooLargeToCopyError
    with tempfile.NamedTemporaryFile(prefix="skyshelf-") as copy:
        stream = ctx.blobs.read(location)
        try:
            for piece in stream:
                copy.write(piece)
        finally:
            stream.close()
        copy.flush()
        os.fchmod(copy.fileno(), 0o600)
        yield copy.name
