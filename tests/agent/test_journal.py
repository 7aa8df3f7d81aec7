"""The journal: every change is recorded before it is made, and can be undone."""

import json
import stat
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.agent.entry_points import environment_of
from tests.agent.shelf import Shelf
from tests.agent.test_stdio import agent, read_envelopes
from tests.client.serving import ClientServer, Person
from tests.real_parts.small_disks import MIB, small_disk

from skyshelf.agent.bridge import Bridge
from skyshelf.agent.call import ToolCall
from skyshelf.agent.dispatcher import Dispatcher
from skyshelf.agent.download_root import DownloadRoot
from skyshelf.agent.journal import Journal
from skyshelf.agent.undo import undo
from skyshelf.cli.commands.agent import agent as commands
from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import LocalFileError, NetworkError


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal.from_environment({"XDG_STATE_HOME": str(tmp_path / "state")})


@pytest.fixture
def bridge(person: Person, root: Path, journal: Journal) -> Iterator[Bridge]:
    opened = partial(AsyncClient, **person.settings, retry_wait=0.01)
    with Bridge(Dispatcher(opened, downloads=DownloadRoot(root), journal=journal)) as bridge:
        yield bridge


def done(bridge: Bridge, tool: str, **arguments: object) -> Any:
    envelope = bridge.call({"tool": tool, "arguments": arguments})
    assert envelope["ok"] is True, envelope
    return envelope["result"]


def test_every_change_can_be_undone_in_reverse(bridge: Bridge, journal: Journal, shelf: Shelf) -> None:
    one, two = shelf.file("1.txt"), shelf.file("2.txt", b"two")
    shelf.client.set_favorite([two])
    done(bridge, "create_folder", name="new")
    done(bridge, "rename_object", object_key=one.key, new_name="renamed.txt")
    done(bridge, "set_favorite", object_keys=[one.key, two.key])
    done(bridge, "move_to_trash", object_keys=[one.key], confirm=True)
    assert shelf.names() == ["new", "2.txt"]
    entries = journal.entries()
    assert [(each.tool, each.state) for each in entries] == [
        ("create_folder", "done"),
        ("rename_object", "done"),
        ("set_favorite", "done"),
        ("move_to_trash", "done"),
    ]
    for entry in reversed(entries):
        assert undo(bridge, journal, entry.id)["ok"] is True
    assert shelf.names() == ["1.txt", "2.txt"]
    # An object that was a favourite before stays one.
    assert [each.is_favorite for each in shelf.client.list_folder(kind="f")] == [False, True]
    assert [each.state for each in journal.entries()[:4]] == ["undone"] * 4
    again = undo(bridge, journal, entries[0].id)
    assert again["error"] == {"type": "CannotUndo", "message": "the change has already been undone"}


def test_a_link_is_revoked_and_the_journal_does_not_contain_it(bridge: Bridge, journal: Journal, shelf: Shelf) -> None:
    made = shelf.file("1.txt")
    kept = done(bridge, "share_link", object_keys=[made.key], confirm=True)
    link = done(bridge, "share_link", object_keys=[made.key], confirm=True)
    token = link["url"].partition("u=")[2]
    assert token not in journal.path.read_text()
    shared = journal.entries()[-1]
    assert undo(bridge, journal, shared.id)["ok"] is True
    assert [each.share_url for each in shelf.client.shares.list()] == [kept["url"]]
    assert "already been undone" in str(undo(bridge, journal, shared.id)["error"])
    # Revoking is not a tool that a model could call.
    assert shared.undo is not None
    (call,) = shared.undo
    refused: Any = bridge.call({"tool": call.tool, "arguments": call.arguments})
    assert refused["error"]["type"] == "UnknownTool"


def test_a_link_that_no_longer_exists_counts_as_revoked(bridge: Bridge, journal: Journal, shelf: Shelf) -> None:
    made = shelf.file("1.txt")
    link = done(bridge, "share_link", object_keys=[made.key], confirm=True)
    shelf.client.shares.revoke(link["url"])
    (shared,) = journal.entries()
    assert undo(bridge, journal, shared.id)["ok"] is True
    assert journal.entries()[0].state == "undone"


def test_what_cannot_be_undone_says_so(bridge: Bridge, journal: Journal) -> None:
    for_good = journal.begin("share_link", {"object_keys": ["F" * 32]}, bridge.account())
    journal.end(for_good, "done", ())
    bridge.call({"tool": "rename_object", "arguments": {"object_key": "F" * 32, "new_name": "x"}})
    _, failed = journal.entries()
    assert failed.state == "failed"
    for identifier, reason in (
        (for_good, "cannot be undone"),
        (failed.id, "nothing was changed"),
        ("x", "no such entry"),
    ):
        envelope = undo(bridge, journal, identifier)
        assert envelope["ok"] is False
        assert reason in str(envelope["error"])


def test_the_done_part_of_a_failed_call_can_be_undone(bridge: Bridge, journal: Journal, shelf: Shelf) -> None:
    made = shelf.file("1.txt")
    shelf.client.move_to_trash([made])
    envelope = bridge.call(
        {"tool": "restore_from_trash", "arguments": {"object_keys": [made.key, "F" * 32], "confirm": True}}
    )
    assert envelope["ok"] is False
    (entry,) = journal.entries()
    assert undo(bridge, journal, entry.id)["ok"] is True
    assert shelf.names() == []


