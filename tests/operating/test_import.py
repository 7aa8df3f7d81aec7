"""A local folder tree is imported completely, once, and under names that the drive allows."""

import os
import threading
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.operating.folders import MODIFIED_NS, Tree, bring_in, drive, plant, versions
from tests.operating.shelves import Shelf, new_shelf
from tests.operating.stacks import Stack
from tests.operating.test_doctor import problems
from tests.service.pictures import jpeg_taken

from skyshelf.service.importing import INTERRUPTED, QUOTA_FULL, Event, ImportOptions
from skyshelf.service.importing.run import TreeImport
from skyshelf.service.importing.trees import OpenFile
from skyshelf.storage.errors import NotAFolder
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.wire.refusals import BadName

TREE: Tree = {
    "letter.txt": b"dear reader",
    "the same letter.txt": b"dear reader",
    "empty": b"",
    "large.bin": b"x" * (3 * 1024 * 1024 + 1),
    "pictures/2024/one.doc": b"one",
    "pictures/2024/two.doc": b"two",
    "nothing in it": None,
    "pictures/nothing either": None,
}


@pytest.fixture
def shelf(stack: Stack) -> Shelf:
    return new_shelf(stack)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return plant(tmp_path / "source", TREE)


def stored(shelf: Shelf, name: str) -> StoredObject:
    with shelf.stack.ctx.metadata.read() as unit:
        found = unit.tree.child_named(shelf.id, shelf.account.root_key, name)
    assert found is not None
    return found


def used_objects(shelf: Shelf) -> int:
    with shelf.stack.ctx.metadata.read() as unit:
        return unit.quotas.get(shelf.id, shelf.stack.clock.now()).objects


def used(shelf: Shelf) -> int:
    with shelf.stack.ctx.metadata.read() as unit:
        return unit.quotas.get(shelf.id, shelf.stack.clock.now()).used


