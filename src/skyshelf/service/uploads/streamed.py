"""Streamed uploads, as WebDAV stores files: the content comes first, and its hash is known at the end."""

from collections.abc import Callable, Iterable

import msgspec

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.files.locks import Guard
from skyshelf.service.process.reservations import Reservation
from skyshelf.service.uploads import commit
from skyshelf.storage.blobs.protocols import BytesLike
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.resources.uploads import UploadMetadata


class StreamedFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file whose content is about to arrive."""

    folder_key: str
    name: str
    size: int | None
    """The announced size; None if it is not known in advance."""
    created_at: int | None = None
    modified_at: int | None = None


AfterCommit = Callable[[Unit, str], None]
"""Called with the key of the new file, in the transaction that creates it."""


class _GuardedPlacement(commit.Placement):
    """The folder that the request names, if the guard still permits it when the file is committed."""

    def __init__(self, folder_key: str, guard: Guard, then: AfterCommit | None) -> None:
        super().__init__(folder_key)
        self._guard = guard
        self._then = then

    def folder(self, unit: Unit, caller: Caller) -> str:
        unit.locks.hold_account(caller.account_id)
        self._guard(unit)
        return super().folder(unit, caller)

    def stored(self, unit: Unit, caller: Caller, object_key: str) -> None:  # noqa: ARG002
        if self._then is not None:
            self._then(unit, object_key)


def precheck(
    ctx: ServiceContext, caller: Caller, file: StreamedFile, reservation: Reservation, guard: Guard
) -> StoredObject | None:
    """Check everything that is known before the bytes arrive; returns the file that gets a new version, or None."""
    with ctx.metadata.read() as unit:
        guard(unit)
        existing = commit.check_name_free(unit, caller, file.folder_key, file.name)
        freed = commit.bytes_freed(ctx, unit, caller, existing) if file.size is not None else 0
    if file.size is not None:
        commit.check_size(ctx, file.size)
        reservation.cover(file.size, lambda: freed + commit.free_quota(ctx, caller))
    return existing


def receive(
    ctx: ServiceContext, caller: Caller, file: StreamedFile, chunks: Iterable[BytesLike], reservation: Reservation
) -> commit.Content:
    """Make the bytes durable; SizeMismatch unless the announced number arrives."""
    if file.size is None:
        return commit.store_content(ctx, caller, None, chunks, reservation)
    blob = ctx.blobs.put(reservation.counting(chunks), expected_size=file.size)
    return commit.Content(blob=blob, stored_at=ctx.clock.now())


def finish(
    ctx: ServiceContext,
    caller: Caller,
    file: StreamedFile,
    content: commit.Content,
    reservation: Reservation | None,
    *,
    guard: Guard,
    then: AfterCommit | None = None,
    upload_key: str | None = None,
) -> StoredObject:
    """Give the content its name; the guard is checked again in the same transaction."""
    metadata = UploadMetadata(
        name=file.name,
        size=content.blob.size,
        hash=content.blob.md5,
        folder_key=file.folder_key,
        file_created_date=file.created_at,
        last_modified_date=file.modified_at,
    )

    def place(_ctx: ServiceContext, _metadata: UploadMetadata) -> commit.Placement:
        return _GuardedPlacement(file.folder_key, guard, then)

    return commit.commit_file(
        ctx, caller, metadata, content, place=place, reservation=reservation, upload_key=upload_key
    )
