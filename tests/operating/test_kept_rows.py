"""Looks at a cut after the first one read its rows from where they were unpacked; nothing stays that is not used."""

import fcntl
import os
import shutil
import tempfile
import time
from pathlib import Path

import pytest
from tests.operating.backups import Backup
from tests.operating.shelves import new_shelf
from tests.operating.stacks import Stack
from tests.operating.test_restore_account import run, run_json

from skyshelf.cli.admin.cuts import kept
from skyshelf.storage.identity import check_identity


@pytest.fixture
def work(tmp_path: Path) -> Path:
    work = tmp_path / "work"
    work.mkdir()
    return work


@pytest.fixture
def backup(embedded: Stack, tmp_path: Path) -> Backup:
    shelf = new_shelf(embedded)
    check_identity(embedded.ctx.metadata, embedded.ctx.blobs)
    shelf.file("letter.txt", b"dear reader")
    backup = Backup(embedded, str(tmp_path / "backup"), tmp_path)
    backup.take()
    return backup


def look(backup: Backup, work: Path, *options: str, expecting: int = 0) -> list[str]:
    """Return the names in the account's root."""
    shown = ("--list", "--account", "ada@example.org", "--work", str(work), *options)
    found = run_json("restore", backup.destination, *shown, expecting=expecting)
    return [one["name"] for one in found["entries"]]


def kept_in(work: Path) -> list[Path]:
    return sorted(path.parent for path in work.glob("skyshelf-cut-kept-*/*/rows"))


def lose_rows(backup: Backup) -> None:
    """Whoever reads the rows again fails."""
    for pack in (backup.folder / "packs").iterdir():
        pack.rename(backup.folder / pack.name)


def last_used(kept_rows: Path, *, seconds_ago: int) -> None:
    os.utime(kept_rows / "lock", (time.time() - seconds_ago,) * 2)


def test_the_second_look_reads_no_rows_of_the_backup(backup: Backup, work: Path) -> None:
    assert look(backup, work) == ["letter.txt"]
    (rows,) = kept_in(work)
    assert rows.parent.stat().st_mode & 0o777 == 0o700
    lose_rows(backup)
    assert look(backup, work) == ["letter.txt"]
    run("restore", backup.destination, "--list", "--cut", "2", "--work", work)
    target = work / "out"
    run("restore", backup.destination, "--account", "ada@example.org", "--to", target, "--work", work)
    assert (target / "letter.txt").read_bytes() == b"dear reader"


def test_what_nobody_used_for_an_hour_is_removed(backup: Backup, work: Path) -> None:
    look(backup, work)
    (rows,) = kept_in(work)
    last_used(rows, seconds_ago=3700)
    run("verify", backup.destination, "--data", work / "nothing", "--work", work)
    assert list(work.iterdir()) == []


def test_another_cut_is_unpacked_and_few_are_kept(backup: Backup, work: Path) -> None:
    for number in range(4):
        new_shelf(backup.stack, f"person{number}@example.org")
        backup.take()
        found = run_json("restore", backup.destination, "--list", "--cut", newest(backup), "--work", work)
        assert len(found["accounts"]) == number + 2
    assert len(kept_in(work)) == 3


def newest(backup: Backup) -> str:
    return str(run_json("cuts", backup.destination)[-1]["id"])


def test_rows_of_an_encrypted_backup_are_not_kept(embedded: Stack, tmp_path: Path, work: Path) -> None:
    new_shelf(embedded).file("letter.txt", b"dear reader")
    check_identity(embedded.ctx.metadata, embedded.ctx.blobs)
    backup = Backup(embedded, str(tmp_path / "backup"), tmp_path, encrypted=True)
    backup.take()
    (tmp_path / "key.txt").write_text(str(backup.identity))
    assert look(backup, work, "--identity", str(tmp_path / "key.txt")) == ["letter.txt"]
    assert list(work.iterdir()) == []


def test_a_look_beside_another_one_unpacks_for_itself(backup: Backup, work: Path) -> None:
    look(backup, work)
    (rows,) = kept_in(work)
    with (rows / "lock").open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        last_used(rows, seconds_ago=3700)
        assert look(backup, work) == ["letter.txt"]
        assert kept_in(work) == [rows], "what is in use stays"
        lose_rows(backup)
        run("restore", backup.destination, "--list", "--cut", "2", "--work", work, expecting=2)
    assert not [path for path in work.iterdir() if "kept" not in path.name]


def test_a_killed_look_leaves_nothing_that_counts_as_rows(backup: Backup, work: Path) -> None:
    look(backup, work)
    (rows,) = kept_in(work)
    (rows / "rows").rename(rows / "unfinished")
    (rows / "unfinished" / "metadata.db").write_bytes(b"half of it")
    assert look(backup, work) == ["letter.txt"]
    assert kept_in(work) == [rows]


def test_nothing_is_kept_where_others_can_read_it_or_space_is_short(
    backup: Backup, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    foreign = work / f"skyshelf-cut-kept-{os.getuid()}"
    foreign.mkdir()
    foreign.chmod(0o755)
    assert look(backup, work) == ["letter.txt"]
    assert list(foreign.iterdir()) == []
    foreign.rmdir()
    monkeypatch.setattr(kept, "_SHARE", shutil.disk_usage(work).total)
    assert look(backup, work) == ["letter.txt"]
    assert kept_in(work) == []


def test_a_machine_without_a_temporary_folder_has_nothing_to_remove(monkeypatch: pytest.MonkeyPatch) -> None:
    """A check would end with the status of damage."""

    def nowhere() -> str:
        raise FileNotFoundError("No usable temporary directory found")

    monkeypatch.setattr(tempfile, "gettempdir", nowhere)
    kept.remove_unused(None)
