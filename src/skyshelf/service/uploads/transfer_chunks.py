"""The chunks of a transfer, in whatever order they arrive.

The next one is appended to the transfer. One that arrives early, or while another is being appended, is set aside as a
separate upload, and appended when its turn comes; so nothing is copied for a client that sends one chunk after another.
Its space is taken from the transfer's reservation.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Final

import msgspec

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, codes
from skyshelf.service.uploads.chunked import blob_part
from skyshelf.storage import errors as storage
from skyshelf.storage.blobs.protocols import BlobUpload, StoredBlob
from skyshelf.storage.metadata.contracts.files import NewUpload, Upload, UploadPart
from skyshelf.storage.metadata.store import Unit

NO_HASH: Final = "0" * 32
_CHUNK: Final = re.compile(r"([0-9]{1,16})(?:-([0-9]{1,16}))?")


class TransferChunk(msgspec.Struct, frozen=True):
    name: str
    size: int


class WaitingChunk(msgspec.Struct, frozen=True):
    """A chunk that waits for its turn, or replaces one that was appended; `key` is its own upload's."""

    key: str
    size: int


class TransferDetails(msgspec.Struct):
    """The state of a transfer besides its row: the names of the appended chunks, in order, and waiting ones."""

    chunks: list[str] = []
    waiting: dict[str, WaitingChunk] = {}

    @property
    def count(self) -> int:
        return len(self.chunks) + len(self.waiting)

    def sizes(self, parts: Sequence[UploadPart]) -> dict[str, int]:
        """Return the size of each chunk of the file, in order; a waiting one replaces the one that was appended."""
        appended = {name: part.size for name, part in zip(self.chunks, parts, strict=True)}
        found = appended | {name: aside.size for name, aside in self.waiting.items()}
        return {name: found[name] for name in sorted(found, key=order_of)}

    def is_next(self, name: str) -> bool:
        """Whether a chunk certainly follows the appended ones directly."""
        if name in self.waiting:
            return False
        if not self.chunks:
            return order_of(name) <= 1
        return order_of(name) == int(self.chunks[-1].rpartition("-")[2]) + 1

    def is_later(self, name: str) -> bool:
        """Whether a chunk follows the appended ones, though others may come in between."""
        return not self.chunks or order_of(name) > order_of(self.chunks[-1])


details_in: Final = msgspec.json.Decoder(TransferDetails).decode
encoded: Final = msgspec.json.encode


def check_name(name: str) -> None:
    if not _CHUNK.fullmatch(name):
        raise ServiceError(codes.BAD_NAME, "The name of a chunk is a number")


