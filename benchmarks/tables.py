"""Tables of figures on a terminal, kept for the page of figures where a run wants that."""

import statistics
import time
from collections.abc import Callable, Sequence

from benchmarks.recording import Line, Note, Table, record


def print_table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]], *, name: str = "") -> None:
    """Show a table; its name, unique within the benchmark, says where docs/figures.md has it."""
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    print(f"\n{title}")
    for row in [head, ["-" * width for width in widths], *rows]:
        cells = [
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        print("  " + "  ".join(cells).rstrip(), flush=True)
    record(Line(table=Table(title, list(head), [list(row) for row in rows], name)))


def print_note(text: str) -> None:
    """A sentence about the table just printed."""
    print(f"  {text}", flush=True)
    record(Line(note=Note(text, "table")))


def print_fact(text: str) -> None:
    """A sentence about the whole run: how the load is made, which versions the peers have."""
    print(text, flush=True)
    record(Line(note=Note(text, "run")))


def print_left_out(text: str) -> None:
    """A peer, or a part of the work, that is missing from the tables, and why."""
    print(f"left out: {text}", flush=True)
    record(Line(note=Note(text, "left out")))


def milliseconds(work: Callable[[], object], *, rounds: int) -> float:
    """The median of several runs, after one that does not count."""
    work()
    return statistics.median(_timed(work) for _ in range(rounds)) * 1000


def once(work: Callable[[], object]) -> float:
    """One run, in milliseconds: for work that cannot be repeated."""
    return _timed(work) * 1000


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def short(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.1f}" if number >= 10 else f"{number:.2f}"