def test_a_tree_comes_in_as_it_is_and_a_second_run_finds_nothing_to_do(shelf: Shelf, source: Path) -> None:
    first = bring_in(shelf, source)
    assert drive(shelf) == TREE
    assert (first.files_imported, first.folders_created, first.files_unchanged, first.failed_count) == (6, 4, 0, 0)
    assert first.bytes_imported == sum(len(content) for content in TREE.values() if content)
    letter = stored(shelf, "letter.txt")
    assert (letter.last_modified_at, letter.file_created_at) == (MODIFIED_NS // 10**6,) * 2

    again = bring_in(shelf, source)
    assert drive(shelf) == TREE
    assert (again.files_imported, again.versions_added, again.folders_created, again.files_unchanged) == (0, 0, 0, 6)
    assert used(shelf) == first.bytes_imported
    assert problems(shelf.stack.ctx) == {}


def test_it_goes_into_the_folder_that_was_named_made_if_need_be(shelf: Shelf, source: Path) -> None:
    shelf.folder("Photos")
    summary = bring_in(shelf, source, into="/Photos/Old/")
    assert drive(shelf) == {f"Photos/Old/{path}": content for path, content in TREE.items()}
    assert summary.folders_created == 5
    with pytest.raises(NotAFolder, match="is a file"):
        bring_in(shelf, source, into="/Photos/Old/letter.txt")
    with pytest.raises(BadName):
        bring_in(shelf, source, into="/Photos/..")


def test_a_changed_file_is_the_next_version_and_one_with_only_a_new_date_is_not(shelf: Shelf, source: Path) -> None:
    bring_in(shelf, source)
    (source / "letter.txt").write_bytes(b"dear readers")
    (source / "empty").touch()
    summary = bring_in(shelf, source)
    assert (summary.versions_added, summary.files_imported, summary.files_unchanged) == (1, 0, 5)
    assert versions(shelf, "letter.txt") == [b"dear readers", b"dear reader"]
    assert len(versions(shelf, "empty")) == 1


def test_what_people_have_changed_in_the_drive_since_stays_as_they_want_it(shelf: Shelf, source: Path) -> None:
    bring_in(shelf, source)
    shelf.file("letter.txt", b"dear everybody")
    assert bring_in(shelf, source).versions_added == 0
    assert bring_in(shelf, source, by_content=True).versions_added == 0
    assert versions(shelf, "letter.txt") == [b"dear everybody", b"dear reader"]


def test_by_content_a_file_of_the_same_size_and_time_is_read(shelf: Shelf, source: Path) -> None:
    bring_in(shelf, source)
    plant(source, {"letter.txt": b"DEAR READER"})
    assert bring_in(shelf, source).versions_added == 0
    assert bring_in(shelf, source, by_content=True).versions_added == 1
    assert versions(shelf, "letter.txt")[0] == b"DEAR READER"


def test_a_dry_run_says_what_would_be_done_and_does_nothing(shelf: Shelf, source: Path) -> None:
    shelf.file("letter.txt", b"another letter")
    summary = bring_in(shelf, source, into="/new", dry_run=True)
    assert (summary.files_imported, summary.folders_created, summary.dry_run) == (6, 5, True)
    summary = bring_in(shelf, source, dry_run=True)
    assert (summary.files_imported, summary.versions_added) == (5, 1)
    assert drive(shelf) == {"letter.txt": b"another letter"}


def test_names_that_the_drive_does_not_allow_are_replaced_and_reported(shelf: Shelf, tmp_path: Path) -> None:
    source = plant(
        tmp_path / "source", {"A.txt": b"1", "a.txt": b"2", "é": b"3", unicodedata.normalize("NFD", "é"): b"4"}
    )
    for name, content in ((b"caf\xe9", b"5"), (b"line\nbreak", b"6")):
        Path(os.fsdecode(os.fsencode(source) + b"/" + name)).write_bytes(content)
    summary = bring_in(shelf, source)
    found = drive(shelf)
    assert sorted(filter(None, found.values())) == [b"1", b"2", b"3", b"4", b"5", b"6"]
    assert {"A.txt", "a.txt", "é", "caf%E9", "line%0Abreak"} < found.keys()
    assert sorted(note.detail for note in summary.renamed) == sorted(found.keys() - {"A.txt", "a.txt", "é"})
    assert summary.renamed_count == 3
    assert any(note.path.endswith("caf\\xe9") for note in summary.renamed)
    assert bring_in(shelf, source).files_unchanged == 6


def test_links_and_special_files_are_skipped_and_reported(shelf: Shelf, source: Path, tmp_path: Path) -> None:
    (source / "a link").symlink_to(source / "letter.txt")
    (source / "a link to a folder").symlink_to(tmp_path)
    os.mkfifo(source / "a pipe")
    summary = bring_in(shelf, source)
    assert drive(shelf) == TREE
    reasons = {Path(note.path).name: note.detail for note in summary.skipped}
    assert reasons["a link"] == reasons["a link to a folder"] == "symbolic link: --follow-links imports its target"
    assert reasons["a pipe"] == "neither a file nor a folder"
    assert summary.is_complete


def test_links_are_followed_when_that_is_wanted_and_a_circle_ends(shelf: Shelf, source: Path) -> None:
    (source / "a link").symlink_to(source / "letter.txt")
    (source / "pictures" / "up").symlink_to(source)
    (source / "to nothing").symlink_to(source / "not there")
    summary = bring_in(shelf, source, follow_links=True)
    assert drive(shelf) == TREE | {"a link": b"dear reader"}
    reasons = {Path(note.path).name: note.detail for note in summary.skipped}
    assert reasons == {"up": "link to a folder that contains it", "to nothing": "broken link"}


def test_a_full_quota_stops_it_and_more_space_lets_it_resume(stack: Stack, tmp_path: Path) -> None:
    shelf = new_shelf(stack, quota=30)
    source = plant(tmp_path / "source", {f"{number}.txt": b"%d" % number * 10 for number in range(9)})
    summary = bring_in(shelf, source, group_files=2)
    assert summary.stopped == QUOTA_FULL
    assert (summary.files_imported, used(shelf)) == (3, 30)
    assert problems(stack.ctx) == {}
    stack.ctx.metadata.write(
        lambda unit: unit.accounts.set_space(shelf.id, default_space=90, paid_space=0, now=stack.clock.now())
    )
    summary = bring_in(shelf, source)
    assert (summary.stopped, summary.files_imported, summary.files_unchanged) == (None, 6, 3)


@pytest.mark.parametrize("is_nested", [False, True])
def test_an_account_with_too_many_files_stops_it_and_says_so(
    stack: Stack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_nested: bool
) -> None:
    shelf = new_shelf(stack, quota=1000)
    source = plant(
        tmp_path / "source", {f"{number}/a.txt" if is_nested else f"{number}.txt": b"a" for number in range(9)}
    )
    allowed = used_objects(shelf) + 4
    with monkeypatch.context() as patch:
        patch.setattr("skyshelf.storage.metadata.sql.quota.OBJECTS_ALWAYS", allowed)
        summary = bring_in(shelf, source, group_files=2)
    assert summary.stopped == QUOTA_FULL
    assert "the account has as many files and folders as its quota allows" in {note.detail for note in summary.failed}
    assert used_objects(shelf) == allowed
    assert problems(stack.ctx) == {}
    assert bring_in(shelf, source).stopped is None
    assert used_objects(shelf) == allowed - 4 + (18 if is_nested else 9)


def test_space_and_names_that_somebody_takes_in_between_are_noticed_by_the_commit(stack: Stack, tmp_path: Path) -> None:
    shelf = new_shelf(stack, quota=95)
    tree: Tree = {f"{number}.txt": b"%d" % number * 10 for number in range(9)}
    source, once = plant(tmp_path / "source", tree), threading.Lock()

    def interfere(event: Event) -> None:
        if event.kind == "progress" and once.acquire(blocking=False):
            shelf.folder("0.txt")
            shelf.file("1.txt", b"1" * 10)
            shelf.file("something else", b"x" * 60)

    options = ImportOptions(threads=2, commit_files=2)
    summary = TreeImport(stack.ctx, shelf.account, options, interfere).run(source)
    assert summary.stopped == QUOTA_FULL
    reasons = {Path(note.path).name: note.detail for note in summary.failed}
    assert reasons.pop("0.txt") == "something else in the drive has its name"
    assert reasons == dict.fromkeys((f"{number}.txt" for number in range(4, 9)), "does not fit into the quota")
    # The one that has its content already is no second version.
    assert (summary.files_imported, summary.files_unchanged, summary.versions_added, used(shelf)) == (2, 1, 0, 90)
    assert problems(stack.ctx) == {}
    stack.ctx.metadata.write(
        lambda unit: unit.accounts.set_space(shelf.id, default_space=900, paid_space=0, now=stack.clock.now())
    )
    summary = bring_in(shelf, source)
    assert (summary.stopped, summary.files_imported, summary.files_unchanged, summary.failed_count) == (None, 5, 3, 1)
    assert drive(shelf) == tree | {"0.txt": None, "something else": b"x" * 60}
    stack.clock.advance(days=3)
    assert problems(stack.ctx) == {}


def test_conflicts_are_reported_and_the_rest_is_imported(shelf: Shelf, source: Path) -> None:
    shelf.folder("letter.txt")
    shelf.file("pictures", b"not a folder")
    summary = bring_in(shelf, source)
    reasons = {Path(note.path).name: note.detail for note in summary.failed}
    assert reasons == {
        "letter.txt": "a folder in the drive has its name",
        "pictures": "a file in the drive has its name",
    }
    assert not summary.is_complete
    assert summary.files_imported == 3


def test_an_unreadable_file_is_reported_and_the_rest_is_imported(
    shelf: Shelf, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opening = OpenFile.__init__

    def refuse(self: OpenFile, file: object, *, follow: bool) -> None:
        if str(getattr(file, "name", "")) == "letter.txt":
            raise PermissionError(13, "Permission denied")
        opening(self, file, follow=follow)  # type: ignore[arg-type]

    monkeypatch.setattr(OpenFile, "__init__", refuse)
    summary = bring_in(shelf, source)
    assert [(Path(one.path).name, one.detail) for one in summary.failed] == [
        ("letter.txt", "cannot be read: Permission denied")
    ]
    assert drive(shelf).keys() == TREE.keys() - {"letter.txt"}


def test_a_file_that_is_written_to_during_the_import_is_not_imported_half(shelf: Shelf, source: Path) -> None:
    def write_to_it(event: Event) -> None:
        if event.kind == "progress" and event.path.endswith("large.bin"):
            with (source / "large.bin").open("ab") as file:
                file.write(b"more")

    ctx = shelf.stack.ctx
    summary = TreeImport(ctx, shelf.account, ImportOptions(threads=2), write_to_it).run(source)
    assert [Path(note.path).name for note in summary.failed] == ["large.bin"]
    shelf.stack.clock.advance(days=3)
    assert problems(ctx) == {}
    bring_in(shelf, source)
    assert drive(shelf)["large.bin"] == (source / "large.bin").read_bytes()


def test_of_one_task_all_readable_files_are_imported_and_a_content_is_stored_once(shelf: Shelf, tmp_path: Path) -> None:
    tree: Tree = {f"{number}.txt": b"the same" for number in range(6)}
    source = plant(tmp_path / "source", tree)

    def take_away(event: Event) -> None:
        if event.kind == "progress" and event.path.endswith("0.txt"):
            with (source / "0.txt").open("ab") as file:
                file.write(b" no more")
            (source / "3.txt").unlink()

    summary = TreeImport(shelf.stack.ctx, shelf.account, ImportOptions(threads=1), take_away).run(source)
    assert {Path(note.path).name: note.detail for note in summary.failed} == {
        "0.txt": "changed while it was read: run the import again",
        "3.txt": "cannot be read: No such file or directory",
    }
    assert drive(shelf) == {path: content for path, content in tree.items() if path not in {"0.txt", "3.txt"}}
    assert len(list(shelf.stack.ctx.blobs.list())) == 1
    assert problems(shelf.stack.ctx) == {}


def test_two_imports_of_the_same_folder_at_once_bring_everything_once(shelf: Shelf, tmp_path: Path) -> None:
    tree: Tree = {f"{number}.txt": b"%d" % number for number in range(60)}
    source = plant(tmp_path / "source", tree)
    with ThreadPoolExecutor(2) as both:
        summaries = list(both.map(lambda _: bring_in(shelf, source, group_files=5), range(2)))
    assert drive(shelf) == tree
    assert sum(summary.files_imported for summary in summaries) == 60
    assert sum(summary.versions_added for summary in summaries) == 0
    shelf.stack.clock.advance(days=3)
    assert problems(shelf.stack.ctx) == {}


def test_it_can_be_stopped_and_goes_on_where_it_was(shelf: Shelf, tmp_path: Path) -> None:
    tree: Tree = {f"{number // 10}/{number}.txt": b"%d" % number for number in range(100)}
    source = plant(tmp_path / "source", tree)
    seen = threading.Event()

    def stop_soon(event: Event) -> None:
        if event.kind == "imported" and not seen.is_set():
            seen.set()
            running.stop()

    running = TreeImport(shelf.stack.ctx, shelf.account, ImportOptions(group_files=10, threads=2), stop_soon)
    summary = running.run(source)
    assert summary.stopped == INTERRUPTED
    assert 0 < summary.files_imported < 100
    assert len(drive(shelf)) >= summary.files_imported
    bring_in(shelf, source)
    assert drive(shelf) == tree
    shelf.stack.clock.advance(days=3)
    assert problems(shelf.stack.ctx) == {}


def test_hard_links_share_the_file_and_where_there_are_none_it_is_copied(shelf: Shelf, source: Path) -> None:
    summary = bring_in(shelf, source, way="hard")
    assert drive(shelf) == TREE
    path = shelf.stack.ctx.blobs.local_path(shelf.location(stored(shelf, "large.bin")))
    assert summary.linked == (6 if path is not None else 0)
    assert path is None or path.samefile(source / "large.bin")


def test_pictures_bring_the_day_on_which_they_were_taken(embedded: Stack, tmp_path: Path) -> None:
    shelf = new_shelf(embedded)
    source = plant(tmp_path / "source", {"IMG_1.jpg": jpeg_taken("2021:07:14 10:20:30"), "broken.jpg": b"no picture"})
    bring_in(shelf, source)
    assert stored(shelf, "IMG_1.jpg").taken_day == 714
    assert stored(shelf, "broken.jpg").taken_at is None


def test_the_store_itself_is_left_out_of_a_source_that_it_lies_in(embedded: Stack, tmp_path: Path) -> None:
    shelf = new_shelf(embedded)
    (tmp_path / "letter.txt").write_bytes(b"dear reader")
    data = (tmp_path / "data").stat()
    summary = bring_in(shelf, tmp_path, without=frozenset({(data.st_dev, data.st_ino)}))
    assert drive(shelf) == {"letter.txt": b"dear reader"}
    assert [note.detail for note in summary.skipped] == ["belongs to the service itself"]
