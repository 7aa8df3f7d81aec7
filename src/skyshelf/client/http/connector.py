"""The way to a server: its address, the TLS that it needs, and the proxy that leads there."""

import asyncio
import base64
import os
import re
import socket
import ssl
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit

from skyshelf.client.errors import ConfigurationError
from skyshelf.client.hosts import is_loopback_url
from skyshelf.client.http.connection import HttpConnection, request_head
from skyshelf.client.http.faults import NeverSentError, TunnelRefusedError
from skyshelf.client.http.response import Scratch

if TYPE_CHECKING:
    from skyshelf.client.http.pool import TransportSettings

_PORTS: Final = {"http": 80, "https": 443}
_CERTIFICATE: Final = re.compile(rb"-----BEGIN (TRUSTED |X509 )?CERTIFICATE-----")
_PATIENCE_WITH_AN_ADDRESS: Final = 3.0
"""A name can have several addresses, and some networks lead to the first one alone in theory."""


class Route(NamedTuple):
    """How the servers of an origin are reached. `name` is what they are called in the header Host."""

    origin: str
    name: str
    host: str
    port: int
    tls: ssl.SSLContext | None
    proxy: SplitResult | None
    is_local: bool


class Connector:
    """The ways that a client knows; TLS is set up when it is needed first, because that takes a while."""

    def __init__(self, settings: "TransportSettings") -> None:
        self._settings = settings
        self._known: dict[str, Route] = {}
        self._tls: ssl.SSLContext | None = None

    def to(self, origin: str) -> Route:
        """How to get there; ConfigurationError where it would be without TLS to another machine."""
        route = self._known.get(origin)
        if route is None:
            route = self._known[origin] = self._found(origin)
        return route

    async def connect(self, route: Route, scratch: Scratch) -> HttpConnection:
        """A new connection; whatever keeps it from being made is the cause of a NeverSentError."""
        try:
            if route.proxy is None:
                return await self._connected(route.host, route.port, route.tls, scratch)
            return await self._tunnel(route, route.proxy, scratch)
        except (OSError, UnicodeError) as wrong:
            raise NeverSentError("the connection could not be made") from wrong

    async def _connected(self, host: str, port: int, tls: ssl.SSLContext | None, scratch: Scratch) -> HttpConnection:
        loop = asyncio.get_running_loop()
        reached = await _reached(host, port, self._settings.connect_timeout)
        try:
            _, connection = await loop.create_connection(
                lambda: HttpConnection(loop, scratch, self._settings.read_timeout), sock=reached
            )
        except BaseException:
            reached.close()
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
        """A connection through the proxy: it learns where we go, and nothing of what is said there."""
        assert route.tls is not None
        target = f"[{route.host}]:{route.port}" if ":" in route.host else f"{route.host}:{route.port}"
        is_secure = proxy.scheme == "https"
        connection = await self._connected(
            proxy.hostname or "", proxy.port or _PORTS[proxy.scheme], self._context() if is_secure else None, scratch
        )
        try:
            head = request_head("CONNECT", target, target, _allowed(proxy), None)
            _must_be_open((await connection.request("CONNECT", head, None)).status)
            await self._secure(connection, route.tls, route.host)
        except BaseException:
            connection.abort()
            raise
        return connection

    def _found(self, origin: str) -> Route:
        parts, is_local = urlsplit(origin), is_loopback_url(origin)
        host = (parts.hostname or "").encode("idna").decode("ascii") if not origin.isascii() else parts.hostname or ""
        port = parts.port or _PORTS.get(parts.scheme, 0)
        name = f"[{host}]" if ":" in host else host
        if port != _PORTS.get(parts.scheme):
            name = f"{name}:{port}"
        if parts.scheme != "https":
            if not is_local:
                raise ConfigurationError(f"{origin} is not reached by TLS, so that nothing is sent there: use https")
            # Without TLS a proxy would read the session, and none is needed to reach this very machine.
            return Route(origin, name, host, port, tls=None, proxy=None, is_local=True)
        proxy = None if is_local or not self._settings.use_proxies else _proxy_for(parts.hostname or "")
        return Route(origin, name, host, port, self._context(), proxy, is_local)

    def _context(self) -> ssl.SSLContext:
        if self._tls is None:
            self._tls = _tls_context(self._settings.ca_file)
        return self._tls


async def _reached(host: str, port: int, seconds: float) -> socket.socket:
    """A socket to the first address that answers, all of them in so many seconds; whatever ends it, none stays open.

    asyncio can try several addresses at once, but leaves their sockets behind when it is cancelled in the middle.
    """
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    async with asyncio.timeout_at(deadline):
        found = await _addresses(host, port)
    wrong: OSError = OSError("the name has no address")
    for place, (family, address) in enumerate(found):
        is_last = place == len(found) - 1
        until = deadline if is_last else min(deadline, loop.time() + _PATIENCE_WITH_AN_ADDRESS)
        try:
            return await _socket_to(family, address, until)
        except OSError as refused:
            # Or this machine does not have that family of addresses at all.
            wrong = refused
    raise wrong


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
    """Those of a name. To ask for them takes a thread, which an address as it stands does without."""
    for family in (socket.AF_INET, socket.AF_INET6):
        try:
            socket.inet_pton(family, host)
        except OSError:
            continue
        return [(family, (host, port))]
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [(family, address) for family, _, _, _, address in found]


def _must_be_open(status: int) -> None:
    if not 200 <= status < 300:
        raise TunnelRefusedError(status)


def _allowed(proxy: SplitResult) -> dict[str, str]:
    """What a proxy with a name and a password in its address wants to hear; they are nobody else's."""
    if proxy.username is None:
        return {}
    secret = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}".encode()
    return {"Proxy-Authorization": f"Basic {base64.b64encode(secret).decode('ascii')}"}


def _tls_context(ca_file: str | None) -> ssl.SSLContext:
    """What the system trusts, and the authorities of the file: names and certificates are always checked."""
    _refuse_absent_authorities()
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    if ca_file is not None:
        try:
            context.load_verify_locations(cadata=Path(ca_file).read_text(encoding="ascii"))
        except (OSError, ValueError) as wrong:
            raise ConfigurationError(f"the CA file {ca_file} cannot be used: {wrong}") from None
    return context


def _refuse_absent_authorities() -> None:
    """Refuse variables that name nothing: OpenSSL passes over them in silence, and then no server is trusted."""
    if file := os.environ.get("SSL_CERT_FILE"):
        try:
            holds_any = _CERTIFICATE.search(Path(file).read_bytes())
        except OSError as wrong:
            raise ConfigurationError(f"SSL_CERT_FILE names {file}, which cannot be read: {wrong.strerror}") from None
        if not holds_any:
            raise ConfigurationError(f"SSL_CERT_FILE names {file}, and there is no certificate in it")
    folders = os.environ.get("SSL_CERT_DIR")
    # Often a list of where the systems of this world have them: one of them is enough.
    if folders and not any(Path(folder).is_dir() for folder in folders.split(os.pathsep)):
        raise ConfigurationError(f"SSL_CERT_DIR names {folders}, and there is no such folder")


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
        raise ConfigurationError("the proxy in the environment is neither http nor https: unset it, or use another")
    return address
