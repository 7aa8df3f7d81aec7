"""Every entry point for calls (library, stdio, MCP) as one function, so the same tests run on all of them."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import jsonschema_rs
from anyio.from_thread import start_blocking_portal
from mcp import Client
from mcp_types import CallToolResult, TextContent
from tests.client.serving import Person
from tests.real_parts import commands

from skyshelf.agent.bridge import Bridge, encode_envelope
from skyshelf.agent.dispatcher import Dispatcher
from skyshelf.agent.download_root import DownloadRoot
from skyshelf.agent.mcp.server import create_server
from skyshelf.client.async_client import AsyncClient

SKYSHELF = str(Path(sys.executable).with_name("skyshelf"))


class CallTool(Protocol):
    """Makes a call and returns its envelope."""

    def __call__(self, tool: str, **arguments: object) -> dict[str, Any]: ...


def dispatcher_of(person: Person, root: Path, *, read_only: bool = False) -> Dispatcher:
    """The dispatcher of an account."""
    opened = partial(AsyncClient, **person.settings, retry_wait=0.01)
    return Dispatcher(opened, downloads=DownloadRoot(root), read_only=read_only)


def bridge_of(person: Person, root: Path, *, read_only: bool = False) -> Bridge:
    """The bridge of an account, as a library."""
    return Bridge(dispatcher_of(person, root, read_only=read_only))


def environment_of(person: Person, root: Path) -> dict[str, str]:
    """The environment of a process that uses the account."""
    settings = {f"SKYSHELF_{name.upper()}": str(value) for name, value in person.settings.items()}
    plain = {name: value for name, value in os.environ.items() if not name.startswith("SKYSHELF_")}
    places = {"SKYSHELF_DOWNLOAD_ROOT": str(root), "XDG_STATE_HOME": str(root.parent / "state")}
    return {**plain, **settings, **places, "SKYSHELF_RETRY_WAIT": "0.01"}


@contextmanager
def library(person: Person, root: Path) -> Iterator[CallTool]:
    """Calls in this process, through the bridge."""
    with bridge_of(person, root) as bridge:

        def call(tool: str, **arguments: object) -> dict[str, Any]:
            envelope: dict[str, Any] = json.loads(encode_envelope(bridge.call({"tool": tool, "arguments": arguments})))
            return envelope

        yield call


@contextmanager
def stdio(person: Person, root: Path) -> Iterator[CallTool]:
    """Calls to a process, one per line."""
    theirs_in, ours_in = os.pipe()
    ours_out, theirs_out = os.pipe()
    try:
        process = commands.start(
            ("agent", "serve"), (theirs_in, theirs_out, 2), environment_of(person, root), folder=Path.cwd()
        )
    finally:
        os.close(theirs_in)
        os.close(theirs_out)
    with os.fdopen(ours_in, "wb") as stdin, os.fdopen(ours_out, "rb") as stdout:

        def call(tool: str, **arguments: object) -> dict[str, Any]:
            stdin.write(json.dumps({"tool": tool, "arguments": arguments}).encode() + b"\n")
            stdin.flush()
            envelope: dict[str, Any] = json.loads(stdout.readline())
            return envelope

        yield call
        stdin.close()
        assert stdout.read() == b""
        assert process.wait() == 0


@contextmanager
def mcp(person: Person, root: Path) -> Iterator[CallTool]:
    """Calls from an MCP host, made with the official client library."""
    dispatcher = dispatcher_of(person, root)
    host = Client(create_server(dispatcher), mode="legacy")
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(host):
        schemas = {tool.name: tool.output_schema for tool in portal.call(host.list_tools).tools}

        def call(tool: str, **arguments: object) -> dict[str, Any]:
            answer = portal.call(host.call_tool, tool, arguments)
            return envelope_of(answer, schemas[tool])

        yield call
        portal.call(dispatcher.close)


def envelope_of(answer: CallToolResult, schema: dict[str, Any] | None) -> dict[str, Any]:
    """The envelope in a result of the protocol, which must be the same as structured content and as text."""
    envelope: dict[str, Any] = answer.structured_content
    assert schema is not None
    jsonschema_rs.validate(schema, envelope)
    assert isinstance(answer.content[0], TextContent)
    assert json.loads(answer.content[0].text) == envelope
    assert answer.is_error is (envelope["ok"] is not True)
    return envelope


ENTRY_POINTS: dict[str, Callable[[Person, Path], AbstractContextManager[CallTool]]] = {
    "library": library,
    "stdio": stdio,
    "mcp": mcp,
}
