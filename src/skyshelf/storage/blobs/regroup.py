"""A stream of chunks of any size, as blocks of one size."""

from collections.abc import Iterable, Iterator

from skyshelf.storage.blobs.protocols import BytesLike
from skyshelf.storage.errors import SizeMismatch


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
    """The same chunks; SizeMismatch as soon as they are too many, or at their end when they are too few."""
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
