"""Folders that stay on the server: they are removed here only when nothing can be lost by it."""

from pathlib import Path

import pytest
from tests.desktop.sync.both_sides import TOP, Put, in_local_trash, local_tree, remote_hashes, run, same, sync

from skyshelf.client.errors import LocalFileError
from skyshelf.client.sync_client import Client
from skyshelf.desktop.sync.local_side import LocalSide
from skyshelf.desktop.sync.local_tree import STATE_FOLDER
from skyshelf.desktop.sync.selection import SELECTION, Selection


def chosen(here: Path) -> Selection:
    return Selection(here / STATE_FOLDER)


def test_a_folder_is_removed_here_and_stays_there_and_comes_back(client: Client, synced: Path) -> None:
    before = remote_hashes(client)
    chosen(synced).add("deep")
    assert sync(client, synced) == ["trash local deep"]
    assert sorted(local_tree(synced)) == ["a.txt"]
    assert in_local_trash(synced) == {"deep/b.txt": b"two"}
    assert remote_hashes(client) == before
    assert sync(client, synced) == []
    chosen(synced).remove("deep")
    assert sorted(sync(client, synced)) == ["create local folder deep", "download deep/b.txt"]
    assert same(client, synced)


def test_what_changes_there_meanwhile_is_not_downloaded(client: Client, synced: Path, there: Put) -> None:
    chosen(synced).add("deep")
    sync(client, synced)
    there("deep/new.txt", b"new")
    assert sync(client, synced) == []
    assert not (synced / "deep").exists()


def test_a_change_here_is_uploaded_before_the_folder_goes(client: Client, synced: Path) -> None:
    (synced / "deep/b.txt").write_text("an edit")
    chosen(synced).add("deep")
    assert sync(client, synced) == ["upload deep/b.txt", "trash local deep"]
    chosen(synced).remove("deep")
    sync(client, synced)
    assert (synced / "deep/b.txt").read_text() == "an edit"


def test_a_folder_with_something_that_is_here_alone_stays(client: Client, synced: Path) -> None:
    (synced / "deep/notes.tmp").write_text("mine")
    chosen(synced).add("deep")
    events, result = run(client, synced, select=lambda path, _: not path.endswith(".tmp"))
    assert [(event.kind, event.path) for event in events] == [("left", "deep")]
    assert result.failures == []
    assert "here alone" in events[0].reason
    assert (synced / "deep/b.txt").exists()


def test_a_folder_that_is_gone_there_when_it_is_looked_at_stays(
    client: Client, synced: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen(synced).add("deep")
    put_away = Selection.put_away

    def others_first(*given: object) -> object:
        client.move_to_trash([f"{TOP}/deep"])
        return put_away(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(Selection, "put_away", others_first)
    events, _ = run(client, synced)
    assert ["deleted or moved on the server" in event.reason for event in events] == [True]
    assert (synced / "deep/b.txt").exists()


def test_a_kill_while_a_folder_is_removed_deletes_nothing_there(
    client: Client, synced: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = remote_hashes(client)
    chosen(synced).add("deep")
    trash = LocalSide.trash

    class Killed(BaseException):
        """A kill."""

    for is_after in (True, False):

        def killed(side: LocalSide, parts: tuple[str, ...], node: object, *, is_after: bool = is_after) -> None:
            if is_after:
                trash(side, parts, node)  # type: ignore[arg-type]
            raise Killed

        monkeypatch.setattr(LocalSide, "trash", killed)
        with pytest.raises(Killed):
            run(client, synced)
        monkeypatch.setattr(LocalSide, "trash", trash)
        assert sync(client, synced) == []
        assert remote_hashes(client) == before
        chosen(synced).remove("deep")
        sync(client, synced)
        assert same(client, synced)
        chosen(synced).add("deep")


def test_a_selection_that_cannot_be_read_stops_the_sync(client: Client, synced: Path) -> None:
    (synced / STATE_FOLDER / SELECTION).write_text("{")
    with pytest.raises(LocalFileError, match="delete it, and use `skyshelf sync omit` again"):
        run(client, synced)


def test_what_does_not_stay_there_cannot_be_chosen_again(synced: Path) -> None:
    with pytest.raises(LocalFileError, match="does not stay on the server"):
        chosen(synced).remove("deep")
