"""The fault matrix: every quirk of a server against every operation that it touches.

    python -m tests.foreign.matrix [--quirk NAME] [--operation NAME] [--all]

prints the table, and what is wrong with the cells that are. It ends with 1 if any is.
"""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.foreign.commands import COMMANDS
from tests.foreign.operations import OPERATIONS, Operation
from tests.foreign.outcomes import Ending, Outcome, ending_of, is_good
from tests.foreign.quirk import Quirk
from tests.foreign.quirks import QUIRKS
from tests.foreign.server import ForeignServer, foreign_server
from tests.foreign.tool_calls import TOOL_CALLS
from tests.foreign.worlds import ForeignWorld

from skyshelf.client.async_client import AsyncClient

EVERYTHING = {**OPERATIONS, **TOOL_CALLS, **COMMANDS}

MARKS: dict[Outcome, str] = {
    "right": "✓",
    "typed error": "e",
    "silent success": "SILENT",
    "untyped error": "UNTYPED",
    "hang": "HANG",
}


class Cell(NamedTuple):
    """One operation under one quirk."""

    quirk: Quirk
    operation: str
    ending: Ending
    offences: tuple[str, ...]

    @property
    def good(self) -> bool:
        return is_good(self.quirk, self.ending) and not self.offences

    def __str__(self) -> str:
        told = " ".join((self.ending.outcome, self.ending.detail, "; ".join(self.offences)))
        return f"{self.quirk.name} × {self.operation}: {told}".strip()


def touched(quirk: Quirk, operation: Operation) -> bool:
    if operation.name in COMMANDS and quirk.read_timeout < 1:
        # A command has no option for how long it waits for an answer.
        return False
    return quirk.touches in {"everything", "reads", "extensions"} or quirk.touches in operation.concerns


async def run_cell(server: ForeignServer, quirk: Quirk, operation: Operation) -> Cell:
    """Run an operation against a fresh account with the quirk."""
    server.begin(quirk)
    with tempfile.TemporaryDirectory() as folder:
        client = AsyncClient(
            **server.settings,
            retry_wait=0.001,
            retry_after_max=0.01,
            read_timeout=quirk.read_timeout,
            use_proxies=False,
        )
        async with client:
            ending = await ending_of(operation.run(ForeignWorld(server, client, Path(folder))))
    return Cell(quirk, operation.name, ending, tuple(dict.fromkeys(server.offences)))


async def run_quirk(server: ForeignServer, quirk: Quirk, names: list[str] | None = None) -> list[Cell]:
    """Every operation that the quirk touches."""
    chosen = [one for one in EVERYTHING.values() if touched(quirk, one) and (names is None or one.name in names)]
    return [await run_cell(server, quirk, one) for one in chosen]


def row(cells: list[Cell]) -> str:
    """The line of a quirk."""
    counts = {outcome: sum(cell.ending.outcome == outcome for cell in cells) for outcome in MARKS}
    numbers = "  ".join(f"{count} {outcome}" for outcome, count in counts.items() if count)
    return f"{cells[0].quirk.name:32} {'' if all(cell.good for cell in cells) else 'BAD  '}{numbers}"


def complaints(cells: list[Cell]) -> list[str]:
    """A line for each cell that is not as it must be."""
    return [str(cell) for cell in cells if not cell.good]


async def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.foreign.matrix")
    parser.add_argument("--quirk", action="append", choices=list(QUIRKS))
    parser.add_argument("--operation", action="append", choices=list(EVERYTHING))
    parser.add_argument("--all", action="store_true", help="print every cell")
    given = parser.parse_args(arguments)
    wrong: list[str] = []
    with foreign_server() as server:
        for name in given.quirk or QUIRKS:
            cells = await run_quirk(server, QUIRKS[name], given.operation)
            if not cells:
                continue
            print(row(cells), flush=True)
            for cell in cells if given.all else ():
                print(f"    {cell.operation:24} {cell.ending.outcome:14} {cell.ending.detail[:100]}")
            wrong += complaints(cells)
    print("\n".join(["", *wrong]) if wrong else "\nno silent success, no untyped error, no hang")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:])))
