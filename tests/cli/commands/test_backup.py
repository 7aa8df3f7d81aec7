"""A backup that is run again: it costs one walk where nothing changed, and goes on wherever it was killed."""

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from tests.cli.commands.test_transfers import contents
from tests.cli.typing_commands import Typist
from tests.client.serving import begin_epoch

from skyshelf.cli.base.records import TransferRecord
from skyshelf.cli.commands.backup_copy import BackupCheckRecord, BackupRunRecord, KeptFileRecord
from skyshelf.client.local.names import REPLACED_FOLDER, STATE_FOLDER
from skyshelf.testing.faults import FaultPlan
from skyshelf.testing.proxy import FaultProxy

KILLS = 50


@pytest.fixture
def many(typist: Typist) -> Typist:
    """A drive with 300 files in 12 folders."""
    drive = typist.drive
    for folder in drive.add_folders([f"folder {number}" for number in range(12)]):
        # The same in each folder, so that the store has little to sync.
        drive.add_files([(f"{name}.bin", f"{name:04d}".encode() * 500) for name in range(25)], folder)
    return typist


def test_an_unchanged_backup_costs_one_walk_and_nothing_else(many: Typist) -> None:
    with FaultProxy(many.server, FaultPlan()) as proxy:
        many.move_session(proxy.url)
        many.done("backup", "copy", "--no-index")
        first = proxy.requests
        again = many.record(TransferRecord, "backup", "copy", "--no-index")
        assert (again.done, again.skipped) == (0, 300)
        # The account, and the epoch before and after; of 13 folders their files and their folders, and a look behind
        # each page that had anything.
        assert proxy.requests - first <= 3 + 13 * 2 + 13
        assert first > proxy.requests - first, "the first run had more to do than to look"


def kept(copy: Path) -> dict[str, bytes]:
    """What a backup has replaced, by its path."""
    runs = (copy / REPLACED_FOLDER).glob("*/*")
    return {path.name: path.read_bytes() for path in runs}


def test_a_server_that_was_moved_or_restored_stops_the_backup(typist: Typist) -> None:
    copy, write = typist.desk / "copy", typist.person.server.ctx.metadata.write
    typist.drive.add_files([("a.txt", b"new"), ("b.txt", b"b")])
    typist.done("backup", "copy")
    typist.drive.add_file("a.txt", b"old")
    write(begin_epoch)
    for more in ((), ("--dry-run",), ("--overwrite",)):
        code, words = typist.refused("backup", "copy", *more)
        assert code == 7
        assert "The server has other data than before. The backup may be newer than the server" in words
        assert "--accept-server-state" in words
    assert [(copy / name).read_bytes() for name in ("a.txt", "b.txt")] == [b"new", b"b"]
    typist.done("backup", "copy", "--accept-server-state", "--dry-run")
    assert typist.refused("backup", "copy")[0] == 7
    accepted = typist.run("backup", "copy", "--accept-server-state")
    assert accepted.returncode == 0, accepted.stderr
    assert "Kept 1 replaced file in copy/.skyshelf-replaced" in accepted.stderr
    assert (copy / "a.txt").read_bytes() == b"old"
    assert kept(copy) == {"a.txt": b"new"}
    typist.drive.add_file("a.txt", b"newest")
    typist.done("backup", "copy", "--keep-replaced", "forever")
    write(begin_epoch)
    assert typist.refused("backup", "copy")[0] == 7


@pytest.mark.parametrize("server", ["restored", "the same"])
def test_a_folder_that_is_downloaded_again_keeps_what_that_replaces(typist: Typist, server: str) -> None:
    copy = typist.desk / "copy"
    typist.drive.add_files([("a.txt", b"new"), ("b.txt", b"b")])
    typist.done("get", "/", "copy/")
    typist.drive.add_file("a.txt", b"old")
    if server == "restored":
        typist.person.server.ctx.metadata.write(begin_epoch)
    again = typist.run("get", "/", "copy/")
    assert again.returncode == 0, again.stderr
    assert "Kept 1 replaced file in .skyshelf-replaced" in again.stderr
    assert (copy / "a.txt").read_bytes() == b"old"
    assert kept(copy) == {"a.txt": b"new"}


def test_what_is_deleted_on_the_server_stays_in_the_copy(typist: Typist) -> None:
    copy = typist.desk / "copy"
    typist.drive.add_files([("a.txt", b"a"), ("b.txt", b"b")])
    typist.drive.add_file("c.txt", b"c", typist.drive.add_folder("deep"))
    typist.done("backup", "copy")
    typist.done("rm", "/a.txt", "/deep")
    typist.done("trash", "empty", "--yes")
    for more in ((), ("--overwrite",)):
        typist.done("backup", "copy", *more)
        assert contents(copy).keys() == {"a.txt", "b.txt", "deep/c.txt"}


