"""The way to a server: its address, the TLS that it needs, and the proxy that leads there."""

import asyncio
import base64
import ssl
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit

from skyshelf.client.errors import ConfigurationError
from skyshelf.client.hosts import is_loopback_url
from skyshelf.client.http_answer import Scratch
from skyshelf.client.http_connection import HttpConnection
from skyshelf.client.http_faults import NeverSentError, TunnelRefusedError
from skyshelf.client.http_heads import request_head

if TYPE_CHECKING:
    from skyshelf.client.connections import TransportSettings

_PORTS: Final = {"http": 80, "https": 443}
_EYEBALLS_SECONDS: Final = 0.25
"""How long one address of a name is tried alone, before the next one is tried beside it."""


class Way(NamedTuple):
    """How the servers of an origin are reached. `name` is what they are called in the header Host."""

    origin: str
    name: str
    host: str
    port: int
    tls: ssl.SSLContext | None
    proxy: SplitResult | None
    is_local: bool


class Ways:
    """The ways that a client knows; TLS is set up when it is needed first, because that takes a while."""

    def __init__(self, settings: "TransportSettings") -> None:
        self._settings = settings
        self._known: dict[str, Way] = {}
        self._tls: ssl.SSLContext | None = None

    def to(self, origin: str) -> Way:
        """How to get there; ConfigurationError where it would be without TLS to another machine."""
        way = self._known.get(origin)
        if way is None:
            way = self._known[origin] = self._found(origin)
        return way

    async def opened(self, way: Way, scratch: Scratch) -> HttpConnection:
        """A new connection; whatever keeps it from being made is the cause of a NeverSentError."""
        try:
            async with asyncio.timeout(self._settings.connect_timeout):
                return await (self._direct(way, scratch) if way.proxy is None else self._tunnel(way, scratch))
        except (OSError, UnicodeError) as wrong:
            raise NeverSentError("the connection could not be made") from wrong

    async def _direct(self, way: Way, scratch: Scratch) -> HttpConnection:
        return await self._connected(way.host, way.port, way.tls, scratch)

    async def _connected(self, host: str, port: int, tls: ssl.SSLContext | None, scratch: Scratch) -> HttpConnection:
        loop = asyncio.get_running_loop()
        _, connection = await loop.create_connection(
            lambda: HttpConnection(loop, scratch, self._settings.read_timeout),
            host,
            port,
            ssl=tls,
            server_hostname=host if tls else None,
            ssl_handshake_timeout=self._settings.connect_timeout if tls else None,
            happy_eyeballs_delay=None if tls is None else _EYEBALLS_SECONDS,
        )
        return connection

    async def _tunnel(self, way: Way, scratch: Scratch) -> HttpConnection:
        """A connection through the proxy: it learns where we go, and nothing of what is said there."""
        assert way.proxy is not None
        assert way.tls is not None
        proxy, target = way.proxy, f"[{way.host}]:{way.port}" if ":" in way.host else f"{way.host}:{way.port}"
        is_secure = proxy.scheme == "https"
        connection = await self._connected(
            proxy.hostname or "", proxy.port or _PORTS[proxy.scheme], self._context() if is_secure else None, scratch
        )
        try:
            head = request_head("CONNECT", target, target, _allowed(proxy), None)
            _must_be_open((await connection.request("CONNECT", head, None)).status)
            await connection.secure(way.tls, way.host, self._settings.connect_timeout)
        except BaseException:
            connection.abort()
            raise
        return connection

    def _found(self, origin: str) -> Way:
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
            return Way(origin, name, host, port, tls=None, proxy=None, is_local=True)
        proxy = None if is_local or not self._settings.use_proxies else _proxy_for(parts.hostname or "")
        return Way(origin, name, host, port, self._context(), proxy, is_local)

    def _context(self) -> ssl.SSLContext:
        if self._tls is None:
            self._tls = _tls_context(self._settings.ca_file)
        return self._tls


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
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    if ca_file is not None:
        try:
            context.load_verify_locations(cadata=Path(ca_file).read_text(encoding="ascii"))
        except (OSError, ValueError) as wrong:
            raise ConfigurationError(f"the CA file {ca_file} cannot be used: {wrong}") from None
    return context


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
