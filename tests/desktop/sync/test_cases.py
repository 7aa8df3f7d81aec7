"""The cases of the table in docs/sync.md, one by one."""

import itertools
import os
from pathlib import Path

import pytest
from tests.client.serving import ClientServer
from tests.desktop.sync.both_sides import (
    TOP,
    Put,
    in_local_trash,
    local_tree,
    remote_hashes,
    run,
    same,
    sync,
)

from skyshelf.client.errors import LocalFileError, ObjectNotFoundError
from skyshelf.client.sync_client import Client
from skyshelf.desktop.sync import local_side, rounds
from skyshelf.desktop.sync.local_tree import STATE_FOLDER
from skyshelf.desktop.sync.rounds import TwoWaySync
from skyshelf.desktop.sync.transfers import BULK_FROM


def test_the_first_sync_merges_both_sides(client: Client, here: Path, there: Put) -> None:
    there("theirs.txt", b"theirs")
    there("both/same.txt", b"same")
    (here / "both").mkdir()
    (here / "both/same.txt").write_text("same")
    (here / "mine.txt").write_text("mine")
    assert sorted(sync(client, here)) == ["download theirs.txt", "upload mine.txt"]
    assert same(client, here)
    assert sync(client, here) == []


def test_an_edit_and_a_new_file_go_to_the_other_side(client: Client, synced: Path, there: Put) -> None:
    (synced / "a.txt").write_text("edited here")
    there("deep/b.txt", b"edited there")
    (synced / "new").mkdir()
    (synced / "new/c.txt").write_text("c")
    done = sync(client, synced)
    assert sorted(done) == ["create remote folder new", "download deep/b.txt", "upload a.txt", "upload new/c.txt"]
    assert (synced / "deep/b.txt").read_text() == "edited there"
    assert in_local_trash(synced) == {"deep/b.txt": b"two"}
    assert same(client, synced)


def test_the_size_of_all_transfers_is_known_before_the_first(client: Client, synced: Path, there: Put) -> None:
    (synced / "a.txt").write_text("edited here")
    there("deep/new.txt", b"new")
    known: list[tuple[int, int]] = []
    sync(client, synced, planned=lambda files, size: known.append((files, size)))
    assert known == [(2, len("edited here") + len("new"))]


@pytest.mark.parametrize("mode", [0o600, 0o750])
def test_an_edit_from_the_server_keeps_the_mode_of_the_file(
    client: Client, synced: Path, there: Put, mode: int
) -> None:
    (synced / "a.txt").chmod(mode)
    there("a.txt", b"edited there")
    sync(client, synced)
    assert (synced / "a.txt").read_text() == "edited there"
    assert (synced / "a.txt").stat().st_mode & 0o777 == mode


def test_two_edits_are_both_kept(client: Client, synced: Path, there: Put) -> None:
    (synced / "a.txt").write_text("mine")
    there("a.txt", b"theirs")
    sync(client, synced)
    contents = local_tree(synced)
    assert contents.pop("a.txt") == b"theirs"
    (copy,) = (path for path, content in contents.items() if content == b"mine")
    assert copy.startswith("a (conflict ")
    assert copy.endswith(").txt")
    assert same(client, synced)


def test_the_same_edit_on_both_sides_is_no_conflict(client: Client, synced: Path, there: Put) -> None:
    (synced / "a.txt").write_text("agreed")
    there("a.txt", b"agreed")
    assert sync(client, synced) == []


def test_deletions_go_to_the_trash_of_the_other_side(client: Client, synced: Path) -> None:
    (synced / "a.txt").unlink()
    client.move_to_trash([f"{TOP}/deep"])
    assert sync(client, synced) == ["trash remote a.txt", "trash local deep"]
    assert local_tree(synced) == {}
    assert in_local_trash(synced) == {"deep/b.txt": b"two"}
    assert {one.name for one in client.trash.list()} == {"a.txt", "deep"}


def test_an_edit_wins_over_a_deletion(client: Client, synced: Path, there: Put) -> None:
    (synced / "a.txt").unlink()
    there("a.txt", b"edited there")
    client.move_to_trash([f"{TOP}/deep"])
    (synced / "deep/b.txt").write_text("edited here")
    sync(client, synced)
    assert local_tree(synced) == {"a.txt": b"edited there", "deep": None, "deep/b.txt": b"edited here"}
    assert same(client, synced)


