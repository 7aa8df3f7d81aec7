"""Blobs of many objects: how they are written, read ahead, and taken away again."""

import os
from collections.abc import Iterator
from threading import Event
from uuid import uuid4

import obstore
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.storage.blobs.object_store.watched_objects import WatchedObjects

from skyshelf.storage.blobs.object_store import ObjectBlobs
from skyshelf.storage.blobs.object_store.objects import AHEAD
from skyshelf.storage.blobs.protocols import SWEEP_GRACE_MS, Part
from skyshelf.storage.errors import BlobCorrupt, BlobMissing, StoreUnavailable, UploadDamaged

SIZE = 1000


@pytest.fixture
def objects() -> WatchedObjects:
    return WatchedObjects()


@pytest.fixture
def store(objects: WatchedObjects) -> Iterator[ObjectBlobs]:
    with ObjectBlobs(objects, object_size=SIZE) as opened:
        yield opened


def test_content_up_to_one_object_is_one_object(objects: WatchedObjects, store: ObjectBlobs) -> None:
    location = store.put([bytes(SIZE)]).location
    assert objects.all_keys() == [f"blobs/{location}"]
    assert objects.requests == {"put": 1}


def test_larger_content_is_parts_and_a_manifest(objects: WatchedObjects, store: ObjectBlobs) -> None:
    location = store.put([bytes(2 * SIZE + 1)]).location
    upload_id, _, name = location.partition("-")
    keys = objects.all_keys()
    assert [key.split("/")[:2] for key in keys] == [["parts", upload_id]] * 4
    assert name.endswith(f".{2 * SIZE + 1}.parts")
    assert sum(key.endswith(name) for key in keys) == 1


def test_a_manifest_is_read_once_and_small_ranges_are_one_request(objects: WatchedObjects) -> None:
    with ObjectBlobs(objects, object_size=SIZE) as writer:
        location = writer.put([os.urandom(5 * SIZE)]).location
    with ObjectBlobs(objects) as reader:
        for at in (0, 1500, 4999):
            assert len(b"".join(reader.read(location, at, 1))) == 1
    assert objects.requests["get"] == 1
    assert objects.requests["get_range"] == 3


@given(
    sizes=st.lists(st.integers(0, 40), max_size=6),
    object_size=st.integers(1, 15),
    ends=st.tuples(st.integers(0, 240), st.integers(0, 240)),
)
@settings(deadline=None)
def test_any_range_of_any_parts_is_exact(sizes: list[int], object_size: int, ends: tuple[int, int]) -> None:
    chunks = [os.urandom(size) for size in sizes]
    data = b"".join(chunks)
    start, end = sorted(min(at, len(data)) for at in ends)
    with ObjectBlobs(WatchedObjects(), object_size=object_size) as store:
        parts: list[Part] = []
        with store.uploading(uuid4().hex) as upload:
            for chunk in chunks:
                parts.append(upload.append([chunk], after=parts[-1] if parts else None))
            location = upload.finish(parts, len(data)).location
        assert b"".join(store.read(location, start, end - start)) == data[start:end]
        assert b"".join(store.read(location)) == data


def test_blobs_of_one_object_size_are_read_by_a_store_of_another(objects: WatchedObjects) -> None:
    data = os.urandom(4321)
    with ObjectBlobs(objects, object_size=100) as small, ObjectBlobs(objects, object_size=1000) as large:
        upload_id = uuid4().hex
        with small.uploading(upload_id) as upload:
            first = upload.append([data[:2000]], after=None)
        with large.uploading(upload_id) as upload:
            second = upload.append([data[2000:]], after=first)
            location = upload.finish([first, second], 4321).location
        assert b"".join(small.read(location)) == data


def test_the_next_object_is_fetched_while_one_is_being_sent() -> None:
    second_came = Event()

    class Noticing(WatchedObjects):
        def get_range(self, key: str, start: int, end: int, *, of_size: int) -> memoryview:
            data = super().get_range(key, start, end, of_size=of_size)
            if self.requests["get_range"] >= 2:
                second_came.set()
            return data

    objects = Noticing()
    with ObjectBlobs(objects, object_size=SIZE) as store:
        stream = store.read(store.put([bytes(10 * SIZE)]).location)
        assert second_came.wait(10)
        next(stream)
        # Nobody asks for more, so not more than the read-ahead is ever fetched.
        stream.close()
    assert objects.requests["get_range"] <= 2 + AHEAD


def test_a_put_that_fails_in_the_middle_removes_what_it_wrote(objects: WatchedObjects, store: ObjectBlobs) -> None:
    objects.failing["put"] = 3
    with pytest.raises(StoreUnavailable):
        store.put(bytes(SIZE) for _ in range(10))
    assert objects.all_keys() == []


def test_a_put_whose_manifest_fails_shows_its_parts_to_the_sweeper(objects: WatchedObjects, store: ObjectBlobs) -> None:
    objects.failing["put"] = 3
    with pytest.raises(StoreUnavailable):
        store.put([bytes(3 * SIZE)])
    assert list(store.list()) == []
    [left] = store.list_uploads()
    assert left.size == 3 * SIZE
    store.discard(left.upload_id)
    assert objects.all_keys() == []