def order_of(name: str) -> int:
    """Return a chunk's order: chunks are numbered, or named after their first and last byte."""
    return int(name.partition("-")[0])


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
        aside: WaitingChunk | None = None,
    ) -> Upload:
        """Append a chunk, which may have been set aside; returns the transfer's new row.

        UploadBusy, before any of its bytes is read, if another one is being appended.
        """
        ctx, account_id, key = self._ctx, self._account_id, self._key
        size, now = row.received + chunk.size, ctx.clock.now()

        def reserve(unit: Unit) -> None:
            unit.locks.hold_account(account_id)
            unit.uploads.extend(account_id, key, size, unit.uploads.get(account_id, key).details, now)

        if aside is None:
            # Before the bytes arrive.
            ctx.metadata.write(reserve)
        with ctx.reservations.of_chunk(key, chunk.size) as reservation:
            with ctx.metadata.read() as unit:
                last = unit.uploads.last_part(account_id, key)
            after = None if last is None else blob_part(last)
            if row.received != (0 if after is None else after.end):
                # Not every blob store locks out other processes.
                raise storage.UploadBusy("another chunk has just been appended")
            part = writer.append(reservation.counting(pieces), after=after, expected_size=chunk.size)
            stored = UploadPart(part.offset, part.size, part.md5, part.token)

            def work(unit: Unit) -> Upload:
                _, details = self._state(unit)
                if aside is not None:
                    unit.uploads.discard(account_id, aside.key)
                    if details.waiting.get(chunk.name) == aside:
                        del details.waiting[chunk.name]
                details.chunks.append(chunk.name)
                unit.uploads.extend(account_id, key, size, encoded(details), now)
                return unit.uploads.advance(account_id, key, stored, now)

            try:
                return ctx.metadata.write(work)
            except (storage.OffsetConflict, storage.SizeMismatch):
                writer.discard_part(part)
                raise

    def take_in(self, writer: BlobUpload, row: Upload, *, all_of_them: bool = False) -> Upload:
        """Append waiting chunks whose turn has come; returns the transfer's row.

        `all_of_them` means that no others will come in between.
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
            except storage.Missing:
                row = self._forget(name, aside)
            except (storage.UploadBusy, storage.OffsetConflict):
                # Another request is appending, perhaps on another instance.
                return row
            except (storage.UploadDamaged, storage.BlobMissing, storage.BlobCorrupt):
                with self._ctx.metadata.read() as unit:
                    if unit.uploads.known([aside.key]):
                        raise
                # Another request has appended and discarded it since then.
                return row
            self.discard_bytes([aside])

    def _state(self, unit: Unit) -> tuple[Upload, TransferDetails]:
        """Lock the transfer for a change; returns its row, and the state in it."""
        unit.locks.hold_account(self._account_id)
        row = unit.uploads.get(self._account_id, self._key)
        return row, details_in(row.details)

    def _forget(self, name: str, aside: WaitingChunk) -> Upload:
        """Forget a chunk whose upload has expired, as if it had not arrived; not one that has replaced it since."""
        now = self._ctx.clock.now()

        def work(unit: Unit) -> Upload:
            row, details = self._state(unit)
            if details.waiting.get(name) == aside:
                del details.waiting[name]
            return unit.uploads.extend(self._account_id, self._key, row.size, encoded(details), now)

        return self._ctx.metadata.write(work)

    # Setting aside; others may be at work on the same transfer

    def set_aside(self, row: Upload, chunk: TransferChunk, pieces: Iterable[bytes]) -> None:
        """Store a chunk beside the transfer. It replaces one of the same name, unless both are identical."""
        ctx, account_id, key, now = self._ctx, self._account_id, self._ctx.new_key(), self._ctx.clock.now()
        name, size = f"{row.name}/{key}", chunk.size
        new = NewUpload(upload_key=key, parent_key=row.parent_key, name=name, size=size, md5=NO_HASH, details=b"")

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
                former = ctx.metadata.write(lambda unit: self._keep(unit, chunk, WaitingChunk(key, chunk.size), stored))
            except BaseException:
                ctx.metadata.write(lambda unit: unit.uploads.discard(account_id, key))
                writer.discard()
                raise
        self.discard_bytes(former)

    def _keep(self, unit: Unit, chunk: TransferChunk, aside: WaitingChunk, stored: UploadPart) -> list[WaitingChunk]:
        """Record a chunk that was set aside; returns chunks that are no longer needed."""
        account_id, now = self._account_id, self._ctx.clock.now()
        row, details = self._state(unit)
        former = [one] if (one := details.waiting.pop(chunk.name, None)) is not None else []
        is_same = False
        if chunk.name in details.chunks:
            known = unit.uploads.parts(account_id, self._key)[details.chunks.index(chunk.name)]
            is_same = (known.size, known.md5) == (stored.size, stored.md5)
        if is_same:
            # The client repeats it after a lost response.
            former.append(aside)
        else:
            unit.uploads.advance(account_id, aside.key, stored, now)
            details.waiting[chunk.name] = aside
        unit.uploads.extend(account_id, self._key, row.size, encoded(details), now)
        for one in former:
            unit.uploads.discard(account_id, one.key)
        return former

    def discard_bytes(self, asides: Iterable[WaitingChunk]) -> None:
        """Delete the bytes of chunks whose rows are gone; what cannot be deleted now is swept later."""
        for aside in asides:
            with suppress(storage.StorageError):
                self._ctx.blobs.discard(aside.key)

    # Reading

    @contextmanager
    def _read(self, aside: WaitingChunk) -> Iterator[Iterable[bytes]]:
        """Open the bytes of a waiting chunk; Missing if its upload has expired."""
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
        """Copy all chunks to a new blob, if one came too late to be appended or has replaced another."""
        ctx, details = self._ctx, details_in(row.details)
        sizes = details.sizes(parts)
        size = sum(sizes.values())
        appended = dict(zip(details.chunks, parts, strict=True))
        own = writer.finish([blob_part(one) for one in parts], row.received) if parts else None

        def pieces() -> Iterator[bytes]:
            for name in sizes:
                if name in details.waiting:
                    with self._read(details.waiting[name]) as content:
                        yield from content
                elif own is not None:
                    part = appended[name]
                    yield from ctx.blobs.read(own.location, part.start, part.size)

        try:
            with ctx.reservations.of_chunk(row.upload_key, size) as reservation:
                return ctx.blobs.put(reservation.counting(pieces()), expected_size=size)
        finally:
            if own is not None:
                ctx.blobs.delete(own.location, keep_upload=True)
