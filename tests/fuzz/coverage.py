"""Which lines of the product an input reaches."""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any

import skyshelf

_PACKAGE = skyshelf.__file__.rpartition("/")[0] + "/"

Line = tuple[str, int]
Tracer = Callable[[FrameType, str, Any], Any]


class Coverage:
    """Collects lines while it is on; threads that start later are included."""

    def __init__(self, package: str = _PACKAGE) -> None:
        self._package = package
        self._lines: set[Line] = set()
        self._ours: dict[CodeType, bool] = {}

    @contextmanager
    def collecting(self) -> Iterator[None]:
        before = sys.gettrace()
        threading.settrace(self._call)
        sys.settrace(self._call)
        try:
            yield
        finally:
            sys.settrace(before)
            threading.settrace(None)

    def take(self) -> set[Line]:
        """The lines since the last time."""
        lines, self._lines = self._lines, set()
        return lines

    def _call(self, frame: FrameType, _event: str, _argument: object) -> Tracer | None:
        code = frame.f_code
        ours = self._ours.get(code)
        if ours is None:
            ours = self._ours[code] = code.co_filename.startswith(self._package)
        return self._line if ours else None

    def _line(self, frame: FrameType, _event: str, _argument: object) -> Tracer:
        self._lines.add((frame.f_code.co_filename, frame.f_lineno))
        return self._line