def test_a_period_is_a_number_with_a_unit_or_forever(typist: Typist) -> None:
    code, words = typist.refused("backup", "copy", "--keep-replaced", "soon")
    assert code == 2
    assert "'soon' is not a period: use 90d, 12w, 24h or forever" in words


@pytest.mark.whole
def test_a_backup_killed_at_fifty_moments_ends_whole(many: Typist) -> None:
    many.drive.add_file("large.bin", os.urandom(12_000_000))
    # So slow that the rounds together never come to the end by themselves.
    command = ["backup", "copy", "--quiet", "--workers", "3", "--limit-rate", "500k", "--no-index"]
    killing = [
        sys.executable,
        "-m",
        "tests.cli.killing",
        str(KILLS),
        "0.01",
        "0.2",
        "17",
        "copy/folder*/*.bin",
        "--",
        *command,
    ]
    ended = subprocess.run(
        killing,
        env=many.environment | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        cwd=many.desk,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    killed, failed = map(int, ended.stdout.split())
    assert failed == 0
    assert killed == KILLS
    copy = many.desk / "copy"
    before = len(contents(copy))
    last = many.record(TransferRecord, "backup", "copy", "--verify")
    assert last.failed == []
    assert last.done + last.skipped == 301
    # Some rounds got somewhere, and none of them was trusted with everything.
    assert 0 < last.skipped <= before
    assert last.done > 0
    names = {f"folder {folder}/{name}.bin" for folder in range(12) for name in range(25)} | {"large.bin"}
    assert contents(copy).keys() == names
    assert not list(copy.rglob("*.part"))
    assert (copy / STATE_FOLDER).is_dir()


def test_a_backup_is_verified_without_its_server(typist: Typist) -> None:
    copy = typist.desk / "copy"
    folder = typist.drive.add_folder("deep")
    typist.drive.add_files([(f"{name}.txt", b"content of " + name.encode()) for name in "abcd"], folder)
    typist.done("backup", "copy")
    typist.done("logout")
    assert typist.record(BackupCheckRecord, "backup", "verify", "copy") == BackupCheckRecord(
        files=4, bytes=4 * len(b"content of a"), damaged=[]
    )
    (copy / "deep/a.txt").unlink()
    before = (copy / "deep/b.txt").stat()
    (copy / "deep/b.txt").write_bytes(b"CONTENT of b")
    os.utime(copy / "deep/b.txt", ns=(before.st_atime_ns, before.st_mtime_ns))
    (copy / "deep/c.txt").write_bytes(b"my own words")
    (copy / "deep/mine.txt").write_bytes(b"mine")
    ended = typist.run("backup", "verify", "copy", "--json")
    assert ended.returncode == 1
    found = msgspec.json.decode(ended.stdout, type=BackupCheckRecord)
    assert [(one.path, one.reason) for one in found.damaged] == [
        ("deep/a.txt", "it is missing"),
        ("deep/b.txt", "content differs from the download"),
        ("deep/c.txt", "it was changed after the download"),
    ]
    assert "3 files of 4 missing, damaged or changed" in ended.stderr
    code, words = typist.refused("backup", "verify", ".")
    assert code == 1
    assert "is not a backup" in words


def test_the_log_of_a_backup_has_its_runs_and_the_former_contents_of_a_file(typist: Typist) -> None:
    typist.drive.add_file("a.txt", b"first")
    typist.done("backup", "copy")
    typist.drive.add_file("a.txt", b"second one")
    assert typist.record(TransferRecord, "backup", "run", "copy").done == 1
    typist.done("backup", "copy", "--dry-run")
    runs = typist.records(BackupRunRecord, "backup", "log", "copy")
    assert [(one.done, one.bytes, one.replaced, one.failed, one.stopped) for one in runs] == [
        (1, 10, 1, 0, None),
        (1, 5, 0, 0, None),
    ]
    [kept_one] = typist.records(KeptFileRecord, "backup", "kept", "copy", "a.txt")
    assert (typist.desk / kept_one.path).read_bytes() == b"first"
    assert kept_one.size_bytes == 5
    assert typist.records(KeptFileRecord, "backup", "kept", "copy", "b.txt") == []
    assert "1 file (10 B)  1 replaced  0 failed" in typist.done("backup", "log", "copy")


def test_a_run_that_ends_early_is_in_the_log(typist: Typist) -> None:
    typist.drive.add_file("a.txt", b"first")
    typist.done("backup", "copy")
    assert typist.refused("backup", "copy", "--from", "/missing")[0] == 6
    log = typist.desk / "copy" / STATE_FOLDER / "log.jsonl"
    log.write_bytes(log.read_bytes() + b'{"began":"20')
    last, first = typist.records(BackupRunRecord, "backup", "log", "copy")
    assert first.stopped is None
    assert last.stopped
    assert last.done == 0
