"""Tables of figures on a terminal."""

import statistics
import time
from collections.abc import Callable, Sequence


def print_table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    print(f"\n{title}")
    for row in [head, ["-" * width for width in widths], *rows]:
        cells = [
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        print("  " + "  ".join(cells).rstrip(), flush=True)


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