def test_a_new_file_keeps_a_deleted_folder(client: Client, synced: Path, there: Put) -> None:
    (synced / "deep/b.txt").unlink()
    (synced / "deep").rmdir()
    there("deep/new.txt", b"new")
    sync(client, synced)
    assert local_tree(synced) == {"a.txt": b"one", "deep": None, "deep/new.txt": b"new"}
    assert same(client, synced)


def test_moves_are_moves_on_the_other_side_too(client: Client, synced: Path) -> None:
    keys = {one.path: one.object.key for one in client.walk(TOP)}
    (synced / "deep").rename(synced / "renamed")
    client.rename(f"{TOP}/a.txt", "z.txt")
    assert sorted(sync(client, synced)) == ["move local a.txt", "move remote renamed"]
    assert local_tree(synced) == {"renamed": None, "renamed/b.txt": b"two", "z.txt": b"one"}
    assert {one.object.key for one in client.walk(TOP)} == set(keys.values())
    assert same(client, synced)


def test_a_file_that_is_moved_here_and_renamed_there_ends_with_both(client: Client, synced: Path) -> None:
    (synced / "a.txt").rename(synced / "deep/a.txt")
    client.rename(f"{TOP}/a.txt", "z.txt")
    sync(client, synced)
    assert local_tree(synced) == {"deep": None, "deep/b.txt": b"two", "deep/z.txt": b"one"}
    assert same(client, synced)


def test_two_folders_moved_into_each_other_are_all_kept(client: Client, here: Path) -> None:
    for name in ("x", "y"):
        (here / name).mkdir()
        (here / name / f"{name}.txt").write_text(name)
    sync(client, here)
    (here / "x").rename(here / "y/x")
    client.move([f"{TOP}/y"], f"{TOP}/x")
    for _ in range(2):
        run(client, here)
    contents = [content for content in local_tree(here).values() if content]
    assert set(contents) == {b"x", b"y"}
    assert same(client, here)


def test_a_lost_index_deletes_nothing(client: Client, synced: Path) -> None:
    """An empty folder, such as that of a disk that is not mounted, has no index, so nothing looks deleted."""
    for path in (synced / STATE_FOLDER).glob("index.db*"):
        path.unlink()
    (synced / "a.txt").unlink()
    assert sync(client, synced) == ["download a.txt"]


def test_a_folder_that_is_gone_on_the_server_stops_everything(client: Client, synced: Path) -> None:
    client.move_to_trash([TOP])
    with pytest.raises(LocalFileError, match="no longer exists on the server"):
        run(client, synced)
    client.create_path(TOP)
    with pytest.raises(LocalFileError, match="another folder"):
        run(client, synced)
    sync(client, synced, start_over=True)
    assert same(client, synced)


def test_another_account_is_refused(client: Client, synced: Path, desktop_host: ClientServer) -> None:
    with Client(**desktop_host.person().settings) as other, pytest.raises(LocalFileError, match="another account"):
        run(other, synced)


def test_links_and_special_files_are_left_alone_with_a_reason(client: Client, synced: Path, there: Put) -> None:
    (synced / "a.txt").unlink()
    (synced / "a.txt").symlink_to("/etc/passwd")
    os.mkfifo(synced / "pipe")
    there("pipe", b"not a pipe")
    done = sync(client, synced)
    assert sorted(set(done)) == ["left a.txt", "left pipe"]
    assert "a.txt" in remote_hashes(client)
    assert not (synced / "pipe").is_file()


def test_what_is_excluded_is_left_alone_on_both_sides(client: Client, synced: Path, there: Put) -> None:
    def select(path: str, is_folder: bool) -> bool:
        return not path.endswith(".tmp") and path != "deep"

    (synced / "x.tmp").write_text("x")
    there("y.tmp", b"y")
    (synced / "deep/b.txt").unlink()
    assert sync(client, synced, select=select) == []
    assert "deep/b.txt" in remote_hashes(client)


def test_names_that_this_system_can_have_arrive_as_they_are(client: Client, here: Path, there: Put) -> None:
    for name in ("z:1", "x.", "y ", "con", 'what? "this" \\ that'):
        there(name, b"content")
    sync(client, here)
    assert same(client, here)
    assert sync(client, here) == []


