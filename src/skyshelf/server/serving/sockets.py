"""The sockets that the server listens on: an address and a port, a Unix socket, or sockets opened by systemd."""

import contextlib
import ctypes
import os
import socket
import stat
import struct
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

_FIRST_DESCRIPTOR: Final = 3
"""The first descriptor of the sockets that systemd passes on."""
_ATTACH_FILTER: Final = 26
"""Linux's SO_ATTACH_FILTER."""
_WITHOUT_SYN: Final = (
    (0x30, 0, 0, 13),  # load the byte with TCP's flags
    (0x54, 0, 0, 0x12),  # keep SYN and ACK of them
    (0x15, 0, 1, 0x02),  # unless it is SYN alone, skip the next step
    (0x06, 0, 0, 0),  # drop the packet
    (0x06, 0, 0, 0xFFFFFFFF),  # pass it whole
)
"""A program of the packet filter, as code, jumps and operand."""


class SocketInUse(OSError):
    """Another program listens there."""


def listen(host: str, port: int, backlog: int) -> list[socket.socket]:
    """Return the sockets for an address or a name; for all interfaces, of both IP versions."""
    found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    family, address = found[0], found[4]
    is_dual = family is socket.AF_INET6 and host == "::" and socket.has_dualstack_ipv6()
    return [_shared(socket.create_server(address[:2], family=family, backlog=backlog, dualstack_ipv6=is_dual))]


def listen_at(path: Path, mode: int, backlog: int) -> list[socket.socket]:
    """Return a Unix socket with this name, replacing one without a listener; raise SocketInUse or OSError.

    It gets its name once it has its permissions and listens, so nobody sees it unfinished.
    """
    _check_replaceable(path)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.unlink(missing_ok=True)
        listening.bind(str(beside))
        beside.chmod(mode)
        listening.listen(backlog)
        beside.rename(path)
    except OSError:
        listening.close()
        with contextlib.suppress(OSError):
            beside.unlink()
        raise
    return [_shared(listening)]


def _check_replaceable(path: Path) -> None:
    try:
        found = path.lstat()
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(found.st_mode):
        raise FileExistsError(17, "there is a file with that name, which is no socket")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.setblocking(False)
        try:
            probe.connect(str(path))
        except (ConnectionRefusedError, FileNotFoundError):
            return
        except BlockingIOError:
            pass  # its queue of connections is full
    raise SocketInUse(98, "another program listens there")


def remove(path: Path, inode: int) -> None:
    """Remove a socket's name, unless another program has replaced it."""
    with contextlib.suppress(OSError):
        if path.lstat().st_ino == inode:
            path.unlink()


def refuse_newcomers(one: socket.socket) -> None:
    """Have the kernel ignore further attempts to connect, while connections that have begun complete.

    A client that tries to connect tries again after a second, and is refused once the socket is closed: then a proxy
    asks another instance. Without this, connections that complete between the last accept and the close would be reset
    after their request was sent, and no proxy may send it again. Linux alone can do it.
    """
    if not sys.platform.startswith("linux") or one.family is socket.AF_UNIX:
        return
    program = b"".join(struct.pack("=HBBI", *step) for step in _WITHOUT_SYN)
    held = ctypes.create_string_buffer(program)
    with contextlib.suppress(OSError):
        one.setsockopt(socket.SOL_SOCKET, _ATTACH_FILTER, struct.pack("@HP", len(program) // 8, ctypes.addressof(held)))


def is_passed_on(environment: Mapping[str, str]) -> bool:
    """Return whether systemd has opened sockets for this process, rather than for its parent."""
    return environment.get("LISTEN_PID") == str(os.getpid()) and environment.get("LISTEN_FDS", "0") != "0"


def passed_on(environment: Mapping[str, str]) -> list[socket.socket]:
    """Return the sockets that systemd has opened for this process, if any."""
    if not is_passed_on(environment):
        return []
    count = int(environment["LISTEN_FDS"])
    return [_shared(socket.socket(fileno=_FIRST_DESCRIPTOR + number)) for number in range(count)]


def port_of(one: socket.socket) -> int | None:
    """Return the port that a socket listens on; None for a Unix socket."""
    return None if one.family is socket.AF_UNIX else int(one.getsockname()[1])


def _shared(one: socket.socket) -> socket.socket:
    """Return a socket that several workers can accept connections from."""
    one.setblocking(False)
    os.set_inheritable(one.fileno(), True)
    return one
