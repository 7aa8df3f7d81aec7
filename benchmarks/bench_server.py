"""`./dev bench server`: our server and others on the same files, in the same run."""

import argparse
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.real_parts.postgres import fresh_database, running_postgres

from benchmarks import server_load as load
from benchmarks import server_ours as ours
from benchmarks.peers import peers
from benchmarks.server_subjects import PAGE_OBJECTS, SMALL_FILE_BYTES, Ask, Files, Subject
from benchmarks.tables import print_table, short

MIB = 1024 * 1024
AT_ONCE = 32
UPLOADS_AT_ONCE = 8
NONE = "–"


@dataclass(frozen=True)
class Effort:
    """How much is measured."""

    seconds: float
    rounds: int
    uploads: int
    large_bytes: int

    @property
    def large(self) -> str:
        return f"{self.large_bytes // MIB:,} MiB" if self.large_bytes < 1024 * MIB else "1 GiB"


FULL = Effort(seconds=4, rounds=3, uploads=500, large_bytes=1024 * MIB)
QUICK = Effort(seconds=1, rounds=1, uploads=50, large_bytes=64 * MIB)


@dataclass
class Figures:
    """What was measured of one server; NaN is what it has no way for."""

    name: str
    start: float
    idle: float
    page_ms: float
    pages: float
    tiny: float
    small: float
    peak: float = float("nan")
    large: float = float("nan")
    uploads: float = float("nan")
    large_up: float = float("nan")