def test_a_deletion_that_is_interrupted_can_be_repeated(objects: WatchedObjects, store: ObjectBlobs) -> None:
    kept = store.put([b"kept"]).location
    location = store.put([bytes(20 * SIZE)]).location
    objects.failing["delete"] = 7
    with pytest.raises(StoreUnavailable):
        store.delete(location)
    # Half of its parts are gone, and it is still there to be deleted.
    assert {blob.location for blob in store.list()} == {kept, location}
    assert list(store.list_uploads()) == []
    with pytest.raises(BlobCorrupt):
        b"".join(store.read(location))
    objects.failing.clear()
    store.delete(location)
    assert objects.all_keys() == [f"blobs/{kept}"]
    with pytest.raises(BlobMissing):
        store.read(location)


def test_attempts_that_were_never_acknowledged_go_when_the_upload_is_over(
    objects: WatchedObjects, store: ObjectBlobs
) -> None:
    with store.uploading(uuid4().hex) as upload:
        upload.append([b"lost" * SIZE], after=None)
        part = upload.append([b"won"], after=None)
        stored = upload.finish([part], 3)
        upload.discard()
    assert len(objects.all_keys("parts/")) == 2
    assert b"".join(store.read(stored.location)) == b"won"


def test_finish_notices_a_part_that_is_gone_or_of_another_size(objects: WatchedObjects, store: ObjectBlobs) -> None:
    with store.uploading(uuid4().hex) as upload:
        part = upload.append([bytes(3 * SIZE)], after=None)
        victim = objects.all_keys("parts/")[1]
        obstore.put(objects.memory, victim, b"short")
        with pytest.raises(UploadDamaged):
            upload.finish([part], 3 * SIZE)
        obstore.delete(objects.memory, victim)
        with pytest.raises(UploadDamaged):
            upload.finish([part], 3 * SIZE)
    assert list(store.list()) == []


@pytest.mark.parametrize(
    "token", ["", "0" * 16, "../" * 5 + "a.8", "0" * 16 + ".0", "0" * 16 + ".-8", "0" * 16 + ".8\n"]
)
def test_a_token_that_we_did_not_give_out_names_no_object(
    objects: WatchedObjects, store: ObjectBlobs, token: str
) -> None:
    with store.uploading(uuid4().hex) as upload:
        part = upload.append([b"bytes"], after=None)
        forged = Part(0, 5, part.md5, token)
        with pytest.raises(UploadDamaged):
            upload.append([b"more"], after=forged)
        with pytest.raises(UploadDamaged):
            upload.finish([forged], 5)
    assert list(store.list()) == []


@pytest.mark.parametrize(
    "broken",
    [
        b"",
        b"not json",
        b"[]",
        b'{"format":2,"size":3000,"md5":"","sha256":"","parts":[[3000,"0000000000000000.8",""]]}',
        b'{"format":1,"size":3001,"md5":"","sha256":"","parts":[[3001,"0000000000000000.8",""]]}',
        b'{"format":1,"size":3000,"md5":"","sha256":"","parts":[[2999,"0000000000000000.8",""]]}',
        b'{"format":1,"size":3000,"md5":"","sha256":"","parts":[[3000,"../../secret",""]]}',
    ],
    ids=["empty", "not-json", "a-list", "newer", "other-size", "short", "planted-token"],
)
def test_a_manifest_that_is_not_what_we_wrote_is_corrupt(objects: WatchedObjects, broken: bytes) -> None:
    with ObjectBlobs(objects, object_size=SIZE) as writer:
        location = writer.put([bytes(3 * SIZE)]).location
    manifest = next(key for key in objects.all_keys() if key.endswith(".parts"))
    obstore.put(objects.memory, manifest, broken)
    with ObjectBlobs(objects) as reader:
        with pytest.raises(BlobCorrupt):
            b"".join(reader.read(location))
        with pytest.raises(BlobCorrupt):
            reader.size(location)


def test_a_part_that_is_gone_or_damaged_is_corrupt_and_never_skipped(
    objects: WatchedObjects, store: ObjectBlobs
) -> None:
    location = store.put([bytes(5 * SIZE)]).location
    victim = objects.all_keys("parts/")[2]
    obstore.put(objects.memory, victim, bytes(SIZE - 1))
    with pytest.raises(BlobCorrupt):
        b"".join(store.read(location))
    obstore.delete(objects.memory, victim)
    with pytest.raises(BlobCorrupt):
        b"".join(store.read(location))
    assert len(b"".join(store.read(location, 0, 2 * SIZE))) == 2 * SIZE


def test_a_put_that_stalls_past_half_the_grace_period_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1_000_000.0]
    monkeypatch.setattr("skyshelf.storage.blobs.object_store.store.time", lambda: now[0])

    def stalling(pause: float) -> Iterator[bytes]:
        yield bytes(2 * SIZE)
        now[0] += pause
        yield bytes(2 * SIZE)

    half = SWEEP_GRACE_MS / 2000
    with ObjectBlobs(WatchedObjects(), object_size=SIZE) as store:
        assert store.put(stalling(half - 1)).size == 4 * SIZE
        with pytest.raises(UploadDamaged):
            store.put(stalling(half + 1))
        assert list(store.list_uploads()) == []
