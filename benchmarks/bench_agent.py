"""`./dev bench agent`: calls of the agent bridge in an account of 100,000 files, over JSON lines, MCP and Python.

The first call opens the account. The first search is listed separately from later ones, which find the account
unchanged.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from anyio.from_thread import start_blocking_portal
from mcp import Client, StdioServerParameters

from benchmarks.tables import print_table
from skyshelf.agent.bridge import Bridge
from skyshelf.agent.dispatcher import Dispatcher
from skyshelf.client.async_client import AsyncClient
from skyshelf.testing.server import TestServer

FILES_EACH = 500
WORKS: dict[str, tuple[str, Callable[[int], dict[str, object]], int]] = {
    "account_info": ("account_info", lambda _number: {}, 500),
    "list_files": ("list_files", lambda _number: {"limit": 50}, 300),
    "search_files, the same again": ("search_files", lambda _number: {"query": "note 0499"}, 100),
    "search_files, other words": ("search_files", lambda number: {"query": f"note {number % FILES_EACH:04d}"}, 100),
    "search_files, all of them": ("search_files", lambda _number: {"query": "", "limit": 50}, 5),
}
"""The tool, its arguments by the number of the call, and how often the call is made in a round."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="./dev bench agent", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the files, one round")
    options = parser.parse_args()
    folders, rounds = (20, 1) if options.quick else (200, 3)
    with tempfile.TemporaryDirectory(prefix="bench-agent-") as name, TestServer(Path(name) / "data") as server:
        account = server.add_account("bench@example.org")
        for below in account.add_folders(f"folder {number:04d}" for number in range(folders)):
            account.add_files(((f"note {one:04d}.txt", b"a note") for one in range(FILES_EACH)), below)
        settings = account.session.settings()
        with library(settings) as ask:
            rows = measured("library", ask, rounds)
        with stdio(settings) as ask:
            rows += measured("stdio", ask, rounds)
        with mcp(settings) as ask:
            rows += measured("mcp", ask, rounds)
    print_table(
        f"Agent calls, {folders * FILES_EACH:,} files in {folders:,} folders, median of {rounds}",
        ["door", "call", "first, ms", "later, ms a call", "later, calls a second"],
        rows,
        name="calls",
    )


Ask = Callable[[dict[str, Any]], bool]


def measured(door: str, ask: Ask, rounds: int) -> list[list[str]]:
    rows = []
    numbers = count()
    for work, (tool, arguments, times) in WORKS.items():

        def once(tool: str = tool, arguments: Callable[[int], dict[str, object]] = arguments) -> None:
            assert ask({"tool": tool, "arguments": arguments(next(numbers))}), f"{tool} failed"

        first = timed(once, 1)
        middle = statistics.median(timed(once, times) for _ in range(rounds))
        rows.append([door, work, f"{first * 1000:,.1f}", f"{middle * 1000:,.2f}", f"{1 / middle:,.1f}"])
    return rows


def timed(work: Callable[[], None], times: int) -> float:
    began = time.perf_counter()
    for _ in range(times):
        work()
    return (time.perf_counter() - began) / times


@contextmanager
def library(settings: dict[str, str]) -> Iterator[Ask]:
    with Bridge(Dispatcher(lambda: AsyncClient(**settings))) as bridge:  # type: ignore[arg-type]
        yield lambda call: bridge.call(call)["ok"] is True


SKYSHELF = str(Path(sys.executable).with_name("skyshelf"))


def environment(settings: dict[str, str]) -> dict[str, str]:
    return os.environ | {f"SKYSHELF_{name.upper()}": value for name, value in settings.items()}


@contextmanager
def mcp(settings: dict[str, str]) -> Iterator[Ask]:
    process = StdioServerParameters(command=SKYSHELF, args=["agent", "mcp", "--read-only"], env=environment(settings))
    host = Client(process)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(host):
        yield lambda call: portal.call(host.call_tool, call["tool"], call["arguments"]).is_error is False


@contextmanager
def stdio(settings: dict[str, str]) -> Iterator[Ask]:
    command = [SKYSHELF, "agent", "serve", "--read-only"]
    with subprocess.Popen(command, env=environment(settings), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        stdin, stdout = process.stdin, process.stdout

        def ask(call: dict[str, Any]) -> bool:
            stdin.write(json.dumps(call).encode() + b"\n")
            stdin.flush()
            return json.loads(stdout.readline())["ok"] is True

        yield ask
        stdin.close()


if __name__ == "__main__":
    main()
