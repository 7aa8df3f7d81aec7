"""Batches: many files of this machine become blobs together."""

import hashlib
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.conformance.blobs.backends import Backend

from skyshelf.storage.blobs.protocols import BlobStore, LinkMode
from skyshelf.storage.errors import SizeMismatch

CONTENTS = [b"", b"small", b"x" * (1024 * 1024), b"y" * (2 * 1024 * 1024 + 7)]


@contextmanager
def opened(path: Path, data: bytes) -> Iterator[int]:
    path.write_bytes(data)
    file = os.open(path, os.O_RDONLY)
    try:
        yield file
    finally:
        os.close(file)


def read(store: BlobStore, location: str) -> bytes:
    return b"".join(store.read(location))


@pytest.mark.parametrize("way", ["copy", "reflink", "hard"])
def test_what_was_taken_can_be_read_when_the_batch_is_sealed(
    backend: Backend, store: BlobStore, tmp_path: Path, way: LinkMode
) -> None:
    taken = {}
    with store.batch() as batch:
        for number, data in enumerate(CONTENTS):
            with opened(tmp_path / str(number), data) as file:
                taken[data] = batch.take(file, way).blob
        batch.seal()
    other = backend.open()
    for data, blob in taken.items():
        assert read(other, blob.location) == data
        assert blob.size == len(data)
        assert blob.sha256 == hashlib.sha256(data).hexdigest()
        assert blob.md5 == hashlib.md5(data, usedforsecurity=False).hexdigest()
    assert {one.location for one in store.list()} == {blob.location for blob in taken.values()}
    assert list(store.list_uploads()) == []


def test_a_batch_that_is_not_sealed_leaves_nothing(store: BlobStore, tmp_path: Path) -> None:
    with opened(tmp_path / "file", b"never there") as file, store.batch() as batch:
        batch.take(file)
    assert list(store.list()) == []
    assert list(store.list_uploads()) == []


def test_a_clone_can_be_undone(store: BlobStore, tmp_path: Path) -> None:
    with opened(tmp_path / "file", b"bytes") as file, store.batch() as batch:
        kept, dropped = batch.take(file).blob, batch.take(file).blob
        batch.drop(dropped.location)
        batch.seal()
    assert [blob.location for blob in store.list()] == [kept.location]
    assert list(store.list_uploads()) == []


def test_an_empty_batch_can_be_sealed(store: BlobStore) -> None:
    with store.batch() as batch:
        batch.seal()
    assert list(store.list()) == []


def test_threads_take_into_one_batch_at_once_and_the_same_content_has_as_many_locations(
    store: BlobStore, tmp_path: Path
) -> None:
    def take(number: int) -> str:
        with opened(tmp_path / str(number), b"%d" % (number % 10)) as file:
            return batch.take(file).blob.location

    with store.batch() as batch, ThreadPoolExecutor(4) as threads:
        locations = list(threads.map(take, range(40)))
        batch.seal()
    assert len(set(locations)) == 40
    assert [read(store, location) for location in locations] == [b"%d" % (number % 10) for number in range(40)]


def test_progress_is_reported_as_the_file_is_read(store: BlobStore, tmp_path: Path) -> None:
    reported: list[int] = []
    with opened(tmp_path / "file", CONTENTS[-1]) as file, store.batch() as batch:
        batch.take(file, progress=reported.append)
    assert reported == [1024 * 1024, 2 * 1024 * 1024, len(CONTENTS[-1])]


def test_a_source_that_cannot_be_read_is_the_sources_own_error(store: BlobStore, tmp_path: Path) -> None:
    folder = os.open(tmp_path, os.O_RDONLY)
    try:
        with store.batch() as batch, pytest.raises(IsADirectoryError):
            batch.take(folder)
    finally:
        os.close(folder)
    assert list(store.list_uploads()) == []


def test_bytes_that_come_from_elsewhere_are_taken_like_files(backend: Backend, store: BlobStore) -> None:
    # More than are on their way to a bucket at once, in pieces of any size.
    contents = [*CONTENTS, *(b"%d" % number for number in range(20))]
    with store.batch() as batch:
        put = [batch.put([data[:3], data[3:7], data[7:]], expected_size=len(data)) for data in contents]
        batch.drop(put.pop().location)
        batch.seal()
    other = backend.open()
    for data, blob in zip(contents, put, strict=False):
        assert read(other, blob.location) == data
        assert blob.size == len(data)
        assert blob.sha256 == hashlib.sha256(data).hexdigest()
        assert blob.md5 == hashlib.md5(data, usedforsecurity=False).hexdigest()
    assert {one.location for one in store.list()} == {blob.location for blob in put}
    assert list(store.list_uploads()) == []


def put_two(store: BlobStore, second: Iterable[bytes], size: int) -> None:
    with store.batch() as batch:
        batch.put([b"first"], expected_size=5)
        batch.put(second, expected_size=size)
        batch.seal()


@pytest.mark.parametrize("size", [4, 6, 2_000_000])
def test_bytes_that_are_too_many_or_too_few_leave_nothing_of_the_whole_batch(store: BlobStore, size: int) -> None:
    with pytest.raises(SizeMismatch):
        put_two(store, [b"12345"], size)
    assert list(store.list()) == []
    assert list(store.list_uploads()) == []


def test_a_stream_that_breaks_comes_out_as_it_is_and_leaves_nothing_of_the_whole_batch(store: BlobStore) -> None:
    def breaking() -> Iterator[bytes]:
        yield b"some"
        raise ConnectionResetError("gone")

    with pytest.raises(ConnectionResetError):
        put_two(store, breaking(), 8)
    assert list(store.list()) == []
    assert list(store.list_uploads()) == []
