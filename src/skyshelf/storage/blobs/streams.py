"""The parts of an upload, checked before they are used."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence

from skyshelf.storage.blobs.protocols import BytesLike, Part
from skyshelf.storage.errors import SizeMismatch, UploadDamaged


def check_joined(parts: Sequence[Part], size: int) -> None:
    """UploadDamaged unless each part begins where the one before it ends, and the last ends at size."""
    end = 0
    for part in parts:
        if part.offset != end or part.size < 0:
            raise UploadDamaged(f"A part of the upload begins at byte {part.offset}, and byte {end} comes next.")
        end = part.end
    if end != size:
        raise UploadDamaged(f"The parts of the upload end at byte {end}, and the upload has {size} bytes.")


# Ranges of a blob.


def end_of_range(size: int, start: int, length: int | None) -> int:
    """Return where the range ends; ValueError unless all of it is within the blob."""
    end = size if length is None else start + length
    if not 0 <= start <= end <= size:
        raise ValueError(f"The range from {start} to {end} is not within a blob of {size} bytes.")
    return end


# The bytes of an open file of this machine, from its first on. Its errors are the system's own: it is not ours.

PIECE = 1024 * 1024


def nobody(_done: int) -> None:
    """Nobody wants to hear of the progress."""


def pieces_of(file: int, progress: Callable[[int], None] = nobody) -> Iterator[bytes]:
    at = 0
    while piece := os.pread(file, PIECE, at):
        at += len(piece)
        yield piece
        progress(at)


# A stream of chunks of any size, as blocks of one size.


def regroup(chunks: Iterable[BytesLike], block_size: int) -> Iterator[bytes | memoryview]:
    """Blocks of exactly block_size, the last one smaller; nothing at all for an empty stream.

    A block never changes after it was given out: chunks that their owner might write to again are copied.
    """
    pending: list[bytes | memoryview] = []
    held = 0
    for chunk in chunks:
        rest = memoryview(chunk if isinstance(chunk, bytes) else bytes(chunk))
        while rest:
            taken = rest[: block_size - held]
            rest = rest[len(taken) :]
            pending.append(taken)
            held += len(taken)
            if held == block_size:
                yield _join(pending)
                pending, held = [], 0
    if held:
        yield _join(pending)


def _join(pending: list[bytes | memoryview]) -> bytes | memoryview:
    return pending[0] if len(pending) == 1 else b"".join(pending)


def measured(chunks: Iterable[BytesLike], expected_size: int | None) -> Iterator[BytesLike]:
    """Yield the same chunks; SizeMismatch as soon as they are too many, or at their end when they are too few."""
    if expected_size is None:
        yield from chunks
        return
    size = 0
    for chunk in chunks:
        size += memoryview(chunk).nbytes
        if size > expected_size:
            raise SizeMismatch(f"The stream is longer than the {expected_size} bytes that were announced.")
        yield chunk
    if size < expected_size:
        raise SizeMismatch(f"The stream ended after {size} of the {expected_size} bytes that were announced.")
