"""What is seen of a connection, and ending one."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress

import pytest

from skyshelf.server.connections import traffic
from skyshelf.server.connections.traffic import OpenSocket, Peer, open_socket, plain_address

PEER = Peer("203.0.113.1", 4000)


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
def test_a_connection_is_seen_with_its_traffic(until: ExitStack, family: socket.AddressFamily) -> None:
    pair = Pair(until, family)
    pair.client.sendall(b"12345")
    pair.served.recv(5)
    found = seen(pair)
    assert (found.number, found.peer) == (7, PEER)
    assert found.traffic.received == 5
    assert not found.traffic.is_sending


def test_bytes_that_the_client_does_not_take_are_seen(until: ExitStack) -> None:
    pair = Pair(until)
    pair.served.setblocking(False)
    with suppress(BlockingIOError):
        while True:
            pair.served.send(bytes(1 << 20))
    assert seen(pair).traffic.is_sending


def test_an_ended_connection_reads_as_ended_at_both_sides(until: ExitStack) -> None:
    pair = Pair(until)
    assert traffic.close(seen(pair))
    assert pair.client.recv(1) == b""
    assert pair.served.recv(1) == b""


def test_a_connection_that_was_closed_is_gone(until: ExitStack) -> None:
    pair = Pair(until)
    before = seen(pair)
    pair.served.close()
    assert open_socket(pair.served, 7, PEER) is None
    assert not traffic.close(before)


def test_a_unix_socket_is_not_looked_after(until: ExitStack) -> None:
    one, other = socket.socketpair()
    until.callback(one.close)
    until.callback(other.close)
    assert open_socket(one, 7, PEER) is None


def seen(pair: Pair) -> OpenSocket:
    found = open_socket(pair.served, 7, PEER)
    assert found is not None
    return found


def test_one_spelling_per_address() -> None:
    assert plain_address("::ffff:192.0.2.1") == "192.0.2.1"
    assert plain_address("fe80::1%eth0") == "fe80::1"
    assert plain_address("2001:db8::ffff:1") == "2001:db8::ffff:1"
