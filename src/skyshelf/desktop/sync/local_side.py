"""Changes of the local side. Nothing is overwritten, and nothing is deleted: it goes to the sync's trash folder.

No step follows a symbolic link below the folder. Entries of folders are flushed to disk before a step is recorded, so
that a loss of power cannot make a recorded file look deleted.
"""

import hashlib
import itertools
import os
import platform
import re
import shutil
import stat
from collections.abc import Container, Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from skyshelf.client.engine.server_clock import both_clocks
from skyshelf.client.errors import LocalFileError
from skyshelf.client.local.files import LocalFolder, translate_os_errors
from skyshelf.client.local.names import comparable, safe_name
from skyshelf.desktop.sync.index import Entry
from skyshelf.desktop.sync.local_tree import ANY_NAME, JUNK, STATE_FOLDER, LocalNode, signed_inode
from skyshelf.desktop.sync.modes import with_executable, write_probe
from skyshelf.wire.limits import NAME_BYTES_MAX
from skyshelf.wire.names import cut_to, split_ending


def device_name() -> str:
    name = re.sub(r"[^\w.-]+", "-", platform.node().partition(".")[0]).strip("-.")
    return safe_name(name[:24]) if name else "this-computer"


def conflict_name(name: str, device: str, when: datetime, used: Container[str]) -> str:
    """Rename `report.docx` to `report (conflict laptop 2026-11-17 0712).docx`, with a number if that is taken.

    `used` are names as `comparable` returns them: some file systems take names for one that differ in case alone.
    """
    stem, ending = split_ending(name)
    number = 1
    while True:
        again = f" {number}" if number > 1 else ""
        mark = f" (conflict {device} {when:%Y-%m-%d %H%M}{again})"
        made = cut_to(stem, NAME_BYTES_MAX - len((mark + ending).encode())) + mark + ending
        if comparable(made) not in used:
            return made
        number += 1


TRASH: Final = "trash"
INCOMING: Final = "incoming"
LOCK: Final = "lock"
INDEX: Final = "index.db"
TRASH_DAYS: Final = 30
_TRASH_NAME: Final = "%Y-%m-%d %H%M%S"


class ChangedSinceScan(LocalFileError):
    """The item has changed since it was scanned: the next round looks at it again."""


