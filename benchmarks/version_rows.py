"""What `./dev bench versions` measures of two versions."""

import os
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from benchmarks import bench_dav
from benchmarks import server_load as load
from benchmarks import server_ours as ours
from benchmarks.pairs import Figure, Row, timed
from benchmarks.server_measures import AT_ONCE, MIB, UPLOADS_AT_ONCE, binary
from benchmarks.server_subjects import PAGE_OBJECTS, SMALL_FILE_BYTES, Ask
from benchmarks.version_subjects import CHANGING, FOLDER, Version, settle

SECONDS = 1.0
"""Duration of one measurement of a rate; wrk takes whole seconds."""
KIB = 1024
PAGES, UPLOADS = 10, 80
DAV_TIMES = {"PROPFIND": 5, "GET of 4 KiB": 200, "PUT of 4 KiB": 60, "GET of 1 MiB": 60, "PUT of 1 MiB": 20}
ONE = 200

Asks = Callable[[Version], Sequence[Ask]]


@dataclass(frozen=True)
class Sizes:
    """How much is measured."""

    rounds: int
    few: int
    """Rounds of starts and of large uploads."""
    large_down: int
    large_up: int


FULL = Sizes(rounds=15, few=7, large_down=1024 * MIB, large_up=256 * MIB)
QUICK = Sizes(rounds=3, few=2, large_down=64 * MIB, large_up=64 * MIB)


def reading(sizes: Sizes) -> list[Row]:
    """Return the rows of small answers, per second."""

    def of(name: str, asks: Asks, at_once: int) -> Row:
        return Row(name, _sustained(asks, at_once), sizes.rounds)

    return [
        of(f"page of {PAGE_OBJECTS:,}", lambda version: [version.subject.page], 1),
        of("page, not modified", lambda version: [version.not_modified], 1),
        Row("page, after a change", _page_after_change, sizes.rounds),
        of("small", lambda version: [version.subject.tiny], AT_ONCE),
        of("100 KB down", lambda version: _downloads(version.subject.small_paths), AT_ONCE),
        of("thumbnails", lambda version: _downloads(version.subject.thumbnail_paths), AT_ONCE),
    ]


def _downloads(paths: Sequence[str]) -> list[Ask]:
    return [Ask("GET", path) for path in paths]


def _sustained(asks: Asks, at_once: int) -> Callable[[Version, int], Figure]:
    def work(version: Version, _: int) -> Figure:
        cpu = version.process.cpu_seconds()
        rate = load.sustained(version.subject, asks(version), at_once=at_once, seconds=SECONDS)
        return Figure(rate.per_second, 1e6 * (version.process.cpu_seconds() - cpu) / rate.requests)

    return work


def _page_after_change(version: Version, number: int) -> Figure:
    """Change a file of the page before each read; only the reads count."""
    seconds = processor = 0.0
    subject = version.subject
    with closing(version.dav.connection()) as changes, closing(load.opened(subject)) as reads:
        for turn in range(PAGES):
            version.dav.ask(changes, "PUT", f"{FOLDER}/{CHANGING}", b"%d %d" % (number, turn))
            one = timed(version, lambda: load.send(reads, subject, subject.page), requests=1)
            seconds += 1 / one.value
            processor += one.processor
    return Figure(PAGES / seconds, processor / PAGES)


def transfers(sizes: Sizes, folder: Path) -> list[Row]:
    """Return the rows of uploads, per second, and of large files."""

    def up(size: int, first: int) -> Callable[[Version, int], Figure]:
        def work(version: Version, number: int) -> Figure:
            put = version.subject.put_small
            assert put is not None
            asks = [put(first + number * UPLOADS + one, os.urandom(size)) for one in range(UPLOADS)]
            os.sync()
            return timed(
                version, lambda: load.each_once(version.subject, asks, at_once=UPLOADS_AT_ONCE), requests=UPLOADS
            )

        return work

    def path_of(number: int) -> Path:
        return folder / f"large upload {number}.bin"

    def new_content(number: int) -> None:
        path_of(number - 1).unlink(missing_ok=True)
        with path_of(number).open("wb") as file:
            for _ in range(sizes.large_up // MIB):
                file.write(os.urandom(MIB))

    def large_up(version: Version, number: int) -> Figure:
        subject, path = version.subject, path_of(number)
        sent = ours.upload_by_curl(f"{subject.url}/upload/files", subject.headers, version.root_key, path.name, path)
        os.sync()
        return timed(version, lambda: load.upload_by(subject, sent), requests=1, each=sizes.large_up / 1e6)

    def large_down(version: Version, _: int) -> Figure:
        size = sizes.large_down
        return timed(version, lambda: load.download(version.subject, size), requests=1, each=size / 1e6)

    return [
        Row(f"{binary(sizes.large_down)} down, MB/s", large_down, sizes.rounds),
        Row("100 KB up", up(SMALL_FILE_BYTES, 0), sizes.rounds),
        Row("4 KiB up", up(4 * KIB, 1_000_000), sizes.rounds),
        Row(f"{binary(sizes.large_up)} up, MB/s", large_up, sizes.few, prepare=new_content),
    ]


def webdav(sizes: Sizes) -> list[Row]:
    """Return the rows of WebDAV: requests per second on one connection."""

    def one_entry(version: Version, _: int) -> Figure:
        more = {"Depth": "0", "Content-Type": "application/xml"}
        with closing(version.dav.connection()) as connection:

            def ask_all() -> None:
                for _ in range(ONE):
                    version.dav.ask(connection, "PROPFIND", "small.bin", bench_dav.PROPFIND, **more)

            return timed(version, ask_all, requests=ONE)

    def row(measure: bench_dav.Measure) -> Row:
        times = next(count for name, count in DAV_TIMES.items() if measure.name.startswith(name))

        def work(version: Version, number: int) -> Figure:
            with closing(version.dav.connection()) as connection:

                def ask_all() -> None:
                    for one in range(times):
                        measure.work(version.dav, connection, number * times + one)

                if measure.name.startswith("PUT"):
                    os.sync()
                return timed(version, ask_all, requests=times)

        return Row(f"WebDAV: {measure.name}", work, sizes.rounds)

    measures = bench_dav.measures(large=os.urandom(MIB), listed=[PAGE_OBJECTS], small=1)
    return [Row("WebDAV: PROPFIND of one entry", one_entry, sizes.rounds), *map(row, measures)]


def at_rest(sizes: Sizes) -> list[Row]:
    """Return the rows of a start and of the memory after it."""

    def start(version: Version, _: int) -> Figure:
        version.process.stop()
        seconds = version.process.start()
        return Figure(seconds * 1000, 1e6 * version.process.cpu_seconds())

    def memory(version: Version, _: int) -> Figure:
        version.process.stop()
        version.process.start()
        settle(version.process)
        return Figure(version.process.memory())

    return [
        Row("start, ms", start, sizes.few, is_less_better=True),
        Row("memory at rest, MB", memory, sizes.few, is_less_better=True),
    ]
