"""When a picture or a video was taken, from the file's own metadata."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from skyshelf.service.context import ServiceContext
from skyshelf.service.media.protocol import TakenJob
from skyshelf.storage.errors import StorageError

# A blob as a file on this machine, for libraries that want one.

LARGEST_COPY = 512 * 1024 * 1024


class TooLargeToCopyError(Exception):
    """The blob is elsewhere, and larger than what is worth copying for a look at it."""


@contextmanager
def local_file(ctx: ServiceContext, location: str) -> Iterator[str]:
    """The path of the blob itself where the store has files, else of a copy that lives as long as the block."""
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


# When a picture or a video was taken, from the file's own metadata.

DATED = {"image", "video"}


def taken(ctx: ServiceContext, location: str, mime_type: str, mime_subtype: str) -> tuple[int, int] | None:
    """(epoch milliseconds, month and day as 1231), or None where the file does not tell. Never raises for a file."""
    if mime_type not in DATED:
        return None
    try:
        with local_file(ctx, location) as path:
            done = ctx.media.run(TakenJob(path, mime_type, mime_subtype))
            return done.taken if done else None
    except (StorageError, OSError, TooLargeToCopyError):
        return None
