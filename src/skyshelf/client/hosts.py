"""The hosts that requests may go to: one base URL for each host of the interface."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct

from skyshelf.client.errors import ConfigurationError
from skyshelf.wire import public_url
from skyshelf.wire.endpoint import Host

SETTINGS: Final = tuple(host.value for host in Host)
"""The names of the settings that hold a base URL."""


def is_loopback(host: str) -> bool:
    """Whether a host name or address, brackets allowed, is this machine."""
    return host.endswith(".localhost") or public_url.is_loopback(host.strip("[]"))


def _split(setting: str, url: str) -> SplitResult:
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError as error:
        raise ConfigurationError(f"{setting} is not a URL: {error}") from None
    if parts.username is not None or parts.password is not None:
        # Not quoted: it holds a password.
        raise ConfigurationError(f"{setting} must not contain a user name or password")
    if parts.scheme not in {"http", "https"} or not parts.hostname or port == 0:
        raise ConfigurationError(f"{setting} must be a URL such as https://drive.example.org, not {url!r}")
    if parts.query or parts.fragment:
        raise ConfigurationError(f"{setting} must be a URL without ? and #")
    if parts.scheme == "http" and not is_loopback(parts.hostname):
        raise ConfigurationError(f"{setting} is {parts.scheme}://{parts.hostname}, which is not encrypted: use https")
    return parts


def _clean(setting: str, url: str) -> str:
    parts = _split(setting, url)
    return f"{parts.scheme}://{parts.netloc.lower()}{parts.path.rstrip('/')}"


def origin_of(url: str) -> tuple[str, str, int] | None:
    """Return scheme, host and port of a URL; None for anything but an absolute http or https URL."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.username is not None:
        return None
    return parts.scheme, parts.hostname.lower(), port or (443 if parts.scheme == "https" else 80)


class Hosts(Struct, frozen=True):
    """The checked base URL of each host: TLS is required, except for this machine."""

    urls: dict[str, str]

    @classmethod
    def of(cls, server: str | None = None, urls: Mapping[str, str | None] | None = None) -> "Hosts":
        """Check the URLs; `server` is used for every host that is not named."""
        named = {name: url for name, url in (urls or {}).items() if url}
        unknown = sorted(named.keys() - set(SETTINGS))
        if unknown:
            raise ConfigurationError(f"unknown host setting {unknown[0]}; known are {', '.join(SETTINGS)}")
        missing = [name for name in SETTINGS if name not in named]
        if missing and not server:
            raise ConfigurationError(
                "no server is set: log in with `skyshelf login --server URL`, or set SKYSHELF_SERVER"
            )
        cleaned = {name: _clean(name, url) for name, url in named.items()}
        if missing and server:
            cleaned |= dict.fromkeys(missing, _clean("server", server))
        return cls(cleaned)

    def base(self, host: Host) -> str:
        """Return the base URL of a host, without a trailing slash."""
        return self.urls[host.value]

    def knows(self, url: str) -> bool:
        """Whether a URL is on one of the configured hosts, so credentials may be sent there."""
        origin = origin_of(url)
        return origin is not None and any(origin == origin_of(base) for base in self.urls.values())


def is_loopback_url(url: str) -> bool:
    """Whether a URL leads to this machine."""
    end = url.find("/", len("https://"))
    return _is_loopback_origin(url if end < 0 else url[:end])


@lru_cache(maxsize=64)
def _is_loopback_origin(origin: str) -> bool:
    return is_loopback(urlsplit(origin).hostname or "")
