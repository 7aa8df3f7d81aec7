"""Bytes are synced before they get a name, and the name is synced before anything is acknowledged."""

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from tests.storage.blobs.disk.watched_files import WatchedFiles

from skyshelf.storage.blobs.disk import DiskBlobs
from skyshelf.storage.blobs.disk.io import PIECE
from skyshelf.storage.blobs.hashing import HashingBlock


class Recorder(WatchedFiles):
    def __init__(self) -> None:
        self.steps: list[tuple[str, str]] = []

    def before(self, step: str, what: str) -> None:
        self.steps.append((step, what))

    def take(self) -> list[str]:
        """The steps since the last call; ids and locations are long, so only what was done to what kind."""
        taken = [f"{step} {what}" if len(what) < 30 and " to " not in what else step for step, what in self.steps]
        self.steps.clear()
        return taken


def test_a_put_syncs_the_bytes_then_names_them_then_syncs_the_folders(tmp_path: Path) -> None:
    files = Recorder()
    store = DiskBlobs(tmp_path, files)
    files.take()
    shard = store.put([b"bytes"]).location[:2]
    assert files.take() == [
        "create",
        "write",
        "sync file",
        f"make folder {shard}",
        "rename",
        f"sync folder {shard}",
        "sync folder blobs",
    ]


def test_a_shard_is_made_durable_once_and_its_names_each_time(tmp_path: Path) -> None:
    files = Recorder()
    store = DiskBlobs(tmp_path, files)
    shard = store.put([b"bytes"]).location[:2]
    files.take()
    store.put([b"bytes"])
    assert files.take()[-3:] == ["sync file", "rename", f"sync folder {shard}"]


def test_a_blob_never_goes_into_a_folder_that_was_moved_away(tmp_path: Path) -> None:
    store = DiskBlobs(tmp_path)
    shard = tmp_path / "blobs" / store.put([b"bytes"]).location[:2]
    shard.rename(tmp_path / "moved away")
    location = store.put([b"bytes"]).location
    assert (shard / location).exists()
    assert b"".join(store.read(location)) == b"bytes"


def test_a_block_is_hashed_while_the_next_one_is_received(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    happened: list[str] = []
    wait = HashingBlock.wait

    def noted(hashing: HashingBlock) -> None:
        happened.append("hashed")
        wait(hashing)

    monkeypatch.setattr(HashingBlock, "wait", noted)

    def received() -> Iterator[bytes]:
        for _ in range(2):
            happened.append("received")
            yield bytes(PIECE)

    DiskBlobs(tmp_path).put(received())
    # The first wait is for nothing: no block came before the first one.
    assert happened == ["received", "hashed", "received", "hashed", "hashed"]


def test_a_shard_that_another_process_made_is_not_taken_for_durable(tmp_path: Path) -> None:
    shard = DiskBlobs(tmp_path).put([b"bytes"]).location[:2]
    files = Recorder()
    store = DiskBlobs(tmp_path, files)
    files.take()
    store.put([b"bytes"])
    assert files.take()[-2:] == [f"sync folder {shard}", "sync folder blobs"]


def test_the_folders_of_a_new_store_are_durable_up_to_what_was_there(tmp_path: Path) -> None:
    files = Recorder()
    here = tmp_path / "here"
    here.mkdir()
    DiskBlobs(here / "new" / "root", files)
    assert files.take() == [
        "make folder new",
        "sync folder here",
        "make folder root",
        "sync folder new",
        "make folder blobs",
        "sync folder root",
        "make folder uploads",
        "sync folder root",
    ]


def test_the_first_chunk_syncs_the_name_of_the_upload_and_later_ones_only_bytes(tmp_path: Path) -> None:
    files = Recorder()
    store = DiskBlobs(tmp_path, files)
    files.take()
    with store.uploading(uuid4().hex) as upload:
        part = upload.append([b"first"], after=None)
        assert files.take() == ["open or create", "write", "sync file", "sync folder uploads"]
        upload.append([b"second"], after=part)
        assert files.take() == ["write", "sync file"]


def test_finish_copies_nothing(tmp_path: Path) -> None:
    files = Recorder()
    store = DiskBlobs(tmp_path, files)
    with store.uploading(uuid4().hex) as upload:
        part = upload.append([b"bytes"], after=None)
        files.take()
        shard = upload.finish([part], 5).location[:2]
        assert files.take() == [
            "sync file",
            f"make folder {shard}",
            "link",
            f"sync folder {shard}",
            "sync folder blobs",
        ]
        upload.discard()
        assert files.take() == ["remove"]


def test_bytes_that_are_cut_off_before_finish_are_cut_before_the_sync(tmp_path: Path) -> None:
    files = Recorder()
    store = DiskBlobs(tmp_path, files)
    with store.uploading(uuid4().hex) as upload:
        part = upload.append([b"bytes"], after=None)
        upload.append([b"never acknowledged"], after=part)
        files.take()
        upload.finish([part], 5)
        assert files.take()[:2] == ["truncate", "sync file"]
