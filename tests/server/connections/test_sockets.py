"""Finding this process's connections, and ending one of them."""

import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from skyshelf.server.connections import sockets
from skyshelf.server.connections.sockets import OwnSockets, plain_address


class Pair:
    """A connection whose both ends are here."""

    def __init__(self, until: ExitStack, family: socket.AddressFamily = socket.AF_INET) -> None:
        host = "127.0.0.1" if family == socket.AF_INET else "::1"
        listener = until.enter_context(socket.create_server((host, 0), family=family))
        self.port: int = listener.getsockname()[1]
        self.client = until.enter_context(socket.create_connection((host, self.port), 10))
        self.served = until.enter_context(listener.accept()[0])


@pytest.fixture
def until() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.mark.parametrize("family", [socket.AF_INET, socket.AF_INET6])
def test_only_connections_to_the_port_are_found_with_their_peer_and_traffic(
    until: ExitStack, family: socket.AddressFamily
) -> None:
    pair, _other = Pair(until, family), Pair(until)
    pair.client.sendall(b"12345")
    pair.served.recv(5)
    [found] = OwnSockets(pair.port).find()
    assert found.descriptor == pair.served.fileno()
    assert found.peer == pair.client.getsockname()[:2]
    assert found.traffic.received == 5
    assert not found.traffic.is_sending


def test_bytes_that_the_client_does_not_take_are_seen(until: ExitStack) -> None:
    pair = Pair(until)
    pair.served.setblocking(False)
    with suppress(BlockingIOError):
        while True:
            pair.served.send(bytes(1 << 20))
    [found] = OwnSockets(pair.port).find()
    assert found.traffic.is_sending


def test_an_ended_connection_reads_as_ended_at_both_sides(until: ExitStack) -> None:
    pair = Pair(until)
    [found] = OwnSockets(pair.port).find()
    assert sockets.close(found)
    assert pair.client.recv(1) == b""
    assert pair.served.recv(1) == b""


def test_a_descriptor_that_now_is_something_else_is_left_alone(until: ExitStack, tmp_path: Path) -> None:
    pair, another = Pair(until), Pair(until)
    own = OwnSockets(pair.port)
    [found] = own.find()
    os.dup2(another.served.fileno(), found.descriptor)
    assert not sockets.close(found)
    assert own.find() == []
    with (tmp_path / "file").open("w") as file:
        os.dup2(file.fileno(), found.descriptor)
    assert not sockets.close(found)
    assert own.find() == []
    another.client.sendall(b"x")
    assert another.served.recv(1) == b"x"


def test_looking_takes_no_descriptor(until: ExitStack) -> None:
    pair = Pair(until)
    own = OwnSockets(pair.port)
    own.find()
    before = own.descriptors
    for _ in range(10):
        own.find()
    assert own.descriptors == before


def test_one_spelling_per_address() -> None:
    assert plain_address("::ffff:192.0.2.1") == "192.0.2.1"
    assert plain_address("fe80::1%eth0") == "fe80::1"
    assert plain_address("2001:db8::ffff:1") == "2001:db8::ffff:1"
