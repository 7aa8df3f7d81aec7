"""A mirror, which never trashes more than it said."""

from tests.cli.typing_commands import Typist

from skyshelf.cli.base.records import ObjectRecord
from skyshelf.cli.commands.put import MirrorRecord


def paths(typist: Typist, *arguments: str) -> set[str]:
    return {one.path or "" for one in typist.records(ObjectRecord, "ls", "-R", "--files", *arguments)}


def test_a_folder_becomes_like_the_local_one(typist: Typist) -> None:
    typist.write("here/a.txt", "one")
    typist.write("here/deep/b.txt", "two")
    would = typist.record(MirrorRecord, "mirror", "here", "/there", "--dry-run")
    assert sorted(would.upload) == ["/there/a.txt", "/there/deep/b.txt"]
    assert typist.done("ls") == ""
    typist.done("mirror", "here", "/there")
    assert paths(typist, "/there") == {"/there/a.txt", "/there/deep/b.txt"}
    again = typist.record(MirrorRecord, "mirror", "here", "/there")
    assert (again.upload, again.trash, again.unchanged) == ([], [], 2)


def test_what_a_backup_keeps_beside_its_copy_is_not_mirrored(typist: Typist) -> None:
    typist.write("copy/a.txt", "one")
    typist.done("mirror", "copy", "/from")
    typist.done("backup", "backup", "--from", "/from")
    typist.write("backup/.skyshelf-replaced/2026/a.txt", "zero")
    typist.write("backup/.skyshelf-sync/trash/2026/a.txt", "zero")
    assert typist.record(MirrorRecord, "mirror", "backup", "/there", "--dry-run").upload == ["/there/a.txt"]


def test_what_is_gone_here_stays_there_unless_asked_for(typist: Typist) -> None:
    typist.write("here/a.txt", "one")
    gone = typist.write("here/deep/b.txt", "two")
    typist.done("mirror", "here", "/there")
    gone.unlink()
    gone.parent.rmdir()
    assert typist.record(MirrorRecord, "mirror", "here", "/there").trash == []
    assert len(paths(typist, "/there")) == 2
    assert typist.done("mirror", "here", "/there", "--delete", "--dry-run") == "trash /there/deep\n"
    typist.done("mirror", "here", "/there", "--delete")
    assert paths(typist, "/there") == {"/there/a.txt"}
    assert typist.records(ObjectRecord, "trash", "ls")[0].name == "deep"


def test_more_than_allowed_stops_before_anything_is_done(typist: Typist) -> None:
    for number in range(4):
        typist.write(f"here/{number}.txt", str(number))
    typist.done("mirror", "here", "/there")
    for number in range(4):
        (typist.desk / "here" / f"{number}.txt").unlink()
    typist.write("here/new.txt", "new")
    code, said = typist.refused("mirror", "here", "/there", "--delete", "--max-delete", "3")
    assert code == 7
    assert "4 files" in said
    assert len(paths(typist, "/there")) == 4
    would = typist.record(MirrorRecord, "mirror", "here", "/there", "--delete", "--max-delete", "3", "--dry-run")
    assert len(would.trash) == 4
    assert typist.records(ObjectRecord, "trash", "ls") == []


def test_a_folder_whose_disk_is_not_mounted_empties_nothing(typist: Typist) -> None:
    typist.write("here/a.txt", "one")
    typist.write("here/deep/b.txt", "two")
    typist.done("mirror", "here", "/there")
    (typist.desk / "here").rename(typist.desk / "unmounted")
    (typist.desk / "here" / "empty").mkdir(parents=True)
    code, said = typist.refused("mirror", "here", "/there", "--delete")
    assert code == 7
    assert "here has no files, so everything in /there would be trashed. Nothing was changed: is its disk" in said
    assert len(typist.record(MirrorRecord, "mirror", "here", "/there", "--delete", "--dry-run").trash) == 2
    assert len(paths(typist, "/there")) == 2
    assert typist.records(ObjectRecord, "trash", "ls") == []
