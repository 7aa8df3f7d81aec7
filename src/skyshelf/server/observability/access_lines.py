"""The lines of the access log, written in blocks by their own thread.

A line through the logging package costs as much as a short request. Here it is encoded and put aside, and everything
that has come together is written at once, some times a second. Nobody waits for the program that reads the log: while
it stands still, lines are kept up to a limit, and then counted instead.
"""

import logging
import os
import sys
import threading
import time
from collections import deque
from typing import Final, Protocol

import msgspec

from skyshelf.server.observability.logs import ACCESS_LOGGER, plain, timestamp

PAUSE_SECONDS: Final = 0.05
WAITING_BYTES_MAX: Final = 8 * 1024 * 1024
_log = logging.getLogger(ACCESS_LOGGER)
_encode = msgspec.json.Encoder().encode
_OF_RECORD: Final = frozenset({"time", "level"})


class AccessLine(msgspec.Struct, gc=False):
    """What is logged about a request. It never holds a token, cookie, nonce, query value or body."""

    time: str
    level: str
    request_id: str
    method: str
    endpoint: str
    path: str
    status: int
    ms: float
    bytes: int
    address: str
    user: str
    trace_id: str | msgspec.UnsetType = msgspec.UNSET
    """Where requests are traced."""


def fields_of(line: AccessLine) -> dict[str, object]:
    """As the logging package has them: time and level are those of its record."""
    fields = msgspec.structs.asdict(line)
    return {name: fields[name] for name in fields if name not in _OF_RECORD and fields[name] is not msgspec.UNSET}


class AccessLines(Protocol):
    def note(self, line: AccessLine) -> None:
        """Log it, now or in a moment."""

    def close(self) -> None:
        """Write what is left."""


class LoggedLines:
    """Through the logging package, line by line: for an application that is part of another program."""

    def note(self, line: AccessLine) -> None:
        _log.info("request", extra={"fields": fields_of(line)})

    def close(self) -> None:
        pass


class BlockLines:
    """In blocks, to a descriptor of the process."""

    def __init__(self, log_format: str, descriptor: int | None = None) -> None:
        self._render = _as_json if log_format == "json" else _as_text
        self._descriptor = sys.stderr.fileno() if descriptor is None else descriptor
        self._lines: deque[bytes] = deque()
        # Each is changed by one thread alone.
        self._noted = self._written = 0
        self._lost = self._lost_told = 0
        self._something = threading.Event()
        self._is_closed = False
        self._thread = threading.Thread(target=self._write, name="skyshelf-access-log", daemon=True)
        self._thread.start()

    def note(self, line: AccessLine) -> None:
        rendered = self._render(line)
        if self._noted - self._written > WAITING_BYTES_MAX:
            self._lost += 1
            return
        self._noted += len(rendered)
        self._lines.append(rendered)
        if not self._something.is_set():
            self._something.set()

    def close(self) -> None:
        self._is_closed = True
        self._something.set()
        self._thread.join(2)

    def _write(self) -> None:
        while not self._is_closed or self._lines:
            self._something.wait()
            if not self._is_closed:
                time.sleep(PAUSE_SECONDS)
            self._something.clear()
            block = b"".join([self._lines.popleft() for _ in range(len(self._lines))])
            if not _written(self._descriptor, block):
                return
            self._written += len(block)
            if (lost := self._lost) > self._lost_told:
                _log.warning("%d lines of the access log were lost: its reader is slow", lost - self._lost_told)
                self._lost_told = lost


def _written(descriptor: int, block: bytes) -> bool:
    """False when nobody reads it."""
    rest = memoryview(block)
    try:
        while rest:
            rest = rest[os.write(descriptor, rest) :]
    except OSError:
        return False
    return True


def _as_json(line: AccessLine) -> bytes:
    return _encode(line) + b"\n"


def _as_text(line: AccessLine) -> bytes:
    return f"{line.time} {' '.join(map(plain, fields_of(line).values()))}\n".encode(errors="backslashreplace")


class Times:
    """Timestamps of the present; the date is formatted once a second."""

    def __init__(self) -> None:
        self._second = 0
        self._prefix = ""

    def at(self, now: float) -> str:
        second = int(now)
        if second != self._second:
            self._second, self._prefix = second, timestamp(second)[:-4]
        return f"{self._prefix}{int((now - second) * 1000):03d}Z"
