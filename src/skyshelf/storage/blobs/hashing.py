"""MD5 for the wire and SHA-256 as the content's address, in one pass over the bytes.

hashlib lets other threads run while it works on a large block, so the digests of one block are computed side by
side, while the caller writes the block and receives the next one. On two cores that brings a stream from the sum of
both digests down to the speed of MD5 alone (`./dev bench storage` prints the figures); small blocks are not worth the
hand-over.
"""

import hashlib
import os
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import Protocol, Self

from skyshelf.storage.blobs.protocols import BytesLike

SIDE_BY_SIDE_FROM = 256 * 1024
HEAD_BYTES = 1024


class Digest(Protocol):
    """The part of a hashlib object that we use."""

    def update(self, data: BytesLike, /) -> None: ...

    def hexdigest(self) -> str: ...

    def copy(self) -> Self: ...


def new_md5() -> Digest:
    return hashlib.md5(usedforsecurity=False)


class ContentHash:
    """Both digests of a content, and how many bytes went into them."""

    def __init__(self) -> None:
        self._md5 = new_md5()
        self._sha256: Digest = hashlib.sha256()
        self.size = 0
        self.head = b""
        """The first bytes, as many as are looked at."""

    def copy(self) -> "ContentHash":
        """A copy of the state, so an attempt that fails leaves the original as it was."""
        other = ContentHash()
        other._md5, other._sha256, other.size = self._md5.copy(), self._sha256.copy(), self.size
        other.head = self.head
        return other

    def begin(self, block: BytesLike, *others: Digest) -> "HashingBlock":
        """Start to digest the block, in `others` too; the block must not change until wait() returns."""
        if self.size < HEAD_BYTES:
            self.head += bytes(block[: HEAD_BYTES - self.size])
        self.size += len(block)
        return HashingBlock((self._md5, self._sha256, *others), block)

    def update(self, block: BytesLike) -> None:
        self.begin(block).wait()

    @property
    def md5(self) -> str:
        return self._md5.hexdigest()

    @property
    def sha256(self) -> str:
        return self._sha256.hexdigest()


def digests_of(pieces: Iterable[BytesLike]) -> tuple[str, str]:
    """The SHA-256 and the MD5 of all pieces together."""
    content = ContentHash()
    for piece in pieces:
        content.update(piece)
    return content.sha256, content.md5


class ChunkHash:
    """The MD5 of one chunk, and the digests of the whole content as far as they are known before it."""

    def __init__(self, content: ContentHash | None) -> None:
        self.content = content
        # The first chunk of a content has the content's own MD5 up to there: most uploads have one chunk.
        self._md5 = None if content is not None and content.size == 0 else new_md5()

    def begin(self, block: BytesLike) -> "HashingBlock":
        own = () if self._md5 is None else (self._md5,)
        return HashingBlock(own, block) if self.content is None else self.content.begin(block, *own)

    @property
    def md5(self) -> str:
        if self._md5 is not None:
            return self._md5.hexdigest()
        assert self.content is not None
        return self.content.md5


class HashingBlock:
    """One block that some digests are being updated with."""

    def __init__(self, digests: Sequence[Digest], block: BytesLike) -> None:
        self._running: list[Future[None]] = []
        if len(block) < SIDE_BY_SIDE_FROM:
            for digest in digests:
                digest.update(block)
        else:
            self._running = [_threads.submit(digest, block) for digest in digests]

    def wait(self) -> None:
        for running in self._running:
            running.result()


def nothing_to_hash() -> HashingBlock:
    """What comes before the first block."""
    return HashingBlock((), b"")


class _DigestThreads:
    """This process's hashing threads, started with the first large block."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._pool: ThreadPoolExecutor | None = None

    def submit(self, digest: Digest, block: BytesLike) -> Future[None]:
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(max(2, os.cpu_count() or 2), "digest")
            return self._pool.submit(digest.update, block)

    def forget(self) -> None:
        """A forked child has the parent's pool without its threads: it makes its own."""
        self._lock = Lock()
        self._pool = None


_threads = _DigestThreads()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_threads.forget)
