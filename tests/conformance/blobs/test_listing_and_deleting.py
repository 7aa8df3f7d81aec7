"""The sweeper sees everything there is, and what it takes away is gone."""

import time
from collections.abc import Iterator
from uuid import uuid4

from tests.conformance.blobs.backends import Backend
from tests.conformance.blobs.content import MIB, content, in_chunks

from skyshelf.storage.blobs.protocols import SWEEP_GRACE_MS, BlobStore, ListedBlob, StoredBlob

OBJECT = 8 * MIB


def test_every_blob_is_listed_once_with_its_size_and_age(store: BlobStore) -> None:
    before = int(time.time() * 1000)
    stored = {
        blob.location: blob.size for blob in (store.put(in_chunks(content(size))) for size in (0, 1, 5000, OBJECT + 1))
    }
    listing = store.list()
    assert isinstance(listing, Iterator)
    listed = list(listing)
    assert {blob.location: blob.size for blob in listed} == stored
    assert len(listed) == 4
    assert all(before - 2000 <= blob.modified_ms <= int(time.time() * 1000) + 2000 for blob in listed)


def test_a_listing_of_many_blobs_is_complete(store: BlobStore) -> None:
    stored = {store.put([str(number).encode()]).location for number in range(300)}
    assert {blob.location for blob in store.list()} == stored


def test_one_listing_has_all_blobs_and_uploads_and_small_blobs_in_order(backend: Backend) -> None:
    store = backend.open()
    small = [store.put([str(number).encode()]).location for number in range(100)]
    store.put(in_chunks(content(OBJECT + 1)))
    finished, begun = uuid4().hex, uuid4().hex
    for upload_id in (finished, begun):
        with store.uploading(upload_id) as upload:
            part = upload.append([content(1000)], after=None)
            if upload_id == finished:
                upload.finish([part], 1000)
    lines = list(store.list_all())
    blobs = [line for line in lines if isinstance(line, ListedBlob)]
    assert sorted(lines, key=repr) == sorted([*store.list(), *store.list_uploads()], key=repr)
    assert len(blobs) == 102
    if backend.name in {"disk", "s3"}:
        # A folder behind the library of a bucket has no order.
        assert [line.location for line in blobs if line.location in small] == sorted(small)


def test_uploads_in_progress_are_listed_and_are_no_blobs(store: BlobStore) -> None:
    before = int(time.time() * 1000)
    upload_id = uuid4().hex
    with store.uploading(upload_id) as upload:
        part = upload.append([content(1000)], after=None)
        upload.append([content(OBJECT)], after=part)
    [listed] = store.list_uploads()
    assert (listed.upload_id, listed.size) == (upload_id, 1000 + OBJECT)
    assert before - 2000 <= listed.modified_ms <= int(time.time() * 1000) + 2000
    assert list(store.list()) == []


def test_several_uploads_do_not_mix(store: BlobStore) -> None:
    sizes = {uuid4().hex: size for size in (1, 20, OBJECT + 300)}
    for upload_id, size in sizes.items():
        with store.uploading(upload_id) as upload:
            upload.append(in_chunks(content(size)), after=None)
    assert {listed.upload_id: listed.size for listed in store.list_uploads()} == sizes


def test_deleting_twice_is_deleting_once(backend: Backend) -> None:
    store = backend.open()
    kept = store.put([b"kept"])
    for size in (0, 10, OBJECT + 1):
        stored = store.put(in_chunks(content(size)))
        store.delete(stored.location)
        store.delete(stored.location)
        backend.open().delete(stored.location)
    assert [blob.location for blob in store.list()] == [kept.location]
    assert list(store.list_uploads()) == []


def test_a_finished_upload_is_listed_as_a_blob_that_names_it_where_they_share_bytes(store: BlobStore) -> None:
    upload_id = uuid4().hex
    with store.uploading(upload_id) as upload:
        parts = [upload.append([content(1000)], after=None)]
        stored = upload.finish(parts, 1000)
        [listed] = store.list()
        assert (listed.location, listed.size) == (stored.location, 1000)
        assert listed.upload_id in (None, upload_id)
        upload.discard()
    assert [blob.location for blob in store.list()] == [stored.location]
    assert list(store.list_uploads()) == []


