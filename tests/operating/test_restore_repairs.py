"""A lost database comes back over the blobs that are still there, and damaged contents are healed from a backup."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.operating.backups import Backup, fingerprint, opened
from tests.operating.folders import drive
from tests.operating.shelves import Shelf, new_shelf
from tests.operating.stacks import Stack
from tests.operating.test_doctor import problems
from tests.operating.test_restore_account import run, run_json
from tests.real_parts.postgres import PostgresServer

from skyshelf.storage.errors import StoresDoNotMatch
from skyshelf.storage.identity import check_identity
from skyshelf.storage.open import embedded_urls, open_blobs, open_stores


@pytest.fixture
def shelf(stack: Stack) -> Shelf:
    shelf = new_shelf(stack)
    check_identity(stack.ctx.metadata, stack.ctx.blobs)
    for number in range(5):
        shelf.file(f"{number}.txt", b"content %d" % number)
    # In a bucket, its location does not name its content.
    shelf.file("large.bin", bytes(range(256)) * 50_000)
    return shelf


@pytest.fixture(params=["plain", "encrypted"])
def backup(request: pytest.FixtureRequest, shelf: Shelf, tmp_path: Path, bucket: Callable[[], str]) -> Backup:
    destination = str(tmp_path / "backup") if shelf.stack.name == "sqlite+disk" else bucket()
    backup = Backup(shelf.stack, destination, tmp_path, encrypted=request.param == "encrypted")
    assert backup.take().damaged == []
    (tmp_path / "key.txt").write_text(str(backup.identity))
    return backup


@pytest.fixture
def key(backup: Backup, tmp_path: Path) -> tuple[str, ...]:
    return ("--identity", str(tmp_path / "key.txt")) if backup.encrypted else ()


@pytest.fixture
def lost(shelf: Shelf, tmp_path: Path, postgres_server: Callable[[], PostgresServer]) -> tuple[str, str]:
    """The URLs of the store with an empty place for the database that was lost."""
    if shelf.stack.name == "sqlite+disk":
        return (tmp_path / "new.db").as_uri(), shelf.stack.urls[1]
    return postgres_server().unmigrated(), shelf.stack.urls[1]


def _options(urls: tuple[str, str]) -> tuple[str, ...]:
    return ("--metadata", urls[0], "--blobs", urls[1])


# Rows only


def test_a_lost_database_comes_back_over_its_blobs(
    backup: Backup, shelf: Shelf, key: tuple[str, ...], lost: tuple[str, str]
) -> None:
    before = drive(shelf)
    newer = shelf.location(shelf.file("newer.txt", b"since the backup"))
    with shelf.stack.ctx.metadata.read() as unit:
        for name in ("1.txt", "large.bin"):
            stored = unit.tree.child_named(shelf.id, shelf.account.root_key, name)
            assert stored is not None
            shelf.stack.ctx.blobs.delete(unit.files.version(shelf.id, stored.object_key).location)
    kept = {blob.location for blob in shelf.stack.ctx.blobs.list()}

    restored = run_json("restore", backup.destination, "--rows-only", *key, *_options(lost))
    assert (restored["files"], restored["fetched"], restored["problems"]) == (6, 2, [])
    with opened(shelf, *lost) as there:
        assert drive(there) == before
        # What is newer than the cut stays, until it was in quarantine for its time.
        locations = {blob.location for blob in there.stack.ctx.blobs.list()}
        assert kept <= locations
        assert b"".join(there.stack.ctx.blobs.read(newer)) == b"since the backup"
        assert problems(there.stack.ctx) == {}
    # The database that turns up after all no longer belongs to the blobs.
    with pytest.raises(StoresDoNotMatch):
        open_stores(*shelf.stack.urls)
    # Nothing is replaced.
    assert (
        "never replaces" in run("restore", backup.destination, "--rows-only", *key, *_options(lost), expecting=2).stderr
    )


def test_rows_keep_their_own_locations(
    backup: Backup, shelf: Shelf, key: tuple[str, ...], lost: tuple[str, str]
) -> None:
    """Another copy of a content, which nothing refers to, may be a damaged one that was replaced."""
    with shelf.stack.ctx.metadata.read() as unit:
        contents = {one.sha256: one.location for one in unit.inspection.contents("", limit=10)}
    for number in range(5):
        for _ in range(3):
            shelf.stack.ctx.blobs.put([b"content %d" % number])
    run("restore", backup.destination, "--rows-only", *key, *_options(lost))
    with opened(shelf, *lost) as there, there.stack.ctx.metadata.read() as unit:
        assert {one.sha256: one.location for one in unit.inspection.contents("", limit=10)} == contents


def test_blobs_of_another_store_are_refused_and_stay_as_they_are(embedded: Stack, tmp_path: Path) -> None:
    shelf, backup = new_shelf(embedded), Backup(embedded, str(tmp_path / "backup"), tmp_path)
    for number in range(3):
        shelf.file(f"{number}.txt", b"content %d" % number)
    backup.take()
    other = tmp_path / "other"
    run("init", "--data", other)
    (other / "metadata.db").unlink()
    before = fingerprint(other)
    asked = ("restore", backup.destination, "--rows-only")
    assert "belong to the store" in run(*asked, "--data", other, expecting=2).stderr
    # Without an identity, the contents decide.
    (other / "blobs" / "identity").unlink()
    before = fingerprint(other)
    assert "of 3 contents" in run(*asked, "--data", other, expecting=2).stderr
    assert fingerprint(other) == before
    assert "no file contents" in run(*asked, "--data", tmp_path / "nothing", expecting=2).stderr
    assert not (tmp_path / "nothing").exists()
    # Those of the store itself are taken without one.
    (tmp_path / "data" / "blobs" / "identity").unlink()
    run(*asked, "--metadata", (tmp_path / "new.db").as_uri(), "--blobs", embedded.urls[1])
    with opened(shelf, (tmp_path / "new.db").as_uri(), embedded.urls[1]) as there:
        assert drive(there) == drive(shelf)


def test_contents_that_were_moved_away_are_refused(embedded: Stack, tmp_path: Path) -> None:
    backup = Backup(embedded, str(tmp_path / "backup"), tmp_path)
    new_shelf(embedded).file("one.txt", b"one")
    backup.take()
    moved = check_identity(embedded.ctx.metadata, embedded.ctx.blobs)
    with_mark = f'{{"store":"{moved.store}","generation":9,"moved_to":"elsewhere","moved_at":1}}'
    embedded.ctx.blobs.write_identity(with_mark.encode())
    asked = ("restore", backup.destination, "--rows-only", "--metadata", (tmp_path / "new.db").as_uri())
    assert "moved to elsewhere" in run(*asked, "--blobs", embedded.urls[1], expecting=2).stderr
    assert not (tmp_path / "new.db").exists()


# Healing


def _damage_some(shelf: Shelf) -> None:
    with shelf.stack.ctx.metadata.read() as unit:
        for name in ("0.txt", "1.txt", "2.txt"):
            stored = unit.tree.child_named(shelf.id, shelf.account.root_key, name)
            assert stored is not None
            location = unit.files.version(shelf.id, stored.object_key).location
            if name == "0.txt":
                shelf.stack.ctx.blobs.delete(location)
            else:
                shelf.stack.replace_bytes(location, b"harmed" if name == "1.txt" else b"content ?")


def test_damaged_and_missing_contents_are_healed(backup: Backup, shelf: Shelf, key: tuple[str, ...]) -> None:
    before = drive(shelf)
    _damage_some(shelf)
    asked = ("restore", backup.destination, "--heal", *key, *shelf.stack.options)
    # Without reading all contents, what has its size is not looked into.
    assert len(run_json(*asked)["healed"]) == 2
    healed = run_json(*asked, "--deep")
    assert (len(healed["healed"]), healed["notHealed"]) == (1, [])
    assert "2.txt" in healed["healed"][0]
    assert drive(shelf) == before
    assert problems(shelf.stack.ctx) == {}
    assert "nothing to heal" in run(*asked, "--deep").stdout


def test_what_the_scrub_has_listed_is_healed_without_reading_everything(
    backup: Backup, shelf: Shelf, key: tuple[str, ...]
) -> None:
    _damage_some(shelf)
    run("scrub", "run", *shelf.stack.options, expecting=1)
    healed = run_json("restore", backup.destination, "--heal", *key, *shelf.stack.options)
    assert (len(healed["healed"]), healed["notHealed"]) == (3, [])
    run("scrub", "run", *shelf.stack.options)


def test_lost_contents_come_back_into_an_empty_place_under_the_database(
    backup: Backup, shelf: Shelf, key: tuple[str, ...], tmp_path: Path, bucket: Callable[[], str]
) -> None:
    newer = shelf.file("newer.txt", b"since the backup")
    before = drive(shelf)
    empty = (tmp_path / "empty").as_uri() if shelf.stack.name == "sqlite+disk" else bucket()
    urls = (shelf.stack.urls[0], empty)
    if shelf.stack.name == "sqlite+disk":
        (tmp_path / "empty").mkdir()
    heal = ("restore", backup.destination, "--heal", *key, *_options(urls))
    refused = run(*heal, expecting=2)
    assert "--adopt" in refused.stderr or "disk" in refused.stderr
    # As `skyshelf serve --adopt` does.
    for store in open_stores(*urls, adopt_reason="the disk of the contents is lost"):
        store.close()
    healed = run_json(*heal, expecting=1)
    assert len(healed["healed"]) == 6
    assert ["newer.txt" in one for one in healed["notHealed"]] == [True]
    shelf.trash(newer.object_key)
    with opened(shelf, *urls) as there:
        found = drive(there)
    assert {path: seen for path, seen in before.items() if "newer" not in path} == found


def test_what_no_cut_has_undamaged_is_named(embedded: Stack, tmp_path: Path) -> None:
    shelf, backup = new_shelf(embedded), Backup(embedded, str(tmp_path / "backup"), tmp_path)
    first, second = shelf.file("first.txt", b"the first"), shelf.file("second.txt", b"the second")
    backup.take()
    newer = shelf.file("newer.txt", b"in no cut")
    for stored in (first, second, newer):
        embedded.ctx.blobs.delete(shelf.location(stored))
    assert first.sha256 is not None
    stored_copy = backup.folder / "blobs" / first.sha256[:2] / first.sha256
    stored_copy.write_bytes(b"the fir?t")
    count = len(list(embedded.ctx.blobs.list()))
    healed = run_json("restore", backup.destination, "--heal", *embedded.options, expecting=1)
    assert ["second.txt" in one for one in healed["healed"]] == [True]
    assert sorted("first.txt" in one for one in healed["notHealed"]) == [False, True]
    # The damaged copy did not stay.
    assert len(list(embedded.ctx.blobs.list())) == count + 1


def test_an_earlier_cut_heals_what_the_newest_lacks(embedded: Stack, tmp_path: Path) -> None:
    shelf, backup = new_shelf(embedded), Backup(embedded, str(tmp_path / "backup"), tmp_path)
    going = shelf.file("going.txt", b"only in the first cut")
    backup.take()
    embedded.damage("UPDATE blobs SET refs = 0")
    backup.take()
    embedded.damage("UPDATE blobs SET refs = 1")
    embedded.ctx.blobs.delete(shelf.location(going))
    healed = run_json("restore", backup.destination, "--heal", *embedded.options)
    assert (len(healed["healed"]), healed["notHealed"]) == (1, [])
    assert drive(shelf) == {"going.txt": b"only in the first cut"}


def test_healing_changes_nothing_in_the_backup(embedded: Stack, tmp_path: Path) -> None:
    shelf, backup = new_shelf(embedded), Backup(embedded, str(tmp_path / "backup"), tmp_path)
    one = shelf.file("one.txt", b"one")
    backup.take()
    before = fingerprint(backup.folder)
    embedded.ctx.blobs.delete(shelf.location(one))
    run("restore", backup.destination, "--heal", *embedded.options)
    assert fingerprint(backup.folder) == before
    assert "no cut" in run("restore", tmp_path, "--heal", *embedded.options, expecting=2).stderr


def test_embedded_rows_only_by_folder(embedded: Stack, tmp_path: Path) -> None:
    shelf, backup = new_shelf(embedded), Backup(embedded, str(tmp_path / "backup"), tmp_path)
    shelf.file("one.txt", b"one")
    backup.take()
    before = drive(shelf)
    # A copy of the folder stands for the disk whose database was lost.
    copied = tmp_path / "copied"
    (copied / "blobs").parent.mkdir()
    _copy_blobs(tmp_path / "data" / "blobs", copied / "blobs")
    ended = run("restore", backup.destination, "--rows-only", "--data", copied)
    assert f"skyshelf serve --data {copied}" in ended.stdout
    assert "0 contents came from the backup" in ended.stdout
    with opened(shelf, *embedded_urls(copied)) as there:
        assert drive(there) == before
    assert not list(copied.glob("unfinished*"))


def _copy_blobs(source: Path, target: Path) -> None:
    import shutil

    shutil.copytree(source, target)
    open_blobs(target.as_uri()).close()
