"""Changesets: one id in history, a budget, a dry run, and one undo for a whole session."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.agent.shelf import Shelf
from tests.client.serving import Person

from skyshelf.agent.bridge import Bridge
from skyshelf.agent.changeset import Budget, Changeset
from skyshelf.agent.dispatcher import Dispatcher
from skyshelf.agent.download_root import DownloadRoot
from skyshelf.agent.journal import Journal
from skyshelf.agent.undo import undo
from skyshelf.client.async_client import AsyncClient

Open = Callable[[Changeset], Bridge]


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal.from_environment({"XDG_STATE_HOME": str(tmp_path / "state")})


@pytest.fixture
def open_bridge(person: Person, root: Path, journal: Journal) -> Iterator[Open]:
    opened: list[Bridge] = []

    def make(changeset: Changeset) -> Bridge:
        client = partial(AsyncClient, **person.settings, retry_wait=0.01, agent_session=changeset.id)
        dispatcher = Dispatcher(client, downloads=DownloadRoot(root), journal=journal, changeset=changeset)
        opened.append(Bridge(dispatcher))
        return opened[-1]

    yield make
    for bridge in opened:
        bridge.close()


def call(bridge: Bridge, tool: str, **arguments: object) -> Any:
    envelope = bridge.call({"tool": tool, "arguments": arguments})
    return envelope["result"] if envelope["ok"] is True else envelope["error"]


def test_history_notes_the_session_with_each_change(open_bridge: Open, shelf: Shelf) -> None:
    changeset = Changeset()
    bridge = open_bridge(changeset)
    call(bridge, "create_folder", name="by the agent")
    shelf.client.create_folder("by the user")
    by_agent = list(shelf.client.history.entries(session_id=changeset.id))
    assert [one.after.object_name for one in by_agent if one.after] == ["by the agent"]
    everything = list(shelf.client.history.entries(device_key=by_agent[0].device_key))
    assert {one.session_id for one in everything} > {changeset.id}, "the same device, another session"


def test_a_call_beyond_the_budget_does_nothing(open_bridge: Open, shelf: Shelf) -> None:
    bridge = open_bridge(Changeset(Budget(objects=3, deletions=1)))
    one, two = shelf.file("1.txt"), shelf.file("2.txt", b"two")
    refused = call(bridge, "move_to_trash", object_keys=[one.key, two.key], confirm=True)
    assert refused["type"] == "BudgetExceeded"
    assert "--max-deletions" in refused["message"]
    assert call(bridge, "move_to_trash", object_keys=[one.key], confirm=True)[0]["name"] == "1.txt"
    call(bridge, "rename_object", object_key=two.key, new_name="renamed.txt")
    call(bridge, "create_folder", name="third")
    assert call(bridge, "create_folder", name="fourth")["type"] == "BudgetExceeded"
    assert "by_name" not in call(bridge, "list_files"), "reading goes on"
    assert sorted(shelf.names()) == ["renamed.txt", "third"]


def test_what_was_refused_does_not_spend_the_budget(open_bridge: Open) -> None:
    bridge = open_bridge(Changeset(Budget(objects=1)))
    assert call(bridge, "rename_object", object_key="0" * 32, new_name="x")["type"] == "ObjectNotFoundError"
    assert call(bridge, "create_folder", name="fits")["name"] == "fits"


def test_downloads_end_with_the_budget_of_bytes(open_bridge: Open, shelf: Shelf, root: Path) -> None:
    bridge = open_bridge(Changeset(Budget(bytes=10)))
    small, large = shelf.file("small", b"12345"), shelf.file("large", b"1234567890")
    assert call(bridge, "download_file", object_key=small.key, destination="small", confirm=True)["size_bytes"] == 5
    refused = call(bridge, "download_file", object_key=large.key, destination="large", confirm=True)
    assert refused["type"] == "BudgetExceeded"
    assert not (root / "large").exists()


def test_a_dry_run_says_what_would_happen_and_does_nothing(
    open_bridge: Open, shelf: Shelf, journal: Journal, root: Path
) -> None:
    bridge = open_bridge(Changeset(dry_run=True))
    one = shelf.file("1.txt")
    trash = call(bridge, "move_to_trash", object_keys=[one.key], confirm=True)
    assert trash["type"] == "DryRun"
    assert "1.txt" in trash["message"]
    assert call(bridge, "create_folder", name="new")["type"] == "DryRun"
    assert call(bridge, "download_file", object_key=one.key, destination="x", confirm=True)["type"] == "DryRun"
    assert call(bridge, "move_to_trash", object_keys=[one.key], confirm=False)["type"] == "confirmation_required"
    assert shelf.names() == ["1.txt"]
    assert list(root.iterdir()) == []
    assert {entry.state for entry in journal.entries()} == {"planned"}
    refused = undo(bridge, journal, journal.entries()[0].id)
    assert refused["ok"] is False


def test_a_whole_session_is_undone_at_once(open_bridge: Open, shelf: Shelf, journal: Journal) -> None:
    mine, other = Changeset(), Changeset()
    bridge = open_bridge(mine)
    one = shelf.file("1.txt")
    call(bridge, "rename_object", object_key=one.key, new_name="a.txt")
    call(bridge, "rename_object", object_key=one.key, new_name="b.txt")
    call(bridge, "create_folder", name="new")
    call(open_bridge(other), "create_folder", name="of another session")
    done = undo(bridge, journal, mine.id)
    assert done["ok"] is True, done
    assert done["count"] == 3
    assert sorted(shelf.names()) == ["1.txt", "of another session"]
    assert len(shelf.client.rewinds.list()) == 1, "one rewind for all of it"
    assert undo(bridge, journal, mine.id)["count"] == 0
    assert undo(bridge, journal, "agent-0000000000000000")["ok"] is False


def test_a_rewind_whose_answer_was_lost_is_waited_for(open_bridge: Open, shelf: Shelf, journal: Journal) -> None:
    changeset = Changeset()
    bridge = open_bridge(changeset)
    one = shelf.file("1.txt")
    call(bridge, "rename_object", object_key=one.key, new_name="a.txt")
    call(bridge, "create_folder", name="new")
    [newest, *_] = shelf.client.history.entries()
    started = shelf.client.rewinds.start(to_number=(newest.number or 0) - 2, session_id=changeset.id)
    done = undo(bridge, journal, changeset.id)
    assert done["ok"] is True, done
    assert done["count"] == 2
    assert shelf.names() == ["1.txt"]
    assert [rewind.rewind_key for rewind in shelf.client.rewinds.list()] == [started.rewind_key]


def test_a_session_is_undone_again_after_its_rewind_was_undone(
    open_bridge: Open, shelf: Shelf, journal: Journal
) -> None:
    changeset = Changeset()
    bridge = open_bridge(changeset)
    one = shelf.file("1.txt")
    call(bridge, "rename_object", object_key=one.key, new_name="a.txt")
    [newest, *_] = shelf.client.history.entries()
    rewinds = shelf.client.rewinds
    started = rewinds.start(to_number=(newest.number or 0) - 1, session_id=changeset.id)
    rewinds.wait(started.rewind_key or "")
    rewinds.wait(rewinds.undo(started.rewind_key or "").rewind_key or "")
    assert shelf.names() == ["a.txt"]
    done = undo(bridge, journal, changeset.id)
    assert done["ok"] is True
    [latest, *_] = rewinds.list()
    assert len(rewinds.list()) == 3
    # The undoing was somebody else's change, which stays, and the answer says so.
    assert isinstance(done["result"], dict)
    assert done["result"]["rewind"] == {"rewind_key": latest.rewind_key, "left": 1}
    [left] = done["result"]["left"]
    assert left["objects"] == {one.key: "changed since by others"}
    [entry] = journal.entries()
    assert (entry.state, entry.left) == ("left", {one.key: "changed since by others"})


def test_nothing_else_is_tried_after_a_rewind_that_was_refused(
    open_bridge: Open, shelf: Shelf, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    changeset = Changeset()
    bridge = open_bridge(changeset)
    one = shelf.file("1.txt")
    call(bridge, "rename_object", object_key=one.key, new_name="a.txt")
    asked: list[str] = []

    def refused(session: str, **_: object) -> dict[str, object]:
        asked.append(session)
        return {"ok": False, "error": {"type": "NetworkError", "message": "no answer"}}

    with monkeypatch.context() as patch:
        patch.setattr(bridge, "rewind_session", refused)
        assert undo(bridge, journal, changeset.id)["ok"] is False
    assert asked == [changeset.id]
    assert shelf.names() == ["a.txt"]
    assert undo(bridge, journal, changeset.id)["ok"] is True
    assert shelf.names() == ["1.txt"]
