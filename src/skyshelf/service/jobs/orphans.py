"""Orphans: stored bytes that no row knows, which crashes leave behind. storage/blobs/protocols.py has the rules."""

import logging
from collections.abc import Iterator
from itertools import islice
from typing import TypeVar

from skyshelf.service.context import ServiceContext
from skyshelf.service.jobs import brakes
from skyshelf.service.jobs.identity_watch import check_halves
from skyshelf.service.quarantine import set_aside_blobs, set_aside_uploads
from skyshelf.service.uploads.duplicates import settle
from skyshelf.storage.blobs.protocols import SWEEP_GRACE_MS
from skyshelf.storage.blobs.records import ListedBlob, ListedUpload
from skyshelf.storage.errors import BlobCorrupt, BlobMissing
from skyshelf.storage.metadata.store import Unit

_log = logging.getLogger("skyshelf.background")
T = TypeVar("T")
TASK = "sweep-orphans"
STEP = 500


def sweep_orphans(ctx: ServiceContext) -> Iterator[None]:
    """Put bytes that no row knows into quarantine.

    They are counted first: crashes leave few, and many mean that something is wrong with the database.
    """
    old = ctx.clock.now() - SWEEP_GRACE_MS
    check_halves(ctx)
    yield from _count_orphans(ctx, old)
    for blobs in in_groups(ctx.blobs.list()):
        sizes = {blob.location: blob.size for blob in blobs if blob.modified_ms < old}
        for location in unknown_blobs(ctx, [blob for blob in blobs if blob.modified_ms < old]):
            _sweep_blob(ctx, location, sizes[location])
        yield
    for uploads in in_groups(ctx.blobs.list_uploads()):
        sizes = {upload.upload_id: upload.size for upload in uploads if upload.modified_ms < old}
        unknown = unknown_uploads(ctx, [upload for upload in uploads if upload.modified_ms < old])
        if unknown:
            set_aside_uploads(ctx, {upload_id: sizes[upload_id] for upload_id in unknown}, "orphan")
            _log.info("put %d orphaned uploads into quarantine", len(unknown))
        yield


def _sweep_blob(ctx: ServiceContext, location: str, size: int) -> None:
    """Put an orphaned blob into quarantine, unless it is a copy of known content: then a good one of the two stays."""
    try:
        settle(ctx, ctx.blobs.recorded_sha256(location), size, new=location, reason="orphan")
    except BlobMissing:
        return
    except BlobCorrupt:
        set_aside_blobs(ctx, {location: size}, "orphan")
    _log.info("an orphaned blob was a second copy, or is in quarantine now")


def _count_orphans(ctx: ServiceContext, old: int) -> Iterator[None]:
    """Raise BrakePulled where there are too many."""
    listed = unknown = 0
    for blobs in in_groups(ctx.blobs.list()):
        listed += len(blobs)
        unknown += len(unknown_blobs(ctx, [blob for blob in blobs if blob.modified_ms < old]))
        yield
    for uploads in in_groups(ctx.blobs.list_uploads()):
        listed += len(uploads)
        unknown += len(unknown_uploads(ctx, [upload for upload in uploads if upload.modified_ms < old]))
        yield
    problem = None
    if brakes.are_too_many(unknown, listed):
        problem = f"{unknown:,} of {listed:,} blobs are unknown to the database, far more than crashes leave behind"
    brakes.check(ctx, TASK, problem)


# Finding them, for the sweeper and the doctor


def unknown_blobs(ctx: ServiceContext, blobs: list[ListedBlob]) -> list[str]:
    """The locations of those blobs that neither content nor an upload in progress refers to, nor are in quarantine."""
    if not blobs:
        return []
    upload_ids = [blob.upload_id for blob in blobs if blob.upload_id is not None]
    locations = [blob.location for blob in blobs]
    with ctx.metadata.snapshot() as unit:
        uploads = _known_uploads(unit, upload_ids)
        known = unit.content.known(locations) | unit.quarantine.known(locations)
    return [blob.location for blob in blobs if blob.location not in known and blob.upload_id not in uploads]


def unknown_uploads(ctx: ServiceContext, uploads: list[ListedUpload]) -> list[str]:
    """The ids of those uploads that have no row, nor are in quarantine."""
    if not uploads:
        return []
    upload_ids = [upload.upload_id for upload in uploads]
    with ctx.metadata.snapshot() as unit:
        known = _known_uploads(unit, upload_ids) | unit.quarantine.known(upload_ids)
    return [upload_id for upload_id in upload_ids if upload_id not in known]


def _known_uploads(unit: Unit, upload_ids: list[str]) -> set[str]:
    """The ids that are uploads in progress, spelled as the blob store spells them."""
    known = unit.uploads.known([upload_id.upper() for upload_id in upload_ids])
    return {upload_id for upload_id in upload_ids if upload_id.upper() in known}


def in_groups(items: Iterator[T]) -> Iterator[list[T]]:
    while group := list(islice(items, STEP)):
        yield group
