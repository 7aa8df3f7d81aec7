"""What a sync has done, step by step, in a SQLite file beside the index.

It is for people: no sync decides anything by it. So a log that cannot be written stops nothing, and a damaged one is
replaced. It keeps the newest steps, and is kept when the index is set aside.
"""

import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Self

from msgspec import Struct

from skyshelf.desktop.sync.actions import SyncEvent
from skyshelf.desktop.sync.index import set_aside
from skyshelf.desktop.sync.rounds import SyncResult

LOG: Final = "log.db"
STEPS_MAX: Final = 100_000
RUNS_MAX: Final = 1_000
_SLACK: Final = 1_000
"""Number of steps above the limit after which the oldest are deleted in one go."""

_BUSY_SECONDS: Final = 5.0
_SCHEMA: Final = Path(__file__).with_name("log.sql")
_UNENDED: Final = "it was interrupted"


class LoggedStep(Struct, frozen=True, kw_only=True):
    """A step that was done or failed, or an item that was left alone. `at` is in epoch milliseconds."""

    run: int
    at: int
    kind: str
    path: str
    to: str
    reason: str
    size: int


class LoggedRun(Struct, frozen=True, kw_only=True):
    """A run. Without `ended` it is still running or was killed; `stopped` says why one ended early."""

    run: int
    began: int
    ended: int | None
    steps: int
    failed: int
    stopped: str | None


class SyncLog:
    """The open log. Safe to use from several threads."""

    def __init__(self, state: Path, *, now: Callable[[], float] = time.time) -> None:
        """Open the log in the state folder of a sync."""
        self._path = state / LOG
        self._now = now
        self._lock = threading.Lock()
        self._run = 0
        self._steps = 0
        try:
            self._database = self._opened()
        except sqlite3.DatabaseError:
            set_aside(self._path)
            self._database = self._opened()

    def _opened(self) -> sqlite3.Connection:
        database = sqlite3.connect(self._path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = OFF")
            database.executescript(_SCHEMA.read_text("utf-8"))
        except BaseException:
            database.close()
            raise
        return database

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        with self._lock:
            self._database.close()

    # Writing

    def run(self, sync: Callable[[], SyncResult]) -> SyncResult:
        """Run a sync, and note how it ended."""
        self._begin()
        try:
            result = sync()
        except BaseException as error:
            self._end(str(error) or _UNENDED, ())
            raise
        self._end(None, [(path, str(error)) for path, error in result.failures])
        return result

    def note(self, event: SyncEvent) -> None:
        """Note a step of the run; what is left alone, or fails again for the same reason, once."""
        if event.kind == "progress":
            return
        if event.kind in {"left", "failed"}:
            if self._last(event.path) == (event.kind, event.reason):
                return
        else:
            self._steps += 1
        row = (self._run, self._time(), event.kind, event.path, event.to, event.reason, event.size)
        self._write("INSERT INTO steps (run, at, kind, path, target, reason, size) VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    def _begin(self) -> None:
        self._steps = 0
        self._run = self._write("INSERT INTO runs (began) VALUES (?)", (self._time(),))

    def _end(self, stopped: str | None, failures: Iterable[tuple[str, str]]) -> None:
        if stopped is None:
            self._write("DELETE FROM failures")
        count = 0
        for count, row in enumerate(failures, 1):  # noqa: B007 - the last number is the count
            self._write("INSERT OR REPLACE INTO failures VALUES (?, ?)", row)
        self._write(
            "UPDATE runs SET ended = ?, steps = ?, failed = ?, stopped = ? WHERE id = ?",
            (self._time(), self._steps, count, stopped, self._run),
        )
        # A watch runs every few minutes: of runs without anything to do, the last one is enough.
        self._write(
            "DELETE FROM runs WHERE id < ? AND steps = 0 AND failed = 0 AND ended IS NOT NULL AND stopped IS NULL",
            (self._run,),
        )
        self._write("DELETE FROM runs WHERE id <= ?", (self._run - RUNS_MAX,))
        newest = self._read("SELECT max(id), min(id) FROM steps")
        if newest and newest[0][0] is not None and newest[0][0] - newest[0][1] >= STEPS_MAX + _SLACK:
            self._write("DELETE FROM steps WHERE id <= ?", (newest[0][0] - STEPS_MAX,))

    def _last(self, path: str) -> tuple[str, str] | None:
        rows = self._read("SELECT kind, reason FROM steps WHERE path = ? ORDER BY id DESC LIMIT 1", (path,))
        return (rows[0][0], rows[0][1]) if rows else None

    def _write(self, statement: str, values: tuple[object, ...] = ()) -> int:
        with self._lock, suppress(sqlite3.Error):
            return self._database.execute(statement, values).lastrowid or 0
        return 0

    # Reading

    def runs(self) -> list[LoggedRun]:
        """Return the runs, newest first."""
        rows = self._read("SELECT id, began, ended, steps, failed, stopped FROM runs ORDER BY id DESC")
        return [LoggedRun(**dict(zip(LoggedRun.__struct_fields__, row, strict=True))) for row in rows]

    def failures(self) -> list[tuple[str, str]]:
        """Return what the last complete run could not sync, each with the reason."""
        return [(path, reason) for path, reason in self._read("SELECT path, reason FROM failures ORDER BY path")]

    def steps(self, path: str = "") -> Iterator[LoggedStep]:
        """Yield steps, newest first: all of them, or those of a file or folder under all names that it has had."""
        for row in self._read("SELECT run, at, kind, path, target, reason, size FROM steps ORDER BY id DESC"):
            step = LoggedStep(**dict(zip(LoggedStep.__struct_fields__, row, strict=True)))
            former = _former(step, path)
            if former is not None:
                path = former
                yield step

    def _read(self, statement: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        with self._lock:
            try:
                return self._database.execute(statement, values).fetchall()
            except sqlite3.Error:
                return []

    def _time(self) -> int:
        return round(self._now() * 1000)


def _former(step: LoggedStep, path: str) -> str | None:
    """Return the path that an item had before a step that concerns it; None for a step of something else."""
    if not path:
        return path
    for place, before in ((step.to, step.path), (step.path, step.path)):
        if place and (path == place or path.startswith(f"{place}/")):
            return before + path[len(place) :]
    is_below = step.path.startswith(f"{path}/") or step.to.startswith(f"{path}/")
    return path if is_below else None
