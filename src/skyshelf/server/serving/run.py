"""Run the server: this process supervises the workers, each of which has its own application.

Before that, the stores are checked: can they be opened, are they up to date, and does an account exist? A separate
process checks, because workers must not inherit connections and threads of a store.
"""

import gc
import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

import msgspec
from msgspec.structs import replace

from skyshelf.server.app import ServerSettings, SkyshelfApp, create_app, lease_of, open_first_context
from skyshelf.server.connections.freed_memory import keep_freed_memory, return_freed_memory
from skyshelf.server.connections.traffic import raise_descriptor_limit
from skyshelf.server.observability.logs import logging_config
from skyshelf.server.observability.metrics_dir import FOLDER_VARIABLE
from skyshelf.server.serving.listener import ConnectionSettings
from skyshelf.server.serving.orders import Stopping
from skyshelf.server.serving.sockets import (
    is_passed_on,
    listen,
    listen_at,
    passed_on,
    port_of,
    refuse_newcomers,
    remove,
)
from skyshelf.server.serving.workers import ServiceManager, Workers
from skyshelf.service.accounts.accounts import has_accounts
from skyshelf.service.accounts.password_links import create_first_link
from skyshelf.service.context import ServiceContext
from skyshelf.service.process.database_connections import connections_problem
from skyshelf.storage.errors import ReadOnly, StorageError

# By default, containers are killed after ten seconds.
DRAIN_SECONDS = 8.0
ORPHAN_SECONDS = 0.5
# For its owner and its group, which includes the proxy.
SOCKET_MODE = 0o660
# Connections that wait while the limit is reached; the guard needs a moment to make space.
BACKLOG = 2048
# Requests leave few cycles behind: collecting as often as usual takes a tenth of a short request's time.
GC_THRESHOLDS = (10_000, 20, 20)


class CannotListen(Exception):
    """The server cannot listen on the address, or cannot use the TLS files."""


class Listening(msgspec.Struct, frozen=True, kw_only=True):
    """Where and how to listen."""

    host: str = "127.0.0.1"
    port: int = 8600
    workers: int = 1
    log_format: str = "json"
    log_level: str = "info"
    drain_seconds: float = DRAIN_SECONDS
    """How long requests may continue once the server has stopped listening."""
    stop_delay_seconds: float = 0.0
    """How long the server goes on serving after a signal to stop, while /readyz answers 503."""
    socket_path: Path | None = None
    """The path of a Unix socket, instead of host and port."""
    socket_mode: int = SOCKET_MODE
    connection_settings: ConnectionSettings = ConnectionSettings()

    @property
    def url(self) -> str:
        """The URL to type into a browser; a server on all interfaces is shown as localhost."""
        host = "localhost" if self.host in {"0.0.0.0", "::", ""} else self.host  # noqa: S104 - compared, not bound
        host = f"[{host}]" if ":" in host else host
        if self.socket_path is not None:
            return "http://localhost"
        return f"{'https' if self.connection_settings.tls else 'http'}://{host}:{self.port}"

    @property
    def place(self) -> str:
        """The address it listens on, for people."""
        return self.url if self.socket_path is None else f"unix:{self.socket_path}"


def free_port(host: str, port: int) -> int:
    """Return the port, or a free one for 0; raise CannotListen early if another program uses it."""
    try:
        (one,) = listen(host, port, 1)
    except OSError as problem:
        raise CannotListen(f"cannot listen on {host} port {port}: {problem.strerror}") from problem
    with one:
        return port_of(one) or port


def check_tls(listening: Listening) -> None:
    """Raise CannotListen if the certificate and its key cannot be used."""
    problem = None if listening.connection_settings.tls is None else listening.connection_settings.tls.problem()
    if problem is not None:
        raise CannotListen(problem)


