"""A sweep by the letter of the contract between callers and sweeper, with a clock that is far ahead."""

from skyshelf.storage.blobs.protocols import SWEEP_GRACE_MS, BlobStore
from skyshelf.storage.metadata.contracts.quarantine import Kind, Quarantined
from skyshelf.storage.metadata.store import MetadataStore

_MANY = 1000


def sweep(metadata: MetadataStore, blobs: BlobStore, now: int) -> None:
    old = now - SWEEP_GRACE_MS
    while (released := metadata.write(lambda unit: unit.content.release_idle(old, _MANY, now))).contents:
        for location in released.thumbnails:
            blobs.delete(location)
    for blob in list(blobs.list()):
        if blob.modified_ms < old:
            with metadata.snapshot() as unit:
                upload = blob.upload_id is not None and unit.uploads.known([blob.upload_id])
                referred = unit.content.known([blob.location]) | unit.quarantine.known([blob.location])
            if not upload and not referred:
                _set_aside(metadata, blob.location, "blob", now)
    for begun in list(blobs.list_uploads()):
        if begun.modified_ms < old:
            with metadata.snapshot() as unit:
                known = unit.uploads.known([begun.upload_id]) | unit.quarantine.known([begun.upload_id])
            if not known:
                _set_aside(metadata, begun.upload_id, "upload", now)
    _empty(metadata, blobs, now)


def _set_aside(metadata: MetadataStore, location: str, kind: Kind, now: int) -> None:
    orphan = Quarantined(location=location, kind=kind, size=0, reason="orphan", since=now)
    metadata.write(lambda unit: unit.quarantine.add([orphan]))


def _empty(metadata: MetadataStore, blobs: BlobStore, now: int) -> None:
    metadata.write(lambda unit: unit.quarantine.begin_deleting(now, _MANY))
    with metadata.read() as unit:
        begun = unit.quarantine.being_deleted(_MANY)
    for one in begun:
        if one.kind == "blob":
            blobs.delete(one.location)
        else:
            blobs.discard(one.location)
    metadata.write(lambda unit: unit.quarantine.end_deleting([one.location for one in begun]))
