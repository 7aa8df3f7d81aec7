"""What happens to people: an index from an old backup, a server that is read-only, laptops whose names differ."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.client.serving import ClientServer
from tests.desktop.sync.both_sides import TOP, Put, in_local_trash, local_tree, remote_hashes, run, same, sync

from skyshelf.client.errors import ReadOnlyError
from skyshelf.client.sync_client import Client
from skyshelf.desktop.sync.local_tree import STATE_FOLDER
from skyshelf.storage.metadata import read_only
from skyshelf.storage.metadata.read_only import ReadOnly

NAMES = [
    *("z:1", "x.", "y ", "con", "A.TXT", "a.txt", "\u00c4.txt", "y_", "y _", "..a", "what?", "what_"),
    *("a (conflict).txt", "caf\u00e9", "CAF\u00c9", "\u017f", "s", "S"),
]


@pytest.fixture
def laptop(tmp_path: Path) -> Path:
    """The folder of another computer."""
    folder = tmp_path / "laptop"
    folder.mkdir()
    return folder


@pytest.fixture
def only_reading(desktop_host: ClientServer, synced: Path) -> Iterator[Path]:
    """Both sides, and the server refuses every change from now on."""
    ctx = desktop_host.ctx
    read_only.switch_on(ctx.metadata, ReadOnly("we are moving to a new disk", ctx.clock.now()), [])
    yield synced
    read_only.switch_off(ctx.metadata, [])


def test_an_index_from_an_old_backup_takes_nothing_from_either_side(
    client: Client, synced: Path, there: Put, tmp_path: Path
) -> None:
    """The folder's state was restored, the folder itself was not."""
    shutil.copytree(synced / STATE_FOLDER, tmp_path / "old state")
    (synced / "deep/b.txt").unlink()
    (synced / "a.txt").write_text("one, edited here")
    there("c.txt", b"new there")
    sync(client, synced)
    there("a.txt", b"one, edited there")
    there("deep/b.txt", b"two, new again")
    sync(client, synced)
    before, server = local_tree(synced), remote_hashes(client)
    shutil.rmtree(synced / STATE_FOLDER)
    shutil.copytree(tmp_path / "old state", synced / STATE_FOLDER)
    assert sync(client, synced) == []
    assert (local_tree(synced), remote_hashes(client)) == (before, server)
    assert in_local_trash(synced) == {}


def test_an_index_from_an_old_backup_with_the_files_of_then_keeps_what_was_edited_since(
    client: Client, synced: Path, there: Put, tmp_path: Path
) -> None:
    """The whole folder was restored: what the server got since then is newer, and comes back."""
    shutil.copytree(synced, tmp_path / "old folder")
    (synced / "a.txt").write_text("one, edited here")
    there("c.txt", b"new there")
    sync(client, synced)
    newest = local_tree(synced)
    shutil.rmtree(synced)
    shutil.copytree(tmp_path / "old folder", synced)
    sync(client, synced)
    assert local_tree(synced) == newest
    assert same(client, synced)


def test_a_read_only_server_gets_nothing_and_loses_nothing(client: Client, only_reading: Path) -> None:
    here, server = only_reading, remote_hashes(client)
    (here / "a.txt").write_text("edited")
    (here / "deep/b.txt").rename(here / "b.txt")
    (here / "new.txt").write_text("new")
    before = local_tree(here)
    for _ in range(2):
        with pytest.raises(ReadOnlyError, match="new disk"):
            run(client, here)
        assert (local_tree(here), remote_hashes(client)) == (before, server)


def test_names_are_the_same_on_two_laptops_of_one_system(client: Client, here: Path, laptop: Path) -> None:
    for number, name in enumerate(NAMES):
        (here / name).write_text(f"{number}")
        (here / f"folder {name}").mkdir()
        (here / f"folder {name}" / name).write_text(f"below {number}")
    for _ in range(2):
        sync(client, here)
        sync(client, laptop)
    assert local_tree(laptop) == local_tree(here)
    assert len({one for one in local_tree(here).values() if one is not None}) == 2 * len(NAMES)
    assert sync(client, here) == sync(client, laptop) == []
    (laptop / "y ").write_text("edited on the laptop")
    (laptop / "x.").rename(laptop / "x:")
    sync(client, laptop)
    sync(client, here)
    assert local_tree(laptop) == local_tree(here)
    assert (here / "y ").read_text() == "edited on the laptop"


def test_a_lock_file_of_a_program_comes_and_goes_without_a_conflict(client: Client, synced: Path, laptop: Path) -> None:
    """LibreOffice has one beside each open document, and saves by renaming."""
    sync(client, laptop)
    lock = synced / ".~lock.letter.odt#"
    (synced / "letter.odt").write_text("draft")
    lock.write_text(",ada,laptop,19.11.2026 18:00;")
    sync(client, synced)
    sync(client, laptop)
    (synced / "lu1234.tmp").write_text("finished")
    (synced / "lu1234.tmp").replace(synced / "letter.odt")
    lock.unlink()
    sync(client, synced)
    sync(client, laptop)
    assert local_tree(laptop) == local_tree(synced)
    assert sorted(local_tree(synced)) == ["a.txt", "deep", "deep/b.txt", "letter.odt"]
    assert (laptop / "letter.odt").read_text() == "finished"
    found = client.versions.list(f"{TOP}/letter.odt").obj_versions or []
    assert len(found) == 2
