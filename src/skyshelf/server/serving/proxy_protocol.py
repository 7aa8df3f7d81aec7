"""The PROXY protocol, versions 1 and 2: a proxy that forwards bytes first announces the client they come from.

See https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt. The header is expected on every connection from the
addresses that the operator has named, and from nobody else: a receiver must never guess.
"""

import socket
from typing import Final, NamedTuple

from skyshelf.server.http1.connection import Connection
from skyshelf.server.http1.exchange import Process

_V1: Final = b"PROXY "
_V1_BYTES_MAX: Final = 107
_V2: Final = b"\r\n\r\n\x00\r\nQUIT\n"
_V2_HEAD: Final = 16
_V2_BYTES_MAX: Final = _V2_HEAD + 4096
_FAMILIES: Final = {b"TCP4": socket.AF_INET, b"TCP6": socket.AF_INET6}
_V2_ADDRESSES: Final = {1: (socket.AF_INET, 4), 2: (socket.AF_INET6, 16)}
# Headers that an HTTP proxy would set; behind one that only forwards bytes, they come from the client.
_SAID_BY_PROXIES: Final = {b"x-forwarded-for", b"x-forwarded-proto", b"x-forwarded-host", b"x-sendfile-type"}


class Malformed(ValueError):
    """The connection does not begin with a valid PROXY header."""


class ProxyHeader(NamedTuple):
    """A parsed header: the client's address, None if the proxy itself connects, and the header's length."""

    address: str | None
    length: int


def proxy_header_in(data: bytes) -> ProxyHeader | None:
    """Return the header at the beginning of a connection; None while it is incomplete."""
    if data.startswith(_V2):
        return _version_2(data)
    if data.startswith(_V1):
        return _version_1(data)
    if _V2.startswith(data) or _V1.startswith(data):
        return None
    raise Malformed


def _version_1(data: bytes) -> ProxyHeader | None:
    line, end, _ = data[:_V1_BYTES_MAX].partition(b"\r\n")
    if not end:
        if len(data) >= _V1_BYTES_MAX:
            raise Malformed
        return None
    length = len(line) + len(end)
    words = line.split(b" ")
    if words[1:2] == [b"UNKNOWN"]:
        return ProxyHeader(None, length)
    if len(words) != 6 or words[1] not in _FAMILIES:
        raise Malformed
    family = _FAMILIES[words[1]]
    try:
        # Takes no zone after an address, which could be any text.
        return ProxyHeader(socket.inet_ntop(family, socket.inet_pton(family, words[2].decode("ascii"))), length)
    except (OSError, ValueError) as wrong:
        raise Malformed from wrong


def _version_2(data: bytes) -> ProxyHeader | None:
    if len(data) < _V2_HEAD:
        return None
    version, command = data[12] >> 4, data[12] & 0xF
    length = _V2_HEAD + int.from_bytes(data[14:16], "big")
    if version != 2 or command > 1 or length > _V2_BYTES_MAX:
        raise Malformed
    if len(data) < length:
        return None
    known = _V2_ADDRESSES.get(data[13] >> 4)
    if command == 0 or known is None:
        return ProxyHeader(None, length)
    family, size = known
    if length < _V2_HEAD + 2 * size + 4:
        raise Malformed
    return ProxyHeader(socket.inet_ntop(family, data[_V2_HEAD : _V2_HEAD + size]), length)


class AnnouncedConnection(Connection):
    """A connection of a proxy that announces its clients.

    The client's address becomes the last entry of X-Forwarded-For, as if the proxy had written it there.
    """

    def __init__(self, process: Process, accepted: socket.socket, *, is_secure: bool = False) -> None:
        super().__init__(process, accepted, is_secure=is_secure)
        self._beginning: bytes | None = b""
        self._forwarded: tuple[bytes, bytes] | None = None

    def data_received(self, data: bytes) -> None:
        if self._beginning is not None:
            data = self._beginning + data
            self._beginning = data
            try:
                announced = proxy_header_in(data)
            except Malformed:
                # There is nobody to answer: it may not even be HTTP.
                self.abort()
                return
            if announced is None:
                return
            self._beginning = None
            if announced.address is not None:
                self._forwarded = (b"x-forwarded-for", announced.address.encode("ascii"))
            data = data[announced.length :]
            if not data:
                return
        super().data_received(data)

    def on_header(self, name: bytes, value: bytes) -> None:
        if name.lower() not in _SAID_BY_PROXIES:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        if self._forwarded is not None:
            self._headers.append(self._forwarded)
        super().on_headers_complete()
