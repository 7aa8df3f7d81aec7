"""The server over HTTP (the protocol's Streamable HTTP), behind the gate."""

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
from skyshelf.agent.mcp.server import Door

PATH: Final = "/mcp"
_DRAIN_SECONDS: Final = 5


class _Server(uvicorn.Server):
    """The HTTP server without handlers of signals: what they mean is our decision."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def listening(host: str, port: int) -> socket.socket:
    """A socket on which hosts can connect from now on; an OSError where the address is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    opened = socket.socket(family, socket.SOCK_STREAM)
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind((host.strip("[]"), port))
        opened.listen(128)
    except BaseException:
        opened.close()
        raise
    return opened


def serve(
    dispatcher: Dispatcher,
    opened: socket.socket,
    *,
    token: str,
    hosts: Iterable[str] = (),
    origins: Iterable[str] = (),
    consent: Consent = "ask",
    ready: Callable[[], None] = lambda: None,
) -> None:
    """Serve any number of hosts until the process is told to end."""
    dispatcher.keep_secret(token)
    # The gate has checked what the library would check here.
    unchecked = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    inner = (
        Door(dispatcher, consent=consent)
        .server()
        .streamable_http_app(
            streamable_http_path=PATH, transport_security=unchecked, max_request_body_size=LINE_BYTES_MAX
        )
    )
    port = opened.getsockname()[1]
    gate = BearerAuth(inner, token=token, hosts=allowed_hosts(port, hosts), origins=origins)
    config = uvicorn.Config(
        gate,
        log_config=None,
        access_log=False,
        server_header=False,
        ws="none",
        lifespan="on",
        timeout_graceful_shutdown=_DRAIN_SECONDS,
    )

    async def until_told() -> None:
        server = _Server(config)

        def end() -> None:
            server.should_exit = True

        loop = asyncio.get_running_loop()
        for wish in (signal.SIGINT, signal.SIGTERM):
            # Not every system, and only the main thread, has them.
            with suppress(NotImplementedError, RuntimeError, ValueError):
                loop.add_signal_handler(wish, end)
        ready()
        try:
            await server.serve(sockets=[opened])
        finally:
            await dispatcher.close()

    asyncio.run(until_told())
