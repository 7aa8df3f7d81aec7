"""Blocks into a file and through the digests, side by side."""

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final

from skyshelf.storage.blobs.durable_files import DurableFiles
from skyshelf.storage.blobs.hashing import HashingBlock, nothing_to_hash
from skyshelf.storage.errors import BlobCorrupt

_BEHIND: Final = 8 * 1024 * 1024


def written(
    files: DurableFiles,
    file: int,
    blocks: Iterable[bytes | memoryview],
    digest: Callable[[bytes | memoryview], HashingBlock],
    at: int = 0,
) -> int:
    """Write blocks one after the other from a place on, without making them durable; returns where they end.

    The disk begins with every few mebibytes while the next ones arrive.
    """
    digesting, begun = nothing_to_hash(), at
    for block in blocks:
        # Only here: the block before this one was digested while this one was received.
        digesting.wait()
        digesting = digest(block)
        files.write(file, block, at)
        at += len(block)
        if at - begun >= _BEHIND:
            files.write_behind(file, begun, at)
            begun = at
    digesting.wait()
    return at


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
