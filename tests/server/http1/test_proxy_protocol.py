"""The PROXY protocol: what its headers say, and who may send them."""

import socket
import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from tests.server.http1.talking import Application, Running

from skyshelf.server.serving.listener import ConnectionSettings
from skyshelf.server.serving.proxy_protocol import Malformed, ProxyHeader, proxy_header_in

V2 = b"\r\n\r\n\x00\r\nQUIT\n"
LINE = b"PROXY TCP4 203.0.113.7 192.0.2.1 5000 443\r\n"


def version_2(client: str, *, command: int = 1, more: bytes = b"") -> bytes:
    family = socket.AF_INET6 if ":" in client else socket.AF_INET
    kind = 0x21 if ":" in client else 0x11
    address = socket.inet_pton(family, client)
    body = address + address + struct.pack("!HH", 5000, 443) + more
    return V2 + bytes([0x20 | command, kind]) + struct.pack("!H", len(body)) + body


HEADERS = {
    "version 1": (LINE, "203.0.113.7"),
    "version 1, IPv6": (b"PROXY TCP6 2001:db8::7 2001:db8::1 5000 443\r\n", "2001:db8::7"),
    "version 1, unknown": (b"PROXY UNKNOWN\r\n", None),
    "version 2": (version_2("203.0.113.7"), "203.0.113.7"),
    "version 2, IPv6": (version_2("2001:db8::7"), "2001:db8::7"),
    "version 2, with more": (version_2("203.0.113.7", more=b"\x03\x00\x04abcd"), "203.0.113.7"),
    "version 2, the proxy itself": (version_2("203.0.113.7", command=0), None),
    "version 1, unknown with addresses": (b"PROXY UNKNOWN 127.0.0.1 127.0.0.1 1 2\r\n", None),
    "version 2, the proxy itself, of no family": (V2 + b"\x20\x00\x00\x00", None),
    "version 2, of no family": (V2 + b"\x21\x00\x00\x03abc", None),
    "version 2, a Unix socket": (V2 + b"\x21\x31" + struct.pack("!H", 216) + bytes(216), None),
}


@pytest.mark.parametrize("name", HEADERS)
def test_a_header_is_read_however_it_is_cut(name: str) -> None:
    header, address = HEADERS[name]
    for end in range(len(header)):
        assert proxy_header_in(header[:end]) is None
    for rest in (b"", b"GET / HTTP/1.1\r\n\r\n"):
        assert proxy_header_in(header + rest) == ProxyHeader(address, len(header))


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"PROXY TCP4 203.0.113.7\r\n",
        b"PROXY TCP4 2001:db8::7 2001:db8::1 5000 443\r\n",
        b"PROXY TCP4 nobody 192.0.2.1 5000 443\r\n",
        b"PROXY TCP4 203.0.113 192.0.2.1 5000 443\r\n",
        b"PROXY TCP4 203.0.113.7\0 192.0.2.1 5000 443\r\n",
        b"PROXY TCP6 fe80::7%eth0 2001:db8::1 5000 443\r\n",
        b"PROXY TCP6 fe80::7%\nX-Forwarded-For:127.0.0.1 2001:db8::1 5000 443\r\n",
        b"PROXY " + b"x" * 200,
        b"PROXY TCP4  203.0.113.7 192.0.2.1 5000 443\r\n",
        b"PROXY TCP4 0203.0.113.7 192.0.2.1 5000 443\r\n",
        b"PROXY TCP4 203.0.113.7 192.0.2.1 5000 443\n" + b"x" * 200,
        b"proxy TCP4 203.0.113.7 192.0.2.1 5000 443\r\n",
        V2 + b"\x11\x11\x00\x0c" + bytes(12),
        V2 + b"\x22\x11\x00\x0c" + bytes(12),
        V2 + b"\x21\x11\x00\x04" + bytes(4),
        V2 + b"\x21\x11\xff\xff",
    ],
)
def test_anything_else_is_refused(data: bytes) -> None:
    with pytest.raises(Malformed):
        proxy_header_in(data)


@pytest.fixture(params=["uvloop", "asyncio"])
def announcing(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Running]:
    running = Running(Application(tmp_path), request.param, settings=ConnectionSettings(announcing=("127.0.0.1/32",)))
    yield running
    running.stop()


def forwarded(running: Running) -> list[bytes]:
    return [value for name, value in running.app.scopes[-1]["headers"] if name.startswith(b"x-")]


@pytest.mark.parametrize("name", ["version 1", "version 2"])
def test_the_announced_address_is_the_clients_and_its_own_claims_do_not_count(announcing: Running, name: str) -> None:
    claims = b"X-Forwarded-For: 127.0.0.1\r\nX-Forwarded-Proto: https\r\nX-Sendfile-Type: x-accel-redirect\r\n"
    with announcing.connected() as raw:
        header = HEADERS[name][0]
        raw.send(header[:9])
        raw.send(header[9:] + b"GET /early HTTP/1.1\r\nHost: x\r\n" + claims + b"\r\n")
        assert raw.answer() == (200, b"early")
        assert forwarded(announcing) == [b"203.0.113.7"]
        # The connection's next request is the same client's.
        raw.send(b"GET /early HTTP/1.1\r\nHost: x\r\n\r\n")
        assert raw.answer() == (200, b"early")
        assert forwarded(announcing) == [b"203.0.113.7"]


def test_a_connection_without_a_header_is_closed(announcing: Running) -> None:
    with announcing.connected() as raw:
        raw.send(b"GET /early HTTP/1.1\r\nHost: x\r\n\r\n")
        with suppress(ConnectionResetError):
            assert raw.rest() == b""
    assert announcing.app.scopes == []


@pytest.mark.parametrize("second", [LINE, version_2("127.0.0.1")])
def test_a_second_header_is_no_request(announcing: Running, second: bytes) -> None:
    with announcing.connected() as raw:
        raw.send(LINE + second + b"GET /early HTTP/1.1\r\nHost: x\r\n\r\n")
        assert raw.head()[0] == 400
    assert announcing.app.scopes == []


def test_a_header_from_anybody_else_is_no_request(tmp_path: Path) -> None:
    running = Running(Application(tmp_path), "uvloop", settings=ConnectionSettings(announcing=("192.0.2.0/24",)))
    try:
        with running.connected() as raw:
            raw.send(LINE + b"GET /early HTTP/1.1\r\nHost: x\r\n\r\n")
            assert raw.head()[0] == 400
        assert running.app.scopes == []
    finally:
        running.stop()
