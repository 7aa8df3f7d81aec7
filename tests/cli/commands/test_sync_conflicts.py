"""`skyshelf sync conflicts` and `settle`: what was kept twice is listed, and one command ends it on both sides."""

from pathlib import Path

import pytest
from tests.cli.typing_commands import Typist

from skyshelf.cli.base.records import ObjectRecord
from skyshelf.cli.commands.sync.conflicts import SyncConflictRecord
from skyshelf.cli.commands.sync.state import SyncStatusRecord
from skyshelf.cli.commands.versions import VersionRecord


@pytest.fixture
def here(typist: Typist) -> Path:
    """A folder with one conflict."""
    typist.write("here/a.txt", "one")
    typist.done("sync", "here", "/there")
    typist.write("here/a.txt", "mine")
    typist.write("elsewhere/a.txt", "theirs")
    typist.done("put", "elsewhere/a.txt", "/there/")
    typist.done("sync", "here", "/there")
    return typist.desk / "here"


def contents(here: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in here.iterdir() if path.is_file()}


def trashed(here: Path) -> list[str]:
    return [path.read_text() for path in (here / ".skyshelf-sync/trash").rglob("*") if path.is_file()]


def test_conflicts_are_listed_and_counted(typist: Typist, here: Path) -> None:
    (one,) = typist.records(SyncConflictRecord, "sync", "conflicts")
    assert (one.folder, one.path, one.has_both) == (str(here), "a.txt", True)
    assert (here / one.copy).read_text() == "mine"
    assert one.device in one.copy
    assert typist.records(SyncStatusRecord, "sync", "status")[0].conflicts == 1


def test_the_copy_takes_the_name_and_the_other_is_kept(typist: Typist, here: Path) -> None:
    typist.done("sync", "settle", "here/a.txt", "--keep", "mine")
    assert contents(here) == {"a.txt": "mine"}
    assert "theirs" in trashed(here)
    assert typist.records(SyncConflictRecord, "sync", "conflicts", "here") == []
    typist.done("sync", "here", "/there")
    assert typist.done("cat", "/there/a.txt") == "mine"
    assert len(typist.records(ObjectRecord, "ls", "/there")) == 1
    # The server has what went as a version, and the copy in its trash.
    assert len(typist.records(VersionRecord, "versions", "ls", "/there/a.txt")) >= 3


def test_what_the_server_had_stays_and_the_copy_is_kept(typist: Typist, here: Path) -> None:
    (one,) = typist.records(SyncConflictRecord, "sync", "conflicts")
    typist.done("sync", "settle", f"here/{one.copy}", "--keep", "theirs")
    assert contents(here) == {"a.txt": "theirs"}
    assert "mine" in trashed(here)
    typist.done("sync", "here", "/there")
    assert [found.name for found in typist.records(ObjectRecord, "trash", "ls")] == [one.copy]


def test_both_stay_under_ordinary_names(typist: Typist, here: Path) -> None:
    typist.done("sync", "settle", "here/a.txt", "--keep", "both")
    found = contents(here)
    assert sorted(found.values()) == ["mine", "theirs"]
    assert not any("conflict" in name for name in found)
    typist.done("sync", "here", "/there")
    assert {one.name for one in typist.records(ObjectRecord, "ls", "/there")} == set(found)
    assert typist.records(SyncConflictRecord, "sync", "conflicts", "here") == []


def test_the_only_item_is_not_given_up_and_of_several_one_is_named(typist: Typist, here: Path) -> None:
    (here / "a.txt").rename(here / "elsewhere.txt")
    assert "the only one" in typist.refused("sync", "settle", "here/a.txt", "--keep", "theirs")[1]
    (one,) = typist.records(SyncConflictRecord, "sync", "conflicts")
    assert not one.has_both
    (here / "a (conflict desk 2026-11-17 0712 2).txt").write_text("another")
    assert "several copies" in typist.refused("sync", "settle", "here/a.txt", "--keep", "mine")[1]
    typist.done("sync", "settle", "here/a (conflict desk 2026-11-17 0712 2).txt", "--keep", "mine")
    assert (here / "a.txt").read_text() == "another"
    assert "has no conflict" in typist.refused("sync", "settle", "here/elsewhere.txt", "--keep", "mine")[1]
