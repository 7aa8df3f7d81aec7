"""Progress of transfers: one live line on a terminal, a line per file in a pipe, nothing with --quiet."""

import os
import shutil
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Final, Self

from skyshelf.cli.base.output import Output, bar
from skyshelf.cli.base.text import format_count, safe_line, visible, width
from skyshelf.wire.sizes import format_size

REFRESH_SECONDS: Final = 0.1
RATE_SECONDS: Final = 10.0
"""The rate is averaged over the last seconds: older ones say little about the time left."""
THE_FOLDER: Final = "the folder itself"
"""Name of the item whose path below the destination is empty."""
_BAR_COLUMNS: Final = 12
_CLEAR: Final = "\r\x1b[K"


class LiveLine:
    """One line on a terminal that shows what a long command is doing, and nothing in a pipe; a context manager."""

    def __init__(self, *, quiet: bool = False) -> None:
        self.is_live = sys.stderr.isatty() and not quiet and os.environ.get("TERM") != "dumb"
        self._drawn = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def draw(self, line: Callable[[], str]) -> None:
        """Replace the line, unless it was replaced a moment ago."""
        now = time.monotonic()
        if self.is_live and now - self._drawn >= REFRESH_SECONDS:
            self._drawn = now
            sys.stderr.write(_CLEAR + safe_line(line()))
            sys.stderr.flush()

    def clear(self) -> None:
        """Remove the line, so that something else can be printed."""
        if self._drawn:
            sys.stderr.write(_CLEAR)
            sys.stderr.flush()


class Meter:
    """Shows files, bytes and rate, and the time left once the total is known. Safe to call from any thread.

    `verb` starts the line printed per file in a pipe; without it, none is printed. The total is `total_bytes`, or the
    sum of the queued files, which is final after `all_listed`.
    """

    def __init__(self, output: Output, verb: str | None, *, total_bytes: int | None = None) -> None:
        self._output = output
        self._verb = verb
        self._total = total_bytes
        self._total_files = 0
        self._total_is_final = total_bytes is not None
        self._line = LiveLine(quiet=output.quiet)
        self._lock = threading.Lock()
        self._moving: dict[str, int] = {}
        self._files = 0
        self._skipped = 0
        self._bytes = 0
        self._samples: deque[tuple[float, int]] = deque([(time.monotonic(), 0)])

    @classmethod
    def on_terminal(cls, verb: str | None, *, quiet: bool) -> Self:
        """A meter that shows nothing in a pipe, where the summary is enough."""
        return cls(Output(quiet=quiet or not sys.stderr.isatty()), verb)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._line.clear()

    def queued(self, size: int) -> None:
        """Count one more file to transfer."""
        with self._lock:
            self._total = (self._total or 0) + size
            self._total_files += 1

    def planned(self, files: int, size: int) -> None:
        """Expect this many more files and bytes; replaces the previous expectation."""
        with self._lock:
            self._total_files = self._files + files
            self._total = self._bytes + size
            self._total_is_final = True

    def all_listed(self) -> None:
        """Mark the total as final: no more files will be queued."""
        with self._lock:
            self._total_is_final = True

    def moved(self, path: str, done: int) -> None:
        """Report how many bytes of a file have been transferred."""
        with self._lock:
            self._moving[path] = done
            self._draw(path)

    def finished(self, path: str, size: int) -> None:
        with self._lock:
            self._moving.pop(path, None)
            self._files += 1
            self._bytes += size
            if self._verb is not None and not self._line.is_live:
                self._output.note(f"{self._verb} {path} ({format_size(size)})")
            self._draw(path)

    def skipped(self, path: str, counted_bytes: int = 0) -> None:
        """Report an unchanged file; these are only counted, not printed, because they are often most of them.

        `counted_bytes` is the file's share of the total.
        """
        with self._lock:
            self._moving.pop(path, None)
            self._skipped += 1
            if self._total is not None:
                self._total = max(0, self._total - counted_bytes)
            self._draw(path)

    def failed(self, path: str, reason: str) -> None:
        with self._lock:
            self._moving.pop(path, None)
            self._line.clear()
            self._output.problem(f"{path or THE_FOLDER}: {reason}")

    def pause(self, show: Callable[[], None]) -> None:
        """Print something else, without the live line in between."""
        with self._lock:
            self._line.clear()
            show()

    def _draw(self, path: str) -> None:
        self._line.draw(lambda: self.line(time.monotonic(), path, shutil.get_terminal_size().columns - 1))

    def line(self, now: float, path: str, columns: int) -> str:
        """The live line; on a narrow terminal the least important parts are left out."""
        moved = self._bytes + sum(self._moving.values())
        rate = self._rate(now, moved)
        more = "" if self._total_is_final else "+"
        files = format_count(self._files, "file")
        if self._total_files:
            files = f"{self._files:,} of {self._total_files:,}{more} files"
        size = format_size(moved) + (f" of {format_size(self._total)}{more}" if self._total else "")
        parts = {2: files, 1: size, 4: f"{format_size(round(rate))}/s"}
        if self._total and self._total_is_final:
            parts[0] = bar(min(moved / self._total, 1.0), columns=_BAR_COLUMNS)
            if rate > 0:
                parts[5] = f"{_clock(round(max(self._total - moved, 0) / rate))} left"
        if self._skipped:
            parts[3] = f"{self._skipped:,} unchanged"
        parts[6] = visible(path.rpartition("/")[2])
        for least in (6, 0, 3, 4, 2, 5):
            line = "  ".join(parts[place] for place in sorted(parts))
            if width(line) <= columns:
                return line
            parts.pop(least, None)
        return "  ".join(parts[place] for place in sorted(parts))[: max(columns, 0)]

    def _rate(self, now: float, moved: int) -> float:
        samples = self._samples
        samples.append((now, moved))
        while len(samples) > 2 and samples[0][0] < now - RATE_SECONDS:
            samples.popleft()
        (then, before), seconds = samples[0], now - samples[0][0]
        return max(0.0, (moved - before) / seconds) if seconds > 0 and now > then else 0.0


class Count(LiveLine):
    """Shows how many things a long command has handled so far. Safe to call from any thread."""

    def __init__(self, output: Output, verb: str, noun: str = "item") -> None:
        super().__init__(quiet=output.quiet)
        self._verb = verb
        self._noun = noun

    def reached(self, count: int) -> None:
        self.draw(lambda: f"{self._verb} {format_count(count, self._noun)}")


class CheckLine(LiveLine):
    """Shows which check is running, and how many of the contents it has read."""

    def __init__(self, contents: int) -> None:
        super().__init__()
        self._contents = contents
        self._what = ""

    def begin(self, what: str) -> None:
        self.clear()
        self._what, self._drawn = what, 0.0
        self._draw(f"{what} …")

    def progress(self, done: int, size: int) -> None:
        """Show how many contents were checked, and how many bytes they have."""
        of = f" of {self._contents:,}" if size and self._contents else ""
        self._draw(f"{self._what}: {done:,}{of}" + (f", {format_size(size)}" if size else ""))

    def _draw(self, text: str) -> None:
        self.draw(lambda: text[: shutil.get_terminal_size().columns - 1])


def _clock(seconds: int) -> str:
    hours, rest = divmod(seconds, 3600)
    return f"{hours}:{rest // 60:02d}:{rest % 60:02d}" if hours else f"{rest // 60}:{rest % 60:02d}"
