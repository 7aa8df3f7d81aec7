"""Backups in a folder. An object is written aside, synced, and then gets its name."""

import fcntl
import os
import secrets
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from skyshelf.backup.places import BackupRefused, PlaceEntry
from skyshelf.storage.blobs.durable_files import DurableFiles
from skyshelf.storage.errors import StoreUnavailable
from skyshelf.storage.local_paths import sync_folder
from skyshelf.storage.space import NO_ROOM, full_at

_PIECE: Final = 1024 * 1024
_WRITTEN_OUT: Final = 8 * _PIECE
_PARTIAL: Final = "partial"
_LOCK: Final = "lock"
_READ: Final = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


class FolderPlace:
    """A Place in one folder of this machine."""

    writers = readers = 4

    def __init__(self, root: Path, *, create: bool) -> None:
        self._root = root
        self._files = DurableFiles()
        self._made: set[Path] = set()
        self._making = threading.Lock()
        with our_errors(root):
            is_folder = root.is_dir()
        if not create:
            if not is_folder:
                raise BackupRefused(f"there is no folder {root}: name the folder of a backup")
            return
        if is_folder and not (root / "cuts").is_dir() and any(root.iterdir()):
            raise BackupRefused(
                f"{root} is neither empty nor a backup: name an empty folder, or a backup of this store"
            )
        with our_errors(root):
            try:
                root.mkdir(mode=0o700, parents=True, exist_ok=True)
            except FileNotFoundError as error:
                raise StoreUnavailable(
                    f"no folder can be made at {root}: name one on a disk that is mounted"
                ) from error
            for name in (_PARTIAL, "cuts"):
                self.make_folder(root / name)

    def put(self, name: str, data: bytes) -> None:
        with self.batch() as batch:
            batch.add(name, (data,))
            batch.seal()

    @contextmanager
    def batch(self) -> Iterator["_FolderBatch"]:
        batch = _FolderBatch(self._root, self._files, self.make_folder)
        try:
            yield batch
        finally:
            batch.give_up()

    def get(self, name: str) -> bytes:
        with our_errors(self._root):
            return (self._root / name).read_bytes()

    def read(self, name: str, size: int) -> Iterator[bytes]:
        del size
        with our_errors(self._root):
            file = os.open(self._root / name, _READ)
        return self._pieces(file)

    def _pieces(self, file: int) -> Iterator[bytes]:
        try:
            while True:
                with our_errors(self._root):
                    piece = os.read(file, _PIECE)
                if not piece:
                    return
                yield piece
        finally:
            os.close(file)

    def list(self, prefix: str) -> Iterator[PlaceEntry]:
        top = self._root / prefix
        with suppress(FileNotFoundError), our_errors(self._root), os.scandir(top) as entries:
            for entry in entries:
                name = f"{prefix}{entry.name}"
                if entry.is_dir(follow_symlinks=False):
                    yield from self.list(f"{name}/")
                elif name != _LOCK and not name.startswith(f"{_PARTIAL}/"):
                    yield PlaceEntry(name, entry.stat(follow_symlinks=False).st_size)

    def delete(self, names: Sequence[str]) -> None:
        folders = {(self._root / name).parent for name in names}
        with our_errors(self._root):
            for name in names:
                (self._root / name).unlink(missing_ok=True)
            for folder in folders:
                if folder.is_dir():
                    sync_folder(folder)

    def local_path(self, name: str) -> Path:
        return self._root / name

    @contextmanager
    def lock(self) -> Iterator[None]:
        """The system lets go of the lock of a process that ends, however it ends."""
        with our_errors(self._root):
            file = os.open(self._root / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                holder = os.pread(file, 100, 0).decode(errors="replace").strip()
                raise BackupRefused(
                    f"another backup to {self._root} is running ({holder}): wait until it has finished"
                ) from None
            with our_errors(self._root):
                for left in (self._root / _PARTIAL).iterdir():
                    left.unlink()
                os.ftruncate(file, 0)
                os.pwrite(file, f"process {os.getpid()}\n".encode(), 0)
            yield
        finally:
            os.close(file)

    def close(self) -> None:
        """Nothing is held between calls."""

    def make_folder(self, folder: Path) -> None:
        """Make a folder, durably, unless it is known to exist."""
        if folder in self._made:
            return
        with self._making, our_errors(self._root):
            if not folder.is_dir():
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                sync_folder(folder.parent)
            self._made.add(folder)


class _FolderBatch:
    def __init__(self, root: Path, files: DurableFiles, make_folder: Callable[[Path], None]) -> None:
        self._root = root
        self._files = files
        self._make_folder = make_folder
        self._lock = threading.Lock()
        self._aside: dict[Path, str] = {}

    def add(self, name: str, chunks: Iterable[bytes]) -> int:
        aside = self._root / _PARTIAL / secrets.token_hex(16)
        size = begun = 0
        try:
            with our_errors(self._root):
                file = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0), 0o600)
            try:
                for chunk in chunks:
                    with our_errors(self._root):
                        write_all(file, chunk)
                        size += len(chunk)
                        if size - begun >= _WRITTEN_OUT:
                            _write_out(file)
                            begun = size
            finally:
                os.close(file)
        except BaseException:
            with suppress(OSError):
                aside.unlink()
            raise
        with self._lock:
            self._aside[aside] = name
        return size

    def seal(self) -> None:
        with self._lock:
            ready, self._aside = self._aside, {}
        if not ready:
            return
        with our_errors(self._root):
            self._sync(list(ready))
            folders = set()
            for aside, name in ready.items():
                target = self._root / name
                self._make_folder(target.parent)
                aside.replace(target)
                folders.add(target.parent)
            if len(folders) == 1 or not self._sync_all():
                for folder in folders:
                    sync_folder(folder)

    def _sync(self, files: list[Path]) -> None:
        if len(files) > 1 and self._sync_all():
            return
        sync_each(self._files, files)

    def _sync_all(self) -> bool:
        return sync_all(self._files, self._root)

    def give_up(self) -> None:
        with self._lock:
            left, self._aside = self._aside, {}
        for aside in left:
            with suppress(OSError):
                aside.unlink()


def sync_each(files: DurableFiles, paths: Iterable[Path]) -> None:
    """Make files durable, one after the other."""
    for path in paths:
        file = os.open(path, os.O_RDWR)
        try:
            files.sync_file(file)
        finally:
            os.close(file)


def sync_all(files: DurableFiles, root: Path) -> bool:
    """Wait for the whole file system at once; false where that is impossible."""
    folder = os.open(root, os.O_RDONLY)
    try:
        return files.sync_all(folder)
    finally:
        os.close(folder)


def write_all(file: int, data: bytes) -> None:
    """Write bytes, however few of them the system takes at once."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(file, rest) :]


def _write_out(file: int) -> None:
    """Let the disk begin now, so that the end does not wait for all of it.

    What it has is forgotten: a backup is not read soon, and must not take the place of what the service reads.
    """
    if hasattr(os, "posix_fadvise"):
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)


@contextmanager
def our_errors(root: Path, what: str = "backup") -> Iterator[None]:
    """Raise errors of the system as our own; a missing file stays what it is."""
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as error:
        if error.errno in NO_ROOM:
            raise full_at(root) from error
        raise StoreUnavailable(f"the {what} at {root} cannot be used: {error.strerror}") from error
