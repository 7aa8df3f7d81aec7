"""How the server logs: one line per event on stderr, as JSON for machines or as text for people."""

import logging
import re
import secrets
import time
from contextvars import ContextVar
from typing import Any

import msgspec

# Request ids: one per request, in the answer, in the access log and in every line that is logged meanwhile.

_CLEAN = re.compile(r"[A-Za-z0-9._-]{8,64}")

current_request_id: ContextVar[str] = ContextVar("current_request_id", default="")


def new_request_id() -> str:
    return secrets.token_hex(8)


def proposed_request_id(header: str | None) -> str | None:
    """The id that a proxy of ours proposes, if it can stand in a log line as it is."""
    return header if header and _CLEAN.fullmatch(header) else None


# How the server logs: one line per event on stderr, as JSON for machines or as text for people.

_encode = msgspec.json.Encoder().encode
ACCESS_LOGGER = "skyshelf.access"


def _moment(created: float) -> str:
    whole, milliseconds = divmod(int(created * 1000), 1000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(whole)) + f".{milliseconds:03d}Z"


class JsonLines(logging.Formatter):
    """One JSON object per line; what a record carries in `fields` stands beside its message."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {"time": _moment(record.created), "level": record.levelname.lower()}
        fields: dict[str, object] = getattr(record, "fields", {})
        if fields:
            line |= fields
        else:
            line |= {"logger": record.name, "message": record.getMessage()}
        if "request_id" not in line and (request_id := current_request_id.get()):
            line["request_id"] = request_id
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return _encode(line).decode()


class TextLines(logging.Formatter):
    """The same for people."""

    def format(self, record: logging.LogRecord) -> str:
        fields: dict[str, object] = getattr(record, "fields", {})
        if fields:
            said = " ".join(_plain(value) for value in fields.values())
        else:
            said = f"{record.levelname.lower()} {record.getMessage()}"
            if request_id := current_request_id.get():
                said += f" [{request_id}]"
        line = f"{_moment(record.created)} {said}"
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def _plain(value: object) -> str:
    """A value without anything that could pass for another line."""
    text = str(value)
    return text if text.isprintable() and text else repr(text)


def logging_config(log_format: str) -> dict[str, Any]:
    """What logging.config takes, for the process that watches and for each worker."""
    formatter = f"{__name__}.{'JsonLines' if log_format == 'json' else 'TextLines'}"
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": formatter}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "stream": "ext://sys.stderr", "formatter": "lines"}},
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": {
            "skyshelf": {"level": "INFO"},
            # What the HTTP server says about its own start and end repeats what we say ourselves.
            "_granian": {"level": "WARNING"},
            "granian.access": {"level": "WARNING"},
        },
    }
