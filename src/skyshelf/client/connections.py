"""The connections of a client: one pool for each event loop, TLS for every machine but this one, and the way there.

aiohttp has no threads of its own: whatever a client does happens in its event loop, and ends with it. So a program
can end at any moment, and a child of a fork begins anew.
"""

import asyncio
import os
import ssl
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlsplit

from msgspec import Struct

from skyshelf.client.errors import ConfigurationError
from skyshelf.client.hosts import is_loopback_url

if TYPE_CHECKING:
    from aiohttp import BaseConnector, ClientSession

_READ_AHEAD: Final = 256 * 1024
"""What the library keeps of a body before it stops reading from the network."""

_IDLE_SECONDS: Final = 15.0
"""An idle connection that is older is not used again: servers and routers drop them about then, and not all say so."""


class TransportSettings(Struct, frozen=True, kw_only=True):
    """How connections are made; the times are in seconds, and there is none for a whole transfer."""

    connect_timeout: float = 15.0
    read_timeout: float = 60.0
    ca_file: str | None = None
    use_proxies: bool = True
    connections: int = 64


class Way(NamedTuple):
    """How a URL is reached: the TLS that it needs, and the proxy on the way."""

    tls: ssl.SSLContext | bool
    proxy: str | None


class _Pool:
    """The connections of one event loop; bodies of content are left as they come, those of JSON are unpacked."""

    def __init__(self, settings: TransportSettings) -> None:
        from skyshelf.client.quiet_connector import QuietConnector

        self.connector: BaseConnector = QuietConnector(limit=settings.connections, keepalive_timeout=_IDLE_SECONDS)
        self.sessions = {binary: self._session(settings, binary=binary) for binary in (False, True)}

    def _session(self, settings: TransportSettings, *, binary: bool) -> "ClientSession":
        from aiohttp import ClientSession, ClientTimeout, DummyCookieJar

        # trust_env stays off: it would also take passwords from ~/.netrc and send them.
        session = ClientSession(
            connector=self.connector,
            connector_owner=False,
            cookie_jar=DummyCookieJar(),
            timeout=ClientTimeout(sock_connect=settings.connect_timeout, sock_read=settings.read_timeout),
            # Bytes are checked as they are sent; whoever compresses them on the way must not go unnoticed.
            auto_decompress=not binary,
            read_bufsize=_READ_AHEAD,
        )
        # Whether a request is sent a second time is ours to decide: the library would do it for any PUT and DELETE.
        session._retry_connection = False
        return session

    def detach(self) -> None:
        for session in self.sessions.values():
            session.detach()


class Connections:
    """All pools of a client. It is used from one event loop at a time, usually from one ever."""

    def __init__(self, settings: TransportSettings) -> None:
        self.settings = settings
        self._pools: dict[asyncio.AbstractEventLoop, _Pool] = {}
        # True stands for what the system trusts, which the library has loaded already.
        self._tls: ssl.SSLContext | bool | None = None if settings.ca_file else True
        self._ways: dict[str, Way] = {}
        # A client that nobody closed goes quietly: its sockets are closed with their objects.
        weakref.finalize(self, _let_go, self._pools)
        _all.add(self)

    def session(self, *, binary: bool) -> "ClientSession":
        """The library's session in the running event loop."""
        loop = asyncio.get_running_loop()
        pool = self._pools.get(loop)
        if pool is None:
            for ended in [one for one in self._pools if one.is_closed()]:
                self._pools.pop(ended).detach()
            pool = self._pools[loop] = _Pool(self.settings)
        return pool.sessions[binary]

    def way_to(self, url: str) -> Way:
        """How to get there; ConfigurationError where it would be without TLS to another machine."""
        end = url.find("/", len("https://"))
        origin = url if end < 0 else url[:end]
        way = self._ways.get(origin)
        if way is None:
            way = self._ways[origin] = self._way(origin)
        return way

    async def close(self) -> None:
        """Close those of the running event loop, and let go of those whose event loop has ended."""
        pool = self._pools.pop(asyncio.get_running_loop(), None)
        if pool is not None:
            pool.detach()
            await pool.connector.close()
        _let_go({loop: self._pools.pop(loop) for loop in list(self._pools) if loop.is_closed()})

    def forget(self) -> None:
        """After a fork: what is open belongs to the parent, and must not be touched, not even to be closed."""
        _of_the_parent.append(self._pools)
        self._pools = {}
        weakref.finalize(self, _let_go, self._pools)

    def _way(self, origin: str) -> Way:
        is_local = is_loopback_url(origin)
        if not origin.startswith("https://"):
            if not is_local:
                raise ConfigurationError(f"{origin} is not reached by TLS, so that nothing is sent there: use https")
            # Without TLS a proxy would read the session, and none is needed to reach this very machine.
            return Way(tls=False, proxy=None)
        if self._tls is None:
            self._tls = _tls_context(self.settings.ca_file or "")
        return Way(self._tls, None if is_local or not self.settings.use_proxies else _proxy_for(origin))


def _tls_context(ca_file: str) -> ssl.SSLContext:
    """What the system trusts, and the authorities of the file: names and certificates are always checked."""
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    try:
        context.load_verify_locations(cadata=Path(ca_file).read_text(encoding="ascii"))
    except (OSError, ValueError) as wrong:
        raise ConfigurationError(f"the CA file {ca_file} cannot be used: {wrong}") from None
    return context


def _proxy_for(origin: str) -> str | None:
    from urllib.request import getproxies, proxy_bypass

    known = getproxies()
    proxy = known.get("https") or known.get("all")
    if not proxy or proxy_bypass(urlsplit(origin).hostname or ""):
        return None
    if "://" not in proxy:
        proxy = f"http://{proxy}"
    if urlsplit(proxy).scheme not in {"http", "https"}:
        # Not repeated: it can hold a password.
        raise ConfigurationError("the proxy in the environment is neither http nor https: unset it, or use another")
    return proxy


def _let_go(pools: dict[asyncio.AbstractEventLoop, _Pool]) -> None:
    while pools:
        pools.popitem()[1].detach()


_all: Final[weakref.WeakSet[Connections]] = weakref.WeakSet()
_of_the_parent: Final[list[object]] = []


def _begin_anew() -> None:
    for one in list(_all):
        one.forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)
