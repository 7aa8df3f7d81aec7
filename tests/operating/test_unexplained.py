"""What killed backups leave is removed after some days, with a record, and never when it is much."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.operating.backups import Backup
from tests.operating.shelves import Shelf, new_shelf
from tests.operating.stacks import Stack
from tests.operating.test_restore_account import run, run_json

from skyshelf.backup import unexplained
from skyshelf.backup.contents import Journal
from skyshelf.backup.places import BackupRefused
from skyshelf.backup.unexplained import UnexplainedResult, remove_unexplained

DAY = 86_400_000
START = 1_790_000_000_000


@pytest.fixture
def shelf(embedded: Stack) -> Shelf:
    shelf = new_shelf(embedded)
    for number in range(4):
        shelf.file(f"{number}.txt", b"content %d" % number)
    return shelf


@pytest.fixture(params=["folder", "bucket"])
def backup(request: pytest.FixtureRequest, shelf: Shelf, tmp_path: Path, bucket: Callable[[], str]) -> Backup:
    destination = str(tmp_path / "backup") if request.param == "folder" else bucket()
    return Backup(shelf.stack, destination, tmp_path, encrypted=True)


class _Killed(BaseException):
    """Ends a backup as a kill would: nothing of it is undone."""


def _kill_a_backup(backup: Backup, monkeypatch: pytest.MonkeyPatch) -> int:
    """Leave what an encrypted backup has stored without noting it; how many objects."""
    with backup.place() as place:
        before = {kept.name for kept in place.list("")}
    with monkeypatch.context() as patched:

        def killed(*_: object) -> None:
            raise _Killed

        patched.setattr(Journal, "note", killed)
        with pytest.raises(_Killed):
            backup.take(at=START)
    with backup.place() as place:
        return len({kept.name for kept in place.list("")} - before)


def _remove(backup: Backup, *, day: float, released: bool = False) -> UnexplainedResult:
    with backup.place() as place, place.lock():
        return remove_unexplained(place, released=released, now=lambda: START + int(day * DAY))


def test_leftovers_of_killed_backups_are_noted_and_removed_a_week_later(
    backup: Backup, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _kill_a_backup(backup, monkeypatch) == 4
    backup.take(at=START)
    assert len(backup.verify(deep=False).unknown) == 4
    first = _remove(backup, day=0)
    assert (first.removed, first.waiting) == ([], 4)
    assert len(backup.verify().unknown) == 4
    assert _remove(backup, day=6.9).waiting == 4
    last = _remove(backup, day=7)
    assert (len(last.removed), last.waiting, last.bytes > 0) == (4, 0, True)
    found = backup.verify()
    assert (found.passed, found.unknown) == (True, [])
    with backup.place() as place:
        (record,) = [json.loads(place.get(kept.name)) for kept in place.list("history/")]
    assert sorted(record["unexplained"]) == sorted(last.removed)
    assert backup.restore_to(backup.work / "restored").problems == []


def test_an_object_that_a_cut_explains_by_then_stays(backup: Backup) -> None:
    """Somebody had moved a manifest away, and has put it back."""
    backup.take(at=START)
    newest = backup.take(at=START + DAY).cut
    first = f"cuts/{newest.id}.json"
    with backup.place() as place:
        older = next(kept.name for kept in place.list("cuts/") if kept.name != first)
        manifests = {name: place.get(name) for name in (first, older)}
        place.delete([first])
    noted = _remove(backup, day=2)
    with backup.place() as place:
        place.put(first, manifests[first])
    assert _remove(backup, day=20).removed == []
    assert noted.removed == []
    assert (backup.verify().passed, backup.verify().cuts) == (True, 2)


def test_what_an_unfinished_backup_has_noted_stays(backup: Backup, monkeypatch: pytest.MonkeyPatch) -> None:
    backup.take(at=START)
    shelf = Shelf(backup.stack, new_shelf(backup.stack, "grace@example.org").account)
    shelf.file("more.txt", b"more")
    with monkeypatch.context() as patched:

        def killed(*_: object) -> None:
            raise _Killed

        patched.setattr("skyshelf.backup.run._Run._finish", killed)
        with pytest.raises(_Killed):
            backup.take(at=START)
    assert (_remove(backup, day=0).waiting, _remove(backup, day=30).removed) == (0, [])
    assert backup.take(at=START + 31 * DAY).cut.new_files == 0


def test_much_is_left_until_it_is_released(backup: Backup, monkeypatch: pytest.MonkeyPatch) -> None:
    _kill_a_backup(backup, monkeypatch)
    backup.take(at=START)
    monkeypatch.setattr(unexplained, "FEW_UNEXPLAINED", 2)
    with pytest.raises(BackupRefused, match="--release"):
        _remove(backup, day=0)
    assert _remove(backup, day=0, released=True).waiting == 4
    with pytest.raises(BackupRefused, match="--release"):
        _remove(backup, day=8)
    assert len(_remove(backup, day=8, released=True).removed) == 4


def test_nothing_is_removed_while_a_cut_cannot_be_read(shelf: Shelf, tmp_path: Path) -> None:
    backup = Backup(shelf.stack, str(tmp_path / "backup"), tmp_path)
    backup.take(at=START)
    (manifest,) = (backup.folder / "cuts").iterdir()
    whole = manifest.read_bytes()
    manifest.write_bytes(whole[:-70])
    with pytest.raises(BackupRefused, match="nothing was removed"):
        _remove(backup, day=0)
    manifest.unlink()
    with pytest.raises(BackupRefused, match="there is no cut"):
        _remove(backup, day=0)
    manifest.write_bytes(whole)
    for path in (backup.folder / "lists").iterdir():
        path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(BackupRefused, match="nothing was removed"):
        _remove(backup, day=0)


def test_files_of_others_are_never_removed(shelf: Shelf, tmp_path: Path) -> None:
    backup = Backup(shelf.stack, str(tmp_path / "backup"), tmp_path)
    backup.take(at=START)
    blob = next(path for path in (backup.folder / "blobs").rglob("*") if path.is_file())
    mine = (backup.folder / "notes.txt", blob.with_name("mine.txt"), backup.folder / "packs" / "mine.txt")
    for path in mine:
        path.write_text("mine")
    assert (_remove(backup, day=0).waiting, _remove(backup, day=30).removed) == (0, [])
    assert all(path.exists() for path in mine)


def test_the_command(shelf: Shelf, tmp_path: Path) -> None:
    backup = Backup(shelf.stack, str(tmp_path / "backup"), tmp_path)
    backup.take()
    blob = next(path for path in (backup.folder / "blobs").rglob("*") if path.is_file())
    stray = blob.with_name(blob.name[:2] + "0" * 62)
    stray.write_bytes(b"stray")
    assert "1 unexplained object noted" in run("prune", backup.destination, "--remove-unexplained").stdout
    assert run_json("prune", backup.destination, "--remove-unexplained")["unexplained"]["waiting"] == 1
    assert stray.exists()
    assert run_json("prune", backup.destination, "--keep", "7d")["removed"]["cuts"] == []
    assert "nothing to do" in run("prune", backup.destination, expecting=2).stderr
    assert "--remove-unexplained" in run("prune", backup.destination, "--keep", "7d", "--release", expecting=2).stderr
