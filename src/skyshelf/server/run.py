"""Running the server: granian watches over the workers, each of which has the application to itself."""

import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import msgspec
from granian.constants import HTTPModes, Interfaces, Loops, SSLProtocols
from granian.log import LogLevels
from granian.server import Server

from skyshelf.server.app import ServerSettings, SkyshelfApp, create_app
from skyshelf.server.observability.logs import logging_config

# Long enough for what is under way, short enough for those who then kill: containers get ten seconds.
DRAIN_SECONDS = 8
ORPHAN_SECONDS = 0.5


class CannotListen(Exception):
    """The address cannot be listened on, or the TLS files cannot be used."""


class Listening(msgspec.Struct, frozen=True, kw_only=True):
    """Where and how to listen."""

    host: str = "127.0.0.1"
    port: int = 8600
    workers: int = 1
    tls_cert: Path | None = None
    tls_key: Path | None = None
    log_format: str = "json"

    @property
    def url(self) -> str:
        """The address as one would type it; a server on all interfaces is also on this machine."""
        host = "localhost" if self.host in {"0.0.0.0", "::", ""} else self.host  # noqa: S104 - compared, not bound
        host = f"[{host}]" if ":" in host else host
        return f"{'https' if self.tls_cert else 'http'}://{host}:{self.port}"


def free_port(host: str, port: int) -> int:
    """The port, or one that is free for 0; CannotListen when somebody else has it.

    The HTTP server shares its port between workers, and so would share it with a stranger, too, without a word.
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
    """CannotListen when the certificate and its key cannot be used together."""
    import ssl

    if listening.tls_cert is None or listening.tls_key is None:
        return
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(listening.tls_cert, listening.tls_key, _no_password)
    except FileNotFoundError as problem:
        raise CannotListen(
            f"the TLS files {listening.tls_cert} and {listening.tls_key} are not both there"
        ) from problem
    except (ssl.SSLError, OSError, ValueError) as problem:
        reason = getattr(problem, "reason", None) or getattr(problem, "strerror", None) or str(problem)
        raise CannotListen(
            f"{listening.tls_cert} and {listening.tls_key} cannot be used for TLS: {reason}"
        ) from problem


def _no_password() -> str:
    """Without this, a key with a password would stop and ask for it on the terminal."""
    raise ValueError("the key has a password: give one without")


def run(settings: ServerSettings, listening: Listening, started: Callable[[], None]) -> None:
    """Serve until a signal says stop; `started` is called when everything is ready to begin."""
    server = Server(
        "skyshelf",
        address=listening.host,
        port=listening.port,
        interface=Interfaces.ASGI,
        workers=listening.workers,
        # Named, so that what else happens to be installed does not decide what the server runs on.
        loop=Loops.asyncio,
        http=HTTPModes.auto,
        websockets=False,
        log_level=LogLevels.warning,
        log_dictconfig=logging_config(listening.log_format),
        ssl_cert=listening.tls_cert,
        ssl_key=listening.tls_key,
        ssl_protocol_min=SSLProtocols.tls12,
        respawn_failed_workers=True,
        workers_kill_timeout=DRAIN_SECONDS,
    )
    # There is nothing to reload, and a terminal that closes takes its programs along.
    server.on_startup(lambda: signal.signal(signal.SIGHUP, server.signal_handler_interrupt))
    server.on_startup(started)
    server.serve(target_loader=partial(worker_app, settings), wrap_loader=False)


def worker_app(settings: ServerSettings) -> SkyshelfApp:
    """What each worker calls once."""
    threading.Thread(target=_end_without, args=(os.getppid(),), name="skyshelf-orphan", daemon=True).start()
    return create_app(settings)


def _end_without(parent: int) -> None:
    """A worker whose watcher was killed would keep the port for itself, and nobody could stop it by the book."""
    while os.getppid() == parent:
        time.sleep(ORPHAN_SECONDS)
    os.kill(os.getpid(), signal.SIGTERM)