def main() -> None:
    parser = argparse.ArgumentParser(prog="./dev bench server", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a first look: short runs and a large file of 64 MiB")
    parser.add_argument("--no-peers", action="store_true", help="our own server alone")
    parser.add_argument("--workers", type=int, default=1, help="processes of our server (default: 1)")
    options = parser.parse_args()
    effort = QUICK if options.quick else FULL
    with tempfile.TemporaryDirectory(prefix="bench-server-") as folder:
        files = _files(Path(folder) / "files", effort)
        found, missing = ([], []) if options.no_peers else peers(files, Path(folder))
        for sentence in missing:
            print(f"left out: {sentence}")
        with _own(files, Path(folder), workers=options.workers) as subjects:
            figures = [_measured(subject, effort) for subject in subjects]
        figures += [one for peer in found if (one := _measured_or_none(peer, effort)) is not None]
        limit = _plain_writes(Path(folder), effort)
    _print(figures, effort, limit)


def _files(folder: Path, effort: Effort) -> Files:
    (folder / "small").mkdir(parents=True)
    for number in range(PAGE_OBJECTS):
        (folder / "small" / f"IMG_{number:06d}.bin").write_bytes(os.urandom(SMALL_FILE_BYTES))
    (folder / "tiny.txt").write_text("tiny")
    with (folder / "large.bin").open("wb") as large:
        for _ in range(effort.large_bytes // MIB):
            large.write(os.urandom(MIB))
    # Some of the others run as another user.
    subprocess.run(["chmod", "-R", "a+rX", str(folder), str(folder.parent)], check=True)
    return Files(folder, effort.large_bytes)


@contextmanager
def _own(files: Files, folder: Path, *, workers: int) -> Iterator[list[Subject]]:
    with running_postgres() as postgres:
        yield [
            ours.on_sqlite(files, folder / "sqlite", workers=workers),
            ours.on_postgresql(files, folder / "postgresql", fresh_database(postgres, "bench"), workers=workers),
        ]


def _measured(subject: Subject, effort: Effort) -> Figures:
    print(f"measuring {subject.name} …", flush=True)
    os.sync()
    starts = []
    for _ in range(max(1, effort.rounds - 1)):
        starts.append(subject.process.start())
        subject.process.stop()
    starts.append(subject.process.start())
    try:
        return _while_it_runs(subject, effort, statistics.median(starts))
    finally:
        subject.process.stop()


def _measured_or_none(peer: Subject, effort: Effort) -> Figures | None:
    """A peer that fails under load is named, and the run goes on."""
    try:
        return _measured(peer, effort)
    except (RuntimeError, OSError, subprocess.SubprocessError) as problem:
        print(f"left out: {peer.name}: {problem}")
        return None


def _while_it_runs(subject: Subject, effort: Effort, start: float) -> Figures:
    time.sleep(1)  # background work after the start has settled
    idle = subject.process.memory()
    smalls = [Ask("GET", path) for path in subject.small_paths]
    one_page = load.sustained(subject, [subject.page], at_once=1, seconds=effort.seconds)
    figures = Figures(
        name=subject.name,
        start=start,
        idle=idle,
        page_ms=one_page.median_ms,
        pages=load.sustained(subject, [subject.page], at_once=8, seconds=effort.seconds).per_second,
        tiny=load.sustained(subject, [subject.tiny], at_once=AT_ONCE, seconds=effort.seconds).per_second,
        small=load.sustained(subject, smalls, at_once=AT_ONCE, seconds=effort.seconds).per_second,
    )
    if subject.large_path is not None:
        figures.large = _median(effort.rounds, lambda _: load.download(subject, effort.large_bytes))
    if subject.put_small is not None:
        asks = [subject.put_small(number, os.urandom(SMALL_FILE_BYTES)) for number in range(effort.uploads)]
        os.sync()
        figures.uploads = load.each_once(subject, asks, at_once=UPLOADS_AT_ONCE)
    if subject.put_large is not None:
        figures.large_up = _median(min(3, effort.rounds), lambda number: load.upload(subject, number))
    figures.peak = subject.process.peak()
    return figures


def _median(rounds: int, work: Callable[[int], float]) -> float:
    figures = []
    for number in range(rounds):
        os.sync()
        figures.append(work(number))
    return statistics.median(figures)


def _plain_writes(folder: Path, effort: Effort) -> float:
    """Small files, written and synced as a server must that promises to keep them; how many a second."""
    data = [os.urandom(SMALL_FILE_BYTES) for _ in range(effort.uploads)]
    (folder / "plain").mkdir()

    def write(number: int) -> None:
        file = os.open(folder / "plain" / str(number), os.O_CREAT | os.O_WRONLY)
        os.write(file, data[number])
        os.fsync(file)
        os.close(file)

    began = time.perf_counter()
    with ThreadPoolExecutor(UPLOADS_AT_ONCE) as pool:
        list(pool.map(write, range(effort.uploads)))
    return effort.uploads / (time.perf_counter() - began)


def _print(figures: list[Figures], effort: Effort, limit: float) -> None:
    print(f"\nload by {load.generator()}, on {os.cpu_count()} cores that the load shares with the server")
    print(f"load average of the machine at the end: {os.getloadavg()[0]:.1f}")
    print("the large file by curl; uploads of small files by threads in Python")
    heads = ["", "page ms", "pages/s", "small/s", "100 KB/s", f"{effort.large} MB/s"]
    print_table(
        f"reading: a page of {PAGE_OBJECTS:,} objects, one at a time and 8 at once; {AT_ONCE} small requests at once",
        heads,
        [[one.name, *map(_short, (one.page_ms, one.pages, one.tiny, one.small, one.large / 1e6))] for one in figures],
    )
    print_table(
        "writing, starting, memory",
        ["", "100 KB up/s", f"{effort.large} up MB/s", "start ms", "idle MB", "peak MB"],
        [
            [one.name, *map(_short, (one.uploads, one.large_up / 1e6, one.start * 1000, one.idle, one.peak))]
            for one in figures
        ]
        + [["plain files, written and synced", _short(limit), *([NONE] * 4)]],
    )
    print_table("aims", ["", "aim", "measured", ""], list(_aims({one.name: one for one in figures})))


def _aims(by_name: dict[str, Figures]) -> Iterator[list[str]]:
    sqlite, postgresql = by_name[ours.ON_SQLITE], by_name[ours.ON_POSTGRESQL]
    yield _aim("page on SQLite, ms", 10, sqlite.page_ms)
    yield _aim("page on PostgreSQL, ms", 15, postgresql.page_ms)
    yield _aim("idle memory, MB", 120, sqlite.idle)
    yield _aim("start to first answer, s", 1.5, sqlite.start)
    if "nginx" in by_name:
        yield _aim("large download, of nginx", 0.7, sqlite.large / by_name["nginx"].large, at_least=True)
    if "copyparty" in by_name:
        yield _aim("small requests, of copyparty", 4, sqlite.tiny / by_name["copyparty"].tiny, at_least=True)
    if (rclone := by_name.get("rclone serve webdav")) is not None:
        yield _aim("100 KB files, of rclone", 1.5, sqlite.small / rclone.small, at_least=True)
        yield _aim("100 KB up, of rclone", 0.8, sqlite.uploads / rclone.uploads, at_least=True)


def _aim(what: str, aim: float, measured: float, *, at_least: bool = False) -> list[str]:
    reached = measured >= aim if at_least else measured <= aim
    return [what, f"{'≥' if at_least else '≤'} {aim:g}", short(measured), "reached" if reached else "MISSED"]


def _short(number: float) -> str:
    return NONE if number != number else short(number)


if __name__ == "__main__":
    main()
