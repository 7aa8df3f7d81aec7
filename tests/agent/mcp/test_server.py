"""The MCP server: the same tools with definitions for hosts, progress and cancellation."""

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import jsonschema_rs
import pytest
from click.testing import CliRunner
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR, TextContent
from tests.agent.entry_points import SKYSHELF, dispatcher_of, envelope_of, environment_of
from tests.agent.shelf import Shelf
from tests.agent.test_dispatcher import COMPLETE, GUARDED, NAMES, READ_ONLY
from tests.client.serving import Person

from skyshelf.agent.arguments import LINE_BYTES_MAX
from skyshelf.agent.dispatcher import Dispatcher
from skyshelf.agent.journal import Journal
from skyshelf.agent.mcp.server import call_result, create_server, forward_progress
from skyshelf.agent.registry import TOOLS
from skyshelf.agent.schemas import arguments_schema
from skyshelf.cli.commands.agent import agent
from skyshelf.client.async_client import AsyncClient

ERAS = ["legacy", "2026-07-28"]
"""Protocol versions with an initial handshake, and without."""

in_every_era = pytest.mark.parametrize("era", ERAS)


@asynccontextmanager
async def host_of(dispatcher: Dispatcher, era: str, **options: Any) -> AsyncIterator[Client]:
    """A host connected to the tools."""
    try:
        async with Client(create_server(dispatcher, **options), mode=era) as host:
            yield host
    finally:
        await dispatcher.close()


@in_every_era
async def test_hosts_see_the_sixteen_tools_with_their_schemas_and_hints(era: str) -> None:
    async with host_of(Dispatcher(), era) as host:
        listed = (await host.list_tools()).tools
    assert [tool.name for tool in listed] == NAMES
    for shown in listed:
        tool = TOOLS[shown.name]
        assert shown.description == tool.description
        assert shown.input_schema == arguments_schema(tool)
        assert shown.output_schema is not None
        assert shown.output_schema["type"] == "object"
        jsonschema_rs.meta.validate(
            {"$schema": "https://json-schema.org/draft/2020-12/schema", **shown.output_schema},
        )
        hints = shown.annotations
        assert hints is not None
        assert hints.read_only_hint is (tool.name in READ_ONLY)
        assert hints.destructive_hint is (tool.name in {"download_file", "move_to_trash", "share_link"})
        assert hints.open_world_hint is (tool.name == "share_link")
        assert hints.idempotent_hint is tool.idempotent


@in_every_era
async def test_a_truncated_result_says_so(era: str, person: Person, root: Path, shelf: Shelf) -> None:
    for number in range(3):
        shelf.file(f"{number}.txt", b"x")
    async with host_of(dispatcher_of(person, root), era) as host:
        whole = await host.call_tool("list_files", {})
        cut = await host.call_tool("list_files", {"limit": 2})
    assert len(whole.content) == 1
    _, note = cut.content
    assert isinstance(note, TextContent)
    assert "2 of 3" in note.text
    # The envelope itself is the same as through the other entry points.
    assert cut.structured_content.keys() == {"ok", "result", "count"}


@pytest.mark.parametrize("length", [1, 200, 4000])
def test_a_result_fits_into_the_messages_that_hosts_accept(length: int) -> None:
    whole: dict[str, object] = {"ok": True, "result": [{"name": '"' * length}] * 2000, "count": 2000}
    answer = call_result(whole)
    assert len(answer.model_dump_json(by_alias=True)) < 1 << 20
    shown = len(answer.structured_content["result"])
    assert answer.structured_content["count"] == 2000
    assert shown > 0
    if length == 1:
        assert shown == 2000
        assert len(answer.content) == 1
    else:
        note = answer.content[1]
        assert isinstance(note, TextContent)
        assert f"{shown} of 2000" in note.text


