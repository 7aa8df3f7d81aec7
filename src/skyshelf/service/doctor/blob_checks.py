"""Every content that a version has is in the blob store: of its size, and, in a deep look, of its digests.

The blob is looked for first and the row after it: a row goes before its blob does, so that a blob which is missing
while its row is still there afterwards is lost, whatever others did in between.
"""

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import accumulate

from skyshelf.service.accounts.deletion import REMOVE_ACCOUNT
from skyshelf.service.context import ServiceContext
from skyshelf.service.doctor.check import PAGE, CheckRun, Finding
from skyshelf.service.files.trash import PURGE, enqueue_purge
from skyshelf.service.jobs.maintenance import in_groups, unknown_blobs, unknown_uploads
from skyshelf.storage.blobs.hashing import ContentHash
from skyshelf.storage.blobs.protocols import SWEEP_GRACE_MS
from skyshelf.storage.errors import BadLocation, BlobCorrupt, BlobMissing, Missing, UploadBusy
from skyshelf.storage.metadata.contracts.content import StoredContent
from skyshelf.storage.metadata.contracts.inspection import ThumbnailRow
from skyshelf.storage.metadata.contracts.uploads import Upload
from skyshelf.storage.metadata.store import Unit

_TOLD = 3


def check_blobs(ctx: ServiceContext, visit: CheckRun) -> Iterator[Finding]:
    with ThreadPoolExecutor(visit.threads, "doctor-blobs") as pool:
        for page in _pages(ctx):
            for content, fault in zip(page, pool.map(partial(_fault, ctx, deep=visit.deep), page), strict=True):
                if fault is not None and _is_still_needed(ctx, content):
                    yield Finding(f"the bytes of {content.sha256} {fault}: {_who(ctx, content)}")


def _pages(ctx: ServiceContext) -> Iterator[list[StoredContent]]:
    after = ""
    while True:
        with ctx.metadata.read() as unit:
            page = unit.inspection.contents(after, limit=PAGE)
        if not page:
            return
        yield [content for content in page if content.refs]
        after = page[-1].sha256


def _fault(ctx: ServiceContext, content: StoredContent, *, deep: bool) -> str | None:
    """What is wrong with the bytes of a content; None when nothing is."""
    try:
        size = ctx.blobs.size(content.location)
        if size != content.size:
            return f"are {size:,} instead of {content.size:,}"
        if deep and _digests(ctx.blobs.read(content.location)) != (content.sha256, content.md5):
            return "are others than were stored"
    except BlobMissing:
        return "are gone"
    except (BlobCorrupt, BadLocation):
        return "are not as many as were stored"
    return None


def _digests(pieces: Iterable[bytes]) -> tuple[str, str]:
    content = ContentHash()
    for piece in pieces:
        content.update(piece)
    return content.sha256, content.md5


def _is_still_needed(ctx: ServiceContext, content: StoredContent) -> bool:
    with ctx.metadata.read() as unit:
        known = unit.content.get(content.sha256)
    return known is not None and known.location == content.location and known.refs > 0


def _who(ctx: ServiceContext, content: StoredContent) -> str:
    """Which files are without their bytes."""
    with ctx.metadata.read() as unit:
        holders = unit.inspection.holders(content.sha256, limit=_TOLD + 1)
    told = ", ".join(
        f"version {one.version} of “{one.name}” ({one.object_key}) of account {one.account_id}"
        for one in holders[:_TOLD]
    )
    return f"{told or 'a version that no file has'}{' and others' if len(holders) > _TOLD else ''}"


# Every thumbnail that was made is in the blob store.


def check_thumbnails(ctx: ServiceContext, visit: CheckRun) -> Iterator[Finding]:
    after: ThumbnailRow | None = None
    with ThreadPoolExecutor(visit.threads, "doctor-thumbnails") as pool:
        while True:
            with ctx.metadata.read() as unit:
                page = unit.inspection.thumbnails(after, limit=PAGE)
            if not page:
                return
            for row, there in zip(page, pool.map(partial(_is_there, ctx), page), strict=True):
                if not there and _is_still_kept(ctx, row):
                    what = f"a thumbnail of {row.sha256} ({row.size} pixels, {row.form}) is gone"
                    yield Finding(what, partial(_repair_thumbnails, row=row))
            after = page[-1]


def _is_there(ctx: ServiceContext, row: ThumbnailRow) -> bool:
    try:
        return ctx.blobs.size(row.location) == row.bytes
    except (BlobMissing, BlobCorrupt, BadLocation):
        return False


def _is_still_kept(ctx: ServiceContext, row: ThumbnailRow) -> bool:
    with ctx.metadata.read() as unit:
        kept = unit.thumbnails.get(row.sha256, row.size, row.form)
    return kept is not None and kept.location == row.location


