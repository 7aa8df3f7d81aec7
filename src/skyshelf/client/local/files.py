"""Local folders, held open: every operation names a single entry of one of them, and none follows a symbolic link.

The destination may contain symbolic links, or get one while it is written. Where the system can open names relative to
an open folder (everywhere but on Windows), nothing is looked up by path, so nothing is written outside the folder that
the user named. System errors are raised as sentences.
"""

import errno
import hashlib
import os
import shutil
import stat
import sys
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from io import BufferedIOBase, FileIO
from pathlib import Path
from typing import Final

from skyshelf.client.errors import DestinationExistsError, LocalFileError

_RELATIVE: Final = os.open in os.supports_dir_fd
# A flag is zero where the system does not know it. O_NONBLOCK does nothing to files; a pipe opens without blocking.
_SAFELY: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
_FOLDER: Final = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_FILE: Final = os.O_RDWR | getattr(os, "O_BINARY", 0) | _SAFELY

_DISK_FULL: Final = {errno.ENOSPC, errno.EDQUOT}
_NO_LINKS: Final = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EXDEV}
_SENTENCES: Final = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "disk quota exceeded",
    errno.EACCES: "permission denied",
    errno.EPERM: "the system does not allow it",
    errno.EROFS: "the disk is read-only",
    errno.EFBIG: "the file is too large for this file system",
    errno.ENAMETOOLONG: "the name is too long for this file system",
    errno.ENOTDIR: "something that is not a folder has that name",
    errno.ELOOP: "a symbolic link has that name, and links are not followed",
    errno.EISDIR: "a folder has that name",
    errno.EMFILE: "too many files are open",
    errno.ENOENT: "it does not exist",
}


class DiskFullError(LocalFileError):
    """The disk is full, or the quota exceeded; other files would fail too."""


class translate_os_errors:  # noqa: N801 - reads as a phrase: with translate_os_errors("cannot open", folder, name)
    """Turns a system error into a LocalFileError that says which action failed, and where.

    The path is built only for an error: this wraps every operation on every file.
    """

    __slots__ = ("_action", "_path")

    def __init__(self, action: str, *path: Path | str) -> None:
        self._action = action
        self._path = path

    def __enter__(self) -> None:
        return

    def __exit__(self, _kind: object, error: BaseException | None, _traceback: object) -> None:
        if isinstance(error, OSError):
            action = f"{self._action} {Path(*self._path)}" if self._path else self._action
            reason = _SENTENCES.get(error.errno or 0) or error.strerror or type(error).__name__
            kind = DiskFullError if error.errno in _DISK_FULL else LocalFileError
            raise kind(f"{action}: {reason}") from error


