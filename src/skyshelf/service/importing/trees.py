"""The two trees of an import: folders and files of this machine as it walks them, and what the drive already has."""

import hashlib
import os
import re
import stat
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from skyshelf.service.context import ServiceContext
from skyshelf.service.files.moves import folder_pages
from skyshelf.storage.errors import NotAFolder
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.tree import NewFolder
from skyshelf.wire.limits import NAME_BYTES_MAX
from skyshelf.wire.names import clean_name
from skyshelf.wire.times import in_range

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
    """The folder itself and those above it; only set if links are followed, which may lead back into them."""


class SourceListing(msgspec.Struct):
    """A folder's entries by name, and the skipped ones with a reason."""

    folders: list[SourceFolder] = []
    files: list[SourceFile] = []
    skipped: list[tuple[str, str]] = []


def list_folder(folder: SourceFolder, *, follow: bool, without: frozenset[Identity]) -> SourceListing:
    """List a folder; OSError if it cannot be read."""
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
    return in_range(state.st_mtime_ns // 1_000_000)


def walk_files(folder: SourceFolder, *, follow: bool, without: frozenset[Identity]) -> Iterator[SourceFile]:
    """Yield every file below a folder, to count them; the import itself reports unreadable folders."""
    waiting = [folder]
    while waiting:
        try:
            found = list_folder(waiting.pop(), follow=follow, without=without)
        except OSError:
            continue
        waiting += found.folders
        yield from found.files


class OpenFile:
    """A file that is open for reading, and that detects when it is written to."""

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
        """SourceChanged unless the file is unchanged since it was opened, and that many bytes were read."""
        now = os.fstat(self.descriptor)
        if (now.st_size, now.st_mtime_ns) != (size, self._state.st_mtime_ns):
            raise SourceChanged(_CHANGED)

    def check_not_longer(self, size: int) -> None:
        """SourceChanged if more bytes were read than the file had when it was opened."""
        if size > self.size:
            raise SourceChanged(_CHANGED)

    @property
    def shared_path(self) -> str | None:
        """A path in plain characters by which another process of this user can open exactly this file."""
        path = f"/proc/{os.getpid()}/fd/{self.descriptor}"
        return path if Path(path).exists() else None


_PAGE = 1000
_DIGITS = 8
_FORBIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\udc80-\udcff]")


class DriveFolder(msgspec.Struct, frozen=True):
    """A folder of the drive; is_new if the import creates it, so nothing can be in it yet."""

    object_key: str
    is_new: bool


class DriveEntry(msgspec.Struct, frozen=True):
    """The properties of a file or folder of the drive that an import compares."""

    object_key: str
    is_folder: bool
    size: int
    modified_at: int


# Contents of the drive


def entries_by_name(ctx: ServiceContext, account: Account, folder: DriveFolder) -> dict[str, DriveEntry]:
    """Return the active entries of a folder by name."""
    if folder.is_new:
        return {}
    return {
        child.name: DriveEntry(child.object_key, child.is_folder, child.size, child.last_modified_at)
        for page in folder_pages(ctx, account.account_id, folder.object_key, _PAGE)
        for child in page
    }


def resolve_target(ctx: ServiceContext, account: Account, path: str) -> tuple[DriveFolder, list[NewFolder]]:
    """Return the folder at a path of the drive, and the folders that have to be created for it.

    BadName for an invalid path, NotAFolder if a file is in the way.
    """
    folder, new = DriveFolder(account.root_key, is_new=False), list[NewFolder]()
    with ctx.metadata.read() as unit:
        for part in filter(None, path.split("/")):
            name = clean_name(part)
            existing = None if folder.is_new else unit.tree.child_named(account.account_id, folder.object_key, name)
            if existing is not None and not existing.is_folder:
                raise NotAFolder(f"“{name}” in {path} is a file: choose a folder with --into")
            if existing is not None:
                folder = DriveFolder(existing.object_key, is_new=False)
            else:
                new.append(NewFolder(object_key=ctx.new_key(), parent_key=folder.object_key, name=name))
                folder = DriveFolder(new[-1].object_key, is_new=True)
    return folder, new


# Names


def drive_names(names: Iterable[str]) -> dict[str, str]:
    """Return the name in the drive for each name of one source folder, as os.fsdecode returns them.

    If several names would become the same, the one that is exactly that name keeps it. The others get some digits of
    a hash of their bytes, and more digits if even those clash.
    """
    wanted = {name: _allowed(name) for name in names}
    counts = Counter(wanted.values())
    given = {name: drive for name, drive in wanted.items() if drive == name or counts[drive] == 1}
    taken = set(given.values())
    for name in sorted(wanted.keys() - given.keys()):
        given[name] = next(free for free in _distinguished(wanted[name], name) if free not in taken)
        taken.add(given[name])
    return given


def is_renamed(name: str, drive: str) -> bool:
    """Whether people would see a difference; another Unicode form of the same characters is not one."""
    return unicodedata.normalize("NFC", name) != drive


def _allowed(name: str) -> str:
    """Return the closest allowed name: forbidden characters become %NN, and a name that is too long is cut."""
    spelled = unicodedata.normalize("NFC", _FORBIDDEN.sub(lambda match: f"%{ord(match[0]) & 0xFF:02X}", name))
    return spelled if len(spelled.encode()) <= NAME_BYTES_MAX else next(_distinguished(spelled, name))


def _distinguished(drive: str, name: str) -> Iterator[str]:
    """Yield the name with digits of a hash of the original's bytes before its extension, then with more digits."""
    digits = hashlib.sha256(os.fsencode(name)).hexdigest()
    for count in range(_DIGITS, len(digits) + 1):
        yield _within_limit(drive, f"~{digits[:count]}")


def _within_limit(name: str, mark: str) -> str:
    """Join stem, mark and extension, cut to the longest allowed name."""
    stem, dot, suffix = name.rpartition(".")
    if not stem or len(suffix.encode()) > NAME_BYTES_MAX // 4:
        stem, dot, suffix = name, "", ""
    left = NAME_BYTES_MAX - len(f"{mark}{dot}{suffix}".encode())
    cut = unicodedata.normalize("NFC", stem.encode()[:left].decode("utf-8", "ignore"))
    return f"{cut}{mark}{dot}{suffix}"
