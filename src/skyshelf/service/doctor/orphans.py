"""Nothing is in the blob store that no row knows, beyond what is too young to be judged."""

from collections.abc import Iterator
from contextlib import suppress
from functools import partial

from skyshelf.service.chores import groups, unknown_blobs, unknown_uploads
from skyshelf.service.doctor.promise import Finding, Visit
from skyshelf.service.house import House
from skyshelf.storage.blobs.protocols import SWEEP_GRACE_MS
from skyshelf.storage.errors import UploadBusy


def look(house: House, _visit: Visit) -> Iterator[Finding]:
    old = house.clock.now() - SWEEP_GRACE_MS
    for blobs in groups(house.blobs.list()):
        sizes = {blob.location: blob.size for blob in blobs}
        for location in unknown_blobs(house, [blob for blob in blobs if blob.modified_ms < old]):
            what = f"no row knows the blob {location} of {sizes[location]:,} bytes"
            yield Finding(what, partial(_delete, location=location))
    for uploads in groups(house.blobs.list_uploads()):
        for upload_id in unknown_uploads(house, [upload for upload in uploads if upload.modified_ms < old]):
            yield Finding(f"no row knows the upload {upload_id}", partial(_discard, upload_id=upload_id))


def _delete(house: House, *, location: str) -> str | None:
    # A location that no row knows when it is older than the grace can never be known again.
    house.blobs.delete(location)
    return f"deleted the blob {location}"


def _discard(house: House, *, upload_id: str) -> str | None:
    with suppress(UploadBusy):
        house.blobs.discard(upload_id)
        return f"deleted what was left of the upload {upload_id}"
    return None
