"""Transfers: uploads whose chunks have names, and whose size and place may be known only at the end.

Nextcloud's clients upload large files so, some of them several chunks at once. A transfer is an upload in progress as
any other: it expires as they do, and chunks that come in their order become a file without being copied.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Final

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.files.locks import Guard
from skyshelf.service.uploads import commit, streamed
from skyshelf.service.uploads.commit import Content, check_size, discard_content
from skyshelf.service.uploads.transfer_chunks import (
    NO_HASH,
    Chunks,
    Details,
    TransferChunk,
    blob_part,
    check_name,
    details_in,
    encoded,
    order_of,
    total,
)
from skyshelf.storage.blobs.protocols import BlobUpload
from skyshelf.storage.errors import Missing, UploadBusy, UploadDamaged
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.contracts.uploads import NewUpload, Upload
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.limits import TRANSFER_CHUNKS_MAX

# No file can have this name, so no other upload can be taken for a transfer.
_NAME: Final = "/transfer/"
_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,128}")

Check = Callable[[Mapping[str, str], Callable[[], Iterable[bytes]]], None]
"""Compares the digests of a content, and if need be its bytes, with what was announced."""


def begin(ctx: ServiceContext, caller: Caller, transfer_id: str, size: int | None) -> bool:
    """Begin a transfer; false where there is one of this name. The space for an announced size is reserved."""
    if not _ID.fullmatch(transfer_id):
        raise ServiceError(codes.BAD_NAME, "The name of a transfer has letters, digits, dots, hyphens and underscores")
    check_size(ctx, size or 0)
    now, key = ctx.clock.now(), ctx.new_key()
    new = NewUpload(
        upload_key=key,
        parent_key=_root(ctx, caller),
        name=_name(caller, transfer_id),
        size=size or 0,
        md5=NO_HASH,
        details=encoded(Details()),
    )

    def work(unit: Unit) -> bool:
        unit.locks.hold_account(caller.account_id)
        if unit.uploads.named(caller.account_id, new.name) is not None:
            return False
        unit.uploads.begin(caller.account_id, new, now)
        return True

    ctx.reservations.disk.check(size or 0)
    return ctx.metadata.write(work)


def chunks(ctx: ServiceContext, caller: Caller, transfer_id: str) -> list[TransferChunk]:
    """The chunks that have come, in their order."""
    with ctx.metadata.snapshot() as unit:
        row = _found(unit, caller, transfer_id)
        details, parts = details_in(row.details), unit.uploads.parts(caller.account_id, row.upload_key)
        known = unit.uploads.known([one.key for one in details.waiting.values()]) if details.waiting else set()
    sizes = {name: part.size for name, part in zip(details.chunks, parts, strict=True)}
    sizes |= {name: one.size for name, one in details.waiting.items() if one.key in known}
    return [TransferChunk(name, sizes[name]) for name in sorted(sizes, key=order_of)]


def receive(
    ctx: ServiceContext, caller: Caller, transfer_id: str, chunk: TransferChunk, pieces: Iterable[bytes]
) -> None:
    """Store a chunk. Chunks may come in any order, several at once, and again; the last one of a name counts."""
    check_name(chunk.name)
    with ctx.metadata.read() as unit:
        row = _found(unit, caller, transfer_id)
    details = details_in(row.details)
    if details.count >= TRANSFER_CHUNKS_MAX:
        raise ServiceError(codes.INVALID_REQUEST, f"A file has at most {TRANSFER_CHUNKS_MAX:,} chunks")
    check_size(ctx, row.received + sum(one.size for one in details.waiting.values()) + chunk.size)
    if chunk.size == 0:
        return
    if details.is_next(chunk.name):
        # Nothing of the chunk has been read where the transfer is busy.
        with suppress(UploadBusy):
            if _append(ctx, caller, transfer_id, chunk, pieces):
                return
    try:
        Chunks(ctx, caller, row.upload_key).set_aside(row, chunk, pieces)
    except Missing as missing:
        raise ServiceError(codes.UPLOAD_NOT_FOUND) from missing
    # Its turn may have come in the meantime. Otherwise the holder of the transfer takes it in, or the end does.
    with suppress(UploadBusy), _hold(ctx, caller, transfer_id) as (writer, now_there):
        Chunks(ctx, caller, row.upload_key).take_in(writer, now_there)


def _append(
    ctx: ServiceContext, caller: Caller, transfer_id: str, chunk: TransferChunk, pieces: Iterable[bytes]
) -> bool:
    """Append a chunk, and those that waited for it; false, before any byte is read, where it is not the next one."""
    with _hold(ctx, caller, transfer_id) as (writer, row):
        if not details_in(row.details).is_next(chunk.name):
            return False
        stored = Chunks(ctx, caller, row.upload_key)
        stored.take_in(writer, stored.append(writer, row, chunk, pieces))
        return True


def finish(
    ctx: ServiceContext,
    caller: Caller,
    transfer_id: str,
    file: streamed.StreamedFile,
    check: Check,
    *,
    guard: Guard,
) -> StoredObject:
    """Make the chunks a file; `check` may refuse its content. Until then the transfer stays."""
    with _hold(ctx, caller, transfer_id) as (writer, found):
        key, stored = found.upload_key, Chunks(ctx, caller, found.upload_key)
        stored.take_in(writer, found, all_of_them=True)
        with ctx.metadata.snapshot() as unit:
            guard(unit)
            commit.check_name_free(unit, caller, file.folder_key, file.name)
            row, parts = unit.uploads.get(caller.account_id, key), unit.uploads.parts(caller.account_id, key)
        aside = list(details_in(row.details).waiting.values())
        size = total(row, parts)
        if not size:
            raise ServiceError(codes.CONTENT_SIZE_MISMATCH, "No chunk has come")
        if file.size is not None and file.size != size:
            raise ServiceError(codes.CONTENT_SIZE_MISMATCH, f"{size} of {file.size} bytes have come")
        if aside:
            blob = stored.rearranged(writer, row, parts)
        else:
            blob = writer.finish([blob_part(one) for one in parts], size)
        content = Content(blob=blob, stored_at=ctx.clock.now())
        try:
            check({"MD5": blob.md5, "SHA256": blob.sha256}, lambda: ctx.blobs.read(blob.location))
        except ServiceError:
            discard_content(ctx, content, keep_upload=True)
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
    with _hold(ctx, caller, transfer_id) as (writer, row):

        def work(unit: Unit) -> Details:
            unit.locks.hold_account(caller.account_id)
            details = details_in(unit.uploads.get(caller.account_id, row.upload_key).details)
            for key in (row.upload_key, *(one.key for one in details.waiting.values())):
                unit.uploads.discard(caller.account_id, key)
            return details

        details = ctx.metadata.write(work)
        writer.discard()
        Chunks(ctx, caller, row.upload_key).discard_bytes(details.waiting.values())


def _found(unit: Unit, caller: Caller, transfer_id: str) -> Upload:
    row = unit.uploads.named(caller.account_id, _name(caller, transfer_id))
    if row is None:
        raise ServiceError(codes.UPLOAD_NOT_FOUND)
    return row


@contextmanager
def _hold(ctx: ServiceContext, caller: Caller, transfer_id: str) -> Iterator[tuple[BlobUpload, Upload]]:
    with ctx.metadata.read() as unit:
        key = _found(unit, caller, transfer_id).upload_key
    with ctx.blobs.uploading(key) as writer:
        try:
            with ctx.metadata.read() as unit:
                row = unit.uploads.get(caller.account_id, key)
            yield writer, row
        except UploadDamaged as damage:
            ctx.metadata.write(lambda unit: unit.uploads.discard(caller.account_id, key))
            writer.discard()
            raise ServiceError(codes.UPLOAD_NOT_FOUND, "The server has lost bytes of this upload") from damage
        except Missing as missing:
            writer.discard()
            raise ServiceError(codes.UPLOAD_NOT_FOUND) from missing


def _name(caller: Caller, transfer_id: str) -> str:
    """With the folder that the app sees: one that is confined to a folder gets nothing of what others upload."""
    return f"{_NAME}{caller.root_key}/{transfer_id}"


def _root(ctx: ServiceContext, caller: Caller) -> str:
    # Not the caller's own root, which is a folder where an app is confined to one.
    with ctx.metadata.read() as unit:
        return unit.accounts.by_id(caller.account_id).root_key
