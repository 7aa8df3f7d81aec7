"""A hostile network: a TCP proxy that resets connections after so many bytes."""

import contextlib
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

RESET = struct.pack("ii", 1, 0)
BUFFER = 64 * 1024


@dataclass(frozen=True)
class Cut:
    """How many bytes a connection may carry to the server and back; None is no limit."""

    up: int | None = None
    down: int | None = None


class CuttingProxy:
    """Each new connection takes the next cut from the list; when that is empty, connections are left alone."""

    def __init__(self, port: int) -> None:
        self._target = ("127.0.0.1", port)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._threads: list[threading.Thread] = []
        self._connections: list[socket.socket] = []
        self.cuts: list[Cut] = []
        self.happened = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listening.getsockname()[1]}"

    def accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            far = socket.create_connection(self._target)
            self._connections += [near, far]
            cut = self.cuts.pop(0) if self.cuts else Cut()
            self._run(self._carry, near, far, cut.up)
            self._run(self._carry, far, near, cut.down)

    def _run(self, work: object, *arguments: object) -> None:
        assert callable(work)
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _carry(self, source: socket.socket, target: socket.socket, limit: int | None) -> None:
        carried = 0
        with contextlib.suppress(OSError):
            while data := source.recv(BUFFER):
                if limit is not None and carried + len(data) > limit:
                    target.sendall(data[: limit - carried])
                    self.happened += 1
                    _reset(source)
                    _reset(target)
                    return
                carried += len(data)
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        # A thread that waits in accept is not woken by closing the socket alone.
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        for connection in self._connections:
            _reset(connection)
        for thread in self._threads:
            thread.join(10)


def _reset(connection: socket.socket) -> None:
    """End a connection as a broken line does: without a goodbye."""
    with contextlib.suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()


@contextmanager
def cutting_proxy(port: int) -> Iterator[CuttingProxy]:
    """A proxy in front of a port of this machine."""
    proxy = CuttingProxy(port)
    accepting = threading.Thread(target=proxy.accept, daemon=True)
    accepting.start()
    try:
        yield proxy
    finally:
        proxy.close()
        accepting.join(10)
