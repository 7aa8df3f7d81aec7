"""Damage of a backup is found, and a backup is never made worse: damaged, removed, shortened and foreign files."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.operating.backups import Backup, fingerprint, opened
from tests.operating.folders import drive
from tests.operating.shelves import Shelf, new_shelf
from tests.operating.stacks import Stack

from skyshelf.backup.bucket import PART
from skyshelf.backup.cut import choose, manifests
from skyshelf.backup.places import BackupRefused, CutDamaged
from skyshelf.backup.prune import PruneResult, parse_rule, prune
from skyshelf.storage.open import embedded_urls

DAY = 86_400_000
START = 1_790_000_000_000
CONTENTS = {"one.txt": b"first content", "two.txt": b"second content"}


@pytest.fixture
def shelf(embedded: Stack) -> Shelf:
    shelf = new_shelf(embedded)
    for name, content in CONTENTS.items():
        shelf.file(name, content)
    return shelf


@pytest.fixture(params=[False, True], ids=["plain", "encrypted"])
def backup(request: pytest.FixtureRequest, shelf: Shelf, tmp_path: Path) -> Backup:
    backup = Backup(shelf.stack, str(tmp_path / "backup"), tmp_path, encrypted=request.param)
    backup.take(at=START)
    return backup


def _one(backup: Backup, kind: str) -> Path:
    return min(path for path in (backup.folder / kind).rglob("*") if path.is_file())


def _flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def _shorten(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


@pytest.mark.parametrize("kind", ["blobs", "packs", "lists", "cuts"])
@pytest.mark.parametrize(
    ("harm", "is_quick"), [(_flip, False), (_shorten, True), (Path.unlink, True)], ids=["flipped", "cut short", "gone"]
)
def test_each_kind_of_damage_is_found(
    backup: Backup, kind: str, harm: Callable[[Path], None], *, is_quick: bool
) -> None:
    if kind == "cuts" and harm is Path.unlink:
        backup.take()
    path = _one(backup, kind)
    name = str(path.relative_to(backup.folder))
    harm(path)
    if kind == "cuts" and harm is Path.unlink:
        # A cut that is not there is no cut. What only it needs belongs to nobody.
        assert backup.verify().cuts == 1
        return
    quick, deep = backup.verify(deep=False), backup.verify()
    assert [damage.object for damage in deep.damage] == [name]
    assert quick.passed == (not is_quick and kind in {"blobs", "packs"})


def test_a_file_that_belongs_to_nobody_is_named_and_is_no_damage(backup: Backup) -> None:
    blob = _one(backup, "blobs")
    stray = blob.with_name(blob.name[:-1] + ("0" if blob.name[-1] != "0" else "1"))
    stray.write_bytes(b"stray")
    (backup.folder / "notes.txt").write_text("mine")
    found = backup.verify()
    assert found.passed
    assert sorted(found.unknown) == sorted([str(stray.relative_to(backup.folder)), "notes.txt"])


def test_what_is_missing_at_the_destination_is_copied_again_on_demand(backup: Backup) -> None:
    _one(backup, "blobs").unlink()
    _shorten(_one(backup, "packs"))
    assert backup.take().cut.new_files == 0
    assert not backup.verify().passed
    taken = backup.take(recheck=True)
    assert taken.cut.new_files == 1
    with backup.place() as place:
        place.delete([f"cuts/{found.id}.json" for found in manifests(place) if found.id != taken.cut.id])
    assert backup.verify().passed


@pytest.mark.parametrize("kind", ["blobs", "lists", "packs"])
def test_what_is_damaged_at_the_destination_is_replaced_on_demand(backup: Backup, kind: str) -> None:
    _flip(_one(backup, kind))
    assert not backup.verify().passed
    taken = backup.take(recheck=True)
    assert taken.damaged == []
    found = backup.verify()
    assert [damage for damage in found.damage if taken.cut.id in damage.cuts] == [], "the new cut relies on no damage"
    if not backup.encrypted:
        # What has the same bytes again has the same name, so that earlier cuts are healed as well.
        assert found.passed


def test_contents_that_store_and_backup_have_lost_are_lacking(backup: Backup, shelf: Shelf) -> None:
    for blob in (backup.folder / "blobs").rglob("*"):
        if blob.is_file():
            _flip(blob)
    with shelf.stack.ctx.metadata.read() as unit:
        contents = unit.inspection.contents("", limit=10)
    for content in contents:
        shelf.stack.replace_bytes(content.location, b"?" * content.size)
    taken = backup.take(recheck=True)
    assert (taken.cut.lacking, len(taken.damaged)) == (2, 2)


def test_a_restore_names_what_is_damaged_and_restores_the_rest(backup: Backup, shelf: Shelf, tmp_path: Path) -> None:
    _flip(_one(backup, "blobs"))
    restored = backup.restore_to(tmp_path / "restored")
    assert len(restored.problems) == 1
    assert "damaged in the backup" in restored.problems[0]
    assert restored.files == 1


def test_a_restore_with_damaged_rows_makes_no_store(backup: Backup, tmp_path: Path) -> None:
    _flip(_one(backup, "packs"))
    with pytest.raises(CutDamaged):
        backup.restore_to(tmp_path / "restored")
    assert not (tmp_path / "restored" / "metadata.db").exists()


# Encryption


def test_an_encrypted_backup_shows_neither_contents_nor_names_nor_hashes(embedded: Stack, tmp_path: Path) -> None:
    shelf = new_shelf(embedded)
    content = b"a secret of some length, which is in no file of the backup" * 30_000
    stored = shelf.file("a telling name.txt", content)
    backup = Backup(embedded, str(tmp_path / "backup"), tmp_path, encrypted=True)
    backup.take()
    assert stored.sha256 is not None
    for path in backup.folder.rglob("*"):
        assert stored.sha256.lower() not in path.name
        if path.is_file():
            data = path.read_bytes()
            for secret in (content[:40], b"telling", stored.sha256.lower().encode(), bytes.fromhex(stored.sha256)):
                assert secret not in data, path
    backup.restore_to(tmp_path / "restored")
    with opened(shelf, *embedded_urls(tmp_path / "restored")) as there:
        assert drive(there) == {"a telling name.txt": content}


def test_an_encrypted_backup_needs_its_identity_and_keeps_its_recipients(embedded: Stack, tmp_path: Path) -> None:
    shelf = new_shelf(embedded)
    shelf.file("one.txt", b"one")
    backup = Backup(embedded, str(tmp_path / "backup"), tmp_path, encrypted=True)
    backup.take()
    stranger = Backup(embedded, backup.destination, tmp_path, encrypted=True)
    with pytest.raises(BackupRefused, match="none of the identities"):
        stranger.restore_to(tmp_path / "restored")
    with pytest.raises(BackupRefused, match="name a new destination for other recipients"):
        stranger.take()
    plain = Backup(embedded, backup.destination, tmp_path)
    with pytest.raises(BackupRefused, match="is encrypted: name its recipients"):
        plain.take()
    with pytest.raises(BackupRefused, match="--identity"):
        plain.restore_to(tmp_path / "restored")
    # Whoever cannot open it can still verify every byte of it.
    assert plain.verify().passed


def test_a_manifest_that_somebody_without_the_key_wrote_is_refused(embedded: Stack, tmp_path: Path) -> None:
    new_shelf(embedded).file("one.txt", b"one")
    backup = Backup(embedded, str(tmp_path / "backup"), tmp_path, encrypted=True)
    backup.take()
    path = _one(backup, "cuts")
    text, seal, _, _ = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join((text, seal, b"0" * 64, b"")))
    with backup.place() as place:
        assert choose(place, None).cut is not None
    assert [damage.object for damage in backup.verify(deep=False).damage] == [str(path.relative_to(backup.folder))]
    with pytest.raises(CutDamaged, match="changed by somebody"):
        backup.restore_to(tmp_path / "restored")


# Removing cuts


def _prune(backup: Backup, rule: str, *, now: int) -> PruneResult:
    with backup.place() as place, place.lock():
        return prune(place, parse_rule(rule), now=lambda: now)


def test_removing_cuts_removes_what_they_alone_need(backup: Backup, shelf: Shelf) -> None:
    shelf.give_up(*(shelf.file("going.txt", b"in one cut alone").object_key,))
    backup.take(at=START + DAY)
    shelf.stack.damage("UPDATE blobs SET refs = 0 WHERE size = ?", len(b"in one cut alone"))
    last = backup.take(at=START + 2 * DAY).cut
    assert last.files == 2
    removed = _prune(backup, "1d", now=START + 2 * DAY)
    assert len(removed.cuts) == 2
    assert sum(path.is_file() for path in (backup.folder / "blobs").rglob("*")) == 2
    found = backup.verify()
    assert (found.passed, found.cuts, found.unknown) == (True, 1, [])
    assert list((backup.folder / "history").iterdir())
    assert _prune(backup, "1d", now=START + 2 * DAY).objects == 0


@pytest.mark.whole
def test_cuts_in_a_bucket_are_removed_with_all_parts_of_large_contents(
    embedded: Stack, tmp_path: Path, bucket: Callable[[], str]
) -> None:
    shelf, backup = new_shelf(embedded), Backup(embedded, bucket(), tmp_path)
    large = bytes(PART) + b"and more"
    shelf.file("large.bin", large)
    backup.take(at=START)
    embedded.damage("UPDATE blobs SET refs = 0 WHERE size = ?", len(large))
    shelf.file("small.txt", b"small")
    backup.take(at=START + DAY)
    _prune(backup, "1d", now=START + DAY)
    with backup.place() as place:
        assert [kept.size for kept in place.list("blobs/")] == [len(b"small")]
    found = backup.verify()
    assert (found.passed, found.cuts, found.unknown) == (True, 1, [])


def test_nothing_is_removed_while_a_manifest_or_a_list_cannot_be_read(backup: Backup, shelf: Shelf) -> None:
    first = _one(backup, "cuts").read_bytes()
    shelf.file("more.txt", b"more")
    backup.take(at=START + DAY)
    _flip(_one(backup, "cuts"))
    before = fingerprint(backup.folder / "blobs")
    with pytest.raises(BackupRefused, match="nothing was removed"):
        _prune(backup, "1d", now=START + DAY)
    _one(backup, "cuts").write_bytes(first)
    with backup.place() as place:
        newest = choose(place, None).cut
    assert newest is not None
    _flip(backup.folder / "lists" / newest.contents[0].name)
    with pytest.raises(BackupRefused, match="nothing was removed"):
        _prune(backup, "1d", now=START + DAY)
    assert fingerprint(backup.folder / "blobs") == before


def test_an_interrupted_removal_is_finished_by_the_next(
    backup: Backup, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf.file("more.txt", b"more")
    shelf.stack.damage("UPDATE blobs SET refs = 0 WHERE size = ?", len(CONTENTS["one.txt"]))
    backup.take(at=START + DAY)
    with monkeypatch.context() as patched:
        patched.setattr("skyshelf.backup.prune._Sweep.run", _interrupted)
        with pytest.raises(KeyboardInterrupt):
            _prune(backup, "1d", now=START + DAY)
    assert backup.verify().passed
    assert _prune(backup, "1d", now=START + DAY).objects > 0
    found = backup.verify()
    assert (found.passed, found.unknown) == (True, [])
    assert not list((backup.folder / "dropped").iterdir())


def _interrupted(_: object) -> None:
    raise KeyboardInterrupt


def test_many_objects_that_no_cut_explains_are_left(backup: Backup, shelf: Shelf) -> None:
    shelf.file("more.txt", b"more")
    backup.take(at=START + DAY)
    folder = _one(backup, "blobs").parent
    for number in range(30):
        (folder / f"{folder.name}{number:062x}").write_bytes(b"whose?")
    result = _prune(backup, "1d", now=START + DAY)
    assert result.unexplained == 30
    assert len(list(folder.iterdir())) >= 30
