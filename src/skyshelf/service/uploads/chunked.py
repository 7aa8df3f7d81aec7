"""Chunked uploads: an upload is a row that says how far it got, and bytes in the blob store.

Every chunk is durable before its row is committed, and the row is committed before the response. The last chunk is
acknowledged like any other, and only then does the upload become a file. A crash in between, or a folder that was
deleted, loses no byte: the next initiate call finishes a complete upload.
"""

import hashlib
import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

import msgspec
from msgspec.structs import replace

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, codes
from skyshelf.service.files.capture_dates import enqueue_dates
from skyshelf.service.pages import after_number, cursor_after, projected
from skyshelf.service.retention import retention
from skyshelf.service.uploads import commit
from skyshelf.service.uploads.duplicates import can_be_reused
from skyshelf.storage import errors as storage
from skyshelf.storage.blobs.protocols import BlobUpload, BytesLike, Part
from skyshelf.storage.metadata.contracts.files import NewUpload, Upload, UploadPart
from skyshelf.storage.metadata.contracts.tree import PageCursor, StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.keys import clean_key
from skyshelf.wire.limits import CHUNK_BYTES_MIN, UPLOAD_PARTS_ALWAYS
from skyshelf.wire.refusals import BadKey
from skyshelf.wire.resources.uploads import UnfinishedUpload, UnfinishedUploads, UploadMetadata, UploadProgress

_log = logging.getLogger("skyshelf.uploads")


class Chunk(msgspec.Struct, frozen=True, kw_only=True):
    """A chunk as it is announced; size is None if the client does not state it in advance."""

    upload_key: str
    offset: int
    md5: str
    size: int | None


class HeldUpload(msgspec.Struct, frozen=True):
    """An upload locked against other writers, and its current row."""

    writer: BlobUpload
    row: Upload


# Beginning and continuing


def initiate(
    ctx: ServiceContext, caller: Caller, metadata: UploadMetadata, place: commit.PlacementFactory = commit.in_folder
) -> UploadProgress | StoredObject:
    """Begin an upload or find the one in progress; or return the object itself if no byte is missing.

    No byte is missing if the file already has this content (a response may have been lost), if the account stores the
    content under another name, or if all chunks of the upload have arrived.
    """
    commit.check_size(ctx, metadata.size)
    account_id, now, keep = caller.account_id, ctx.clock.now(), retention(ctx).versions_kept
    with ctx.metadata.read() as unit:
        owned = unit.content.owned(account_id, metadata.hash, metadata.size)
    if owned is not None and not can_be_reused(ctx, owned):
        owned = None
    file = None
    if owned is not None:
        location, sha256 = owned.location, owned.sha256
        file = commit.new_file(ctx, caller, metadata, location=location, sha256=sha256, now=now, at_once=True)
    upload_key, placement = ctx.new_key(), place(ctx, metadata)

    def work(unit: Unit) -> tuple[Upload | None, StoredObject | None]:
        placement.check(unit, caller)
        folder_key = placement.folder(unit, caller)
        existing = commit.check_name_free(unit, caller, folder_key, metadata.name)
        is_there = existing is not None and (existing.md5, existing.size) == (metadata.hash, metadata.size)
        if existing is not None and is_there and owned is not None:
            placement.stored(unit, caller, existing.object_key)
            return None, existing
        commit.check_expected_version(metadata, existing)
        new = NewUpload(
            upload_key=upload_key,
            parent_key=folder_key,
            name=metadata.name,
            size=metadata.size,
            md5=metadata.hash,
            details=msgspec.json.encode(replace(metadata, folder_key=folder_key)),
        )
        freed = commit.bytes_freed(ctx, unit, caller, existing)
        upload = unit.uploads.begin(account_id, new, now, bytes_freed_by_next_version=freed)
        if file is None:
            ctx.reservations.disk.check(upload.size - upload.received)
        if file is None or unit.content.owned(account_id, metadata.hash, metadata.size) is None:
            return upload, None
        # Discarded before the file is put, which needs the space reserved for the upload.
        unit.uploads.discard(account_id, upload.upload_key)
        placed = replace(file, parent_key=folder_key)
        outcome = unit.files.put_owned(account_id, placed, now, keep_versions=keep)
        assert outcome is not None
        placement.stored(unit, caller, outcome.object.object_key)
        enqueue_dates(unit, account_id, [file], now)
        return upload, outcome.object

    upload, finished = ctx.write_as(caller, work)
    if finished is not None:
        if file is not None and file.needs_date:
            ctx.job_notifier.notify()
        if upload is not None and upload.received:
            _discard_bytes(ctx, upload.upload_key)
        return finished
    assert upload is not None
    if upload.received < upload.size:
        return _progress(upload)
    with hold_upload(ctx, caller, upload.upload_key) as held:
        return _finish(ctx, caller, held, place)