def test_reading_downloading_and_refusals_are_not_recorded(bridge: Bridge, journal: Journal, shelf: Shelf) -> None:
    made = shelf.file("1.txt")
    done(bridge, "list_files")
    done(bridge, "download_file", object_key=made.key, destination="x", confirm=True)
    bridge.call({"tool": "move_to_trash", "arguments": {"object_keys": [made.key]}})
    bridge.call({"tool": "create_folder", "arguments": {"name": 5}})
    assert journal.entries() == []


def test_a_change_that_cannot_be_recorded_is_not_made(bridge: Bridge, journal: Journal, shelf: Shelf) -> None:
    journal.path.parent.parent.mkdir(parents=True)
    journal.path.parent.write_text("in the way")
    envelope = bridge.call({"tool": "create_folder", "arguments": {"name": "x"}})
    assert envelope["ok"] is False
    assert "journal" in str(envelope["error"])
    assert shelf.names() == []


def test_a_change_of_unknown_outcome_stays_as_begun(person: Person, journal: Journal) -> None:
    class Failing(AsyncClient):
        async def create_folder(self, *_: object, **__: object) -> Any:
            raise NetworkError("the connection was lost")

    with Bridge(Dispatcher(lambda: Failing(**person.settings), journal=journal)) as bridge:
        assert bridge.call({"tool": "create_folder", "arguments": {"name": "x"}})["ok"] is False
        (entry,) = journal.entries()
        assert entry.state == "begun"
        # No such folder exists, so there is nothing to undo.
        assert undo(bridge, journal, entry.id)["ok"] is True
        unrecorded = journal.begin("create_folder", {"name": "y"}, bridge.account())
        assert "outcome of the change is unknown" in str(undo(bridge, journal, unrecorded)["error"])


def test_an_undo_in_another_account_is_refused(
    bridge: Bridge, journal: Journal, client_host: ClientServer, shelf: Shelf
) -> None:
    done(bridge, "create_folder", name="mine")
    (entry,) = journal.entries()
    other = client_host.person()
    with Bridge(Dispatcher(partial(AsyncClient, **other.settings), journal=journal)) as stranger:
        assert "another account" in str(undo(stranger, journal, entry.id)["error"])
    assert shelf.names() == ["mine"]


def test_only_its_owner_can_read_the_journal_and_a_truncated_line_affects_no_other(journal: Journal) -> None:
    journal.end(journal.begin("create_folder", {"name": "a", "confirm": True}, ""), "done", ())
    assert stat.S_IMODE(journal.path.stat().st_mode) == 0o600
    with journal.path.open("ab") as file:
        file.write(b'{"id": "cut off')
    journal.begin("create_folder", {"name": "b"}, "")
    assert [each.arguments for each in journal.entries()] == [{"name": "a"}, {"name": "b"}]


@pytest.mark.whole
def test_the_commands_show_the_journal_and_undo(person: Person, root: Path, shelf: Shelf, tmp_path: Path) -> None:
    environment = {**environment_of(person, root), "XDG_STATE_HOME": str(tmp_path / "state")}
    call = json.dumps({"tool": "create_folder", "arguments": {"name": "new"}})
    assert agent("call", call, environment=environment).returncode == 0
    shown = agent("journal", environment=environment).stdout.decode()
    assert "create_folder" in shown
    (entry,) = read_envelopes(agent("journal", "--json", environment=environment).stdout)
    assert entry["id"] in shown
    undone = agent("undo", entry["id"], environment=environment)
    assert (undone.returncode, read_envelopes(undone.stdout)[0]["ok"]) == (0, True)
    assert shelf.names() == []
    assert agent("undo", entry["id"], environment=environment).returncode == 1
    for secret in list(person.settings.values())[1:]:
        assert str(secret) not in (tmp_path / "state" / "skyshelf" / "agent-journal.jsonl").read_text()


def test_the_commands_show_names_without_invisible_characters(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    undo_call = ToolCall("rename_object", {"object_key": "F" * 32, "new_name": "gpj\u202e.exe\x1b[2J"})
    renamed = journal.begin("rename_object", {"object_key": "F" * 32, "new_name": "new\u200b\u202ename"}, "")
    journal.end(renamed, "done", (undo_call,))
    monkeypatch.setenv("XDG_STATE_HOME", str(journal.path.parent.parent))
    for arguments in (["journal"], ["journal", "--json"]):
        shown = CliRunner().invoke(commands, arguments).stdout
        assert "newname" in shown
        assert shown.strip().isprintable()
    (entry,) = read_envelopes(CliRunner().invoke(commands, ["journal", "--json"]).stdout_bytes)
    assert entry["undo"][0]["arguments"]["new_name"] == "gpj.exe[2J"
    # The journal keeps every character: an undo needs the exact old name.
    (kept,) = journal.entries()
    assert kept.undo == (undo_call,)


def test_what_is_not_recorded_whole_on_a_full_disk_is_not_done(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", MIB) as disk:
        journal = Journal(disk.place / "journal.jsonl")
        journal.begin("first", {}, "account")
        disk.fill()
        # Part of the file's last page is left: a few entries fit, and then a part of one.
        recorded = 0
        with suppress(LocalFileError):
            while recorded < 100:
                journal.begin("more", {"name": "x" * 700}, "account")
                recorded += 1
        assert recorded < 100
        assert [one.tool for one in journal.entries()] == ["first", *(["more"] * recorded)]
        disk.clear()
        journal.begin("last", {}, "account")
        assert [one.tool for one in journal.entries()] == ["first", *(["more"] * recorded), "last"]