def test_names_that_a_system_cannot_have_get_another_one_here(
    client: Client, here: Path, there: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Like a disk of Windows, which refuses this name.
    monkeypatch.setattr(local_side, "ANY_NAME", "no/such/name")
    there("what?.txt", b"q")
    there(STATE_FOLDER + "/index.db", b"an attack")
    sync(client, here)
    assert (here / "what_.txt").read_bytes() == b"q"
    assert b"an attack" in local_tree(here).values()
    (here / "what_.txt").write_text("edited")
    assert sync(client, here) == ["upload what_.txt"]
    assert "what?.txt" in remote_hashes(client)


def test_a_name_that_only_this_system_can_have_is_one_item_on_both_sides(
    client: Client, here: Path, there: Put
) -> None:
    (here / "at 10:30.txt").write_text("same")
    there("at 10:30.txt", b"same")
    assert sync(client, here) == []
    assert same(client, here)


def test_many_new_files_are_sent_and_fetched_together(client: Client, here: Path, there: Put) -> None:
    (here / "mine").mkdir()
    for number in range(BULK_FROM):
        (here / "mine" / f"{number}.txt").write_text(f"mine {number}")
        there(f"theirs/what? {number}.txt", f"theirs {number}".encode())
    (here / "mine/odd:name.txt").write_text("odd")
    done = sync(client, here)
    assert len([one for one in done if one.startswith("upload ")]) == BULK_FROM + 1
    assert len([one for one in done if one.startswith("download ")]) == BULK_FROM
    assert (here / "theirs/what? 7.txt").read_text() == "theirs 7"
    assert sync(client, here) == []
    assert not (here / STATE_FOLDER / "incoming/many").exists()


def test_a_folder_that_keeps_ignored_files_is_not_created_again(client: Client, synced: Path) -> None:
    (synced / "deep/link").symlink_to("b.txt")
    client.move_to_trash([f"{TOP}/deep"])
    done = sync(client, synced)
    assert "trash local deep/b.txt" in done
    assert (synced / "deep/link").is_symlink()
    assert "deep" not in remote_hashes(client)
    assert sync(client, synced) == ["left deep/link"]


def test_a_file_that_never_stops_changing_is_reported_and_the_rest_synced(
    client: Client, synced: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = Client.upload
    numbers = itertools.count(5)

    def slow(self: Client, path: Path, *arguments: object, **options: object) -> object:
        sent = upload(self, path, *arguments, **options)  # type: ignore[arg-type]
        if path.name == "busy.log":
            path.write_text("line " * next(numbers))
        return sent

    monkeypatch.setattr(Client, "upload", slow)
    monkeypatch.setattr(rounds, "_RETRY_SECONDS", 0.0)
    (synced / "busy.log").write_text("line")
    (synced / "new.txt").write_text("new")
    _, result = run(client, synced)
    assert [path for path, _ in result.failures] == ["busy.log"]
    assert "new.txt" in remote_hashes(client)


def test_a_sync_inside_another_keeps_its_own_state(client: Client, synced: Path) -> None:
    (synced / "deep" / STATE_FOLDER).mkdir()
    (synced / "deep" / STATE_FOLDER / "index.db").write_text("of another sync")
    assert sync(client, synced) == []
    client.move_to_trash([f"{TOP}/deep"])
    sync(client, synced)
    assert (synced / "deep" / STATE_FOLDER / "index.db").exists()


def test_folders_that_vanish_during_a_scan_do_not_end_it(
    client: Client, synced: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (synced / "new").mkdir()
    scandir = os.scandir

    def racing(path: Path) -> object:
        if path == synced / "new":
            (synced / "new").rmdir()
        return scandir(path)

    walk = Client.walk

    def failing_once(self: Client, *arguments: object) -> object:
        monkeypatch.setattr(Client, "walk", walk)
        raise ObjectNotFoundError("a folder is gone")

    monkeypatch.setattr(os, "scandir", racing)
    monkeypatch.setattr(Client, "walk", failing_once)
    assert sync(client, synced) == []


def test_a_dry_run_writes_nothing(client: Client, here: Path) -> None:
    (here / "a.txt").write_text("one")
    syncing = TwoWaySync(client, here, TOP, dry_run=True)
    assert [action.kind for action in syncing.plan().steps] == ["upload"]
    syncing.close()
    assert [path.name for path in here.iterdir()] == ["a.txt"]
    assert list(client.list_folder()) == []


def test_one_sync_of_a_folder_at_a_time(client: Client, synced: Path) -> None:
    first = TwoWaySync(client, synced, TOP)
    try:
        with pytest.raises(LocalFileError, match="another sync"):
            TwoWaySync(client, synced, TOP)
    finally:
        first.close()
