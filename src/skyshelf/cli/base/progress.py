"""Progress of transfers: one live line on a terminal, a plain line per file in a pipe, nothing when quiet."""

import os
import shutil
import sys
import threading
import time
from collections import deque
from types import TracebackType
from typing import Final, Self

from skyshelf.cli.base.output import Output, bar
from skyshelf.cli.base.params import counted
from skyshelf.cli.base.text import visible, width
from skyshelf.wire.sizes import format_size

REFRESH_SECONDS: Final = 0.1
RATE_SECONDS: Final = 10.0
"""The rate is that of the last seconds: what was an hour ago says little about when it ends."""
THE_FOLDER: Final = "the folder itself"
"""What to call the place whose path below the destination is empty."""
_BAR_COLUMNS: Final = 12
_CLEAR: Final = "\r\x1b[K"


class Meter:
    """Files, bytes, rate, and time left where the whole is known. It may be told from any thread.

    `verb` is what a plain line says of each file; without one, a pipe gets none. The whole is what was given as
    `total_bytes`, or what `queued` adds up to until `all_listed` says that this is all.
    """

    def __init__(self, output: Output, verb: str | None, *, total_bytes: int | None = None) -> None:
        self._output = output
        self._verb = verb
        self._total = total_bytes
        self._total_files = 0
        self._is_whole = total_bytes is not None
        self._live = sys.stderr.isatty() and not output.quiet and os.environ.get("TERM") != "dumb"
        self._lock = threading.Lock()
        self._moving: dict[str, int] = {}
        self._files = 0
        self._skipped = 0
        self._bytes = 0
        self._moments: deque[tuple[float, int]] = deque([(time.monotonic(), 0)])
        self._drawn = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._clear()

    def queued(self, size: int) -> None:
        """One more file that has to be moved."""
        with self._lock:
            self._total = (self._total or 0) + size
            self._total_files += 1

    def all_listed(self) -> None:
        """No more files will be queued."""
        with self._lock:
            self._is_whole = True

    def moved(self, path: str, done: int) -> None:
        """So many bytes of a file are there."""
        with self._lock:
            self._moving[path] = done
            self._draw(path)

    def finished(self, path: str, size: int) -> None:
        """A file is there."""
        with self._lock:
            self._moving.pop(path, None)
            self._files += 1
            self._bytes += size
            if self._verb is not None:
                self._say(f"{self._verb} {path} ({format_size(size)})")
            self._draw(path)

    def skipped(self, path: str, counted_bytes: int = 0) -> None:
        """A file was there already; said in numbers only, because it is most of them.

        `counted_bytes` is what the whole had for it.
        """
        with self._lock:
            self._moving.pop(path, None)
            self._skipped += 1
            if self._total is not None:
                self._total = max(0, self._total - counted_bytes)
            self._draw(path)

    def failed(self, path: str, reason: str) -> None:
        """A file is not there, and why."""
        with self._lock:
            self._moving.pop(path, None)
            self._clear()
            self._output.problem(f"{path or THE_FOLDER}: {reason}")

    def _say(self, sentence: str) -> None:
        if not self._live:
            self._output.note(sentence)

    def _clear(self) -> None:
        if self._live and self._drawn:
            sys.stderr.write(_CLEAR)
            sys.stderr.flush()

    def _draw(self, path: str) -> None:
        now = time.monotonic()
        if not self._live or now - self._drawn < REFRESH_SECONDS:
            return
        self._drawn = now
        sys.stderr.write(_CLEAR + self.line(now, path, shutil.get_terminal_size().columns - 1))
        sys.stderr.flush()

    def line(self, now: float, path: str, columns: int) -> str:
        """What the live line says; what matters least is left out where the terminal is narrow."""
        moved = self._bytes + sum(self._moving.values())
        rate = self._rate(now, moved)
        more = "" if self._is_whole else "+"
        files = counted(self._files, "file")
        if self._total_files:
            files = f"{self._files:,} of {self._total_files:,}{more} files"
        size = format_size(moved) + (f" of {format_size(self._total)}{more}" if self._total else "")
        told = {2: files, 1: size, 4: f"{format_size(round(rate))}/s"}
        if self._total and self._is_whole:
            told[0] = bar(min(moved / self._total, 1.0), columns=_BAR_COLUMNS)
            if rate > 0:
                told[5] = f"{_clock(round(max(self._total - moved, 0) / rate))} left"
        if self._skipped:
            told[3] = f"{self._skipped:,} unchanged"
        told[6] = visible(path.rpartition("/")[2])
        for least in (6, 0, 3, 4, 2, 5):
            shown = "  ".join(told[place] for place in sorted(told))
            if width(shown) <= columns:
                return shown
            told.pop(least, None)
        return "  ".join(told[place] for place in sorted(told))[: max(columns, 0)]

    def _rate(self, now: float, moved: int) -> float:
        moments = self._moments
        moments.append((now, moved))
        while len(moments) > 2 and moments[0][0] < now - RATE_SECONDS:
            moments.popleft()
        (then, before), seconds = moments[0], now - moments[0][0]
        return max(0.0, (moved - before) / seconds) if seconds > 0 and now > then else 0.0


def _clock(seconds: int) -> str:
    hours, rest = divmod(seconds, 3600)
    return f"{hours}:{rest // 60:02d}:{rest % 60:02d}" if hours else f"{rest // 60}:{rest % 60:02d}"
