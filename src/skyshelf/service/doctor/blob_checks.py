"""Checks of stored bytes: contents, thumbnails, uploads in progress, orphans and pending purges.

A blob is checked first and its row afterwards. A row is always deleted before its blob, so a blob that is missing
while its row still exists is lost, whatever others did in between.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import accumulate

from skyshelf.service.accounts.own_account import REMOVE_ACCOUNT
from skyshelf.service.context import ServiceContext
from skyshelf.service.doctor.check import PAGE, CheckRun, Finding
from skyshelf.service.files.trash import PURGE, enqueue_purge
from skyshelf.service.integrity.quarantine import set_aside_blobs, set_aside_uploads
from skyshelf.service.jobs.orphans import COMPARED, unknown_among
from skyshelf.service.uploads.chunked import blob_part
from skyshelf.service.uploads.duplicates import is_sound
from skyshelf.storage.blobs.hashing import digests_of
from skyshelf.storage.blobs.protocols import SWEEP_GRACE_MS, ListedBlob
from skyshelf.storage.errors import BadLocation, BlobCorrupt, BlobMissing, Missing, StoreUnavailable, UploadBusy
from skyshelf.storage.metadata.contracts.content import StoredContent, ThumbnailKey
from skyshelf.storage.metadata.contracts.files import Upload
from skyshelf.storage.metadata.contracts.inspection import ThumbnailRow
from skyshelf.storage.metadata.store import Unit, referred_contents
from skyshelf.wire.batches import batched

_HOLDERS_NAMED = 3

# Contents


def check_blobs(ctx: ServiceContext, run: CheckRun) -> Iterator[Finding]:
    """Every content is stored with its size and, in a deep run, with its hashes."""
    for content, fault in damaged_blobs(ctx, run):
        sentence = f"content {content.sha256} {fault}; it belongs to {named_holders(ctx, content)}"
        yield Finding(sentence, partial(_repair_content, content=content))


def damaged_blobs(ctx: ServiceContext, run: CheckRun) -> Iterator[tuple[StoredContent, str]]:
    """Yield every content that is damaged or missing, with what is wrong."""
    done = size = 0
    with ThreadPoolExecutor(run.threads, "doctor-blobs") as pool:
        for page in referred_contents(ctx.metadata, limit=PAGE):
            for content, fault in zip(page, pool.map(partial(_fault, ctx, deep=run.deep), page), strict=True):
                done, size = done + 1, size + content.size
                run.progress(done, size)
                if fault is not None and _is_still_needed(ctx, content):
                    yield content, fault


def _fault(ctx: ServiceContext, content: StoredContent, *, deep: bool) -> str | None:
    """Describe what is wrong with the stored bytes; None if nothing is."""
    try:
        size = ctx.blobs.size(content.location)
        if size != content.size:
            return f"has {size:,} bytes instead of {content.size:,}"
        if deep and digests_of(ctx.blobs.read(content.location)) != (content.sha256, content.md5):
            return "does not match its hashes"
    except BlobMissing:
        return "is missing"
    except (BlobCorrupt, BadLocation):
        return "is damaged"
    except StoreUnavailable as problem:
        # On this machine other files can be read, so these bytes are at fault. An unreachable bucket proves nothing.
        if ctx.blobs.local_path(content.location) is None:
            raise
        return f"cannot be read ({problem})"
    return None


def _is_still_needed(ctx: ServiceContext, content: StoredContent) -> bool:
    with ctx.metadata.read() as unit:
        known = unit.content.get(content.sha256)
    return known is not None and known.location == content.location and known.refs > 0


def _repair_content(ctx: ServiceContext, *, content: StoredContent) -> str | None:
    """Take a good copy from quarantine, if there is one; otherwise only a backup or another upload helps."""
    with ctx.metadata.read() as unit:
        copies = unit.quarantine.copies(content.sha256)
    now = ctx.clock.now()
    for copy in copies:
        if is_sound(ctx, content.sha256, content.size, copy.location) and ctx.metadata.write(
            lambda unit, new=copy.location: unit.content.relocate(content.sha256, content.location, new, now)  # type: ignore[misc]
        ):
            return f"replaced content {content.sha256} by a copy from quarantine"
    return None


def named_holders(ctx: ServiceContext, content: StoredContent) -> str:
    """Name the files that lack their content."""
    with ctx.metadata.read() as unit:
        holders = unit.inspection.holders(content.sha256, limit=_HOLDERS_NAMED + 1)
    named = ", ".join(
        f"version {holder.version} of “{holder.name}” ({holder.object_key}, account {holder.account_id})"
        for holder in holders[:_HOLDERS_NAMED]
    )
    return f"{named or 'a version without a file'}{' and others' if len(holders) > _HOLDERS_NAMED else ''}"


# Thumbnails


def check_thumbnails(ctx: ServiceContext, run: CheckRun) -> Iterator[Finding]:
    after: ThumbnailRow | None = None
    with ThreadPoolExecutor(run.threads, "doctor-thumbnails") as pool:
        while True:
            with ctx.metadata.read() as unit:
                page = unit.inspection.thumbnails(after, limit=PAGE)
            if not page:
                return
            for row, is_stored in zip(page, pool.map(partial(_is_stored, ctx), page), strict=True):
                if not is_stored and _is_still_cached(ctx, row):
                    sentence = f"a thumbnail of {row.sha256} ({row.size} pixels, {row.form}) is missing"
                    # In a copy of a store it may have been released after the rows were copied.
                    yield Finding(sentence, partial(_repair_thumbnail, row=row), is_damage=run.is_in_use)
            after = page[-1]


def _is_stored(ctx: ServiceContext, row: ThumbnailRow) -> bool:
    try:
        return ctx.blobs.size(row.location) == row.bytes
    except (BlobMissing, BlobCorrupt, BadLocation):
        return False


def _is_still_cached(ctx: ServiceContext, row: ThumbnailRow) -> bool:
    with ctx.metadata.read() as unit:
        cached = unit.thumbnails.get(ThumbnailKey(row.account_id, row.sha256, row.size, row.form))
    return cached is not None and cached.location == row.location


def _repair_thumbnail(ctx: ServiceContext, *, row: ThumbnailRow) -> str | None:
    ctx.metadata.write(lambda unit: unit.repair.forget_thumbnail(row))
    set_aside_blobs(ctx, {row.location: row.bytes}, "repair")
    return f"forgot a thumbnail of {row.sha256}; it is generated again on request"


# Orphans


def check_orphans(ctx: ServiceContext, run: CheckRun) -> Iterator[Finding]:
    """No stored bytes are without a row, except for those that are too young to judge.

    They cost space, but nothing is lost: crashes leave them, and so does copying a store during uploads.
    """
    old = ctx.clock.now() - SWEEP_GRACE_MS
    listed = 0
    for lines in batched(ctx.blobs.list_all(), COMPARED):
        listed += len(lines)
        run.progress(listed, 0)
        for one in unknown_among(ctx, lines, old):
            if isinstance(one, ListedBlob):
                sentence = f"no row refers to blob {one.location} ({one.size:,} bytes)"
                repair = partial(_repair_orphan, location=one.location, size=one.size)
                yield Finding(sentence, repair, is_damage=False)
            else:
                repair = partial(_set_aside_upload, upload_id=one.upload_id, size=one.size)
                yield Finding(f"no row refers to upload {one.upload_id}", repair, is_damage=False)


def _repair_orphan(ctx: ServiceContext, *, location: str, size: int) -> str | None:
    """Put an orphan into quarantine, unless it is a good copy of damaged content: then it replaces that."""
    with suppress(BlobMissing, BlobCorrupt, BadLocation):
        sha256 = ctx.blobs.recorded_sha256(location)
        with ctx.metadata.read() as unit:
            known = unit.content.get(sha256)
        if known is not None and not is_sound(ctx, sha256, known.size, known.location):
            now = ctx.clock.now()
            if is_sound(ctx, sha256, known.size, location) and ctx.metadata.write(
                lambda unit: unit.content.relocate(sha256, known.location, location, now)
            ):
                return f"content {sha256} was damaged, and this copy has taken its place"
    set_aside_blobs(ctx, {location: size}, "repair")
    return f"put blob {location} into quarantine"


def _set_aside_upload(ctx: ServiceContext, *, upload_id: str, size: int) -> str | None:
    set_aside_uploads(ctx, {upload_id: size}, "repair")
    return f"put the bytes of upload {upload_id} into quarantine"


# Uploads in progress


def check_uploads(ctx: ServiceContext, run: CheckRun) -> Iterator[Finding]:
    """Acknowledged chunks have no gaps, and their bytes are stored.

    In a store at rest, missing bytes are not damage: a backup leaves them out, and a copy made during the upload has
    its row and its bytes from different moments. The file was never acknowledged, and its client still has it.
    """
    begun: dict[str, Upload] = {}
    with ctx.metadata.snapshot() as unit:
        after = ""
        while page := unit.inspection.uploads(after, limit=PAGE):
            for upload in page:
                if _has_gap(unit, upload):
                    yield Finding(
                        f"{_described(upload)} lacks acknowledged chunks", partial(_repair_upload, upload=upload)
                    )
                elif upload.received:
                    begun[upload.upload_key] = upload
            after = page[-1].upload_key
    if not begun:
        return
    for listed in ctx.blobs.list_uploads():
        known = begun.get(listed.upload_id.upper())
        if known is not None and listed.size >= known.received:
            del begun[known.upload_key]
    for upload in begun.values():
        # An upload that became a blob is not listed, although its commit may have failed: its parts decide.
        if not _has_parts(ctx, upload) and _is_unchanged(ctx, upload):
            sentence = f"{_described(upload)} " + (
                "has lost acknowledged bytes" if run.is_in_use else "is without its bytes: its client starts over"
            )
            yield Finding(sentence, partial(_repair_upload, upload=upload), is_damage=run.is_in_use)


def _has_gap(unit: Unit, upload: Upload) -> bool:
    parts = unit.uploads.parts(upload.account_id, upload.upload_key)
    ends = list(accumulate((part.size for part in parts), initial=0))
    return [part.start for part in parts] != ends[:-1] or ends[-1] != upload.received


def _has_parts(ctx: ServiceContext, upload: Upload) -> bool:
    with ctx.metadata.read() as unit:
        parts = unit.uploads.parts(upload.account_id, upload.upload_key)
    return ctx.blobs.has_parts(upload.upload_key, [blob_part(part) for part in parts])


def _is_unchanged(ctx: ServiceContext, upload: Upload) -> bool:
    with suppress(Missing), ctx.metadata.read() as unit:
        return unit.uploads.get(upload.account_id, upload.upload_key).received == upload.received
    return False


def _repair_upload(ctx: ServiceContext, *, upload: Upload) -> str | None:
    """Discard the upload while holding it, so no chunk arrives in between; the rest of its bytes goes to quarantine."""
    with suppress(UploadBusy), ctx.blobs.uploading(upload.upload_key):
        ctx.metadata.write(lambda unit: unit.uploads.discard(upload.account_id, upload.upload_key))
        set_aside_uploads(ctx, {upload.upload_key: upload.received}, "repair")
        return f"gave up {_described(upload)}, whose bytes are in quarantine: its client starts over"
    return None


def _described(upload: Upload) -> str:
    return f"the upload of “{upload.name}” ({upload.upload_key}, account {upload.account_id})"


# Purges


def check_purges(ctx: ServiceContext, _run: CheckRun) -> Iterator[Finding]:
    """Every account with objects marked for deletion has a job waiting."""
    with ctx.metadata.snapshot() as unit:
        forgotten = unit.inspection.forgotten_purges([PURGE, REMOVE_ACCOUNT])
    for account_id in forgotten:
        sentence = f"account {account_id} has deleted objects, but no purge is scheduled"
        yield Finding(sentence, partial(_repair_purge, account_id=account_id))


def _repair_purge(ctx: ServiceContext, *, account_id: int) -> str | None:
    now = ctx.clock.now()
    ctx.metadata.write(lambda unit: enqueue_purge(unit, account_id, now))
    return f"scheduled a purge for account {account_id}; the running service carries it out"
