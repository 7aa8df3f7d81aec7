"""A stream of blocks, as the objects of one part of an upload."""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import suppress

from skyshelf.storage.blobs.hashing import HashingBlock
from skyshelf.storage.blobs.object_store.layout import new_token, part_key
from skyshelf.storage.blobs.object_store.objects import Objects
from skyshelf.storage.blobs.protocols import SWEEP_GRACE_MS
from skyshelf.storage.errors import StorageError, UploadDamaged

_UNDER_WAY = 2


class ObjectWriter:
    """Writes blocks as objects, two of them in flight while the next one arrives."""

    def __init__(self, objects: Objects, threads: Executor, object_size: int) -> None:
        self._objects = objects
        self._threads = threads
        self.object_size = object_size

    def write(
        self,
        upload_id: str,
        offset: int,
        blocks: Iterator[bytes | memoryview],
        digest: Callable[[bytes | memoryview], HashingBlock],
    ) -> tuple[str, int]:
        """Write the blocks from this offset on, each object_size long but the last; the part's token and size.

        After an error nothing is in flight, and written objects are removed as far as the store allows.
        """
        token = new_token(self.object_size)
        written: list[str] = []
        under_way: deque[Future[None]] = deque()
        size = 0
        try:
            for block in blocks:
                while len(under_way) >= _UNDER_WAY:
                    under_way.popleft().result()
                written.append(part_key(upload_id, offset + size, token))
                under_way.append(self._threads.submit(self._objects.put, written[-1], block))
                digest(block).wait()
                size += len(block)
            while under_way:
                under_way.popleft().result()
        except BaseException:
            for request in under_way:
                request.exception()
            with suppress(StorageError):
                self._objects.delete(written)
            raise
        return token, size


class StallGuard:
    """Ends a put that stood still for so long that the sweeper may have taken its parts.

    An upload is protected by its row; a put has none, and only its parts' age speaks for it. The sweeper leaves
    them alone for the whole grace, so a put that never pauses for half of it cannot lose a part unnoticed.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._moved = clock()

    def moving(self) -> None:
        """Called before each write; UploadDamaged when the one before it is too long ago."""
        now = self._clock()
        if now - self._moved > SWEEP_GRACE_MS / 2000:
            raise UploadDamaged("The stream stood still for so long that its parts may have been swept.")
        self._moved = now

    def watch(self, blocks: Iterator[bytes | memoryview]) -> Iterator[bytes | memoryview]:
        for block in blocks:
            self.moving()
            yield block
