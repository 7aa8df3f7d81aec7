"""Changing what is there: mkdir, mv, rename, favourites, trash, versions, links, boards and the small lists."""

import httpx2
import pytest
from tests.cli.typing_commands import Typist

from skyshelf.cli.base.records import DownloadRecord, ObjectRecord, OutcomeRecord
from skyshelf.cli.commands.about import BannerRecord, PromotionRecord
from skyshelf.cli.commands.boards.names import BoardRecord, MemberRecord
from skyshelf.cli.commands.contacts import ContactRecord, EmailRecord
from skyshelf.cli.commands.shares import ShareRecord
from skyshelf.cli.commands.tags import TagRecord
from skyshelf.cli.commands.versions import VersionRecord


@pytest.fixture
def noted(typist: Typist) -> Typist:
    """A drive with two notes."""
    typist.write("a.txt", "one")
    typist.write("b.txt", "two")
    typist.done("put", "a.txt", "b.txt", "/")
    return typist


def test_mkdir_makes_what_leads_there_when_asked(typist: Typist) -> None:
    assert typist.refused("mkdir", "/x/y")[0] == 6
    made = typist.records(ObjectRecord, "mkdir", "-p", "/x/y")
    assert made[0].path == "/x/y"
    assert typist.refused("mkdir", "/x/y")[0] == 7
    typist.done("mkdir", "-p", "/x/y")


def test_mv_moves_into_a_folder_and_to_a_new_name(noted: Typist) -> None:
    noted.done("mkdir", "/notes")
    noted.done("mv", "/*.txt", "/notes")
    assert noted.done("ls", "/notes").split() == ["a.txt", "b.txt"]
    noted.done("mv", "/notes/a.txt", "/first.txt")
    assert noted.done("cat", "/first.txt") == "one"
    noted.done("mv", "/first.txt", "/second.txt")
    assert noted.done("ls", "--files").split() == ["second.txt"]
    assert noted.refused("mv", "/second.txt", "/none/")[0] == 6


def test_cp_copies_folders_with_what_is_in_them_under_free_names(noted: Typist) -> None:
    noted.done("mkdir", "-p", "/notes/deep")
    noted.done("cp", "/*.txt", "/notes/deep")
    copied = noted.records(OutcomeRecord, "cp", "/notes", "/a.txt", "/")
    assert [one.ok for one in copied] == [True, True]
    assert noted.done("cat", "/notes (1)/deep/b.txt") == "two"
    assert noted.done("cat", "/a (1).txt") == "one"
    assert noted.refused("cp", "/notes", "/notes/deep")[0] == 3
    assert noted.refused("cp", "/a.txt", "/b.txt")[0] == 3


def test_copying_shows_how_far_it_is_on_a_terminal(noted: Typist) -> None:
    noted.done("mkdir", "/notes")
    code, shown = noted.in_terminal("cp", "/a.txt", "/b.txt", "/notes")
    assert code == 0, shown
    assert "Copied 2 items" in shown


def test_a_refused_move_is_no_success(noted: Typist) -> None:
    noted.done("mkdir", "-p", "/notes")
    noted.done("put", "a.txt", "/notes/")
    code, said = noted.refused("mv", "/a.txt", "/b.txt", "/notes")
    assert code == 3
    assert "/a.txt:" in said
    assert "1 of 2" in said.splitlines()[-1]
    assert noted.done("ls", "/notes").split() == ["a.txt", "b.txt"]


def test_rename_and_favourites(noted: Typist) -> None:
    assert noted.record(ObjectRecord, "rename", "/a.txt", "c.txt").name == "c.txt"
    assert noted.records(OutcomeRecord, "fav", "/c.txt", "/b.txt")[1].ok
    assert noted.done("find", "--favorites").split() == ["/b.txt", "/c.txt"]
    noted.done("unfav", "/b.txt")
    assert noted.done("find", "--favorites").split() == ["/c.txt"]
    assert "★" in noted.done("ls", "-l")


def test_what_was_thrown_away_comes_back(noted: Typist) -> None:
    noted.done("rm", "/a.txt")
    assert noted.done("ls").split() == ["b.txt"]
    assert "a.txt" in noted.done("trash", "ls")
    assert [one.name for one in noted.records(OutcomeRecord, "restore", "/a.txt")] == ["a.txt"]
    assert noted.done("ls").split() == ["a.txt", "b.txt"]
    noted.done("rm", "/*.txt")
    noted.done("restore", "--all")
    assert noted.records(ObjectRecord, "trash", "ls") == []
    assert noted.refused("restore", "none.txt")[0] == 6
    assert noted.refused("restore")[0] == 2


def test_equal_names_in_the_trash_are_distinguished_by_key(noted: Typist) -> None:
    noted.done("rm", "/a.txt")
    noted.done("put", "a.txt")
    noted.done("rm", "/a.txt")
    code, said = noted.refused("restore", "a.txt")
    assert code == 7
    keys = [one.object_key for one in noted.records(ObjectRecord, "trash", "ls")]
    assert all(key in said for key in keys)
    noted.done("restore", f"key:{keys[0]}")
    assert len(noted.records(ObjectRecord, "trash", "ls")) == 1


