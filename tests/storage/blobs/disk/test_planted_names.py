"""Who can write into the folder can break it, but cannot make us read or write anywhere else."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from skyshelf.storage.blobs.disk import DiskBlobs
from skyshelf.storage.errors import BlobCorrupt, BlobMissing, StoreUnavailable, UploadDamaged


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "root"


@pytest.fixture
def store(root: Path) -> DiskBlobs:
    return DiskBlobs(root)


@pytest.fixture
def secret(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "secret"
    path.write_bytes(b"bytes")
    yield path
    assert path.read_bytes() == b"bytes"


def test_a_link_in_the_place_of_a_blob_is_not_followed(store: DiskBlobs, secret: Path) -> None:
    location = store.put([b"bytes"]).location
    path = store.local_path(location)
    path.unlink()
    path.symlink_to(secret)
    for look in (store.read, store.size, store.local_path):
        with pytest.raises(BlobCorrupt):
            look(location)
    assert list(store.list()) == []
    store.delete(location)
    assert not path.is_symlink()


def test_a_folder_that_was_replaced_is_read_as_it_is_now(root: Path, store: DiskBlobs) -> None:
    location = store.put([b"bytes"]).location
    assert b"".join(store.read(location)) == b"bytes"
    shard = root / "blobs" / location[:2]
    away = shard.rename(root / "away")
    shard.mkdir()
    (away / location).rename(shard / location)
    assert b"".join(store.read(location)) == b"bytes"
    (shard / location).unlink()
    with pytest.raises(BlobMissing):
        store.read(location)
    location = store.put([b"bytes"]).location
    assert b"".join(store.read(location)) == b"bytes"
    store.close()


def test_a_link_in_the_place_of_a_folder_is_not_followed(root: Path, store: DiskBlobs) -> None:
    location = store.put([b"bytes"]).location
    shard = root / "blobs" / location[:2]
    shard.rename(root / "away")
    shard.symlink_to(root / "away")
    with pytest.raises(StoreUnavailable):
        store.read(location)


@pytest.mark.parametrize("kind", ["link", "dangling link", "pipe", "folder"])
def test_something_else_in_the_place_of_an_upload_is_not_written(
    root: Path, store: DiskBlobs, secret: Path, kind: str
) -> None:
    upload_id = uuid4().hex
    path = root / "uploads" / upload_id
    if kind == "link":
        path.symlink_to(secret)
    elif kind == "dangling link":
        path.symlink_to(root.parent / "new")
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.mkdir()
    with pytest.raises(UploadDamaged), store.uploading(upload_id) as upload:
        upload.append([b"written"], after=None)
    assert not (root.parent / "new").exists()
    assert list(store.list_uploads()) == []


def test_a_link_in_the_place_of_a_shard_is_not_followed(root: Path, store: DiskBlobs, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    location = store.put([b"bytes"]).location
    shard = root / "blobs" / location[:2]
    (elsewhere / location).write_bytes(b"bytes")
    (shard / location).unlink()
    shard.rmdir()
    shard.symlink_to(elsewhere)
    with pytest.raises(StoreUnavailable):
        store.read(location)
    with pytest.raises(StoreUnavailable):
        store.put([b"bytes"])
    with pytest.raises(StoreUnavailable):
        store.delete(location)
    assert [path.name for path in elsewhere.iterdir()] == [location]


@pytest.mark.parametrize("name", ["blobs", "uploads"])
def test_a_link_in_the_place_of_a_top_folder_is_not_followed(
    root: Path, store: DiskBlobs, tmp_path: Path, name: str
) -> None:
    (root / name).rename(tmp_path / "moved")
    (root / name).symlink_to(tmp_path / "moved")
    with pytest.raises(StoreUnavailable):
        store.put([b"bytes"])
    with pytest.raises(StoreUnavailable):
        store.check()


def test_names_that_are_not_ours_are_not_listed(root: Path, store: DiskBlobs) -> None:
    stored = store.put([b"bytes"])
    (root / "blobs" / "notes.txt").write_text("not ours")
    (root / "blobs" / stored.location[:2] / "notes.txt").write_text("not ours")
    (root / "uploads" / ".hidden").write_text("not ours")
    assert [blob.location for blob in store.list()] == [stored.location]
    assert list(store.list_uploads()) == []


def test_files_and_folders_are_private(root: Path, store: DiskBlobs) -> None:
    before = os.umask(0)
    try:
        path = store.local_path(store.put([b"bytes"]).location)
        upload_id = uuid4().hex
        with store.uploading(upload_id) as upload:
            part = upload.append([b"upload"], after=None)
            finished = store.local_path(upload.finish([part], 6).location)
    finally:
        os.umask(before)
    modes = {file: stat.S_IMODE(file.stat().st_mode) for file in (path, finished, root / "uploads" / upload_id)}
    assert set(modes.values()) == {0o600}
    folders = (root, root / "blobs", root / "uploads", path.parent, finished.parent)
    assert {stat.S_IMODE(folder.stat().st_mode) for folder in folders} == {0o700}


def test_a_disk_that_is_not_mounted_is_unavailable_and_its_blobs_are_not_missing(root: Path, store: DiskBlobs) -> None:
    location = store.put([b"bytes"]).location
    for gone in (root / "blobs", root):
        gone.rename(root.parent / f"gone-{gone.name}")
        with pytest.raises(StoreUnavailable):
            store.read(location)
        with pytest.raises(StoreUnavailable):
            store.delete(location)
        with pytest.raises(StoreUnavailable):
            list(store.list())
        with pytest.raises(StoreUnavailable):
            store.check()


def test_a_root_that_cannot_be_a_folder_says_so_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(StoreUnavailable, match="file"):
        DiskBlobs(tmp_path / "file")
    with pytest.raises(StoreUnavailable):
        DiskBlobs(tmp_path / "file" / "below")


def test_a_reader_keeps_a_blob_that_is_deleted_while_it_reads(store: DiskBlobs) -> None:
    data = os.urandom(3 * 1024 * 1024)
    location = store.put([data]).location
    stream = store.read(location)
    first = next(stream)
    store.delete(location)
    assert first + b"".join(stream) == data
    with pytest.raises(BlobMissing):
        store.read(location)


def test_a_blob_that_shrinks_while_it_is_read_is_not_passed_off_as_whole(store: DiskBlobs) -> None:
    location = store.put([bytes(3 * 1024 * 1024)]).location
    stream = store.read(location)
    next(stream)
    os.truncate(store.local_path(location), 1024 * 1024 + 10)
    with pytest.raises(BlobCorrupt):
        list(stream)
