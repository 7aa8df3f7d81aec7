"""What cannot be read is left alone on both sides and reported; everything else is synced, deletions too."""

import os
from pathlib import Path

import pytest
from tests.desktop.sync.both_sides import Put, remote_hashes, run, same, sync
from tests.real_parts.permissions import permissions_count

from skyshelf.client.sync_client import Client


def failures(client: Client, here: Path) -> dict[str, str]:
    with permissions_count():
        _, result = run(client, here)
    return {path: str(error) for path, error in result.failures}


@pytest.fixture
def others(client: Client, synced: Path) -> Path:
    """Files beside the unreadable one, one of which is deleted here."""
    for name in ("c.txt", "deleted.txt"):
        (synced / name).write_text(name)
    sync(client, synced)
    (synced / "deleted.txt").unlink()
    return synced


def test_a_folder_that_cannot_be_read_does_not_look_empty(client: Client, others: Path, there: Put) -> None:
    there("deep/there.txt", b"there")
    (others / "deep").chmod(0)
    assert failures(client, others) == {"deep": "it cannot be read: Permission denied"}
    assert set(remote_hashes(client)) == {"a.txt", "c.txt", "deep", "deep/b.txt", "deep/there.txt"}
    (others / "deep").chmod(0o755)
    sync(client, others)
    assert same(client, others)
    assert (others / "deep/there.txt").exists()


def test_a_folder_whose_items_cannot_be_looked_at_keeps_them(client: Client, others: Path) -> None:
    (others / "deep").chmod(0o400)
    assert failures(client, others) == {"deep/b.txt": "it cannot be read: Permission denied"}
    assert set(remote_hashes(client)) == {"a.txt", "c.txt", "deep", "deep/b.txt"}
    (others / "deep").chmod(0o755)


@pytest.mark.parametrize("is_new", [False, True])
def test_a_file_that_cannot_be_read_blocks_no_deletion(client: Client, others: Path, is_new: bool) -> None:
    path = others / ("new.txt" if is_new else "c.txt")
    path.write_text("edited here")
    path.chmod(0)
    before = remote_hashes(client)
    assert failures(client, others) == {path.name: "it cannot be read: Permission denied"}
    assert {**remote_hashes(client), "deleted.txt": before["deleted.txt"]} == before
    path.chmod(0o644)
    sync(client, others)
    assert same(client, others)


def test_a_file_that_cannot_be_read_is_not_replaced(client: Client, others: Path, there: Put) -> None:
    (others / "c.txt").write_text("edited here")
    (others / "c.txt").chmod(0)
    there("c.txt", b"edited there")
    assert list(failures(client, others)) == ["c.txt"]
    assert (others / "c.txt").stat().st_size == len("edited here")


def test_a_path_that_is_too_long_is_left_alone(client: Client, others: Path) -> None:
    name = "n" * 200
    folder = os.open(others, os.O_RDONLY)
    for _ in range(25):
        os.mkdir(name, dir_fd=folder)
        inner = os.open(name, os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = inner
    os.close(folder)
    ((path, reason),) = failures(client, others).items()
    assert path.startswith(f"{name}/{name}/")
    assert reason == "it cannot be read: File name too long"
    assert "deleted.txt" not in remote_hashes(client)
