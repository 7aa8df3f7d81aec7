"""Two versions measured in turn: the figures of each round, and the ratios of these pairs."""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from benchmarks.tables import print_left_out, short
from benchmarks.version_subjects import Version

NONE = float("nan")


@dataclass(frozen=True)
class Figure:
    """One measurement: the figure of the row, and the server's processor time per request in microseconds."""

    value: float
    processor: float = NONE


@dataclass(frozen=True)
class Row:
    """What is measured: `work` of a version in a round. Round 0 warms up."""

    name: str
    work: Callable[[Version, int], Figure]
    rounds: int
    is_less_better: bool = False
    prepare: Callable[[int], object] = lambda _: None
    """What has to happen before each round, once for both versions."""


@dataclass
class Pairs:
    """The measurements of a row: before and after, round by round."""

    row: Row
    found: list[tuple[Figure, Figure]] = field(default_factory=list)

    def speeds(self) -> list[float]:
        """Return a ratio per round; above 1, after is better than before."""
        if self.row.is_less_better:
            return [before.value / after.value for before, after in self.found]
        return [after.value / before.value for before, after in self.found]

    def processors(self) -> list[float]:
        """Return a ratio per round; above 1, after needs less processor time than before."""
        return [before.processor / after.processor for before, after in self.found if after.processor > 0]

    def cells(self) -> list[str]:
        """Return the row of the table."""
        values = [(before.value, after.value) for before, after in self.found]
        used = [(before.processor, after.processor) for before, after in self.found]
        return [self.row.name, *_compared(values, self.speeds()), *_compared(used, self.processors())]

    def is_below(self, bound: float) -> bool:
        """Say whether the median ratio of either is below the bound."""
        return any(statistics.median(ratios) < bound for ratios in (self.speeds(), self.processors()) if ratios)


def _compared(figures: Sequence[tuple[float, float]], ratios: Sequence[float]) -> list[str]:
    if not ratios:
        return ["–", "–", "–"]
    before, after = (statistics.median(pair[side] for pair in figures) for side in (0, 1))
    return [short(before), short(after), spread(ratios)]


def spread(ratios: Sequence[float]) -> str:
    """Return the median, and between which values the middle half lies."""
    low, middle, high = statistics.quantiles(ratios, n=4, method="inclusive")
    return f"{middle:.2f} ({low:.2f}–{high:.2f})"


def timed(version: Version, work: Callable[[], object], *, requests: int, each: float = 1) -> Figure:
    """Measure a number of requests; the value is how many a second, times what each counts."""
    cpu, began = version.process.cpu_seconds(), time.perf_counter()
    work()
    seconds = time.perf_counter() - began
    return Figure(each * requests / seconds, 1e6 * (version.process.cpu_seconds() - cpu) / requests)


def measured(rows: Sequence[Row], before: Version, after: Version) -> Iterator[Pairs]:
    """Measure row after row; of the two versions, the first of a round is the second of the next."""
    for row in rows:
        print(f"measuring {row.name} …", file=sys.stderr, flush=True)
        pairs = Pairs(row)
        try:
            for number in range(row.rounds + 1):
                row.prepare(number)
                in_turn = (before, after) if number % 2 else (after, before)
                figures = [row.work(version, number) for version in in_turn]
                if number:
                    pairs.found.append((figures[0], figures[1]) if number % 2 else (figures[1], figures[0]))
        except (RuntimeError, OSError, AssertionError, subprocess.SubprocessError) as problem:
            print_left_out(f"'{row.name}': {problem}")
            continue
        yield pairs
