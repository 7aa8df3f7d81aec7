"""Two that send the same chunk at the same moment, where the blob store cannot keep one of them out."""

import hashlib

import pytest

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.uploads import chunked
from skyshelf.service.uploads.chunked import Chunk, Held
from skyshelf.storage.errors import OffsetConflict
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.wire.resources.uploads import UploadMetadata, UploadProgress

CONTENT = b"first half" + b"other half"


def md5(content: bytes) -> str:
    return hashlib.md5(content, usedforsecurity=False).hexdigest()


def test_a_chunk_is_never_put_behind_the_one_that_was_quicker(
    ctx: ServiceContext, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Several instances over one bucket: the other one acknowledges its chunk after we have looked where we are."""
    begun = chunked.initiate(
        ctx, caller, UploadMetadata(name="a", size=len(CONTENT), hash=md5(CONTENT), folder_key=caller.root_key)
    )
    assert isinstance(begun, UploadProgress)

    def chunk(offset: int, content: bytes) -> Chunk:
        return Chunk(upload_key=begun.transaction_id, offset=offset, md5=md5(content), size=len(content))

    first, second = CONTENT[:10], CONTENT[10:]
    real, quicker = chunked._append, iter([True])

    def overtaken(ctx: ServiceContext, caller: Caller, held: Held, ours: Chunk, pieces: list[bytes]) -> object:
        if next(quicker, False):
            real(ctx, caller, held, ours, [first])
        return real(ctx, caller, held, ours, pieces)

    monkeypatch.setattr(chunked, "_append", overtaken)
    with pytest.raises(OffsetConflict) as caught:
        chunked.receive(ctx, caller, chunk(0, first), [first])
    assert caught.value.received == len(first)
    finished = chunked.receive(ctx, caller, chunk(len(first), second), [second])
    assert isinstance(finished, StoredObject)
    assert (finished.size, finished.md5) == (len(CONTENT), md5(CONTENT))
