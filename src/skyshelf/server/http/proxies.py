"""The real client behind reverse proxies; only trusted proxies are believed."""

import ipaddress
import re
from collections.abc import Iterable
from functools import lru_cache

from starlette.requests import Request

_HOST = re.compile(r"^[A-Za-z0-9._-]{1,253}(:[0-9]{1,5})?$|^\[[0-9A-Fa-f:.]{2,45}\](:[0-9]{1,5})?$")
_ADDRESS = "skyshelf.address"


class Proxies:
    """The server's public URL, and the proxies whose headers are trusted."""

    def __init__(self, public_url: str | None, trusted: Iterable[str]) -> None:
        self._public_url = public_url.rstrip("/") if public_url else None
        networks = [ipaddress.ip_network(network, strict=False) for network in trusted]
        # Called several times per request, mostly for the same few peers.
        self._trusts = lru_cache(4096)(lambda address: is_within(address, networks))

    def origin(self, request: Request) -> str:
        """Scheme, host and port of the URLs in this request's response."""
        if self._public_url is not None:
            return self._public_url
        scheme, host = request.scope["scheme"], request.headers.get("host", "")
        if self.is_trusted(request):
            scheme = (_hops(request, "x-forwarded-proto") or [scheme])[-1]
            host = (_hops(request, "x-forwarded-host") or [host])[-1]
        if scheme not in {"http", "https"}:
            scheme = "http"
        return f"{scheme}://{host if _HOST.match(host) else 'localhost'}"

    def is_secure(self, request: Request) -> bool:
        """Whether the client came over TLS, as far as this server knows."""
        if self._public_url is not None:
            return self._public_url.startswith("https://")
        if self.is_trusted(request):
            hops = _hops(request, "x-forwarded-proto")
            if hops:
                return hops[-1] == "https"
        return bool(request.scope["scheme"] == "https")

    def address(self, request: Request) -> str:
        """The client's address: the nearest one that is not a trusted proxy."""
        known: str | None = request.scope.get(_ADDRESS)
        if known is None:
            known = request.scope[_ADDRESS] = self._nearest(request)
        return known

    def trusts(self, address: str) -> bool:
        """Whether the address is a trusted proxy's."""
        return self._trusts(address)

    def _nearest(self, request: Request) -> str:
        peer = _peer(request)
        hops = _hops(request, "x-forwarded-for")
        while hops and self._trusts(peer):
            peer = hops.pop()
        return peer

    def is_trusted(self, request: Request) -> bool:
        """Whether the peer is a trusted proxy."""
        return self._trusts(_peer(request))


def _peer(request: Request) -> str:
    """The address of the connection's peer."""
    client = request.scope.get("client")
    return str(client[0]) if client else ""


def is_within(address: str, networks: list[ipaddress.IPv4Network | ipaddress.IPv6Network]) -> bool:
    """Whether an address is in one of the networks; an invalid address is in none."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped is not None:
        ip = ip.ipv4_mapped  # an IPv4 client on a dual-stack socket
    return any(ip in network for network in networks)


def _hops(request: Request, name: str) -> list[str]:
    """The values of all lines of a header, in order: a proxy may append to a line or add its own."""
    return [hop.strip() for line in request.headers.getlist(name) for hop in line.split(",") if hop.strip()]
