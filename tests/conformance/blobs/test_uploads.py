"""Uploads grow chunk by chunk, survive whatever happens to the process, and become blobs without being copied."""

from uuid import uuid4

import pytest
from tests.conformance.blobs.backends import Backend
from tests.conformance.blobs.content import MIB, ClientGoneError, content, dropped_after, in_chunks, md5, sha256

from skyshelf.storage.blobs.protocols import BlobStore, Part
from skyshelf.storage.errors import SizeMismatch, UploadDamaged

pytestmark = pytest.mark.backend

OBJECT = 8 * MIB


def new_id() -> str:
    return uuid4().hex


def append_all(store: BlobStore, upload_id: str, *chunks: bytes) -> list[Part]:
    """Each chunk in a call of its own, as requests of a client come in."""
    parts: list[Part] = []
    for chunk in chunks:
        with store.uploading(upload_id) as upload:
            parts.append(upload.append(in_chunks(chunk), after=parts[-1] if parts else None))
    return parts


def finish(store: BlobStore, upload_id: str, parts: list[Part]) -> bytes:
    """Finish the upload, check what finish says about the content, and give the content."""
    size = sum(part.size for part in parts)
    with store.uploading(upload_id) as upload:
        stored = upload.finish(parts, size)
    data = b"".join(store.read(stored.location))
    assert (stored.size, stored.md5, stored.sha256) == (len(data), md5(data), sha256(data))
    return data


def test_chunks_become_one_blob(store: BlobStore) -> None:
    upload_id = new_id()
    chunks = [content(300_000, 1), content(5, 2), content(MIB, 3)]
    parts = append_all(store, upload_id, *chunks)
    assert [(part.offset, part.size) for part in parts] == [(0, 300_000), (300_000, 5), (300_005, MIB)]
    assert [part.md5 for part in parts] == [md5(chunk) for chunk in chunks]
    assert finish(store, upload_id, parts) == b"".join(chunks)


@pytest.mark.parametrize("size", [OBJECT - 1, OBJECT, OBJECT + 1, 2 * OBJECT + 12345])
def test_chunks_of_any_size_join(store: BlobStore, size: int) -> None:
    upload_id = new_id()
    chunks = [content(size, 1), content(10, 2)]
    assert finish(store, upload_id, append_all(store, upload_id, *chunks)) == b"".join(chunks)


def test_an_upload_without_a_chunk_is_an_empty_blob(store: BlobStore) -> None:
    assert finish(store, new_id(), []) == b""


def test_an_upload_goes_on_in_another_process(backend: Backend) -> None:
    upload_id = new_id()
    first, second = content(200_000, 1), content(200_000, 2)
    [part] = append_all(backend.open(), upload_id, first)
    other = backend.open()
    with other.uploading(upload_id) as upload:
        after = upload.append([second], after=part)
    assert finish(other, upload_id, [part, after]) == first + second


def test_a_process_that_knows_no_digests_reads_them_from_the_bytes(backend: Backend) -> None:
    upload_id = new_id()
    chunks = [content(OBJECT + 1, 1), content(100, 2)]
    parts = append_all(backend.open(), upload_id, *chunks)
    assert finish(backend.open(), upload_id, parts) == b"".join(chunks)


def test_bytes_that_were_never_acknowledged_are_discarded(backend: Backend) -> None:
    upload_id = new_id()
    store = backend.open()
    [part] = append_all(store, upload_id, content(1000, 1))
    with store.uploading(upload_id) as upload:
        upload.append([content(50_000, 2)], after=part)
    # Here the process dies before it has committed the second chunk.
    other = backend.open()
    with other.uploading(upload_id) as upload:
        again = upload.append([content(70, 3)], after=part)
    assert (again.offset, again.size) == (1000, 70)
    assert finish(other, upload_id, [part, again]) == content(1000, 1) + content(70, 3)


def test_a_chunk_that_is_sent_again_after_a_failed_commit_counts_once(store: BlobStore) -> None:
    upload_id = new_id()
    [part] = append_all(store, upload_id, content(1000, 1))
    with store.uploading(upload_id) as upload:
        upload.append([content(500, 2)], after=part)
        again = upload.append([content(500, 3)], after=part)
        assert again.token != part.token
    assert finish(store, upload_id, [part, again]) == content(1000, 1) + content(500, 3)


def test_digests_of_an_attempt_that_lost_are_never_used(backend: Backend) -> None:
    """This process hashed an attempt that another process has overwritten since, at the same length."""
    upload_id = new_id()
    here, there = backend.open(), backend.open()
    [part] = append_all(here, upload_id, content(1000, 1))
    with here.uploading(upload_id) as upload:
        upload.append([content(500, 2)], after=part)
    with there.uploading(upload_id) as upload:
        won = upload.append([content(500, 3)], after=part)
    with here.uploading(upload_id) as upload:
        last = upload.append([content(500, 4)], after=won)
    assert finish(here, upload_id, [part, won, last]) == content(1000, 1) + content(500, 3) + content(500, 4)


@pytest.mark.parametrize("size", [100, OBJECT + MIB])
def test_a_chunk_that_breaks_off_leaves_the_acknowledged_bytes_whole(store: BlobStore, size: int) -> None:
    upload_id = new_id()
    [part] = append_all(store, upload_id, content(1000, 1))
    with store.uploading(upload_id) as upload, pytest.raises(ClientGoneError):
        upload.append(dropped_after(content(size, 2)), after=part)
    assert finish(store, upload_id, [part]) == content(1000, 1)