def _repair_thumbnails(ctx: ServiceContext, *, row: ThumbnailRow) -> str | None:
    ctx.metadata.write(lambda unit: unit.repair.forget_thumbnail(row))
    ctx.blobs.delete(row.location)
    return f"forgot a thumbnail of {row.sha256}; it is made again when somebody asks for it"


# Nothing is in the blob store that no row knows, beyond what is too young to be judged.


def check_orphans(ctx: ServiceContext, _visit: CheckRun) -> Iterator[Finding]:
    old = ctx.clock.now() - SWEEP_GRACE_MS
    for blobs in in_groups(ctx.blobs.list()):
        sizes = {blob.location: blob.size for blob in blobs}
        for location in unknown_blobs(ctx, [blob for blob in blobs if blob.modified_ms < old]):
            what = f"no row knows the blob {location} of {sizes[location]:,} bytes"
            yield Finding(what, partial(_delete, location=location))
    for uploads in in_groups(ctx.blobs.list_uploads()):
        for upload_id in unknown_uploads(ctx, [upload for upload in uploads if upload.modified_ms < old]):
            yield Finding(f"no row knows the upload {upload_id}", partial(_discard, upload_id=upload_id))


def _delete(ctx: ServiceContext, *, location: str) -> str | None:
    # A location that no row knows when it is older than the grace can never be known again.
    ctx.blobs.delete(location)
    return f"deleted the blob {location}"


def _discard(ctx: ServiceContext, *, upload_id: str) -> str | None:
    with suppress(UploadBusy):
        ctx.blobs.discard(upload_id)
        return f"deleted what was left of the upload {upload_id}"
    return None


# Every upload in progress has its acknowledged chunks without a gap, and their bytes are in the blob store.


def check_uploads(ctx: ServiceContext, _visit: CheckRun) -> Iterator[Finding]:
    begun: dict[str, Upload] = {}
    with ctx.metadata.snapshot() as unit:
        after = ""
        while page := unit.inspection.uploads(after, limit=PAGE):
            for upload in page:
                if _has_gap(unit, upload):
                    yield Finding(
                        f"{_named(upload)} lacks chunks that were acknowledged", partial(_repair_uploads, upload=upload)
                    )
                elif upload.received:
                    begun[upload.upload_key] = upload
            after = page[-1].upload_key
    if not begun:
        return
    for listed in ctx.blobs.list_uploads():
        upload_known = begun.get(listed.upload_id.upper())
        if upload_known is not None and listed.size >= upload_known.received:
            del begun[upload_known.upload_key]
    for upload in begun.values():
        if _still_stands(ctx, upload):
            yield Finding(
                f"{_named(upload)} has lost bytes that were acknowledged", partial(_repair_uploads, upload=upload)
            )


def _has_gap(unit: Unit, upload: Upload) -> bool:
    parts = unit.uploads.parts(upload.account_id, upload.upload_key)
    ends = list(accumulate((part.size for part in parts), initial=0))
    return [part.start for part in parts] != ends[:-1] or ends[-1] != upload.received


def _still_stands(ctx: ServiceContext, upload: Upload) -> bool:
    with suppress(Missing), ctx.metadata.read() as unit:
        return unit.uploads.get(upload.account_id, upload.upload_key).received == upload.received
    return False


def _repair_uploads(ctx: ServiceContext, *, upload: Upload) -> str | None:
    """Given up while it is held, so that no chunk comes in between; its client begins anew."""
    with suppress(UploadBusy), ctx.blobs.uploading(upload.upload_key) as held:
        ctx.metadata.write(lambda unit: unit.uploads.discard(upload.account_id, upload.upload_key))
        held.discard()
        return f"gave up {_named(upload)}: its client begins anew"
    return None


def _named(upload: Upload) -> str:
    return f"the upload of “{upload.name}” ({upload.upload_key}) of account {upload.account_id}"


# What was given up for good is on its way out: a job is there that purges it.


def check_purges(ctx: ServiceContext, _visit: CheckRun) -> Iterator[Finding]:
    with ctx.metadata.snapshot() as unit:
        forgotten = unit.inspection.forgotten_purges([PURGE, REMOVE_ACCOUNT])
    for account_id in forgotten:
        what = f"account {account_id} has given up objects that nobody is going to purge"
        yield Finding(what, partial(_repair_purges, account_id=account_id))


def _repair_purges(ctx: ServiceContext, *, account_id: int) -> str | None:
    now = ctx.clock.now()
    ctx.metadata.write(lambda unit: enqueue_purge(unit, account_id, now))
    return f"asked for the purge of account {account_id}; the running service does it"
