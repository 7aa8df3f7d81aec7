"""Space on the file systems of embedded stores, and a ballast that is used up when one of them is full.

Deleting needs space, too: the database writes a log before it changes a page. On a disk that other programs have
filled, the ballast is what lets people log in and delete.
"""

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

from skyshelf.storage.errors import StoreFull
from skyshelf.storage.file_systems import mount_point

NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""Errors of the system that mean that nothing can be added."""
BALLAST_BYTES: Final = 16 * 1024 * 1024


class Space(NamedTuple):
    """The bytes that are free for this process, and all of them."""

    free: int
    total: int


def space_at(path: Path) -> Space | None:
    """Return the space of the file system of a path; None where the system does not say."""
    try:
        usage = shutil.disk_usage(path)
    except OSError:
        return None
    return Space(usage.free, usage.total)


def full_at(place: Path) -> StoreFull:
    """Return the error of a full disk, which names the disk."""
    return StoreFull(f"no space left for {place}, on the disk that is mounted at {mount_point(place)}")


def folder_of(file: int) -> Path | None:
    """Return the path of an open folder, or of the folder of an open file; None where the system does not say."""
    try:
        place = Path(f"/proc/self/fd/{file}").readlink()
    except OSError:
        return None
    return place if place.is_dir() else place.parent


@contextmanager
def naming_full(place: Path) -> Iterator[None]:
    """Errors of a full disk name it, for a block that writes at this place."""
    try:
        yield
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        raise full_at(place) from error


def give_to_owner_of(folder: Path, made: int | Path) -> None:
    """What root makes in somebody's folder belongs to that somebody, who could not use it otherwise."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        state = folder.stat()
        os.chown(made, state.st_uid, state.st_gid)


def allocate(path: Path, size: int) -> bool:
    """Make sure that the first bytes of an existing file have their blocks, so writing there needs no space; false
    where that fails, or where the system cannot allocate."""
    if not hasattr(os, "posix_fallocate"):
        return False
    try:
        file = os.open(path, os.O_WRONLY)
        try:
            os.posix_fallocate(file, 0, size)
        finally:
            os.close(file)
    except OSError:
        return False
    return True


class Ballast:
    """A file without meaning beside the database, whose blocks are really allocated."""

    def __init__(self, path: Path, size: int = BALLAST_BYTES) -> None:
        self._path = path
        self.size = size

    def is_there(self) -> bool:
        """Whether it has its whole size."""
        return self._path.exists() and self._path.stat().st_size >= self.size

    def fill(self) -> None:
        """Allocate it; without effect where that fails, or where the system cannot allocate."""
        if self.is_there():
            return
        was_there = self._path.exists()
        try:
            file = os.open(self._path, os.O_CREAT | os.O_WRONLY, 0o600)
            try:
                give_to_owner_of(self._path.parent, file)
            finally:
                os.close(file)
        except OSError:
            return
        if not allocate(self._path, self.size) and not was_there:
            self.release()

    def release(self) -> bool:
        """Give its space back; false when it was not there."""
        with suppress(OSError):
            self._path.unlink()
            return True
        return False
