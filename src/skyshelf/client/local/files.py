"""Folders on this machine, held open: every step names a single name in one of them, and no step follows a link.

Somebody may have put a symbolic link into the destination, before or while we write there. Where the system can open
names relative to an open folder (all but Windows), nothing is ever looked up by a path, so that nothing is written
outside of the folder that the user named. The errors of the system come out as sentences.
"""

import errno
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from skyshelf.client.errors import DestinationExistsError, LocalFileError

_RELATIVE: Final = os.open in os.supports_dir_fd
# Zero where the system does not know a flag. O_NONBLOCK means nothing to a file, and keeps a planted pipe from
# holding us up.
_SAFELY: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
_FOLDER: Final = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_FILE: Final = os.O_RDWR | getattr(os, "O_BINARY", 0) | _SAFELY

_NO_ROOM: Final = {errno.ENOSPC, errno.EDQUOT}
_NO_LINKS: Final = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EXDEV}
_SENTENCES: Final = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "your share of the disk is used up",
    errno.EACCES: "you have no permission to write there",
    errno.EPERM: "the system does not permit it",
    errno.EROFS: "the disk can only be read",
    errno.EFBIG: "the file is too large for this file system",
    errno.ENAMETOOLONG: "the name is too long for this file system",
    errno.ENOTDIR: "something that is not a folder has that name",
    errno.ELOOP: "a symbolic link has that name, and links are not followed",
    errno.EISDIR: "a folder has that name",
    errno.EMFILE: "too many files are open",
    errno.ENOENT: "it is not there",
}


class DiskFullError(LocalFileError):
    """There is no room for more; going on with other files would not help."""


class translate_os_errors:  # noqa: N801 - read as a word: with told("cannot open", folder, name)
    """Turns an error of the system into a sentence that says what was being done, and where.

    A path is put together only where something went wrong: this is around every step of every file.
    """

    __slots__ = ("_doing", "_where")

    def __init__(self, doing: str, *where: Path | str) -> None:
        self._doing = doing
        self._where = where

    def __enter__(self) -> None:
        return

    def __exit__(self, _kind: object, wrong: BaseException | None, _traceback: object) -> None:
        if isinstance(wrong, OSError):
            doing = f"{self._doing} {Path(*self._where)}" if self._where else self._doing
            reason = _SENTENCES.get(wrong.errno or 0) or wrong.strerror or type(wrong).__name__
            kind = DiskFullError if wrong.errno in _NO_ROOM else LocalFileError
            raise kind(f"{doing}: {reason}") from wrong


