"""`./dev bench growth`: SQLite with few objects and with very many, each operation in turn on both."""

import argparse
import itertools
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from benchmarks.bulk_fill import FilledInBulk
from benchmarks.metadata import NOW, PAGE, new_file, new_key
from benchmarks.tables import print_fact, print_table, short
from skyshelf.storage.metadata.contracts.tree import Move, Rename, SearchFilter, SortBy, Trash

SMALL, LARGE = 10_000, 10_000_000
PUTS, THREADS = 60, 16
AIM = 1.5
MERGED_PAGES = 40


class Took(NamedTuple):
    wall: float
    processor: float


class Operations:
    """What is done to one account; each function leaves it as it was, but for the files that are put."""

    def __init__(self, filled: FilledInBulk) -> None:
        self._filled = filled
        self._account_id = filled.account.account_id
        self._numbers = itertools.count()
        self._marks = itertools.cycle(["a", "b"])
        self._folder = filled.folder(filled.account.root_key, f"put {new_key()}")

    def page(self) -> None:
        self._filled.page(self._filled.page_folder)

    def by_date(self) -> None:
        self._filled.page(self._filled.page_folder, sort=SortBy.CREATED)

    def both_kinds(self) -> None:
        self._filled.page(self._filled.page_folder, kind=None)

    def last_page(self) -> None:
        self._filled.page(self._filled.deep_folder, offset=self._filled.deep - PAGE)

    def look_ups(self) -> None:
        """What a download reads, for 100 files."""
        for key in self._filled.page_keys[:100]:
            with self._filled.store.read() as unit:
                unit.files.visible_version(self._account_id, key)

    def merge_index(self) -> None:
        """What the writes have left to the background."""
        while self._filled.store.write(lambda unit: unit.search.merge_some(MERGED_PAGES)):
            pass

    def search(self) -> None:
        with self._filled.store.read() as unit:
            unit.search.page(self._account_id, SearchFilter(text="img_000017"), limit=50)

    def batch(self) -> None:
        mark = next(self._marks)
        changes = [Rename(key, f"{mark} {number:06d}.jpg") for number, key in enumerate(self._filled.page_keys)]
        self._filled.store.write(lambda unit: unit.tree.apply(self._account_id, changes, NOW))

    def move(self) -> None:
        """There and back."""
        root = self._filled.account.root_key
        for folder in (self._filled.elsewhere, root):
            change = Move(self._filled.archive, folder)
            self._filled.store.write(lambda unit, change=change: unit.tree.apply(self._account_id, [change], NOW))  # type: ignore[misc]

    def trash_and_restore(self) -> None:
        key, write = self._filled.archive, self._filled.store.write
        write(lambda unit: unit.tree.apply(self._account_id, [Trash(key)], NOW))
        write(lambda unit: unit.tree.restore(self._account_id, [key], NOW))

    def puts(self) -> None:
        for _ in range(PUTS):
            self._put()

    def puts_at_once(self) -> None:
        with ThreadPoolExecutor(THREADS) as pool:
            list(pool.map(lambda _: self._put(), range(PUTS)))

    def _put(self) -> None:
        file = new_file(self._folder, f"file {next(self._numbers)}")
        self._filled.store.write(lambda unit: unit.files.put(self._account_id, file, NOW, keep_versions=20))


ROWS: dict[str, tuple[str, int]] = {
    f"page of {PAGE:,}": ("page", 15),
    "by date": ("by_date", 15),
    "both kinds": ("both_kinds", 15),
    "last page of 4,000": ("last_page", 15),
    "100 downloads looked up": ("look_ups", 15),
    "search for a number": ("search", 15),
    f"batch of {PAGE:,} renames": ("batch", 9),
    "move of nearly everything, there and back": ("move", 9),
    "its trash and restore": ("trash_and_restore", 9),
    f"{PUTS} new files, one after the other": ("puts", 9),
    f"{PUTS} new files, {THREADS} at once": ("puts_at_once", 9),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="./dev bench growth", description=__doc__)
    parser.add_argument("--objects", type=int, default=LARGE, help=f"in the large account (default: {LARGE:,})")
    parser.add_argument("--keep", type=Path, help="a folder for the databases, which are used again if they are there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-growth-") as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        few, many = (FilledInBulk(folder / f"{objects}.db", objects) for objects in (SMALL, options.objects))
        with closing(few.store), closing(many.store):
            _measure(Operations(few), Operations(many), options.objects)


def _measure(few: Operations, many: Operations, objects: int) -> None:
    rows = []
    # What filling it has left to do says nothing about the operations.
    few.merge_index()
    many.merge_index()
    for title, (name, rounds) in ROWS.items():
        small, large = _in_turn(getattr(few, name), getattr(many, name), rounds)
        growth = large.processor / small.processor
        reached = "reached" if growth <= AIM else "MISSED"
        rows.append([title, *map(short, (small.wall, large.wall, small.processor, large.processor, growth)), reached])
    head = ["", f"{SMALL:,} ms", f"{objects:,} ms", "processor ms", "processor ms", "growth", f"≤ {AIM}"]
    print_table("SQLite: median of alternating rounds; growth of processor time", head, rows, name="SQLite")
    merged = [_timed(one.merge_index).processor for one in (few, many)]
    print_fact(f"merging the search index afterwards, in the background: {short(merged[0])} and {short(merged[1])} ms")
    print_fact(f"load average of the machine at the end: {os.getloadavg()[0]:.1f}")


def _in_turn(one: Callable[[], None], other: Callable[[], None], rounds: int) -> tuple[Took, Took]:
    """Medians of both, after a round that does not count: the machine is as busy for one as for the other."""
    taken: tuple[list[Took], list[Took]] = [], []
    for _ in range(rounds + 1):
        for work, times in zip((one, other), taken, strict=True):
            times.append(_timed(work))
    return _median(taken[0][1:]), _median(taken[1][1:])


def _timed(work: Callable[[], None]) -> Took:
    wall, processor = time.perf_counter(), time.process_time()
    work()
    return Took((time.perf_counter() - wall) * 1000, (time.process_time() - processor) * 1000)


def _median(times: list[Took]) -> Took:
    return Took(statistics.median(one.wall for one in times), statistics.median(one.processor for one in times))


if __name__ == "__main__":
    main()
