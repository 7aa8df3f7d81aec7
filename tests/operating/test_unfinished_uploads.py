"""Uploads whose last chunk has arrived, but which could not become a file yet: no byte of them is lost."""

import hashlib

import pytest
from tests.operating.shelves import Shelf
from tests.operating.stacks import Stack
from tests.server.api import new_account
from tests.service.callers import caller_of

from skyshelf.service.context import Caller
from skyshelf.service.doctor import run_checks
from skyshelf.service.doctor.check import CheckRun
from skyshelf.service.uploads import chunked
from skyshelf.service.uploads.chunked import Chunk
from skyshelf.storage.errors import StorageError
from skyshelf.storage.metadata.contracts.files import NewUpload, UploadPart
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.wire.resources.uploads import UploadMetadata, UploadProgress

DATA = b"three thousand bytes" * 150


def md5(data: bytes) -> str:
    return hashlib.md5(data, usedforsecurity=False).hexdigest()


@pytest.fixture
def shelf(stack: Stack) -> Shelf:
    return Shelf(stack, new_account(stack.ctx, "ada@example.org"))


@pytest.fixture
def caller(shelf: Shelf) -> Caller:
    return caller_of(shelf.account)


def begin(stack: Stack, caller: Caller, folder: StoredObject) -> tuple[UploadMetadata, str]:
    metadata = UploadMetadata(name="film.bin", size=len(DATA), hash=md5(DATA), folder_key=folder.object_key)
    begun = chunked.initiate(stack.ctx, caller, metadata)
    assert isinstance(begun, UploadProgress)
    return metadata, begun.transaction_id


def send(stack: Stack, caller: Caller, upload_key: str, offset: int, data: bytes) -> UploadProgress | StoredObject:
    chunk = Chunk(upload_key=upload_key, offset=offset, size=len(data), md5=md5(data))
    return chunked.receive(stack.ctx, caller, chunk, [data])


def assert_sound(stack: Stack) -> None:
    assert [result for result in run_checks(stack.ctx, CheckRun(deep=True)) if not result.passed] == []


def test_a_folder_that_is_trashed_before_the_last_chunk_costs_no_byte(
    stack: Stack, shelf: Shelf, caller: Caller
) -> None:
    folder = shelf.folder("Films")
    metadata, upload_key = begin(stack, caller, folder)
    send(stack, caller, upload_key, 0, DATA[:1000])
    shelf.trash(folder.object_key)
    with pytest.raises(StorageError):
        send(stack, caller, upload_key, 1000, DATA[1000:])
    assert_sound(stack)
    now = stack.clock.now()
    stack.ctx.metadata.write(lambda unit: unit.tree.restore(shelf.id, [folder.object_key], now))
    finished = chunked.initiate(stack.ctx, caller, metadata)
    assert isinstance(finished, StoredObject)
    assert b"".join(stack.ctx.blobs.read(shelf.location(finished))) == DATA
    assert_sound(stack)


def test_an_upload_that_died_before_its_commit_is_whole_and_the_doctor_knows(
    stack: Stack, shelf: Shelf, caller: Caller
) -> None:
    """The blob is made, and then the process ends."""
    folder = shelf.folder("Films")
    metadata, upload_key = begin(stack, caller, folder)
    ctx, now = stack.ctx, stack.clock.now()
    with ctx.blobs.uploading(upload_key) as upload:
        part = upload.append([DATA], after=None)
        row = UploadPart(part.offset, part.size, part.md5, part.token)
        ctx.metadata.write(lambda unit: unit.uploads.advance(shelf.id, upload_key, row, now))
        upload.finish([part], len(DATA))
    assert_sound(stack)
    assert [result.repaired for result in run_checks(ctx, CheckRun(deep=True), repair=True) if result.repaired] == []
    finished = chunked.initiate(ctx, caller, metadata)
    assert isinstance(finished, StoredObject)
    assert b"".join(ctx.blobs.read(shelf.location(finished))) == DATA


def test_an_upload_that_has_lost_bytes_is_still_found(stack: Stack, shelf: Shelf) -> None:
    ctx, now, upload_key = stack.ctx, stack.clock.now(), stack.ctx.new_key()
    new = NewUpload(
        upload_key=upload_key,
        parent_key=shelf.account.root_key,
        name="film.bin",
        size=10,
        md5=md5(b""),
        details=b"{}",
    )
    ctx.metadata.write(lambda unit: unit.uploads.begin(shelf.id, new, now, bytes_freed_by_next_version=0))
    row = UploadPart(0, 5, md5(b"12345"), "0" * 16)
    ctx.metadata.write(lambda unit: unit.uploads.advance(shelf.id, upload_key, row, now))
    [found] = [result for result in run_checks(ctx, CheckRun()) if not result.passed]
    assert "has lost acknowledged bytes" in found.problems[0].sentence
