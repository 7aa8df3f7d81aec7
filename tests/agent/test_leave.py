"""A delegation shows the tools that its token can run, as the server decides it."""

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from mcp import Client as McpClient
from mcp.client.session import IncomingMessage
from mcp_types import ToolListChangedNotification
from tests.agent.shelf import Shelf
from tests.client.serving import Person

from skyshelf.agent.bridge import Bridge
from skyshelf.agent.dispatcher import Dispatcher
from skyshelf.agent.download_root import DownloadRoot
from skyshelf.agent.mcp.server import create_server
from skyshelf.agent.registry import EXTENDED
from skyshelf.agent.upload_root import UploadRoot
from skyshelf.client.async_client import AsyncClient

HOUR_MS = 3_600_000


Delegate = Callable[..., Dispatcher]


@pytest.fixture
def delegate(person: Person, shelf: Shelf, tmp_path: Path) -> Delegate:
    """A dispatcher with a delegation of the account."""

    def make(*kinds: str, **terms: Any) -> Dispatcher:
        until = time.time_ns() // 1_000_000 + HOUR_MS
        token = shelf.client.delegations.add("A purpose", kinds, expires_date=until, **terms).token
        client = partial(AsyncClient, person.server.url, auth_token=token, retry_wait=0.01)
        folders: dict[str, Any] = {"downloads": DownloadRoot(tmp_path), "uploads": UploadRoot(tmp_path)}
        return Dispatcher(client, tools=EXTENDED, environment={}, **folders)

    return make


def arguments_of(shelf: Shelf, folder: str | None, tmp_path: Path) -> dict[str, dict[str, object]]:
    """Good arguments of every tool."""
    file = shelf.file("a.txt", folder=folder).key
    spare = shelf.file("b.txt", folder=folder).key
    trashed = shelf.file("d.txt", folder=folder).key
    inner = shelf.client.create_folder("inner", folder).key
    (tmp_path / "sent.txt").write_text("x")
    many: dict[str, object] = {"object_keys": [file], "confirm": True}
    since = "2020-01-01T00:00:00Z"
    return {
        "list_files": {"folder_key": folder},
        "search_files": {"query": "a"},
        "version_history": {"object_key": file},
        "download_file": {"object_key": file, "destination": "one.txt", "overwrite": True, "confirm": True},
        "download_all": {"destination_dir": "all", "confirm": True},
        "read_text": {"object_key": file},
        "create_folder": {"name": "made", "parent_folder_key": folder},
        "rename_object": {"object_key": spare, "new_name": "c.txt"},
        "set_favorite": {"object_keys": [file], "favorite": True},
        "write_text": {"name": "w.txt", "text": "w", "parent_folder_key": folder, "confirm": True},
        "upload": {"source": "sent.txt", "parent_folder_key": folder, "confirm": True},
        "move": {**many, "folder_key": inner},
        "copy": {"object_keys": [spare], "folder_key": inner, "confirm": True},
        "tag": {"object_keys": [file], "name": "sea"},
        "create_album": {"name": "Album", "object_keys": [file]},
        "share_link": many,
        "move_to_trash": {"object_keys": [trashed], "confirm": True},
        "restore_from_trash": {"object_keys": [trashed], "confirm": True},
        "history_of": {"object_key": file},
        "diff_since": {"since": since},
        "rewind_preview": {"to": since},
    }


@pytest.mark.whole
@pytest.mark.parametrize(
    ("kinds", "confined"),
    [
        ({"list"}, False),
        ({"list", "read"}, False),
        ({"list", "write"}, False),
        ({"list", "write", "delete"}, False),
        ({"list", "share"}, False),
        ({"list", "read", "write", "delete", "purge", "share"}, False),
        ({"list", "read", "write", "delete"}, True),
    ],
    ids=lambda value: "+".join(sorted(value)) if isinstance(value, set) else "",
)
def test_the_tools_that_are_shown_are_those_that_the_server_runs(
    kinds: set[str], confined: bool, delegate: Delegate, shelf: Shelf, tmp_path: Path
) -> None:
    folder = shelf.folder("/place").key if confined else None
    dispatcher = delegate(*sorted(kinds), **({"folder_key": folder} if folder else {}))
    calls = arguments_of(shelf, folder or shelf.client.root_key(), tmp_path)
    with Bridge(dispatcher) as bridge:
        refused = {}
        for name in EXTENDED:
            answer: Any = bridge.call({"tool": name, "arguments": calls.get(name, {})})
            refused[name] = answer.get("error") if answer["ok"] is not True else None
        bridge._run(dispatcher.learn_leave())
        shown = {tool.name for tool in dispatcher.listed}
    runs = {name for name, error in refused.items() if error is None}
    assert shown == runs, {name: refused[name] for name in shown ^ runs}


async def test_a_host_is_notified_once_a_delegation_is_used_up(delegate: Delegate, shelf: Shelf) -> None:
    messages: list[Any] = []

    async def receive(message: IncomingMessage) -> None:
        messages.append(message)

    dispatcher = delegate("list", "read", "write", writes=1)
    async with McpClient(create_server(dispatcher), mode="legacy", message_handler=receive) as host:
        assert host.server_capabilities.tools is not None
        assert host.server_capabilities.tools.list_changed is True
        before = {tool.name for tool in (await host.list_tools()).tools}
        assert (await host.call_tool("create_folder", {"name": "one"})).is_error is False
        assert (await host.call_tool("create_folder", {"name": "two"})).is_error is True
        after = {tool.name for tool in (await host.list_tools()).tools}
        assert (await host.call_tool("create_folder", {"name": "three"})).is_error is True
    await dispatcher.close()
    assert {"create_folder", "write_text"} <= before - after
    assert "share_link" not in before
    assert {"list_files", "read_text"} <= after
    assert sum(isinstance(one, ToolListChangedNotification) for one in messages) == 1


async def test_a_login_is_not_asked_what_it_may_do(person: Person) -> None:
    asked: list[str] = []

    class Watched(AsyncClient):
        @property
        def delegations(self) -> Any:
            asked.append("delegations")
            raise AssertionError

        @delegations.setter
        def delegations(self, value: Any) -> None:
            pass

    dispatcher = Dispatcher(lambda: Watched(**person.settings))
    async with McpClient(create_server(dispatcher), mode="legacy") as host:
        assert len((await host.list_tools()).tools) == 16
    await dispatcher.close()
    assert asked == []
