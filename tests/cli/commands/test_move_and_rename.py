"""Moving to another folder under another name: both or nothing, and said where that cannot be held."""

from collections.abc import Iterator
from typing import cast

import pytest
from tests.cli.typing_commands import Typist

from skyshelf.client.errors import ServerError, SkyshelfError
from skyshelf.client.moves import PartlyMovedError, move_and_rename
from skyshelf.client.objects.outcomes import BatchResult
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.client.sync_client import Client


@pytest.fixture
def noted(typist: Typist) -> Typist:
    """Two notes, and a folder with one."""
    notes = typist.drive.add_folder("notes")
    typist.drive.add_files([("a.txt", b"one"), ("b.txt", b"two")])
    typist.drive.add_file("a.txt", b"three", notes)
    return typist


@pytest.fixture
def client(noted: Typist) -> Iterator[Client]:
    with Client(**noted.person.settings, retry_wait=0.01) as client:
        yield client


def shown(client: Client) -> set[str]:
    return {one.path for one in client.walk()}


def test_an_object_can_go_to_another_folder_under_another_name(noted: Typist) -> None:
    noted.done("mv", "/a.txt", "/notes/c.txt")
    assert noted.done("cat", "/notes/c.txt") == "one"
    assert noted.done("ls").split() == ["notes/", "b.txt"]


def test_a_name_that_is_taken_here_may_be_free_there(noted: Typist) -> None:
    noted.done("mv", "/a.txt", "/notes/b.txt")
    assert noted.done("cat", "/notes/b.txt") == "one"
    assert noted.done("cat", "/b.txt") == "two"


def test_a_file_is_no_folder_to_move_into(noted: Typist) -> None:
    code, _ = noted.refused("mv", "/a.txt", "/b.txt/c.txt")
    assert code in {3, 6}
    assert noted.done("ls").split() == ["notes/", "a.txt", "b.txt"]


class Stubborn:
    """A client that does what it is asked until a method is called too often."""

    def __init__(self, client: Client, **allowed: int) -> None:
        self._client = client
        self._left = allowed

    def _may(self, what: str) -> None:
        self._left[what] -= 1
        if self._left[what] < 0:
            raise ServerError(f"no {what} today", status=500)

    def rename_many(self, names: list[tuple[RemoteObject, str]]) -> BatchResult:
        self._may("rename")
        return self._client.rename_many(list(names))

    def move(self, found: list[RemoteObject], folder: RemoteObject | str) -> BatchResult:
        self._may("move")
        return self._client.move(list(found), folder)


def attempt(client: Client, name: str, **allowed: int) -> SkyshelfError:
    """What a move of /a.txt into the folder under a new name ends with."""
    stubborn = cast("Client", Stubborn(client, **allowed))
    with pytest.raises(SkyshelfError) as ended:
        move_and_rename(stubborn, client.get("/a.txt"), client.get("/notes"), name)
    return ended.value


def test_a_refused_move_takes_the_new_name_back(client: Client) -> None:
    before = shown(client)
    assert "no move today" in str(attempt(client, "c.txt", rename=2, move=0))
    assert shown(client) == before


def test_a_failed_undo_is_reported(client: Client) -> None:
    ended = attempt(client, "c.txt", rename=1, move=0)
    assert isinstance(ended, PartlyMovedError)
    assert "in its old folder as c.txt" in str(ended)
    assert "/c.txt" in shown(client)


def test_by_way_of_a_third_name_it_comes_back_too(client: Client) -> None:
    before = shown(client)
    client.create_folder("b.txt", "/notes")
    with pytest.raises(SkyshelfError, match="already has an item with that name"):
        move_and_rename(client, client.get("/a.txt"), client.get("/notes"), "b.txt")
    assert shown(client) == before | {"/notes/b.txt"}


def test_stuck_half_way_in_the_other_folder_is_said(client: Client) -> None:
    ended = attempt(client, "b.txt", rename=2, move=1)
    assert isinstance(ended, PartlyMovedError)
    (there,) = (path for path in shown(client) if path.startswith("/notes/moving-"))
    assert f"in notes as {there.removeprefix('/notes/')}" in str(ended)