def receive(
    ctx: ServiceContext,
    caller: Caller,
    chunk: Chunk,
    pieces: Iterable[bytes],
    place: commit.PlacementFactory = commit.in_folder,
) -> UploadProgress | StoredObject:
    """Append a chunk; returns the upload's progress, or the object once the last byte has arrived."""
    try:
        key = clean_key(chunk.upload_key)
        with ctx.metadata.read() as unit:
            # Checked before it is held: holding an upload creates a file, and an unknown key should not.
            unit.uploads.get(caller.account_id, key)
    except (BadKey, storage.Missing) as missing:
        raise ServiceError(codes.UPLOAD_NOT_FOUND) from missing
    with hold_upload(ctx, caller, key) as held:
        left = held.row.size - held.row.received
        if chunk.offset < held.row.received:
            _check_repeated(ctx, caller, held.row, chunk, pieces)
            return _progress(held.row)
        if chunk.offset != held.row.received:
            raise storage.OffsetConflict(held.row.received)
        with ctx.reservations.of_chunk(key, min(left, chunk.size or left)) as reservation:
            advanced = _append(ctx, caller, held, chunk, reservation.counting(_at_most(left, pieces)))
        if advanced.received < advanced.size:
            return _progress(advanced)
        return _finish(ctx, caller, HeldUpload(held.writer, advanced), place)


def _check_repeated(ctx: ServiceContext, caller: Caller, upload: Upload, chunk: Chunk, pieces: Iterable[bytes]) -> None:
    """OffsetConflict unless these bytes are stored already: some clients begin at 0 again, wherever they stopped.

    They are compared with the digests of stored parts, so they have to be whole parts; nothing is read back.
    """
    with ctx.metadata.read() as unit:
        rows = unit.uploads.parts(caller.account_id, upload.upload_key)
    parts = [row for row in rows if row.start >= chunk.offset]
    ends = {row.start + row.size for row in parts}
    if not parts or parts[0].start != chunk.offset or (chunk.size and chunk.offset + chunk.size not in ends):
        raise storage.OffsetConflict(upload.received)
    whole, waiting = hashlib.md5(usedforsecurity=False), iter(parts)
    part, digest, missing = None, hashlib.md5(usedforsecurity=False), 0
    for piece in pieces:
        whole.update(piece)
        rest = memoryview(piece)
        while rest:
            if missing == 0:
                part, digest = next(waiting, None), hashlib.md5(usedforsecurity=False)
                if part is None:
                    raise storage.OffsetConflict(upload.received)
                missing = part.size
            digest.update(rest[:missing])
            taken = min(missing, len(rest))
            rest, missing = rest[taken:], missing - taken
            if part is not None and missing == 0 and digest.hexdigest() != part.md5:
                raise storage.OffsetConflict(upload.received)
    if whole.hexdigest() != chunk.md5:
        raise ServiceError(codes.CHUNK_HASH_MISMATCH)
    if part is None or missing:
        raise storage.OffsetConflict(upload.received)


def _append(ctx: ServiceContext, caller: Caller, held: HeldUpload, chunk: Chunk, pieces: Iterable[BytesLike]) -> Upload:
    upload = held.row
    left = upload.size - upload.received
    if chunk.size is not None and chunk.size > left:
        raise storage.SizeMismatch(f"The chunk has {chunk.size} bytes, and {left} are left.")
    with ctx.metadata.read() as unit:
        last = unit.uploads.last_part(caller.account_id, upload.upload_key)
    reached = 0 if last is None else last.start + last.size
    if reached != upload.received:
        # Not every blob store locks out other processes. One of them was faster with its chunk, so this offset is
        # wrong now.
        raise storage.OffsetConflict(reached)
    _refuse_tiny_chunks(ctx, caller, upload, chunk)
    after = None if last is None else blob_part(last)
    part = held.writer.append(pieces, after=after, expected_size=chunk.size)
    try:
        if part.md5 != chunk.md5:
            raise ServiceError(codes.CHUNK_HASH_MISMATCH)  # noqa: TRY301 - undone below, like every refusal
        if part.size == 0:
            return upload
        now, row = ctx.clock.now(), UploadPart(part.offset, part.size, part.md5, part.token)
        return ctx.metadata.write(lambda unit: unit.uploads.advance(caller.account_id, upload.upload_key, row, now))
    except (ServiceError, storage.OffsetConflict, storage.SizeMismatch):
        held.writer.discard_part(part)
        raise


def _refuse_tiny_chunks(ctx: ServiceContext, caller: Caller, upload: Upload, chunk: Chunk) -> None:
    """Refuse many tiny chunks: every part is a row, so parts of one byte would take a hundred times their size."""
    if chunk.size is not None and chunk.size >= min(CHUNK_BYTES_MIN, upload.size - upload.received):
        return
    with ctx.metadata.read() as unit:
        parts = len(unit.uploads.parts(caller.account_id, upload.upload_key))
    if parts >= UPLOAD_PARTS_ALWAYS + upload.received // CHUNK_BYTES_MIN:
        raise ServiceError(codes.INVALID_REQUEST, f"Send larger chunks: at least {CHUNK_BYTES_MIN} bytes each")


