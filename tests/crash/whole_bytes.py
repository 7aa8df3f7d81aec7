"""The bytes behind the metadata: every version whole, every upload whole as far as it was acknowledged, and which
files nobody refers to."""

import hashlib
from collections.abc import Iterator

from tests.crash.contents import bytes_of
from tests.crash.hands import Hands
from tests.crash.performing_uploads import so_far
from tests.crash.shelf import Shelf

from skyshelf.storage.blobs.protocols import BlobStore
from skyshelf.storage.errors import StorageError
from skyshelf.storage.metadata.sql.statements import digest_text
from skyshelf.storage.metadata.sql.unit import SqlUnit


def torn_blobs(unit: SqlUnit, blobs: BlobStore) -> Iterator[str]:
    """Reads back every blob that a version refers to, and those that are known and idle as well."""
    for content, location, size, md5 in unit.sql.all("SELECT content, location, size, md5 FROM blobs"):
        sha256 = digest_text(content)
        try:
            data = b"".join(blobs.read(location))
        except StorageError as error:
            yield f"the blob of {sha256} cannot be read: {error}"
            continue
        if (len(data), _sha256(data), _md5(data)) != (size, sha256, digest_text(md5)):
            yield f"the blob of {sha256} has other bytes"


def torn_uploads(hands: Hands, shelf: Shelf) -> Iterator[str]:
    """Makes a blob of the acknowledged parts of every upload, reads it back, and takes it away again."""
    for key, upload in shelf.uploads.items():
        if upload.received == 0:
            continue
        try:
            with hands.blobs.uploading(key) as held:
                _, parts = so_far(hands, key)
                stored = held.finish(parts, upload.received)
            data = b"".join(hands.blobs.read(stored.location))
        except StorageError as error:
            yield f"the upload {key} cannot go on: {error}"
            continue
        hands.blobs.delete(stored.location)
        if data != bytes_of(upload.content)[: upload.received] or stored.sha256 != _sha256(data):
            yield f"the upload {key} has other bytes than were acknowledged"


def unreferred(unit: SqlUnit, blobs: BlobStore) -> set[str]:
    """Blobs without a row, and bytes of uploads without one: what only a sweeper would ever read."""
    locations = [line.location for line in blobs.list()]
    uploads = [line.upload_id for line in blobs.list_uploads()]
    known = unit.content.known(locations) | unit.uploads.known(uploads) | unit.quarantine.known(locations + uploads)
    return {*locations, *uploads} - known


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _md5(data: bytes) -> str:
    return hashlib.md5(data, usedforsecurity=False).hexdigest()
