"""The MCP server over Streamable HTTP, behind bearer authentication and checks of `Host` and `Origin`.

A web page can make a browser send requests to this machine. It does not know the token, and even if it did, the checks
of `Host` and `Origin` would stop it, including when its own name resolves to this machine (DNS rebinding).
"""

import asyncio
import hmac
import signal
import socket
from collections.abc import Awaitable, Callable, Iterable, Iterator, MutableMapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from typing import Any, Final, TypeAlias

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from skyshelf.agent.arguments import LINE_BYTES_MAX
from skyshelf.agent.dispatcher import Dispatcher
from skyshelf.agent.mcp.confirmation import Consent
from skyshelf.agent.mcp.server import create_server

PATH: Final = "/mcp"
_DRAIN_SECONDS: Final = 5
_LOCAL: Final = ("127.0.0.1", "localhost", "[::1]")

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]


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


def allowed_hosts(port: int, more: Iterable[str] = ()) -> frozenset[str]:
    """Accepted values of `Host`: this machine at our port, and the operator's names with or without our port."""
    named = {name.lower() for name in more}
    return frozenset({f"{name}:{port}" for name in (*_LOCAL, *named)} | named)


class BearerAuth:
    """ASGI middleware that passes authorised requests on and answers all others."""

    def __init__(self, inner: Application, *, token: str, hosts: frozenset[str], origins: Iterable[str] = ()) -> None:
        self._inner = inner
        self._digest = _digest(token.encode())
        self._hosts = hosts
        self._origins = frozenset(origin.lower().rstrip("/") for origin in origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request; lifespan events pass through."""
        refusal = self._refusal(scope) if scope["type"] == "http" else None
        if refusal is None and scope["type"] in {"http", "lifespan"}:
            await self._inner(scope, receive, send)
        elif refusal is not None:
            await _respond(send, *refusal)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers: dict[bytes, list[bytes]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.lower(), []).append(value)
        host = _single(headers.get(b"host", []))
        if host is None or host.lower() not in self._hosts:
            return 421, "unknown host name: allow it with --allow-host"
        if scope.get("path", "").startswith("/.well-known/"):
            # Hosts look here for OAuth, and would take 401 for a server that has it.
            return 404, "there is nothing here: send `Authorization: Bearer TOKEN` to " + PATH
        if b"origin" in headers:
            origin = (_single(headers[b"origin"]) or "").lower()
            if origin not in self._origins and origin.partition("://")[2] not in self._hosts:
                return 403, "this origin is not allowed: allow it with --allow-origin"
        if not self._has_token(_single(headers.get(b"authorization", []))):
            return 401, "missing or wrong token: send `Authorization: Bearer TOKEN`"
        return None

    def _has_token(self, given: str | None) -> bool:
        scheme, _, token = (given or "").partition(" ")
        # Digests have equal length, so the comparison's timing reveals nothing about the token.
        matches = hmac.compare_digest(_digest(token.strip().encode("utf-8", "surrogateescape")), self._digest)
        return scheme.lower() == "bearer" and matches


def _digest(octets: bytes) -> bytes:
    return sha256(octets).digest()


def _single(values: list[bytes]) -> str | None:
    """The value of a header that occurs exactly once; a repeated one is suspicious."""
    return values[0].decode("utf-8", "surrogateescape") if len(values) == 1 else None


async def _respond(send: Send, status: int, message: str) -> None:
    body = message.encode() + b"\n"
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
