"""A backup that is made while others write can be restored on both stacks, byte for byte."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.operating.backups import Backup, fingerprint, opened
from tests.operating.folders import Tree, drive
from tests.operating.shelves import Shelf, new_shelf, one_of_everything
from tests.operating.stacks import Stack
from tests.operating.test_doctor import problems
from tests.real_parts.postgres import PostgresServer

from skyshelf.backup import run
from skyshelf.backup.cut import choose, manifests
from skyshelf.backup.places import BackupRefused
from skyshelf.backup.segments import FormerSegments
from skyshelf.backup.sources import SqliteSource
from skyshelf.storage.errors import StoresDoNotMatch
from skyshelf.storage.metadata.read_only import ReadOnly, switch_on
from skyshelf.storage.open import embedded_urls, open_stores


class _Writer:
    """Somebody who uploads all the time."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.begun = threading.Event()

    def _run(self) -> None:
        number = 0
        while not self._stopped.is_set():
            self._shelf.file(f"written {number % 40}.txt", b"written %d" % number)
            number += 1
            if number == 3:
                self.begun.set()

    def __enter__(self) -> "_Writer":
        self._thread.start()
        self.begun.wait(60)
        return self

    def __exit__(self, *exception: object) -> None:
        self._stopped.set()
        self._thread.join()


def test_a_backup_under_load_is_restored_on_either_stack_byte_for_byte(
    stack: Stack, tmp_path: Path, bucket: Callable[[], str], postgres_server: Callable[[], PostgresServer]
) -> None:
    shelf = one_of_everything(stack).shelf
    shelf.file("large.bin", bytes(range(256)) * 80_000)
    before = drive(shelf)
    destination = str(tmp_path / "backup") if stack.name == "sqlite+disk" else bucket()
    backup = Backup(stack, destination, tmp_path)
    with _Writer(shelf):
        taken = backup.take()
        backup.take()
    assert taken.damaged == []
    assert backup.verify().damage == []

    found: list[Tree] = []
    for metadata, blobs in (embedded_urls(tmp_path / "restored"), (postgres_server().unmigrated(), bucket())):
        restored = backup.restore(metadata, blobs, cut=taken.cut.id)
        assert restored.problems == []
        with opened(shelf, metadata, blobs) as there:
            assert problems(there.stack.ctx) == {}
            found.append(drive(there))
    assert found[0] == found[1]
    assert before.items() <= found[0].items()
    written = {path: content for path, content in found[0].items() if path.startswith("written ")}
    assert len(written) >= 3
    for path, content in written.items():
        assert content is not None
        assert path == f"written {int(content.removeprefix(b'written ')) % 40}.txt"


def test_the_next_cut_copies_new_contents_alone(stack: Stack, tmp_path: Path) -> None:
    shelf, backup = new_shelf(stack), Backup(stack, str(tmp_path / "backup"), tmp_path)
    for number in range(5):
        shelf.file(f"{number}.txt", b"content %d" % number)
    assert backup.take().cut.new_files == 5
    assert backup.take().cut.new_files == 0
    shelf.file("another.txt", b"another")
    shelf.file("the same.txt", b"content 1")
    taken = backup.take().cut
    assert (taken.new_files, taken.files) == (1, 6)


