"""Routes to servers: address, TLS and proxy; and new connections along them."""

import asyncio
import base64
import os
import re
import socket
import ssl
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit

from msgspec import Struct

from skyshelf.client.errors import ConfigurationError
from skyshelf.client.hosts import is_loopback_url
from skyshelf.client.http.connection import HttpConnection, request_head
from skyshelf.client.http.faults import NeverSentError, TunnelRefusedError
from skyshelf.client.http.process_end import GuardedTls, in_openssl
from skyshelf.client.http.response import Scratch

_PORTS: Final = {"http": 80, "https": 443}
_CERTIFICATE: Final = re.compile(rb"-----BEGIN (TRUSTED |X509 )?CERTIFICATE-----")
_SECONDS_PER_ADDRESS: Final = 3.0
"""A name can have several addresses, and on some networks the first one does not work."""


class TransportSettings(Struct, frozen=True, kw_only=True):
    """How connections are opened; timeouts are in seconds, and none covers a whole transfer."""

    connect_timeout: float = 15.0
    read_timeout: float = 60.0
    ca_file: str | None = None
    use_proxies: bool = True
    connections: int = 64


class Route(NamedTuple):
    """How an origin is reached; `name` is the value of the Host header."""

    origin: str
    name: str
    host: str
    port: int
    tls: ssl.SSLContext | None
    proxy: SplitResult | None
    is_local: bool


class Connector:
    """Finds routes and opens connections; TLS is set up on first use, because that takes a while."""

    def __init__(self, settings: TransportSettings) -> None:
        self._settings = settings
        self._known: dict[str, Route] = {}
        self._tls: ssl.SSLContext | None = None

    def route_to(self, origin: str) -> Route:
        """Return the route to an origin; ConfigurationError for plain HTTP to another machine."""
        route = self._known.get(origin)
        if route is None:
            route = self._known[origin] = self._find_route(origin)
        return route

    async def connect(self, route: Route, scratch: Scratch) -> HttpConnection:
        """Open a new connection; NeverSentError, with its cause, where it cannot be opened."""
        try:
            if route.proxy is None:
                return await self._open(route.host, route.port, route.tls, scratch)
            return await self._tunnel(route, route.proxy, scratch)
        except (OSError, UnicodeError) as cause:
            raise NeverSentError("the connection could not be opened") from cause

    async def _open(self, host: str, port: int, tls: ssl.SSLContext | None, scratch: Scratch) -> HttpConnection:
        loop = asyncio.get_running_loop()
        connected = await _connect_socket(host, port, self._settings.connect_timeout)
        try:
            _, connection = await loop.create_connection(
                lambda: HttpConnection(loop, scratch, self._settings.read_timeout), sock=connected
            )
        except BaseException:
            connected.close()
            raise
        if tls is not None:
            await self._secure(connection, tls, host)
        return connection

    async def _secure(self, connection: HttpConnection, tls: ssl.SSLContext, host: str) -> None:
        try:
            await connection.secure(tls, host, self._settings.read_timeout)
        except BaseException:
            connection.abort()
            raise

    async def _tunnel(self, route: Route, proxy: SplitResult, scratch: Scratch) -> HttpConnection:
        """Connect through the proxy, which learns the host and nothing of the traffic."""
        assert route.tls is not None
        target = f"[{route.host}]:{route.port}" if ":" in route.host else f"{route.host}:{route.port}"
        is_secure = proxy.scheme == "https"
        connection = await self._open(
            proxy.hostname or "", proxy.port or _PORTS[proxy.scheme], self._context() if is_secure else None, scratch
        )
        try:
            head = request_head("CONNECT", target, target, _proxy_headers(proxy), None)
            _check_tunnel((await connection.request("CONNECT", head, None)).status)
            await self._secure(connection, route.tls, route.host)
        except BaseException:
            connection.abort()
            raise
        return connection

    def _find_route(self, origin: str) -> Route:
        parts, is_local = urlsplit(origin), is_loopback_url(origin)
        host = (parts.hostname or "").encode("idna").decode("ascii") if not origin.isascii() else parts.hostname or ""
        port = parts.port or _PORTS.get(parts.scheme, 0)
        name = f"[{host}]" if ":" in host else host
        if port != _PORTS.get(parts.scheme):
            name = f"{name}:{port}"
        if parts.scheme != "https":
            if not is_local:
                raise ConfigurationError(f"{origin} is not encrypted, so nothing is sent there: use https")
            # Without TLS a proxy could read the session, and none is needed to reach this machine.
            return Route(origin, name, host, port, tls=None, proxy=None, is_local=True)
        proxy = None if is_local or not self._settings.use_proxies else _proxy_for(parts.hostname or "")
        return Route(origin, name, host, port, self._context(), proxy, is_local)

    def _context(self) -> ssl.SSLContext:
        if self._tls is None:
            try:
                self._tls = _tls_context(self._settings.ca_file)
            except ssl.SSLError as cause:
                raise NeverSentError("TLS could not be set up") from cause
        return self._tls


