"""A backup that is run again: it costs one walk where nothing changed, and goes on wherever it was killed."""

import os
import subprocess
import sys

import pytest
from tests.cli.commands.test_transfers import contents
from tests.cli.typing_commands import Typist

from skyshelf.cli.base.file_records import TransferRecord
from skyshelf.client.local.names import STATE_FOLDER
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
        # The account; of 13 folders their files and their folders, and a look behind each page that had anything.
        assert proxy.requests - first <= 1 + 13 * 2 + 13
        assert first > proxy.requests - first, "the first run had more to do than to look"


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
