"""One line on a terminal that shows what a long command is doing."""

import os
import shutil
import sys
import time
from typing import Final, Self

from skyshelf.wire.sizes import format_size

_REFRESH_SECONDS: Final = 0.2
_CLEAR: Final = "\r\x1b[K"


class LiveLine:
    """Nothing in a pipe."""

    def __init__(self, contents: int) -> None:
        self._contents = contents
        self._is_live = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._what = ""
        self._drawn = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def begin(self, what: str) -> None:
        self._what, self._drawn = what, 0.0
        self._draw(f"{what} …")

    def progress(self, done: int, size: int) -> None:
        """How many contents were checked, and how many bytes they have."""
        of = f" of {self._contents:,}" if size and self._contents else ""
        self._draw(f"{self._what}: {done:,}{of}" + (f", {format_size(size)}" if size else ""))

    def _draw(self, text: str) -> None:
        now = time.monotonic()
        if self._is_live and now - self._drawn >= _REFRESH_SECONDS:
            self._drawn = now
            sys.stderr.write(_CLEAR + text[: shutil.get_terminal_size().columns - 1])
            sys.stderr.flush()

    def clear(self) -> None:
        if self._is_live:
            sys.stderr.write(_CLEAR)
            sys.stderr.flush()
