"""The steps that make bytes on a disk durable, and nothing else.

A file is whole after a crash when its bytes were synced before it got its name, and it has its name when the folder
was synced after that; a new folder needs the same of its parent. The order is the store's business; each step is
here, so a test can watch the order and let any step fail.

Folders are open descriptors and names are single names: no step ever walks a path, and none follows a link that
somebody planted. The errors of the operating system come out typed: StoreFull or StoreUnavailable. FileNotFoundError
comes out as it is, since only the caller knows what is missing then.
"""

import ctypes
import errno
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Final, NoReturn

from skyshelf.storage.errors import ReadOnly, StorageError, StoreFull, StoreUnavailable
from skyshelf.storage.space import NO_ROOM, folder_of, full_at
from skyshelf.storage.watching import store_calls

_NO_WAIT: Final = getattr(os, "RWF_NOWAIT", None)
_ONE: Final = [bytearray(1)]
"""For a byte that is not looked at."""
_IN_MEMORY: Final = ("tmpfs", "ramfs")
_MOUNTS: Final = Path("/proc/self/mountinfo")


def read_if_cached(file: int, start: int, length: int) -> bytes | None:
    """These bytes, as far as the file has them, if they are in memory; None also where that cannot be known."""
    if _NO_WAIT is None:
        return None
    into = bytearray(length)
    try:
        return bytes(into) if os.preadv(file, [into], start, _NO_WAIT) == length else None
    except BlockingIOError:
        return None
    except OSError:
        # Not every file system has the flag: some of them because they never wait.
        return os.pread(file, length, start) if _is_in_memory(os.fstat(file).st_dev) else None


def is_cached(file: int, size: int) -> bool:
    """Return whether the first and the last byte are in memory, and so, nearly always, those between them."""
    if _NO_WAIT is None:
        return False
    try:
        first = os.preadv(file, _ONE, 0, _NO_WAIT)
        return first == 1 and os.preadv(file, _ONE, size - 1, _NO_WAIT) == 1
    except BlockingIOError:
        return False
    except OSError:
        return _is_in_memory(os.fstat(file).st_dev)


@cache
def _is_in_memory(device: int) -> bool:
    numbers = f"{os.major(device)}:{os.minor(device)}"
    try:
        lines = _MOUNTS.read_text().splitlines()
    except OSError:
        return False
    mounts = [(line.split()[2], line.rpartition(" - ")[2].split()[0]) for line in lines]
    return any(number == numbers and kind in _IN_MEMORY for number, kind in mounts)


if sys.platform != "win32":
    import fcntl

_NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EXDEV}
_NOT_A_FILE = {errno.ELOOP, errno.ENXIO, errno.EISDIR, errno.ENOTDIR}

# Zero where the system does not know a flag: the module must import on systems that only run the client.
# O_NONBLOCK means nothing to a regular file, and keeps a planted pipe from holding us up.
_SAFELY = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_FOLDER_MODE = 0o700
_FILE_MODE = 0o600


_FICLONE = 0x40049409  # the ioctl that clones a file on btrfs, XFS and others


def _of_libc(name: str, *arguments: type, since: tuple[int, int] = (0, 0)) -> Callable[..., int] | None:
    """Return a function of the C library; None where there is none, or the kernel is older."""
    if sys.platform != "linux":
        return None
    if tuple(int(part) for part in re.findall(r"\d+", os.uname().release)[:2]) < since:
        return None
    try:
        found = getattr(ctypes.CDLL(None, use_errno=True), name)
    except (OSError, AttributeError):
        return None
    found.argtypes, found.restype = arguments, ctypes.c_int
    return found  # type: ignore[no-any-return]


_syncfs = _of_libc("syncfs", ctypes.c_int, since=(5, 8))
_sync_file_range = _of_libc("sync_file_range", ctypes.c_int, ctypes.c_int64, ctypes.c_int64, ctypes.c_uint)
_BEGIN_WRITING = 2  # SYNC_FILE_RANGE_WRITE


class _TypedErrors:
    """A context manager; as a class, since every small file passes through a dozen of them."""

    __slots__ = ("_at", "_doing")

    def __init__(self, doing: str, at: int | None) -> None:
        self._doing = doing
        self._at = at

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, OSError) and not isinstance(error, FileNotFoundError):
            if error.errno in NO_ROOM:
                place = None if self._at is None else folder_of(self._at)
                full = StoreFull("There is no space left for the file contents") if place is None else full_at(place)
                raise full from error
            raise StoreUnavailable(f"The blob folder failed us while {self._doing}: {error.strerror}.") from error


def typed_errors(doing: str, at: int | None = None) -> _TypedErrors:
    """Turn the system's errors into ours, with a sentence that says what was being done.

    `at` is the file or the folder that is written to, by which a full disk is named.
    """
    return _TypedErrors(doing, at)


