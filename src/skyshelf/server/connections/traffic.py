"""Open connections: how many there may be, whose they are, what they have carried, and their requests in progress.

A process without a free descriptor can neither accept a connection nor open a file, and the listener would try again
without a pause. So connections get a fixed share, and the rest is for files, the database and the object store.
"""

import asyncio
import resource
import socket
import struct
import time
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

CONNECTIONS_MAX: Final = 4096
"""Maximum connections of one process, if there are enough descriptors; more people need more processes."""

CONNECTIONS_MIN: Final = 16
_OWN: Final = 64
# The connection itself, the file that it reads or writes, and its thread's database connection with two files.
_PER_CONNECTION: Final = 4


def raise_descriptor_limit() -> None:
    """Raise the soft limit to all that the system allows: it is often 1,024, for the sake of old programs."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    # Not every system accepts its own hard limit.
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def descriptor_limit() -> int:
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return CONNECTIONS_MAX * _PER_CONNECTION * 4 if soft == resource.RLIM_INFINITY else soft


def connection_limit(most: int = CONNECTIONS_MAX) -> int:
    """Return how many connections this process may have: as many as the operator wants, if they can be opened."""
    return max(CONNECTIONS_MIN, min(most, (descriptor_limit() - _OWN) // _PER_CONNECTION))


_MAPPED: Final = "::ffff:"
# Linux's struct tcp_info: packets in flight, bytes acknowledged, bytes received, bytes not sent yet.
_TCP_INFO: Final = struct.Struct("=24xI92xQQ8xI")


class Peer(NamedTuple):
    """The other end of a connection, as requests name it."""

    address: str
    port: int


class Traffic(NamedTuple):
    """What a connection has carried."""

    received: int
    """Bytes from the client."""
    acknowledged: int
    """Bytes that the client has acknowledged."""
    is_sending: bool
    """Whether there are bytes that the client has not acknowledged yet."""


class OpenSocket(NamedTuple):
    socket: socket.socket
    number: int
    """A number that is unique among all connections of this process, past and present."""
    peer: Peer
    traffic: Traffic


def open_socket(connected: socket.socket, number: int, peer: Peer) -> OpenSocket | None:
    """Return the connection and its traffic; None if it is closed, or the system reports less. Thread-safe."""
    try:
        info = connected.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _TCP_INFO.size)
    except (OSError, AttributeError):
        return None
    if len(info) < _TCP_INFO.size:
        return None
    packets, acknowledged, received, unsent = _TCP_INFO.unpack(info)
    return OpenSocket(connected, number, peer, Traffic(received, acknowledged, packets > 0 or unsent > 0))


def close(connection: OpenSocket) -> bool:
    """Shut a connection down in both directions, so the listener drops it; return False if it is already gone."""
    try:
        connection.socket.shutdown(socket.SHUT_RDWR)
    except OSError:
        return False
    return True


def plain_address(address: str) -> str:
    """Return an address without its zone, and an IPv4-mapped address as IPv4."""
    if ":" not in address:
        return address
    address = address.partition("%")[0]
    return address[len(_MAPPED) :] if address.startswith(_MAPPED) and "." in address else address


_SCOPE_KEY = "skyshelf.visit"
_FINISHED_MAX = 100_000


@dataclass(slots=True, eq=False)
class Visit:
    """A request in progress."""

    peer: tuple[str, int]
    address: str
    is_refused: bool = False
    began: float = field(default_factory=time.monotonic)
    body_bytes: int = 0
    is_waiting_for_body: bool = False

    @staticmethod
    def of(scope: Any) -> "Visit | None":
        """Return the visit of a request; None in an application without a gate."""
        visit: Visit | None = scope.get(_SCOPE_KEY)
        return visit

    def is_dripping(self, now: float, bytes_per_second: int) -> bool:
        """Return whether it waits for a body that arrives more slowly than that."""
        return self.is_waiting_for_body and self.body_bytes < bytes_per_second * (now - self.began)


class FinishedVisit(NamedTuple):
    """A request that the application has finished answering."""

    peer: tuple[str, int]
    at: float


class Visits:
    """All requests in progress in this process. They begin and end on the event loop; other threads may read them."""

    def __init__(self) -> None:
        self._visits: dict[int, Visit] = {}
        self._by_address: dict[str, int] = {}
        # If nothing takes them, they must not pile up: the oldest are dropped.
        self._finished: deque[FinishedVisit] = deque(maxlen=_FINISHED_MAX)

    def begin(self, scope: Any, visit: Visit) -> None:
        scope[_SCOPE_KEY] = visit
        self._visits[id(visit)] = visit
        self._by_address[visit.address] = self._by_address.get(visit.address, 0) + 1

    def end(self, visit: Visit) -> None:
        del self._visits[id(visit)]
        left = self._by_address[visit.address] - 1
        if left:
            self._by_address[visit.address] = left
        else:
            del self._by_address[visit.address]
        self._finished.append(FinishedVisit(visit.peer, time.monotonic()))

    def passed(self, peer: tuple[str, int]) -> None:
        """Record a request that was answered as soon as it arrived."""
        self._finished.append(FinishedVisit(peer, time.monotonic()))

    def of_address(self, address: str) -> int:
        return self._by_address.get(address, 0)

    def in_progress(self) -> list[Visit]:
        return list(self._visits.values())

    def take_finished(self) -> Iterable[FinishedVisit]:
        """Yield the visits that have ended since the last call."""
        while self._finished:
            yield self._finished.popleft()


async def until_seen(visits: Visits) -> list[Visit]:
    """Return the requests in progress, after waiting until those already scheduled to begin are included."""
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return visits.in_progress()
