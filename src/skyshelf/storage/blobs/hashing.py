"""MD5 for the wire and SHA-256 as the content's address, in one pass over the bytes.

hashlib lets other threads run while it works on a large block, so the digests of one block are computed side by
side, while the caller writes the block and receives the next one. On two cores that brings a stream from the sum of
both digests down to the speed of MD5 alone (`./dev bench storage` prints the figures); small blocks are not worth the
hand-over.
"""

import hashlib
import os
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import Generic, Protocol, Self, TypeVar

from skyshelf.storage.blobs.protocols import BytesLike, Part
from skyshelf.storage.samples import UNSEEN

SIDE_BY_SIDE_FROM = 256 * 1024


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
        self.sample = UNSEEN

    def copy(self) -> "ContentHash":
        """Return a copy of the state, so an attempt that fails leaves the original as it was."""
        other = ContentHash()
        other._md5, other._sha256, other.size = self._md5.copy(), self._sha256.copy(), self.size
        other.sample = self.sample
        return other

    def begin(self, block: BytesLike, *others: Digest) -> "HashingBlock":
        """Start to digest the block, in `others` too; the block must not change until wait() returns."""
        self.sample = self.sample.with_block(self.size, block)
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
    """Return the SHA-256 and the MD5 of all pieces together."""
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
    """Return what comes before the first block."""
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


# Caches of the blob stores: small, bounded, shared by threads. Losing an entry costs time and nothing else

Key = TypeVar("Key")
Value = TypeVar("Value")


class BoundedCache(Generic[Key, Value]):
    """Keeps the entries used last, as long as their total weight stays within the limit."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._lock = Lock()
        self._entries: OrderedDict[Key, tuple[Value, int]] = OrderedDict()
        self._weight = 0

    def get(self, key: Key) -> Value | None:
        with self._lock:
            if key not in self._entries:
                return None
            self._entries.move_to_end(key)
            return self._entries[key][0]

    def put(self, key: Key, value: Value, weight: int = 1) -> None:
        """Remember the value; one that is heavier than the limit alone is not kept."""
        with self._lock:
            self._remove(key)
            self._entries[key] = (value, weight)
            self._weight += weight
            while self._weight > self._limit:
                self._remove(next(iter(self._entries)))

    def forget(self, key: Key) -> None:
        with self._lock:
            self._remove(key)

    def __len__(self) -> int:
        return len(self._entries)

    def _remove(self, key: Key) -> None:
        if key in self._entries:
            self._weight -= self._entries.pop(key)[1]


UPLOADS_REMEMBERED = 4096


class RunningHashes:
    """The digests of uploads in progress, so the last chunk need not read the others back.

    Kept are the digests up to the last part, and up to the one before it for a caller whose commit failed and who sends
    the same chunk again. They are found by the token of the part they end with. A token names one attempt, so digests
    of an attempt that lost, or that another process has overwritten since, are never used for other bytes.
    """

    def __init__(self) -> None:
        self._states: BoundedCache[str, tuple[tuple[str, ContentHash], ...]] = BoundedCache(UPLOADS_REMEMBERED)

    def upto(self, upload_id: str, part: Part | None) -> ContentHash | None:
        """Return a copy of the digests of everything up to the end of the part; None when they are not known."""
        if part is None:
            return ContentHash()
        for token, content in self._states.get(upload_id) or ():
            if token == part.token and content.size == part.end:
                return content.copy()
        return None

    def furthest(self, upload_id: str, parts: Sequence[Part]) -> ContentHash:
        """Return the digests that are known of as many of the parts as possible, counted from the first."""
        known = (self.upto(upload_id, part) for part in reversed(parts))
        return next((content for content in known if content is not None), ContentHash())

    def remember(self, upload_id: str, part: Part, content: ContentHash) -> None:
        before = self._states.get(upload_id) or ()
        self._states.put(upload_id, ((part.token, content), *before[:1]))

    def forget(self, upload_id: str) -> None:
        self._states.forget(upload_id)
