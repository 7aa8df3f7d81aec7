"""Blobs in a bucket: small ones are one object, large ones are parts and a manifest."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import chain
from time import time
from typing import Self

from obstore.store import ObjectStore

from skyshelf.storage.blobs.hashing import ContentHash
from skyshelf.storage.blobs.object_store.batch import ObjectBatch
from skyshelf.storage.blobs.object_store.layout import (
    BLOBS,
    PARTS,
    ObjectOfPart,
    location_of,
    new_location,
    parse_location,
)
from skyshelf.storage.blobs.object_store.manifest import Manifest
from skyshelf.storage.blobs.object_store.objects import Objects
from skyshelf.storage.blobs.object_store.stream import ObjectStream, fetches
from skyshelf.storage.blobs.object_store.uploads import ObjectUpload, ObjectUploads
from skyshelf.storage.blobs.object_store.writing import ObjectWriter, StallGuard
from skyshelf.storage.blobs.protocols import BytesLike
from skyshelf.storage.blobs.records import (
    ListedBlob,
    ListedUpload,
    Part,
    StoredBlob,
    check_upload_id,
    new_upload_id,
)
from skyshelf.storage.blobs.streams import end_of_range, measured, regroup
from skyshelf.storage.errors import BlobCorrupt, BlobMissing, UploadDamaged

OBJECT_SIZE = 8 * 1024 * 1024
_THREADS = 32
_PROBE = "checks/probe"
_IDENTITY = "identity"


class ObjectBlobs:
    """A blob store in one bucket, or below one prefix of it; see protocols for the contract.

    object_size is the largest object that is written, and so the memory that one stream takes times three.
    Blobs remember the size they were written with: it may differ from one process to the next.
    """

    def __init__(self, store: ObjectStore | Objects, object_size: int = OBJECT_SIZE) -> None:
        self._objects = store if isinstance(store, Objects) else Objects(store)
        self._object_size = object_size
        self._threads = ThreadPoolExecutor(_THREADS, "objects")
        writer = ObjectWriter(self._objects, self._threads, object_size)
        self._uploads = ObjectUploads(self._objects, self._threads, writer)
        self._wrote_probe = False

    def put(self, chunks: Iterable[BytesLike], *, expected_size: int | None = None) -> StoredBlob:
        blocks = regroup(measured(chunks, expected_size), self._object_size)
        first, second = next(blocks, b""), next(blocks, None)
        if second is None:
            return self._put_one(first)
        return self._put_many(chain((first, second), blocks))

    @contextmanager
    def batch(self) -> Iterator[ObjectBatch]:
        batch = ObjectBatch(self._objects, self._threads, self.put, self.delete)
        try:
            yield batch
        finally:
            batch.give_up()

    def _put_one(self, data: bytes | memoryview) -> StoredBlob:
        content = ContentHash()
        content.update(data)
        location = new_location(content.sha256, content.size)
        self._objects.put(parse_location(location).key, data)
        return StoredBlob(location, content.size, content.md5, content.sha256, content.head)

    def _put_many(self, blocks: Iterator[bytes | memoryview]) -> StoredBlob:
        content, upload_id, guard = ContentHash(), new_upload_id(), StallGuard(time)
        token, size = self._uploads.writer.write(upload_id, 0, guard.watch(blocks), content.begin)
        guard.moving()
        part = Part(0, size, content.md5, token)
        manifest = Manifest(upload_id, size, content.md5, content.sha256, (part,))
        return self._uploads.publish(manifest, content.head)

    def read(self, location: str, start: int = 0, length: int | None = None) -> ObjectStream:
        place = parse_location(location)
        end = end_of_range(place.size, start, length)
        if start == end:
            self.size(location)
        if place.upload_id is not None:
            objects = self._uploads.manifest(location).objects(start)
        else:
            objects = iter((ObjectOfPart(place.key, 0, place.size),))
        try:
            return ObjectStream(self._objects, self._threads, fetches(objects, start, end))
        except BlobCorrupt:
            # All of it may have been deleted, and only our memory of its manifest is left: then it is missing.
            self._uploads.forget(location)
            self.size(location)
            raise

    def size(self, location: str) -> int:
        place = parse_location(location)
        try:
            if place.upload_id is not None:
                Manifest.decode(place.upload_id, self._objects.get(place.key), place.size)
            elif self._objects.size(place.key) != place.size:
                raise BlobCorrupt(f"The blob at {location} has another size than it was stored with.")
        except FileNotFoundError as error:
            raise BlobMissing(f"There is no blob at {location}.") from error
        return place.size

    def fingerprint(self, location: str) -> None:
        """A bucket would have to be asked."""
        parse_location(location)

    def read_if_cached(self, location: str, start: int, length: int) -> None:
        """None: they are on another machine."""

    def open_if_cached(self, location: str) -> None:
        """There is no file to open."""

    def recorded_sha256(self, location: str) -> str:
        if parse_location(location).upload_id is not None:
            return self._uploads.manifest(location).sha256
        return location.partition("-")[0]

    def local_path(self, location: str) -> None:
        """There are no files here."""
        parse_location(location)

    def delete(self, location: str, *, keep_upload: bool = False) -> None:
        place = parse_location(location)
        if place.upload_id is not None and not keep_upload:
            self._uploads.delete(location, place.upload_id)
        else:
            # One object, or the manifest of an upload whose parts stay.
            self._objects.delete([place.key])
            self._uploads.forget(location)

    def list(self) -> Iterator[ListedBlob]:
        for found in chain(self._objects.list(BLOBS), self._objects.list(PARTS)):
            location = location_of(found.key)
            if location is not None:
                place = parse_location(location)
                size = found.size if place.upload_id is None else place.size
                yield ListedBlob(location, size, found.modified_ms, place.upload_id)

    @contextmanager
    def uploading(self, upload_id: str) -> Iterator[ObjectUpload]:
        yield ObjectUpload(self._uploads, check_upload_id(upload_id))

    def discard(self, upload_id: str) -> None:
        self._uploads.discard(check_upload_id(upload_id))

    def has_parts(self, upload_id: str, parts: Sequence[Part]) -> bool:
        try:
            ObjectUpload(self._uploads, check_upload_id(upload_id)).check_all_there(parts)
        except UploadDamaged:
            return False
        return True

    def list_uploads(self) -> Iterator[ListedUpload]:
        return self._uploads.list(PARTS)

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

    def space(self) -> None:
        """A bucket has no size that it reports."""

    def close(self) -> None:
        self._threads.shutdown(wait=True, cancel_futures=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
