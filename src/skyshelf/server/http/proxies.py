"""The real client behind reverse proxies, and the path of the public URL; only trusted proxies are believed.

The path is removed from requests before routing, and known to every answer.
"""

import ipaddress
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

import msgspec
from starlette.requests import Request
from starlette.types import Scope

from skyshelf.wire.public_url import path_of, without_prefix

_PREFIX: Final = "skyshelf.prefix"
_AFTER: Final = {b"", b"/", b"?"}


class PathPrefix:
    """Removes the prefix, which is not empty."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        # A client that appends such a path to the server's address instead of resolving it sends the prefix twice.
        self._removed = (2 * prefix, prefix)

    def remove(self, scope: Scope) -> None:
        """Remove the prefix from the path, unless the proxy has already done so; safe to call again."""
        if _PREFIX in scope:
            return
        scope[_PREFIX] = self._prefix
        path: str = scope["path"]
        if not path.startswith(self._prefix):
            return
        for_a_person = scope["method"] in {"GET", "HEAD"} and any(
            name == b"accept" and value.startswith(b"text/html") for name, value in scope["headers"]
        )
        for prefix in self._removed:
            rest = without_prefix(path, prefix, for_a_person=for_a_person)
            if rest is not None:
                self._put(scope, prefix.encode("ascii"), rest)
                return

    def _put(self, scope: Scope, prefix: bytes, path: str) -> None:
        raw: bytes | None = scope.get("raw_path")
        if raw is not None:
            left = raw[len(prefix) :]
            if not raw.startswith(prefix) or left[:1] not in _AFTER:
                return  # needlessly percent-encoded: not an address of this server
            scope["raw_path"] = left if left.startswith(b"/") else b"/" + left
        scope["path"] = path


def prefix_of(request: Request) -> str:
    """Return the prefix of the paths that clients use: '' or, for example, /skyshelf."""
    prefix: str = request.scope.get(_PREFIX, "")
    return prefix


def public_path(request: Request) -> str:
    """Return the path of the request as its client sees it."""
    return prefix_of(request) + request.url.path


def own_path(request: Request, path: bytes) -> bytes:
    """Return the path of a URL that a client has sent in a header, without the prefix."""
    prefix = prefix_of(request).encode("ascii")
    return path.removeprefix(prefix) if prefix and path.startswith(prefix + b"/") else path


_HOST = re.compile(r"^[A-Za-z0-9._-]{1,253}(:[0-9]{1,5})?$|^\[[0-9A-Fa-f:.]{2,45}\](:[0-9]{1,5})?$")
_FORWARDED = frozenset({b"x-forwarded-for", b"x-forwarded-proto", b"x-forwarded-host"})


class Proxies:
    """The server's public URL, and the proxies whose headers are trusted."""

    def __init__(self, public_url: str | None, trusted: Iterable[str]) -> None:
        self._public_url = public_url.rstrip("/") if public_url else None
        self.prefix = path_of(public_url)
        """The prefix of the paths that clients use."""
        networks = [ipaddress.ip_network(network, strict=False) for network in trusted]
        # Called several times per request, mostly for the same few peers.
        self._trusts = lru_cache(4096)(lambda address: is_within(address, networks))

    def trusts(self, address: str) -> bool:
        return self._trusts(address)

    def client_of(self, request: Request) -> "Client":
        """Return what the connection and trusted proxies say about the client; it is remembered with the head."""
        scope = request.scope
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
    """The nearest address that is not a trusted proxy's."""
    is_behind_proxy: bool
    is_secure: bool
    """Whether the client came over TLS."""
    origin: str
    """The beginning of URLs in the response: scheme, host, port, and the path of a public URL."""


def is_within(address: str, networks: list[ipaddress.IPv4Network | ipaddress.IPv6Network]) -> bool:
    """Return whether an address is in one of the networks; an invalid address is in none."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped is not None:
        ip = ip.ipv4_mapped  # an IPv4 client on a dual-stack socket
    return any(ip in network for network in networks)
