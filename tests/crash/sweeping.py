"""A sweep by the letter of the contract between callers and sweeper, with a clock that is far ahead."""

from skyshelf.storage.blobs.protocols import SWEEP_GRACE_MS, BlobStore
from skyshelf.storage.metadata.store import MetadataStore

_MANY = 1000


def sweep(metadata: MetadataStore, blobs: BlobStore, now: int) -> None:
    old = now - SWEEP_GRACE_MS
    while idle := metadata.write(lambda unit: unit.content.release_idle(old, _MANY)):
        for location in idle:
            blobs.delete(location)
    for blob in list(blobs.list()):
        if blob.modified_ms < old:
            with metadata.snapshot() as unit:
                upload = blob.upload_id is not None and unit.uploads.known([blob.upload_id])
                referred = unit.content.known([blob.location])
            if not upload and not referred:
                blobs.delete(blob.location)
    for begun in list(blobs.list_uploads()):
        if begun.modified_ms < old:
            with metadata.snapshot() as unit:
                known = unit.uploads.known([begun.upload_id])
            if not known:
                blobs.discard(begun.upload_id)
