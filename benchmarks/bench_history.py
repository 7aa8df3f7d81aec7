"""`./dev bench history`: what keeping history adds to every kind of write, on both databases.

The same write runs with and without records of what was before, in turns: whatever else the machine does meets both.
"""

import argparse
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest.mock import patch

from benchmarks.metadata import NOW, SampleAccount, Store, new_file
from benchmarks.searching import store
from benchmarks.tables import print_note, print_table, short
from skyshelf.storage.metadata.contracts.tree import Move, Rename, Trash
from skyshelf.storage.metadata.sql import content
from skyshelf.storage.metadata.sql.account_lock import NewChange
from skyshelf.storage.metadata.sql.tree import purge
from skyshelf.storage.metadata.store import Unit

DELETE = "delete for good: the call and the job after it"
FILES = 20
"""Files of one write, as a client's batch has them."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="./dev bench history", description=__doc__)
    parser.add_argument("--rounds", type=int, default=400, help="pairs of writes of each kind (default: 400)")
    parser.add_argument("--objects", type=int, default=100_000, help="what the account holds (default: 100,000)")
    parser.add_argument("--quick", action="store_true", help="few rounds in a small account, for a first look")
    parser.add_argument("--only", choices=["sqlite", "postgres"], help="one database")
    options = parser.parse_args()
    if options.quick:
        options.rounds, options.objects = 5, 5000
    for kind in [options.only] if options.only else ["sqlite", "postgres"]:
        title = {"sqlite": "SQLite", "postgres": "PostgreSQL"}[kind]
        with store(kind) as opened:
            rows = [
                [name, short(without), short(kept), f"{ratio:.2f}"]
                for name, without, kept, ratio in _figures(opened, options.objects, options.rounds)
            ]
        print_table(
            f"Writes with history, {title}, {options.objects:,} objects",
            [f"{FILES} files", "without, ms", "kept, ms", "ratio"],
            rows,
            name=title,
        )
        print_note("medians of pairs that ran in turns; the ratio is the median of the pairs' ratios")


class Writes:
    """One kind of write after the other on the same files: each leaves what the next one needs."""

    def __init__(self, filled: SampleAccount, name: str) -> None:
        self._store = filled.store
        self._account_id = filled.account.account_id
        self._folder = filled.folder(filled.account.root_key, f"{name}, here")
        self._elsewhere = filled.folder(filled.account.root_key, f"{name}, there")
        self._keys: list[str] = []
        self._numbers = iter(range(10_000_000))
        self._names: list[str] = []
        self.called = 0.0
        """Seconds that the last call to delete for good took, without the job after it."""

    def steps(self) -> dict[str, Callable[[], None]]:
        """The writes, in their order."""
        return {
            "upload": self._upload,
            "overwrite": self._overwrite,
            "rename": lambda: self._apply(Rename(key, f"renamed {next(self._numbers)}.txt") for key in self._keys),
            "move": lambda: self._apply(Move(key, self._elsewhere) for key in self._keys),
            "trash": lambda: self._apply(Trash(key) for key in self._keys),
            DELETE: self._delete,
        }

    def _upload(self) -> None:
        self._names = [f"new {next(self._numbers)}.txt" for _ in range(FILES)]
        self._keys = self._put()

    def _overwrite(self) -> None:
        self._put()

    def _put(self) -> list[str]:
        files = [new_file(self._folder, name) for name in self._names]

        def work(unit: Unit) -> list[str]:
            put = (unit.files.put(self._account_id, file, NOW, keep_versions=10) for file in files)
            return [one.object.object_key for one in put]

        return self._store.write(work)

    def _apply(self, changes: Iterator[Rename | Move | Trash]) -> None:
        wanted = list(changes)
        self._store.write(lambda unit: unit.tree.apply(self._account_id, wanted, NOW))

    def _delete(self) -> None:
        """The call marks them, and a job deletes them; both at once here, as the job deletes whatever is marked."""
        began = time.perf_counter()
        self._store.write(lambda unit: unit.purge.mark_for_deletion(self._account_id, self._keys, NOW))
        self.called = time.perf_counter() - began
        while self._store.write(lambda unit: unit.purge.delete_batch(self._account_id, 1000, NOW)):
            pass


@contextmanager
def _without_history() -> Iterator[None]:
    """Writes as they would be if nothing of what was before were kept."""
    row = NewChange.row

    def bare(self: NewChange, account_id: int, seq: int, now: int, actor: str) -> object:
        return row(self._replace(before=None), account_id, seq, now, actor)

    with (
        patch.object(NewChange, "row", bare),
        patch.object(purge, "keep_purged", lambda *_: None),
        patch.object(content, "keep_contents", lambda *_: None),
    ):
        yield


def _figures(opened: Store, objects: int, rounds: int) -> list[tuple[str, float, float, float]]:
    filled = SampleAccount(opened, objects)
    without, kept = Writes(filled, "without"), Writes(filled, "kept")
    taken: dict[str, list[tuple[float, float]]] = {}
    # The first round does not count.
    for number in range(rounds + 1):
        for name in without.steps():
            pair = _pair(without.steps()[name], kept.steps()[name], is_kept_first=bool(number % 2))
            if number and name == DELETE:
                taken.setdefault("delete for good: the call", []).append((without.called, kept.called))
            if number:
                taken.setdefault(name, []).append(pair)
    return [
        (
            name,
            statistics.median(bare for bare, _ in pairs) * 1000,
            statistics.median(whole for _, whole in pairs) * 1000,
            statistics.median(whole / bare for bare, whole in pairs),
        )
        for name, pairs in taken.items()
    ]


def _pair(without: Callable[[], None], kept: Callable[[], None], *, is_kept_first: bool) -> tuple[float, float]:
    """Seconds of both, one right after the other; who goes first changes from round to round."""
    if is_kept_first:
        whole = _seconds(kept)
    with _without_history():
        bare = _seconds(without)
    if not is_kept_first:
        whole = _seconds(kept)
    return bare, whole


def _seconds(work: Callable[[], None]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
