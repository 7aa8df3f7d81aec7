"""The fault matrix: every quirk of a server against every operation that it touches.

    python -m tests.foreign.matrix [--quirk NAME] [--operation NAME] [--all]

prints the table, and what is wrong with the cells that are. It ends with 1 if any is.
"""

import argparse
import asyncio
import sys
import tempfile
from collections import Counter
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple

from tests.foreign.commands import COMMANDS
from tests.foreign.operations import OPERATIONS, Operation
from tests.foreign.outcomes import Ending, ending_of, is_good
from tests.foreign.quirk import Quirk
from tests.foreign.quirks import QUIRKS
from tests.foreign.server import ForeignServer, foreign_server, secure_server
from tests.foreign.tool_calls import TOOL_CALLS
from tests.foreign.worlds import ForeignWorld

from skyshelf.client.async_client import AsyncClient

EVERYTHING = {**OPERATIONS, **TOOL_CALLS, **COMMANDS}


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


_WIDE = {"everything", "reads", "extensions"}


def touched(quirk: Quirk, operation: Operation) -> bool:
    return quirk.touches in _WIDE or quirk.touches in operation.concerns


async def run_cell(server: ForeignServer, quirk: Quirk, operation: Operation) -> Cell:
    """Run an operation against a fresh account with the quirk."""
    server.begin(quirk)
    with tempfile.TemporaryDirectory() as folder:
        client = AsyncClient(
            **server.settings,
            retry_wait=0.001,
            retry_after_max=0.01,
            read_timeout=quirk.read_timeout,
            lag=quirk.lag,
            ca_file=server.ca_file,
            use_proxies=False,
        )
        async with client:
            world = ForeignWorld(server, client, Path(folder))
            world.environment |= {
                "SKYSHELF_READ_TIMEOUT": str(quirk.read_timeout),
                "SKYSHELF_LAG": str(quirk.lag),
                **({"SSL_CERT_FILE": server.ca_file} if server.ca_file else {}),
            }
            ending = await ending_of(operation.run(world))
    return Cell(quirk, operation.name, ending, tuple(dict.fromkeys(server.offences)))


async def run_quirk(
    server: ForeignServer, quirk: Quirk, names: list[str] | None = None, *, turns: int = 1
) -> list[Cell]:
    """Every operation that the quirk touches; of a quirk that touches all of them, every second or third in turns."""
    chosen = [one for one in EVERYTHING.values() if touched(quirk, one) and (names is None or one.name in names)]
    if quirk.touches in _WIDE:
        chosen = chosen[list(QUIRKS).index(quirk.name) % turns :: turns]
    with nullcontext(server) if quirk.certificate is None else secure_server(quirk.certificate) as asked:
        return [await run_cell(asked, quirk, one) for one in chosen]


SIDES: dict[str, dict[str, Operation]] = {"SDK": OPERATIONS, "command line": COMMANDS, "bridge": TOOL_CALLS}
_HEAD = f"{'quirk':32} {'  '.join(f'{side:24}' for side in SIDES)}"


def row(cells: list[Cell]) -> str:
    """The line of a quirk: the outcomes of its operations, side by side."""

    def counted(operations: dict[str, Operation]) -> str:
        outcomes = Counter(cell.ending.outcome for cell in cells if cell.operation in operations)
        return ", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items())) or "-"

    columns = "  ".join(f"{counted(operations):24}" for operations in SIDES.values())
    return f"{cells[0].quirk.name:32} {columns}{'' if all(cell.good for cell in cells) else '  BAD'}".rstrip()


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
    print(_HEAD)
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
