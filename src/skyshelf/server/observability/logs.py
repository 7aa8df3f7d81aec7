"""Logging: one line per event on stderr, as JSON for machines or as text for people, with request ids."""

import logging
import random
import re
import time
from contextvars import ContextVar
from typing import Any

import msgspec

from skyshelf.storage.watching import current_parts

# Request ids: in the response, in the access log and in every line that is logged during the request.

_CLEAN = re.compile(r"[A-Za-z0-9._-]{8,64}")

current_request_id: ContextVar[str] = ContextVar("current_request_id", default="")


def new_request_id() -> str:
    # It names a request and protects nothing. The system's own randomness would let other threads run in between.
    return f"{random.getrandbits(64):016x}"


def proposed_request_id(header: str | None) -> str | None:
    """A trusted proxy's request id, if it is safe in a log line."""
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
    """The same for people."""

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
    """A value that cannot forge another log line."""
    text = str(value)
    return text if text.isprintable() and text else repr(text)


def logging_config(log_format: str, level: str = "info") -> dict[str, Any]:
    """The configuration for logging.config, for the supervisor and each worker."""
    formatter = f"{__name__}.{'JsonLines' if log_format == 'json' else 'TextLines'}"
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": formatter}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "stream": "ext://sys.stderr", "formatter": "lines"}},
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": {
            "skyshelf": {"level": level.upper()},
            # The HTTP server's own messages about start and stop repeat ours.
            "_granian": {"level": "WARNING"},
            "granian.access": {"level": "WARNING"},
        },
    }
