"""A blob as a file on this machine, for libraries that want one."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from skyshelf.service.house import House

LARGEST_COPY = 512 * 1024 * 1024


class TooLargeToCopyError(Exception):
    """The blob is elsewhere, and larger than what is worth copying for a look at it."""


@contextmanager
def local_file(house: House, location: str) -> Iterator[str]:
    """The path of the blob itself where the store has files, else of a copy that lives as long as the block."""
    path = house.blobs.local_path(location)
    if path is not None:
        yield str(path)
        return
    if house.blobs.size(location) > LARGEST_COPY:
        raise TooLargeToCopyError
    with tempfile.NamedTemporaryFile(prefix="skyshelf-") as copy:
        stream = house.blobs.read(location)
        try:
            for piece in stream:
                copy.write(piece)
        finally:
            stream.close()
        copy.flush()
        os.fchmod(copy.fileno(), 0o600)
        yield copy.name
