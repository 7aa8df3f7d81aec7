"""An undo of a session always works: it undoes what still is as the agent left it, and says what it left, and why."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.agent.shelf import Shelf
from tests.client.serving import Person
from tests.foreign.server import ForeignServer, foreign_server

from skyshelf.agent.bridge import Bridge
from skyshelf.agent.changeset import Changeset
from skyshelf.agent.dispatcher import Dispatcher
from skyshelf.agent.journal import Entry, Journal
from skyshelf.agent.undo import undo
from skyshelf.client.async_client import AsyncClient

OTHERS = "changed since by others"
IN_USE = "contains files that others have put there"


class Killed(BaseException):
    """The process ends here."""


class FragileJournal(Journal):
    """A journal whose process is killed before or after one of its writes."""

    def __init__(self, path: Path, survives: int = 10**6, *, after: bool = False) -> None:
        super().__init__(path)
        self.survives, self.after = survives, after

    def _append(self, entry: Entry, admit: Any = None) -> None:
        self.survives -= 1
        if self.survives < 0 and not (self.after and self.survives == -1):
            raise Killed
        super()._append(entry, admit)
        if self.survives < 0:
            raise Killed


class Agent:
    """A session of the bridge, which a kill ends."""

    def __init__(self, settings: Any, journal: Journal) -> None:
        self.changeset, self.journal = Changeset(), journal
        client = partial(AsyncClient, **settings, retry_wait=0.01, agent_session=self.changeset.id)
        self.bridge = Bridge(Dispatcher(client, journal=journal, changeset=self.changeset, environment={}))

    def __call__(self, tool: str, **arguments: object) -> Any:
        envelope = self.bridge.call({"tool": tool, "arguments": arguments})
        return envelope["result"] if envelope["ok"] is True else envelope["error"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.jsonl"


@pytest.fixture
def agent(person: Person, path: Path) -> Iterator[Agent]:
    made = Agent(person.settings, Journal(path))
    yield made
    made.bridge.close()


@pytest.fixture(scope="module")
def foreign() -> Iterator[ForeignServer]:
    with foreign_server() as server:
        yield server


def undone(agent: Agent) -> Any:
    envelope = undo(agent.bridge, agent.journal, agent.changeset.id)
    assert envelope["ok"] is True, envelope
    return envelope["result"]


def test_a_link_that_its_owner_has_revoked_stands_in_no_undos_way(agent: Agent, shelf: Shelf) -> None:
    one = shelf.file("1.txt")
    link = agent("share_link", object_keys=[one.key], confirm=True)
    agent("rename_object", object_key=one.key, new_name="a.txt")
    shelf.client.shares.revoke(link["url"])
    assert undone(agent)["left"] == []
    assert shelf.names() == ["1.txt"]
    assert {entry.state for entry in agent.journal.entries() if entry.session} == {"undone"}


@pytest.mark.parametrize("with_a_rename", [True, False])
def test_a_link_that_was_being_made_during_a_kill_is_revoked(
    person: Person, shelf: Shelf, path: Path, with_a_rename: bool
) -> None:
    one = shelf.file("1.txt")
    agent = Agent(person.settings, FragileJournal(path))
    if with_a_rename:
        agent("rename_object", object_key=one.key, new_name="a.txt")
    assert isinstance(agent.journal, FragileJournal)
    agent.journal.survives = 1
    agent("share_link", object_keys=[one.key], confirm=True)
    assert len(list(shelf.client.shares.list())) == 1
    agent.bridge.close()
    killed, agent = agent.changeset, Agent(person.settings, Journal(path))
    agent.changeset = killed
    assert [entry.state for entry in agent.journal.entries() if entry.session][-1] == "begun"
    assert undone(agent)["left"] == []
    assert list(shelf.client.shares.list()) == []
    assert shelf.names() == ["1.txt"]
    agent.bridge.close()


def test_what_others_have_changed_is_left_and_named_and_the_next_undo_goes_on(agent: Agent, shelf: Shelf) -> None:
    one, two = shelf.file("1.txt"), shelf.file("2.txt", b"two")
    made = agent("create_folder", name="new")
    for each, name in ((one, "a.txt"), (two, "b.txt")):
        agent("rename_object", object_key=each.key, new_name=name)
    shelf.client.rename(shelf.client.get(one.key), "by the user.txt")
    shelf.file("in it.txt", b"three", made["object_key"])
    for _ in range(2):
        left = {each["tool"]: each["objects"] for each in undone(agent)["left"]}
        assert left == {"rename_object": {one.key: OTHERS}, "create_folder": {made["object_key"]: IN_USE}}
        assert sorted(shelf.names()) == ["2.txt", "by the user.txt", "new"]
    shelf.client.move_to_trash(["/new/in it.txt"])
    result = undone(agent)
    assert [each["tool"] for each in result["left"]] == ["rename_object"]
    assert result["undone"] != []
    assert sorted(shelf.names()) == ["2.txt", "by the user.txt"]


def test_a_session_that_this_machine_knows_nothing_of_is_undone_by_its_id(agent: Agent, shelf: Shelf) -> None:
    agent("create_folder", name="new")
    agent.journal.path.unlink()
    assert undone(agent)["rewind"]["left"] == 0
    assert shelf.names() == []


def test_a_rewind_that_is_in_the_way_is_waited_for(agent: Agent, shelf: Shelf) -> None:
    one = shelf.file("1.txt")
    agent("rename_object", object_key=one.key, new_name="a.txt")
    [newest, *_] = shelf.client.history.entries()
    shelf.client.rewinds.start(to_number=newest.number, session_id="agent-0000000000000000")
    assert undone(agent)["left"] == []
    assert shelf.names() == ["1.txt"]


def work(agent: Agent, keys: list[str]) -> None:
    """A session with every tool that changes something."""
    agent("create_folder", name="new")
    agent("rename_object", object_key=keys[0], new_name="renamed")
    agent("set_favorite", object_keys=keys)
    agent("move_to_trash", object_keys=keys[:2], confirm=True)
    agent("restore_from_trash", object_keys=keys[:1], confirm=True)


WRITES = 15
"""What `work` writes into the journal: three lines for each of five changes."""


def test_the_journal_is_written_three_times_for_each_change(agent: Agent, shelf: Shelf) -> None:
    work(agent, [shelf.file("1.txt").key, shelf.file("2.txt", b"two").key])
    assert len(agent.journal.path.read_bytes().splitlines()) == WRITES


def check_kills(settings: Any, path: Path, keys: list[str], state: Any, survives: int, *, after: bool) -> None:
    """Kill a session at one write, then its undo at every one, and compare with the state before."""
    before = state()
    agent = Agent(settings, FragileJournal(path, survives, after=after))
    work(agent, keys)
    agent.bridge.close()
    for writes in range(30):
        undoing = Agent(settings, FragileJournal(path, writes, after=after))
        try:
            envelope = undo(undoing.bridge, undoing.journal, agent.changeset.id)
        except Killed:
            continue
        finally:
            undoing.bridge.close()
        # A kill in a call of the bridge.
        if "Killed" not in str(envelope):
            break
    if not [entry for entry in Journal(path).entries() if entry.session]:
        assert state() == before
        return
    assert envelope["ok"] is True, envelope
    result: Any = envelope["result"]
    # Without history, a folder whose maker did not live to note its key can be anybody's.
    unknown = [each for each in result["left"] if each["tool"] == "create_folder"]
    assert result["left"] == unknown
    assert {key: value for key, value in state().items() if key in before} == before
    assert {entry.state for entry in Journal(path).entries() if entry.session} <= {"undone", "failed", "left"}


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("survives", [2, pytest.param(None, marks=pytest.mark.whole)])
def test_a_kill_at_any_write_leads_to_a_state_that_can_be_undone(
    person: Person, shelf: Shelf, tmp_path: Path, survives: int | None, after: bool
) -> None:
    def state() -> dict[str, Any]:
        found = {one.key: (one.name, one.parent_key, one.is_favorite) for one in shelf.client.list_folder()}
        return found | {one.key: (one.name, "trash", False) for one in shelf.client.trash.list() if not one.is_folder}

    keys = [shelf.file("1.txt").key, shelf.file("2.txt", b"two").key]
    for number in range(WRITES) if survives is None else [survives]:
        check_kills(person.settings, tmp_path / f"{number}.jsonl", keys, state, number, after=after)


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("survives", range(WRITES))
def test_a_kill_at_any_write_can_be_undone_without_history_too(
    foreign: ForeignServer, tmp_path: Path, survives: int, after: bool
) -> None:
    foreign.begin(foreign.quirk)
    drive = foreign.drive

    def state() -> dict[str, Any]:
        return {key: one.now for key, one in drive.entries.items()}

    keys = [drive.named("hello.txt").key, drive.named("big.bin").key]
    check_kills(foreign.settings, tmp_path / "journal.jsonl", keys, state, survives, after=after)


def test_without_history_others_keep_what_they_changed_too(foreign: ForeignServer, path: Path) -> None:
    foreign.begin(foreign.quirk)
    drive = foreign.drive
    hello, big, photos = (drive.named(name) for name in ("hello.txt", "big.bin", "Photos"))
    agent = Agent(foreign.settings, Journal(path))
    made = agent("create_folder", name="new")["object_key"]
    agent("rename_object", object_key=hello.key, new_name="a.txt")
    agent("rename_object", object_key=big.key, new_name="b.txt")
    agent("move_to_trash", object_keys=[photos.key], confirm=True)
    agent("share_link", object_keys=[hello.key], confirm=True)
    drive.change(hello, name="by the user.txt")
    drive.add("in it.txt", b"x", made)
    drive.add("big.bin", b"in the place of the first")
    for _ in range(2):
        left = {each["tool"]: each["objects"] for each in undone(agent)["left"]}
        assert left.keys() == {"create_folder", "rename_object", "share_link"}
        assert left["create_folder"] == {made.upper(): IN_USE}
        assert left["share_link"] == {"": "this server cannot revoke links"}
    kept = {
        entry.arguments["object_key"]: entry.left
        for entry in agent.journal.entries()
        if "new_name" in entry.arguments and entry.session
    }
    assert kept[hello.key] == {hello.key: OTHERS}
    assert list(kept[big.key]) == [""]
    assert (hello.now.name, big.now.name, photos.now.status) == ("by the user.txt", "b.txt", "A")
    agent.bridge.close()
