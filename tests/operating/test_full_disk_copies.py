"""Backups, restores and upgrades on a disk that fills up in their middle: they end whole, or nothing has happened."""

import shutil
from collections.abc import Callable
from errno import ENOSPC
from pathlib import Path

import pytest
from tests.operating.backups import Backup, opened
from tests.operating.folders import drive
from tests.operating.full_disks import command
from tests.operating.shelves import Shelf, new_shelf
from tests.operating.stacks import Stack
from tests.real_parts.small_disks import MIB, small_disk

from skyshelf.backup.chunks import read_rows
from skyshelf.backup.cut import choose
from skyshelf.backup.verify import names_of
from skyshelf.storage.access import Access
from skyshelf.storage.errors import StorageError
from skyshelf.storage.open import embedded_urls, open_stores

FILES = 30
STEP = 160 * 1024


@pytest.fixture
def shelf(embedded: Stack) -> Shelf:
    shelf = new_shelf(embedded)
    for number in range(FILES):
        shelf.file(f"{number}.txt", b"%d" % number * 20_000)
    return shelf


@pytest.fixture
def backup(shelf: Shelf, tmp_path: Path) -> Backup:
    backup = Backup(shelf.stack, str(tmp_path / "backup"), tmp_path)
    backup.take()
    return backup


def problem_of(work: Callable[[], object]) -> StorageError | OSError | None:
    try:
        work()
    except (StorageError, OSError) as problem:
        return problem
    return None


def is_refused(data: Path) -> bool:
    """Whether a server would not start with what is there."""
    try:
        for half in open_stores(*embedded_urls(data), access=Access.LOOK):
            half.close()
    except StorageError:
        return True
    return False


@pytest.mark.whole
def test_a_restore_into_a_disk_that_fills_up_anywhere_is_never_taken_for_whole_and_is_finished_by_the_same_command(
    shelf: Shelf, backup: Backup, tmp_path: Path
) -> None:
    with small_disk(tmp_path / "disk", 48 * MIB) as disk:
        data = backup.work = disk.place / "restored"
        for space in range(0, 40 * MIB, STEP):
            disk.leave(space)
            if (problem := problem_of(lambda: backup.restore_to(data))) is None:
                break
            assert getattr(problem, "errno", None) == ENOSPC, problem
            assert is_refused(data)
            disk.clear()
            backup.restore_to(data)
            with opened(shelf, *embedded_urls(data)) as there:
                assert drive(there) == drive(shelf)
            shutil.rmtree(data)
        assert space > 2 * MIB


def test_rows_of_a_cut_are_never_short_on_a_disk_that_fills_up(backup: Backup, tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 16 * MIB) as disk, backup.place() as place:
        manifest = choose(place, None)
        assert manifest.cut is not None
        names, opener = names_of(manifest, None)
        whole, cut = tmp_path / "whole", disk.place / "rows"
        read_rows(place, opener, names, manifest.cut.database, whole)
        for space in range(0, whole.stat().st_size, 4096):
            disk.leave(space)
            with pytest.raises(OSError, match="No space left"):
                read_rows(place, opener, names, manifest.cut.database, cut)
            cut.unlink()
            disk.clear()
        read_rows(place, opener, names, manifest.cut.database, cut)
        assert cut.read_bytes() == whole.read_bytes()


def test_a_command_that_restores_into_a_full_disk_says_what_to_do(backup: Backup, tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 32 * MIB) as disk:
        for space in (0, 64 * 1024, MIB):
            disk.leave(space)
            ended = command("admin", "restore", backup.destination, "--data", str(disk.place / "data"))
            assert ended.returncode == 2
            assert "Traceback" not in ended.stderr
            assert "free some space there, or choose another disk" in ended.stderr
            disk.clear()
        ended = command("admin", "restore", backup.destination, "--data", str(disk.place / "data"))
        assert ended.returncode == 0, ended.stderr
        assert command("admin", "doctor", "--data", str(disk.place / "data")).returncode == 0


def test_every_command_that_copies_names_the_disk_that_is_full(shelf: Shelf, backup: Backup, tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "large.bin").write_bytes(bytes(4 * MIB))
    stores = shelf.stack.options
    with small_disk(tmp_path / "disk", 32 * MIB) as disk:
        own = ("--data", str(disk.place / "own"))
        assert command("admin", "init", *own).returncode == 0
        assert command("admin", "restore", backup.destination, "--data", str(disk.place / "served")).returncode == 0
        disk.leave(64 * 1024)
        for arguments in (
            ("backup", str(disk.place / "backup"), *stores),
            ("backup", str(tmp_path / "second"), *stores, "--work", str(disk.place)),
            ("restore", backup.destination, "--data", str(disk.place / "restored")),
            ("move", *stores, "--to-data", str(disk.place / "moved")),
            ("import", str(source), "--user", "ada@example.org", "--data", str(disk.place / "served")),
        ):
            ended = command("admin", *arguments)
            assert ended.returncode in {1, 2}, arguments
            said = ended.stderr.splitlines()[-1]
            assert f"no space left for {disk.place}" in said, (arguments, said)
            assert f", on the disk that is mounted at {disk.place}: free some space there, or choose another" in said


@pytest.mark.whole
def test_a_backup_to_a_target_that_fills_up_anywhere_leaves_the_earlier_cuts_and_goes_on(
    shelf: Shelf, tmp_path: Path
) -> None:
    with small_disk(tmp_path / "disk", 32 * MIB) as disk:
        backup = Backup(shelf.stack, str(disk.place / "backup"), tmp_path)
        first = backup.take().cut
        failed = 0
        for number, space in enumerate(range(0, 8 * MIB, STEP)):
            shelf.file(f"new {number}.bin", bytes([number]) * 300_000)
            disk.leave(space)
            if problem := problem_of(backup.take):
                failed += 1
                assert getattr(problem, "errno", None) == ENOSPC, problem
                assert backup.verify().passed
            disk.clear()
        assert failed > 2
        latest = backup.take().cut
        assert latest.files > first.files
        assert backup.verify().passed
        backup.restore_to(tmp_path / "restored")
        with opened(shelf, *embedded_urls(tmp_path / "restored")) as there:
            assert drive(there) == drive(shelf)
