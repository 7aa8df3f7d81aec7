"""The received part of a download, next to its destination."""

import hashlib
import os
from contextlib import suppress
from typing import Final

from skyshelf.client.errors import IntegrityError, LocalFileError, RequestFailedError
from skyshelf.client.local.files import LocalFolder, lock_file, translate_os_errors

_READ_BYTES: Final = 1024 * 1024


class PartFile:
    """An open `.part` file: it holds the first `length` bytes of the object, and `md5` is their hash.

    Its lock ensures that one process at a time writes it.
    """

    def __init__(self, folder: LocalFolder, name: str) -> None:
        self.folder = folder
        self.name = name
        self.length = 0
        self._hash = hashlib.md5(usedforsecurity=False)
        new = folder.create_file(name)
        self._is_new = new is not None
        self._file = folder.open_file(name, create=True) if new is None else new
        if not lock_file(self._file):
            self.close()
            raise LocalFileError(f"another process is downloading {folder.path / name}")
        if self._is_new:
            return
        # The previous owner of the lock may have finished and renamed the file.
        held, named = os.fstat(self._file), folder.stat(name)
        if named is None or (held.st_dev, held.st_ino) != (named.st_dev, named.st_ino):
            self.close()
            raise LocalFileError(f"another process has just downloaded {folder.path / name}")

    @property
    def file(self) -> int:
        """The descriptor."""
        return self._file

    @property
    def md5(self) -> str:
        """The MD5 of the received bytes, in lower-case hex."""
        return self._hash.hexdigest()

    def resume(self, size: int | None) -> int:
        """Read and hash what an earlier attempt left; a part larger than the object is discarded."""
        with translate_os_errors("cannot read", self.folder.path, self.name):
            found = os.fstat(self._file).st_size
            if size is not None and found > size:
                found = 0
            os.lseek(self._file, 0, os.SEEK_SET)
            while self.length < found and (piece := os.read(self._file, min(_READ_BYTES, found - self.length))):
                self._hash.update(piece)
                self.length += len(piece)
            os.ftruncate(self._file, self.length)
        return self.length

    def restart(self) -> None:
        """Discard all received bytes."""
        with translate_os_errors("cannot write", self.folder.path, self.name):
            os.ftruncate(self._file, 0)
        self.length = 0
        self._hash = hashlib.md5(usedforsecurity=False)

    def append(self, piece: bytes | bytearray) -> None:
        """Write and hash the next bytes."""
        self.write_at(piece, self.length)
        self.hash_next(piece)
        self.count(len(piece))

    def hash_next(self, piece: bytes | bytearray) -> None:
        """Hash the next bytes, in order: one of the three steps of `append`."""
        self._hash.update(piece)

    def count(self, length: int) -> None:
        """Count bytes that have been written and hashed: the last of the three steps of `append`."""
        self.length += length

    def fill(self, content: bytes | bytearray | memoryview, digest: "hashlib._Hash") -> None:
        """Replace the content; `digest` is its MD5."""
        if not self._is_new:
            self.restart()
        self.write_at(content, 0)
        self._hash, self.length = digest, len(content)

    def write_at(self, piece: bytes | bytearray | memoryview, at: int) -> None:
        """Write bytes at an offset: one of the three steps of `append`, for callers that write and hash in parallel."""
        rest = memoryview(piece)
        with translate_os_errors("cannot write", self.folder.path, self.name):
            os.lseek(self._file, at, os.SEEK_SET)
            while rest:
                rest = rest[os.write(self._file, rest) :]

    def set_time(self, modified_ms: int | None) -> int:
        """Set the object's modification time; returns the file's, in nanoseconds."""
        with translate_os_errors("cannot set the time of", self.folder.path, self.name):
            if modified_ms is not None and modified_ms >= 0:
                # A time that the file system cannot store must not fail the download.
                with suppress(OverflowError):
                    modified_ns = modified_ms * 1_000_000
                    target = self._file if os.utime in os.supports_fd else self.folder.path / self.name
                    os.utime(target, ns=(modified_ns, modified_ns))
            return os.fstat(self._file).st_mtime_ns

    def start(self, length: int = 512) -> bytes:
        """The first bytes."""
        with translate_os_errors("cannot read", self.folder.path, self.name):
            os.lseek(self._file, 0, os.SEEK_SET)
            return os.read(self._file, length)

    def give_up(self, error: BaseException) -> None:
        """Close the file after a failed download, and remove it unless a later attempt can resume it."""
        is_refused = isinstance(error, RequestFailedError) and not error.retryable and error.status != 401
        if isinstance(error, IntegrityError) or is_refused or not self.length:
            self.discard()
        else:
            self.close()

    def discard(self) -> None:
        """Close and remove the file."""
        self.close()
        self.folder.remove(self.name)

    def close(self) -> None:
        """Close the file, which the next attempt resumes."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
