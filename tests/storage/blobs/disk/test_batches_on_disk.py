"""Batches on disk: in which order they reach it, what a power cut leaves, and the ways that files come in."""

import os
from itertools import count, product
from pathlib import Path

import pytest
from tests.storage.blobs.disk.losing_power import LosingPower, PowerCut, WhatSurvives
from tests.storage.blobs.disk.test_order_of_steps import Recorder

from skyshelf.storage.blobs.disk import DiskBlobs
from skyshelf.storage.blobs.durable_files import DurableFiles
from skyshelf.storage.blobs.protocols import LinkMode, StoredBlob

WHOLE = [WhatSurvives(names, contents) for names, contents in product([False, True], repeat=2)]


class EachByItself(Recorder):
    """A system that cannot sync a file system at once."""

    def sync_all(self, folder: int) -> bool:
        return False


class CloningFiles(DurableFiles):
    """A file system that can clone; here it copies, since few have one that can."""

    def clone(self, source: int, file: int) -> bool:
        self.write(file, os.pread(source, 1 << 20, 0), 0)
        return True


def take(store: DiskBlobs, path: Path, way: LinkMode = "copy") -> tuple[StoredBlob, LinkMode]:
    file = os.open(path, os.O_RDONLY)
    try:
        with store.batch() as batch:
            taken = batch.take(file, way)
            batch.seal()
            return taken.blob, taken.mode
    finally:
        os.close(file)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "source.bin"
    path.write_bytes(b"bytes")
    return path


def test_all_bytes_are_synced_before_the_first_name_and_all_names_before_anything_is_reported(
    tmp_path: Path, source: Path
) -> None:
    files = Recorder()
    store = DiskBlobs(tmp_path / "store", files)
    files.take()
    shard = take(store, source)[0].location[:2]
    assert files.take() == [
        "create", "write", "sync all uploads", f"make folder {shard}", "rename", "sync all uploads",
    ]  # fmt: skip


def test_bytes_that_come_from_elsewhere_reach_the_disk_in_the_same_order(tmp_path: Path) -> None:
    files = Recorder()
    store = DiskBlobs(tmp_path / "store", files)
    files.take()
    with store.batch() as batch:
        shards = sorted(batch.put([data], expected_size=len(data)).location[:2] for data in (b"first", b"second"))
        batch.seal()
    made = [f"make folder {shard}" for shard in shards]
    assert files.take() == [
        "create", "write", "create", "write", "sync all uploads", *made, "rename", "rename", "sync all uploads",
    ]  # fmt: skip


def test_where_no_file_system_can_be_synced_every_file_and_folder_is(tmp_path: Path, source: Path) -> None:
    files = EachByItself()
    store = DiskBlobs(tmp_path / "store", files)
    files.take()
    shard = take(store, source)[0].location[:2]
    assert files.take() == [
        "create", "write", "sync file", f"make folder {shard}", "rename", f"sync folder {shard}", "sync folder blobs",
    ]  # fmt: skip


@pytest.mark.parametrize("at_once", [True, False], ids=["at once", "each separately"])
def test_a_power_cut_at_any_step_leaves_no_blob_that_is_not_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: bool
) -> None:
    if not at_once:
        monkeypatch.setattr(LosingPower, "sync_all", lambda self, folder: False)
    contents = [b"first", b"second", b"third"]
    for step in count():
        root = tmp_path / f"step {step}"
        files = LosingPower(root, cut_before_step=10_000)
        store = DiskBlobs(root, files)
        files._cut_before_step = files.steps + step
        acknowledged: list[StoredBlob] = []
        try:
            with store.batch() as batch:
                taken = []
                for content in contents:
                    (tmp_path / "source").write_bytes(content)
                    file = os.open(tmp_path / "source", os.O_RDONLY)
                    taken.append(batch.take(file).blob)
                    os.close(file)
                batch.seal()
                acknowledged = taken
        except PowerCut:
            pass
        for number, survives in enumerate(WHOLE):
            after = tmp_path / f"after {step} {number}"
            files.survivors(survives, after)
            again = DiskBlobs(after)
            kept = {blob.location for blob in again.list()}
            assert {blob.location for blob in acknowledged} <= kept
            assert all(b"".join(again.read(location)) in contents for location in kept)
        files.close_all()
        if acknowledged:
            assert step > 6
            return


def test_a_hard_link_is_the_same_file(tmp_path: Path, source: Path) -> None:
    store = DiskBlobs(tmp_path / "store")
    blob, way = take(store, source, "hard")
    assert way == "hard"
    assert store.local_path(blob.location).samefile(source)
    store.delete(blob.location)
    assert source.read_bytes() == b"bytes"


def test_a_clone_is_a_separate_file(tmp_path: Path, source: Path) -> None:
    store = DiskBlobs(tmp_path / "store", CloningFiles())
    blob, way = take(store, source, "reflink")
    assert way == "reflink"
    source.write_bytes(b"other")
    assert b"".join(store.read(blob.location)) == b"bytes"


def test_what_cannot_be_linked_is_copied_and_says_so(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DurableFiles, "link_open", lambda self, source, folder, name: False)
    monkeypatch.setattr(DurableFiles, "clone", lambda self, source, file: False)
    store = DiskBlobs(tmp_path / "store")
    for way in ("hard", "reflink"):
        blob, went = take(store, source, way)
        assert went == "copy"
        assert b"".join(store.read(blob.location)) == b"bytes"