def test_an_earlier_version_can_be_read_and_brought_back(noted: Typist) -> None:
    noted.write("a.txt", "newer")
    noted.done("put", "a.txt")
    assert [one.version for one in noted.records(VersionRecord, "versions", "ls", "/a.txt")] == [2, 1]
    noted.done("versions", "get", "/a.txt", "1", "before.txt")
    assert (noted.desk / "before.txt").read_text() == "one"
    noted.done("versions", "restore", "/a.txt", "1")
    assert noted.done("cat", "/a.txt") == "one"
    assert len(noted.records(VersionRecord, "versions", "ls", "/a.txt")) == 3
    assert noted.refused("versions", "restore", "/a.txt", "9")[0] == 6


def test_share_prints_the_link_and_nothing_else(noted: Typist) -> None:
    shown = noted.run("share", "/a.txt", "/b.txt")
    assert shown.stderr == ""
    assert len(shown.stdout.splitlines()) == 1
    page = httpx2.get(shown.stdout.strip())
    assert page.status_code == 200
    assert "a.txt" in page.text
    record = noted.record(ShareRecord, "share", "/a.txt", "--name", "for you")
    assert record.share_name == "for you"
    assert {one.name for one in noted.records(ObjectRecord, "shares", "items")} == {"a.txt", "b.txt"}


def test_a_board_is_made_shown_and_left(typist: Typist) -> None:
    made = typist.record(BoardRecord, "albums", "create", "Summer", "--description", "sea")
    assert [one.name for one in typist.records(BoardRecord, "albums", "ls")] == ["Summer"]
    assert typist.records(ObjectRecord, "albums", "show", "Summer") == []
    assert [one.is_owner for one in typist.records(MemberRecord, "albums", "members", f"key:{made.board_key}")] == [
        True
    ]
    code, said = typist.refused("albums", "leave", "Summer")
    assert code == 2
    assert "--yes" in said
    assert typist.in_terminal("albums", "leave", "Summer", answers=(("[y/N]", "n\n"),))[0] == 1
    assert len(typist.records(BoardRecord, "albums", "ls")) == 1
    typist.done("albums", "leave", "Summer", "--yes")
    assert typist.records(BoardRecord, "albums", "ls") == []
    assert typist.refused("albums", "show", "Winter")[0] == 6


def test_the_small_lists_of_a_new_account_are_empty_and_well_formed(noted: Typist) -> None:
    assert noted.records(ContactRecord, "contacts", "ls") == []
    assert noted.records(EmailRecord, "contacts", "emails") == []
    assert noted.records(TagRecord, "tags", "ls") == []
    assert noted.records(TagRecord, "tags", "ls", "/a.txt") == []
    assert noted.records(PromotionRecord, "promotions") == []
    assert noted.records(BannerRecord, "banners") == []


def test_open_can_print_the_address(typist: Typist) -> None:
    assert typist.done("open", "--print") == typist.server + "\n"


def test_changes_report_what_they_did_as_json_too(noted: Typist) -> None:
    noted.done("mkdir", "/notes")
    assert [one.ok for one in noted.records(OutcomeRecord, "mv", "/a.txt", "/notes")] == [True]
    assert [one.ok for one in noted.records(OutcomeRecord, "unfav", "/b.txt")] == [True]
    assert [one.ok for one in noted.records(OutcomeRecord, "rm", "/b.txt")] == [True]
    assert [one.name for one in noted.records(OutcomeRecord, "restore", "b.txt")] == ["b.txt"]
    got = noted.record(DownloadRecord, "versions", "get", "/b.txt", "1", "first.txt")
    assert (got.size_bytes, got.verified) == (3, True)
    assert noted.record(ObjectRecord, "versions", "restore", "/b.txt", "1").path == "/b.txt"


def test_what_is_in_the_trash_goes_for_good_when_somebody_says_yes(noted: Typist) -> None:
    noted.write("c.txt", "three")
    noted.done("put", "c.txt", "/")
    noted.done("rm", "/*.txt")
    code, said = noted.refused("trash", "purge", "a.txt")
    assert (code, "--yes" in said) == (2, True)
    code, shown = noted.in_terminal("trash", "purge", "a.txt", answers=(("Permanently delete", "n\n"),))
    assert (code, "a.txt: deleted" in shown) == (1, False)
    assert noted.refused("trash", "purge", "none.txt", "--yes")[0] == 6
    code, shown = noted.in_terminal("trash", "purge", "a.txt", answers=(("Permanently delete", "y\n"),))
    assert (code, "a.txt: deleted" in shown) == (0, True)
    (other, _) = noted.records(ObjectRecord, "trash", "ls")
    assert noted.records(OutcomeRecord, "trash", "purge", f"key:{other.object_key}", "--yes")[0].ok
    assert noted.refused("trash", "purge", f"key:{other.object_key}", "--yes")[0] == 3
    assert noted.refused("trash", "empty")[0] == 2
    noted.done("trash", "empty", "--yes")
    assert noted.records(ObjectRecord, "trash", "ls") == []