class _Open:
    """A descriptor that is closed at the end of the block."""

    __slots__ = ("_descriptor", "_files")

    def __init__(self, files: "DurableFiles", descriptor: int) -> None:
        self._files = files
        self._descriptor = descriptor

    def __enter__(self) -> int:
        return self._descriptor

    def __exit__(self, *_error: object) -> None:
        self._files.close(self._descriptor)


class DurableFiles:
    """Each step once, on open descriptors."""

    _owner: tuple[int, int] | None = None

    def give_to_owner_of(self, root: Path) -> None:
        """What root makes from now on belongs to the owner of the store, who could not use it otherwise."""
        if os.geteuid() != 0:
            return
        existing = next((folder for folder in (root, *root.parents) if folder.exists()), root)
        with typed_errors("looking for its owner"):
            state = existing.stat()
        self._owner = (state.st_uid, state.st_gid) if state.st_uid != 0 else None

    def open_root(self, root: Path) -> int:
        try:
            return os.open(root, _FOLDER)
        except OSError as error:
            raise StoreUnavailable(f"The blob folder {root} cannot be opened: {error.strerror}.") from error

    def open_folder(self, parent: int, name: str) -> int:
        with typed_errors(f"opening its folder {name}"):
            return os.open(name, _FOLDER | _SAFELY, dir_fd=parent)

    def make_folder(self, parent: int, name: str) -> None:
        """Make the folder, or find it there. It is durable once the parent is synced."""
        with typed_errors(f"making its folder {name}", parent), suppress(FileExistsError):
            os.mkdir(name, _FOLDER_MODE, dir_fd=parent)
            if self._owner is not None:
                os.chown(name, *self._owner, dir_fd=parent, follow_symlinks=False)

    def create(self, folder: int, name: str) -> int:
        """Return a new file of this name, for nobody but us."""
        with typed_errors("creating a file", folder):
            file = os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL | _SAFELY, _FILE_MODE, dir_fd=folder)
            self._give(file)
            return file

    def open(
        self, folder: int, name: str, *, damaged: type[StorageError], writing: bool = False, create: bool = False
    ) -> int:
        """Return the regular file of this name; `damaged` when something else has the name."""
        flags = (os.O_RDWR if writing else os.O_RDONLY) | (os.O_CREAT if create else 0) | _SAFELY
        with typed_errors("opening a file", folder):
            try:
                file = os.open(name, flags, _FILE_MODE, dir_fd=folder)
            except OSError as error:
                if error.errno in _NOT_A_FILE:
                    raise damaged(f"{name} is not a regular file: it does not belong to this store.") from error
                raise
            if not stat.S_ISREG(os.fstat(file).st_mode):
                os.close(file)
                raise damaged(f"{name} is not a regular file: it does not belong to this store.")
            if create:
                self._give(file)
            return file

    def _give(self, file: int) -> None:
        if self._owner is not None:
            os.fchown(file, *self._owner)

    def lock(self, file: int) -> bool:
        """Hold the file until it is closed or the process ends; false when it is held already."""
        with typed_errors("locking a file"):
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            return True

    def read(self, file: int, length: int, at: int) -> bytes:
        with typed_errors("reading"):
            return os.pread(file, length, at)

    def read_if_cached(self, folder: int, name: str, start: int, length: int) -> tuple[bytes, os.stat_result] | None:
        """Bytes of the regular file of this name and its state after the read; None where anything else is needed.

        It is called for every small file that is sent, so it is one step.
        """
        try:
            file = os.open(name, os.O_RDONLY | _SAFELY, dir_fd=folder)
        except OSError:
            return None
        try:
            data = read_if_cached(file, start, length)
            state = os.fstat(file)
        except OSError:
            return None
        finally:
            os.close(file)
        return None if data is None or not stat.S_ISREG(state.st_mode) else (data, state)

    def open_if_cached(self, folder: int, name: str, size: int) -> tuple[int, os.stat_result] | None:
        """Return the regular file of this name and size, open, and its state; None where anything else is needed."""
        try:
            file = os.open(name, os.O_RDONLY | _SAFELY, dir_fd=folder)
        except OSError:
            return None
        try:
            state = os.fstat(file)
            if stat.S_ISREG(state.st_mode) and state.st_size == size and is_cached(file, size):
                opened, file = file, -1
                return opened, state
        except OSError:
            return None
        finally:
            if file >= 0:
                os.close(file)
        return None

    def write(self, file: int, data: bytes | memoryview, at: int) -> None:
        """All of the data, from this position on."""
        rest = memoryview(data)
        with typed_errors("writing", file):
            while rest:
                written = os.pwrite(file, rest, at)
                rest, at = rest[written:], at + written

    def write_behind(self, file: int, start: int, end: int) -> None:
        """Let the disk begin with these bytes, so that less is left to wait for when the file is synced.

        It promises nothing, and so has no errors: what goes wrong is found by the sync.
        """
        if _sync_file_range is not None:
            _sync_file_range(file, start, end - start, _BEGIN_WRITING)

    def truncate(self, file: int, size: int) -> None:
        with typed_errors("cutting a file to its length", file):
            os.ftruncate(file, size)

    def sync_file(self, file: int) -> None:
        """The bytes of the file are on the disk when this returns."""
        with store_calls.timed("disk", "sync"), typed_errors("waiting for the disk", file):
            if sys.platform == "darwin":
                # fsync on macOS leaves the bytes in the drive's own cache; not every file system there knows better.
                try:
                    fcntl.fcntl(file, fcntl.F_FULLFSYNC)
                except OSError as error:
                    if error.errno not in {errno.ENOTSUP, errno.EINVAL, errno.ENOTTY}:
                        raise
                    os.fsync(file)
            else:
                os.fdatasync(file)

    def sync_folder(self, folder: int) -> None:
        """The names in the folder are on the disk when this returns."""
        with store_calls.timed("disk", "sync"), typed_errors("waiting for the disk", folder):
            os.fsync(folder)

    def sync_all(self, folder: int) -> bool:
        """Everything that was written to the file system of this folder is on the disk when this returns.

        False where the system has no such thing, or does not report errors by it (Linux before 5.8): then each file
        and each folder has to be synced separately.
        """
        if _syncfs is None:
            return False
        with store_calls.timed("disk", "sync"), typed_errors("waiting for the disk", folder):
            if _syncfs(folder) != 0:
                number = ctypes.get_errno()
                raise OSError(number, os.strerror(number))
        return True

    def clone(self, source: int, file: int) -> bool:
        """Let the file share the bytes of the source until one of them is written to; false where that cannot be."""
        if sys.platform != "linux":
            return False
        try:
            fcntl.ioctl(file, _FICLONE, source)
        except OSError as error:
            if error.errno in NO_ROOM:
                raise full_at(folder_of(file) or Path()) from error
            return False
        return True

    def link_open(self, source: int, folder: int, name: str) -> bool:
        """Give an open file a further name; false where the system cannot, as on another file system."""
        if sys.platform != "linux":
            return False
        try:
            os.link(f"/proc/self/fd/{source}", name, dst_dir_fd=folder, follow_symlinks=True)
        except OSError as error:
            if error.errno in NO_ROOM:
                raise full_at(folder_of(folder) or Path()) from error
            return False
        return True

    def rename(self, folder: int, name: str, new_folder: int, new_name: str) -> None:
        with typed_errors("renaming a file", new_folder):
            os.rename(name, new_name, src_dir_fd=folder, dst_dir_fd=new_folder)

    def link(self, folder: int, name: str, new_folder: int, new_name: str) -> bool:
        """Give the file a second name; false where the file system has no such thing."""
        with typed_errors("giving a file its name", new_folder):
            try:
                os.link(name, new_name, src_dir_fd=folder, dst_dir_fd=new_folder, follow_symlinks=False)
            except OSError as error:
                if error.errno in _NO_LINKS:
                    return False
                raise
            return True

    def remove(self, folder: int, name: str) -> None:
        """Take the name away; nothing happens when it is gone already."""
        with typed_errors("removing a file"), suppress(FileNotFoundError):
            os.unlink(name, dir_fd=folder)

    def close(self, descriptor: int) -> None:
        """Some file systems report only here that there was no space."""
        with typed_errors("closing a file"):
            os.close(descriptor)

    def closing(self, descriptor: int) -> _Open:
        return _Open(self, descriptor)

    @contextmanager
    def creating(self, folder: int, name: str) -> Iterator[int]:
        """Create a file for a block, which may give it another place; if the block fails, the file is removed."""
        file = self.create(folder, name)
        try:
            yield file
        except BaseException:
            with suppress(StorageError):
                self.remove(folder, name)
            raise
        finally:
            self.close(file)


class LookingFiles(DurableFiles):
    """The steps that read, for somebody who only looks."""

    def give_to_owner_of(self, root: Path) -> None:
        """Nothing is made here."""

    def open(
        self, folder: int, name: str, *, damaged: type[StorageError], writing: bool = False, create: bool = False
    ) -> int:
        if writing or create:
            self._refuse()
        return super().open(folder, name, damaged=damaged)

    def _refuse(self, *_arguments: object, **_named: object) -> NoReturn:
        raise ReadOnly("The blob folder was opened to look, and is not changed.")

    make_folder = create = rename = remove = _refuse
