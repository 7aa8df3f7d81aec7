"""The public URL of a server: https://drive.example.org, or with a path, where services share a host.

A reverse proxy may remove that path from the requests that it passes on, or leave it there. The request shows which:
the path is removed if the rest is one of this server's own addresses.
"""

import ipaddress
import re
from functools import cache
from typing import Final
from urllib.parse import urlsplit

_PATH: Final = re.compile(r"(/[A-Za-z0-9._~-]+)*")
_DOTS: Final = {".", ".."}
# The beginnings of addresses that are not API calls: pages, WebDAV, Nextcloud's clients, probes.
_BESIDES: Final = frozenset(
    {
        *("", "assets", "docs", "drive", "icons", "l", "manifest.webmanifest", "oidc", "openapi.json", "sw.js"),
        *("dav", "index.php", "nms", "ocs", "remote.php", "status.php"),
        *("healthz", "livez", "metrics", "readyz"),
    }
)
PAGES: Final = "drive"
"""The beginning of the web client's own addresses, all of which show the same page."""
CALLS_LIKE_PAGES: Final = frozenset({"boards"})
"""Names that are both the beginning of API calls and pages of the web client."""


@cache
def own_beginnings() -> frozenset[str]:
    """Return the first segments of all addresses of a server."""
    from skyshelf.wire.endpoints import ENDPOINTS

    return _BESIDES | {endpoint.path.split("/")[1] for endpoint in ENDPOINTS}


def check_public_url(url: str) -> str:
    """Return the URL without a trailing slash; raise ValueError with a sentence if it cannot be used."""
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment:
        raise ValueError("use scheme and host, such as https://drive.example.org, perhaps with a path")
    if parts.username is not None:
        raise ValueError("leave out the user name: everybody sees the public URL")
    path = parts.path.rstrip("/")
    segments = path.split("/")[1:]
    if not _PATH.fullmatch(path) or _DOTS.intersection(segments):
        raise ValueError("use a path of letters, digits, - and _ alone, such as https://example.org/skyshelf")
    if segments and segments[0] != PAGES and segments[0] in own_beginnings():
        raise ValueError(f"/{segments[0]} is an address of the server itself: use another path, such as /skyshelf")
    return url.rstrip("/")


def is_loopback(host: str) -> bool:
    """Return whether a host name or address is this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def path_of(url: str | None) -> str:
    """Return the path of a public URL: '' or, for example, /skyshelf."""
    return urlsplit(url).path.rstrip("/") if url else ""


def without_prefix(path: str, prefix: str, *, for_a_person: bool) -> str | None:
    """Return the path without the prefix, if a proxy has left it there; None if the path has no prefix.

    With the prefix /drive, /drive/boards is either a call behind the prefix or a page whose prefix was removed: a
    browser that opens a page says so.
    """
    if not path.startswith(prefix):
        return None
    rest = path[len(prefix) :]
    if rest in {"", "/"}:
        return "/"
    beginning = rest[1:].partition("/")[0]
    if rest[0] != "/" or beginning not in own_beginnings():
        return None
    is_page = for_a_person and beginning in CALLS_LIKE_PAGES and not prefix.replace(f"/{PAGES}", "")
    return None if is_page else rest
