"""Blocks into a file and through the digests, side by side."""

import os
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from skyshelf.storage.blobs.durable_files import DurableFiles
from skyshelf.storage.blobs.hashing import ContentHash, nothing_to_hash
from skyshelf.storage.errors import BlobCorrupt

_BEHIND: Final = 8 * 1024 * 1024


def written(files: DurableFiles, file: int, blocks: Iterable[bytes | memoryview]) -> ContentHash:
    """Write them one after the other, from the first byte on, without making them durable."""
    content = ContentHash()
    digesting = nothing_to_hash()
    behind = WriteBehind(files, file, 0)
    for block in blocks:
        # Only here: the block before this one was digested while this one was received.
        digesting.wait()
        at, digesting = content.size, content.begin(block)
        files.write(file, block, at)
        behind.note(content.size)
    digesting.wait()
    return content


class WriteBehind:
    """Lets the disk begin with every few mebibytes of a file while the next ones arrive."""

    def __init__(self, files: DurableFiles, file: int, start: int) -> None:
        self._files = files
        self._file = file
        self._begun = start

    def note(self, written: int) -> None:
        """The file was written up to here."""
        if written - self._begun >= _BEHIND:
            self._files.write_behind(self._file, self._begun, written)
            self._begun = written


# The bytes of a file, piece by piece.

PIECE = 1024 * 1024


class FileStream:
    """Reads one range of an open file that it owns, and closes it at the end."""

    def __init__(self, files: DurableFiles, file: int, start: int, end: int) -> None:
        self._files = files
        self._file: int | None = file
        self._at = start
        self._end = end

    def __iter__(self) -> "FileStream":
        return self

    def __next__(self) -> bytes:
        if self._file is None or self._at == self._end:
            self.close()
            raise StopIteration
        piece = self._files.read(self._file, min(PIECE, self._end - self._at), self._at)
        if not piece:
            self.close()
            raise BlobCorrupt(f"The file of a blob ended {self._end - self._at} bytes too early.")
        self._at += len(piece)
        return piece

    def close(self) -> None:
        if self._file is not None:
            file, self._file = self._file, None
            self._files.close(file)

    def __del__(self) -> None:
        # A stream that was never read or closed must not keep its descriptor for good.
        file = getattr(self, "_file", None)
        if file is not None:
            with suppress(OSError):
                os.close(file)
