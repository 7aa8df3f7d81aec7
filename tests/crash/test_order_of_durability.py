"""Beyond kills, which keep what the system has in memory: what would a loss of power find on the disk?

These tests show the order of the requests: the bytes of a blob, its name and the folders on the way are synced before
SQLite writes the first byte of the commit that refers to them, and the commit is synced before it is acknowledged.
They don't show that the disk does what it is asked, nor the order in which SQLite makes its own checkpoints durable,
which SQLite guarantees, not we. How the disk store itself comes through a loss of power is tested beside it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import apsw
import pytest
from tests.crash.clock import now_ms
from tests.crash.contents import content_of
from tests.crash.durability import Watch, WatchedBlobFiles, WatchedLog, WatchedVfs
from tests.crash.folder import blobs_in, metadata_in
from tests.crash.hands import Hands
from tests.crash.operations import AddFolder, BeginUpload, FinishUpload, Operation, PutFile, SendChunk
from tests.crash.performing import perform
from tests.crash.preparing import add_shelves
from tests.crash.quietly import new_key

from skyshelf.storage.blobs.disk import DiskBlobs
from skyshelf.storage.metadata.sqlite.store import SqliteStore


@contextmanager
def _watched(folder: Path, files: type[WatchedBlobFiles], vfs: type[WatchedVfs]) -> Iterator[tuple[Watch, Hands, str]]:
    """Both stores under watch, one account, and the key of its folder."""
    watch = Watch()
    registered = vfs(watch)
    try:
        metadata = SqliteStore(metadata_in(folder))
        blobs = DiskBlobs(blobs_in(folder), files(watch))
        try:
            shelf = metadata.write(lambda unit: add_shelves(unit, Random(0), now_ms()))[0]
            yield watch, Hands(metadata, blobs, shelf.account_id, lambda _: watch.acknowledged()), shelf.base_key
        finally:
            metadata.close()
    finally:
        registered.unregister()


def _operations(parent_key: str) -> list[Operation]:
    """Every way in which bytes come in: new, known, empty, in chunks, and with chunks that end with the file."""
    rng, now = Random(1), now_ms()
    keys = [new_key(rng, 0) for _ in range(10)]
    contents = [content_of(1, 100_000), content_of(1, 100_000), content_of(2, 0), content_of(3, 90_000)]
    return [
        *(
            PutFile(now=now, object_key=keys[number], parent_key=parent_key, name=f"{number}.txt", content=content)
            for number, content in enumerate(contents)
        ),
        AddFolder(now=now, object_key=keys[4], parent_key=parent_key, name="folder"),
        BeginUpload(now=now, upload_key=keys[5], parent_key=keys[4], name="chunks", content=content_of(5, 50_000)),
        SendChunk(now=now, upload_key=keys[5], size=20_000),
        SendChunk(now=now, upload_key=keys[5], size=30_000),
        FinishUpload(now=now, upload_key=keys[5], object_key=keys[6], last_chunk=0),
        BeginUpload(now=now, upload_key=keys[7], parent_key=keys[4], name="at once", content=content_of(6, 50_000)),
        SendChunk(now=now, upload_key=keys[7], size=10_000),
        FinishUpload(now=now, upload_key=keys[7], object_key=keys[8], last_chunk=40_000),
    ]


def test_a_blob_is_on_the_disk_before_its_commit_begins_and_the_commit_before_its_acknowledgement(
    tmp_path: Path,
) -> None:
    with _watched(tmp_path, WatchedBlobFiles, WatchedVfs) as (watch, hands, parent_key):
        for operation in _operations(parent_key):
            before = watch.log_writes
            perform(hands, operation)
            assert watch.log_writes > before, f"{operation} was never seen to commit"
            assert watch.wrong == [], operation


class _NeverSyncsFiles(WatchedBlobFiles):
    def sync_file(self, file: int) -> None:
        """Forgets to."""


class _NeverSyncsFolders(WatchedBlobFiles):
    def sync_folder(self, folder: int) -> None:
        """Forgets to."""


class _LogThatIsNeverSynced(WatchedVfs):
    """Drops the requests before the watch sees them."""

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802 - SQLite's name
        file = super().xOpen(name, flags)
        if isinstance(file, WatchedLog):
            file.forgets = True
        return file


@pytest.mark.parametrize(
    ("files", "vfs", "sentence"),
    [
        (_NeverSyncsFiles, WatchedVfs, "a commit began before the bytes of"),
        (_NeverSyncsFolders, WatchedVfs, "a commit began before the names of"),
        (WatchedBlobFiles, _LogThatIsNeverSynced, "an acknowledgement came before the log"),
    ],
)
def test_the_watch_sees_a_sync_that_is_left_out(
    tmp_path: Path, files: type[WatchedBlobFiles], vfs: type[WatchedVfs], sentence: str
) -> None:
    with _watched(tmp_path, files, vfs) as (watch, hands, parent_key):
        perform(hands, _operations(parent_key)[0])
        assert any(wrong.startswith(sentence) for wrong in watch.wrong), watch.wrong


def test_the_writing_connection_asks_for_every_sync(tmp_path: Path) -> None:
    """A commit in WAL mode is synced at once only with synchronous=FULL (2): NORMAL would wait for a checkpoint."""
    metadata = SqliteStore(metadata_in(tmp_path))
    try:
        pragmas = ("journal_mode", "synchronous", "fullfsync", "checkpoint_fullfsync")
        found = metadata.write(lambda unit: [unit.sql.one(f"PRAGMA {pragma}") for pragma in pragmas])
    finally:
        metadata.close()
    assert found == [("wal",), (2,), (1,), (1,)]
