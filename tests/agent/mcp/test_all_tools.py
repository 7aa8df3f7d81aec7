"""Every tool, by the official client library, against the program as a process: over stdio and over HTTP."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from tests.agent.entry_points import SKYSHELF, envelope_of, environment_of
from tests.agent.mcp.test_confirmation import User, yes
from tests.agent.mcp.test_http import host_at, serving
from tests.agent.shelf import Shelf
from tests.client.serving import Person

from skyshelf.agent.registry import TOOLS


@asynccontextmanager
async def host_of(transport: str, person: Person, root: Path, user: User) -> AsyncIterator[Client]:
    """A host with a user, connected to a process."""
    if transport == "stdio":
        process = StdioServerParameters(command=SKYSHELF, args=["agent", "mcp"], env=environment_of(person, root))
        async with Client(process, elicitation_callback=user) as host:
            yield host
    else:
        with serving(person, root) as served:
            async with host_at(served, "legacy", user) as host:
                yield host


@pytest.mark.parametrize("transport", ["stdio", "http"])
async def test_a_host_calls_every_tool_and_its_user_is_asked(
    transport: str, person: Person, root: Path, shelf: Shelf
) -> None:
    shelf.folder("/Photos")
    key, other = shelf.file("a.txt", b"the content").key, shelf.file("b.txt", b"more").key
    user, steps = yes(), []
    calls: dict[str, dict[str, Any]] = {
        "account_info": {},
        "list_files": {},
        "search_files": {"query": "a"},
        "download_file": {"object_key": key, "destination": "a.txt", "confirm": True},
        "download_all": {"destination_dir": "all", "confirm": True},
        "create_folder": {"name": "New"},
        "move_to_trash": {"object_keys": [other], "confirm": True},
        "list_trash": {"limit": 10},
        "restore_from_trash": {"object_keys": [other], "confirm": True},
        "share_link": {"object_keys": [key], "confirm": True},
        "rename_object": {"object_key": key, "new_name": "c.txt"},
        "set_favorite": {"object_keys": [key]},
        "version_history": {"object_key": key},
        "recent_activity": {},
        "list_boards": {},
        "get_contacts": {},
    }
    assert set(calls) == set(TOOLS)

    async def note(progress: float, total: float | None, message: str | None) -> None:
        steps.append(progress)

    async with host_of(transport, person, root, user) as host:
        schemas = {tool.name: tool.output_schema for tool in (await host.list_tools()).tools}
        assert set(schemas) == set(TOOLS)
        for name, arguments in calls.items():
            envelope = envelope_of(await host.call_tool(name, arguments, progress_callback=note), schemas[name])
            assert envelope["ok"] is True, (name, envelope)
        guarded = {**calls["share_link"], "confirm": "true"}
        refused = envelope_of(await host.call_tool("share_link", guarded), schemas["share_link"])
        assert refused["error"]["type"] == "confirmation_required"
    assert (root / "a.txt").read_bytes() == (root / "all" / "a.txt").read_bytes() == b"the content"
    assert len(user.questions) == 5
    assert steps
    assert set(shelf.names()) == {"Photos", "New", "b.txt", "c.txt"}
