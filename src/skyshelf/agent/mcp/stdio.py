"""The MCP server on standard input and output, for hosts that start it themselves."""

import asyncio
import json
import re
import threading
from collections.abc import Awaitable, Callable
from io import TextIOWrapper
from typing import Any, BinaryIO, Final, cast

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError, jsonrpc_message_adapter
from pydantic import ValidationError

from skyshelf.agent.arguments import LINE_BYTES_MAX, read_json
from skyshelf.agent.bridge import LongLine, read_line
from skyshelf.agent.dispatcher import Dispatcher
from skyshelf.agent.errors import ToolRefusal
from skyshelf.agent.mcp.confirmation import Consent
from skyshelf.agent.mcp.server import create_server
from skyshelf.wire.client_errors import EXIT_INTERRUPTED, EXIT_OK

_TAIL_BYTES: Final = 400
_ID: Final = rb'"id"\s*:\s*(-?(?:0|[1-9]\d{0,17})|"[ !#-\[\]-~]{0,200}")\s*'
# Programs write a request's id before its method, or after its parameters.
_ID_FIRST: Final = re.compile(rb'\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?' + _ID + b"[,}]")
_ID_LAST: Final = re.compile(_ID + rb'(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*\Z')

_Answer = Callable[[SessionMessage], Awaitable[None]]


class _Lines:
    """The input's lines, read by a daemon thread because a blocking read cannot be interrupted.

    Lines that are no messages are answered with errors of the protocol, once `answer` is set.
    """

    def __init__(self, lines: BinaryIO) -> None:
        self._lines = lines
        self._queue: asyncio.Queue[str | JSONRPCError | None] = asyncio.Queue(16)
        self._loop = asyncio.get_running_loop()
        self.answer: asyncio.Future[_Answer] = self._loop.create_future()
        threading.Thread(target=self._read, name="skyshelf-mcp-input", daemon=True).start()

    def __aiter__(self) -> "_Lines":
        return self

    async def __anext__(self) -> str:
        while (line := await self._queue.get()) is not None:
            if isinstance(line, str):
                return line
            answer = await self.answer
            await answer(SessionMessage(line))
        raise StopAsyncIteration

    def _read(self) -> None:
        try:
            while (line := read_line(self._lines)) != b"":
                if isinstance(line, LongLine) or line.strip():
                    self._put(_checked(line))
            self._put(None)
        except (OSError, ValueError, RuntimeError):
            # The loop ended before the input did.
            return

    def _put(self, line: str | JSONRPCError | None) -> None:
        asyncio.run_coroutine_threadsafe(self._queue.put(line), self._loop).result()


def _checked(line: bytes | LongLine) -> str | JSONRPCError:
    """The line if it is strict JSON, as everywhere in the bridge: a duplicate `confirm` must not get through."""
    if isinstance(line, LongLine):
        return _error(line.head, line.tail, INVALID_REQUEST, f"longer than {LINE_BYTES_MAX} bytes")
    try:
        message = read_json(line)
    except ToolRefusal as refusal:
        return _error(line, line, PARSE_ERROR, refusal.message)
    try:
        jsonrpc_message_adapter.validate_python(message, by_name=False)
    except ValidationError:
        return _error(line, line, INVALID_REQUEST, "not a message of JSON-RPC 2.0")
    return line.decode()


def _error(head: bytes, tail: bytes, code: int, message: str) -> JSONRPCError:
    """The answer to a line that is not passed on, with the id that a request has at one of its ends."""
    found = _ID_FIRST.match(head) or _ID_LAST.search(tail[-_TAIL_BYTES:])
    return JSONRPCError(
        jsonrpc="2.0", id=json.loads(found[1]) if found else None, error=ErrorData(code=code, message=message)
    )


async def _serve(server: Server[Any], lines: BinaryIO, output: BinaryIO) -> None:
    # The library only iterates over its input and uses nothing else of the file.
    incoming = _Lines(lines)
    outgoing = anyio.wrap_file(TextIOWrapper(output, encoding="utf-8"))
    async with stdio_server(cast("anyio.AsyncFile[str]", incoming), outgoing) as (messages, replies):
        incoming.answer.set_result(replies.send)
        await server.run(messages, replies, server.create_initialization_options())


def serve(dispatcher: Dispatcher, lines: BinaryIO, output: BinaryIO, *, consent: Consent = "ask") -> int:
    """Serve one host until the end of its input; returns the exit code."""

    async def serve_until_end() -> None:
        try:
            await _serve(create_server(dispatcher, consent=consent, is_local=True), lines, output)
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
