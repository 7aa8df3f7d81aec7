"""What is measured of a server, one figure at a time and all servers in turn.

All of them run for the whole time, and each figure is taken from one after the other, round after round: whatever else
the machine does meets all alike. A server that fails is named, and its figure is missing.
"""

import os
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks import server_load as load
from benchmarks.server_subjects import SMALL_FILE_BYTES, Ask, Subject
from benchmarks.tables import print_left_out

MIB = 1024 * 1024
AT_ONCE = 32
UPLOADS_AT_ONCE = 8
NONE = float("nan")
FIRST = "first look/s"


def binary(size: int) -> str:
    """Return the size of a large file, as people read it."""
    return f"{size // MIB:,} MiB" if size < 1024 * MIB else "1 GiB"


@dataclass(frozen=True)
class Effort:
    """How much is measured."""

    seconds: float
    rounds: int
    uploads: int
    large_bytes: int

    @property
    def large(self) -> str:
        return binary(self.large_bytes)


FULL = Effort(seconds=2, rounds=3, uploads=500, large_bytes=1024 * MIB)
QUICK = Effort(seconds=1, rounds=1, uploads=50, large_bytes=64 * MIB)

Measure = Callable[[Subject, Effort, int], float]
"""One figure of a server in a round; NaN is what it has no way for."""


@dataclass
class Figures:
    """What was measured of one server, by name; what is missing is NaN."""

    name: str
    values: dict[str, float] = field(default_factory=dict)

    def __getitem__(self, measure: str) -> float:
        return self.values.get(measure, NONE)


def _page_ms(subject: Subject, effort: Effort, _: int) -> float:
    return load.sustained(subject, [subject.page], at_once=1, seconds=effort.seconds).median_ms


def _pages(subject: Subject, effort: Effort, _: int) -> float:
    return load.sustained(subject, [subject.page], at_once=8, seconds=effort.seconds).per_second


def _tiny(subject: Subject, effort: Effort, _: int) -> float:
    return load.sustained(subject, [subject.tiny], at_once=AT_ONCE, seconds=effort.seconds).per_second


def _of_paths(paths: Sequence[str], subject: Subject, effort: Effort) -> float:
    asks = [Ask("GET", path) for path in paths]
    return load.sustained(subject, asks, at_once=AT_ONCE, seconds=effort.seconds).per_second


def small_downloads(subject: Subject, effort: Effort, _: int) -> float:
    return _of_paths(subject.small_paths, subject, effort)


def _thumbnails(subject: Subject, effort: Effort, _: int) -> float:
    return _of_paths(subject.thumbnail_paths, subject, effort)


def large_download(subject: Subject, effort: Effort, _: int) -> float:
    return NONE if subject.large_path is None else load.download(subject, effort.large_bytes) / 1e6


def _uploads(subject: Subject, effort: Effort, number: int) -> float:
    if subject.put_small is None:
        return NONE
    first = number * effort.uploads
    asks = [subject.put_small(first + one, os.urandom(SMALL_FILE_BYTES)) for one in range(effort.uploads)]
    os.sync()
    return load.each_once(subject, asks, at_once=UPLOADS_AT_ONCE)


def _large_up(subject: Subject, _: Effort, number: int) -> float:
    if subject.put_large is None:
        return NONE
    os.sync()
    return load.upload(subject, number) / 1e6


READING: Mapping[str, Measure] = {
    "page ms": _page_ms,
    "pages/s": _pages,
    "small/s": _tiny,
    "100 KB/s": small_downloads,
    "thumbnails/s": _thumbnails,
    "large MB/s": large_download,
}
WRITING: Mapping[str, Measure] = {"100 KB up/s": _uploads, "large up MB/s": _large_up}
PER_REQUEST = ("small/s", "100 KB/s", "thumbnails/s", "pages/s", "100 KB up/s")
"""Rates of which the processor time per request is measured, too: it depends less on what else the machine does."""
PROCESS = ("start ms", "idle MB", "peak MB")
LESS_IS_BETTER = frozenset({"page ms", *PROCESS})


def measured(subjects: Sequence[Subject], effort: Effort) -> list[Figures]:
    """The figures of all that could be started."""
    figures = {subject.name: Figures(subject.name) for subject in subjects}
    running = [subject for subject in subjects if _started(subject, figures[subject.name], effort)]
    try:
        print(f"measuring {FIRST} …", flush=True)
        for subject in running:
            figures[subject.name].values |= _first_look(subject)
        for name, measure in {**READING, **WRITING}.items():
            print(f"measuring {name} …", flush=True)
            used: dict[str, float] = {}
            for one, value in in_turn(running, name, measure, effort, used).items():
                figures[one].values |= {name: value, f"µs per {name}": used[one]}
        for subject in running:
            figures[subject.name].values["peak MB"] = subject.process.peak()
    finally:
        for subject in running:
            subject.process.stop()
    return [figures[subject.name] for subject in running]


def _first_look(subject: Subject) -> dict[str, float]:
    """All small files once. What a server makes sure of, or only learns, at its first look at a file is in here."""
    asks = [Ask("GET", path) for path in subject.small_paths]
    before = subject.process.cpu_seconds()
    per_second = load.each_once(subject, asks, at_once=AT_ONCE)
    return {FIRST: per_second, f"µs per {FIRST}": 1e6 * (subject.process.cpu_seconds() - before) / len(asks)}


def _started(subject: Subject, figures: Figures, effort: Effort) -> bool:
    """Start it as often as there are rounds; it runs afterwards."""
    starts = []
    try:
        for _ in range(effort.rounds - 1):
            starts.append(subject.process.start())
            subject.process.stop()
        starts.append(subject.process.start())
    except (RuntimeError, OSError) as problem:
        print_left_out(f"{subject.name}: {problem}")
        return False
    time.sleep(1)  # background work after the start has settled
    figures.values |= {"start ms": statistics.median(starts) * 1000, "idle MB": subject.process.memory()}
    return True


def in_turn(
    subjects: Sequence[Subject], name: str, measure: Measure, effort: Effort, used: dict[str, float] | None = None
) -> dict[str, float]:
    """A figure of each that did not fail, by its name: the median of the rounds.

    `used` gets the processor time per request in microseconds.
    """
    found: dict[str, list[float]] = {subject.name: [] for subject in subjects}
    each: dict[str, list[float]] = {subject.name: [] for subject in subjects}
    for number in range(effort.rounds):
        for subject in subjects:
            if subject.name not in found:
                continue
            try:
                before = subject.process.cpu_seconds()
                figure = measure(subject, effort, number)
                requests = effort.uploads if name in WRITING else figure * max(1, round(effort.seconds))
                seconds = subject.process.cpu_seconds() - before
                each[subject.name].append(1e6 * seconds / requests if requests > 0 else NONE)
                found[subject.name].append(figure)
            except (RuntimeError, OSError, subprocess.SubprocessError) as problem:
                del found[subject.name]
                print_left_out(f"'{name}' of {subject.name}: {problem}")
    if used is not None:
        used |= {subject: statistics.median(each[subject]) for subject in found}
    return {subject: statistics.median(values) for subject, values in found.items()}
