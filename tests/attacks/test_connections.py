"""Crowds of connections that keep places without using them: everybody else is served meanwhile."""

import socket
from collections.abc import Callable
from pathlib import Path

from tests.attacks.attacked import SOURCE, Attacked, eventually
from tests.attacks.conftest import Starting

from skyshelf.server.pipeline.gate import CONNECTIONS_PER_ADDRESS

EACH = 250
"""Connections of all kinds together: more than the HTTP server alone would accept."""
HEADS = 1300
LOW_LIMIT = 256
"""Descriptors of a server that has few."""
HEAD = b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n"

Opening = Callable[[Attacked], socket.socket]


def idle(attacked: Attacked) -> socket.socket:
    return attacked.connect()


def half_sent(attacked: Attacked) -> socket.socket:
    raw = attacked.connect()
    raw.sendall(HEAD + b"X-Half: ")
    return raw


def kept_alive(attacked: Attacked) -> socket.socket:
    raw = attacked.connect()
    raw.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
    return raw


def dripping_login(attacked: Attacked) -> socket.socket:
    raw = attacked.connect()
    raw.sendall(
        b"POST /x/v1/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n{"
    )
    return raw


def unread(attacked: Attacked) -> socket.socket:
    """A response that the client does not read, larger than what its side of the connection takes."""
    raw = attacked.connect()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.sendall(HEAD + b"\r\n")
    return raw


def uploading(attacked: Attacked) -> Opening:
    """Begins an upload and sends no more of it."""
    headers = {
        **attacked.account().headers,
        "Content-Type": "multipart/form-data; boundary=b",
        "Content-Length": "9000",
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())

    def dripping_upload(attacked: Attacked) -> socket.socket:
        raw = attacked.connect()
        raw.sendall(f"POST /upload/files HTTP/1.1\r\nHost: x\r\n{head}\r\n--b\r\n".encode())
        return raw

    return dripping_upload


def crowds(attacked: Attacked) -> tuple[Opening, ...]:
    return idle, half_sent, kept_alive, dripping_login, unread, uploading(attacked)


def test_crowds_of_one_address_leave_room_for_others(attacked: Attacked) -> None:
    openings = crowds(attacked)
    with attacked.while_others_work():
        for opening in openings:
            for _ in range(EACH):
                opening(attacked)
        eventually(lambda: _at_the_server(attacked) <= CONNECTIONS_PER_ADDRESS)


def test_with_few_descriptors_too(start_attacked: Starting) -> None:
    attacked = start_attacked(descriptors=LOW_LIMIT)
    openings = crowds(attacked)
    with attacked.while_others_work():
        for _ in range(LOW_LIMIT // 5):
            for opening in openings:
                opening(attacked)


def test_heads_that_never_end_take_little_memory(attacked: Attacked) -> None:
    """From an address without a limit of its own, as behind a trusted proxy."""
    with attacked.while_others_work():
        for _ in range(HEADS):
            raw = attacked.connect("127.0.0.1")
            raw.setblocking(False)
            raw.send(HEAD + b"X-Half: " + b"x" * 400_000)


def _at_the_server(attacked: Attacked) -> int:
    """The connections of the attacker that the server still has, by the kernel's table."""
    local, remote = f"{_in_hex('127.0.0.1')}:{attacked.port:04X}", _in_hex(SOURCE)
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(line[1] == local and line[2].startswith(remote) and line[3] == "01" for line in lines)


def _in_hex(address: str) -> str:
    return socket.inet_aton(address)[::-1].hex().upper()
