"""The public URL of a server: https://drive.example.org, or with a path, where services share a host.

A reverse proxy may remove that path from the requests that it passes on, or leave it there. Which of both it does
follows from the request: a path is removed where the rest is one of this server's own addresses.
"""

import re
from functools import cache
from typing import Final
from urllib.parse import urlsplit

_PATH: Final = re.compile(r"(/[A-Za-z0-9._~-]+)*")
_DOTS: Final = {".", ".."}
# The beginnings of the addresses that are no calls of the interface: pages, WebDAV, Nextcloud's clients, probes.
_BESIDES: Final = frozenset(
    {
        "",
        "assets",
        "dav",
        "docs",
        "drive",
        "healthz",
        "icons",
        "index.php",
        "l",
        "livez",
        "manifest.webmanifest",
        "metrics",
        "nms",
        "ocs",
        "oidc",
        "openapi.json",
        "readyz",
        "remote.php",
        "status.php",
        "sw.js",
    }
)
PAGES: Final = "drive"
"""The beginning of the web client's own addresses, all of which show the same page."""
CALLS_LIKE_PAGES: Final = frozenset({"boards"})
"""What is both the beginning of calls and the name of a page of the web client."""


@cache
def own_beginnings() -> frozenset[str]:
    """The first segments of all addresses of a server."""
    from skyshelf.wire.endpoints import ENDPOINTS

    return _BESIDES | {endpoint.path.split("/")[1] for endpoint in ENDPOINTS}


def check_public_url(url: str) -> str:
    """The URL without a slash at its end; ValueError, with a sentence, for one that cannot be used."""
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


def path_of(url: str | None) -> str:
    """The path of a public URL: '' or, for example, /skyshelf."""
    return urlsplit(url).path.rstrip("/") if url else ""


def without_prefix(path: str, prefix: str, *, for_a_person: bool) -> str | None:
    """The path without the prefix, if a proxy has left it there; None if the path is to be taken as it is.

    With the prefix /drive, /drive/boards is a call behind the prefix, or a page whose prefix is gone already: a browser
    that opens a page says so.
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
