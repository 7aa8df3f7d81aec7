"""The first lines of messages: what a request asks for, and how a response begins."""

import time
from email.utils import formatdate
from http import HTTPStatus
from itertools import count
from typing import Any, Final
from urllib.parse import unquote_to_bytes

import httptools

_NOTHING_MORE: Final = b"content-length: 0\r\nconnection: close\r\n"
LOCAL: Final = "127.0.0.1"
# Beyond the ports, so that no connection over TCP has the same.
_NUMBERS: Final = count(65_536)
_STATUS: Final = {one.value: f"HTTP/1.1 {one.value} {one.phrase}\r\n".encode() for one in HTTPStatus}


class Target:
    """The path and the query of a request; ValueError for a target that is none."""

    __slots__ = ("path", "query", "raw_path")

    def __init__(self, url: bytes) -> None:
        if not url.startswith(b"/"):
            url = _of_absolute(url)
        # No request has a fragment: a client that sends # in a path means a name, and no other file must be affected.
        raw_path, _, query = url.partition(b"?")
        self.query = query.partition(b"#")[0]
        self.raw_path = raw_path
        decoded = unquote_to_bytes(raw_path) if b"%" in raw_path else raw_path
        self.path = decoded.decode("utf-8", "replace")


def _of_absolute(url: bytes) -> bytes:
    """The path and the query of a whole URL, as proxies send it."""
    try:
        parsed = httptools.parse_url(url)
    except httptools.HttpParserInvalidURLError as problem:
        raise ValueError("not a target") from problem
    if not parsed.schema or not parsed.host:
        raise ValueError("not a target")
    query = b"?" + parsed.query if parsed.query else b""
    return (parsed.path or b"/") + query + (b"#" + parsed.fragment if parsed.fragment else b"")


class Clock:
    """The header with the date, which changes once a second."""

    def __init__(self) -> None:
        self._second = 0
        self._header = b""

    def header(self) -> bytes:
        second = int(time.time())
        if second != self._second:
            self._second, self._header = second, f"date: {formatdate(second, usegmt=True)}\r\n".encode()
        return self._header


def response_head(status: int, lines: bytes, added: bytes) -> bytes:
    """With the lines of its headers, and those that were added."""
    first = _STATUS.get(status) or f"HTTP/1.1 {status} \r\n".encode()
    return b"".join((first, added, lines, b"\r\n"))


def plain_response(status: HTTPStatus, added: bytes) -> bytes:
    """A whole response to a client whose request was not understood. The connection ends with it."""
    return response_head(status.value, _NOTHING_MORE, added)


def address_of(name: Any) -> tuple[str, int] | None:
    """As requests name the ends of a connection."""
    return (str(name[0]), int(name[1])) if isinstance(name, tuple) else None


def local_peer() -> tuple[str, int]:
    """The other end of a Unix socket, which counts as a program on this machine; each has its own number."""
    return LOCAL, next(_NUMBERS)