def _at_most(left: int, pieces: Iterable[bytes]) -> Iterator[bytes]:
    for piece in pieces:
        left -= len(piece)
        if left < 0:
            raise storage.SizeMismatch("The chunk is longer than the rest of the file.")
        yield piece


def _finish(ctx: ServiceContext, caller: Caller, held: HeldUpload, place: commit.PlacementFactory) -> StoredObject:
    """Turn a complete upload into a file. It stays an upload if the file cannot have its name."""
    writer, upload = held.writer, held.row
    account_id, key = caller.account_id, upload.upload_key
    with ctx.metadata.read() as unit:
        rows = unit.uploads.parts(account_id, key)
    blob = writer.finish([blob_part(row) for row in rows], upload.size)
    content = commit.Content(blob=blob, stored_at=ctx.clock.now())
    if blob.md5 != upload.md5:
        ctx.metadata.write(lambda unit: unit.uploads.discard(account_id, key))
        commit.discard_content(ctx, content)
        writer.discard()
        raise ServiceError(codes.CONTENT_HASH_MISMATCH)
    metadata = msgspec.json.decode(upload.details, type=UploadMetadata)
    try:
        stored = commit.commit_file(ctx, caller, metadata, content, place=place, upload_key=key)
    except storage.VersionChanged:
        # No later call could finish it either.
        ctx.metadata.write(lambda unit: unit.uploads.discard(account_id, key))
        writer.discard()
        raise
    writer.discard()
    return stored


@contextmanager
def hold_upload(ctx: ServiceContext, caller: Caller, upload_key: str) -> Iterator[HeldUpload]:
    """Lock an upload and read its row; UPLOAD_NOT_FOUND if it has ended, or lost bytes."""
    with ctx.blobs.uploading(upload_key) as writer:
        try:
            with ctx.metadata.read() as unit:
                row = unit.uploads.get(caller.account_id, upload_key)
            yield HeldUpload(writer, row)
        except storage.UploadDamaged as damage:
            # Acknowledged bytes are lost: nothing can be appended to them, so the client has to start over.
            _log.exception("upload %s has lost bytes and is discarded", upload_key)
            ctx.metadata.write(lambda unit: unit.uploads.discard(caller.account_id, upload_key))
            writer.discard()
            raise ServiceError(codes.UPLOAD_NOT_FOUND, "The server has lost bytes of this upload") from damage
        except storage.Missing as missing:
            # The row disappeared while the upload was held: another call finished or cancelled it.
            writer.discard()
            raise ServiceError(codes.UPLOAD_NOT_FOUND) from missing


def blob_part(row: UploadPart) -> Part:
    """Return a part as the blob store knows it."""
    return Part(row.start, row.size, row.md5, row.token)


def _progress(upload: Upload) -> UploadProgress:
    return UploadProgress(transaction_id=upload.upload_key, offset=upload.received)


# Listing and cancelling


def unfinished_uploads(ctx: ServiceContext, caller: Caller, query: CursorQuery) -> UnfinishedUploads:
    """Return a page of uploads in progress, newest first."""
    after = after_number(query.cursor)
    with ctx.metadata.read() as unit:
        found = unit.uploads.page(caller.account_id, limit=query.limit, after=after)
    places = [PageCursor(upload.created_at, upload.upload_key) for upload in found]
    return UnfinishedUploads(
        uploads=[_wire_upload(upload) for upload in found], next_cursor=cursor_after(places, query.limit)
    )


def cancel_upload(ctx: ServiceContext, caller: Caller, upload_key: str) -> None:
    """Cancel an upload: this commit frees its reserved space, its bytes are deleted afterwards."""
    if not ctx.metadata.write(lambda unit: unit.uploads.discard(caller.account_id, upload_key)):
        raise ServiceError(codes.UPLOAD_NOT_FOUND)
    _discard_bytes(ctx, upload_key)


def _discard_bytes(ctx: ServiceContext, upload_key: str) -> None:
    """Delete the bytes of an upload whose row is gone."""
    # A call that writes to it right now will find the row missing and discard the bytes itself.
    with suppress(storage.UploadBusy):
        ctx.blobs.discard(upload_key)


def _wire_upload(upload: Upload) -> UnfinishedUpload:
    return projected(
        UnfinishedUpload,
        upload,
        transaction_id=upload.upload_key,
        # The name of an app's transfer is a path; the app's own name is its last part.
        name=upload.name.rpartition("/")[2],
        offset=upload.received,
        hash=upload.md5,
        folder_key=upload.parent_key,
        last_updated_date=upload.updated_at,
    )
