"""Transfers: uploads whose chunks have names, and whose size and place may be known only at the end.

Nextcloud's clients upload large files this way, some of them several chunks at once. A transfer is an upload in
progress like any other: it expires like them, and chunks that arrive in order become a file without being copied.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, suppress
from typing import Final

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, codes, missing_as
from skyshelf.service.files.locks import Guard
from skyshelf.service.uploads import commit, streamed, transfer_chunks
from skyshelf.service.uploads.chunked import HeldUpload, blob_part, hold_upload
from skyshelf.storage.errors import UploadBusy
from skyshelf.storage.metadata.contracts.files import NewUpload, Upload
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.limits import TRANSFER_CHUNKS_MAX

# No file can have this name, so no other upload can be taken for a transfer.
_NAME: Final = "/transfer/"
_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,128}")

Check = Callable[[Mapping[str, str], Callable[[], Iterable[bytes]]], None]
"""Compares the digests of a content, and if necessary its bytes, with what was announced."""


def begin(ctx: ServiceContext, caller: Caller, transfer_id: str, size: int | None) -> bool:
    """Begin a transfer; false if one with this name exists. The space for an announced size is reserved."""
    if not _ID.fullmatch(transfer_id):
        raise ServiceError(codes.BAD_NAME, "The name of a transfer has letters, digits, dots, hyphens and underscores")
    commit.check_size(ctx, size or 0)
    now, key = ctx.clock.now(), ctx.new_key()
    with ctx.metadata.read() as unit:
        # Not the caller's root, which is another folder if an app is confined to one.
        root_key = unit.accounts.by_id(caller.account_id).root_key
    new = NewUpload(
        upload_key=key,
        parent_key=root_key,
        name=_name(caller, transfer_id),
        size=size or 0,
        md5=transfer_chunks.NO_HASH,
        details=transfer_chunks.encoded(transfer_chunks.TransferDetails()),
    )

    def work(unit: Unit) -> bool:
        unit.locks.hold_account(caller.account_id)
        if unit.uploads.named(caller.account_id, new.name) is not None:
            return False
        unit.uploads.begin(caller.account_id, new, now)
        return True

    ctx.reservations.disk.check(size or 0)
    return ctx.metadata.write(work)


def chunks(ctx: ServiceContext, caller: Caller, transfer_id: str) -> list[transfer_chunks.TransferChunk]:
    """List the chunks that have arrived, in order."""
    with ctx.metadata.snapshot() as unit:
        row = _found(unit, caller, transfer_id)
        details, parts = transfer_chunks.details_in(row.details), unit.uploads.parts(caller.account_id, row.upload_key)
        known = unit.uploads.known([one.key for one in details.waiting.values()]) if details.waiting else set()
    details.waiting = {name: one for name, one in details.waiting.items() if one.key in known}
    return [transfer_chunks.TransferChunk(name, size) for name, size in details.sizes(parts).items()]


def receive(
    ctx: ServiceContext, caller: Caller, transfer_id: str, chunk: transfer_chunks.TransferChunk, pieces: Iterable[bytes]
) -> None:
    """Store a chunk. Chunks may arrive in any order, simultaneously, and repeatedly; the last one of a name counts."""
    transfer_chunks.check_name(chunk.name)
    with ctx.metadata.read() as unit:
        row = _found(unit, caller, transfer_id)
    details = transfer_chunks.details_in(row.details)
    if details.count >= TRANSFER_CHUNKS_MAX:
        raise ServiceError(codes.INVALID_REQUEST, f"A file has at most {TRANSFER_CHUNKS_MAX:,} chunks")
    commit.check_size(ctx, row.received + sum(one.size for one in details.waiting.values()) + chunk.size)
    if chunk.size == 0:
        return
    if details.is_next(chunk.name):
        # If the transfer is busy, nothing of the chunk has been read.
        with suppress(UploadBusy):
            if _append(ctx, caller, transfer_id, chunk, pieces):
                return
    with missing_as(codes.UPLOAD_NOT_FOUND):
        transfer_chunks.Chunks(ctx, caller, row.upload_key).set_aside(row, chunk, pieces)
    # Its turn may have come in the meantime. Otherwise the holder of the transfer, or the end, appends it.
    with suppress(UploadBusy), _hold(ctx, caller, transfer_id) as held:
        transfer_chunks.Chunks(ctx, caller, row.upload_key).take_in(held.writer, held.row)


def _append(
    ctx: ServiceContext, caller: Caller, transfer_id: str, chunk: transfer_chunks.TransferChunk, pieces: Iterable[bytes]
) -> bool:
    """Append a chunk, and those that waited for it; false, before any byte is read, if it is not the next one."""
    with _hold(ctx, caller, transfer_id) as held:
        if not transfer_chunks.details_in(held.row.details).is_next(chunk.name):
            return False
        stored = transfer_chunks.Chunks(ctx, caller, held.row.upload_key)
        stored.take_in(held.writer, stored.append(held.writer, held.row, chunk, pieces))
        return True


def finish(
    ctx: ServiceContext, caller: Caller, transfer_id: str, file: streamed.StreamedFile, check: Check, *, guard: Guard
) -> StoredObject:
    """Turn the chunks into a file; `check` may refuse its content. If it fails, the transfer stays."""
    with _hold(ctx, caller, transfer_id) as held:
        key, writer, stored = held.row.upload_key, held.writer, transfer_chunks.Chunks(ctx, caller, held.row.upload_key)
        stored.take_in(writer, held.row, all_of_them=True)
        with ctx.metadata.snapshot() as unit:
            guard(unit)
            commit.check_name_free(unit, caller, file.folder_key, file.name)
            row, parts = unit.uploads.get(caller.account_id, key), unit.uploads.parts(caller.account_id, key)
        details = transfer_chunks.details_in(row.details)
        aside, size = list(details.waiting.values()), sum(details.sizes(parts).values())
        if not size:
            raise ServiceError(codes.CONTENT_SIZE_MISMATCH, "No chunk has come")
        if file.size is not None and file.size != size:
            raise ServiceError(codes.CONTENT_SIZE_MISMATCH, f"{size} of {file.size} bytes have come")
        if aside:
            blob = stored.rearranged(writer, row, parts)
        else:
            blob = writer.finish([blob_part(one) for one in parts], size)
        content = commit.Content(blob=blob, stored_at=ctx.clock.now())
        try:
            check({"MD5": blob.md5, "SHA256": blob.sha256}, lambda: ctx.blobs.read(blob.location))
        except ServiceError:
            commit.discard_content(ctx, content, keep_upload=True)
            raise

        def guard_and_release(unit: Unit) -> None:
            guard(unit)
            for one in aside:
                unit.uploads.discard(caller.account_id, one.key)

        made = streamed.finish(ctx, caller, file, content, None, guard=guard_and_release, upload_key=key)
        writer.discard()
        stored.discard_bytes(aside)
        return made


def cancel(ctx: ServiceContext, caller: Caller, transfer_id: str) -> None:
    with _hold(ctx, caller, transfer_id) as held:
        key = held.row.upload_key

        def work(unit: Unit) -> transfer_chunks.TransferDetails:
            unit.locks.hold_account(caller.account_id)
            details = transfer_chunks.details_in(unit.uploads.get(caller.account_id, key).details)
            for one in (key, *(waiting.key for waiting in details.waiting.values())):
                unit.uploads.discard(caller.account_id, one)
            return details

        details = ctx.metadata.write(work)
        held.writer.discard()
        transfer_chunks.Chunks(ctx, caller, key).discard_bytes(details.waiting.values())


def _found(unit: Unit, caller: Caller, transfer_id: str) -> Upload:
    row = unit.uploads.named(caller.account_id, _name(caller, transfer_id))
    if row is None:
        raise ServiceError(codes.UPLOAD_NOT_FOUND)
    return row


def _hold(ctx: ServiceContext, caller: Caller, transfer_id: str) -> AbstractContextManager[HeldUpload]:
    with ctx.metadata.read() as unit:
        key = _found(unit, caller, transfer_id).upload_key
    return hold_upload(ctx, caller, key)


def _name(caller: Caller, transfer_id: str) -> str:
    """Return the stored name. It includes the app's root: an app confined to a folder sees no other uploads."""
    return f"{_NAME}{caller.root_key}/{transfer_id}"
