"""Capture dates: when a picture or a video was taken, according to the file's own metadata."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from skyshelf.service.context import ServiceContext
from skyshelf.service.media.protocol import CaptureDateJob
from skyshelf.storage.errors import StorageError

DATED = {"image", "video"}
LARGEST_COPY = 512 * 1024 * 1024


class TooLargeToCopyError(Exception):
    """The blob is in a remote store and too large to copy for reading its metadata."""


def capture_date(ctx: ServiceContext, location: str, mime_type: str, mime_subtype: str) -> tuple[int, int] | None:
    """(epoch milliseconds, month and day as 1231), or None where the file has no date. Never raises for a file."""
    if mime_type not in DATED:
        return None
    try:
        with local_file(ctx, location) as path:
            done = ctx.media.run(CaptureDateJob(path, mime_type, mime_subtype))
            return done.taken if done else None
    except (StorageError, OSError, TooLargeToCopyError):
        return None


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