def test_a_blob_is_deleted_and_the_upload_that_it_was_made_of_goes_on(store: BlobStore) -> None:
    upload_id, data = uuid4().hex, content(5000)
    with store.uploading(upload_id) as upload:
        parts = [upload.append([data[:3000]], after=None)]
        parts.append(upload.append([data[3000:]], after=parts[0]))
        first = upload.finish(parts, 5000)
        store.delete(first.location, keep_upload=True)
        assert list(store.list()) == []
        assert store.has_parts(upload_id, parts)
        again = upload.finish(parts, 5000)
        assert b"".join(store.read(again.location)) == data
        upload.discard()
    store.delete(again.location)
    assert not store.has_parts(upload_id, parts)
    assert store.has_parts(upload_id, [])


class Rows:
    """A metadata store, as far as the sweeper's contract needs one."""

    def __init__(self) -> None:
        self.uploads: set[str] = set()
        self.references: set[str] = set()

    def sweep(self, store: BlobStore, now_ms: int) -> None:
        for blob in store.list():
            old = blob.modified_ms < now_ms - SWEEP_GRACE_MS
            if old and blob.upload_id not in self.uploads and blob.location not in self.references:
                store.delete(blob.location)
        for upload in store.list_uploads():
            if upload.modified_ms < now_ms - SWEEP_GRACE_MS and upload.upload_id not in self.uploads:
                store.discard(upload.upload_id)


def a_day_later() -> int:
    return int(time.time() * 1000) + SWEEP_GRACE_MS + 60_000


def finished_twice(store: BlobStore, upload_id: str) -> tuple[StoredBlob, StoredBlob]:
    with store.uploading(upload_id) as upload:
        parts = [upload.append([content(1000)], after=None)]
        return upload.finish(parts, 1000), upload.finish(parts, 1000)


def test_a_sweep_removes_unreferenced_blobs_and_nothing_else(store: BlobStore) -> None:
    rows = Rows()
    kept, orphan = store.put([b"kept"]), store.put([b"orphan"])
    large = store.put(in_chunks(content(OBJECT + 1)))
    rows.references |= {kept.location, large.location}
    alive, dead = uuid4().hex, uuid4().hex
    rows.uploads.add(alive)
    for upload_id in (alive, dead):
        with store.uploading(upload_id) as upload:
            upload.append([b"some bytes"], after=None)
    rows.sweep(store, int(time.time() * 1000))
    assert {blob.location for blob in store.list()} == {kept.location, large.location, orphan.location}
    assert {upload.upload_id for upload in store.list_uploads()} == {alive, dead}
    rows.sweep(store, a_day_later())
    assert {blob.location for blob in store.list()} == {kept.location, large.location}
    assert {upload.upload_id for upload in store.list_uploads()} == {alive}
    assert len(b"".join(store.read(large.location))) == OBJECT + 1


def test_a_sweep_between_finish_and_commit_harms_nothing(store: BlobStore) -> None:
    """A server died after finish; its upload is resumed two days later, while sweeps went on."""
    rows, upload_id = Rows(), uuid4().hex
    rows.uploads.add(upload_id)
    with store.uploading(upload_id) as upload:
        parts = [upload.append([content(1000)], after=None)]
        upload.finish(parts, 1000)
    rows.sweep(store, a_day_later())
    with store.uploading(upload_id) as upload:
        stored = upload.finish(parts, 1000)
        rows.references.add(stored.location)
        rows.uploads.remove(upload_id)
        upload.discard()
    rows.sweep(store, a_day_later())
    assert b"".join(store.read(stored.location)) == content(1000)
    assert [blob.location for blob in store.list()] == [stored.location]


def test_the_loser_of_a_race_to_finish_deletes_its_own_blob_only(store: BlobStore) -> None:
    rows, upload_id = Rows(), uuid4().hex
    rows.uploads.add(upload_id)
    won, lost = finished_twice(store, upload_id)
    rows.uploads.remove(upload_id)
    rows.references.add(won.location)
    store.delete(lost.location)
    store.discard(upload_id)
    rows.sweep(store, a_day_later())
    assert b"".join(store.read(won.location)) == content(1000)


def test_a_crash_after_the_commit_and_before_discard_leaves_no_bytes_behind(store: BlobStore) -> None:
    rows, upload_id = Rows(), uuid4().hex
    committed, never = finished_twice(store, upload_id)
    rows.references.add(committed.location)
    rows.sweep(store, a_day_later())
    assert [blob.location for blob in store.list()] == [committed.location]
    assert list(store.list_uploads()) == []
    assert b"".join(store.read(committed.location)) == content(1000)
    rows.references.clear()
    rows.sweep(store, a_day_later())
    assert list(store.list()) == []
    assert never.location != committed.location