@in_every_era
@pytest.mark.parametrize(
    ("tool", "arguments", "kind"),
    [
        ("list_files", {"limit": "many"}, "InvalidArguments"),
        ("move_to_trash", {"object_keys": ["x"]}, "confirmation_required"),
        ("account_info", {}, "ConfigurationError"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_a_failure_is_a_tool_error_with_our_envelope(
    era: str, tool: str, arguments: dict[str, object], kind: str
) -> None:
    async with host_of(Dispatcher(), era) as host:
        answer = await host.call_tool(tool, arguments)
    assert answer.is_error
    assert answer.structured_content["error"]["type"] == kind


@in_every_era
async def test_a_tool_that_does_not_exist_is_an_error_of_the_protocol(era: str) -> None:
    async with host_of(Dispatcher(), era) as host:
        with pytest.raises(MCPError, match="unknown tool; the tools are: account_info") as refused:
            await host.call_tool("fly", {})
        assert refused.value.code == INVALID_PARAMS
        assert "fly" not in refused.value.message


async def test_a_read_only_server_changes_nothing(person: Person, root: Path) -> None:
    async with host_of(dispatcher_of(person, root, read_only=True), "legacy") as host:
        for name in [name for name in NAMES if name not in READ_ONLY]:
            answer = await host.call_tool(name, COMPLETE[name])
            assert answer.structured_content["error"]["type"] == "ReadOnly"
        assert (await host.call_tool("account_info", {})).is_error is False


@in_every_era
async def test_a_long_download_reports_progress(era: str, person: Person, root: Path, shelf: Shelf) -> None:
    made = shelf.file("large.bin", bytes(5_000_000))
    one = {"object_key": made.key, "destination": "large.bin", "confirm": True}
    async with host_of(dispatcher_of(person, root), era) as host:
        for tool, arguments in (("download_file", one), ("download_all", {"destination_dir": "all", "confirm": True})):
            reports: list[tuple[float, float | None]] = []
            everything = anyio.Event()

            async def receive(
                progress: float,
                total: float | None,
                message: str | None,
                reports: list[tuple[float, float | None]] = reports,
                everything: anyio.Event = everything,
            ) -> None:
                reports.append((progress, total))
                if progress == 5_000_000:
                    everything.set()

            assert not (await host.call_tool(tool, arguments, progress_callback=receive)).is_error
            # A report may arrive after the result.
            with anyio.fail_after(60):
                await everything.wait()
            assert [done for done, _ in reports] == sorted({done for done, _ in reports})
            assert {total for _, total in reports} == ({5_000_000} if tool == "download_file" else {None})


async def test_progress_never_goes_back_and_the_final_report_is_sent() -> None:
    sent: list[float] = []

    async def send(progress: float, _total: float | None, _message: str | None) -> None:
        sent.append(progress)

    async with forward_progress(send) as report_progress:
        for done in (5, 3, 9, 2, 7):
            report_progress(done, None, "bytes")
            await asyncio.sleep(0)
        report_progress(11, None, "bytes")
    assert sent == sorted(set(sent))
    assert sent[-1] == 11


@in_every_era
async def test_a_cancelled_call_stops_the_work_and_cleans_up(era: str, person: Person, root: Path) -> None:
    cleaned_up = asyncio.Event()

    class Endless(AsyncClient):
        async def download_all(self, *_: object, progress: Any = None, **__: object) -> Any:
            from skyshelf.client.transfers import TransferEvent

            progress(TransferEvent(kind="done", path="x", object_key="x", transferred=1))
            try:
                await asyncio.Event().wait()
            finally:
                # Cleaning up takes several steps, which must not be interrupted.
                await asyncio.sleep(0)
                await asyncio.to_thread(lambda: None)
                cleaned_up.set()

    dispatcher = Dispatcher(lambda: Endless(**person.settings))
    async with host_of(dispatcher, era) as host:
        with anyio.CancelScope() as scope:

            async def cancel(progress: float, total: float | None, message: str | None) -> None:
                scope.cancel()

            await host.call_tool("download_all", COMPLETE["download_all"], progress_callback=cancel)
        assert scope.cancelled_caught
        await asyncio.wait_for(cleaned_up.wait(), 30)
        # The server is ready for the next call.
        assert (await host.call_tool("list_files", {})).is_error is False


async def test_a_cancelled_change_stays_begun_in_the_journal(person: Person, tmp_path: Path) -> None:
    journal = Journal.from_environment({"XDG_STATE_HOME": str(tmp_path / "state")})
    begun = asyncio.Event()

    class Endless(AsyncClient):
        async def create_folder(self, *_: object, **__: object) -> Any:
            begun.set()
            await asyncio.Event().wait()

    async with host_of(Dispatcher(lambda: Endless(**person.settings), journal=journal), "legacy") as host:
        with anyio.CancelScope() as scope:
            async with anyio.create_task_group() as group:
                group.start_soon(host.call_tool, "create_folder", {"name": "x"})
                await begun.wait()
                scope.cancel()
        (entry,) = journal.entries()
    assert (entry.tool, entry.state) == ("create_folder", "begun")


async def test_a_host_starts_it_as_a_process(person: Person, root: Path, shelf: Shelf) -> None:
    made = shelf.file("a.txt", b"the content")
    process = StdioServerParameters(command=SKYSHELF, args=["agent", "mcp"], env=environment_of(person, root))
    async with Client(process) as host:
        schemas = {tool.name: tool.output_schema for tool in (await host.list_tools()).tools}
        found = envelope_of(await host.call_tool("search_files", {"query": "a"}), schemas["search_files"])
        assert [each["object_key"] for each in found["result"]] == [made.key]
        renamed = {"object_key": made.key, "new_name": "b.txt"}
        assert envelope_of(await host.call_tool("rename_object", renamed), schemas["rename_object"])["ok"] is True
    assert shelf.names() == ["b.txt"]
    (entry,) = Journal.from_environment({"XDG_STATE_HOME": str(root.parent / "state")}).entries()
    assert (entry.tool, entry.state) == ("rename_object", "done")


INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2024-11-05",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


NOISY = """
import os
from skyshelf.agent.mcp import stdio
from skyshelf.cli.commands.agent import agent
quiet = stdio._serve
async def noisy(*given):
    print("noise", flush=True)
    os.write(1, b"more noise")
    await quiet(*given)
stdio._serve = noisy
agent(["mcp"])
"""


@pytest.mark.whole
def test_nothing_but_the_protocol_is_written_and_bad_lines_are_answered_with_errors() -> None:
    call = {"jsonrpc": "2.0", "method": "tools/call"}
    doubled = '{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "share_link", "arguments": '
    doubled += '{"confirm": false, "confirm": true}}}'
    long = {"name": "list_files", "arguments": {"folder_key": "x" * LINE_BYTES_MAX}}
    started = json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"})
    with subprocess.Popen(
        [sys.executable, "-c", NOISY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None

        def answers(*lines: str) -> list[dict[str, Any]]:
            """One answer for each line, in whatever order."""
            assert process.stdin is not None
            assert process.stdout is not None
            for line in lines:
                process.stdin.write(line.encode("latin-1") + b"\n")
            process.stdin.flush()
            return [json.loads(process.stdout.readline()) for _ in lines]

        (first,) = answers(json.dumps(INITIALIZE))
        assert (first["id"], first["result"]["serverInfo"]["name"]) == (1, "skyshelf")
        process.stdin.write(started.encode() + b"\n\n  \n")
        unreadable = answers("nonsense", "\xff", "[" * 1000, '{"jsonrpc": "2.0", "id": "\xff", "method": "ping"}')
        assert {(one["id"], one["error"]["code"]) for one in unreadable} == {(None, PARSE_ERROR)}
        assert [(one["id"], one["error"]["code"]) for one in answers(doubled)] == [(2, PARSE_ERROR)]
        wrong = answers("[]", "7", '{"id": 8}', '{"jsonrpc": "2.0", "id": 9, "method": 5}')
        assert {one["error"]["code"] for one in wrong} == {INVALID_REQUEST}
        too_long = answers(
            json.dumps({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": long}),
            json.dumps({"method": "tools/call", "params": long, "jsonrpc": "2.0", "id": "four"}),
            "x" * (3 * LINE_BYTES_MAX),
        )
        assert [one["id"] for one in too_long] == [3, "four", None]
        assert {one["error"]["message"] for one in too_long} == {f"longer than {LINE_BYTES_MAX} bytes"}
        (pong,) = answers(json.dumps({"jsonrpc": "2.0", "id": 5, "method": "ping"}))
        assert (pong["id"], pong["result"]) == (5, {})
        # A host of the oldest protocol version reads the envelope as text.
        (told,) = answers(json.dumps({**call, "id": 6, "params": {"name": "share_link", "arguments": {}}}))
        envelope = json.loads(told["result"]["content"][0]["text"])
        assert envelope["error"]["type"] == "confirmation_required"
        process.stdin.close()
        assert process.stdout.read() == b""
        assert b"more noise" in process.stderr.read()
        assert process.wait(30) == 0


@pytest.mark.whole
def test_ctrl_c_ends_it_while_the_host_is_silent() -> None:
    with subprocess.Popen([SKYSHELF, "agent", "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 1
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130


@pytest.mark.parametrize("arguments", [["mcp"], ["mcp", "--http", "0"]], ids=" ".join)
def test_without_the_library_a_sentence_says_what_to_install(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.startswith("skyshelf.agent.mcp")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp.server.lowlevel", None)
    monkeypatch.setitem(sys.modules, "mcp.server.transport_security", None)
    done = CliRunner().invoke(agent, arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "pip install 'skyshelf[mcp]'" in done.stderr


def test_every_guarded_tool_has_a_question() -> None:
    assert [tool.name for tool in TOOLS.values() if tool.ask is not None] == GUARDED
