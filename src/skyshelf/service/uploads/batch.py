"""Many arrivals: small files that come in one call share the waits for the disk, and one commit."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import Refused, code_of
from skyshelf.service.uploads.commit import new_file
from skyshelf.storage.blobs.protocols import SWEEP_GRACE_MS, BlobBatch, BytesLike
from skyshelf.storage.blobs.records import StoredBlob
from skyshelf.storage.errors import SizeMismatch, StorageError, StoreUnavailable
from skyshelf.storage.metadata.contracts.files import NewFile, PutOutcome
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.refusals import Refusal
from skyshelf.wire.resources.uploads import FileToUpload

Arrived = StoredObject | Refusal


def arrive_together(
    ctx: ServiceContext, caller: Caller, wanted: Sequence[FileToUpload], chunks: Iterable[BytesLike]
) -> list[Arrived]:
    """Store the files whose contents come one directly behind the other; what became of each, in their order.

    An error of the stream or of a store comes out, and then none of the files is there.
    """
    began = ctx.clock.now()
    with ctx.blobs.batch() as batch:
        blobs = _store(ctx, batch, wanted, chunks)
        # The sweeper may judge a location that nobody has committed when the whole grace is over.
        if ctx.clock.now() - began > SWEEP_GRACE_MS // 2:
            raise Refused(codes.INVALID_REQUEST, "The body did not arrive in time")
        batch.seal()
    return _name(ctx, caller, wanted, blobs)


def _store(
    ctx: ServiceContext, batch: BlobBatch, wanted: Sequence[FileToUpload], chunks: Iterable[BytesLike]
) -> list[StoredBlob | Refusal]:
    contents = _Contents(chunks)
    found = [_take(ctx, batch, metadata, contents.next(metadata.size)) for metadata in wanted]
    contents.end()
    return found


def _take(
    ctx: ServiceContext, batch: BlobBatch, metadata: FileToUpload, content: Iterator[BytesLike]
) -> StoredBlob | Refusal:
    """The bytes of a file that is refused have to be read as well, since those of the others are behind them."""
    blob = batch.put(content, expected_size=metadata.size)
    if metadata.size > ctx.rules.max_file_size:
        refusal = Refused(codes.FILE_TOO_LARGE)
    elif blob.md5 != metadata.hash:
        refusal = Refused(codes.CONTENT_HASH_MISMATCH)
    else:
        return blob
    batch.drop(blob.location)
    return refusal


class _Contents:
    """A stream that is cut into the contents of files."""

    def __init__(self, chunks: Iterable[BytesLike]) -> None:
        self._chunks = iter(chunks)
        self._rest = memoryview(b"")

    def next(self, size: int) -> Iterator[BytesLike]:
        """As many bytes, or fewer at the end of the stream."""
        while size > 0:
            if not self._rest:
                chunk = next(self._chunks, None)
                if chunk is None:
                    return
                # A copy of what its owner may write to again.
                self._rest = memoryview(chunk if isinstance(chunk, bytes) else bytes(chunk))
            piece, self._rest = self._rest[:size], self._rest[size:]
            size -= len(piece)
            yield piece

    def end(self) -> None:
        if self._rest or any(len(chunk) for chunk in self._chunks):
            raise SizeMismatch("There are more bytes than all of the files have together.")


def _name(
    ctx: ServiceContext, caller: Caller, wanted: Sequence[FileToUpload], found: Sequence[StoredBlob | Refusal]
) -> list[Arrived]:
    """Give durable contents their names, in one commit; what is not referred to then is deleted."""
    now = ctx.clock.now()
    files = [
        new_file(ctx, caller, metadata, location=blob.location, sha256=blob.sha256, now=now)
        for metadata, blob in zip(wanted, found, strict=True)
        if isinstance(blob, StoredBlob)
    ]
    try:
        outcomes = _commit(ctx, caller, files, now)
    except StoreUnavailable:
        # The commit may have happened: whether somebody refers to the blobs is for the sweeper to find out.
        raise
    except StorageError:
        _delete(ctx, [file.location for file in files])
        raise
    pairs = list(zip(files, outcomes, strict=True))
    _delete(ctx, [file.location for file, outcome in pairs if _location(outcome) != file.location])
    told = iter(outcomes)
    return [blob if isinstance(blob, Refusal) else _told(next(told)) for blob in found]


_Outcome = PutOutcome | StoredObject | StorageError


def _commit(ctx: ServiceContext, caller: Caller, files: Sequence[NewFile], now: int) -> list[_Outcome]:
    keep = ctx.rules.versions_kept

    def there(unit: Unit, file: NewFile) -> StoredObject:
        """What has the name and this content already, as after an answer that was lost."""
        found = unit.tree.child_named(caller.account_id, file.parent_key, file.name)
        assert found is not None
        return found

    def work(unit: Unit) -> list[_Outcome]:
        put = unit.files.put_many(caller.account_id, files, now, keep_versions=keep)
        return [outcome or there(unit, file) for file, outcome in zip(files, put, strict=True)]

    return ctx.metadata.write(work) if files else []


def _location(outcome: _Outcome) -> str | None:
    """Where the content of a file is; None where the one that came is not needed."""
    return outcome.location if isinstance(outcome, PutOutcome) else None


def _told(outcome: _Outcome) -> Arrived:
    if isinstance(outcome, StorageError):
        return Refused(code_of(outcome))
    return outcome.object if isinstance(outcome, PutOutcome) else outcome


def _delete(ctx: ServiceContext, locations: Iterable[str]) -> None:
    for location in locations:
        # The files are there: a blob too many is the sweeper's.
        with suppress(StorageError):
            ctx.blobs.delete(location)
