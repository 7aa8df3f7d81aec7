"""Files that are missing because their folder is another one than before: nothing is deleted for that."""

import os
import shutil
from contextlib import ExitStack
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.desktop.sync.both_sides import TOP, Put, hashes, in_index, local_tree, remote_hashes, run, sync
from tests.real_parts.small_disks import MIB, small_disk

from skyshelf.client.download.bulk.plan import DownloadPlan
from skyshelf.client.errors import LocalFileError
from skyshelf.client.sync_client import Client
from skyshelf.desktop.sync import transfers
from skyshelf.desktop.sync.local_side import LocalSide
from skyshelf.desktop.sync.local_tree import STATE_FOLDER
from skyshelf.desktop.sync.rounds import TwoWaySync


@pytest.mark.parametrize("has_state", [False, True])
def test_a_root_that_is_replaced_during_a_watch_ends_it(client: Client, synced: Path, has_state: bool) -> None:
    syncing = TwoWaySync(client, synced, TOP, may_delete=lambda _: True)
    try:
        assert syncing.run().failures == []
        synced.rename(synced.with_name("away"))
        synced.mkdir()
        if has_state:
            (synced / STATE_FOLDER).mkdir()
            (synced / STATE_FOLDER / "lock").touch()
        with pytest.raises(LocalFileError, match="no longer the folder in which this sync began"):
            syncing.run()
    finally:
        syncing.close()
    assert set(remote_hashes(client)) == {"a.txt", "deep", "deep/b.txt"}


