"""Several threads and several stores on one place do not get into each other's way."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from uuid import uuid4

import pytest
from tests.conformance.blobs.backends import Backend
from tests.conformance.blobs.content import MIB, content, in_chunks, sha256

from skyshelf.storage.blobs.protocols import Part
from skyshelf.storage.errors import UploadBusy

WRITERS = 8


def test_puts_of_the_same_and_of_other_content_at_once_are_all_whole(backend: Backend) -> None:
    stores = [backend.open() for _ in range(2)]
    together = Barrier(WRITERS)

    def put(number: int) -> tuple[str, bytes]:
        data = content(100_000, seed=number // 2)
        together.wait()
        return stores[number % 2].put(in_chunks(data)).location, data

    with ThreadPoolExecutor(WRITERS) as threads:
        stored = dict(threads.map(put, range(WRITERS)))
    assert len(stored) == WRITERS
    for location, data in stored.items():
        assert b"".join(stores[0].read(location)) == data


def test_a_large_blob_can_be_read_by_many_at_once(backend: Backend) -> None:
    store = backend.open()
    data = content(9 * MIB)
    location = store.put(in_chunks(data, MIB)).location
    with ThreadPoolExecutor(WRITERS) as threads:
        digests = set(threads.map(lambda _: sha256(b"".join(store.read(location))), range(WRITERS)))
    assert digests == {sha256(data)}


def test_of_several_appends_at_one_offset_the_acknowledged_one_keeps_its_bytes(backend: Backend) -> None:
    """Each holder commits while it holds the upload, and only if nobody committed before it."""
    upload_id = uuid4().hex
    stores = [backend.open() for _ in range(2)]
    with stores[0].uploading(upload_id) as upload:
        first = upload.append([content(1000)], after=None)
    together = Barrier(WRITERS)
    committed: list[tuple[Part, bytes]] = []
    busy: list[int] = []

    def append(number: int) -> None:
        data = content(50_000, seed=number + 1)
        together.wait()
        try:
            with stores[number % 2].uploading(upload_id) as upload:
                if not committed:
                    part = upload.append(in_chunks(data, 1000), after=first)
                    committed.append((part, data))
        except UploadBusy:
            busy.append(number)

    with ThreadPoolExecutor(WRITERS) as threads:
        list(threads.map(append, range(WRITERS)))
    won, data = committed[0]
    assert backend.holds_uploads or not busy
    assert not backend.holds_uploads or len(committed) == 1
    with stores[1].uploading(upload_id) as upload:
        stored = upload.finish([first, won], 51_000)
        upload.discard()
    assert b"".join(stores[0].read(stored.location)) == content(1000) + data
    assert list(stores[0].list_uploads()) == []


def test_an_upload_that_is_held_is_busy_or_shared(backend: Backend) -> None:
    upload_id = uuid4().hex
    here, there = backend.open(), backend.open()
    with here.uploading(upload_id) as upload:
        part = upload.append([b"bytes"], after=None)
        if backend.holds_uploads:
            with pytest.raises(UploadBusy), there.uploading(upload_id):
                pass
            with pytest.raises(UploadBusy):
                there.discard(upload_id)
        else:
            with there.uploading(upload_id) as shared:
                shared.append([b"other"], after=None)
    with there.uploading(upload_id) as upload:
        assert b"".join(there.read(upload.finish([part], 5).location)) == b"bytes"
