"""An account comes back from a cut with all that belongs to it; what it has today stays as it is."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.operating.backups import Backup, opened
from tests.operating.exports import everything, furnish
from tests.operating.folders import drive, versions
from tests.operating.shelves import Shelf, new_shelf
from tests.operating.stacks import Stack
from tests.operating.test_doctor import problems
from tests.operating.test_restore_account import run, run_json

from skyshelf.service.importing.exported import NEVER
from skyshelf.storage.identity import check_identity
from skyshelf.storage.metadata.store import Unit
from skyshelf.storage.open import embedded_urls


@pytest.fixture
def ada(stack: Stack) -> Shelf:
    shelf = new_shelf(stack)
    check_identity(stack.ctx.metadata, stack.ctx.blobs)
    furnish(shelf)
    return shelf


@pytest.fixture
def asked(ada: Shelf, tmp_path: Path, bucket: Callable[[], str]) -> tuple[str, ...]:
    """A backup of the account, and its name."""
    destination = str(tmp_path / "backup") if ada.stack.name == "sqlite+disk" else bucket()
    assert Backup(ada.stack, destination, tmp_path).take().damaged == []
    return ("restore", destination, "--account", "ada@example.org")


def counts(summary: dict[str, Any]) -> tuple[int, ...]:
    names = ("albums", "contacts", "tags", "favorites", "trashed", "filesImported", "versionsAdded", "failedCount")
    return tuple(summary[name] for name in names)


def test_an_account_that_was_deleted_comes_back_with_everything(
    ada: Shelf, asked: tuple[str, ...], tmp_path: Path
) -> None:
    data = tmp_path / "another"
    run("init", "--data", data)
    came = run_json(*asked, "--recreate", "--data", data)["summary"]
    assert came["failedCount"] == 0
    with opened(ada, *embedded_urls(data)) as there:
        with there.stack.ctx.metadata.read() as unit:
            account = unit.accounts.by_key(ada.account.account_key)
        returned = Shelf(there.stack, account)
        assert everything(returned) == everything(ada)
        assert problems(there.stack.ctx) == {}
    again = run_json(*asked, "--recreate", "--data", data)["summary"]
    assert counts(again)[:2] == (0, 0)
    assert counts(again)[4:] == (0, 0, 0, 0)
    with opened(ada, *embedded_urls(data)) as there:
        assert everything(Shelf(there.stack, account)) == everything(ada)


def test_an_account_in_use_gets_back_what_it_no_longer_has_and_keeps_what_it_has(
    ada: Shelf, asked: tuple[str, ...]
) -> None:
    ctx = ada.stack.ctx
    before = everything(ada)
    # What is all there comes as files alone.
    came = run_json(*asked, "--into", "/first", *ada.stack.options)["summary"]
    assert counts(came)[:2] == (0, 0)
    assert (came["trashed"], came["failedCount"], came["versionsAdded"]) == (0, 0, 2)
    assert any("still exists" in one for one in came["notImported"])
    assert everything(ada)["albums"] == before["albums"]
    assert versions(ada, "letter.txt") == [b"draft 0", b"draft 1", b"draft 0"]

    def lose(unit: Unit) -> None:
        [board] = unit.boards.page(ada.id, limit=2)
        unit.boards.delete(ada.id, board.board_key, ctx.clock.now())
        [(_, place)] = unit.contacts.following(ada.id, limit=2)
        unit.contacts.remove(ada.id, [place.key], ctx.clock.now())
        unit.purge.mark_all_for_deletion(ada.id, ctx.clock.now())

    ctx.metadata.write(lose)
    rest = drive(ada)
    came = run_json(*asked, "--into", "/second", *ada.stack.options)["summary"]
    assert (came["albums"], came["contacts"], came["trashed"], came["failedCount"]) == (1, 1, 3, 0)
    after = everything(ada)
    assert (after["albums"], after["contacts"]) == (before["albums"], before["contacts"])
    assert rest.items() <= drive(ada).items()
    # Again: nothing comes twice.
    assert counts(run_json(*asked, "--into", "/second", *ada.stack.options)["summary"])[4:] == (0, 0, 0, 0)
    assert everything(ada) == after


def test_versions_come_with_a_path_and_nothing_else_does(ada: Shelf, asked: tuple[str, ...]) -> None:
    came = run_json(*asked, "--path", "/letter.txt", "--into", "/back", *ada.stack.options)["summary"]
    assert counts(came) == (0, 0, 0, 0, 0, 1, 2, 0)
    came = run_json(*asked, "--path", "/Photos/2024", "--into", "/back", *ada.stack.options)["summary"]
    assert counts(came) == (0, 0, 2, 1, 0, 2, 0, 0)
    assert drive(ada)["back/Photos/2024/beach.jpg"] == b"a beach"


def test_what_does_not_come_back_is_said_before_it_begins(ada: Shelf, asked: tuple[str, ...]) -> None:
    said = run(*asked, *ada.stack.options).stderr
    assert "in the trash" in said
    assert all(sentence in said for sentence in NEVER)
    assert "leave out --path" in run(*asked, "--path", "/Photos", *ada.stack.options).stderr


def test_a_file_with_the_name_of_one_that_comes_back_is_left_with_all_its_versions(
    ada: Shelf, asked: tuple[str, ...]
) -> None:
    back = ada.folder("back")
    mine = ada.file("letter.txt", b"draft 1", back.object_key)
    ada.file("letter.txt", b"something else", back.object_key)
    came = run_json(*asked, "--path", "/letter.txt", "--into", "/back", *ada.stack.options, expecting=1)["summary"]
    assert [one["path"] for one in came["failed"]] == ["letter.txt"]
    with ada.stack.ctx.metadata.read() as unit:
        assert len(unit.files.versions(ada.id, mine.object_key)) == 2
    assert drive(ada)["back/letter.txt"] == b"something else"


def test_rows_that_lead_in_a_circle_are_refused_and_single_paths_are_not(embedded: Stack, tmp_path: Path) -> None:
    shelf, backup = new_shelf(embedded), Backup(embedded, str(tmp_path / "backup"), tmp_path)
    outer = shelf.folder("outer")
    inner = shelf.folder("inner", outer.object_key)
    shelf.file("one.txt", b"one")
    circle = bytes.fromhex(inner.object_key), bytes.fromhex(outer.object_key)
    embedded.damage("UPDATE objects SET parent_key = ? WHERE object_key = ?", *circle)
    backup.take()
    asked = ("restore", backup.destination, "--account", "ada@example.org", *embedded.options)
    assert "inside itself" in run(*asked, expecting=2).stderr
    assert run_json(*asked, "--path", "/one.txt")["summary"]["filesImported"] == 1
