"""Killed at any moment, a backup and a restore go on where they were; what they leave behind is cleaned up."""

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.operating.backups import Backup, opened
from tests.operating.dying import run_until_killed
from tests.operating.dying_backup import RESTORING, TAKING
from tests.operating.folders import drive
from tests.operating.shelves import new_shelf
from tests.operating.stacks import Stack
from tests.operating.test_doctor import problems

from skyshelf.backup.places import BackupRefused
from skyshelf.storage.errors import StoresDoNotMatch
from skyshelf.storage.identity import check_identity
from skyshelf.storage.open import embedded_urls, open_blobs, open_metadata

pytestmark = pytest.mark.whole

ROOT = Path(__file__).parents[2]
FILES = 30


def test_a_backup_that_is_killed_again_and_again_copies_each_content_once(embedded: Stack, tmp_path: Path) -> None:
    shelf, backup = new_shelf(embedded), Backup(embedded, str(tmp_path / "backup"), tmp_path)
    for number in range(FILES):
        shelf.file(f"{number}.txt", b"content %d" % number)
    check_identity(embedded.ctx.metadata, embedded.ctx.blobs)
    for moment in TAKING:
        run_until_killed("backup", "take", backup.destination, *embedded.urls, str(backup.work / "taking"), moment)
        assert not list((backup.folder / "cuts").iterdir()), "no cut is better than half a cut"
    taken = backup.take()
    # The last two killed runs had copied and noted everything.
    assert (taken.cut.files, taken.cut.new_files) == (FILES, 0)
    assert not (backup.work / "taking").exists()
    assert not list((backup.folder / "partial").iterdir())
    assert not list((backup.folder / "unfinished").iterdir())
    assert backup.verify().passed
    backup.restore_to(tmp_path / "restored")
    with opened(shelf, *embedded_urls(tmp_path / "restored")) as there:
        assert drive(there) == drive(shelf)


def test_a_restore_that_is_killed_again_and_again_makes_one_store(embedded: Stack, tmp_path: Path) -> None:
    shelf, backup = new_shelf(embedded), Backup(embedded, str(tmp_path / "backup"), tmp_path)
    for number in range(FILES):
        shelf.file(f"{number}.txt", b"content %d" % number)
    backup.take()
    urls = embedded_urls(tmp_path / "restored")
    for moment in RESTORING:
        run_until_killed("backup", "restore", backup.destination, *urls, str(backup.work / "restoring"), moment)
        assert not (tmp_path / "restored" / "metadata.db").exists()
        if moment != "identity":
            _check_refused(*urls, tmp_path)
    restored = backup.restore(*urls)
    assert (restored.resumed, restored.files, restored.problems) == (True, FILES, [])
    with opened(shelf, *urls) as there:
        assert drive(there) == drive(shelf)
        assert problems(there.stack.ctx) == {}
        assert len(list(there.stack.ctx.blobs.list())) == FILES
        assert not list(there.stack.ctx.blobs.list_uploads())


def _check_refused(_: str, blobs: str, tmp_path: Path) -> None:
    """No service starts with the contents of an unfinished restore."""
    rows, contents = open_metadata((tmp_path / "other.db").as_uri()), open_blobs(blobs)
    try:
        with pytest.raises(StoresDoNotMatch):
            check_identity(rows, contents)
    finally:
        rows.close()
        contents.close()


@pytest.mark.parametrize("kind", ["folder", "bucket"])
def test_a_second_backup_at_once_is_refused_and_a_dead_one_is_not_waited_for(
    embedded: Stack, tmp_path: Path, bucket: Callable[[], str], kind: str
) -> None:
    new_shelf(embedded).file("one.txt", b"one")
    backup = Backup(embedded, str(tmp_path / "backup") if kind == "folder" else bucket(), tmp_path)
    with backup.place() as first, first.lock(), pytest.raises(BackupRefused, match="another backup"):
        backup.take()
    script = (
        "import os, signal, sys\nfrom skyshelf.backup import open_place\n"
        "with open_place(sys.argv[1], create=True).lock():\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    ended = subprocess.run([sys.executable, "-c", script, backup.destination], cwd=ROOT, timeout=120, check=False)
    assert ended.returncode == -signal.SIGKILL
    assert backup.take().cut.files == 1
    assert backup.verify().unknown == []