class LocalFolder:
    """An open folder. Close it after use; folders that were entered from it stay open."""

    def __init__(self, path: Path, descriptor: int | None) -> None:
        self.path = path
        self.descriptor = descriptor

    def __repr__(self) -> str:
        return f"LocalFolder({self.path})"

    @classmethod
    def open(cls, path: Path, within: Path | None = None) -> "LocalFolder":
        """Open the folder that the user named, created if it is missing; links in this path are followed.

        With `within`, links are followed only up to that folder: below it, every name is entered separately, so no
        link leads out of it.
        """
        named = path if within is None else within
        with translate_os_errors("cannot open the folder", named):
            named.mkdir(parents=True, exist_ok=True)
            folder = cls(named, os.open(named, _FOLDER) if _RELATIVE else None)
        return folder.descend(path.relative_to(named).parts)

    def descend(self, names: Iterable[str]) -> "LocalFolder":
        """Open the folder that the names lead to, each created if it is missing, and close this one."""
        folder = self
        for name in names:
            with closing(folder):
                folder = folder.enter(name)
        return folder

    def enter(self, name: str) -> "LocalFolder":
        """Open the subfolder of that name, created if it is missing."""
        path = self.path / name
        with translate_os_errors("cannot open the folder", path):
            with suppress(FileExistsError):
                os.mkdir(self._at(name), dir_fd=self.descriptor)
            if _RELATIVE:
                return LocalFolder(path, os.open(name, _FOLDER | _SAFELY, dir_fd=self.descriptor))
            if not stat.S_ISDIR(os.lstat(path).st_mode):
                raise NotADirectoryError(errno.ENOTDIR, "not a folder")
            return LocalFolder(path, None)

    def stat(self, name: str) -> os.stat_result | None:
        """Return the entry of that name; None when there is none. Links are not followed."""
        with translate_os_errors("cannot access", self.path, name):
            try:
                return os.stat(self._at(name), dir_fd=self.descriptor, follow_symlinks=False)
            except FileNotFoundError:
                return None

    def is_at_its_path(self, name: str) -> bool:
        """Whether the entry's path leads to the entry; it does not when a folder above was moved or replaced."""
        found = self.stat(name)
        with translate_os_errors("cannot access", self.path, name):
            return found is not None and os.path.samestat(found, os.lstat(self.path / name))

    def open_file(self, name: str, *, create: bool = False) -> int:
        """Open the regular file of that name for reading and writing, and return its descriptor.

        Anything else of that name is refused. A file with a second hard link is not written to: with `create`, a new
        file takes its name.
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

    def create_file(self, name: str) -> int | None:
        """Create a file of that name and return its descriptor; None where something already has the name.

        Nobody else has a new file open or linked, so it needs none of the checks of `open_file`.
        """
        with translate_os_errors("cannot open", self.path, name):
            try:
                return os.open(self._at(name), _FILE | os.O_CREAT | os.O_EXCL, 0o666, dir_fd=self.descriptor)
            except FileExistsError:
                return None

    def read_file(self, name: str) -> int:
        """Open the regular file of that name for reading, and return its descriptor."""
        with translate_os_errors("cannot read", self.path, name):
            file = os.open(self._at(name), os.O_RDONLY | getattr(os, "O_BINARY", 0) | _SAFELY, dir_fd=self.descriptor)
            if not stat.S_ISREG(os.fstat(file).st_mode):
                os.close(file)
                raise OSError(errno.ELOOP, "not a file")
            return file

    def rename_part(self, part: str, name: str, *, replace: bool) -> None:
        """Give the part its final name, atomically: readers see the whole new file, or the old one."""
        with translate_os_errors("cannot create", self.path, name):
            if not replace and self._linked(part, self, name):
                self.remove(part)
                return
            if not replace and self.stat(name) is not None:
                raise DestinationExistsError(f"{self.path / name} already exists")
            os.replace(self._at(part), self._at(name), src_dir_fd=self.descriptor, dst_dir_fd=self.descriptor)

    def keep_as(self, name: str, folder: "LocalFolder", new_name: str) -> None:
        """Give the file that is about to be replaced a second name in another folder, or move it there.

        Nothing happens when there is no such file, or when an interrupted replacement has kept it already.
        """
        with translate_os_errors("cannot keep", self.path, name):
            if (found := self.stat(name)) is None:
                return
            if (kept := folder.stat(new_name)) is not None:
                if os.path.samestat(found, kept):
                    return
                raise DestinationExistsError(f"{folder.path / new_name} already exists")
            if not self._linked(name, folder, new_name):
                os.replace(
                    self._at(name), folder._at(new_name), src_dir_fd=self.descriptor, dst_dir_fd=folder.descriptor
                )

    def remove(self, name: str) -> None:
        """Remove the file; nothing happens when it does not exist."""
        with translate_os_errors("cannot remove", self.path, name), suppress(FileNotFoundError):
            os.unlink(self._at(name), dir_fd=self.descriptor)

    def names(self) -> list[str]:
        """Return the names of its entries."""
        where = self.path if self.descriptor is None else self.descriptor
        with translate_os_errors("cannot read the folder", self.path), os.scandir(where) as entries:
            return [entry.name for entry in entries]

    def remove_tree(self, name: str) -> None:
        """Remove a subfolder with everything in it; a link in it is removed and not followed."""
        with translate_os_errors("cannot remove", self.path, name):
            shutil.rmtree(self._at(name), dir_fd=self.descriptor)

    def sync(self) -> None:
        """Flush its entries to disk; nothing happens where folders cannot be synced."""
        if self.descriptor is not None:
            with translate_os_errors("cannot write the folder", self.path):
                os.fsync(self.descriptor)

    def close(self) -> None:
        if self.descriptor is not None:
            os.close(self.descriptor)
            self.descriptor = None

    def _at(self, name: str) -> str:
        return name if self.descriptor is not None else str(self.path / name)

    def _open(self, name: str, *, create: bool, new: bool = False) -> int:
        flags = _FILE | (os.O_CREAT if create else 0) | (os.O_EXCL if new else 0)
        if not _RELATIVE and (found := self.stat(name)) is not None and not stat.S_ISREG(found.st_mode):
            raise OSError(errno.ELOOP, "not a file")
        return os.open(self._at(name), flags, 0o666, dir_fd=self.descriptor)

    def _linked(self, name: str, folder: "LocalFolder", new_name: str) -> bool:
        """Whether the file got a second name as a hard link, the one operation that never replaces anything."""
        try:
            os.link(
                self._at(name),
                folder._at(new_name),
                src_dir_fd=self.descriptor,
                dst_dir_fd=folder.descriptor,
                follow_symlinks=False,
            )
        except FileExistsError:
            raise DestinationExistsError(f"{folder.path / new_name} already exists") from None
        except (NotImplementedError, AttributeError):
            return False
        except OSError as error:
            if error.errno in _NO_LINKS:
                return False
            raise
        return True


def sync_file(file: int) -> None:
    """Flush the file's content and size to disk."""
    with translate_os_errors("cannot write to the disk"):
        if sys.platform == "darwin":
            import fcntl

            # fsync on macOS leaves the bytes in the drive's cache; not every file system there supports F_FULLFSYNC.
            try:
                fcntl.fcntl(file, fcntl.F_FULLFSYNC)
            except OSError as error:
                if error.errno not in {errno.ENOTSUP, errno.EINVAL, errno.ENOTTY}:
                    raise
                os.fsync(file)
        elif hasattr(os, "fdatasync"):
            os.fdatasync(file)
        else:
            os.fsync(file)


