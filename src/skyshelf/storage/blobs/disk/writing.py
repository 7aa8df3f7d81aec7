"""Blocks into a file and through the digests, side by side."""

from collections.abc import Iterable

from skyshelf.storage.blobs.durable_files import DurableFiles
from skyshelf.storage.blobs.hashing import ContentHash


def written(files: DurableFiles, file: int, blocks: Iterable[bytes | memoryview]) -> ContentHash:
    """Write them one after the other, from the first byte on; whether they are durable is another question."""
    content = ContentHash()
    for block in blocks:
        at, digesting = content.size, content.begin(block)
        files.write(file, block, at)
        digesting.wait()
    return content
