"""An account is exported completely, in open forms, and comes back from its export."""

import json
import os
import shutil
import subprocess
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.operating.exports import AWKWARD, SECRET, bring_back, everything, furnish, write
from tests.operating.shelves import Shelf, new_shelf
from tests.operating.stacks import STACKS, Stack
from tests.operating.test_doctor import problems
from tests.real_parts.postgres import PostgresServer
from tests.real_parts.seaweedfs import SeaweedFS
from tests.server.api import new_account

from skyshelf.service.audit import kinds
from skyshelf.service.audit.search import EventQuery, newest_events
from skyshelf.service.exporting.writing import STATE, DestinationRefused
from skyshelf.service.importing.exported import ExportUnreadable, is_export
from skyshelf.storage.metadata.contracts.tree import Move, Rename, TreeChange

PART = 1024 * 1024


@pytest.fixture
def shelf(stack: Stack) -> Shelf:
    shelf = new_shelf(stack)
    furnish(shelf)
    return shelf


@pytest.fixture
def fresh(shelf: Shelf) -> Shelf:
    return Shelf(shelf.stack, new_account(shelf.stack.ctx, "fresh@example.org", first_name="Fresh"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder to export into."""
    return tmp_path / "export"


def tree_of(top: Path) -> dict[str, bytes]:
    return {path.relative_to(top).as_posix(): path.read_bytes() for path in sorted(top.rglob("*")) if path.is_file()}


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_an_exported_account_comes_back_with_everything(shelf: Shelf, fresh: Shelf, tmp_path: Path) -> None:
    written = write(shelf, str(tmp_path / "export"))
    assert (written.parts, written.missing) == (1, 0)
    summary = bring_back(fresh, tmp_path / "export")
    assert summary.is_complete, summary
    assert everything(fresh) == everything(shelf)
    assert (summary.albums, summary.contacts, summary.tags, summary.favorites, summary.trashed) == (1, 1, 2, 1, 3)
    assert any("public links" in sentence for sentence in summary.not_imported)
    assert problems(shelf.stack.ctx) == {}

    again = bring_back(fresh, tmp_path / "export")
    assert (again.files_imported, again.versions_added, again.folders_created, again.trashed) == (0, 0, 0, 0)
    assert (again.albums, again.contacts) == (0, 0)
    assert everything(fresh) == everything(shelf)


@pytest.fixture
def other_stack(
    stack: Stack,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    postgres_server: Callable[[], PostgresServer],
    seaweedfs: Callable[[], SeaweedFS],
) -> Iterator[Stack]:
    """The stack that the first one is not."""
    (other,) = set(STACKS) - {stack.name}
    with STACKS[other](tmp_path / "other", monkeypatch, postgres_server, seaweedfs) as opened:
        yield opened


@pytest.mark.whole
def test_an_export_goes_from_either_stack_to_the_other(shelf: Shelf, other_stack: Stack, tmp_path: Path) -> None:
    write(shelf, str(tmp_path / "export"), part_bytes=20)
    fresh = Shelf(other_stack, new_account(other_stack.ctx, "fresh@example.org"))
    assert bring_back(fresh, tmp_path / "export").is_complete
    assert everything(fresh) == everything(shelf)


def test_its_files_have_their_dates_and_checksums_that_a_program_reads(shelf: Shelf, folder: Path) -> None:
    write(shelf, str(folder))
    done = subprocess.run(
        f"sha256sum --check --strict {' '.join(one.name for one in folder.glob('SHA256SUMS-*.txt'))}",
        shell=True,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert done.stdout.count(": OK") == len(tree_of(folder)) - 1
    with shelf.stack.ctx.metadata.read() as unit:
        beach = unit.tree.at_path(shelf.id, shelf.account.root_key, ["Photos", "2024", "beach.jpg"])
    assert beach is not None
    exported = folder / "files/Photos/2024/beach.jpg"
    assert exported.read_bytes() == b"a beach"
    assert exported.stat().st_mtime_ns // 10**6 == beach.last_modified_at
    assert (folder / "files/nothing in it").is_dir()
    assert {one.read_bytes() for one in (folder / "versions/files/letter.txt").iterdir()} == {b"draft 0", b"draft 1"}


def test_names_are_safe_and_unique_on_every_system_and_the_originals_are_kept(shelf: Shelf, folder: Path) -> None:
    write(shelf, str(folder))
    names = [one.name for one in (folder / "files/Photos").iterdir()]
    assert len({name.casefold() for name in names}) == len(AWKWARD) + 1
    assert not any(set(name) & set('<>:"/\\|?*') or name.endswith(".") or name.startswith("CON") for name in names)
    by_place = {tuple(one["place"]): one["path"] for one in lines(folder / "metadata/objects-0001.jsonl")}
    for name in AWKWARD:
        assert (folder / str(by_place["Photos", name])).read_bytes() == name.encode()


def test_no_secret_is_in_it(shelf: Shelf, folder: Path) -> None:
    write(shelf, str(folder))
    everything_there = b"".join(tree_of(folder).values())
    for secret in (SECRET.encode(), SECRET.encode().hex().encode(), shelf.account.password_hash.encode()):
        assert secret not in everything_there
    assert b"To look at" in (folder / "links.json").read_bytes()
    assert shelf.account.email in (folder / "README.txt").read_text()
    assert "BEGIN:VCARD" in (folder / "contacts.vcf").read_text()
    kinds_of_changes = {one["kind"] for one in lines(folder / "history/0001.jsonl")}
    assert {"created", "content", "trashed", "favorite"} <= kinds_of_changes


def test_parts_are_zip_files_of_the_chosen_size_that_unpack_to_the_same_tree(shelf: Shelf, tmp_path: Path) -> None:
    shelf.stack.clock.advance(1000)
    for number in range(5):
        shelf.file(f"large {number}.bin", os.urandom(PART // 2))
    write(shelf, str(tmp_path / "plain"))
    written = write(shelf, str(tmp_path / "zips"), part_bytes=PART, as_zip=True)
    assert written.parts == 3
    assert all(path.stat().st_size < 2 * PART for path in (tmp_path / "zips").iterdir())
    for path in (tmp_path / "zips").glob("*.zip"):
        with zipfile.ZipFile(path) as archive:
            assert archive.testzip() is None
            archive.extractall(tmp_path / "unpacked")
    unpacked, plain = tree_of(tmp_path / "unpacked"), tree_of(tmp_path / "plain")
    contents = ("files/", "trash/", "versions/", "albums", "contacts")
    assert {name: data for name, data in unpacked.items() if name.startswith(contents)} == {
        name: data for name, data in plain.items() if name.startswith(contents)
    }


def test_zip_files_are_recognised_and_a_missing_or_damaged_one_is_named(
    shelf: Shelf, fresh: Shelf, tmp_path: Path
) -> None:
    zips = tmp_path / "zips"
    write(shelf, str(zips), part_bytes=20, as_zip=True)
    assert is_export(zips)
    second = next(zips.glob("*-part-2-of-*.zip"))
    kept = second.read_bytes()
    second.unlink()
    with pytest.raises(ExportUnreadable, match=r"some of the \d+ parts of the export are missing \(2\)"):
        bring_back(fresh, zips)
    second.write_bytes(kept)
    assert bring_back(fresh, zips).is_complete
    assert everything(fresh) == everything(shelf)
    assert not list(tmp_path.glob("skyshelf-import-*"))


def test_a_content_that_was_altered_is_not_imported(shelf: Shelf, fresh: Shelf, folder: Path) -> None:
    write(shelf, str(folder))
    beach = folder / "files/Photos/2024/beach.jpg"
    beach.write_bytes(b"A BEACH")
    summary = bring_back(fresh, folder)
    assert [(note.path, note.detail) for note in summary.failed] == [
        (str(beach), "is not what was exported: its checksum differs")
    ]


def test_paths_that_lead_out_of_an_export_are_refused(shelf: Shelf, fresh: Shelf, tmp_path: Path) -> None:
    export = tmp_path / "export"
    write(shelf, str(export))
    (tmp_path / "outside.txt").write_bytes(b"a beach")
    listed = export / "metadata/objects-0001.jsonl"
    listed.write_text(listed.read_text().replace("files/Photos/2024/beach.jpg", "../outside.txt"))
    (export / "files/empty").unlink()
    (export / "files/empty").symlink_to("/etc/hostname")
    summary = bring_back(fresh, export)
    assert {note.detail for note in summary.failed} == {"its path leads out of the export"}
    assert summary.failed_count == 2


def test_changes_during_an_export_lose_nothing_and_double_nothing(shelf: Shelf, fresh: Shelf, folder: Path) -> None:
    """Objects are divided by keys: moving, renaming and trashing them between two parts changes nothing of that."""
    ctx, begun = shelf.stack.ctx, []

    class Interrupted(Exception):
        pass

    def interrupt(name: str, _: int) -> None:
        begun.append(name)
        if len(begun) == 2:
            raise Interrupted

    from skyshelf.backup.exports import open_destination
    from skyshelf.service.exporting.writing import write_export

    target = open_destination(str(folder))
    with pytest.raises(Interrupted):
        write_export(ctx, shelf.account, target, part_bytes=20, as_zip=True, progress=interrupt)
    assert (folder / STATE).exists()
    with ctx.metadata.read() as unit:
        found = unit.exports.objects(shelf.id, after=None, until=None, limit=1000)
    photos = next(one for one in found if one.name == "Photos")
    letter = next(one for one in found if one.name == "letter.txt")
    changes: list[TreeChange] = [Rename(photos.object_key, "Pictures"), Move(letter.object_key, photos.object_key)]
    ctx.metadata.write(lambda unit: unit.tree.apply(shelf.id, changes, ctx.clock.now()))

    write(shelf, str(folder))
    assert not (folder / STATE).exists()
    for path in folder.glob("*.zip"):
        with zipfile.ZipFile(path) as archive:
            archive.extractall(folder / "unpacked")
    keys = [one["key"] for path in (folder / "unpacked/metadata").glob("objects-*") for one in lines(path)]
    assert sorted(map(str, keys)) == sorted(one.object_key for one in found)
    assert bring_back(fresh, folder / "unpacked").is_complete


def test_an_export_with_parts_can_be_resumed_and_other_folders_are_refused(shelf: Shelf, tmp_path: Path) -> None:
    (tmp_path / "something").touch()
    with pytest.raises(DestinationRefused, match="not empty"):
        write(shelf, str(tmp_path))
    write(shelf, str(tmp_path / "export"))
    with pytest.raises(DestinationRefused, match="not empty"):
        write(shelf, str(tmp_path / "export"))


def test_a_damaged_content_is_named_and_the_rest_is_exported(shelf: Shelf, fresh: Shelf, folder: Path) -> None:
    ctx = shelf.stack.ctx
    with ctx.metadata.read() as unit:
        beach = unit.tree.at_path(shelf.id, shelf.account.root_key, ["Photos", "2024", "beach.jpg"])
        assert beach is not None
        location = shelf.location(beach)
    ctx.metadata.write(lambda unit: unit.damage.note(beach.sha256 or "", location, "wrong bytes", ctx.clock.now()))
    written = write(shelf, str(folder))
    assert written.missing == 1
    assert not (folder / "files/Photos/2024/beach.jpg").exists()
    summary = bring_back(fresh, folder)
    assert [note.detail for note in summary.failed] == [
        "the stored content is damaged: ask the operator to restore it from a backup"
    ]


def test_the_audit_trail_and_the_owner_know_of_it(shelf: Shelf, folder: Path) -> None:
    write(shelf, str(folder))
    (event,) = newest_events(shelf.stack.ctx, EventQuery(kinds=[kinds.EXPORTED]), 10)
    assert event.account_key == shelf.account.account_key


def test_a_bucket_gets_one_object_per_file(embedded: Stack, bucket: Callable[[], str], tmp_path: Path) -> None:
    shelf = new_shelf(embedded)
    furnish(shelf)
    large = os.urandom(40 * 1024 * 1024)
    shelf.file("large.bin", large)
    url = bucket()
    write(shelf, url)

    from skyshelf.backup.exports import BucketDestination, open_destination

    target = open_destination(url)
    assert isinstance(target, BucketDestination)
    assert target.get("files/large.bin") == large
    assert target.get("files/Photos/2024/beach.jpg") == b"a beach"
    assert target.get("files/empty") == b""
    assert target.get(STATE) is None
    assert b"BEGIN:VCARD" in (target.get("contacts.vcf") or b"")
    shutil.rmtree(tmp_path, ignore_errors=True)
