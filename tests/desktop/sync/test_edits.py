"""How an edit is noticed that leaves the size and the time of modification as they were."""

import os
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from tests.desktop.sync.both_sides import TOP, Put, in_index, local_tree, md5, remote_hashes, same, sync

from skyshelf.client.sync_client import Client
from skyshelf.desktop.sync import local_side
from skyshelf.desktop.sync.local_side import LocalSide

LONG_AGO = 1_600_000_000_000_000_000


def edit(path: Path, content: str) -> None:
    """Write a file, and give it the time that it had."""
    path.write_text(content)
    os.utime(path, ns=(LONG_AGO, LONG_AGO))


@pytest.fixture
def old(client: Client, here: Path) -> Path:
    """Both sides with two files that were written long ago, and have one size."""
    edit(here / "a.txt", "one")
    edit(here / "b.txt", "two")
    sync(client, here)
    return here


def test_an_edit_of_the_same_size_in_the_same_moment_is_noticed(client: Client, synced: Path) -> None:
    found = (synced / "a.txt").stat()
    (synced / "a.txt").write_text("two")
    os.utime(synced / "a.txt", ns=(found.st_atime_ns, found.st_mtime_ns))
    assert sync(client, synced) == ["upload a.txt"]


def test_two_files_that_take_each_others_names_are_noticed(client: Client, old: Path) -> None:
    (old / "a.txt").rename(old / "c.txt")
    (old / "b.txt").rename(old / "a.txt")
    (old / "c.txt").rename(old / "b.txt")
    assert sorted(sync(client, old)) == ["upload a.txt", "upload b.txt"]
    assert remote_hashes(client) == {"a.txt": md5(b"two"), "b.txt": md5(b"one")}


def test_a_file_that_is_replaced_by_one_of_its_time_is_noticed(client: Client, old: Path) -> None:
    edit(old / "new.txt", "six")
    (old / "new.txt").replace(old / "a.txt")
    assert sync(client, old) == ["upload a.txt"]


def test_a_file_that_is_written_and_gets_its_old_time_is_noticed(client: Client, old: Path) -> None:
    edit(old / "a.txt", "six")
    assert sync(client, old) == ["upload a.txt"]


def test_an_equal_file_is_read_once_and_then_known(client: Client, old: Path) -> None:
    edit(old / "copy.txt", "one")
    (old / "copy.txt").replace(old / "a.txt")
    read: list[str] = []
    for _ in range(2):
        assert sync(client, old, hashed=lambda path, _: read.append(path)) == []
    assert read == ["a.txt"]


def test_an_index_without_times_of_change_reads_nothing_again(client: Client, old: Path) -> None:
    in_index(old, "UPDATE entries SET changed_ns = NULL")
    read: list[str] = []
    assert sync(client, old, hashed=lambda path, _: read.append(path)) == []
    assert read == []
    edit(old / "a.txt", "six")
    assert sync(client, old) == ["upload a.txt"]


@pytest.mark.parametrize("content", ["edited since then", "six"])
def test_a_file_that_changes_while_it_is_replaced_is_kept(
    client: Client, old: Path, there: Put, monkeypatch: pytest.MonkeyPatch, content: str
) -> None:
    there("a.txt", b"theirs")
    place = local_side.LocalSide.place

    def slow(*arguments: object, **options: object) -> object:
        edit(old / "a.txt", content)
        monkeypatch.setattr(local_side.LocalSide, "place", place)
        return place(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(local_side.LocalSide, "place", slow)
    sync(client, old)
    assert {b"theirs", content.encode()} <= set(local_tree(old).values())
    assert same(client, old)


def test_what_is_saved_as_soon_as_a_download_has_its_name_is_no_download(
    client: Client, synced: Path, there: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    there("a.txt", b"from another device")
    link = os.link

    def link_and_save(*arguments: Any, **options: Any) -> None:
        link(*arguments, **options)
        monkeypatch.undo()
        (synced / "a.txt").write_text("saved at once")

    monkeypatch.setattr(os, "link", link_and_save)
    sync(client, synced)
    there("a.txt", b"from another device, again")
    sync(client, synced)
    assert {b"saved at once", b"from another device, again"} <= set(local_tree(synced).values())
    assert same(client, synced)


@pytest.mark.parametrize("edited", ["here", "there", "both"])
def test_a_rename_on_both_sides_does_not_hide_an_edit(client: Client, synced: Path, there: Put, edited: str) -> None:
    client.rename(f"{TOP}/a.txt", "b.txt")
    (synced / "a.txt").rename(synced / "b.txt")
    written = {"one"}
    if edited != "there":
        (synced / "b.txt").write_text("edited here")
        written = written - {"one"} | {"edited here"}
    if edited != "here":
        there("b.txt", b"edited there")
        written = written - {"one"} | {"edited there"}
    # A conflict ends a round after it has recorded names.
    (synced / "new.txt").write_text("new here")
    there("new.txt", b"new there")
    sync(client, synced)
    assert same(client, synced)
    found = {content.decode() for content in local_tree(synced).values() if content is not None}
    assert {"two", "new here", "new there"} | written <= found
    assert sync(client, synced) == []


def test_items_in_conflict_get_names_that_differ_by_more_than_case(here: Path) -> None:
    side = LocalSide(here, "laptop")
    side.prepare()
    side.begin(datetime(2026, 5, 4, 9).astimezone())
    for name in ("a.txt", "A.TXT"):
        (here / name).write_text(name)
    made = [side.give_way((name,)) for name in ("a.txt", "A.TXT")]
    assert made == ["a (conflict laptop 2026-05-04 0900).txt", "A (conflict laptop 2026-05-04 0900 2).TXT"]