def test_rows_are_copied_only_where_much_is_new(
    embedded: Stack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A moment that is held in place lets the log grow, so it is not held while much is copied."""
    shelf, backup = new_shelf(embedded), Backup(embedded, str(tmp_path / "backup"), tmp_path)
    copies: list[Path] = []
    copy_rows = SqliteSource.copy_rows

    def copying(source: SqliteSource, path: Path, former: FormerSegments) -> None:
        copies.append(path)
        copy_rows(source, path, former)

    monkeypatch.setattr(SqliteSource, "copy_rows", copying)
    monkeypatch.setattr(run, "_FEW", 3)
    counts = []
    for new in (1, 3, 4):
        for number in range(new):
            shelf.file(f"{new} {number}.txt", b"%d of %d" % (number, new))
        assert backup.take().cut.new_files == new
        counts.append(len(copies))
    assert counts == [1, 1, 2]
    backup.restore_to(tmp_path / "restored")
    with opened(shelf, *embedded_urls(tmp_path / "restored")) as there:
        assert drive(there) == drive(shelf)


def test_rows_of_an_unchanged_database_are_written_once(embedded: Stack, tmp_path: Path) -> None:
    shelf, backup = new_shelf(embedded), Backup(embedded, str(tmp_path / "backup"), tmp_path)
    for number in range(300):
        shelf.file(f"{number}.txt", b"content %d" % number)
    first, second = backup.take().cut, backup.take().cut
    assert first.database.packs == second.database.packs
    assert second.new_bytes == 0


@pytest.mark.parametrize("encrypted", [False, True])
def test_a_restored_store_goes_on_with_the_same_backup(embedded: Stack, tmp_path: Path, *, encrypted: bool) -> None:
    shelf = new_shelf(embedded)
    backup = Backup(embedded, str(tmp_path / "backup"), tmp_path, encrypted)
    shelf.file("one.txt", b"one")
    backup.take()
    urls = embedded_urls(tmp_path / "restored")
    backup.restore(*urls)
    with opened(shelf, *urls) as there:
        there.file("two.txt", b"two")
        again = Backup(
            Stack("restored", there.stack.ctx, embedded.clock, urls, (), embedded.damage, embedded.replace_bytes),
            backup.destination,
            tmp_path,
            encrypted,
            backup.identity,
        )
        taken = again.take()
        assert (taken.cut.files, taken.cut.new_files) == (2, 1)
    assert backup.verify().damage == []


def test_a_store_that_is_read_only_is_backed_up_and_restored_without_that_mode(embedded: Stack, tmp_path: Path) -> None:
    shelf = new_shelf(embedded)
    shelf.file("one.txt", b"one")
    backup = Backup(embedded, str(tmp_path / "backup"), tmp_path)
    with backup.source():
        switch_on(embedded.ctx.metadata, ReadOnly("being moved", 1))
    backup.take()
    with pytest.raises(BackupRefused, match="read-only"):
        Backup(embedded, str(tmp_path / "encrypted"), tmp_path, encrypted=True).take()
    urls = embedded_urls(tmp_path / "restored")
    backup.restore(*urls)
    with opened(shelf, *urls) as there:
        there.file("two.txt", b"two")


def test_a_backup_of_another_store_is_refused(embedded: Stack, tmp_path: Path) -> None:
    new_shelf(embedded).file("one.txt", b"one")
    backup = Backup(embedded, str(tmp_path / "backup"), tmp_path)
    backup.take()
    (tmp_path / "data" / "blobs" / "identity").unlink()
    embedded.damage("DELETE FROM settings WHERE name = 'store.identity'")
    with pytest.raises(BackupRefused, match="another store"):
        backup.take()


def test_halves_of_a_restored_and_of_the_former_store_are_not_used_together(embedded: Stack, tmp_path: Path) -> None:
    new_shelf(embedded).file("one.txt", b"one")
    backup = Backup(embedded, str(tmp_path / "backup"), tmp_path)
    backup.take()
    restored = embedded_urls(tmp_path / "restored")
    backup.restore(*restored)
    for metadata, blobs in ((restored[0], embedded.urls[1]), (embedded.urls[0], restored[1])):
        with pytest.raises(StoresDoNotMatch):
            open_stores(metadata, blobs)


def test_contents_that_are_deleted_while_they_are_copied_are_left_out_by_a_later_moment(
    embedded: Stack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf, backup = new_shelf(embedded), Backup(embedded, str(tmp_path / "backup"), tmp_path)
    doomed = shelf.file("doomed.txt", b"soon gone")
    location = shelf.location(doomed)
    shelf.file("staying.txt", b"staying")
    copy_rows = SqliteSource.copy_rows
    copies: list[Path] = []

    def copying(source: SqliteSource, path: Path, former: FormerSegments) -> None:
        copy_rows(source, path, former)
        copies.append(path)
        if len(copies) == 1:
            shelf.give_up(doomed.object_key)
            embedded.damage("DELETE FROM versions WHERE object_key = ?", bytes.fromhex(doomed.object_key))
            embedded.damage("DELETE FROM objects WHERE object_key = ?", bytes.fromhex(doomed.object_key))
            embedded.damage("UPDATE blobs SET refs = 0 WHERE location = ?", location)
            embedded.ctx.blobs.delete(location)

    monkeypatch.setattr(SqliteSource, "copy_rows", copying)
    taken = backup.take()
    assert len(copies) == 2
    assert taken.damaged == []
    assert taken.cut.files == 1


def test_a_damaged_content_of_the_store_is_named_and_the_rest_is_backed_up(stack: Stack, tmp_path: Path) -> None:
    shelf, backup = new_shelf(stack), Backup(stack, str(tmp_path / "backup"), tmp_path)
    bad = shelf.file("bad.txt", b"what it was")
    shelf.file("good.txt", b"good")
    stack.replace_bytes(shelf.location(bad), b"what is is!")
    taken = backup.take()
    assert ["bad.txt" in sentence for sentence in taken.damaged] == [True]
    assert (taken.cut.lacking, taken.cut.files) == (1, 1)
    with backup.place() as place, pytest.raises(BackupRefused, match="no cut at this destination is complete"):
        choose(place, None)
    restored = backup.restore_to(tmp_path / "restored", cut=taken.cut.id)
    assert ["bad.txt" in sentence for sentence in restored.problems] == [True]
    with opened(shelf, *embedded_urls(tmp_path / "restored")) as there, there.stack.ctx.metadata.read() as unit:
        good = unit.tree.child_named(there.id, there.account.root_key, "good.txt")
        assert good is not None
        assert b"".join(there.stack.ctx.blobs.read(there.location(good))) == b"good"


def test_an_earlier_good_copy_takes_the_place_of_a_damaged_content(embedded: Stack, tmp_path: Path) -> None:
    shelf, backup = new_shelf(embedded), Backup(embedded, str(tmp_path / "backup"), tmp_path)
    first = shelf.file("first.txt", b"the same")
    backup.take()
    embedded.damage("UPDATE blobs SET refs = 0")
    backup.take()
    embedded.damage("UPDATE blobs SET refs = 1")
    embedded.replace_bytes(shelf.location(first), b"not same")
    taken = backup.take()
    assert taken.cut.is_complete
    assert ["earlier cut" in sentence for sentence in taken.damaged] == [True]
    assert backup.restore_to(tmp_path / "restored").problems == []
    with opened(shelf, *embedded_urls(tmp_path / "restored")) as there:
        assert drive(there) == {"first.txt": b"the same"}


def test_looking_at_a_backup_changes_no_byte_of_it(embedded: Stack, tmp_path: Path) -> None:
    shelf, backup = new_shelf(embedded), Backup(embedded, str(tmp_path / "backup"), tmp_path)
    shelf.file("one.txt", b"one")
    backup.take()
    before = fingerprint(backup.folder)
    assert backup.verify().passed
    backup.restore_to(tmp_path / "restored")
    with backup.place() as place:
        assert len(list(manifests(place))) == 1
    assert fingerprint(backup.folder) == before


def test_a_restore_into_a_place_that_is_not_empty_changes_nothing(embedded: Stack, tmp_path: Path) -> None:
    shelf, backup = new_shelf(embedded), Backup(embedded, str(tmp_path / "backup"), tmp_path)
    shelf.file("one.txt", b"one")
    backup.take()
    data = tmp_path / "data"
    before = {name: kept for name, kept in fingerprint(data).items() if not name.endswith("-shm")}
    with pytest.raises(BackupRefused, match="never replaces anything"):
        backup.restore_to(data)
    empty = tmp_path / "restored"
    with pytest.raises(BackupRefused, match="never replaces anything"):
        backup.restore(embedded_urls(empty)[0], embedded.urls[1])
    assert {name: kept for name, kept in fingerprint(data).items() if not name.endswith("-shm")} == before