async def _connect_socket(host: str, port: int, seconds: float) -> socket.socket:
    """Connect to the first address that accepts, within `seconds` for all of them; other sockets are closed.

    asyncio can try several addresses at once, but leaks their sockets when it is cancelled.
    """
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    async with asyncio.timeout_at(deadline):
        found = await _addresses(host, port)
    failure: OSError = OSError("the name has no address")
    for number, (family, address) in enumerate(found):
        is_last = number == len(found) - 1
        until = deadline if is_last else min(deadline, loop.time() + _SECONDS_PER_ADDRESS)
        try:
            return await _socket_to(family, address, until)
        except OSError as refused:
            # Also where this machine does not have that address family at all.
            failure = refused
    raise failure


async def _socket_to(family: int, address: tuple[object, ...], until: float) -> socket.socket:
    trying = socket.socket(family, socket.SOCK_STREAM)
    try:
        trying.setblocking(False)
        async with asyncio.timeout_at(until):
            await asyncio.get_running_loop().sock_connect(trying, address)
    except BaseException:
        trying.close()
        raise
    return trying


async def _addresses(host: str, port: int) -> list[tuple[int, tuple[object, ...]]]:
    """Resolve a name. Resolving takes a thread, so literal addresses are not resolved."""
    for family in (socket.AF_INET, socket.AF_INET6):
        try:
            socket.inet_pton(family, host)
        except OSError:
            continue
        return [(family, (host, port))]
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [(family, address) for family, _, _, _, address in found]


def _check_tunnel(status: int) -> None:
    if not 200 <= status < 300:
        raise TunnelRefusedError(status)


def _proxy_headers(proxy: SplitResult) -> dict[str, str]:
    """Make a header, for the proxy alone, of the user name and password in its URL."""
    if proxy.username is None:
        return {}
    secret = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}".encode()
    return {"Proxy-Authorization": f"Basic {base64.b64encode(secret).decode('ascii')}"}


def _tls_context(ca_file: str | None) -> ssl.SSLContext:
    """Trust the system's authorities and those in the file; names and certificates are always verified."""
    _check_environment()
    with in_openssl():
        context = ssl.create_default_context()
        context.set_alpn_protocols(["http/1.1"])
        context.sslobject_class = GuardedTls
        if ca_file is not None:
            try:
                context.load_verify_locations(cadata=Path(ca_file).read_text(encoding="ascii"))
            except (OSError, ValueError) as problem:
                raise ConfigurationError(f"the CA file {ca_file} cannot be used: {problem}") from None
    return context


def _check_environment() -> None:
    """Refuse variables that name nothing: OpenSSL ignores them silently, and then trusts no server."""
    if file := os.environ.get("SSL_CERT_FILE"):
        try:
            holds_any = _CERTIFICATE.search(Path(file).read_bytes())
        except OSError as problem:
            raise ConfigurationError(f"SSL_CERT_FILE names {file}, which cannot be read: {problem.strerror}") from None
        if not holds_any:
            raise ConfigurationError(f"SSL_CERT_FILE names {file}, which contains no certificate")
    folders = os.environ.get("SSL_CERT_DIR")
    # Often it lists the usual locations on several systems: one that exists is enough.
    if folders and not any(Path(folder).is_dir() for folder in folders.split(os.pathsep)):
        raise ConfigurationError(f"SSL_CERT_DIR names {folders}, which does not exist")


def _proxy_for(host: str) -> SplitResult | None:
    from urllib.request import getproxies, proxy_bypass

    known = getproxies()
    proxy = known.get("https") or known.get("all")
    if not proxy or proxy_bypass(host):
        return None
    try:
        address = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
        is_known = address.scheme in _PORTS and bool(address.hostname) and (address.port is None or address.port > 0)
    except ValueError:
        is_known = False
    if not is_known:
        # Not repeated: it can hold a password.
        raise ConfigurationError("the proxy in the environment is neither http nor https: unset it, or use another one")
    return address
