"""The folders and files of this machine, as an import walks them."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import msgspec

from skyshelf.wire.limits import TIME_MS_MAX

_READ = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
_WRITTEN_TO = "it was written to while it was read: run the import again"
Identity = tuple[int, int]
"""Device and inode: one thing, whatever it is called."""


class ChangingError(Exception):
    """The file was written to while it was read."""


class LocalFile(msgspec.Struct, frozen=True):
    path: str
    name: str
    size: int
    modified_at: int
    """Epoch milliseconds, within what the interface can say."""


class LocalFolder(msgspec.Struct, frozen=True):
    path: str
    name: str
    above: frozenset[Identity] = frozenset()
    """The folders that it is in, itself included; only where links are followed, which may lead back into them."""


class Listing(msgspec.Struct):
    """What is in one folder, each by name, and why what cannot come along is left out."""

    folders: list[LocalFolder] = []
    files: list[LocalFile] = []
    left_out: list[tuple[str, str]] = []


def listing(folder: LocalFolder, *, follow: bool, without: frozenset[Identity]) -> Listing:
    """OSError when the folder cannot be read."""
    found = Listing()
    with os.scandir(folder.path) as entries:
        for entry in sorted(entries, key=lambda one: os.fsencode(one.name)):
            try:
                state = entry.stat(follow_symlinks=follow)
            except OSError as wrong:
                why = "it is a link to nothing" if entry.is_symlink() else f"it cannot be looked at: {wrong.strerror}"
                found.left_out.append((entry.path, why))
                continue
            _sort(found, folder, entry, state, without)
    return found


def _sort(
    found: Listing, folder: LocalFolder, entry: "os.DirEntry[str]", state: os.stat_result, without: frozenset[Identity]
) -> None:
    identity = (state.st_dev, state.st_ino)
    if stat.S_ISLNK(state.st_mode):
        found.left_out.append((entry.path, "it is a link, and links are not followed"))
    elif identity in without:
        found.left_out.append((entry.path, "it belongs to this service itself"))
    elif stat.S_ISREG(state.st_mode):
        found.files.append(LocalFile(entry.path, entry.name, state.st_size, modified_ms(state)))
    elif not stat.S_ISDIR(state.st_mode):
        found.left_out.append((entry.path, "it is neither a file nor a folder"))
    elif identity in folder.above:
        found.left_out.append((entry.path, "it leads back to where it is"))
    else:
        above = folder.above | {identity} if folder.above else folder.above
        found.folders.append(LocalFolder(entry.path, entry.name, above))


def identity_of(path: str) -> Identity:
    state = Path(path).stat()
    return state.st_dev, state.st_ino


def modified_ms(state: os.stat_result) -> int:
    return min(max(state.st_mtime_ns // 1_000_000, 0), TIME_MS_MAX)


def count(folder: LocalFolder, *, follow: bool, without: frozenset[Identity]) -> Iterator[LocalFile]:
    """Every file below, for a progress that knows the whole; what cannot be read is told by the import itself."""
    waiting = [folder]
    while waiting:
        try:
            found = listing(waiting.pop(), follow=follow, without=without)
        except OSError:
            continue
        waiting += found.folders
        yield from found.files


class OpenFile:
    """A file that is open for reading; it notices when somebody writes to it meanwhile."""

    def __init__(self, file: LocalFile, *, follow: bool) -> None:
        nofollow = 0 if follow else getattr(os, "O_NOFOLLOW", 0)
        self.descriptor = os.open(file.path, _READ | nofollow)
        self._state = os.fstat(self.descriptor)
        self.size = self._state.st_size
        self.modified_at = modified_ms(self._state)

    def __enter__(self) -> "OpenFile":
        if not stat.S_ISREG(self._state.st_mode):
            os.close(self.descriptor)
            raise ChangingError("it is no file any more")
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.descriptor)

    def refuse_changed(self, size: int) -> None:
        """ChangingError unless it is as it was when it was opened, and as long as what was read of it."""
        now = os.fstat(self.descriptor)
        if (now.st_size, now.st_mtime_ns) != (size, self._state.st_mtime_ns):
            raise ChangingError(_WRITTEN_TO)

    def refuse_longer(self, size: int) -> None:
        """ChangingError when more was read of it than it had when it was opened."""
        if size > self.size:
            raise ChangingError(_WRITTEN_TO)

    @property
    def path_for_others(self) -> str | None:
        """A path by which another process of this user can open exactly this file, in plain characters."""
        path = f"/proc/{os.getpid()}/fd/{self.descriptor}"
        return path if Path(path).exists() else None
