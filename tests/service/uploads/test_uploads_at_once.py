"""Two instances send the same chunk at the same moment, where the blob store cannot lock one of them out."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest
from msgspec.structs import replace

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.process.reservations import Reservations
from skyshelf.service.uploads import chunked
from skyshelf.service.uploads.chunked import Chunk
from skyshelf.storage.blobs.protocols import BlobUpload
from skyshelf.storage.errors import OffsetConflict
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.resources.uploads import UploadMetadata, UploadProgress

CONTENT = b"first half" + b"other half"


class UnlockedBlobs:
    """A blob store that lets several callers hold one upload, as a bucket does."""

    def __init__(self, store: Any) -> None:
        self._store = store
        self._held: BlobUpload | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    @contextmanager
    def uploading(self, upload_id: str) -> Iterator[BlobUpload]:
        if self._held is not None:
            yield self._held
            return
        with self._store.uploading(upload_id) as held:
            self._held = held
            try:
                yield held
            finally:
                self._held = None


class InterruptedMetadata:
    """A metadata store where something else happens right before the nth read."""

    def __init__(self, store: Any, reads: int, interrupt: Callable[[], object]) -> None:
        self._store = store
        self._left = reads
        self._interrupt = interrupt

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def read(self) -> AbstractContextManager[Unit]:
        self._left -= 1
        if self._left == 0:
            self._interrupt()
        reading: AbstractContextManager[Unit] = self._store.read()
        return reading


def md5(content: bytes) -> str:
    return hashlib.md5(content, usedforsecurity=False).hexdigest()


@pytest.mark.parametrize("reads", [2, 3])
def test_a_chunk_is_never_appended_after_the_one_that_was_faster(
    ctx: ServiceContext, caller: Caller, reads: int
) -> None:
    """The other instance acknowledges its chunk after this one has found the upload (2) or its offset (3)."""
    begun = chunked.initiate(
        ctx, caller, UploadMetadata(name="a", size=len(CONTENT), hash=md5(CONTENT), folder_key=caller.root_key)
    )
    assert isinstance(begun, UploadProgress)

    def chunk(offset: int, content: bytes) -> Chunk:
        return Chunk(upload_key=begun.transaction_id, offset=offset, md5=md5(content), size=len(content))

    first, second = CONTENT[:10], CONTENT[10:]
    faster = replace(ctx, blobs=UnlockedBlobs(ctx.blobs))
    # Another process: this one receives one chunk of an upload at a time.

    def overtake() -> None:
        chunked.receive(faster, caller, chunk(0, first), [first])

    slower = replace(faster, metadata=InterruptedMetadata(ctx.metadata, reads, overtake), reservations=Reservations())
    # Longer than the other one: the same bytes once more would be accepted.
    longer = CONTENT[:12]
    with pytest.raises(OffsetConflict) as caught:
        chunked.receive(slower, caller, chunk(0, longer), [longer])
    assert caught.value.received == len(first)
    finished = chunked.receive(faster, caller, chunk(len(first), second), [second])
    assert isinstance(finished, StoredObject)
    assert (finished.size, finished.md5) == (len(CONTENT), md5(CONTENT))
