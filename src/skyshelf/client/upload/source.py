"""A local file to upload: opened once, and checked for changes while it is read."""

import hashlib
import os
import stat
from io import FileIO
from pathlib import Path
from typing import NamedTuple

from skyshelf.client.errors import FileChangedError, LocalFileError
from skyshelf.client.local.files import md5_of_open
from skyshelf.wire.times import in_range


class HashedBytes(NamedTuple):
    """Bytes of a file and their MD5."""

    data: bytes
    md5: str


class UploadSource:
    """An open file, and its state when it was opened. Every method blocks: call it in a thread."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            # O_NONBLOCK: opening a pipe must not wait for a writer; pipes are refused below.
            self._file = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        except OSError as error:
            raise LocalFileError(f"{path} cannot be read: {error.strerror}") from None
        self._found = os.fstat(self._file)
        if not stat.S_ISREG(self._found.st_mode):
            os.close(self._file)
            raise LocalFileError(f"{path} is not a regular file")

    @property
    def size(self) -> int:
        return self._found.st_size

    @property
    def modified_ms(self) -> int:
        """When it was last modified; times before 1970 or after 9999 become the nearest valid time."""
        return in_range(self._found.st_mtime_ns // 1_000_000)

    @property
    def created_ms(self) -> int:
        """When it was created, where the system knows; else when it was last modified."""
        born = getattr(self._found, "st_birthtime", None)
        return self.modified_ms if born is None else in_range(int(born * 1000))

    def md5(self) -> str:
        os.lseek(self._file, 0, os.SEEK_SET)
        with FileIO(self._file, closefd=False) as content:
            digest = md5_of_open(content)
            self.check(content.tell())
        return digest

    def read(self, offset: int, size: int) -> bytes:
        """Read `size` bytes from an offset; FileChangedError where the file no longer has them."""
        parts = []
        wanted = min(size, self.size - offset)
        while wanted > 0:
            part = os.pread(self._file, wanted, offset) if hasattr(os, "pread") else self._seek_and_read(offset, wanted)
            if not part:
                break
            parts.append(part)
            offset += len(part)
            wanted -= len(part)
        self.check(self.size - wanted if wanted else None)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def read_hashed(self, offset: int, size: int) -> HashedBytes:
        data = self.read(offset, size)
        return HashedBytes(data, hashlib.md5(data, usedforsecurity=False).hexdigest())

    def check(self, length: int | None = None) -> None:
        """Raise FileChangedError when the file has changed since it was opened."""
        now = os.fstat(self._file)
        before = self._found
        changed = (now.st_size, now.st_mtime_ns) != (before.st_size, before.st_mtime_ns)
        if changed or (length is not None and length != before.st_size):
            raise FileChangedError(
                f"{self.path} changed while it was read; upload it again when it is no longer being written"
            )

    def close(self) -> None:
        os.close(self._file)

    def _seek_and_read(self, offset: int, size: int) -> bytes:
        os.lseek(self._file, offset, os.SEEK_SET)
        return os.read(self._file, size)
