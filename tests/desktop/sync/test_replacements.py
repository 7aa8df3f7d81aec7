"""Items that take the place of others of another kind, and folders that leave one that is deleted."""

import shutil
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from tests.desktop.sync.both_sides import (
    TOP,
    Put,
    in_index,
    in_local_trash,
    keys,
    local_tree,
    md5,
    remote_hashes,
    same,
    sync,
)

from skyshelf.client.sync_client import Client
from skyshelf.desktop.sync.local_tree import STATE_FOLDER


@pytest.fixture
def nested(client: Client, here: Path) -> Path:
    """Both sides with folders in folders."""
    for folder in ("A/sub", "B", "C"):
        (here / folder).mkdir(parents=True)
    for name in ("A/1", "A/sub/2", "B/3", "C/4", "5"):
        (here / name).write_text(name)
    sync(client, here)
    return here


def moved_there(client: Client, path: str, folder: str, name: str | None = None) -> None:
    known = keys(client)
    client.move([known[path]], known[folder] if folder else TOP)
    if name is not None:
        client.rename(known[path], name)


def test_a_folder_replaced_by_a_file_here_keeps_its_name(client: Client, nested: Path) -> None:
    shutil.rmtree(nested / "C")
    (nested / "C").write_text("a file now")
    assert sync(client, nested) == ["trash remote C", "upload C"]
    assert same(client, nested)
    assert remote_hashes(client)["C"] == md5(b"a file now")
    assert sync(client, nested) == []


def test_a_file_replaced_by_a_folder_here_keeps_its_name(client: Client, nested: Path) -> None:
    (nested / "5").unlink()
    (nested / "5").mkdir()
    (nested / "5/in").write_text("new")
    assert sync(client, nested) == ["trash remote 5", "create remote folder 5", "upload 5/in"]
    assert same(client, nested)


def test_a_folder_replaced_by_a_file_there_keeps_its_name(client: Client, nested: Path, there: Put) -> None:
    client.move_to_trash([keys(client)["C"]])
    there("C", b"a file now")
    assert sync(client, nested) == ["trash local C", "download C"]
    assert same(client, nested)
    assert in_local_trash(nested) == {"C/4": b"C/4"}


def test_a_file_replaced_by_a_folder_there_keeps_its_name(client: Client, nested: Path, there: Put) -> None:
    client.move_to_trash([keys(client)["5"]])
    there("5/in", b"new")
    assert sync(client, nested) == ["trash local 5", "create local folder 5", "download 5/in"]
    assert same(client, nested)
    assert in_local_trash(nested) == {"5": b"5"}


def test_an_edit_of_what_was_replaced_there_is_kept_beside_it(client: Client, nested: Path, there: Put) -> None:
    client.move_to_trash([keys(client)["C"]])
    there("C", b"a file now")
    (nested / "C/4").write_text("edited here")
    sync(client, nested)
    assert same(client, nested)
    contents = set(local_tree(nested).values())
    assert {b"a file now", b"edited here"} <= contents


@pytest.mark.parametrize("is_renamed", [False, True])
def test_a_folder_moved_here_out_of_one_that_is_deleted_there_keeps_its_files(
    client: Client, nested: Path, is_renamed: bool
) -> None:
    client.move_to_trash([keys(client)["A"]])
    (nested / "A/sub").rename(nested / "B" / ("other" if is_renamed else "sub"))
    sync(client, nested)
    assert same(client, nested)
    name = "B/other/2" if is_renamed else "B/sub/2"
    assert remote_hashes(client)[name] == md5(b"A/sub/2")
    assert in_local_trash(nested) == {"A/1": b"A/1"}


def test_a_folder_moved_there_out_of_one_that_is_deleted_here_keeps_its_files(client: Client, nested: Path) -> None:
    shutil.rmtree(nested / "A")
    moved_there(client, "A/sub", "B")
    sync(client, nested)
    assert same(client, nested)
    assert (nested / "B/sub/2").read_text() == "A/sub/2"


def test_what_is_deleted_in_a_folder_that_is_renamed_stays_deleted(client: Client, nested: Path) -> None:
    (nested / "A").rename(nested / "Z")
    client.move_to_trash([keys(client)["A/1"]])
    moved_there(client, "C", "", "Y")
    (nested / "C/4").unlink()
    sync(client, nested)
    assert same(client, nested)
    assert set(remote_hashes(client)) == {"Z", "Z/sub", "Z/sub/2", "B", "B/3", "Y", "5"}


def _turn_here(client: Client, folder: Path) -> None:
    (folder / "A/sub").rename(folder / "S")
    (folder / "A").rename(folder / "S/A")


def _turn_there(client: Client, folder: Path) -> None:
    moved_there(client, "A/sub", "", "S")
    moved_there(client, "A", "S")


@pytest.mark.parametrize("turn", [_turn_here, _turn_there])
def test_a_folder_that_goes_into_its_own_subfolder_exists_once(
    client: Client, nested: Path, turn: Callable[[Client, Path], None]
) -> None:
    turn(client, nested)
    done = sync(client, nested)
    assert len(done) == 2
    assert all(step.startswith("move ") for step in done)
    assert same(client, nested)
    assert {"S/2", "S/A/1"} <= set(remote_hashes(client))
    assert sync(client, nested) == []


@pytest.mark.parametrize("was_synced", [False, True])
@pytest.mark.parametrize("name", [".skyshelf-backup", ".skyshelf-replaced", STATE_FOLDER])
def test_a_folder_there_with_the_name_of_a_state_folder_is_not_deleted(
    client: Client, synced: Path, there: Put, name: str, was_synced: bool
) -> None:
    there(f"{name}/kept.txt", b"kept")
    if was_synced and name != STATE_FOLDER:
        # As an earlier version left it.
        entry = "INSERT INTO entries (parent, name, remote_name, is_folder, key, md5, size, modified_ns, inode)"
        in_index(synced, f"{entry} VALUES (0, ?, ?, 1, ?, NULL, 0, 0, 0)", name, name, keys(client)[name])
    assert not any(step.startswith("trash") for step in sync(client, synced))
    assert remote_hashes(client)[f"{name}/kept.txt"] == md5(b"kept")
    assert sync(client, synced) == []


@pytest.mark.parametrize("is_taken_in_both", [False, True])
def test_a_file_moved_and_renamed_past_others_exists_once(client: Client, nested: Path, is_taken_in_both: bool) -> None:
    (nested / "B/1").write_text("another one")
    if is_taken_in_both:
        (nested / "A/new").write_text("another new one")
    sync(client, nested)
    (nested / "A/1").rename(nested / "B/new")
    assert sync(client, nested) == ["move remote B/new"]
    assert same(client, nested)
    assert sync(client, nested) == []


def test_a_file_and_then_what_is_in_its_place_go_to_the_trash_in_one_second(
    client: Client, nested: Path, there: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Client, "server_time", None)
    now = datetime(2026, 5, 4, 9).astimezone()
    client.move_to_trash([keys(client)["5"]])
    there("5/in", b"first")
    sync(client, nested, now=lambda: now)
    for content in (b"second", b"third"):
        there("5/in", content)
        assert sync(client, nested, now=lambda: now) == ["download 5/in"]
    assert in_local_trash(nested) == {"5": b"5", "5 2/in": b"first", "5 2/in 2": b"second"}
