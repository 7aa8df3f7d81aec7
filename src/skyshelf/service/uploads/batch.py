"""Upload of many small files in one call: they share the disk syncs and one commit."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.uploads.commit import check_commit_in_time, commit_files, free_quota
from skyshelf.storage.blobs.protocols import BlobBatch, BytesLike
from skyshelf.storage.blobs.records import StoredBlob
from skyshelf.storage.errors import SizeMismatch
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.wire import error_codes as codes
from skyshelf.wire.limits import UPLOADS_AT_ONCE_BYTES_MAX
from skyshelf.wire.resources.uploads import FileToUpload

UploadResult = StoredObject | ServiceError

UNASKED_BYTES: Final = 4 * UPLOADS_AT_ONCE_BYTES_MAX
"""What an account may be sending in such calls before its quota is asked: small files cost no further query."""


def upload_files(
    ctx: ServiceContext, caller: Caller, files: Sequence[FileToUpload], chunks: Iterable[BytesLike]
) -> list[UploadResult]:
    """Store files whose contents follow one another in the stream; one result for each, in order.

    When the stream or a store fails, the error is raised and none of the files exists.
    """
    began = ctx.clock.now()
    with ctx.reservations.of(caller.account_id) as reservation:
        # The files that fit are stored and the others refused, so a few calls at once need not fit as a whole.
        size = sum(file.size for file in files)
        reservation.cover(size, lambda: free_quota(ctx, caller), unasked=UNASKED_BYTES)
        with ctx.blobs.batch() as batch:
            stored = _store_contents(ctx, batch, files, reservation.counting(chunks))
            check_commit_in_time(ctx, began)
            batch.seal()
        uploads = [(file, blob) for file, blob in zip(files, stored, strict=True) if isinstance(blob, StoredBlob)]
        with reservation.committing():
            committed = iter(commit_files(ctx, caller, uploads))
    return [next(committed) if isinstance(blob, StoredBlob) else blob for blob in stored]


def _store_contents(
    ctx: ServiceContext, batch: BlobBatch, files: Sequence[FileToUpload], chunks: Iterable[BytesLike]
) -> list[StoredBlob | ServiceError]:
    contents = _ContentSplitter(chunks)
    stored = [_store(ctx, batch, file, contents.next(file.size)) for file in files]
    contents.end()
    return stored


def _store(
    ctx: ServiceContext, batch: BlobBatch, file: FileToUpload, content: Iterator[BytesLike]
) -> StoredBlob | ServiceError:
    """A rejected file's bytes are read as well, because the other files' bytes are behind them."""
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
        """The next `size` bytes, or fewer at the end of the stream."""
        while size > 0:
            if not self._rest:
                chunk = next(self._chunks, None)
                if chunk is None:
                    return
                # The chunk's owner may reuse a mutable buffer, so that is copied.
                self._rest = memoryview(chunk if isinstance(chunk, bytes) else bytes(chunk))
            piece, self._rest = self._rest[:size], self._rest[size:]
            size -= len(piece)
            yield piece

    def end(self) -> None:
        if self._rest or any(len(chunk) for chunk in self._chunks):
            raise SizeMismatch("The body has more bytes than all files together.")
