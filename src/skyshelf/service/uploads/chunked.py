"""Uploads that come chunk by chunk; a file in one call only arrives (see arrivals).

An upload is a row that says how far it came, and bytes in the blob store. Every chunk is durable before
its row is committed, and the row is committed before the answer. The last chunk is acknowledged like any other, and
only then is the file finished: a crash in between, or a folder that is gone by then, loses no byte, and the next
call of initiate finishes what is complete.
"""

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

import msgspec
from msgspec.structs import replace

from skyshelf.service.boards.items import BoardPlacement
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import Refused
from skyshelf.service.pages import after_number, cursor_after
from skyshelf.service.uploads.commit import Content, check_name_free, check_size, commit_file, give_up, new_file
from skyshelf.storage.blobs.protocols import Upload as Writing
from skyshelf.storage.blobs.records import Part
from skyshelf.storage.errors import Missing, SizeMismatch, UploadBusy, UploadDamaged
from skyshelf.storage.errors import OffsetConflict as WrongOffset
from skyshelf.storage.metadata.contracts.tree import Place, StoredObject
from skyshelf.storage.metadata.contracts.uploads import NewUpload, Upload, UploadPart
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.keys import BadKey, clean_key
from skyshelf.wire.resources.uploads import UnfinishedUpload, UnfinishedUploads, UploadMetadata, UploadProgress

# Uploads that were begun and are not finished: what is on its way, and giving one up.


def unfinished_uploads(ctx: ServiceContext, caller: Caller, query: CursorQuery) -> UnfinishedUploads:
    """A page of what was begun, newest first."""
    after = after_number(query.cursor)
    with ctx.metadata.read() as unit:
        found = unit.uploads.page(caller.account_id, limit=query.limit, after=after)
    places = [Place(upload.created_at, upload.upload_key) for upload in found]
    return UnfinishedUploads(
        uploads=[_shown(upload) for upload in found], next_cursor=cursor_after(places, query.limit)
    )


def give_up_upload(ctx: ServiceContext, caller: Caller, upload_key: str) -> None:
    """Forget an upload: the room that was kept for it is free with this commit, its bytes go afterwards."""
    if not ctx.metadata.write(lambda unit: unit.uploads.discard(caller.account_id, upload_key)):
        raise Refused(codes.UPLOAD_NOT_FOUND)
    forget_bytes(ctx, upload_key)


def forget_bytes(ctx: ServiceContext, upload_key: str) -> None:
    """Delete what has come of an upload whose row is gone."""
    # Somebody who writes to it right now meets the missing row, and then discards it himself.
    with suppress(UploadBusy):
        ctx.blobs.discard(upload_key)


def _shown(upload: Upload) -> UnfinishedUpload:
    return UnfinishedUpload(
        transaction_id=upload.upload_key,
        name=upload.name,
        size=upload.size,
        offset=upload.received,
        hash=upload.md5,
        folder_key=upload.parent_key,
        created_date=upload.created_at,
        last_updated_date=upload.updated_at,
    )


# Uploads that come chunk by chunk; a file in one call only arrives (see arrivals).

_log = logging.getLogger("skyshelf.uploads")


class Chunk(msgspec.Struct, frozen=True, kw_only=True):
    """A chunk as it is announced; size is None where the client does not say it beforehand."""

    upload_key: str
    offset: int
    md5: str
    size: int | None


class Held(msgspec.Struct, frozen=True):
    """An upload that nobody else can write to, and its row as it has been since then."""

    writing: Writing
    row: Upload


def initiate(ctx: ServiceContext, caller: Caller, metadata: UploadMetadata) -> UploadProgress | StoredObject:
    """Begin an upload or find the one that was begun; or the object itself, where no byte is missing.

    No byte is missing when the named file has this content already (an answer may have been lost), when the
    account holds the content under another name, and when all chunks of the upload have come.
    """
    check_size(ctx, metadata.size)
    account_id, now, keep = caller.account_id, ctx.clock.now(), ctx.rules.versions_kept
    with ctx.metadata.read() as unit:
        owned = unit.content.owned(account_id, metadata.hash, metadata.size)
    location, sha256 = (owned.location, owned.sha256) if owned else ("", "")
    file = new_file(ctx, caller, metadata, location=location, sha256=sha256, now=now) if owned else None
    upload_key, placement = ctx.new_key(), BoardPlacement(ctx, metadata)

    def work(unit: Unit) -> tuple[Upload | None, StoredObject | None]:
        placement.refuse(unit, caller)
        folder_key = placement.folder(unit, caller)
        there = check_name_free(unit, caller, folder_key, metadata.name)
        if there is not None and (there.md5, there.size) == (metadata.hash, metadata.size):
            placement.show(unit, caller, there.object_key)
            return None, there
        new = NewUpload(
            upload_key=upload_key,
            parent_key=folder_key,
            name=metadata.name,
            size=metadata.size,
            md5=metadata.hash,
            details=msgspec.json.encode(replace(metadata, folder_key=folder_key)),
        )
        back = 0 if there is None else unit.files.bytes_freed_by_next_version(account_id, there.object_key, keep)
        upload = unit.uploads.begin(account_id, new, now, bytes_freed_by_next_version=back)
        if file is None or unit.content.owned(account_id, metadata.hash, metadata.size) is None:
            return upload, None
        # Before the file is put: the room that is kept for the upload is the room that the file needs.
        unit.uploads.discard(account_id, upload.upload_key)
        landed = replace(file, parent_key=folder_key)
        outcome = unit.files.put_owned(account_id, landed, now, keep_versions=keep)
        assert outcome is not None
        placement.show(unit, caller, outcome.object.object_key)
        return upload, outcome.object

    upload, finished = ctx.metadata.write(work)
    if finished is not None:
        if upload is not None and upload.received:
            forget_bytes(ctx, upload.upload_key)
        return finished
    assert upload is not None
    if upload.received < upload.size:
        return _progress(upload)
    with _holding(ctx, caller, upload.upload_key) as held:
        return _finish(ctx, caller, held)


