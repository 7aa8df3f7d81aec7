"""The one local folder that uploads may come from."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from msgspec import Struct

from skyshelf.agent.download_root import names_below
from skyshelf.agent.errors import SOURCE_NOT_ALLOWED, DestinationNotAllowedError, ToolRefusal
from skyshelf.client.local.files import LocalFolder

_OPEN: Final = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_HELD: Final = Path("/dev/fd")
"""Where an open file has its own path, which cannot become that of another file."""


class OpenSource(Struct, frozen=True):
    """A file to upload, held open: its name, its size, and a path of exactly this file."""

    name: str
    size: int
    path: Path


class UploadRoot:
    """Opens a file named by a model if it lies below the root, or refuses it. No symbolic link is followed."""

    def __init__(self, path: Path) -> None:
        # Links in the root's own path are the operator's choice.
        self.path = Path(os.path.realpath(path))

    @contextmanager
    def open(self, source: str) -> Iterator[OpenSource]:
        """Hold a file open for the block."""
        try:
            names = names_below(self.path, source, "source")
        except DestinationNotAllowedError as error:
            raise ToolRefusal(SOURCE_NOT_ALLOWED, error.message) from None
        if not names or not self.path.is_dir():
            raise _refusal("does not name a file in the upload folder")
        folder = LocalFolder.open(self.path)
        try:
            for name in names[:-1]:
                _check(folder.stat(name), is_folder=True)
                inner = folder.enter(name)
                folder.close()
                folder = inner
            _check(folder.stat(names[-1]), is_folder=False)
            at = names[-1] if folder.descriptor is not None else folder.path / names[-1]
            file = os.open(at, _OPEN, dir_fd=folder.descriptor)
        finally:
            folder.close()
        try:
            found = os.fstat(file)
            _check(found, is_folder=False)
            held = _HELD / str(file)
            yield OpenSource(names[-1], found.st_size, held if held.exists() else self.path.joinpath(*names))
        finally:
            os.close(file)


def _check(found: os.stat_result | None, *, is_folder: bool) -> None:
    if found is None:
        raise _refusal("does not exist in the upload folder")
    if stat.S_ISLNK(found.st_mode):
        raise _refusal("is, or lies behind, a symbolic link, and links are not followed")
    if not (stat.S_ISDIR if is_folder else stat.S_ISREG)(found.st_mode):
        raise _refusal("is not a regular file")


def _refusal(problem: str) -> ToolRefusal:
    return ToolRefusal(SOURCE_NOT_ALLOWED, f"the source {problem}. Nothing was done.")
