"""The MCP server over Streamable HTTP, behind bearer authentication."""

import asyncio
import signal
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from skyshelf.agent.arguments import LINE_BYTES_MAX
from skyshelf.agent.dispatcher import Dispatcher
from skyshelf.agent.mcp.confirmation import Consent
from skyshelf.agent.mcp.http_auth import BearerAuth, allowed_hosts
from skyshelf.agent.mcp.server import create_server

PATH: Final = "/mcp"
_DRAIN_SECONDS: Final = 5


class _Server(uvicorn.Server):
    """uvicorn without its signal handlers; `serve` installs its own."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; raises OSError if the address is in use."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host.strip("[]"), port))
        listener.listen(128)
    except BaseException:
        listener.close()
        raise
    return listener


def serve(
    dispatcher: Dispatcher,
    listener: socket.socket,
    *,
    token: str,
    hosts: Iterable[str] = (),
    origins: Iterable[str] = (),
    consent: Consent = "ask",
    ready: Callable[[], None] = lambda: None,
) -> None:
    """Serve any number of hosts until the process receives SIGINT or SIGTERM."""
    dispatcher.add_secret(token)
    # BearerAuth already checks Host and Origin.
    unchecked = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    app = create_server(dispatcher, consent=consent).streamable_http_app(
        streamable_http_path=PATH, transport_security=unchecked, max_request_body_size=LINE_BYTES_MAX
    )
    port = listener.getsockname()[1]
    config = uvicorn.Config(
        BearerAuth(app, token=token, hosts=allowed_hosts(port, hosts), origins=origins),
        log_config=None,
        access_log=False,
        server_header=False,
        ws="none",
        lifespan="on",
        timeout_graceful_shutdown=_DRAIN_SECONDS,
    )

    async def serve_until_signalled() -> None:
        server = _Server(config)

        def stop() -> None:
            server.should_exit = True

        loop = asyncio.get_running_loop()
        for signal_number in (signal.SIGINT, signal.SIGTERM):
            # Not available on every system, nor outside the main thread.
            with suppress(NotImplementedError, RuntimeError, ValueError):
                loop.add_signal_handler(signal_number, stop)
        ready()
        try:
            await server.serve(sockets=[listener])
        finally:
            await dispatcher.close()

    asyncio.run(serve_until_signalled())
