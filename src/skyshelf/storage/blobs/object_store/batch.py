"""Many new blobs in a bucket: each is durable when it is put, so that a batch has nothing to wait for."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from threading import Lock

from skyshelf.storage.blobs.protocols import BytesLike
from skyshelf.storage.blobs.records import StoredBlob, TakenFile, Way
from skyshelf.storage.blobs.source_files import nobody, pieces_of
from skyshelf.storage.errors import StorageError


class ObjectBatch:
    """A BlobBatch of ObjectBlobs."""

    def __init__(self, put: Callable[[Iterable[BytesLike]], StoredBlob], delete: Callable[[str], None]) -> None:
        self._put = put
        self._delete = delete
        self._lock = Lock()
        self._taken: list[str] = []

    def take(self, file: int, way: Way = "copy", *, progress: Callable[[int], None] = nobody) -> TakenFile:
        """Always a copy: a bucket is elsewhere."""
        del way
        blob = self._put(pieces_of(file, progress))
        with self._lock:
            self._taken.append(blob.location)
        return TakenFile(blob, "copy")

    def drop(self, location: str) -> None:
        with self._lock:
            self._taken.remove(location)
        self._delete(location)

    def seal(self) -> None:
        self._taken = []

    def give_up(self) -> None:
        """Remove what was taken and not sealed."""
        left, self._taken = self._taken, []
        for location in left:
            with suppress(StorageError):
                self._delete(location)
