"""The chunks of a transfer, in whatever order they come.

The next one is appended to the transfer. One that comes before its turn, or while another is being appended, is set
aside as a separate upload, and is appended when its turn has come; so nothing is copied for a client that sends one
chunk after another. Its space is taken from what is reserved for the transfer.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

import msgspec

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.storage.blobs.protocols import BlobUpload
from skyshelf.storage.blobs.records import Part, StoredBlob
from skyshelf.storage.errors import (
    BlobCorrupt,
    BlobMissing,
    Missing,
    OffsetConflict,
    SizeMismatch,
    StorageError,
    UploadBusy,
    UploadDamaged,
)
from skyshelf.storage.metadata.contracts.uploads import NewUpload, Upload, UploadPart
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes

NO_HASH: Final = "0" * 32
_CHUNK: Final = re.compile(r"([0-9]{1,16})(?:-([0-9]{1,16}))?")


class TransferChunk(msgspec.Struct, frozen=True):
    name: str
    size: int


class Aside(msgspec.Struct, frozen=True):
    """A chunk that waits for its turn, or takes the place of one that was appended: the key of its own upload."""

    key: str
    size: int


class Details(msgspec.Struct):
    """What is kept of a transfer besides its row: the names of the appended chunks, in order, and those aside."""

    chunks: list[str] = []
    waiting: dict[str, Aside] = {}

    @property
    def count(self) -> int:
        return len(self.chunks) + len(self.waiting)

    def is_next(self, name: str) -> bool:
        """Whether a chunk certainly comes right after those that were appended."""
        if name in self.waiting:
            return False
        return order_of(name) == _end(self.chunks[-1]) + 1 if self.chunks else order_of(name) <= 1

    def is_later(self, name: str) -> bool:
        """Whether a chunk comes after those that were appended, though others may come between."""
        return not self.chunks or order_of(name) > order_of(self.chunks[-1])


details_in: Final = msgspec.json.Decoder(Details).decode
encoded: Final = msgspec.json.encode


def check_name(name: str) -> None:
    if not _CHUNK.fullmatch(name):
        raise ServiceError(codes.BAD_NAME, "The name of a chunk is a number")


def order_of(name: str) -> int:
    """Chunks are numbered, or named after their first and last byte."""
    return int(name.partition("-")[0])


def _end(name: str) -> int:
    return int(name.rpartition("-")[2])


def blob_part(part: UploadPart) -> Part:
    return Part(part.start, part.size, part.md5, part.token)


class Chunks:
    """The chunks of one transfer, by its key."""

    def __init__(self, ctx: ServiceContext, caller: Caller, upload_key: str) -> None:
        self._ctx = ctx
        self._account_id = caller.account_id
        self._key = upload_key

    # Appending; the caller holds the transfer

    def append(
        self,
        writer: BlobUpload,
        row: Upload,
        chunk: TransferChunk,
        pieces: Iterable[bytes],
        aside: Aside | None = None,
    ) -> Upload:
        """Append a chunk, which may have been aside until now; the transfer's new row.

        UploadBusy, before any of its bytes is read, where another one is being appended.
        """
        ctx, account_id, key = self._ctx, self._account_id, self._key
        size, now = row.received + chunk.size, ctx.clock.now()

        def reserve(unit: Unit) -> None:
            unit.locks.hold_account(account_id)
            unit.uploads.extend(account_id, key, size, unit.uploads.get(account_id, key).details, now)

        if aside is None:
            # Before the bytes come.
            ctx.metadata.write(reserve)
        with ctx.reservations.of_chunk(key, chunk.size) as reservation:
            with ctx.metadata.read() as unit:
                last = unit.uploads.last_part(account_id, key)
            after = None if last is None else blob_part(last)
            if row.received != (0 if after is None else after.end):
                # Not every blob store locks out other processes.
                raise UploadBusy("another chunk has just been appended")
            part = writer.append(reservation.counting(pieces), after=after, expected_size=chunk.size)
            stored = UploadPart(part.offset, part.size, part.md5, part.token)

            def work(unit: Unit) -> Upload:
                unit.locks.hold_account(account_id)
                details = details_in(unit.uploads.get(account_id, key).details)
                if aside is not None:
                    unit.uploads.discard(account_id, aside.key)
                    if details.waiting.get(chunk.name) == aside:
                        del details.waiting[chunk.name]
                details.chunks.append(chunk.name)
                unit.uploads.extend(account_id, key, size, encoded(details), now)
                return unit.uploads.advance(account_id, key, stored, now)

            try:
                return ctx.metadata.write(work)
            except (OffsetConflict, SizeMismatch):
                writer.discard_part(part)
                raise

    def take_in(self, writer: BlobUpload, row: Upload, *, all_of_them: bool = False) -> Upload:
        """Append those that are aside and whose turn has come; the transfer's row.

        `all_of_them`: no others will come in between.
        """
        while True:
            details = details_in(row.details)
            name = min(filter(details.is_later, details.waiting), key=order_of, default=None)
            if name is None:
                return row
            aside = details.waiting.pop(name)
            if not all_of_them and not details.is_next(name):
                return row
            try:
                with self._read(aside) as pieces:
                    row = self.append(writer, row, TransferChunk(name, aside.size), pieces, aside)
            except Missing:
                row = self._forget(name)
            except (UploadBusy, OffsetConflict):
                # Somebody else is at it, on another instance perhaps.
                return row
            except (UploadDamaged, BlobMissing, BlobCorrupt):
                if self._is_known(aside):
                    raise
                # They have appended and discarded it while it was read here.
                return row
            self.discard_bytes([aside])

    def _is_known(self, aside: Aside) -> bool:
        with self._ctx.metadata.read() as unit:
            return bool(unit.uploads.known([aside.key]))

    def _forget(self, name: str) -> Upload:
        """A chunk whose upload has expired has not come."""
        now = self._ctx.clock.now()

        def work(unit: Unit) -> Upload:
            unit.locks.hold_account(self._account_id)
            row = unit.uploads.get(self._account_id, self._key)
            details = details_in(row.details)
            details.waiting.pop(name, None)
            return unit.uploads.extend(self._account_id, self._key, row.size, encoded(details), now)

        return self._ctx.metadata.write(work)

    # Setting aside; others may be at work on the same transfer

    def set_aside(self, row: Upload, chunk: TransferChunk, pieces: Iterable[bytes]) -> None:
        """Store a chunk beside the transfer. It takes the place of one of the same name, unless both are the same."""
        ctx, account_id, key, now = self._ctx, self._account_id, self._ctx.new_key(), self._ctx.clock.now()
        new = NewUpload(
            upload_key=key,
            parent_key=row.parent_key,
            name=f"{row.name}/{key}",
            size=chunk.size,
            md5=NO_HASH,
            details=b"",
        )

        def begin(unit: Unit) -> None:
            unit.locks.hold_account(account_id)
            unit.uploads.release(account_id, self._key, chunk.size)
            unit.uploads.begin(account_id, new, now)

        ctx.metadata.write(begin)
        with ctx.blobs.uploading(key) as writer:
            try:
                with ctx.reservations.of_chunk(key, chunk.size) as reservation:
                    part = writer.append(reservation.counting(pieces), after=None, expected_size=chunk.size)
                stored = UploadPart(part.offset, part.size, part.md5, part.token)
                former = ctx.metadata.write(lambda unit: self._keep(unit, chunk, Aside(key, chunk.size), stored))
            except BaseException:
                ctx.metadata.write(lambda unit: unit.uploads.discard(account_id, key))
                writer.discard()
                raise
        self.discard_bytes(former)

    def _keep(self, unit: Unit, chunk: TransferChunk, aside: Aside, stored: UploadPart) -> list[Aside]:
        """Note a chunk that was set aside; those that are no longer needed."""
        account_id, now = self._account_id, self._ctx.clock.now()
        unit.locks.hold_account(account_id)
        row = unit.uploads.get(account_id, self._key)
        details = details_in(row.details)
        former = [one] if (one := details.waiting.pop(chunk.name, None)) is not None else []
        if chunk.name in details.chunks:
            known = unit.uploads.parts(account_id, self._key)[details.chunks.index(chunk.name)]
            is_same = (known.size, known.md5) == (stored.size, stored.md5)
        else:
            is_same = False
        if is_same:
            # As after a lost response.
            former.append(aside)
        else:
            unit.uploads.advance(account_id, aside.key, stored, now)
            details.waiting[chunk.name] = aside
        unit.uploads.extend(account_id, self._key, row.size, encoded(details), now)
        for one in former:
            unit.uploads.discard(account_id, one.key)
        return former

    def discard_bytes(self, asides: Iterable[Aside]) -> None:
        """Delete the bytes of chunks whose rows are gone; what cannot be deleted now is swept later."""
        for aside in asides:
            with suppress(StorageError):
                self._ctx.blobs.discard(aside.key)

    # Reading

    @contextmanager
    def _read(self, aside: Aside) -> Iterator[Iterable[bytes]]:
        """The bytes of a chunk that is aside; Missing if its upload has expired."""
        ctx = self._ctx
        with ctx.blobs.uploading(aside.key) as held:
            with ctx.metadata.read() as unit:
                unit.uploads.get(self._account_id, aside.key)
                parts = unit.uploads.parts(self._account_id, aside.key)
            blob = held.finish([blob_part(one) for one in parts], aside.size)
            content = ctx.blobs.read(blob.location)
            try:
                yield content
            finally:
                content.close()
                ctx.blobs.delete(blob.location, keep_upload=True)

    def rearranged(self, writer: BlobUpload, row: Upload, parts: list[UploadPart]) -> StoredBlob:
        """A blob of all chunks, where one came too late to be appended or has replaced another: a copy of all bytes."""
        ctx, details = self._ctx, details_in(row.details)
        appended = dict(zip(details.chunks, parts, strict=True))
        own = writer.finish([blob_part(one) for one in parts], row.received) if parts else None

        def pieces() -> Iterator[bytes]:
            for name in sorted({*appended, *details.waiting}, key=order_of):
                if name in details.waiting:
                    with self._read(details.waiting[name]) as content:
                        yield from content
                elif own is not None:
                    part = appended[name]
                    yield from ctx.blobs.read(own.location, part.start, part.size)

        try:
            with ctx.reservations.of_chunk(row.upload_key, total(row, parts)) as reservation:
                return ctx.blobs.put(reservation.counting(pieces()), expected_size=total(row, parts))
        finally:
            if own is not None:
                ctx.blobs.delete(own.location, keep_upload=True)


def total(row: Upload, parts: list[UploadPart]) -> int:
    """How many bytes the file has that the chunks make."""
    details = details_in(row.details)
    sizes = {name: part.size for name, part in zip(details.chunks, parts, strict=True)}
    return sum((sizes | {name: aside.size for name, aside in details.waiting.items()}).values())
