"""Upload of many small files in one call: they share the disk syncs and one commit."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Final

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, code_of, codes
from skyshelf.service.files.capture_dates import enqueue_dates
from skyshelf.service.retention import retention
from skyshelf.service.uploads.commit import check_commit_in_time, free_quota, new_file
from skyshelf.service.uploads.duplicates import settle_later
from skyshelf.storage.blobs.protocols import BlobBatch, BytesLike, StoredBlob
from skyshelf.storage.errors import SizeMismatch, StorageError, StoreUnavailable
from skyshelf.storage.metadata.contracts.files import NewFile, PutOutcome
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.limits import UPLOADS_AT_ONCE_BYTES_MAX
from skyshelf.wire.resources.uploads import FileToUpload

UploadResult = StoredObject | ServiceError

UNASKED_BYTES: Final = 4 * UPLOADS_AT_ONCE_BYTES_MAX
"""How much an account may be sending in such calls before its quota is read: small files cost no query."""


def upload_files(
    ctx: ServiceContext, caller: Caller, files: Sequence[FileToUpload], chunks: Iterable[BytesLike]
) -> list[UploadResult]:
    """Store files whose contents follow one another in the stream; one result per file, in order.

    If the stream or a store fails, the error is raised and none of the files exists.
    """
    began = ctx.clock.now()
    with ctx.reservations.of(caller.account_id) as reservation:
        # The files that fit are stored and the others refused, so simultaneous calls need not fit as a whole.
        size = sum(file.size for file in files)
        reservation.cover(size, lambda: free_quota(ctx, caller), unasked=UNASKED_BYTES)
        with ctx.blobs.batch() as batch:
            contents = _ContentSplitter(reservation.counting(chunks))
            stored = [_store(ctx, batch, file, contents.next(file.size)) for file in files]
            contents.end()
            check_commit_in_time(ctx, began)
            batch.seal()
        uploads = [(file, blob) for file, blob in zip(files, stored, strict=True) if isinstance(blob, StoredBlob)]
        with reservation.committing():
            committed = iter(commit_files(ctx, caller, uploads))
    return [next(committed) if isinstance(blob, StoredBlob) else blob for blob in stored]


def _store(
    ctx: ServiceContext, batch: BlobBatch, file: FileToUpload, content: Iterator[BytesLike]
) -> StoredBlob | ServiceError:
    """Store one file. A rejected file's bytes are read as well, because the other files' bytes follow them."""
    blob = batch.put(content, expected_size=file.size)
    if file.size > ctx.rules.max_file_size:
        error = ServiceError(codes.FILE_TOO_LARGE)
    elif blob.md5 != file.hash:
        error = ServiceError(codes.CONTENT_HASH_MISMATCH)
    else:
        return blob
    batch.drop(blob.location)
    return error


class _ContentSplitter:
    """Splits a stream into the contents of files."""

    def __init__(self, chunks: Iterable[BytesLike]) -> None:
        self._chunks = iter(chunks)
        self._rest = memoryview(b"")

    def next(self, size: int) -> Iterator[BytesLike]:
        """Yield the next `size` bytes, or fewer at the end of the stream."""
        while size > 0:
            if not self._rest:
                chunk = next(self._chunks, None)
                if chunk is None:
                    return
                # The owner may reuse a mutable buffer, so it is copied.
                self._rest = memoryview(chunk if isinstance(chunk, bytes) else bytes(chunk))
            piece, self._rest = self._rest[:size], self._rest[size:]
            size -= len(piece)
            yield piece

    def end(self) -> None:
        if self._rest or any(len(chunk) for chunk in self._chunks):
            raise SizeMismatch("The body has more bytes than all files together.")


# The commit

_Outcome = PutOutcome | StoredObject | StorageError


def commit_files(
    ctx: ServiceContext, caller: Caller, uploads: Sequence[tuple[FileToUpload, StoredBlob]]
) -> list[UploadResult]:
    """Turn durable contents into files of the folders that they name, in one commit; one result each, in order."""
    now = ctx.clock.now()
    files = [
        new_file(ctx, caller, metadata, location=blob.location, sha256=blob.sha256, now=now, sample=blob.sample)
        for metadata, blob in uploads
    ]
    try:
        outcomes = _put_files(ctx, caller, files, now)
    except StoreUnavailable:
        # The commit may have happened: the sweeper finds out whether the blobs are referenced.
        raise
    except StorageError:
        _delete_blobs(ctx, [file.location for file in files])
        raise
    return [_settled(ctx, file, outcome) for file, outcome in zip(files, outcomes, strict=True)]


def _put_files(ctx: ServiceContext, caller: Caller, files: Sequence[NewFile], now: int) -> list[_Outcome]:
    keep = retention(ctx).versions_kept

    def work(unit: Unit) -> list[_Outcome]:
        put = unit.files.put_many(caller.account_id, files, now, keep_versions=keep)
        enqueue_dates(unit, caller.account_id, files, now)
        outcomes: list[_Outcome] = []
        for file, outcome in zip(files, put, strict=True):
            # None if the file already has this content, for example after a lost response.
            done = outcome or unit.tree.child_named(caller.account_id, file.parent_key, file.name)
            assert done is not None
            outcomes.append(done)
        return outcomes

    outcomes = ctx.write_as(caller, work) if files else []
    if any(file.needs_date for file in files):
        ctx.job_notifier.notify()
    return outcomes


def _settled(ctx: ServiceContext, file: NewFile, outcome: _Outcome) -> UploadResult:
    """Return the result for a file; an uploaded copy that nothing refers to is deleted, or checked later."""
    if isinstance(outcome, StorageError):
        _delete_blobs(ctx, [file.location])
        return ServiceError(code_of(outcome))
    stored, kept = (outcome.object, outcome.location) if isinstance(outcome, PutOutcome) else (outcome, None)
    if kept != file.location:
        settle_later(ctx, file.sha256, file.size, new=file.location, kept=kept)
    return stored


def _delete_blobs(ctx: ServiceContext, locations: Iterable[str]) -> None:
    for location in locations:
        # The files are committed; the sweeper deletes a blob that cannot be deleted now.
        with suppress(StorageError):
            ctx.blobs.delete(location)
