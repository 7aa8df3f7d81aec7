"""A disk that is full or broken: a typed error, nothing half done, and work continues once there is space again."""

import errno
import os
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest

from skyshelf.storage.blobs.disk import DiskBlobs
from skyshelf.storage.errors import StorageError, StoreFull, StoreUnavailable

MIB = 1024 * 1024


@contextmanager
def files_no_longer_than(size: int) -> Iterator[None]:
    """The kernel itself refuses to write past this size: the nearest thing to a full disk that needs no rights."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_put_that_fails_on_a_full_disk_leaves_nothing(tmp_path: Path) -> None:
    store = DiskBlobs(tmp_path)
    kept = store.put([b"kept"])
    with files_no_longer_than(2 * MIB), pytest.raises(StoreFull):
        store.put(bytes(MIB) for _ in range(4))
    assert [blob.location for blob in store.list()] == [kept.location]
    assert list(store.list_uploads()) == []
    assert store.put([bytes(4 * MIB)]).size == 4 * MIB


def test_a_chunk_that_fails_on_a_full_disk_leaves_the_acknowledged_ones_intact(tmp_path: Path) -> None:
    store, upload_id = DiskBlobs(tmp_path), uuid4().hex
    with store.uploading(upload_id) as upload:
        part = upload.append([b"x" * MIB], after=None)
        with files_no_longer_than(2 * MIB), pytest.raises(StoreFull):
            upload.append((b"y" * MIB for _ in range(4)), after=part)
        [listed] = store.list_uploads()
        assert listed.size == MIB
        last = upload.append([b"z"], after=part)
        stored = upload.finish([part, last], MIB + 1)
    assert b"".join(store.read(stored.location)) == b"x" * MIB + b"z"


def failing(code: int) -> Callable[..., None]:
    def fail(*_arguments: object, **_options: object) -> None:
        raise OSError(code, os.strerror(code))

    return fail


STEPS = ["pwrite", "fdatasync", "fsync", "rename", "mkdir", "open"]
FAILURES = [
    (errno.ENOSPC, StoreFull, "no space left for .*, on the disk that is mounted at"),
    (errno.EDQUOT, StoreFull, "no space left for .*, on the disk that is mounted at"),
    (errno.EIO, StoreUnavailable, "blob folder"),
    (errno.EROFS, StoreUnavailable, "blob folder"),
]


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize(("code", "expected", "says"), FAILURES, ids=[errno.errorcode[code] for code, *_ in FAILURES])
def test_whichever_step_of_a_put_fails_there_is_no_half_of_a_blob(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, code: int, expected: type[StorageError], says: str
) -> None:
    store = DiskBlobs(tmp_path)
    kept = store.put([b"kept"])
    with monkeypatch.context() as broken:
        broken.setattr(os, step, failing(code))
        with pytest.raises(expected, match=says):
            store.put([b"content"])
    listed = {blob.location for blob in store.list()}
    assert kept.location in listed
    # A name that could not be synced may exist: it was never acknowledged, and its content is whole.
    assert all(b"".join(store.read(location)) in (b"kept", b"content") for location in listed)
    assert len(listed) == (2 if step == "fsync" else 1)
    assert list(store.list_uploads()) == []
    assert b"".join(store.read(store.put([b"content"]).location)) == b"content"


@pytest.mark.parametrize("step", ["pwrite", "fdatasync", "fsync", "ftruncate"])
@pytest.mark.parametrize(("code", "expected", "says"), FAILURES, ids=[errno.errorcode[code] for code, *_ in FAILURES])
def test_whichever_step_of_an_append_fails_what_was_acknowledged_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, code: int, expected: type[StorageError], says: str
) -> None:
    store, upload_id = DiskBlobs(tmp_path), uuid4().hex
    with store.uploading(upload_id) as upload:
        first = upload.append([b"first "], after=None)
        upload.append([b"too much"], after=first)
        after = None if step == "fsync" else first
        with monkeypatch.context() as broken:
            broken.setattr(os, step, failing(code))
            with pytest.raises(expected, match=says):
                upload.append([b"more"], after=after)
        first = upload.append([b"first "], after=None) if after is None else first
        second = upload.append([b"second"], after=first)
        stored = upload.finish([first, second], 12)
    assert b"".join(store.read(stored.location)) == b"first second"


def test_an_error_of_the_stream_that_looks_like_one_of_the_disk_is_not_mistaken_for_it(tmp_path: Path) -> None:
    store = DiskBlobs(tmp_path)

    def broken_pipe() -> Iterator[bytes]:
        yield b"some"
        raise OSError(errno.ENOSPC, "somebody else's disk")

    with pytest.raises(OSError, match="somebody else's disk"):
        store.put(broken_pipe())
    assert list(store.list()) == []


@pytest.mark.parametrize("code", [errno.EPERM, errno.EOPNOTSUPP, errno.EMLINK])
def test_a_file_system_without_links_copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    monkeypatch.setattr(os, "link", failing(code))
    store, upload_id = DiskBlobs(tmp_path), uuid4().hex
    data = os.urandom(2 * MIB + 7)
    with store.uploading(upload_id) as upload:
        part = upload.append([data], after=None)
        first = upload.finish([part], len(data))
        again = upload.append([b"more"], after=part)
        second = upload.finish([part, again], len(data) + 4)
        upload.discard()
    assert b"".join(store.read(first.location)) == data
    assert b"".join(store.read(second.location)) == data + b"more"
    assert list(store.list_uploads()) == []


def test_a_full_disk_at_the_link_is_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, upload_id = DiskBlobs(tmp_path), uuid4().hex
    with store.uploading(upload_id) as upload:
        part = upload.append([b"bytes"], after=None)
        with monkeypatch.context() as broken:
            broken.setattr(os, "link", failing(errno.ENOSPC))
            with pytest.raises(StoreFull):
                upload.finish([part], 5)
        assert upload.finish([part], 5).size == 5


def open_descriptors() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def test_no_descriptor_is_left_open_by_success_or_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, upload_id = DiskBlobs(tmp_path), uuid4().hex
    stored = store.put([b"bytes"])

    def one_of_each() -> None:
        store.put([b"bytes"])
        store.read(stored.location)
        list(store.read(stored.location))
        next(store.list())
        with store.uploading(upload_id) as upload:
            part = upload.append([b"bytes"], after=None)
            upload.finish([part], 5)
            upload.append([b"bytes"], after=part)
        with monkeypatch.context() as broken:
            broken.setattr(os, "fdatasync", failing(errno.EIO))
            with pytest.raises(StoreUnavailable):
                store.put([b"bytes"])
            with pytest.raises(StoreUnavailable), store.uploading(upload_id) as upload:
                upload.append([b"bytes"], after=None)
        store.discard(upload_id)
        store.check()

    one_of_each()
    before = open_descriptors()
    for _ in range(5):
        one_of_each()
    assert open_descriptors() == before
