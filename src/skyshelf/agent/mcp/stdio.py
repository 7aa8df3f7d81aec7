"""The server on standard input and output, which is how hosts start it themselves."""

import asyncio
import threading
from io import TextIOWrapper
from typing import Any, BinaryIO, Final, cast

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from skyshelf.agent.arguments import read_json
from skyshelf.agent.dispatcher import Dispatcher
from skyshelf.agent.errors import Refusal
from skyshelf.agent.mcp.confirmation import Consent
from skyshelf.agent.mcp.server import Door
from skyshelf.agent.stdio import next_line
from skyshelf.wire.client_errors import EXIT_INTERRUPTED, EXIT_OK

_NOT_JSON: Final = "not a message"


class _Lines:
    """Lines as they arrive. They are read by a thread that nobody waits for: a read cannot be interrupted."""

    def __init__(self, lines: BinaryIO) -> None:
        self._lines = lines
        self._arrived: asyncio.Queue[str | None] = asyncio.Queue(16)
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, name="skyshelf-mcp-input", daemon=True).start()

    def __aiter__(self) -> "_Lines":
        return self

    async def __anext__(self) -> str:
        line = await self._arrived.get()
        if line is None:
            raise StopAsyncIteration
        return line

    def _read(self) -> None:
        try:
            while (line := next_line(self._lines)) != b"":
                self._hand_over(_strictly(line))
            self._hand_over(None)
        except (OSError, ValueError, RuntimeError):
            # The loop has ended before the input did.
            return

    def _hand_over(self, line: str | None) -> None:
        asyncio.run_coroutine_threadsafe(self._arrived.put(line), self._loop).result()


def _strictly(line: bytes | None) -> str:
    """The line, if it is JSON by the rules of the other doors: of two `confirm`s in one object neither counts."""
    try:
        if line is None:
            return _NOT_JSON
        read_json(line)
        return line.decode()
    except Refusal:
        return _NOT_JSON


async def _serve(server: Server[Any], lines: BinaryIO, answers: BinaryIO) -> None:
    # The library reads its input by iterating it, and nothing else of a file is asked for.
    incoming = cast("anyio.AsyncFile[str]", _Lines(lines))
    outgoing = anyio.wrap_file(TextIOWrapper(answers, encoding="utf-8"))
    async with stdio_server(incoming, outgoing) as (messages, replies):
        await server.run(messages, replies, server.create_initialization_options())


def serve(dispatcher: Dispatcher, lines: BinaryIO, answers: BinaryIO, *, consent: Consent = "ask") -> int:
    """Serve one host until it ends its input; the exit code."""

    async def until_the_end() -> None:
        try:
            await _serve(Door(dispatcher, consent=consent).server(), lines, answers)
        except* BrokenPipeError:
            # Nobody reads the answers any more, which is another way to end.
            pass
        finally:
            await dispatcher.close()

    try:
        asyncio.run(until_the_end())
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    return EXIT_OK