@pytest.mark.parametrize("announced", [99, 101])
def test_a_chunk_of_another_size_than_announced_is_refused(store: BlobStore, announced: int) -> None:
    upload_id = new_id()
    [part] = append_all(store, upload_id, content(1000, 1))
    with store.uploading(upload_id) as upload, pytest.raises(SizeMismatch):
        upload.append([content(100)], after=part, expected_size=announced)
    assert finish(store, upload_id, [part]) == content(1000, 1)


def test_a_chunk_past_the_current_end_is_refused(backend: Backend) -> None:
    upload_id = new_id()
    store = backend.open()
    [part] = append_all(store, upload_id, content(1000))
    invented = Part(1000, 50, md5(b""), part.token)
    for open_store in (store, backend.open()):
        with open_store.uploading(upload_id) as upload, pytest.raises(UploadDamaged):
            upload.append([b"more"], after=invented)
    with store.uploading(new_id()) as upload, pytest.raises(UploadDamaged):
        upload.append([b"more"], after=part)


def test_parts_that_do_not_join_make_no_blob(store: BlobStore) -> None:
    upload_id = new_id()
    first, second = append_all(store, upload_id, content(1000, 1), content(1000, 2))
    for parts, size in (([first], 2000), ([second], 1000), ([second, first], 2000), ([first, second], 1999), ([], 1)):
        with store.uploading(upload_id) as upload, pytest.raises(UploadDamaged):
            upload.finish(parts, size)
    assert list(store.list()) == []


def test_parts_that_were_never_written_make_no_blob(store: BlobStore) -> None:
    upload_id = new_id()
    [part] = append_all(store, upload_id, content(1000, 1))
    invented = Part(1000, 1000, md5(b""), part.token)
    with store.uploading(upload_id) as upload, pytest.raises(UploadDamaged):
        upload.finish([part, invented], 2000)
    with store.uploading(new_id()) as upload, pytest.raises(UploadDamaged):
        upload.finish([part], 1000)
    assert list(store.list()) == []


def test_an_upload_can_be_finished_again_after_a_crash(backend: Backend) -> None:
    """The process dies between finish and the commit: the next one knows no more than the row."""
    upload_id = new_id()
    parts = append_all(backend.open(), upload_id, content(1000, 1), content(1000, 2))
    with backend.open().uploading(upload_id) as upload:
        first = upload.finish(parts, 2000)
    store = backend.open()
    with store.uploading(upload_id) as upload:
        second = upload.finish(parts, 2000)
        upload.discard()
    assert second.location != first.location
    assert (second.size, second.md5, second.sha256) == (first.size, first.md5, first.sha256)
    # The first location was never committed, so the sweeper takes it; the second does not care.
    store.delete(first.location)
    assert b"".join(store.read(second.location)) == content(1000, 1) + content(1000, 2)


def test_a_last_chunk_that_comes_again_after_finish_harms_no_blob(backend: Backend) -> None:
    """Append, finish and a crash before the commit: the row knows nothing of the last chunk, so it is sent again."""
    upload_id = new_id()
    store = backend.open()
    [part] = append_all(store, upload_id, content(1000, 1))
    with store.uploading(upload_id) as upload:
        last = upload.append([content(500, 2)], after=part)
        early = upload.finish([part, last], 1500)
    other = backend.open()
    with other.uploading(upload_id) as upload:
        again = upload.append([content(700, 3)], after=part)
        late = upload.finish([part, again], 1700)
        upload.discard()
    assert b"".join(other.read(early.location)) == content(1000, 1) + content(500, 2)
    assert b"".join(other.read(late.location)) == content(1000, 1) + content(700, 3)
    other.delete(early.location)
    assert b"".join(other.read(late.location)) == content(1000, 1) + content(700, 3)
    other.delete(late.location)
    assert list(other.list()) == []
    assert list(other.list_uploads()) == []


def test_discard_leaves_the_finished_blob_alone(store: BlobStore) -> None:
    upload_id = new_id()
    parts = append_all(store, upload_id, content(1000, 1))
    with store.uploading(upload_id) as upload:
        stored = upload.finish(parts, 1000)
        upload.discard()
        upload.discard()
    store.discard(upload_id)
    assert b"".join(store.read(stored.location)) == content(1000, 1)
    assert list(store.list_uploads()) == []


def test_discard_takes_all_bytes_of_an_upload_away(backend: Backend) -> None:
    upload_id = new_id()
    store = backend.open()
    parts = append_all(store, upload_id, content(OBJECT + 1), content(10))
    backend.open().discard(upload_id)
    store.discard(upload_id)
    assert list(store.list_uploads()) == []
    with store.uploading(upload_id) as upload, pytest.raises(UploadDamaged):
        upload.finish(parts, OBJECT + 11)


def test_an_upload_that_was_discarded_while_held_takes_nothing_more(store: BlobStore) -> None:
    upload_id = new_id()
    [part] = append_all(store, upload_id, content(1000))
    with store.uploading(upload_id) as upload:
        upload.discard()
        with pytest.raises(UploadDamaged):
            upload.append([b"more"], after=part)
        with pytest.raises(UploadDamaged):
            upload.finish([part], 1000)


def test_discarding_what_never_was_is_fine(store: BlobStore) -> None:
    store.discard(new_id())
    with store.uploading(new_id()) as upload:
        upload.discard()
    assert list(store.list_uploads()) == []


def test_ids_of_either_case_come_back_as_they_were_given(store: BlobStore) -> None:
    ids = {new_id(), new_id().upper()}
    for upload_id in ids:
        append_all(store, upload_id, b"bytes")
    assert {listed.upload_id for listed in store.list_uploads()} == ids
