"""The source tree: folders and files of this machine as an import walks them."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import msgspec

from skyshelf.wire.limits import TIME_MS_MAX

_READ = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
_CHANGED = "changed while it was read: run the import again"
Identity = tuple[int, int]
"""Device and inode: the same file or folder under any name."""


class SourceChanged(Exception):
    """The file was written to while it was read."""


class SourceFile(msgspec.Struct, frozen=True):
    path: str
    name: str
    size: int
    modified_at: int
    """Epoch milliseconds, within the interface's range."""


class SourceFolder(msgspec.Struct, frozen=True):
    path: str
    name: str
    ancestors: frozenset[Identity] = frozenset()
    """The folders it is in, itself included; only where links are followed, which may lead back into them."""


class SourceListing(msgspec.Struct):
    """A folder's entries by name, and the skipped ones with a reason."""

    folders: list[SourceFolder] = []
    files: list[SourceFile] = []
    skipped: list[tuple[str, str]] = []


def list_folder(folder: SourceFolder, *, follow: bool, without: frozenset[Identity]) -> SourceListing:
    """OSError when the folder cannot be read."""
    found = SourceListing()
    with os.scandir(folder.path) as entries:
        for entry in sorted(entries, key=lambda one: os.fsencode(one.name)):
            try:
                state = entry.stat(follow_symlinks=follow)
            except OSError as error:
                reason = "broken link" if entry.is_symlink() else f"cannot be read: {error.strerror}"
                found.skipped.append((entry.path, reason))
                continue
            _add_entry(found, folder, entry, state, without)
    return found


def _add_entry(
    found: SourceListing,
    folder: SourceFolder,
    entry: "os.DirEntry[str]",
    state: os.stat_result,
    without: frozenset[Identity],
) -> None:
    identity = (state.st_dev, state.st_ino)
    if stat.S_ISLNK(state.st_mode):
        found.skipped.append((entry.path, "symbolic link: --follow-links imports its target"))
    elif identity in without:
        found.skipped.append((entry.path, "belongs to the service itself"))
    elif stat.S_ISREG(state.st_mode):
        found.files.append(SourceFile(entry.path, entry.name, state.st_size, modified_ms(state)))
    elif not stat.S_ISDIR(state.st_mode):
        found.skipped.append((entry.path, "neither a file nor a folder"))
    elif identity in folder.ancestors:
        found.skipped.append((entry.path, "link to a folder that contains it"))
    else:
        ancestors = folder.ancestors | {identity} if folder.ancestors else folder.ancestors
        found.folders.append(SourceFolder(entry.path, entry.name, ancestors))


def identity_of(path: str) -> Identity:
    state = Path(path).stat()
    return state.st_dev, state.st_ino


def modified_ms(state: os.stat_result) -> int:
    return min(max(state.st_mtime_ns // 1_000_000, 0), TIME_MS_MAX)


def walk_files(folder: SourceFolder, *, follow: bool, without: frozenset[Identity]) -> Iterator[SourceFile]:
    """Every file below a folder, to count them; the import itself reports unreadable folders."""
    waiting = [folder]
    while waiting:
        try:
            found = list_folder(waiting.pop(), follow=follow, without=without)
        except OSError:
            continue
        waiting += found.folders
        yield from found.files


class OpenFile:
    """A file that is open for reading, and that notices when somebody writes to it."""

    def __init__(self, file: SourceFile, *, follow: bool) -> None:
        nofollow = 0 if follow else getattr(os, "O_NOFOLLOW", 0)
        self.descriptor = os.open(file.path, _READ | nofollow)
        self._state = os.fstat(self.descriptor)
        self.size = self._state.st_size
        self.modified_at = modified_ms(self._state)

    def __enter__(self) -> "OpenFile":
        if not stat.S_ISREG(self._state.st_mode):
            os.close(self.descriptor)
            raise SourceChanged("no longer a file")
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.descriptor)

    def check_unchanged(self, size: int) -> None:
        """FileChangedError unless it is as it was when it was opened, and that many bytes were read."""
        now = os.fstat(self.descriptor)
        if (now.st_size, now.st_mtime_ns) != (size, self._state.st_mtime_ns):
            raise SourceChanged(_CHANGED)

    def check_not_longer(self, size: int) -> None:
        """FileChangedError when more bytes were read than it had when it was opened."""
        if size > self.size:
            raise SourceChanged(_CHANGED)

    @property
    def shared_path(self) -> str | None:
        """A path by which another process of this user can open exactly this file, in plain characters."""
        path = f"/proc/{os.getpid()}/fd/{self.descriptor}"
        return path if Path(path).exists() else None