class LocalSide:
    """The local folder, and its state folder. Each run begins with the current time, by which its trash is named."""

    def __init__(self, top: Path, device: str) -> None:
        self.top = top
        self.state = top / STATE_FOLDER
        self.incoming = self.state / INCOMING
        self._device = device
        self.lock: int | None = None
        """The open lock file of this sync; without one, nothing is written."""
        self._disks: dict[tuple[str, ...], int] = {}
        """The device of the folder and of each mount point in it, as scanned."""

    def check_place(self) -> None:
        """Make sure that the folder is still the one whose index is open: another one lacks its files."""
        if self.lock is None:
            return
        try:
            found = (self.state / LOCK).stat()
        except OSError:
            found = None
        if found is None or not os.path.samestat(found, os.fstat(self.lock)):
            raise LocalFileError(
                f"{self.top} is no longer the folder in which this sync began, so nothing was changed: mount its disk"
                " or move the folder back, and run the command again"
            )

    def note_disks(self, root: LocalNode) -> None:
        """Remember on which disks the folder is, by a scan of it."""
        self._disks = {(): root.device} | {node.parts: node.device for node in root.below() if node.is_mount}

    def check_disk(self, parts: tuple[str, ...], found: os.stat_result) -> None:
        """Make sure that a new item is on the disk where its folder was when it was scanned.

        What arrived in the empty folder below an unmounted disk would look deleted once that is mounted again.
        """
        if found.st_dev != self._disks.get(self._disk(parts), found.st_dev):
            raise ChangedSinceScan(f"a disk was mounted or unmounted above {self.top.joinpath(*parts)} since then")

    def _disk(self, parts: tuple[str, ...]) -> tuple[str, ...]:
        """Return the top folder of the disk that an item is on, as scanned."""
        above = (parts[:length] for length in range(len(parts) - 1, 0, -1))
        return next((folder for folder in above if folder in self._disks), ())

    def _state_for(self, parts: tuple[str, ...]) -> Path:
        """Return the state folder on the disk that an item is on: nothing can be renamed from one disk to another."""
        disk = self._disk(parts)
        if not disk:
            return self.state
        state = self.path((*disk, STATE_FOLDER))
        with translate_os_errors("cannot create", state):
            state.mkdir(mode=0o700, exist_ok=True)
        return state

    def _on_its_disk(self, downloaded: Path, parts: tuple[str, ...]) -> Path:
        """Copy a complete download to the disk where it gets its name, if that is another one."""
        state = self._state_for(parts)
        if state == self.state:
            return downloaded
        copy = state / INCOMING / hashlib.sha256("/".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:32]
        with translate_os_errors("cannot copy to", copy):
            copy.parent.mkdir(mode=0o700, exist_ok=True)
            copy.unlink(missing_ok=True)
            try:
                shutil.copy2(downloaded, copy)
                with copy.open("rb+") as written:
                    os.fsync(written.fileno())
            except BaseException:
                copy.unlink(missing_ok=True)
                raise
        downloaded.unlink()
        return copy

    def prepare(self) -> None:
        """Create the state folder."""
        with translate_os_errors("cannot create", self.state):
            self.incoming.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.state.chmod(0o700)
        with suppress(OSError):
            (self.state / ANY_NAME).touch()
        write_probe(self.state)

    def begin(self, now: datetime, there: datetime | None = None) -> None:
        """Begin a run; `there` is the time of the server, by which a wrong clock here does no harm."""
        self._now = now
        _, later = both_clocks(now, there)
        self._trashed = f"{later:{_TRASH_NAME}}"

    def forget_old(self, now: datetime, there: datetime | None) -> None:
        """Delete what has been in the trash for a month, by both clocks."""
        earlier, _ = both_clocks(now, there)
        for disk in {(), *self._disks}:
            kept = self.top.joinpath(*disk, STATE_FOLDER, TRASH)
            found: list[Path] = []
            with suppress(OSError):  # there is no trash, or the disk cannot be read by now: the next sync looks again
                found = list(kept.iterdir())
            for folder in found:
                with suppress(ValueError, OSError):
                    trashed = datetime.strptime(folder.name, _TRASH_NAME).astimezone()
                    if (earlier - trashed).days > TRASH_DAYS:
                        shutil.rmtree(folder)

    def path(self, parts: tuple[str, ...]) -> Path:
        """Return the path of an item; an error where a link leads out of the folder."""
        current = self.top
        for name in parts[:-1]:
            current = current / name
            if current.is_symlink():
                raise LocalFileError(f"{current} has become a symbolic link, which is not followed")
        return self.top.joinpath(*parts)

    def stat(self, parts: tuple[str, ...]) -> os.stat_result:
        """Return the item as it is now; ChangedSinceScan where it is gone."""
        try:
            return os.lstat(self.path(parts))
        except OSError:
            raise ChangedSinceScan(f"{'/'.join(parts)} was moved or deleted since then") from None

    def has(self, path: str) -> bool:
        """Whether anything is at a path below the folder."""
        return os.path.lexists(self.top / path)

    def is_as_scanned(self, parts: tuple[str, ...], node: LocalNode) -> bool:
        """Whether a file is what the scan saw."""
        return node.is_still(self.stat(parts))

    def create_folder(self, parts: tuple[str, ...]) -> os.stat_result:
        """Create a folder; one that exists will do."""
        path = self.path(parts)
        with translate_os_errors("cannot create the folder", path):
            with suppress(FileExistsError):
                path.mkdir()
            found = path.lstat()
            if not stat.S_ISDIR(found.st_mode):
                raise ChangedSinceScan(f"{path} is no longer a folder")
            _sync_folder(path.parent)
        return found

    def move(self, parts: tuple[str, ...], to: tuple[str, ...]) -> None:
        source, target = self.path(parts), self.path(to)
        self.stat(parts)
        if _exists_elsewhere(source, target):
            raise ChangedSinceScan(f"{target} has appeared since then")
        with translate_os_errors(f"cannot move {source} to", target):
            source.rename(target)
            _sync_folder(target.parent)
            _sync_folder(source.parent)

    def give_way(self, parts: tuple[str, ...]) -> str:
        """Rename an item that is in conflict, and return its new name."""
        folder = self.path(parts).parent
        with translate_os_errors("cannot read", folder):
            used = {comparable(one.name) for one in folder.iterdir()}
        name = conflict_name(parts[-1], self._device, self._now, used)
        self.move(parts, (*parts[:-1], name))
        return name

    def place(
        self, downloaded: Path, parts: tuple[str, ...], replaced: LocalNode | None, *, is_executable: bool = False
    ) -> os.stat_result:
        """Give a complete download its name; the file that it replaces goes to the trash, and its mode is kept.

        A new file becomes executable, if it is to be.

        ChangedSinceScan where that file has changed: it then has its name again; also where somebody has already saved
        another content under that name, which must not count as the downloaded one.
        """
        path = self.path(parts)
        downloaded = self._on_its_disk(downloaded, parts)
        with translate_os_errors("cannot read", downloaded):
            expected = downloaded.lstat()
        mode = with_executable(expected.st_mode, True) if is_executable else None
        if replaced is not None:
            mode = self.stat(parts).st_mode & 0o777
            self.trash(parts, replaced)
        if mode is not None:
            with translate_os_errors("cannot set the mode of", downloaded):
                downloaded.chmod(mode)
        folder = LocalFolder.open(path.parent, within=self.top)
        try:
            with translate_os_errors("cannot create", path):
                try:
                    os.link(downloaded, path.name, dst_dir_fd=folder.descriptor, follow_symlinks=False)
                except FileExistsError:
                    raise ChangedSinceScan(f"{path} has appeared since then") from None
                except (OSError, NotImplementedError):
                    if folder.stat(path.name) is not None:
                        raise ChangedSinceScan(f"{path} has appeared since then") from None
                    os.rename(downloaded, path)  # noqa: PTH104 - beside os.link
                folder.sync()
                downloaded.unlink(missing_ok=True)
            found = self.stat(parts)
            if _stamp(found) != _stamp(expected):
                raise ChangedSinceScan(f"{path} changed as soon as it had its name")
            return found
        finally:
            folder.close()

    def set_executable(self, parts: tuple[str, ...], entry: Entry, is_executable: bool) -> os.stat_result:
        """Make a file executable or not, as long as it is the one of an entry; return how it is then."""
        path = self.path(parts)
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError:
            raise ChangedSinceScan(f"{path} was replaced since then") from None
        try:
            found = os.fstat(descriptor)
            known = (entry.size, entry.inode, entry.changed_ns)
            if known != (found.st_size, signed_inode(found), found.st_ctime_ns) or not stat.S_ISREG(found.st_mode):
                raise ChangedSinceScan(f"{path} changed since then")
            with translate_os_errors("cannot set the mode of", path):
                os.fchmod(descriptor, with_executable(found.st_mode, is_executable))
            return os.fstat(descriptor)
        finally:
            os.close(descriptor)

    def trash(self, parts: tuple[str, ...], node: LocalNode) -> None:
        """Move an item to the sync's trash, as long as it is what was scanned; else it keeps its place."""
        source = self.path(parts)
        found = self.stat(parts)
        if not node.is_folder and not node.is_still(found):
            raise ChangedSinceScan(f"{source} changed since then")
        target = _free(self._state_for(parts) / TRASH / self._trashed, parts)
        with translate_os_errors("cannot move to the trash", source):
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            source.rename(target)
            if not _is_same_tree(target, node, renamed=True):
                if not os.path.lexists(source):
                    target.rename(source)
                raise ChangedSinceScan(f"{source} changed since then")
            _sync_folder(target.parent)
            _sync_folder(source.parent)


