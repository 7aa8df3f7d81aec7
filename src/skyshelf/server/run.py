"""Run the server: granian supervises the workers, each of which has its own application."""

import gc
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import msgspec
from msgspec.structs import replace

from skyshelf.server.allocation import keep_freed_memory, return_freed_memory
from skyshelf.server.app import ServerSettings, create_app
from skyshelf.server.application import SkyshelfApp
from skyshelf.server.connections.descriptors import connection_limit, raise_descriptor_limit
from skyshelf.server.connections.evictions import HEAD_SECONDS
from skyshelf.server.connections.sockets import OwnSockets
from skyshelf.server.http1.listener import Manner
from skyshelf.server.http1.sockets import listen, listen_at, passed_on, port_of, remove
from skyshelf.server.http1.workers import Workers
from skyshelf.server.observability.logs import logging_config
from skyshelf.server.observability.metrics_dir import FOLDER_VARIABLE
from skyshelf.server.service_manager import ServiceManager

# By default, containers are killed after ten seconds.
DRAIN_SECONDS = 8.0
ORPHAN_SECONDS = 0.5
# For its owner and its group, in which the proxy is.
SOCKET_MODE = 0o660
# Connections that wait while the limit is reached; it takes the guard a moment to make room.
BACKLOG = 2048
# Uploads are faster with large reads, but a client that never completes its head can fill it.
READ_BUFFER = 256 * 1024
HTTP2_STREAMS = 100
# Requests leave few cycles behind: to look for them as often as usual takes a tenth of a short one.
GC_THRESHOLDS = (10_000, 20, 20)
# Above our own limit, so that ours is the answer.
HTTP2_HEAD_BYTES = 64 * 1024


class CannotListen(Exception):
    """The server cannot listen on the address, or cannot use the TLS files."""


class Listening(msgspec.Struct, frozen=True, kw_only=True):
    """Where and how to listen."""

    host: str = "127.0.0.1"
    port: int = 8600
    workers: int = 1
    tls_cert: Path | None = None
    tls_key: Path | None = None
    log_format: str = "json"
    log_level: str = "info"
    drain_seconds: float = DRAIN_SECONDS
    """How long requests may go on after a signal to stop."""
    socket_path: Path | None = None
    """A Unix socket, instead of host and port."""
    socket_mode: int = SOCKET_MODE
    manner: Manner = Manner()

    @property
    def url(self) -> str:
        """The URL to type into a browser; a server on all interfaces is shown as localhost."""
        host = "localhost" if self.host in {"0.0.0.0", "::", ""} else self.host  # noqa: S104 - compared, not bound
        host = f"[{host}]" if ":" in host else host
        if self.socket_path is not None:
            return "http://localhost"
        return f"{'https' if self.tls_cert else 'http'}://{host}:{self.port}"

    @property
    def place(self) -> str:
        """Where it listens, for people."""
        return self.url if self.socket_path is None else f"unix:{self.socket_path}"


def free_port(host: str, port: int) -> int:
    """The port, or a free one for 0; raises CannotListen if another program uses it.

    The HTTP server shares its port between workers, so it would silently share it with another program, too.
    """
    try:
        address = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        with socket.socket(address[0], address[1]) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address[4])
            probe.listen()
            chosen: int = probe.getsockname()[1]
            return chosen
    except OSError as problem:
        raise CannotListen(f"cannot listen on {host} port {port}: {problem.strerror}") from problem


def check_tls(listening: Listening) -> None:
    """Raise CannotListen if the certificate and its key cannot be used."""
    import ssl

    if listening.tls_cert is None or listening.tls_key is None:
        return
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(listening.tls_cert, listening.tls_key, _no_password)
    except FileNotFoundError as problem:
        raise CannotListen(f"the TLS files {listening.tls_cert} and {listening.tls_key} do not both exist") from problem
    except (ssl.SSLError, OSError, ValueError) as problem:
        reason = getattr(problem, "reason", None) or getattr(problem, "strerror", None) or str(problem)
        raise CannotListen(
            f"{listening.tls_cert} and {listening.tls_key} cannot be used for TLS: {reason}"
        ) from problem


def _no_password() -> str:
    """Without this, OpenSSL would prompt for the password of an encrypted key."""
    raise ValueError("the key is encrypted: use one without a password")


def run(
    settings: ServerSettings,
    listening: Listening,
    started: Callable[[], None],
    reload: Callable[[], ServerSettings] | None = None,
) -> None:
    """Serve until a signal stops the server; `started` is called when it is ready, `reload` at SIGHUP.

    Without `reload` SIGHUP ends the service, as when its terminal was closed.
    """
    raise_descriptor_limit()
    is_plain = listening.tls_cert is None and hasattr(os, "fork")
    sockets = _open(listening) if is_plain else []
    port = next(filter(None, map(port_of, sockets)), None) if is_plain else listening.port

    def load(settings: ServerSettings) -> Callable[[], SkyshelfApp]:
        # The access log is written in blocks, where it is written.
        block_log = listening.log_format if listening.log_level in {"debug", "info"} else None
        return partial(
            worker_app,
            replace(settings, guarded_port=port, block_log=block_log, instance=os.urandom(8)),
        )

    if FOLDER_VARIABLE in os.environ:
        # Several workers export their metrics all the time, and one does when it is asked.
        from skyshelf.server.observability import metrics  # noqa: F401
    # What is loaded by now stays: workers share it with this process as long as no collection writes to it.
    gc.collect()
    return_freed_memory()
    gc.freeze()
    if is_plain:
        _run_plain(load(settings), sockets, listening, started, None if reload is None else lambda: load(reload()))
    else:
        _run_with_tls(load(settings), listening, started, reloads=reload is not None)


