"""What has arrived of an object so far, beside the place where it will be."""

import hashlib
import os
from contextlib import suppress
from typing import Final

from skyshelf.client.errors import LocalFileError
from skyshelf.client.local.files import LocalFolder, lock_file, translate_os_errors

_READ_BYTES: Final = 1024 * 1024


class PartFile:
    """An open `.part`: its bytes are always the first `length` bytes of the object, and `md5` is theirs.

    One process at a time writes it, which its lock ensures.
    """

    def __init__(self, folder: LocalFolder, name: str) -> None:
        self.folder = folder
        self.name = name
        self.length = 0
        self._hash = hashlib.md5(usedforsecurity=False)
        self._file = folder.open_file(name, create=True)
        if not lock_file(self._file):
            self.close()
            raise LocalFileError(f"another process is downloading {folder.path / name}")
        # Whoever held the lock until now may have finished, and taken the file away under its other name.
        held, named = os.fstat(self._file), folder.look(name)
        if named is None or (held.st_dev, held.st_ino) != (named.st_dev, named.st_ino):
            self.close()
            raise LocalFileError(f"another process has just downloaded {folder.path / name}")

    @property
    def file(self) -> int:
        """The descriptor."""
        return self._file

    @property
    def md5(self) -> str:
        """The MD5 of what is there, in lower-case hex."""
        return self._hash.hexdigest()

    def resume(self, size: int | None) -> int:
        """Read and hash what an earlier attempt has left; more than the object can have is thrown away."""
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
        """Forget everything that arrived."""
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
        """Another step; pieces are hashed in their order."""
        self._hash.update(piece)

    def count(self, length: int) -> None:
        """The last step, after the two others: so many bytes more are there."""
        self.length += length

    def fill(self, content: bytes | bytearray | memoryview, digest: "hashlib._Hash") -> None:
        """Hold exactly this content, whose MD5 is known already."""
        with translate_os_errors("cannot write", self.folder.path, self.name):
            if os.fstat(self._file).st_size > len(content):
                os.ftruncate(self._file, 0)
        self.write_at(content, 0)
        self._hash, self.length = digest, len(content)

    def write_at(self, piece: bytes | bytearray | memoryview, at: int) -> None:
        """One of the three steps of `append`, for callers that write and hash at the same time."""
        rest = memoryview(piece)
        with translate_os_errors("cannot write", self.folder.path, self.name):
            os.lseek(self._file, at, os.SEEK_SET)
            while rest:
                rest = rest[os.write(self._file, rest) :]

    def set_time(self, modified_ms: int | None) -> int:
        """Give the file the object's time; returns the time that it has, in nanoseconds."""
        with translate_os_errors("cannot set the time of", self.folder.path, self.name):
            if modified_ms is not None and modified_ms >= 0:
                # A time that the file system cannot hold is no reason to lose the file.
                with suppress(OverflowError):
                    wanted = modified_ms * 1_000_000
                    os.utime(
                        self._file if os.utime in os.supports_fd else self.folder.path / self.name, ns=(wanted, wanted)
                    )
            return os.fstat(self._file).st_mtime_ns

    def discard(self) -> None:
        """Remove the file, which holds nothing that anybody wants."""
        self.close()
        self.folder.remove(self.name)

    def close(self) -> None:
        """Leave what has arrived for the next attempt."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
