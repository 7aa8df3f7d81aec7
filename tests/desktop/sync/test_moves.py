"""What counts as moved here: the same inode with the same content, and nothing doubtful that has a public link."""

import shutil
from pathlib import Path

from tests.desktop.sync.both_sides import TOP, in_index, keys, same, sync

from skyshelf.client.sync_client import Client


def give_inode(here: Path, name: str, path: str) -> None:
    """Let the last sync have seen an item with the inode of a new one, as when the system reuses it."""
    in_index(here, "UPDATE entries SET inode = ? WHERE name = ?", (here / path).stat().st_ino, name)


def create_private(here: Path, content: str) -> None:
    """Delete the folder `deep`, and create another one that gets its inodes."""
    shutil.rmtree(here / "deep")
    (here / "private").mkdir()
    (here / "private/b.txt").write_text(content)
    give_inode(here, "deep", "private")
    give_inode(here, "b.txt", "private/b.txt")


def linked(client: Client) -> set[str]:
    return {found.name for found in client.shares.objects()}


def test_a_new_folder_with_the_inode_of_a_deleted_one_is_not_that_folder(client: Client, synced: Path) -> None:
    before = keys(client)
    create_private(synced, "private")
    sync(client, synced)
    assert same(client, synced)
    assert before["deep"] not in keys(client).values()
    assert {one.name for one in client.trash.list()} == {"deep"}


def test_a_link_to_a_deleted_folder_never_shows_a_new_one(client: Client, synced: Path) -> None:
    client.shares.create([f"{TOP}/deep"])
    create_private(synced, "two")
    (synced / "private/secret.txt").write_text("secret")
    sync(client, synced)
    assert same(client, synced)
    assert linked(client) == set()


def test_a_link_inside_a_deleted_folder_never_shows_a_new_file(client: Client, synced: Path) -> None:
    (synced / "deep/c.txt").write_text("to be shown")
    sync(client, synced)
    client.shares.create([f"{TOP}/deep/c.txt"])
    create_private(synced, "two")
    (synced / "private/c.txt").write_text("not to be shown")
    sync(client, synced)
    assert same(client, synced)
    assert linked(client) == set()


def test_a_renamed_folder_is_moved_also_after_edits_in_it(client: Client, synced: Path) -> None:
    (synced / "deep/c.txt").write_text("three")
    sync(client, synced)
    before = keys(client)
    (synced / "deep").rename(synced / "renamed")
    (synced / "renamed/b.txt").write_text("edited")
    sync(client, synced)
    assert same(client, synced)
    assert keys(client)["renamed/b.txt"] == before["deep/b.txt"]


def test_the_files_of_a_renamed_folder_with_a_link_stay_the_same_files(client: Client, synced: Path) -> None:
    client.shares.create([f"{TOP}/deep"])
    before = keys(client)
    (synced / "deep").rename(synced / "renamed")
    sync(client, synced)
    assert same(client, synced)
    assert keys(client)["renamed/b.txt"] == before["deep/b.txt"]
    assert linked(client) == set()


def test_a_link_follows_a_file_that_was_moved_and_not_a_copy_of_it(client: Client, synced: Path) -> None:
    client.shares.create([f"{TOP}/a.txt", f"{TOP}/deep/b.txt"])
    (synced / "a.txt").rename(synced / "moved.txt")
    shutil.copy(synced / "deep/b.txt", synced / "copy.txt")
    (synced / "deep/b.txt").unlink()
    sync(client, synced)
    assert same(client, synced)
    assert linked(client) == {"moved.txt"}


def test_a_folder_that_is_deleted_after_a_file_was_moved_out_of_it_is_gone(client: Client, synced: Path) -> None:
    (synced / "deep/deeper").mkdir()
    (synced / "deep/deeper/c.txt").write_text("three")
    sync(client, synced)
    before = keys(client)
    (synced / "new").mkdir()
    (synced / "deep/deeper/c.txt").rename(synced / "new/c.txt")
    shutil.rmtree(synced / "deep")
    sync(client, synced)
    assert same(client, synced)
    assert keys(client) == {path: keys(client)[path] for path in ("a.txt", "new", "new/c.txt")}
    assert keys(client)["new/c.txt"] == before["deep/deeper/c.txt"]
