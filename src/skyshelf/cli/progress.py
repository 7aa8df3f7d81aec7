"""Progress of transfers: one live line on a terminal, a plain line per file in a pipe, nothing when quiet."""

import shutil
import sys
import threading
import time
from types import TracebackType
from typing import Final, Self

from skyshelf.cli.output import Output
from skyshelf.cli.sizes import counted, readable
from skyshelf.cli.visible_text import visible, width

REFRESH_SECONDS: Final = 0.1
_CLEAR: Final = "\r\x1b[K"


class Meter:
    """Files, bytes, rate, and time left where the whole is known. It may be told from any thread."""

    def __init__(self, output: Output, verb: str, *, total_bytes: int | None = None) -> None:
        self._output = output
        self._verb = verb
        self._total = total_bytes
        self._live = sys.stderr.isatty() and not output.quiet
        self._lock = threading.Lock()
        self._moving: dict[str, int] = {}
        self._files = 0
        self._skipped = 0
        self._bytes = 0
        self._began = time.monotonic()
        self._drawn = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._clear()

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
            self._say(f"{self._verb} {path} ({readable(size)})")
            self._draw(path)

    def skipped(self, path: str) -> None:
        """A file was there already; said in numbers only, because it is most of them."""
        with self._lock:
            self._skipped += 1
            self._draw(path)

    def failed(self, path: str, reason: str) -> None:
        """A file is not there, and why."""
        with self._lock:
            self._moving.pop(path, None)
            self._clear()
            self._output.problem(f"{path}: {reason}")

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
        sys.stderr.write(_CLEAR + self._line(now, path))
        sys.stderr.flush()

    def _line(self, now: float, path: str) -> str:
        moved = self._bytes + sum(self._moving.values())
        rate = moved / max(now - self._began, 0.001)
        parts = [counted(self._files, "file"), readable(moved)]
        if self._skipped:
            parts.insert(1, f"{self._skipped:,} unchanged")
        if self._total:
            parts[-1] += f" of {readable(self._total)}"
        parts.append(f"{readable(round(rate))}/s")
        if self._total and rate > 0:
            left = round(max(self._total - moved, 0) / rate)
            parts.append(f"{left // 60}:{left % 60:02d} left")
        line = "  ".join(parts)
        room = shutil.get_terminal_size().columns - len(line) - 4
        name = visible(path.rpartition("/")[2])
        return f"{line}  {name}" if width(name) <= room else line
