"""Logging: one line per event on stderr, as JSON for machines or as text for people, with request ids.

The access log is written in blocks by its own thread. A line through the logging package costs as much as a short
request. Here it is encoded and put aside, and everything that has accumulated is written at once, a few times a second.
Nobody waits for the program that reads the log: while it is stuck, lines are kept up to a limit, and then only counted.
"""

import logging
import os
import random
import re
import sys
import threading
import time
from collections import deque
from contextvars import ContextVar
from typing import Any, Final

import msgspec
from starlette.types import Scope

from skyshelf.storage.watching import Parts, current_parts

# Request ids appear in the response, in the access log and in every line logged during the request.

_CLEAN = re.compile(r"[A-Za-z0-9._-]{8,64}")

current_request_id: ContextVar[str] = ContextVar("current_request_id", default="")


def new_request_id() -> str:
    # It names a request and protects nothing. Asking the system for randomness would let other threads run in between.
    return f"{random.getrandbits(64):016x}"


def proposed_request_id(header: str | None) -> str | None:
    """Return a trusted proxy's request id, if it is safe in a log line."""
    return header if header and _CLEAN.fullmatch(header) else None


# Log lines.

_encode = msgspec.json.Encoder().encode
ACCESS_LOGGER = "skyshelf.access"


def timestamp(created: float) -> str:
    whole, milliseconds = divmod(int(created * 1000), 1000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(whole)) + f".{milliseconds:03d}Z"


class JsonLines(logging.Formatter):
    """One JSON object per line, with the record's `fields`."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {"time": timestamp(record.created), "level": record.levelname.lower()}
        fields: dict[str, object] = getattr(record, "fields", {})
        if fields:
            line |= fields
        else:
            line |= {"logger": record.name, "message": record.getMessage()}
        if "request_id" not in line and (request_id := current_request_id.get()):
            line["request_id"] = request_id
        if "trace_id" not in line and (parts := current_parts.get()) is not None and parts.trace_id:
            line["trace_id"] = parts.trace_id
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return _encode(line).decode()


class TextLines(logging.Formatter):
    """One line of text per record, for people."""

    def format(self, record: logging.LogRecord) -> str:
        fields: dict[str, object] = getattr(record, "fields", {})
        if fields:
            text = " ".join(plain(value) for value in fields.values())
        else:
            text = f"{record.levelname.lower()} {record.getMessage()}"
            if request_id := current_request_id.get():
                text += f" [{request_id}]"
        line = f"{timestamp(record.created)} {text}"
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def plain(value: object) -> str:
    """Return the value as text that cannot forge another log line."""
    text = str(value)
    return text if text.isprintable() and text else repr(text)


def logging_config(log_format: str, level: str = "info") -> dict[str, Any]:
    """Return the configuration for logging.config, for the supervisor and each worker."""
    formatter = f"{__name__}.{'JsonLines' if log_format == 'json' else 'TextLines'}"
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": formatter}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "stream": "ext://sys.stderr", "formatter": "lines"}},
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": {"skyshelf": {"level": level.upper()}},
    }


_slow_log = logging.getLogger("skyshelf.slow")
_WAIT_BY_DESIGN: Final = frozenset({"change_stream"})


class SlowCalls:
    """Logs calls that took at least this many seconds, with a breakdown of their time; 0 logs none.

    The time that a client takes to send its body or to read the response does not count.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds or float("inf")

    def note(
        self, scope: Scope, request_id: str, name: str, status: int, *, seconds: float, parts: Parts | None = None
    ) -> None:
        parts = parts or Parts()
        own = seconds - parts.client
        if own < self.seconds or name in _WAIT_BY_DESIGN:
            return
        known = parts.waiting + parts.database + parts.blobs
        trace = {"trace_id": parts.trace_id} if parts.trace_id else {}
        _slow_log.warning(
            "slow call",
            extra={
                "fields": {
                    "event": "slow call",
                    "request_id": request_id,
                    "call": name,
                    "method": scope["method"],
                    "status": status,
                    "ms": _ms(own),
                    "waiting_ms": _ms(parts.waiting),
                    "database_ms": _ms(parts.database),
                    "blobs_ms": _ms(parts.blobs),
                    # Parts can overlap: a response is streamed while the next piece is read.
                    "other_ms": _ms(max(0.0, own - known)),
                    "client_ms": _ms(parts.client),
                    "user": scope.get("user_id", "-"),
                    **trace,
                }
            },
        )


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 1)


# The access log

PAUSE_SECONDS: Final = 0.05
WAITING_BYTES_MAX: Final = 8 * 1024 * 1024
_access_log = logging.getLogger(ACCESS_LOGGER)
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
    """The id of the trace, if requests are traced."""


def fields_of(line: AccessLine) -> dict[str, object]:
    """Return the fields for the logging package, whose record already has time and level."""
    fields = msgspec.structs.asdict(line)
    return {name: fields[name] for name in fields if name not in _OF_RECORD and fields[name] is not msgspec.UNSET}


class LoggedLines:
    """Writes line by line through the logging package, for an application embedded in another program."""

    def note(self, line: AccessLine) -> None:
        _access_log.info("request", extra={"fields": fields_of(line)})

    def close(self) -> None:
        pass


class BlockLines:
    """Writes lines in blocks to a descriptor of the process."""

    def __init__(self, log_format: str, descriptor: int | None = None) -> None:
        self._render = _as_json if log_format == "json" else _as_text
        self._descriptor = sys.stderr.fileno() if descriptor is None else descriptor
        self._lines: deque[bytes] = deque()
        # Each is changed by one thread only.
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
                _access_log.warning("%d lines of the access log were lost: its reader is slow", lost - self._lost_told)
                self._lost_told = lost


def _written(descriptor: int, block: bytes) -> bool:
    """Write the lines; return False if the log's reader is gone."""
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
    """Current timestamps; the date is formatted once a second."""

    def __init__(self) -> None:
        self._second = 0
        self._prefix = ""

    def at(self, now: float) -> str:
        second = int(now)
        if second != self._second:
            self._second, self._prefix = second, timestamp(second)[:-4]
        return f"{self._prefix}{int((now - second) * 1000):03d}Z"
