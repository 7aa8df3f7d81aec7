"""One upload in progress in a bucket: part objects, which a manifest turns into a blob.

Every attempt writes its own objects, so two writers at one offset cannot damage each other and no lock is needed:
the metadata decides which attempt counts. finish writes a manifest under a unique name, so it may be repeated, and
a caller that lost a race can delete its manifest without touching the winner's manifest of the same parts.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import suppress

from skyshelf.storage.blobs.hashing import BoundedCache, ChunkHash, ContentHash, HashingBlock, RunningHashes
from skyshelf.storage.blobs.object_store import layout
from skyshelf.storage.blobs.object_store.objects import Objects, ObjectStream, fetches
from skyshelf.storage.blobs.protocols import SWEEP_GRACE_MS, BytesLike, ListedBlob, ListedUpload, Part, StoredBlob
from skyshelf.storage.blobs.streams import check_joined, measured, regroup
from skyshelf.storage.errors import BadLocation, BlobCorrupt, BlobMissing, StorageError, UploadDamaged
from skyshelf.storage.samples import Sample

_PARTS_REMEMBERED = 100_000
_UNDER_WAY = 2


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


class ObjectUploads:
    """What all uploads of one store share."""

    def __init__(self, objects: Objects, threads: Executor, object_size: int) -> None:
        self.objects = objects
        self.threads = threads
        self.object_size = object_size
        self.hashes = RunningHashes()
        self._manifests: BoundedCache[str, layout.Manifest] = BoundedCache(_PARTS_REMEMBERED)

    def write(
        self,
        upload_id: str,
        offset: int,
        blocks: Iterator[bytes | memoryview],
        digest: Callable[[bytes | memoryview], HashingBlock],
    ) -> tuple[str, int]:
        """Write the blocks from this offset on, each object_size long but the last; the part's token and size.

        Two of them are in flight while the next one arrives.
        After an error nothing is in flight, and written objects are removed as far as the store allows.
        """
        token = layout.new_token(self.object_size)
        written: list[str] = []
        under_way: deque[Future[None]] = deque()
        size = 0
        try:
            for block in blocks:
                while len(under_way) >= _UNDER_WAY:
                    under_way.popleft().result()
                written.append(layout.part_key(upload_id, offset + size, token))
                under_way.append(self.threads.submit(self.objects.put, written[-1], block))
                digest(block).wait()
                size += len(block)
            while under_way:
                under_way.popleft().result()
        except BaseException:
            for request in under_way:
                request.exception()
            with suppress(StorageError):
                self.objects.delete(written)
            raise
        return token, size

    def publish(self, manifest: layout.Manifest, sample: Sample) -> StoredBlob:
        """Write the manifest under a new location: from then on there is a blob."""
        location = layout.new_manifest_location(manifest.upload_id, manifest.size)
        self.objects.put(layout.parse_location(location).key, manifest.encode())
        self._manifests.put(location, manifest, 1 + len(manifest.parts))
        return StoredBlob(location, manifest.size, manifest.md5, manifest.sha256, sample)

    def manifest(self, location: str) -> layout.Manifest:
        """Return the manifest at a location that is one; BlobMissing when it is gone."""
        place = layout.parse_location(location)
        assert place.upload_id is not None
        known = self._manifests.get(location)
        if known is not None:
            return known
        try:
            manifest = layout.Manifest.decode(place.upload_id, self.objects.get(place.key), place.size)
        except FileNotFoundError as error:
            raise BlobMissing(f"There is no blob at {location}.") from error
        self._manifests.put(location, manifest, 1 + len(manifest.parts))
        return manifest

    def forget(self, location: str) -> None:
        self._manifests.forget(location)

    def discard(self, upload_id: str) -> None:
        """Delete the parts that no manifest of this upload needs."""
        self.hashes.forget(upload_id)
        parts, blobs = self._belongings(upload_id)
        needed = self._needed_by(blobs)
        self.objects.delete([key for key in parts if key not in needed])

    def delete(self, location: str, upload_id: str) -> None:
        """Delete a manifest, and before it the parts that no other manifest of the same upload needs.

        The manifest goes last: until then the call can be repeated, and the blob is in the listing.
        """
        parts, blobs = self._belongings(upload_id)
        if location in blobs:
            needed = self._needed_by([other for other in blobs if other != location])
            self.objects.delete([key for key in parts if key not in needed])
            self.objects.delete([layout.parse_location(location).key])
        self.forget(location)

    def _belongings(self, upload_id: str) -> tuple[list[str], list[str]]:
        """Return the keys of an upload's parts, and the locations of its manifests."""
        parts, blobs = [], []
        for found in self.objects.list(layout.prefix_of(upload_id)):
            if layout.upload_of(found.key):
                parts.append(found.key)
            elif location := layout.location_of(found.key):
                blobs.append(location)
        return parts, blobs

    def _needed_by(self, locations: Iterable[str]) -> set[str]:
        needed: set[str] = set()
        for location in locations:
            # One that no longer exists was deleted by another process.
            with suppress(BlobMissing):
                needed.update(found.key for found in self.manifest(location).objects())
        return needed

    def list(self, prefix: str) -> Iterator[ListedBlob | ListedUpload]:
        """Manifests, which are blobs, and uploads that have parts and no manifest. All objects of one are in a row.

        A store that does not list them in a row may show an upload that has a manifest: discard checks again.
        """
        current, size, modified, finished = "", 0, 0, False
        for found in self.objects.list(prefix):
            key = found.key
            place = layout.location_of(key)
            blob = place and layout.parse_location(place)
            owner = layout.upload_of(key) or (blob and blob.upload_id)
            if not owner:
                continue
            if place and blob:
                yield ListedBlob(place, blob.size, found.modified_ms, owner)
            if owner != current:
                if current and not finished:
                    yield ListedUpload(current, size, modified)
                current, size, modified, finished = owner, 0, 0, False
            finished = finished or place is not None
            size += found.size
            modified = max(modified, found.modified_ms)
        if current and not finished:
            yield ListedUpload(current, size, modified)