def run(
    settings: ServerSettings,
    listening: Listening,
    started: Callable[[], None],
    reload: Callable[[], ServerSettings] | None = None,
) -> None:
    """Serve until a signal stops the server; `started` is called when it is ready, `reload` at SIGHUP.

    Without `reload`, SIGHUP ends the service, as when its terminal is closed.
    """
    raise_descriptor_limit()
    # systemd's sockets stay open: clients wait there for the next start.
    is_ours = not is_passed_on(os.environ)
    sockets = open_sockets(listening)

    def load(settings: ServerSettings) -> Callable[[], SkyshelfApp]:
        # The access log, if any, is written in blocks.
        block_log = listening.log_format if listening.log_level in {"debug", "info"} else None
        return partial(worker_app, replace(settings, block_log=block_log, instance=os.urandom(8)))

    if FOLDER_VARIABLE in os.environ:
        # Several workers export their metrics continuously, a single one only on request.
        from skyshelf.server.observability import metrics  # noqa: F401
    # Everything loaded so far stays: workers share it with this process as long as no collection writes to it.
    gc.collect()
    return_freed_memory()
    gc.freeze()
    lease = lease_of(settings)
    path = listening.socket_path
    inode = 0 if path is None else path.lstat().st_ino

    def close_door() -> None:
        if path is not None:
            remove(path, inode)
        if is_ours:
            for one in sockets:
                refuse_newcomers(one)

    try:
        Workers(
            load(settings),
            sockets,
            count=listening.workers,
            stopping=Stopping(
                drain_seconds=listening.drain_seconds,
                delay_seconds=listening.stop_delay_seconds,
                close_door=close_door,
            ),
            log_config=logging_config(listening.log_format, listening.log_level),
            reload=None if reload is None else lambda: load(reload()),
            manager=ServiceManager(),
            settings=listening.connection_settings,
            renew=None if lease is None else lease.renew,
        ).run(started)
    finally:
        if lease is not None:
            lease.release()
        if path is not None:
            remove(path, inode)


def open_sockets(listening: Listening) -> list[socket.socket]:
    """Return the sockets to listen on, which systemd may have opened; raise CannotListen if that is impossible."""
    try:
        if passed := passed_on(os.environ):
            return passed
        if listening.socket_path is not None:
            return listen_at(listening.socket_path, listening.socket_mode, BACKLOG)
        return listen(listening.host, listening.port, BACKLOG)
    except OSError as problem:
        where = listening.place if listening.socket_path else f"{listening.host} port {listening.port}"
        raise CannotListen(f"cannot listen on {where}: {problem.strerror}") from problem


def worker_app(settings: ServerSettings) -> SkyshelfApp:
    keep_freed_memory()
    gc.set_threshold(*GC_THRESHOLDS)
    threading.Thread(target=_exit_when_orphaned, args=(os.getppid(),), name="skyshelf-orphan", daemon=True).start()
    return create_app(settings)


def _exit_when_orphaned(parent: int) -> None:
    """Stop if the supervisor was killed: an orphaned worker would keep the port and could not be stopped normally."""
    while os.getppid() == parent:
        time.sleep(ORPHAN_SECONDS)
    os.kill(os.getpid(), signal.SIGTERM)


class Findings(msgspec.Struct, frozen=True, kw_only=True):
    has_accounts: bool = False
    first_link: str | None = None
    """The token of a link that creates the first account, while there is none."""
    demo: tuple[str, str] | None = None
    """Email address and password of the demo account, if one was requested."""
    warning: str | None = None
    """What may go wrong under load."""
    problem: str = ""
    """Why the server cannot start; empty if it can."""
    traceback: str = ""


def check_stores(settings: ServerSettings, *, workers: int, demo: bool) -> Findings:
    """Check the stores in a separate process."""
    # Started in the same way as the workers, so nothing is imported twice unnecessarily.
    context = (
        multiprocessing.get_context("fork")
        if multiprocessing.get_start_method() == "fork"
        else multiprocessing.get_context("spawn")
    )
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_run_checks, args=(settings, workers, demo, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        findings = msgspec.msgpack.decode(ours.recv_bytes(), type=Findings)
    except EOFError:
        findings = Findings(problem="the process that checks the stores ended unexpectedly")
    process.join()
    return findings


def _run_checks(settings: ServerSettings, workers: int, demo: bool, pipe: Connection) -> None:
    pipe.send_bytes(msgspec.msgpack.encode(_findings(settings, workers, demo=demo)))


def _findings(settings: ServerSettings, workers: int, *, demo: bool) -> Findings:
    import traceback

    try:
        ctx = open_first_context(settings)
        try:
            ctx.blobs.check()
            login = _fill_demo(ctx) if demo else None
            warning = connections_problem(ctx.metadata, workers=workers, per_worker=settings.database_connections)
            known = has_accounts(ctx)
            first = None
            with suppress(ReadOnly):
                first = None if known else create_first_link(ctx)
            return Findings(has_accounts=known, first_link=first, demo=login, warning=warning)
        finally:
            ctx.media.close()
            ctx.metadata.close()
            ctx.blobs.close()
    except (StorageError, OSError, ImportError) as problem:
        return Findings(problem=str(problem), traceback=traceback.format_exc())
    except Exception as problem:  # noqa: BLE001 - the operator gets one sentence for any error
        return Findings(problem=f"{type(problem).__name__}: {problem}", traceback=traceback.format_exc())


def _fill_demo(ctx: ServiceContext) -> tuple[str, str]:
    """Create the demo account; imported here because few servers need it."""
    from skyshelf.service.demo.account import fill

    return fill(ctx)
