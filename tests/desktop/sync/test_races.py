"""Somebody else writes to a side between a plan and its steps: all contents are kept, and nothing is deleted for it."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.desktop.sync.both_sides import TOP, Put, Tree, hashes, keys, local_tree, put, remote_hashes, run, same

from skyshelf.client.sync_client import Client
from skyshelf.desktop.sync.actions import SyncEvent
from skyshelf.desktop.sync.rounds import TwoWaySync
from skyshelf.desktop.sync.transfers import BULK_FROM

SMALL, LARGE = 10, 5 << 20
"""Sent in one request, and in chunks."""


def once(work: Callable[[], object]) -> Callable[[], object]:
    waiting = [work]
    return lambda: waiting.pop()() if waiting else None


def conflicts(tree: Tree) -> list[bytes | None]:
    return [content for path, content in tree.items() if "(conflict " in path]


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_an_edit_in_the_moment_of_the_upload_is_a_conflict(
    client: Client, here: Path, tmp_path: Path, size: int
) -> None:
    (here / "a.txt").write_text("one")
    run(client, here)
    mine = b"mine " * (size // 5)
    (here / "a.txt").write_bytes(mine)
    # The content is hashed when the server's side has been read.
    race = once(lambda: put(client, tmp_path, "a.txt", b"theirs"))
    _, result = run(client, here, hashed=lambda _path, _done: race())
    assert result.failures == []
    tree = local_tree(here)
    assert (tree["a.txt"], conflicts(tree)) == (b"theirs", [mine])
    assert hashes(tree) == remote_hashes(client)
    versions = [one.version for one in client.versions.list(f"{TOP}/a.txt").obj_versions or []]
    assert versions == [2, 1], "nothing was put over their edit"


@pytest.mark.parametrize("count", [1, BULK_FROM])
def test_a_new_file_whose_name_is_taken_in_the_moment_of_the_upload_is_a_conflict(
    client: Client, here: Path, tmp_path: Path, count: int
) -> None:
    (here / "folder").mkdir()
    for number in range(count):
        (here / f"{number}.txt").write_text(f"mine {number}")
    race = once(lambda: put(client, tmp_path, "0.txt", b"theirs"))

    def report(event: SyncEvent) -> None:
        # Folders are created after the plan is made, and before files are sent.
        if event.kind == "create remote folder":
            race()

    syncing = TwoWaySync(client, here, TOP, report=report)
    try:
        assert syncing.run().failures == []
    finally:
        syncing.close()
    tree = local_tree(here)
    assert (tree["0.txt"], conflicts(tree)) == (b"theirs", [b"mine 0"])
    assert hashes(tree) == remote_hashes(client)
    assert [one.version for one in client.versions.list(f"{TOP}/0.txt").obj_versions or []] == [1]
    assert list(client.uploads.unfinished()) == []


def sync_with_race(client: Client, here: Path, work: Callable[[], object]) -> None:
    """Sync a new file, and do something else between its upload and the deletions of the same plan."""
    race = once(work)

    def report(event: SyncEvent) -> None:
        if event.kind == "upload":
            race()

    (here / "long.bin").write_bytes(b"long")
    syncing = TwoWaySync(client, here, TOP, report=report)
    try:
        assert syncing.run().failures == []
    finally:
        syncing.close()
    assert same(client, here)


def test_an_edit_and_a_new_file_there_win_over_a_folder_deleted_here_before(
    client: Client, synced: Path, there: Put
) -> None:
    shutil.rmtree(synced / "deep")

    def race() -> None:
        there("deep/b.txt", b"edited")
        there("deep/new.txt", b"new")

    before = keys(client)
    sync_with_race(client, synced, race)
    assert local_tree(synced)["deep/b.txt"] == b"edited"
    assert local_tree(synced)["deep/new.txt"] == b"new"
    assert keys(client)["deep/b.txt"] == before["deep/b.txt"]
    assert list(client.trash.list()) == []


def test_an_edit_there_wins_over_a_file_deleted_here_before(client: Client, synced: Path, there: Put) -> None:
    (synced / "a.txt").unlink()
    sync_with_race(client, synced, lambda: there("a.txt", b"edited"))
    assert local_tree(synced)["a.txt"] == b"edited"
    assert list(client.trash.list()) == []


@pytest.mark.parametrize("path", ["a.txt", "deep"])
def test_what_is_back_here_is_not_deleted_there(client: Client, synced: Path, tmp_path: Path, path: str) -> None:
    before = keys(client)
    (synced / path).rename(tmp_path / "away")
    sync_with_race(client, synced, lambda: (tmp_path / "away").rename(synced / path))
    assert before.items() <= keys(client).items()
    assert list(client.trash.list()) == []


def test_what_is_back_there_is_not_deleted_here(client: Client, synced: Path) -> None:
    inode = (synced / "a.txt").stat().st_ino
    client.move_to_trash([f"{TOP}/a.txt"])
    trashed = list(client.trash.list())
    sync_with_race(client, synced, lambda: client.restore(trashed))
    assert (synced / "a.txt").stat().st_ino == inode


def test_an_edit_here_wins_over_a_file_deleted_there_before(client: Client, synced: Path) -> None:
    client.move_to_trash([f"{TOP}/a.txt"])
    sync_with_race(client, synced, lambda: (synced / "a.txt").write_text("edited"))
    assert local_tree(synced)["a.txt"] == b"edited"
