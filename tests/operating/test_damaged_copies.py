"""Content that is uploaded again replaces a copy that was damaged, cut short or lost, for everybody who has it."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.serving import run
from tests.operating.shelves import Shelf
from tests.operating.stacks import Stack
from tests.server.api import new_account
from tests.service.callers import caller_of

from skyshelf.service.doctor import run_checks
from skyshelf.service.doctor.check import CheckRun
from skyshelf.service.jobs.orphans import sweep_orphans
from skyshelf.service.uploads import chunked, duplicates
from skyshelf.service.uploads.batch import commit_files
from skyshelf.service.uploads.chunked import Chunk
from skyshelf.service.uploads.commit import commit_file, store_content
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.wire.resources.uploads import FileToUpload, UploadMetadata, UploadProgress

DATA = b"the only good copy is the one that comes now"


@pytest.fixture
def ada(stack: Stack) -> Shelf:
    return Shelf(stack, new_account(stack.ctx, "ada@example.org"))


@pytest.fixture
def grace(stack: Stack) -> Shelf:
    return Shelf(stack, new_account(stack.ctx, "grace@example.org"))


def flipped(stack: Stack, location: str) -> None:
    stack.replace_bytes(location, DATA[:-1] + b"?")


def cut(stack: Stack, location: str) -> None:
    stack.replace_bytes(location, DATA[:5])


def gone(stack: Stack, location: str) -> None:
    stack.ctx.blobs.delete(location)


DAMAGES = [flipped, cut, gone]


def metadata(shelf: Shelf, name: str) -> UploadMetadata:
    md5 = hashlib.md5(DATA, usedforsecurity=False).hexdigest()
    return UploadMetadata(name=name, size=len(DATA), hash=md5, folder_key=shelf.account.root_key)


def as_whole(shelf: Shelf, name: str) -> None:
    ctx, caller, about = shelf.stack.ctx, caller_of(shelf.account), metadata(shelf, name)
    with ctx.reservations.of(shelf.id) as reservation:
        commit_file(ctx, caller, about, store_content(ctx, caller, about, [DATA], reservation))


def as_many(shelf: Shelf, name: str) -> None:
    ctx, about = shelf.stack.ctx, metadata(shelf, name)
    blob = ctx.blobs.put([DATA])
    file = FileToUpload(name=name, size=about.size, hash=about.hash, folder_key=about.folder_key)
    [stored] = commit_files(ctx, caller_of(shelf.account), [(file, blob)])
    assert isinstance(stored, StoredObject)


def in_chunks(shelf: Shelf, name: str) -> None:
    ctx, caller, about = shelf.stack.ctx, caller_of(shelf.account), metadata(shelf, name)
    begun = chunked.initiate(ctx, caller, about)
    assert isinstance(begun, UploadProgress), "a copy that is damaged does not save the upload"
    chunk = Chunk(upload_key=begun.transaction_id, offset=0, size=len(DATA), md5=about.hash)
    assert isinstance(chunked.receive(ctx, caller, chunk, [DATA]), StoredObject)


def settled(upload: Callable[[Shelf, str], None], shelf: Shelf, name: str) -> None:
    """Upload, and wait for what happens after the response."""
    upload(shelf, name)
    assert duplicates.drain(60)


def read(shelf: Shelf, stored: StoredObject) -> bytes:
    return b"".join(shelf.stack.ctx.blobs.read(shelf.location(stored)))


def assert_sound(stack: Stack) -> None:
    assert [result for result in run_checks(stack.ctx, CheckRun(deep=True)) if not result.passed] == []


@pytest.mark.parametrize("upload", [as_whole, as_many, in_chunks])
@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", ["a.txt", "another name.txt"])
def test_the_same_person_uploads_it_again(
    stack: Stack, ada: Shelf, damage: Callable[[Stack, str], None], upload: Callable[[Shelf, str], None], name: str
) -> None:
    first = ada.file("a.txt", DATA)
    damage(stack, ada.location(first))
    settled(upload, ada, name)
    assert read(ada, first) == DATA
    assert_sound(stack)


@pytest.mark.parametrize("upload", [as_whole, as_many, in_chunks])
@pytest.mark.parametrize("damage", DAMAGES)
def test_somebody_else_uploads_it(
    stack: Stack, ada: Shelf, grace: Shelf, damage: Callable[[Stack, str], None], upload: Callable[[Shelf, str], None]
) -> None:
    first = ada.file("a.txt", DATA)
    damage(stack, ada.location(first))
    settled(upload, grace, "b.txt")
    assert read(ada, first) == DATA
    assert_sound(stack)


def test_of_two_good_copies_the_first_stays_and_is_not_read_again(
    stack: Stack, ada: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = ada.file("a.txt", DATA)
    location = ada.location(first)
    settled(as_whole, ada, "b.txt")
    assert ada.location(first) == location
    assert len(list(stack.ctx.blobs.list())) == 1

    def no_reading(*_: object, **__: object) -> None:
        raise AssertionError("it was verified a moment ago")

    monkeypatch.setattr(type(stack.ctx.blobs), "read", no_reading)
    settled(as_whole, ada, "c.txt")
    about = metadata(ada, "d.txt")
    assert isinstance(chunked.initiate(stack.ctx, caller_of(ada.account), about), StoredObject)


def test_large_content_is_sent_again_instead_of_read_unless_it_was_verified(
    stack: Stack, ada: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(duplicates, "INLINE_BYTES_MAX", len(DATA) - 1)
    ada.file("a.txt", DATA)
    settled(in_chunks, ada, "b.txt")
    about = metadata(ada, "c.txt")
    assert isinstance(chunked.initiate(stack.ctx, caller_of(ada.account), about), StoredObject)


def test_an_import_heals_too(stack: Stack, ada: Shelf, tmp_path: Path) -> None:

    first = ada.file("a.txt", DATA)
    flipped(stack, ada.location(first))
    source = tmp_path / "source"
    source.mkdir()
    (source / "b.txt").write_bytes(DATA)
    done = run("admin", "import", str(source), "--user", "ada@example.org", *stack.options)
    assert done.returncode == 0, done.stderr
    assert read(ada, first) == DATA


def test_a_good_copy_that_nobody_settled_heals_when_the_sweeper_finds_it(
    stack: Stack, ada: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A crash between the response and the check leaves such a copy."""
    first = ada.file("a.txt", DATA)
    monkeypatch.setattr(duplicates, "_settler", duplicates.Settler())
    monkeypatch.setattr(duplicates.Settler, "submit", lambda *_: None)
    damaged = ada.location(first)
    flipped(stack, damaged)
    as_whole(ada, "b.txt")
    assert len(list(stack.ctx.blobs.list())) == 2
    stack.clock.advance(days=2)
    list(sweep_orphans(stack.ctx))
    assert read(ada, first) == DATA
    list(sweep_orphans(stack.ctx))
    with stack.ctx.metadata.read() as unit:
        assert [(one.location, one.reason) for one in unit.quarantine.page(limit=5)] == [(damaged, "replaced")]
    assert_sound(stack)


def test_a_copy_that_is_damaged_itself_replaces_nothing(stack: Stack, ada: Shelf) -> None:
    first = ada.file("a.txt", DATA)
    other = stack.ctx.blobs.put([DATA])
    flipped(stack, other.location)
    flipped(stack, ada.location(first))
    location = ada.location(first)
    duplicates.settle(stack.ctx, other.sha256, other.size, new=other.location)
    assert ada.location(first) == location
