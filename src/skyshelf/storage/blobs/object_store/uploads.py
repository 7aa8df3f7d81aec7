"""One upload in progress in a bucket: part objects, which a manifest turns into a blob.

Every attempt writes its own objects, so two writers at one offset cannot damage each other and no lock is needed:
the metadata decides which attempt counts. finish writes a manifest under a unique name, so it may be repeated, and
a caller that lost a race can delete its manifest without touching the winner's manifest of the same parts.
"""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import suppress

from skyshelf.storage.blobs.caches import BoundedCache, RunningHashes
from skyshelf.storage.blobs.hashing import ChunkHash, ContentHash
from skyshelf.storage.blobs.object_store.layout import (
    last_object_of,
    location_of,
    new_manifest_location,
    objects_of,
    parse_location,
    prefix_of,
    upload_of,
)
from skyshelf.storage.blobs.object_store.manifest import Manifest
from skyshelf.storage.blobs.object_store.objects import Objects
from skyshelf.storage.blobs.object_store.stream import ObjectStream, fetches
from skyshelf.storage.blobs.object_store.writing import ObjectWriter
from skyshelf.storage.blobs.protocols import BytesLike
from skyshelf.storage.blobs.records import ListedUpload, Part, StoredBlob
from skyshelf.storage.blobs.streams import check_joined, measured, regroup
from skyshelf.storage.errors import BadLocation, BlobCorrupt, BlobMissing, UploadDamaged

_PARTS_REMEMBERED = 100_000


class ObjectUploads:
    """What all uploads of one store share."""

    def __init__(self, objects: Objects, threads: Executor, writer: ObjectWriter) -> None:
        self.objects = objects
        self.threads = threads
        self.writer = writer
        self.hashes = RunningHashes()
        self._manifests: BoundedCache[str, Manifest] = BoundedCache(_PARTS_REMEMBERED)

    def publish(self, manifest: Manifest, head: bytes) -> StoredBlob:
        """Write the manifest under a new location: from then on there is a blob."""
        location = new_manifest_location(manifest.upload_id, manifest.size)
        self.objects.put(parse_location(location).key, manifest.encode())
        self._manifests.put(location, manifest, 1 + len(manifest.parts))
        return StoredBlob(location, manifest.size, manifest.md5, manifest.sha256, head)

    def manifest(self, location: str) -> Manifest:
        """The manifest at a location that is one; BlobMissing when it is gone."""
        place = parse_location(location)
        assert place.upload_id is not None
        known = self._manifests.get(location)
        if known is not None:
            return known
        try:
            manifest = Manifest.decode(place.upload_id, self.objects.get(place.key), place.size)
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
            self.objects.delete([parse_location(location).key])
        self.forget(location)

    def _belongings(self, upload_id: str) -> tuple[list[str], list[str]]:
        """The keys of an upload's parts, and the locations of its manifests."""
        parts, blobs = [], []
        for found in self.objects.list(prefix_of(upload_id)):
            if upload_of(found.key):
                parts.append(found.key)
            elif location := location_of(found.key):
                blobs.append(location)
        return parts, blobs

    def _needed_by(self, locations: Iterable[str]) -> set[str]:
        needed: set[str] = set()
        for location in locations:
            # One that no longer exists was deleted by another process.
            with suppress(BlobMissing):
                needed.update(found.key for found in self.manifest(location).objects())
        return needed

    def list(self, prefix: str) -> Iterator[ListedUpload]:
        """Uploads that have parts and no manifest. All objects of one upload are listed in a row.

        A store that does not list them in a row may show an upload that has a manifest: discard checks again.
        """
        current, size, modified, finished = "", 0, 0, False
        for found in self.objects.list(prefix):
            key = found.key
            place = location_of(key)
            owner = upload_of(key) or (place and parse_location(place).upload_id)
            if not owner:
                continue
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
        blocks = regroup(measured(chunks, expected_size), self._uploads.writer.object_size)
        token, size = self._uploads.writer.write(self._upload_id, offset, blocks, hashing.begin)
        part = Part(offset, size, hashing.md5, token)
        if hashing.content is not None:
            self._uploads.hashes.remember(self._upload_id, part, hashing.content)
        return part

    def discard_part(self, part: Part) -> None:
        self._uploads.objects.delete([found.key for found in objects_of(self._upload_id, part)])

    def finish(self, parts: Sequence[Part], size: int) -> StoredBlob:
        check_joined(parts, size)
        self.check_all_there(parts)
        content = self._uploads.hashes.furthest(self._upload_id, parts)
        self._read_back(content, parts, size)
        manifest = Manifest(self._upload_id, size, content.md5, content.sha256, tuple(parts))
        return self._uploads.publish(manifest, content.head)

    def discard(self) -> None:
        self._uploads.discard(self._upload_id)

    def _check_there(self, part: Part) -> None:
        """This process did not write the part itself, so it checks whether its last object exists."""
        try:
            last = last_object_of(self._upload_id, part)
            if last is not None and self._uploads.objects.size(last.key) != last.size:
                raise UploadDamaged(f"The upload {self._upload_id} has a part of another size than acknowledged.")
        except (FileNotFoundError, BadLocation) as error:
            raise UploadDamaged(f"The upload {self._upload_id} does not reach byte {part.end}.") from error

    def check_all_there(self, parts: Sequence[Part]) -> None:
        """Raise UploadDamaged where an object of these parts is missing or has another size."""
        there = {found.key: found.size for found in self._uploads.objects.list(prefix_of(self._upload_id))}
        try:
            for part in parts:
                for needed in objects_of(self._upload_id, part):
                    if there.get(needed.key) != needed.size:
                        raise UploadDamaged(f"The upload {self._upload_id} has lost bytes from {needed.offset} on.")
        except BadLocation as error:
            raise UploadDamaged(f"The upload {self._upload_id} never had such a part.") from error

    def _read_back(self, content: ContentHash, parts: Sequence[Part], size: int) -> None:
        all_of_it = Manifest(self._upload_id, size, "", "", tuple(parts))
        requests = fetches(all_of_it.objects(content.size), content.size, size)
        try:
            for piece in ObjectStream(self._uploads.objects, self._uploads.threads, requests):
                content.update(piece)
        except BlobCorrupt as error:
            raise UploadDamaged(f"The upload {self._upload_id} has lost bytes.") from error