def write_private(path: Path, content: bytes) -> None:
    """Replace a file atomically, readable by its owner alone at every moment; a link is replaced, not followed."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}")
    # Not inherited by child processes, and binary on Windows.
    flags = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOINHERIT", 0) | getattr(os, "O_BINARY", 0)
    file = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | flags, 0o600)
    try:
        with os.fdopen(file, "wb") as opened:
            opened.write(content)
            opened.flush()
            os.fsync(opened.fileno())
        temporary.replace(path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def md5_of(path: Path) -> str:
    """Hash a file with MD5, by which servers of the interface compare contents."""
    with path.open("rb") as content:
        return md5_of_open(content)


def md5_of_open(content: BufferedIOBase | FileIO) -> str:
    """Hash the rest of an open file with MD5."""
    return hashlib.file_digest(content, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()


def user_folder(variable: str, usual: str, environment: Mapping[str, str] = os.environ) -> Path:
    """Return our folder in the one that a variable of the XDG standard names, which says to ignore relative paths."""
    named = Path(environment.get(variable, ""))
    return (named if named.is_absolute() else Path.home() / usual) / "skyshelf"


def drop_from_cache(file: int, length: int) -> None:
    """Advise the system to drop the start of the file from its page cache, where it is already on disk.

    Otherwise a large file fills all free memory, and then displaces the pages of other programs.
    """
    if hasattr(os, "posix_fadvise"):
        # It is only advice.
        with suppress(OSError):
            os.posix_fadvise(file, 0, length, os.POSIX_FADV_DONTNEED)


def lock_file(file: int) -> bool:
    """Lock the file until it is closed; false when another process has locked it. Windows locks open files anyway."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        # Some network file systems do not support locks.
        return True
    return True
