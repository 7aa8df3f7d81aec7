"""Blobs in a bucket: small ones are one object, large ones are parts and a manifest."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import chain
from threading import Lock
from time import time

from obstore.store import ObjectStore

from skyshelf.storage.blobs import protocols
from skyshelf.storage.blobs.hashing import ContentHash
from skyshelf.storage.blobs.object_store import layout
from skyshelf.storage.blobs.object_store.objects import Objects, ObjectStream, fetches
from skyshelf.storage.blobs.object_store.uploads import ObjectUpload, ObjectUploads, StallGuard
from skyshelf.storage.blobs.streams import end_of_range, measured, nobody, pieces_of, regroup
from skyshelf.storage.errors import BlobCorrupt, BlobMissing, StorageError, UploadDamaged

OBJECT_SIZE = 8 * 1024 * 1024
_THREADS = 32
_UNDER_WAY = 8
_SMALL_BYTES = 1024 * 1024
_PROBE = "checks/probe"
_IDENTITY = "identity"


class ObjectBlobs(protocols.BlobStore):
    """A blob store in one bucket, or below one prefix of it; see protocols for the contract.

    object_size is the largest object that is written, and so the memory that one stream takes times three.
    Blobs remember the size they were written with: it may differ from one process to the next.
    """

    def __init__(self, store: ObjectStore | Objects, object_size: int = OBJECT_SIZE) -> None:
        self._objects = store if isinstance(store, Objects) else Objects(store)
        self._object_size = object_size
        self._threads = ThreadPoolExecutor(_THREADS, "objects")
        self._uploads = ObjectUploads(self._objects, self._threads, object_size)
        self._wrote_probe = False

    def put(self, chunks: Iterable[protocols.BytesLike], *, expected_size: int | None = None) -> protocols.StoredBlob:
        blocks = regroup(measured(chunks, expected_size), self._object_size)
        first, second = next(blocks, b""), next(blocks, None)
        if second is None:
            return self._put_one(first)
        return self._put_many(chain((first, second), blocks))

    @contextmanager
    def batch(self) -> Iterator["ObjectBatch"]:
        batch = ObjectBatch(self)
        try:
            yield batch
        finally:
            batch.give_up()

    def _put_one(self, data: bytes | memoryview) -> protocols.StoredBlob:
        content = ContentHash()
        content.update(data)
        location = layout.new_location(content.sha256, content.size)
        self._objects.put(layout.parse_location(location).key, data)
        return protocols.StoredBlob(location, content.size, content.md5, content.sha256, content.sample)

    def put_later(self, location: str, data: bytes | memoryview) -> Future[None]:
        """Begin to put a small blob at a location that was made for it."""
        return self._threads.submit(self._objects.put, layout.parse_location(location).key, data)

    def _put_many(self, blocks: Iterator[bytes | memoryview]) -> protocols.StoredBlob:
        content, upload_id, guard = ContentHash(), protocols.new_upload_id(), StallGuard(time)
        token, size = self._uploads.write(upload_id, 0, guard.watch(blocks), content.begin)
        guard.moving()
        part = protocols.Part(0, size, content.md5, token)
        manifest = layout.Manifest(upload_id, size, content.md5, content.sha256, (part,))
        return self._uploads.publish(manifest, content.sample)

    def read(self, location: str, start: int = 0, length: int | None = None) -> ObjectStream:
        place = layout.parse_location(location)
        end = end_of_range(place.size, start, length)
        if start == end:
            self.size(location)
        if place.upload_id is not None:
            objects = self._uploads.manifest(location).objects(start)
        else:
            objects = iter((layout.ObjectOfPart(place.key, 0, place.size),))
        try:
            return ObjectStream(self._objects, self._threads, fetches(objects, start, end))
        except BlobCorrupt:
            # All of it may have been deleted, and only our memory of its manifest is left: then it is missing.
            self._uploads.forget(location)
            self.size(location)
            raise

    def size(self, location: str) -> int:
        place = layout.parse_location(location)
        try:
            if place.upload_id is not None:
                layout.Manifest.decode(place.upload_id, self._objects.get(place.key), place.size)
            elif self._objects.size(place.key) != place.size:
                raise BlobCorrupt(f"The blob at {location} has another size than it was stored with.")
        except FileNotFoundError as error:
            raise BlobMissing(f"There is no blob at {location}.") from error
        return place.size

    def fingerprint(self, location: str) -> None:
        """A bucket would have to be asked."""
        layout.parse_location(location)

    def recorded_sha256(self, location: str) -> str:
        if layout.parse_location(location).upload_id is not None:
            return self._uploads.manifest(location).sha256
        return location.partition("-")[0]

    def local_path(self, location: str) -> None:
        """There are no files here."""
        layout.parse_location(location)

    def delete(self, location: str, *, keep_upload: bool = False) -> None:
        place = layout.parse_location(location)
        if place.upload_id is not None and not keep_upload:
            self._uploads.delete(location, place.upload_id)
        else:
            # One object, or the manifest of an upload whose parts stay.
            self._objects.delete([place.key])
            self._uploads.forget(location)

    def list(self) -> Iterator[protocols.ListedBlob]:
        return (line for line in self.list_all() if isinstance(line, protocols.ListedBlob))

    def list_all(self) -> Iterator[protocols.ListedBlob | protocols.ListedUpload]:
        for found in self._objects.list(layout.BLOBS):
            location = layout.location_of(found.key)
            if location is not None:
                yield protocols.ListedBlob(location, found.size, found.modified_ms)
        yield from self._uploads.list(layout.PARTS)

    @contextmanager
    def uploading(self, upload_id: str) -> Iterator[ObjectUpload]:
        yield ObjectUpload(self._uploads, protocols.check_upload_id(upload_id))

    def discard(self, upload_id: str) -> None:
        self._uploads.discard(protocols.check_upload_id(upload_id))

    def has_parts(self, upload_id: str, parts: Sequence[protocols.Part]) -> bool:
        try:
            ObjectUpload(self._uploads, protocols.check_upload_id(upload_id)).check_all_there(parts)
        except UploadDamaged:
            return False
        return True

    def list_uploads(self) -> Iterator[protocols.ListedUpload]:
        return (line for line in self._uploads.list(layout.PARTS) if isinstance(line, protocols.ListedUpload))

    def identity(self) -> bytes | None:
        try:
            return self._objects.get(_IDENTITY)
        except FileNotFoundError:
            return None

    def write_identity(self, value: bytes) -> None:
        self._objects.put(_IDENTITY, value)

    def check(self) -> None:
        """Asks for a listing, which needs the network, the bucket and the credentials; the first time it writes too."""
        next(self._objects.list("checks/"), None)
        if not self._wrote_probe:
            self._objects.put(_PROBE, b"written by the self-check; may be deleted")
            self._wrote_probe = True

    def close(self) -> None:
        self._threads.shutdown(wait=True, cancel_futures=True)


class ObjectBatch:
    """Many new blobs: each is durable when it is put, so a batch can share only the waiting."""

    def __init__(self, store: "ObjectBlobs") -> None:
        self._store = store
        self._lock = Lock()
        self._taken: list[str] = []
        self._under_way: deque[Future[None]] = deque()

    def take(
        self, file: int, mode: protocols.LinkMode = "copy", *, progress: Callable[[int], None] = nobody
    ) -> protocols.TakenFile:
        """Always a copy: a bucket is elsewhere."""
        del mode
        return protocols.TakenFile(self._noted(self._store.put(pieces_of(file, progress))), "copy")

    def put(self, chunks: Iterable[protocols.BytesLike], *, expected_size: int | None = None) -> protocols.StoredBlob:
        """A small one is in flight while the next one comes; a few mebibytes are held at most."""
        blocks = regroup(measured(chunks, expected_size), _SMALL_BYTES)
        first, second = next(blocks, b""), next(blocks, None)
        if second is not None:
            return self._noted(self._store.put(chain((first, second), blocks)))
        content = ContentHash()
        content.update(first)
        location = layout.new_location(content.sha256, content.size)
        while len(self._under_way) >= _UNDER_WAY:
            self._under_way.popleft().result()
        # Noted before it is sent: a lost response leaves an object behind.
        blob = self._noted(protocols.StoredBlob(location, content.size, content.md5, content.sha256, content.sample))
        self._under_way.append(self._store.put_later(location, first))
        return blob

    def _noted(self, blob: protocols.StoredBlob) -> protocols.StoredBlob:
        with self._lock:
            self._taken.append(blob.location)
        return blob

    def drop(self, location: str) -> None:
        self._wait()
        with self._lock:
            self._taken.remove(location)
        self._store.delete(location)

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
                self._store.delete(location)