class LocalFolder:
    """An open folder. Close it; folders that were entered from it stay usable."""

    def __init__(self, path: Path, descriptor: int | None) -> None:
        self.path = path
        self.descriptor = descriptor

    def __repr__(self) -> str:
        return f"LocalFolder({self.path})"

    @classmethod
    def open(cls, path: Path, within: Path | None = None) -> "LocalFolder":
        """The folder that the user named, made where it is missing; links in this path are the user's own wish.

        Where it must lie within another one, links are followed only up to there: below, every name is entered by
        itself, so that nothing that changes meanwhile leads out of it.
        """
        named = path if within is None else within
        with translate_os_errors("cannot open the folder", named):
            named.mkdir(parents=True, exist_ok=True)
            folder = cls(named, os.open(named, _FOLDER) if _RELATIVE else None)
        for name in path.relative_to(named).parts:
            try:
                below = folder.enter(name)
            finally:
                folder.close()
            folder = below
        return folder

    def enter(self, name: str) -> "LocalFolder":
        """The folder of that name in it, made where it is missing."""
        path = self.path / name
        with translate_os_errors("cannot open the folder", path):
            with suppress(FileExistsError):
                os.mkdir(self._at(name), dir_fd=self.descriptor)
            if _RELATIVE:
                return LocalFolder(path, os.open(name, _FOLDER | _SAFELY, dir_fd=self.descriptor))
            if not stat.S_ISDIR(os.lstat(path).st_mode):
                raise NotADirectoryError(errno.ENOTDIR, "not a folder")
            return LocalFolder(path, None)

    def look(self, name: str) -> os.stat_result | None:
        """What has the name; None when nothing has. A link is looked at itself."""
        with translate_os_errors("cannot look at", self.path, name):
            try:
                return os.stat(self._at(name), dir_fd=self.descriptor, follow_symlinks=False)
            except FileNotFoundError:
                return None

    def is_at_its_path(self, name: str) -> bool:
        """Whether the path of that name leads to what this folder holds; it does not where somebody moved a folder."""
        found = self.look(name)
        with translate_os_errors("cannot look at", self.path, name):
            return found is not None and os.path.samestat(found, os.lstat(self.path / name))

    def open_file(self, name: str, *, create: bool = False) -> int:
        """The descriptor of the regular file of that name, for reading and writing.

        Whatever else has the name is refused, and a file that has a second name elsewhere is not written to: with
        `create` a new one takes the name instead.
        """
        with translate_os_errors("cannot open", self.path, name):
            file = self._open(name, create=create)
            found = os.fstat(file)
            if create and stat.S_ISREG(found.st_mode) and found.st_nlink != 1:
                os.close(file)
                os.unlink(self._at(name), dir_fd=self.descriptor)
                file = self._open(name, create=True, new=True)
                found = os.fstat(file)
            if not stat.S_ISREG(found.st_mode):
                os.close(file)
                raise OSError(errno.ELOOP, "not a file")
            return file

    def read_file(self, name: str) -> int:
        """The descriptor of the regular file of that name, for reading alone."""
        with translate_os_errors("cannot read", self.path, name):
            file = os.open(self._at(name), os.O_RDONLY | getattr(os, "O_BINARY", 0) | _SAFELY, dir_fd=self.descriptor)
            if not stat.S_ISREG(os.fstat(file).st_mode):
                os.close(file)
                raise OSError(errno.ELOOP, "not a file")
            return file

    def give_name(self, part: str, name: str, *, replace: bool) -> None:
        """Let the part have its final name, in one step: whoever looks sees all of the file, or what was there."""
        with translate_os_errors("cannot put in place", self.path, name):
            if not replace and self._linked(part, name):
                self.remove(part)
                return
            if not replace and self.look(name) is not None:
                raise DestinationExistsError(f"{self.path / name} is there already")
            os.replace(self._at(part), self._at(name), src_dir_fd=self.descriptor, dst_dir_fd=self.descriptor)

    def remove(self, name: str) -> None:
        """Take the name away; nothing happens when it is gone already."""
        with translate_os_errors("cannot remove", self.path, name), suppress(FileNotFoundError):
            os.unlink(self._at(name), dir_fd=self.descriptor)

    def sync(self) -> None:
        """The names in it are on the disk when this returns; where folders cannot be synced, nothing happens."""
        if self.descriptor is not None:
            with translate_os_errors("cannot write the folder", self.path):
                os.fsync(self.descriptor)

    def close(self) -> None:
        """Give the folder back to the system."""
        if self.descriptor is not None:
            os.close(self.descriptor)
            self.descriptor = None

    def _at(self, name: str) -> str:
        return name if self.descriptor is not None else str(self.path / name)

    def _open(self, name: str, *, create: bool, new: bool = False) -> int:
        flags = _FILE | (os.O_CREAT if create else 0) | (os.O_EXCL if new else 0)
        if not _RELATIVE and (found := self.look(name)) is not None and not stat.S_ISREG(found.st_mode):
            raise OSError(errno.ELOOP, "not a file")
        return os.open(self._at(name), flags, 0o666, dir_fd=self.descriptor)

    def _linked(self, part: str, name: str) -> bool:
        """Whether the part got the name as its second one; that is the one way that never replaces anything."""
        try:
            os.link(
                self._at(part),
                self._at(name),
                src_dir_fd=self.descriptor,
                dst_dir_fd=self.descriptor,
                follow_symlinks=False,
            )
        except FileExistsError:
            raise DestinationExistsError(f"{self.path / name} is there already") from None
        except (NotImplementedError, AttributeError):
            return False
        except OSError as wrong:
            if wrong.errno in _NO_LINKS:
                return False
            raise
        return True


def sync_file(file: int) -> None:
    """The bytes and the length of the file are on the disk when this returns."""
    with translate_os_errors("cannot write to the disk"):
        if sys.platform == "darwin":
            import fcntl

            # fsync on macOS leaves the bytes in the drive's own cache; not every file system there knows better.
            try:
                fcntl.fcntl(file, fcntl.F_FULLFSYNC)
            except OSError as wrong:
                if wrong.errno not in {errno.ENOTSUP, errno.EINVAL, errno.ENOTTY}:
                    raise
                os.fsync(file)
        elif hasattr(os, "fdatasync"):
            os.fdatasync(file)
        else:
            os.fsync(file)


def let_go(file: int, length: int) -> None:
    """Nobody will soon read the first bytes of the file: what of them is on the disk need not be in memory too.

    Otherwise a large file fills all memory that is free, and then takes the place of what other programs need.
    """
    if hasattr(os, "posix_fadvise"):
        # It is advice: what a file system makes of it changes nothing in the file.
        with suppress(OSError):
            os.posix_fadvise(file, 0, length, os.POSIX_FADV_DONTNEED)


def lock_file(file: int) -> bool:
    """Hold the file until it is closed; false when another process holds it. Windows does so by itself."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        # Some network file systems have no locks.
        return True
    return True