class ObjectUpload:
    """An upload that is being written; others may write it too."""

    def __init__(self, uploads: ObjectUploads, upload_id: str) -> None:
        self._uploads = uploads
        self._upload_id = upload_id

    def append(self, chunks: Iterable[BytesLike], *, after: Part | None, expected_size: int | None = None) -> Part:
        content = self._uploads.hashes.upto(self._upload_id, after)
        if content is None:
            assert after is not None
            self._check_there(after)
        hashing = ChunkHash(content)
        offset = 0 if after is None else after.end
        blocks = regroup(measured(chunks, expected_size), self._uploads.object_size)
        token, size = self._uploads.write(self._upload_id, offset, blocks, hashing.begin)
        part = Part(offset, size, hashing.md5, token)
        if hashing.content is not None:
            self._uploads.hashes.remember(self._upload_id, part, hashing.content)
        return part

    def discard_part(self, part: Part) -> None:
        self._uploads.objects.delete([found.key for found in layout.objects_of(self._upload_id, part)])

    def finish(self, parts: Sequence[Part], size: int) -> StoredBlob:
        check_joined(parts, size)
        self.check_all_there(parts)
        content = self._uploads.hashes.furthest(self._upload_id, parts)
        self._read_back(content, parts, size)
        manifest = layout.Manifest(self._upload_id, size, content.md5, content.sha256, tuple(parts))
        return self._uploads.publish(manifest, content.sample)

    def discard(self) -> None:
        self._uploads.discard(self._upload_id)

    def _check_there(self, part: Part) -> None:
        """This process did not write the part itself, so it checks whether its last object exists."""
        try:
            last = layout.last_object_of(self._upload_id, part)
            if last is not None and self._uploads.objects.size(last.key) != last.size:
                raise UploadDamaged(f"The upload {self._upload_id} has a part of another size than acknowledged.")
        except (FileNotFoundError, BadLocation) as error:
            raise UploadDamaged(f"The upload {self._upload_id} does not reach byte {part.end}.") from error

    def check_all_there(self, parts: Sequence[Part]) -> None:
        """Raise UploadDamaged where an object of these parts is missing or has another size."""
        there = {found.key: found.size for found in self._uploads.objects.list(layout.prefix_of(self._upload_id))}
        try:
            for part in parts:
                for needed in layout.objects_of(self._upload_id, part):
                    if there.get(needed.key) != needed.size:
                        raise UploadDamaged(f"The upload {self._upload_id} has lost bytes from {needed.offset} on.")
        except BadLocation as error:
            raise UploadDamaged(f"The upload {self._upload_id} never had such a part.") from error

    def _read_back(self, content: ContentHash, parts: Sequence[Part], size: int) -> None:
        all_of_it = layout.Manifest(self._upload_id, size, "", "", tuple(parts))
        requests = fetches(all_of_it.objects(content.size), content.size, size)
        try:
            for piece in ObjectStream(self._uploads.objects, self._uploads.threads, requests):
                content.update(piece)
        except BlobCorrupt as error:
            raise UploadDamaged(f"The upload {self._upload_id} has lost bytes.") from error
