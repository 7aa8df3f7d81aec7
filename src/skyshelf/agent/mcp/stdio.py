"""The MCP server on standard input and output, for hosts that start it themselves."""

import asyncio
import threading
from io import TextIOWrapper
from typing import Any, BinaryIO, Final, cast

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from skyshelf.agent.arguments import read_json
from skyshelf.agent.dispatcher import Dispatcher
from skyshelf.agent.errors import ToolRefusal
from skyshelf.agent.mcp.confirmation import Consent
from skyshelf.agent.mcp.server import create_server
from skyshelf.agent.stdio import read_line
from skyshelf.wire.client_errors import EXIT_INTERRUPTED, EXIT_OK

_NOT_JSON: Final = "not a message"


class _Lines:
    """The input's lines, read by a daemon thread because a blocking read cannot be interrupted."""

    def __init__(self, lines: BinaryIO) -> None:
        self._lines = lines
        self._queue: asyncio.Queue[str | None] = asyncio.Queue(16)
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, name="skyshelf-mcp-input", daemon=True).start()

    def __aiter__(self) -> "_Lines":
        return self

    async def __anext__(self) -> str:
        line = await self._queue.get()
        if line is None:
            raise StopAsyncIteration
        return line

    def _read(self) -> None:
        try:
            while (line := read_line(self._lines)) != b"":
                self._put(_checked(line))
            self._put(None)
        except (OSError, ValueError, RuntimeError):
            # The loop ended before the input did.
            return

    def _put(self, line: str | None) -> None:
        asyncio.run_coroutine_threadsafe(self._queue.put(line), self._loop).result()


def _checked(line: bytes | None) -> str:
    """The line if it is strict JSON, as everywhere in the bridge: a duplicate `confirm` must not get through."""
    try:
        if line is None:
            return _NOT_JSON
        read_json(line)
        return line.decode()
    except ToolRefusal:
        return _NOT_JSON


async def _serve(server: Server[Any], lines: BinaryIO, output: BinaryIO) -> None:
    # The library only iterates over its input and uses nothing else of the file.
    incoming = cast("anyio.AsyncFile[str]", _Lines(lines))
    outgoing = anyio.wrap_file(TextIOWrapper(output, encoding="utf-8"))
    async with stdio_server(incoming, outgoing) as (messages, replies):
        await server.run(messages, replies, server.create_initialization_options())


def serve(dispatcher: Dispatcher, lines: BinaryIO, output: BinaryIO, *, consent: Consent = "ask") -> int:
    """Serve one host until the end of its input; returns the exit code."""

    async def serve_until_end() -> None:
        try:
            await _serve(create_server(dispatcher, consent=consent), lines, output)
        except* BrokenPipeError:
            # The host has closed its end, which means quit.
            pass
        finally:
            await dispatcher.close()

    try:
        asyncio.run(serve_until_end())
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    return EXIT_OK