def receive(
    ctx: ServiceContext, caller: Caller, chunk: Chunk, pieces: Iterable[bytes]
) -> UploadProgress | StoredObject:
    """Take one chunk; how far the upload is then, or the object when that was the last byte."""
    try:
        key = clean_key(chunk.upload_key)
        with ctx.metadata.read() as unit:
            # Looked for before it is held: holding an upload makes a file for it, and not every key deserves one.
            unit.uploads.get(caller.account_id, key)
    except (BadKey, Missing) as missing:
        raise Refused(codes.UPLOAD_NOT_FOUND) from missing
    with _holding(ctx, caller, key) as held:
        if chunk.offset != held.row.received:
            raise WrongOffset(held.row.received)
        advanced = _append(ctx, caller, held, chunk, pieces)
        if advanced.received < advanced.size:
            return _progress(advanced)
        return _finish(ctx, caller, Held(held.writing, advanced))


def _append(ctx: ServiceContext, caller: Caller, held: Held, chunk: Chunk, pieces: Iterable[bytes]) -> Upload:
    upload = held.row
    left = upload.size - upload.received
    if chunk.size is not None and chunk.size > left:
        raise SizeMismatch(f"The chunk has {chunk.size} bytes, and {left} are left.")
    with ctx.metadata.read() as unit:
        last = unit.uploads.last_part(caller.account_id, upload.upload_key)
    reached = 0 if last is None else last.start + last.size
    if reached != upload.received:
        # Not every blob store keeps other processes out. One of them was quicker with its chunk: behind that, this
        # one is at the wrong place.
        raise WrongOffset(reached)
    part = held.writing.append(_no_more_than(left, pieces), after=_blob_part(last), expected_size=chunk.size)
    if part.md5 != chunk.md5:
        raise Refused(codes.CHUNK_HASH_MISMATCH)
    if part.size == 0:
        return upload
    now, row = ctx.clock.now(), UploadPart(part.offset, part.size, part.md5, part.token)
    return ctx.metadata.write(lambda unit: unit.uploads.advance(caller.account_id, upload.upload_key, row, now))


def _no_more_than(left: int, pieces: Iterable[bytes]) -> Iterator[bytes]:
    for piece in pieces:
        left -= len(piece)
        if left < 0:
            raise SizeMismatch("The chunk is longer than what is left of the file.")
        yield piece


def _finish(ctx: ServiceContext, caller: Caller, held: Held) -> StoredObject:
    """Make a file of an upload that is complete. It stays as it is when the file cannot have its name."""
    writing, upload = held.writing, held.row
    account_id, key = caller.account_id, upload.upload_key
    with ctx.metadata.read() as unit:
        rows = unit.uploads.parts(account_id, key)
    parts = [Part(row.start, row.size, row.md5, row.token) for row in rows]
    blob = writing.finish(parts, upload.size)
    content = Content(blob=blob, stored_at=ctx.clock.now())
    if blob.md5 != upload.md5:
        ctx.metadata.write(lambda unit: unit.uploads.discard(account_id, key))
        give_up(ctx, content)
        writing.discard()
        raise Refused(codes.CONTENT_HASH_MISMATCH)
    metadata = msgspec.json.decode(upload.details, type=UploadMetadata)
    stored = commit_file(ctx, caller, metadata, content, upload_key=key)
    writing.discard()
    return stored


@contextmanager
def _holding(ctx: ServiceContext, caller: Caller, upload_key: str) -> Iterator[Held]:
    with ctx.blobs.uploading(upload_key) as writing:
        try:
            with ctx.metadata.read() as unit:
                row = unit.uploads.get(caller.account_id, upload_key)
            yield Held(writing, row)
        except UploadDamaged as damage:
            # Acknowledged bytes are gone: nothing can be added to them, so the client has to begin anew.
            _log.exception("upload %s has lost bytes and is given up", upload_key)
            ctx.metadata.write(lambda unit: unit.uploads.discard(caller.account_id, upload_key))
            writing.discard()
            raise Refused(codes.UPLOAD_NOT_FOUND, "The server has lost bytes of this upload") from damage
        except Missing as gone:
            # Its row went while we held it: finished by somebody else, or given up.
            writing.discard()
            raise Refused(codes.UPLOAD_NOT_FOUND) from gone


def _blob_part(row: UploadPart | None) -> Part | None:
    return None if row is None else Part(row.start, row.size, row.md5, row.token)


def _progress(upload: Upload) -> UploadProgress:
    return UploadProgress(transaction_id=upload.upload_key, offset=upload.received)
