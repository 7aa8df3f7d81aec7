"""Budgets and questions go by what objects contain, and a session's budget is one wherever it runs."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from mcp import Client as McpClient
from tests.agent.mcp.test_confirmation import User, call_as, no, yes
from tests.agent.mcp.test_server import in_every_era
from tests.agent.shelf import Shelf
from tests.client.serving import Person

from skyshelf.agent import contents
from skyshelf.agent.bridge import Bridge
from skyshelf.agent.changeset import Budget, Changeset
from skyshelf.agent.dispatcher import Dispatcher
from skyshelf.agent.download_root import DownloadRoot
from skyshelf.agent.journal import Journal
from skyshelf.agent.mcp.server import create_server
from skyshelf.client.async_client import AsyncClient


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "journal.jsonl")


@pytest.fixture
def settings(person: Person) -> Any:
    return person.settings


def dispatcher(settings: Any, journal: Journal, root: Path, budget: Budget, session: str | None = None) -> Dispatcher:
    changeset = Changeset(budget, session=session)
    client = partial(AsyncClient, **settings, retry_wait=0.01, agent_session=changeset.id)
    return Dispatcher(client, downloads=DownloadRoot(root), journal=journal, changeset=changeset, environment={})


class Calls:
    def __init__(self, dispatcher: Dispatcher) -> None:
        self.dispatcher, self.bridge = dispatcher, Bridge(dispatcher)

    def __call__(self, tool: str, **arguments: object) -> Any:
        envelope = self.bridge.call({"tool": tool, "arguments": arguments})
        return envelope["result"] if envelope["ok"] is True else envelope["error"]


@pytest.fixture
def begin(settings: Any, journal: Journal, root: Path) -> Iterator[Any]:
    opened: list[Calls] = []

    def make(session: str | None = None, **budget: int) -> Calls:
        opened.append(Calls(dispatcher(settings, journal, root, Budget(**budget), session)))
        return opened[-1]

    yield make
    for one in opened:
        one.bridge.close()


def filled_folder(shelf: Shelf, files: int = 3) -> str:
    photos = shelf.folder("/Photos")
    below = shelf.folder("/Photos/2024")
    for number in range(files):
        shelf.file(f"{number}.jpg", b"x" * 1024, below.key if number else photos.key)
    return photos.key


def test_a_folder_counts_with_everything_in_it(begin: Any, shelf: Shelf) -> None:
    photos = filled_folder(shelf)
    refused = begin(deletions=4)("move_to_trash", object_keys=[photos], confirm=True)
    assert refused["type"] == "BudgetExceeded"
    assert "make it 5" in refused["message"]
    assert shelf.names() == ["Photos"]
    below = shelf.client.get("/Photos/2024").key
    # What is named twice counts once.
    assert len(begin(deletions=5)("move_to_trash", object_keys=[photos, below], confirm=True)) == 2


def test_what_cannot_be_counted_is_not_done_without_asking(
    begin: Any, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    photos = filled_folder(shelf)
    monkeypatch.setattr(contents, "COUNTED_MAX", 2)
    refused = begin()("move_to_trash", object_keys=[photos], confirm=True)
    assert refused["type"] == "confirmation_required"
    assert "not known how much" in refused["message"]
    monkeypatch.setattr(contents, "COUNTED_MAX", 100)
    monkeypatch.setattr(contents, "SECONDS_MAX", 0.0)
    assert begin()("move_to_trash", object_keys=[photos], confirm=True)["type"] == "confirmation_required"
    assert shelf.names() == ["Photos"]


@in_every_era
async def test_a_user_who_was_asked_may_agree_to_what_cannot_be_counted(
    era: str, settings: Any, journal: Journal, root: Path, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    photos = filled_folder(shelf)
    monkeypatch.setattr(contents, "COUNTED_MAX", 2)
    user = yes()
    made = dispatcher(settings, journal, root, Budget())
    arguments: dict[str, Any] = {"object_keys": [photos], "confirm": True}
    envelope = await call_as(made, era, user, "move_to_trash", **arguments)
    assert envelope["ok"] is True, envelope
    assert "at least" in user.questions[0]
    assert "not all was counted" in user.questions[0]


@in_every_era
async def test_the_question_names_counts_and_sizes(
    era: str, settings: Any, journal: Journal, root: Path, shelf: Shelf
) -> None:
    photos = filled_folder(shelf)
    user = no()
    for tool in ("move_to_trash", "share_link"):
        arguments: dict[str, Any] = {"object_keys": [photos], "confirm": True}
        await call_as(dispatcher(settings, journal, root, Budget()), era, user, tool, **arguments)
    trash, share = user.questions
    assert trash == "Move «Photos» with 3 files, 3 KiB, to the trash?"
    assert share.startswith("Create a public link to «Photos» with 3 files, 3 KiB? Anyone")
    # A call beyond the budget is refused before anybody is asked.
    small = dispatcher(settings, journal, root, Budget(deletions=1))
    envelope = await call_as(small, era, user, "move_to_trash", object_keys=[photos], confirm=True)
    assert envelope["error"]["type"] == "BudgetExceeded"
    assert len(user.questions) == 2


async def rename_all(host: McpClient, keys: list[str], prefix: str) -> list[Any]:
    return [
        (await host.call_tool("rename_object", {"object_key": key, "new_name": f"{prefix}{number}"})).structured_content
        for number, key in enumerate(keys)
    ]


@in_every_era
async def test_mass_renames_are_asked_for(era: str, settings: Any, journal: Journal, root: Path, shelf: Shelf) -> None:
    keys = [shelf.file(f"{number}.txt", str(number).encode()).key for number in range(5)]
    made = dispatcher(settings, journal, root, Budget(renames=2))
    user = User(yes().answer)
    async with McpClient(create_server(made), mode=era, elicitation_callback=user) as host:
        assert [one["ok"] for one in await rename_all(host, keys, "a")] == [True] * 5
        # The third was asked about, and stands for itself and two more.
        assert len(user.questions) == 1
        assert "renamed or moved 2 objects already" in user.questions[0]
        user.answer = no().answer
        refused = await rename_all(host, keys[:1], "b")
        assert refused[0]["error"]["type"] == "confirmation_required"
    async with McpClient(create_server(made), mode=era) as host:
        refused = await rename_all(host, keys[:1], "c")
        assert refused[0]["error"]["type"] == "BudgetExceeded"
        assert "--max-renames" in refused[0]["error"]["message"]
    await made.close()


def test_two_sessions_at_once_have_a_budget_each(begin: Any) -> None:
    one, other = begin(objects=2), begin(objects=2)
    for number in range(2):
        for name, calls in (("one", one), ("other", other)):
            assert calls("create_folder", name=f"{name} {number}")["name"]
    assert one("create_folder", name="more")["type"] == other("create_folder", name="more")["type"] == "BudgetExceeded"


def test_a_session_that_is_continued_has_what_is_left_of_its_budget(begin: Any, shelf: Shelf, root: Path) -> None:
    first = begin(objects=3, bytes=20)
    assert first("create_folder", name="1")["name"] == "1"
    assert first("rename_object", object_key="F" * 32, new_name="x")["type"] == "ObjectNotFoundError"
    made = shelf.file("a", b"1234567890")
    assert first("download_file", object_key=made.key, destination="a", confirm=True)["size_bytes"] == 10
    session = first.dispatcher.changeset.id
    # Both at once: what one spends, the other has not.
    again = begin(session, objects=3, bytes=20)
    assert again("create_folder", name="2")["name"] == "2"
    assert first("create_folder", name="3")["name"] == "3"
    assert again("create_folder", name="4")["type"] == "BudgetExceeded"
    big = shelf.file("b", b"12345678901")
    refused = again("download_file", object_key=big.key, destination="b", confirm=True)
    assert refused["type"] == "BudgetExceeded"
    assert not (root / "b").exists()
    with pytest.raises(ValueError, match="16 hexadecimal digits"):
        Changeset(session="agent-x")