def _open(listening: Listening) -> list[socket.socket]:
    """The sockets to listen on: those that systemd has opened, if it has; CannotListen."""
    try:
        if passed := passed_on(os.environ):
            return passed
        if listening.socket_path is not None:
            return listen_at(listening.socket_path, listening.socket_mode, BACKLOG)
        return listen(listening.host, listening.port, BACKLOG)
    except OSError as problem:
        where = listening.place if listening.socket_path else f"{listening.host} port {listening.port}"
        raise CannotListen(f"cannot listen on {where}: {problem.strerror}") from problem


def _run_plain(
    load: Callable[[], SkyshelfApp],
    sockets: list[socket.socket],
    listening: Listening,
    started: Callable[[], None],
    reload: Callable[[], Callable[[], SkyshelfApp]] | None = None,
) -> None:
    """HTTP/1.1, which is what proxies speak to a server, on the event loop of the application."""
    path = listening.socket_path
    inode = 0 if path is None else path.lstat().st_ino
    try:
        Workers(
            load,
            sockets,
            count=listening.workers,
            drain_seconds=listening.drain_seconds,
            log_config=logging_config(listening.log_format, listening.log_level),
            reload=reload,
            manager=ServiceManager(),
            manner=listening.manner,
        ).run(started)
    finally:
        if path is not None:
            remove(path, inode)


def _run_with_tls(
    load: Callable[[], SkyshelfApp], listening: Listening, started: Callable[[], None], *, reloads: bool
) -> None:
    """TLS and HTTP/2 by granian, outside of Python; its connections hand their requests over to the event loop."""
    # Without TLS it is not needed, and takes megabytes.
    from granian.constants import HTTPModes, Interfaces, Loops, SSLProtocols
    from granian.http import HTTP1Settings, HTTP2Settings
    from granian.log import LogLevels
    from granian.server import Server

    keep_alive = listening.manner.keep_alive_seconds
    server = Server(
        "skyshelf",
        address=listening.host,
        port=listening.port,
        interface=Interfaces.ASGI,
        workers=listening.workers,
        loop=Loops.uvloop if find_spec("uvloop") else Loops.asyncio,
        http=HTTPModes.auto,
        websockets=False,
        log_level=LogLevels.warning,
        log_dictconfig=logging_config(listening.log_format, listening.log_level),
        ssl_cert=listening.tls_cert,
        ssl_key=listening.tls_key,
        ssl_protocol_min=SSLProtocols.tls12,
        respawn_failed_workers=True,
        workers_kill_timeout=max(1, round(listening.drain_seconds)),
        backlog=BACKLOG,
        backpressure=connection_limit(listening.manner.connections),
        http1_settings=HTTP1Settings(
            # The HTTP server has one deadline for heads and for idle connections; the guard has one for each.
            header_read_timeout=round(1000 * (keep_alive if OwnSockets.can_be_found() else HEAD_SECONDS)),
            max_buffer_size=READ_BUFFER,
        ),
        http2_settings=HTTP2Settings(
            max_concurrent_streams=HTTP2_STREAMS, max_headers_size=HTTP2_HEAD_BYTES, keep_alive_interval=30_000
        ),
    )
    # New workers read the certificate again; their other settings stay as they are.
    on_hangup = server.signal_handler_reload if reloads else server.signal_handler_interrupt
    server.on_startup(lambda: signal.signal(signal.SIGHUP, on_hangup))
    server.on_startup(started)
    manager = ServiceManager()
    server.on_startup(manager.ready)
    server.on_startup(partial(_keep_telling, manager))
    server.serve(target_loader=load, wrap_loader=False)


def _keep_telling(manager: ServiceManager) -> None:
    """That this process is alive, from a separate thread: the HTTP server has its own loop."""
    seconds = manager.ping_seconds
    if seconds is None:
        return

    def tell() -> None:
        while True:
            manager.alive()
            time.sleep(seconds)

    threading.Thread(target=tell, name="skyshelf-watchdog", daemon=True).start()


def worker_app(settings: ServerSettings) -> SkyshelfApp:
    """Create a worker's application."""
    keep_freed_memory()
    gc.set_threshold(*GC_THRESHOLDS)
    threading.Thread(target=_exit_when_orphaned, args=(os.getppid(),), name="skyshelf-orphan", daemon=True).start()
    return create_app(settings)


def _exit_when_orphaned(parent: int) -> None:
    """Stop when the supervisor was killed: an orphaned worker would keep the port and could not be stopped normally."""
    while os.getppid() == parent:
        time.sleep(ORPHAN_SECONDS)
    os.kill(os.getpid(), signal.SIGTERM)
