"""The first lines of messages: the target of a request, and the head of a response."""

import re
import time
from email.utils import formatdate
from functools import lru_cache
from http import HTTPStatus
from itertools import count
from typing import Any, Final
from urllib.parse import unquote_to_bytes

from starlette.types import Scope

from skyshelf.server.pipeline.answers import ANSWERS
from skyshelf.server.pipeline.sending import VIEWS

_NOTHING_MORE: Final = b"content-length: 0\r\nconnection: close\r\n"
LOCAL: Final = "127.0.0.1"
# Above the range of ports, so no TCP connection has the same number.
_NUMBERS: Final = count(65_536)
_STATUS: Final = {one.value: f"HTTP/1.1 {one.value} {one.phrase}\r\n".encode() for one in HTTPStatus}


HEADERS_MAX: Final = 512
_VERSIONS: Final = {"1.0", "1.1"}
_ASGI: Final = {"version": "3.0", "spec_version": "2.4"}
_EXTENSIONS: Final[dict[str, Any]] = {"http.response.pathsend": {}, VIEWS: {}, ANSWERS: {}}
Lines = list[tuple[bytes, bytes]]
End = tuple[str, int]
"""An end of a connection: its address and port."""
FRAMING: Final = {b"host", b"content-length", b"transfer-encoding", b"expect", b"upgrade"}
"""Headers that say where a request ends and whom it asks. Only requests without the others are answered at once."""


_NAME: Final = rb"[A-Za-z0-9._~!$&'()*+,;=-]*"
_HOST: Final = re.compile(rb"(?:\[[0-9A-Za-z:.%%_~-]+\]|%b(?:%%[0-9A-Fa-f]{2}%b)*)(?::[0-9]*)?" % (_NAME, _NAME))
_WHOLE: Final = re.compile(rb"[A-Za-z][A-Za-z0-9+.-]*://([^/?#]*)(.*)")


@lru_cache(maxsize=64)  # a client may send 64 KiB
def _is_host(value: bytes) -> bool:
    return _HOST.fullmatch(value) is not None


class RefusedHead(ValueError):
    """A head that the parser accepts and the standard does not; its argument is the status to answer with."""


class RequestHead:
    """The head of a request, once it is complete."""

    __slots__ = ("expects_word", "framing", "headers", "is_chunked", "is_plain", "length", "method", "url", "version")

    def __init__(self, method: bytes, url: bytes, version: str, headers: Lines, framing: Lines) -> None:
        self.method = method
        self.url = url
        self.version = version
        self.headers = headers
        self.framing = framing
        """The headers among them that are named in `FRAMING`."""
        self.is_plain = True
        """Whether it has no body and wants nothing but the answer."""
        self.is_chunked = False
        self.expects_word = False
        """Whether the client waits for a word before it sends the body."""
        self.length = 0
        """The announced length of the body; 0 if there is none."""

    def without_upgrade(self) -> bytes:
        """Return the head as the client would send it without asking for another protocol."""
        kept = b"".join(b"%b: %b\r\n" % line for line in self.headers if line[0] != b"upgrade")
        return b"%b %b HTTP/%b\r\n%b\r\n" % (self.method, self.url, self.version.encode(), kept)

    def _describe_body(self, name: bytes, value: bytes) -> None:
        """Find out from a header how the body comes; raise RefusedHead for an encoding of it."""
        self.is_plain = False
        if name == b"transfer-encoding":
            if self.version == "1.0":
                raise RefusedHead(HTTPStatus.BAD_REQUEST)
            if self.is_chunked or value.lower() != b"chunked":
                raise RefusedHead(HTTPStatus.NOT_IMPLEMENTED)
            self.is_chunked = True
        elif name == b"content-length" and value.isdigit():
            self.length = int(value)
        elif name == b"expect" and value.lower() == b"100-continue":
            self.expects_word = True

    def scope(self, ends: tuple[End | None, End | None], *, is_secure: bool) -> Scope:
        """Return the request as ASGI describes it; raise RefusedHead unless it is HTTP/1 and names one host."""
        hosts: list[bytes] = []
        for name, value in self.framing:
            if name == b"host":
                hosts.append(value)
            else:
                self._describe_body(name, value)
        if self.version not in _VERSIONS:
            raise RefusedHead(HTTPStatus.HTTP_VERSION_NOT_SUPPORTED)
        target, wrong = self.url, len(hosts) > 1 or (not hosts and self.version == "1.1")
        if not target.startswith(b"/"):
            # Proxies send the whole URL, whose host replaces the header.
            whole = _WHOLE.fullmatch(target)
            if whole is None or not whole[1]:
                raise RefusedHead(HTTPStatus.BAD_REQUEST)
            hosts.append(whole[1])
            target = b"/" + whole[2].removeprefix(b"/")
            self.headers = [(b"host", whole[1]), *(line for line in self.headers if line[0] != b"host")]
        if wrong or len(self.headers) > HEADERS_MAX or self.method == b"CONNECT" or not all(map(_is_host, hosts)):
            raise RefusedHead(HTTPStatus.BAD_REQUEST)
        # Requests have no fragment: a client that sends # in a path means a name, and no other file must be affected.
        raw_path, _, query = target.partition(b"?")
        query = query.partition(b"#")[0] if query else b""
        decoded = unquote_to_bytes(raw_path) if b"%" in raw_path else raw_path
        return {
            "type": "http",
            "asgi": _ASGI,
            "http_version": self.version,
            "method": self.method.decode("ascii"),
            "scheme": "https" if is_secure else "http",
            "path": decoded.decode("utf-8", "replace"),
            "raw_path": raw_path,
            "query_string": query,
            "root_path": "",
            "headers": self.headers,
            "client": ends[0],
            "server": ends[1],
            "extensions": _EXTENSIONS,
        }


def status_of(problem: Exception) -> HTTPStatus:
    """Return the status for bytes that are no request; the parser wraps what its callbacks raise."""
    refused = problem if isinstance(problem, RefusedHead) else problem.__context__
    return refused.args[0] if isinstance(refused, RefusedHead) else HTTPStatus.BAD_REQUEST


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
    """Return the head of a response, with its header lines and the added ones."""
    first = _STATUS.get(status) or f"HTTP/1.1 {status} \r\n".encode()
    return b"".join((first, added, lines, b"\r\n"))


def plain_response(status: HTTPStatus, added: bytes) -> bytes:
    """Return a complete response to a client whose request was not understood. It ends the connection."""
    return response_head(status.value, _NOTHING_MORE, added)


def address_of(name: Any) -> End | None:
    """Return an end of a connection in the form that requests use."""
    return (str(name[0]), int(name[1])) if isinstance(name, tuple) else None


def local_peer() -> End:
    """Return the other end of a Unix socket, which counts as a program on this machine; each has its own number."""
    return LOCAL, next(_NUMBERS)