def _free(folder: Path, parts: tuple[str, ...]) -> Path:
    """Return a path in a trash that nothing has, in folders that are not files which were trashed before."""
    for name in parts[:-1]:
        folder = next(path for path in _numbered(folder / name) if path.is_dir() or not os.path.lexists(path))
    return next(path for path in _numbered(folder / parts[-1]) if not os.path.lexists(path))


def _numbered(path: Path) -> Iterator[Path]:
    """Yield a path, and then the same with numbers."""
    yield path
    for number in itertools.count(2):
        yield path.with_name(f"{path.name} {number}")


def _stamp(found: os.stat_result) -> tuple[int, int, int]:
    """Return what a file keeps when it gets another name."""
    return found.st_size, found.st_mtime_ns, found.st_ino


def _exists_elsewhere(source: Path, target: Path) -> bool:
    """Whether the target is another item; a rename that changes only the case is none."""
    try:
        return not os.path.samestat(source.lstat(), target.lstat())
    except OSError:
        return False


def _is_same_tree(path: Path, node: LocalNode, *, renamed: bool = False) -> bool:
    """Whether everything is as it was scanned; junk of the system does not matter."""
    found = path.lstat()
    if not node.is_folder:
        return node.is_still(found, renamed=renamed)
    names = {one.name for one in path.iterdir()} - JUNK
    known = {child.name: child for child in node.children.values()}
    return names == known.keys() and all(_is_same_tree(path / name, child) for name, child in known.items())


def _sync_folder(path: Path) -> None:
    if os.name != "posix":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
