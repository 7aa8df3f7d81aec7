"""Transfers: uploads whose chunks have names, and whose size and place may be known only at the end.

Nextcloud's clients upload large files so. A transfer is an upload in progress as any other: its chunks are appended to
one another, and become a file without being copied. So they have to come in the order of their names.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

import msgspec

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.files.locks import Guard
from skyshelf.service.uploads import commit, streamed
from skyshelf.service.uploads.commit import Content, check_size, discard_content
from skyshelf.storage.blobs.protocols import BlobUpload
from skyshelf.storage.blobs.records import Part
from skyshelf.storage.errors import Missing, OffsetConflict, SizeMismatch, UploadDamaged
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.contracts.uploads import NewUpload, Upload, UploadPart
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.limits import TRANSFER_CHUNKS_MAX

_NO_HASH: Final = "0" * 32
# No file can have this name, so no other upload can be taken for a transfer.
_NAME: Final = "/transfer/"
_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,128}")
_CHUNK: Final = re.compile(r"[0-9]{1,16}(?:-[0-9]{1,16})?")


class TransferChunk(msgspec.Struct, frozen=True):
    name: str
    size: int


class _Details(msgspec.Struct):
    """What is kept of a transfer besides its row."""

    chunks: list[str] = []


Check = Callable[[Mapping[str, str], Callable[[], Iterable[bytes]]], None]
"""Compares the digests of a content, and if need be its bytes, with what was announced."""
_decode: Final = msgspec.json.Decoder(_Details).decode


def begin(ctx: ServiceContext, caller: Caller, transfer_id: str, size: int | None) -> bool:
    """Begin a transfer; false where there is one of this name. The space for an announced size is reserved."""
    if not _ID.fullmatch(transfer_id):
        raise ServiceError(codes.BAD_NAME, "The name of a transfer has letters, digits, dots, hyphens and underscores")
    check_size(ctx, size or 0)
    now, key = ctx.clock.now(), ctx.new_key()
    new = NewUpload(
        upload_key=key,
        parent_key=_root(ctx, caller),
        name=_NAME + transfer_id,
        size=size or 0,
        md5=_NO_HASH,
        details=msgspec.json.encode(_Details()),
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
    """The chunks that have come."""
    with ctx.metadata.read() as unit:
        row = _found(unit, caller, transfer_id)
        parts = unit.uploads.parts(caller.account_id, row.upload_key)
    return [TransferChunk(name, part.size) for name, part in zip(_decode(row.details).chunks, parts, strict=False)]


def receive(
    ctx: ServiceContext, caller: Caller, transfer_id: str, chunk: TransferChunk, pieces: Iterable[bytes]
) -> None:
    """Store a chunk. The one that came last may come again, as after a lost response."""
    if not _CHUNK.fullmatch(chunk.name):
        raise ServiceError(codes.BAD_NAME, "The name of a chunk is a number")
    with _hold(ctx, caller, transfer_id) as (writer, row):
        known = _decode(row.details).chunks
        with ctx.metadata.read() as unit:
            last = unit.uploads.last_part(caller.account_id, row.upload_key)
        if known and chunk.name == known[-1] and last is not None and last.size == chunk.size:
            if _md5_of(pieces) != last.md5:
                raise ServiceError(codes.TRANSFER_ORDER)
            return
        if known and _order(chunk.name) <= _order(known[-1]):
            raise ServiceError(codes.TRANSFER_ORDER)
        if len(known) >= TRANSFER_CHUNKS_MAX:
            raise ServiceError(codes.INVALID_REQUEST, f"A file has at most {TRANSFER_CHUNKS_MAX:,} chunks")
        reached = row.received + chunk.size
        check_size(ctx, reached)
        if chunk.size == 0:
            return
        details = msgspec.json.encode(_Details([*known, chunk.name]))
        _append(ctx, caller, writer, row=row, last=last, chunk=chunk, pieces=pieces, details=details)


def _append(
    ctx: ServiceContext,
    caller: Caller,
    writer: BlobUpload,
    *,
    row: Upload,
    last: UploadPart | None,
    chunk: TransferChunk,
    pieces: Iterable[bytes],
    details: bytes,
) -> None:
    account_id, key = caller.account_id, row.upload_key
    size, now = max(row.size, row.received + chunk.size), ctx.clock.now()
    # The space is reserved before the bytes come.
    ctx.metadata.write(lambda unit: unit.uploads.extend(account_id, key, size, row.details, now))
    with ctx.reservations.of_chunk(key, chunk.size) as reservation:
        after = None if last is None else Part(last.start, last.size, last.md5, last.token)
        part = writer.append(reservation.counting(pieces), after=after, expected_size=chunk.size)
        stored = UploadPart(part.offset, part.size, part.md5, part.token)
        now = ctx.clock.now()

        def work(unit: Unit) -> None:
            unit.uploads.advance(account_id, key, stored, now)
            unit.uploads.extend(account_id, key, size, details, now)

        try:
            ctx.metadata.write(work)
        except (OffsetConflict, SizeMismatch):
            writer.discard_part(part)
            raise


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
    with _hold(ctx, caller, transfer_id) as (writer, row):
        if file.size is not None and file.size != row.received:
            raise ServiceError(codes.CONTENT_SIZE_MISMATCH, f"{row.received} of {file.size} bytes have come")
        with ctx.metadata.read() as unit:
            guard(unit)
            commit.check_name_free(unit, caller, file.folder_key, file.name)
            parts = unit.uploads.parts(caller.account_id, row.upload_key)
        if not parts:
            raise ServiceError(codes.CONTENT_SIZE_MISMATCH, "No chunk has come")
        blob = writer.finish([Part(one.start, one.size, one.md5, one.token) for one in parts], row.received)
        content = Content(blob=blob, stored_at=ctx.clock.now())
        try:
            check({"MD5": blob.md5, "SHA256": blob.sha256}, lambda: ctx.blobs.read(blob.location))
        except ServiceError:
            discard_content(ctx, content, keep_upload=True)
            raise
        stored = streamed.finish(ctx, caller, file, content, None, guard=guard, upload_key=row.upload_key)
        writer.discard()
        return stored


def cancel(ctx: ServiceContext, caller: Caller, transfer_id: str) -> None:
    with _hold(ctx, caller, transfer_id) as (writer, row):
        ctx.metadata.write(lambda unit: unit.uploads.discard(caller.account_id, row.upload_key))
        writer.discard()


def _found(unit: Unit, caller: Caller, transfer_id: str) -> Upload:
    row = unit.uploads.named(caller.account_id, _NAME + transfer_id)
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


def _md5_of(pieces: Iterable[bytes]) -> str:
    digest = hashlib.md5(usedforsecurity=False)
    for piece in pieces:
        digest.update(piece)
    return digest.hexdigest()


def _order(name: str) -> int:
    """Chunks are numbered, or named after their first and last byte."""
    return int(name.partition("-")[0])


def _root(ctx: ServiceContext, caller: Caller) -> str:
    # Not the caller's own root, which is a folder where an app is confined to one.
    with ctx.metadata.read() as unit:
        return unit.accounts.by_id(caller.account_id).root_key
