"""Accepts connections up to the limit, and lets the application answer their requests."""

import asyncio
import contextlib
import errno
import ipaddress
import logging
import socket
import ssl
from collections.abc import Coroutine, Iterable
from pathlib import Path
from typing import Any, Final, Protocol

import msgspec
from starlette.types import Receive, Scope, Send

from skyshelf.server.connections.evictions import HEAD_SECONDS, KEEP_ALIVE_SECONDS
from skyshelf.server.connections.traffic import CONNECTIONS_MAX, OpenSocket
from skyshelf.server.http.proxies import is_within
from skyshelf.server.http1.connection import Connection
from skyshelf.server.http1.exchange import Exchange
from skyshelf.server.http1.heads import Clock, address_of, local_peer
from skyshelf.server.pipeline.answers import Answer
from skyshelf.server.serving.proxy_protocol import AnnouncedConnection


class TlsFiles(msgspec.Struct, frozen=True):
    """A certificate chain and its private key, as PEM files."""

    certificate: Path
    key: Path

    def context(self) -> ssl.SSLContext:
        """Read the files; raise OSError or ValueError if they cannot be used."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.set_alpn_protocols(["http/1.1"])
        context.load_cert_chain(self.certificate, self.key, _no_password)
        return context

    def problem(self) -> str | None:
        """Return why the files cannot be used, as a sentence; None if they can."""
        try:
            self.context()
        except FileNotFoundError:
            return f"the TLS files {self.certificate} and {self.key} do not both exist"
        except (ssl.SSLError, OSError, ValueError) as problem:
            reason = getattr(problem, "reason", None) or getattr(problem, "strerror", None) or str(problem)
            return f"{self.certificate} and {self.key} cannot be used for TLS: {reason}"
        return None


def _no_password() -> str:
    """Return no password; without this, OpenSSL would prompt for the one of an encrypted key."""
    raise ValueError("the key is encrypted: use one without a password")


_log = logging.getLogger("skyshelf.server")
# Maximum accepted in a row, before open connections get their turn.
_ACCEPTED_MAX: Final = 64
_PAUSE_SECONDS: Final = 0.1
_LOOK_SECONDS: Final = 5
_NO_ROOM: Final = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}


async def first_of(*awaited: Coroutine[Any, Any, object], seconds: float | None = None) -> None:
    """Wait for the first of them, for some seconds at most, and cancel the others."""
    tasks = {asyncio.ensure_future(one) for one in awaited}
    try:
        await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


class Application(Protocol):
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""

    def answer_now(self, scope: Scope, *, files: bool = False) -> Answer | None:
        """Return the response to a request without a body if nothing has to be awaited, otherwise None."""


class ConnectionSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Settings that apply to every connection."""

    connections: int = CONNECTIONS_MAX
    """Maximum number, if there are enough descriptors."""
    keep_alive_seconds: float = KEEP_ALIVE_SECONDS
    announcing: tuple[str, ...] = ()
    """The networks whose connections begin with a header of the PROXY protocol."""
    tls: TlsFiles | None = None
    """The certificate and its key, if connections are encrypted."""


