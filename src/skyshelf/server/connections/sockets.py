"""The connections of this process, as the kernel sees them.

The HTTP server accepts connections outside of Python and does not report them. They are found among the open
descriptors. A descriptor can be closed and used again at any moment by another thread, so a connection is known by the
inode of its socket, and it is closed through a duplicate that has been compared with it.
"""

import os
import socket
import stat
import struct
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

_DESCRIPTORS: Final = "/proc/self/fd"
_MAPPED: Final = "::ffff:"
# struct tcp_info of Linux: packets under way, bytes acknowledged, bytes received, bytes not sent yet.
_TCP_INFO: Final = struct.Struct("=24xI92xQQ8xI")


class Peer(NamedTuple):
    """The other end of a connection, as requests name it."""

    address: str
    port: int


class Traffic(NamedTuple):
    """What a connection has carried."""

    received: int
    """bytes from the client."""
    acknowledged: int
    """bytes that the client has confirmed."""
    is_sending: bool
    """whether there are bytes that the client has not confirmed yet."""


class OpenSocket(NamedTuple):
    """A connection of this process."""

    descriptor: int
    inode: int
    peer: Peer
    traffic: Traffic


class OwnSockets:
    """Finds the connections to a port."""

    def __init__(self, port: int) -> None:
        self._port = port
        # Of every descriptor: its inode, and the peer if it is one of our connections.
        self._known: dict[int, tuple[int, Peer | None]] = {}
        self.descriptors = 0
        """open descriptors of any kind, when last counted."""

    @staticmethod
    def can_be_found() -> bool:
        """Whether this system shows what is needed."""
        return sys.platform == "linux" and Path(_DESCRIPTORS).is_dir()

    def find(self) -> list[OpenSocket]:
        """All connections; a new one needs a few system calls more than one that is already known."""
        found: list[OpenSocket] = []
        known: dict[int, tuple[int, Peer | None]] = {}
        names = os.listdir(_DESCRIPTORS)  # noqa: PTH208 - often, and of thousands
        self.descriptors = len(names)
        for name in names:
            descriptor = int(name)
            # Another thread may have closed it.
            with suppress(OSError):
                state = os.fstat(descriptor)
                if not stat.S_ISSOCK(state.st_mode):
                    continue
                before = self._known.get(descriptor)
                if before is None or before[0] != state.st_ino:
                    before = (state.st_ino, self._peer(descriptor))
                known[descriptor] = before
                inode, peer = before
                if peer is not None and (traffic := _traffic(descriptor)) is not None:
                    found.append(OpenSocket(descriptor, inode, peer, traffic))
        self._known = known
        return found

    def _peer(self, descriptor: int) -> Peer | None:
        """The peer of a connection to our port; None for any other socket."""
        with _duplicate(descriptor) as one:
            if one.family not in {socket.AF_INET, socket.AF_INET6} or one.type != socket.SOCK_STREAM:
                return None
            if one.getsockname()[1] != self._port:
                return None
            if one.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                return None
            address, port = one.getpeername()[:2]
            return Peer(plain_address(address), port)


def close(connection: OpenSocket) -> bool:
    """End a connection in both directions, so the HTTP server drops it; False if it is gone already."""
    try:
        with _duplicate(connection.descriptor) as one:
            if os.fstat(one.fileno()).st_ino != connection.inode:
                return False
            one.shutdown(socket.SHUT_RDWR)
            return True
    except OSError:
        return False


def _duplicate(descriptor: int) -> socket.socket:
    duplicate = os.dup(descriptor)
    try:
        return socket.socket(fileno=duplicate)
    except OSError:
        os.close(duplicate)
        raise


def plain_address(address: str) -> str:
    """An address without its zone, and an IPv4 client of a socket for both versions as IPv4."""
    if ":" not in address:
        return address
    address = address.partition("%")[0]
    return address[len(_MAPPED) :] if address.startswith(_MAPPED) and "." in address else address


def _traffic(descriptor: int) -> Traffic | None:
    """None for a system that reports less."""
    # Borrowed: the descriptor belongs to the HTTP server, and must not be closed here.
    borrowed = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 0, fileno=descriptor)
    try:
        info = borrowed.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _TCP_INFO.size)
    finally:
        borrowed.detach()
    if len(info) < _TCP_INFO.size:
        return None
    packets, acknowledged, received, unsent = _TCP_INFO.unpack(info)
    return Traffic(received, acknowledged, packets > 0 or unsent > 0)
