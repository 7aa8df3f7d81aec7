"""Looking around: ls, tree, find, du, stat, recent."""

import msgspec
import pytest
from tests.cli.typing_commands import Typist

from skyshelf.cli.base.records import ObjectRecord
from skyshelf.cli.commands.browse import FolderSizeRecord


@pytest.fixture
def drive(typist: Typist) -> Typist:
    """A drive with two folders and four files."""
    typist.write("Photos/2024/beach.jpg", "x" * 3000)
    typist.write("Photos/sea.jpg", "y" * 1000)
    typist.write("Photos/notes.txt", "z" * 10)
    typist.done("put", "Photos")
    typist.write("readme.md", "r" * 20)
    typist.done("put", "readme.md")
    return typist


def test_ls_prints_names_alone_so_that_a_pipe_can_read_them(drive: Typist) -> None:
    shown = drive.run("ls", "/Photos")
    assert shown.stdout.splitlines() == ["2024/", "notes.txt", "sea.jpg"]
    assert shown.stderr == ""


def test_a_path_needs_no_slash_in_front(drive: Typist) -> None:
    assert drive.done("ls", "Photos") == drive.done("ls", "/Photos/")


def test_ls_long_shows_sizes_and_times_of_here(drive: Typist) -> None:
    lines = drive.done("ls", "-l", "/Photos").splitlines()
    assert [line.split()[0] for line in lines] == ["-", "10", "1000"]
    assert lines[-1].endswith("sea.jpg")


def test_ls_sorts_and_chooses_kinds(drive: Typist) -> None:
    assert drive.done("ls", "/Photos", "--files", "--sort", "size").split() == ["sea.jpg", "notes.txt"]
    assert drive.done("ls", "/Photos", "--folders").split() == ["2024/"]


def test_ls_recursive_shows_whole_paths(drive: Typist) -> None:
    assert drive.done("ls", "-R", "--files").splitlines() == [
        "/readme.md",
        "/Photos/notes.txt",
        "/Photos/sea.jpg",
        "/Photos/2024/beach.jpg",
    ]


def test_globs_match_on_the_server(drive: Typist) -> None:
    assert drive.done("ls", "/Photos/*.jpg").split() == ["sea.jpg"]
    assert drive.done("ls", "/*/*/b?ach.jpg").split() == ["beach.jpg"]
    code, said = drive.refused("ls", "/Photos/*.png")
    assert code == 6
    assert "skyshelf ls" in said


def test_a_name_with_glob_characters_is_found_as_it_is(typist: Typist) -> None:
    typist.write("a[1].txt", "one")
    typist.write("a1.txt", "other")
    typist.done("put", "a[1].txt", "a1.txt", "/")
    assert typist.done("cat", "/a[1].txt") == "one"


def test_json_has_its_documented_form_and_jsonl_the_same_objects(drive: Typist) -> None:
    found = drive.records(ObjectRecord, "ls", "/Photos")
    assert [(one.path, one.type, one.size_bytes) for one in found] == [
        ("/Photos/2024", "folder", 0),
        ("/Photos/notes.txt", "file", 10),
        ("/Photos/sea.jpg", "file", 1000),
    ]
    assert found[2].modified is not None
    assert found[2].modified.endswith("Z")
    lines = drive.done("ls", "/Photos", "--jsonl").splitlines()
    assert [msgspec.json.decode(line, type=ObjectRecord) for line in lines] == found
    assert drive.refused("ls", "--json", "--jsonl")[0] == 2


def test_a_key_names_an_object_everywhere(drive: Typist) -> None:
    key = drive.records(ObjectRecord, "stat", "/Photos/sea.jpg")[0].object_key
    assert drive.records(ObjectRecord, "stat", f"key:{key}")[0].name == "sea.jpg"
    assert drive.done("cat", f"key:{key}") == "y" * 1000
    assert drive.refused("stat", "key:nothing")[0] == 2


def test_what_is_not_there_is_a_sentence_and_its_code(drive: Typist) -> None:
    code, said = drive.refused("stat", "/Photos/none.jpg")
    assert code == 6
    assert said.startswith("skyshelf: ")
    assert said.count("\n") == 1
    assert "/Photos/none.jpg" in said
    assert "`skyshelf ls`" in said


def test_a_tree_is_drawn(drive: Typist) -> None:
    assert drive.done("tree", "/Photos").splitlines() == [
        "/Photos/",
        "├── 2024/",
        "│   └── beach.jpg",
        "├── notes.txt",
        "└── sea.jpg",
    ]
    assert "beach.jpg" not in drive.done("tree", "--depth", "2")
    assert [one.path for one in drive.records(ObjectRecord, "tree", "--folders")] == ["/Photos", "/Photos/2024"]


def test_find_filters_by_name_kind_size_time_and_favourites(drive: Typist) -> None:
    assert sorted(drive.done("find", "EA").split()) == ["/Photos/2024/beach.jpg", "/Photos/sea.jpg", "/readme.md"]
    assert drive.done("find", "--ext", "jpg", "--larger", "2kB").split() == ["/Photos/2024/beach.jpg"]
    assert drive.done("find", "--in", "/Photos", "--ext", "md") == ""
    assert [one.path for one in drive.records(ObjectRecord, "find", "readme", "--newer", "1h")] == ["/readme.md"]
    assert drive.done("find", "readme", "--newer", "2999-01-01") == ""
    drive.done("fav", "/Photos/sea.jpg")
    assert drive.done("find", "--favorites").split() == ["/Photos/sea.jpg"]
    assert drive.refused("find", "--newer", "soon")[0] == 2


def test_du_adds_up_to_the_whole(drive: Typist) -> None:
    found = drive.records(FolderSizeRecord, "du")
    assert [(one.path, one.files, one.size_bytes) for one in found] == [("/Photos", 3, 4010), ("/", 1, 20)]
    assert drive.done("du").splitlines()[-1].endswith("4 files  total")


def test_stat_shows_the_key_that_other_commands_take(drive: Typist) -> None:
    shown = drive.done("stat", "/readme.md")
    assert "key:" in shown
    assert "20 bytes" in shown


def test_recent_lists_the_newest(drive: Typist) -> None:
    assert len(drive.records(ObjectRecord, "recent", "--limit", "3")) == 3
    assert "readme.md" in drive.done("recent")


def test_names_cannot_move_the_cursor_or_turn_text_around(typist: Typist) -> None:
    typist.write("invoice\u202egpj.exe")
    typist.done("put", "invoice\u202egpj.exe")
    assert typist.done("ls") == "invoice\\u202egpj.exe\n"
    assert typist.records(ObjectRecord, "ls")[0].name == "invoice\u202egpj.exe"


def test_an_empty_listing_says_so_in_a_terminal(typist: Typist) -> None:
    for command in (("ls",), ("find", "x"), ("trash",), ("recent",)):
        code, shown = typist.in_terminal(*command)
        assert code == 0
        assert shown.strip(), command
        piped = typist.run(*command)
        assert (piped.stdout, piped.stderr) == ("", "")


def test_a_noun_alone_lists_its_things(drive: Typist) -> None:
    drive.done("rm", "/readme.md")
    assert drive.done("trash") == drive.done("trash", "ls")
    assert [one.name for one in drive.records(ObjectRecord, "trash")] == ["readme.md"]
    assert drive.done("trash", "--help").startswith("Usage: skyshelf trash [OPTIONS] COMMAND")
