"""The real client behind reverse proxies; only trusted proxies are believed."""

import ipaddress
import re
from collections.abc import Iterable
from functools import lru_cache

import msgspec
from starlette.requests import Request
from starlette.types import Scope

from skyshelf.wire.public_url import path_of

_HOST = re.compile(r"^[A-Za-z0-9._-]{1,253}(:[0-9]{1,5})?$|^\[[0-9A-Fa-f:.]{2,45}\](:[0-9]{1,5})?$")
_CLIENT = "skyshelf.client"
_FORWARDED = frozenset({b"x-forwarded-for", b"x-forwarded-proto", b"x-forwarded-host"})


class Proxies:
    """The server's public URL, and the proxies whose headers are trusted."""

    def __init__(self, public_url: str | None, trusted: Iterable[str]) -> None:
        self._public_url = public_url.rstrip("/") if public_url else None
        self.prefix = path_of(public_url)
        """What the paths that clients use begin with."""
        networks = [ipaddress.ip_network(network, strict=False) for network in trusted]
        # Called several times per request, mostly for the same few peers.
        self._trusts = lru_cache(4096)(lambda address: is_within(address, networks))

    def origin(self, request: Request) -> str:
        """What the URLs in this request's response begin with: scheme, host, port, and the path of a public URL."""
        return self.client_of(request).origin

    def is_secure(self, request: Request) -> bool:
        """Whether the client came over TLS, as far as this server knows."""
        return self.client_of(request).is_secure

    def address(self, request: Request) -> str:
        """The client's address: the nearest one that is not a trusted proxy."""
        return self.client_of(request).address

    def trusts(self, address: str) -> bool:
        """Whether the address is a trusted proxy's."""
        return self._trusts(address)

    def is_trusted(self, request: Request) -> bool:
        """Whether the peer is a trusted proxy."""
        return self.client_of(request).is_behind_proxy

    def client_of(self, request: Request) -> "Client":
        """What is known about the client; looked at once per request."""
        known: Client | None = request.scope.get(_CLIENT)
        if known is None:
            known = request.scope[_CLIENT] = self._looked_at(request.scope)
        return known

    def remember(self, request: Request, client: "Client") -> None:
        """This is known to be the client of a request from the same peer with the same headers."""
        request.scope[_CLIENT] = client

    def _looked_at(self, scope: Scope) -> "Client":
        client = scope.get("client")
        peer = address = str(client[0]) if client else ""
        is_trusted = self._trusts(peer)
        scheme, host = scope.get("scheme", "http"), ""
        forwarded: dict[bytes, list[str]] = {}
        for name, value in scope["headers"]:
            if name == b"host":
                host = host or value.decode("latin-1")
            elif name in _FORWARDED:
                # A proxy may append to a line or add another.
                hops = [hop.strip() for hop in value.decode("latin-1").split(",")]
                forwarded.setdefault(name, []).extend(hop for hop in hops if hop)
        if is_trusted and forwarded:
            scheme = (forwarded.get(b"x-forwarded-proto") or [scheme])[-1]
            host = (forwarded.get(b"x-forwarded-host") or [host])[-1]
            hops = forwarded.get(b"x-forwarded-for", [])
            while hops and self._trusts(address):
                address = hops.pop()
        if self._public_url is not None:
            return Client(address, is_trusted, self._public_url.startswith("https://"), self._public_url)
        plain_scheme = scheme if scheme in {"http", "https"} else "http"
        origin = f"{plain_scheme}://{host if _HOST.match(host) else 'localhost'}"
        return Client(address, is_trusted, scheme == "https", origin)


class Client(msgspec.Struct, frozen=True, gc=False):
    """Who sent a request, as far as the connection and trusted proxies say."""

    address: str
    is_behind_proxy: bool
    is_secure: bool
    origin: str


def is_within(address: str, networks: list[ipaddress.IPv4Network | ipaddress.IPv6Network]) -> bool:
    """Whether an address is in one of the networks; an invalid address is in none."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped is not None:
        ip = ip.ipv4_mapped  # an IPv4 client on a dual-stack socket
    return any(ip in network for network in networks)
