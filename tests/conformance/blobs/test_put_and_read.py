"""What is put can be read, and nothing else can."""

from collections.abc import Iterator

import pytest
from tests.conformance.blobs.backends import Backend
from tests.conformance.blobs.content import MIB, ClientGoneError, content, dropped_after, in_chunks, md5, sha256

from skyshelf.storage.blobs.protocols import BlobStore, BytesLike
from skyshelf.storage.errors import BlobCorrupt, BlobMissing, SizeMismatch

pytestmark = pytest.mark.backend

OBJECT = 8 * MIB


@pytest.mark.parametrize(
    "size", [0, 1, 100_000, MIB, OBJECT - 1, OBJECT, OBJECT + 1, 2 * OBJECT, 2 * OBJECT + 3 * MIB + 7]
)
def test_what_is_put_comes_back_with_its_digests(store: BlobStore, size: int) -> None:
    data = content(size)
    stored = store.put(in_chunks(data), expected_size=size)
    assert (stored.size, stored.md5, stored.sha256) == (size, md5(data), sha256(data))
    assert store.size(stored.location) == size
    assert b"".join(store.read(stored.location)) == data


def test_another_process_reads_what_was_put(backend: Backend) -> None:
    data = content(OBJECT + 5)
    stored = backend.open().put(in_chunks(data))
    assert b"".join(backend.open().read(stored.location)) == data


def test_chunks_may_be_of_any_size_and_kind(store: BlobStore) -> None:
    chunks: list[BytesLike] = [b"", bytearray(b"first"), memoryview(b"second")[1:], b"x" * (3 * MIB), b""]
    stored = store.put(chunks)
    assert b"".join(store.read(stored.location)) == b"firstecond" + b"x" * (3 * MIB)


def test_a_caller_may_reuse_its_buffer_for_the_next_chunk(store: BlobStore) -> None:
    def one_buffer() -> Iterator[BytesLike]:
        buffer = bytearray(1000)
        for number in range(200):
            buffer[:] = bytes([number]) * 1000
            yield buffer

    stored = store.put(one_buffer())
    assert b"".join(store.read(stored.location)) == b"".join(bytes([number]) * 1000 for number in range(200))


def test_the_same_content_put_twice_has_two_locations(store: BlobStore) -> None:
    first, second = store.put([b"same"]), store.put([b"same"])
    assert first.location != second.location
    assert first.sha256 == second.sha256
    store.delete(first.location)
    assert b"".join(store.read(second.location)) == b"same"


@pytest.mark.parametrize("size", [0, 3 * MIB, OBJECT + MIB])
def test_a_stream_that_breaks_leaves_no_blob_and_its_own_error(store: BlobStore, size: int) -> None:
    with pytest.raises(ClientGoneError):
        store.put(dropped_after(content(size)))
    assert list(store.list()) == []
    assert list(store.list_uploads()) == []


@pytest.mark.parametrize("size", [10, OBJECT + MIB])
@pytest.mark.parametrize("announced", [-1, +1])
def test_a_stream_of_another_size_than_announced_is_refused(store: BlobStore, size: int, announced: int) -> None:
    with pytest.raises(SizeMismatch):
        store.put(in_chunks(content(size)), expected_size=size + announced)
    assert list(store.list()) == []
    assert list(store.list_uploads()) == []


def test_an_endless_stream_is_stopped_at_its_announced_size(store: BlobStore) -> None:
    taken = 0

    def endless() -> Iterator[BytesLike]:
        nonlocal taken
        while True:
            taken += 1000
            yield b"x" * 1000

    with pytest.raises(SizeMismatch):
        store.put(endless(), expected_size=10_000)
    assert taken == 11_000


def test_pieces_are_large_but_not_too_large(store: BlobStore) -> None:
    stored = store.put(in_chunks(content(OBJECT + 3 * MIB)))
    sizes = [len(piece) for piece in store.read(stored.location)]
    assert max(sizes) <= MIB
    assert len(sizes) <= 14


def test_a_missing_blob_is_missing_at_once(store: BlobStore) -> None:
    for size in (0, 100, OBJECT + 1):
        stored = store.put(in_chunks(content(size)))
        store.delete(stored.location)
        with pytest.raises(BlobMissing):
            store.read(stored.location)
        with pytest.raises(BlobMissing):
            store.read(stored.location, 0, 0)
        with pytest.raises(BlobMissing):
            store.size(stored.location)
        with pytest.raises(BlobMissing):
            _ = store.local_path(stored.location) or store.size(stored.location)


def test_a_blob_that_another_process_deleted_is_missing_here(backend: Backend) -> None:
    here, there = backend.open(), backend.open()
    stored = here.put(in_chunks(content(OBJECT + 1)))
    assert len(b"".join(here.read(stored.location))) == OBJECT + 1
    there.delete(stored.location)
    with pytest.raises(BlobMissing):
        b"".join(here.read(stored.location))


@pytest.mark.parametrize("left", [0, 50, 99, 101])
def test_a_blob_of_another_length_is_never_served(backend: Backend, left: int) -> None:
    store = backend.open()
    stored = store.put([content(100)])
    backend.replace_bytes(stored.location, content(left, seed=1))
    with pytest.raises(BlobCorrupt):
        b"".join(store.read(stored.location))
    with pytest.raises(BlobCorrupt):
        b"".join(store.read(stored.location, 90, 10))
    with pytest.raises(BlobCorrupt):
        store.size(stored.location)


@pytest.mark.parametrize(("start", "length"), [(-1, None), (0, -1), (11, None), (0, 11), (5, 6), (11, 0)])
def test_a_range_outside_the_blob_is_the_callers_mistake(store: BlobStore, start: int, length: int | None) -> None:
    stored = store.put([b"0123456789"])
    with pytest.raises(ValueError, match="not within a blob of 10 bytes"):
        store.read(stored.location, start, length)


def test_a_stream_can_be_closed_before_its_end_and_twice(store: BlobStore) -> None:
    stored = store.put(in_chunks(content(OBJECT + 3 * MIB)))
    stream = store.read(stored.location)
    assert len(next(stream)) > 0
    stream.close()
    stream.close()
    assert list(stream) == []