class Listener:
    def __init__(
        self,
        app: Application,
        sockets: Iterable[socket.socket],
        *,
        connections_max: int,
        settings: ConnectionSettings | None = None,
    ) -> None:
        settings = settings or ConnectionSettings()
        self.loop = asyncio.get_running_loop()
        self.is_stopping = False
        self.is_leaving = False
        self._app = app
        self._sockets = list(sockets)
        self._connections_max = connections_max
        self._connections: set[Connection] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_listening = False
        self._clock = Clock()
        self._keep_alive_seconds = settings.keep_alive_seconds
        self._tls = None if settings.tls is None else settings.tls.context()
        self._announcing = [ipaddress.ip_network(network, strict=False) for network in settings.announcing]

    def start(self) -> None:
        self._listen()
        self._look()

    def leave_sockets(self) -> None:
        """Leave new connections to other processes, which have the same sockets."""
        self.is_leaving = True
        self._ignore()
        for one in self._sockets:
            one.close()
        self._sockets = []

    async def all_gone(self) -> None:
        """Return when there is no connection, and no request in progress."""
        while self._tasks:
            await asyncio.wait(self._tasks, return_when=asyncio.ALL_COMPLETED)
        while self._connections:
            await asyncio.sleep(0.02)

    async def stop(self, seconds: float, hurried: asyncio.Event | None = None) -> None:
        """Stop accepting connections; give requests in progress this many seconds to finish, or until `hurried`."""
        hurried = hurried or asyncio.Event()
        for one in self._sockets:
            self._accept_waiting(one)
        self.leave_sockets()
        self.is_stopping = True
        for connection in list(self._connections):
            connection.stop()
        await first_of(self.all_gone(), hurried.wait(), seconds=seconds)
        if self._tasks:
            when = "at once" if hurried.is_set() else f"after {seconds:g} seconds"
            _log.warning("stopped: %d requests were cut %s", len(self._tasks), when)
        for connection in list(self._connections):
            connection.abort()
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=1)

    def open_sockets(self) -> list[OpenSocket]:
        return [one for connection in list(self._connections) if (one := connection.open_socket()) is not None]

    def date(self) -> bytes:
        return self._clock.header()

    def answer_now(self, scope: Scope, *, files: bool = False) -> Answer | None:
        return self._app.answer_now(scope, files=files)

    def run(self, exchange: Exchange) -> None:
        task = self.loop.create_task(exchange.run(self._app))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def lost(self, connection: Connection) -> None:
        self._connections.discard(connection)
        if not self.is_stopping and not self._is_listening:
            self._listen()

    def _listen(self) -> None:
        if self.is_stopping or self._is_listening:
            return
        self._is_listening = True
        for one in self._sockets:
            self.loop.add_reader(one, self._accept, one)

    def _ignore(self) -> None:
        """Let further clients wait in the kernel."""
        self._is_listening = False
        for one in self._sockets:
            self.loop.remove_reader(one)

    def _accept(self, listening: socket.socket) -> None:
        for _ in range(_ACCEPTED_MAX):
            if len(self._connections) >= self._connections_max:
                self._ignore()
                return
            try:
                accepted, peer = listening.accept()
            except BlockingIOError:
                return
            except OSError as problem:
                if problem.errno in _NO_ROOM:
                    self._ignore()
                    self.loop.call_later(_PAUSE_SECONDS, self._listen)
                    return
                continue
            self._open(accepted, peer)

    def _accept_waiting(self, listening: socket.socket) -> None:
        """Accept all who have connected: to close the socket resets the connections that wait there."""
        while len(self._connections) < self._connections_max:
            try:
                self._open(*listening.accept())
            except BlockingIOError:
                return
            except OSError as problem:
                if problem.errno in _NO_ROOM:
                    return

    def _open(self, accepted: socket.socket, peer: object) -> None:
        accepted.setblocking(False)
        with contextlib.suppress(OSError):
            accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        kind = AnnouncedConnection if self._announcing and self._announces(peer) else Connection
        connection = kind(self, accepted, is_secure=self._tls is not None)
        self._connections.add(connection)
        task = self.loop.create_task(self._connect(connection, accepted))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _announces(self, peer: object) -> bool:
        """Return whether a peer must send a PROXY header first; a Unix socket counts as this machine."""
        address, _ = address_of(peer) or local_peer()
        return is_within(address, self._announcing)

    async def _connect(self, connection: Connection, accepted: socket.socket) -> None:
        try:
            await self.loop.connect_accepted_socket(
                lambda: connection,
                accepted,
                ssl=self._tls,
                ssl_handshake_timeout=None if self._tls is None else HEAD_SECONDS,
            )
        except OSError:
            accepted.close()
            connection.connection_lost(None)

    def _look(self) -> None:
        """Close connections that have been idle for too long, if the guard does not."""
        if self.is_stopping:
            return
        now = self.loop.time()
        for connection in list(self._connections):
            seconds = HEAD_SECONDS if connection.is_in_head else self._keep_alive_seconds
            if connection.is_idle and now - connection.active_at > seconds:
                connection.close()
        self.loop.call_later(_LOOK_SECONDS, self._look)
