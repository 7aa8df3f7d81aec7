"""Many new blobs in a bucket: each is durable when it is put, so a batch can share only the waiting."""

from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future
from contextlib import suppress
from itertools import chain
from threading import Lock

from skyshelf.storage.blobs.hashing import ContentHash
from skyshelf.storage.blobs.object_store.layout import new_location, parse_location
from skyshelf.storage.blobs.object_store.objects import Objects
from skyshelf.storage.blobs.protocols import BytesLike
from skyshelf.storage.blobs.records import LinkMode, StoredBlob, TakenFile
from skyshelf.storage.blobs.streams import measured, nobody, pieces_of, regroup
from skyshelf.storage.errors import StorageError

_UNDER_WAY = 8
_SMALL_BYTES = 1024 * 1024


class ObjectBatch:
    """A BlobBatch of ObjectBlobs."""

    def __init__(
        self,
        objects: Objects,
        threads: Executor,
        put: Callable[[Iterable[BytesLike]], StoredBlob],
        delete: Callable[[str], None],
    ) -> None:
        self._objects = objects
        self._threads = threads
        self._put = put
        self._delete = delete
        self._lock = Lock()
        self._taken: list[str] = []
        self._under_way: deque[Future[None]] = deque()

    def take(self, file: int, mode: LinkMode = "copy", *, progress: Callable[[int], None] = nobody) -> TakenFile:
        """Always a copy: a bucket is elsewhere."""
        del mode
        return TakenFile(self._noted(self._put(pieces_of(file, progress))), "copy")

    def put(self, chunks: Iterable[BytesLike], *, expected_size: int | None = None) -> StoredBlob:
        """A small one is in flight while the next one comes; a few mebibytes are held at most."""
        blocks = regroup(measured(chunks, expected_size), _SMALL_BYTES)
        first, second = next(blocks, b""), next(blocks, None)
        if second is not None:
            return self._noted(self._put(chain((first, second), blocks)))
        content = ContentHash()
        content.update(first)
        location = new_location(content.sha256, content.size)
        while len(self._under_way) >= _UNDER_WAY:
            self._under_way.popleft().result()
        # Noted before it is sent: a lost response leaves an object behind.
        blob = self._noted(StoredBlob(location, content.size, content.md5, content.sha256, content.head))
        self._under_way.append(self._threads.submit(self._objects.put, parse_location(location).key, first))
        return blob

    def _noted(self, blob: StoredBlob) -> StoredBlob:
        with self._lock:
            self._taken.append(blob.location)
        return blob

    def drop(self, location: str) -> None:
        self._wait()
        with self._lock:
            self._taken.remove(location)
        self._delete(location)

    def seal(self) -> None:
        self._wait()
        self._taken = []

    def _wait(self) -> None:
        while self._under_way:
            self._under_way.popleft().result()

    def give_up(self) -> None:
        """Remove unsealed objects, once none of them is in flight."""
        for request in self._under_way:
            request.exception()
        left, self._taken = self._taken, []
        for location in left:
            with suppress(StorageError):
                self._delete(location)
