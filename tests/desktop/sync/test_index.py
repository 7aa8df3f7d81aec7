"""An index that is damaged, or that has no space to be written."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.desktop.sync.both_sides import TOP, in_index, run, same, sync
from tests.real_parts.small_disks import MIB, small_disk

from skyshelf.client.errors import LocalFileError
from skyshelf.client.local.files import DiskFullError
from skyshelf.client.sync_client import Client
from skyshelf.desktop.sync.index import Entry, SyncIndex
from skyshelf.desktop.sync.local_tree import STATE_FOLDER
from skyshelf.desktop.sync.rounds import TwoWaySync


def overwrite_all(here: Path) -> None:
    (here / STATE_FOLDER / "index.db").write_bytes(b"no database " * 1000)


def overwrite_pages(here: Path) -> None:
    path = here / STATE_FOLDER / "index.db"
    content = path.read_bytes()
    path.write_bytes(content[:4096] + bytes([0xAA]) * (len(content) - 4096))


def damage_row(here: Path) -> None:
    in_index(here, "UPDATE entries SET size = 'three' WHERE name = 'a.txt'")


@pytest.mark.parametrize("damage", [overwrite_all, overwrite_pages, damage_row])
def test_a_damaged_index_is_set_aside_by_starting_over(
    client: Client, synced: Path, damage: Callable[[Path], None]
) -> None:
    damage(synced)
    (synced / "a.txt").write_text("edited")
    with pytest.raises(LocalFileError, match=r"is damaged.*--start-over, which sets it aside"):
        run(client, synced)
    sync(client, synced, start_over=True)
    assert same(client, synced)
    assert sync(client, synced) == []
    assert (synced / STATE_FOLDER / "former-index.db").exists()


def test_a_dry_run_sets_nothing_aside(client: Client, synced: Path) -> None:
    overwrite_all(synced)
    syncing = TwoWaySync(client, synced, TOP, dry_run=True, start_over=True)
    assert syncing.plan().deletions == []
    syncing.close()
    assert (synced / STATE_FOLDER / "index.db").read_bytes().startswith(b"no database")


def test_a_full_disk_is_named_and_the_index_stays_usable(tmp_path: Path) -> None:
    index = SyncIndex(tmp_path / "index.db")
    entry = Entry(parent=0, name="n" * 100_000, remote_name="", is_folder=False, key="key")
    index._database.execute("PRAGMA max_page_count = 8")
    for write in (lambda: index.put(name="v" * 100_000), lambda: index.record(entry)):
        with pytest.raises(DiskFullError, match="the disk is full"):
            write()
    index._database.execute("PRAGMA max_page_count = 1000")
    index.put(name="value")
    index.record(entry)
    assert index.get("name") == "value"
    index.close()


@pytest.mark.whole
def test_a_disk_without_a_byte_left_ends_the_sync_with_that_reason(client: Client, tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 4 * MIB) as disk:
        (disk.place / "a.txt").write_text("one")
        sync(client, disk.place)
        (disk.place / "a.txt").rename(disk.place / "b.txt")
        disk.fill()
        with pytest.raises(DiskFullError, match="disk is full"):
            run(client, disk.place)
        disk.clear()
        sync(client, disk.place)
        assert same(client, disk.place)


def test_an_index_whose_folder_vanishes_while_it_is_opened_is_an_error_with_a_reason(tmp_path: Path) -> None:
    with pytest.raises(LocalFileError, match="cannot access the index"):
        SyncIndex(tmp_path / "unmounted" / "index.db")
