"""Small file systems of their own, for what happens when one is full."""

import ctypes
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.real_parts.programs import ROOT, lacking

MIB: Final = 1024 * 1024
_DETACH: Final = 2


class SmallDisk:
    """A file system in memory; another program fills it, to the last byte if asked to."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self._foreign = place / "of another program"

    @property
    def free(self) -> int:
        return shutil.disk_usage(self.place).free

    def fill(self) -> None:
        """Write until not one more byte fits."""
        with self._foreign.open("ab", buffering=0) as file:
            for size in (MIB, 4096, 1):
                try:
                    while True:
                        file.write(bytes(size))
                except OSError:
                    pass
        assert self.free == 0

    def leave(self, free: int) -> None:
        """Write until about so many bytes are left."""
        with self._foreign.open("ab", buffering=0) as file:
            file.write(bytes(max(0, self.free - free)))

    def clear(self) -> None:
        """Delete what the other program has written."""
        self._foreign.unlink()


@contextmanager
def small_disk(place: Path, size: int) -> Iterator[SmallDisk]:
    """Mount a file system of that size; only root may."""
    place.mkdir()
    libc = ctypes.CDLL(None, use_errno=True)
    options = f"size={size}".encode()
    if os.geteuid() != 0 or libc.mount(b"skyshelf-test", bytes(place), b"tmpfs", 0, options) != 0:
        lacking(ROOT)
    try:
        yield SmallDisk(place)
    finally:
        libc.umount2(bytes(place), _DETACH)