def test_what_arrives_after_the_root_was_replaced_does_not_look_deleted(
    client: Client, synced: Path, there: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    there("new.txt", b"new")
    there("new/c.txt", b"three")
    away = synced.with_name("away")
    create_folder = LocalSide.create_folder

    def create_after_an_unmount(side: LocalSide, parts: tuple[str, ...]) -> os.stat_result:
        if not away.exists():
            synced.rename(away)
            synced.mkdir()
            (synced / STATE_FOLDER / "incoming").mkdir(parents=True)
        return create_folder(side, parts)

    monkeypatch.setattr(LocalSide, "create_folder", create_after_an_unmount)
    _, result = run(client, synced)
    assert "no longer the folder in which this sync began" in str(result.failures[0][1])
    monkeypatch.undo()
    synced.rename(synced.with_name("mount point"))
    away.rename(synced)
    sync(client, synced)
    assert set(remote_hashes(client)) == {"a.txt", "deep", "deep/b.txt", "new.txt", "new", "new/c.txt"}


def test_downloads_that_vanish_with_the_root_are_reported(
    client: Client, synced: Path, there: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    there("new.txt", b"new")
    download_all = Client.download_all

    def download_and_vanish(*arguments: Any, **options: Any) -> object:
        summary = download_all(*arguments, **options)
        shutil.rmtree(synced / STATE_FOLDER / "incoming")
        return summary

    monkeypatch.setattr(transfers, "BULK_FROM", 1)
    monkeypatch.setattr(Client, "download_all", download_and_vanish)
    _, result = run(client, synced)
    assert [path for path, _ in result.failures] == ["new.txt"]
    monkeypatch.undo()
    assert sync(client, synced) == ["download new.txt"]


def test_a_list_of_downloads_that_vanishes_leaves_no_file_out(
    client: Client, synced: Path, there: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    there("new.txt", b"new")
    add_children = DownloadPlan.add_children

    def vanish_and_add(*arguments: Any) -> object:
        shutil.rmtree(synced / STATE_FOLDER / "incoming", ignore_errors=True)
        return add_children(*arguments)

    monkeypatch.setattr(transfers, "BULK_FROM", 1)
    monkeypatch.setattr(DownloadPlan, "add_children", vanish_and_add)
    assert sync(client, synced) == ["download new.txt"]


@pytest.mark.whole
def test_a_root_whose_disk_is_unmounted_during_a_watch_ends_it(client: Client, tmp_path: Path) -> None:
    place = tmp_path / "disk"
    with small_disk(place, 8 * MIB):
        (place / "a.txt").write_text("one")
        syncing = TwoWaySync(client, place, TOP, may_delete=lambda _: True)
        syncing.run()
    try:
        with pytest.raises(LocalFileError, match="no longer the folder"):
            syncing.run()
    finally:
        syncing.close()
    assert set(remote_hashes(client)) == {"a.txt"}


def test_what_was_on_a_disk_that_is_not_mounted_is_left_alone(client: Client, synced: Path) -> None:
    in_index(synced, "UPDATE entries SET is_mount = 1 WHERE name = 'deep'")
    (synced / "deep/b.txt").unlink()
    (synced / "a.txt").write_text("edited")
    events, result = run(client, synced)
    assert [(event.kind, event.path) for event in events] == [("failed", "deep"), ("upload", "a.txt")]
    ((path, error),) = result.failures
    assert (path, "mount it" in str(error)) == ("deep", True)
    assert set(remote_hashes(client)) == {"a.txt", "deep", "deep/b.txt"}
    assert set(local_tree(synced)) == {"a.txt", "deep"}
    (synced / "deep").rmdir()
    assert [path for path, _ in run(client, synced)[1].failures] == ["deep"]
    sync(client, synced, start_over=True)
    assert (synced / "deep/b.txt").read_text() == "two"


def test_an_index_of_the_former_version_is_read(client: Client, synced: Path) -> None:
    for column in ("is_mount", "changed_ns"):
        in_index(synced, f"ALTER TABLE entries DROP COLUMN {column}")
    in_index(synced, "UPDATE meta SET value = '1' WHERE name = 'version'")
    assert sync(client, synced) == []
    (synced / "a.txt").unlink()
    assert sync(client, synced) == ["trash remote a.txt"]
    in_index(synced, "UPDATE meta SET value = '3' WHERE name = 'version'")
    with pytest.raises(LocalFileError, match="newer version"):
        run(client, synced)


@pytest.mark.whole
def test_a_disk_inside_the_folder_may_come_and_go(client: Client, synced: Path) -> None:
    with small_disk(synced / "disk", 8 * MIB):
        (synced / "disk/c.txt").write_text("three")
        sync(client, synced)
        assert sync(client, synced) == []
    assert [path for path, _ in run(client, synced)[1].failures] == ["disk"]
    assert "disk/c.txt" in remote_hashes(client)
    (synced / "disk").rmdir()
    with small_disk(synced / "disk", 8 * MIB):
        (synced / "disk/c.txt").write_text("three")
        sync(client, synced)


@pytest.mark.whole
def test_what_changes_there_arrives_on_a_disk_inside_the_folder(
    client: Client, synced: Path, there: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = synced / "disk"
    with small_disk(disk, 8 * MIB):
        for name in ("c.txt", "d.txt"):
            (disk / name).write_text(name)
        sync(client, synced)
        there("disk/new/e.txt", b"new")
        there("disk/c.txt", b"edited")
        client.move_to_trash([f"{TOP}/disk/d.txt"])
        done = ["create local folder disk/new", "download disk/c.txt", "download disk/new/e.txt"]
        assert sorted(sync(client, synced)) == [*done, "trash local disk/d.txt"]
        own = {path: content for path, content in local_tree(synced).items() if STATE_FOLDER not in path}
        assert remote_hashes(client) == hashes(own)
        assert sync(client, synced) == []
        trashed = {path.name: path.read_text() for path in (disk / STATE_FOLDER / "trash").rglob("*.txt")}
        assert trashed == {"c.txt": "c.txt", "d.txt": "d.txt"}
        assert list((disk / STATE_FOLDER / "incoming").iterdir()) == []
        monkeypatch.setattr(Client, "server_time", None)
        in_two_months = datetime.now().astimezone() + timedelta(days=60)
        sync(client, synced, now=lambda: in_two_months)
        assert list((disk / STATE_FOLDER / "trash").iterdir()) == []


@pytest.mark.whole
def test_what_arrives_below_a_disk_that_was_unmounted_does_not_look_deleted(
    client: Client, synced: Path, there: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = LocalSide.place
    with ExitStack() as mounted:
        mounted.enter_context(small_disk(synced / "disk", 8 * MIB))
        (synced / "disk/c.txt").write_text("three")
        sync(client, synced)
        there("disk/new.txt", b"new")

        def place_after_an_unmount(side: LocalSide, *arguments: Any, **options: Any) -> os.stat_result:
            mounted.close()
            return place(side, *arguments, **options)

        monkeypatch.setattr(LocalSide, "place", place_after_an_unmount)
        run(client, synced)
        monkeypatch.undo()
    shutil.rmtree(synced / "disk")
    with small_disk(synced / "disk", 8 * MIB):
        (synced / "disk/c.txt").write_text("three")
        run(client, synced)
    assert {"disk/c.txt", "disk/new.txt"} <= set(remote_hashes(client))
