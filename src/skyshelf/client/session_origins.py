"""The origins that a session belongs to: its credentials are sent there, and to no other scheme, host or port.

A stored session lists its origins. One from the caller or the environment belongs to the server named beside it; if
none is, to the one that the caller or the environment names, and never to that of a profile, which has its own session.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from skyshelf.client.credentials import PER_USER
from skyshelf.client.hosts import SETTINGS as HOST_SETTINGS
from skyshelf.client.hosts import Hosts, origin_of

SERVER: Final = "server"
SESSION_ORIGINS: Final = "session_origins"
"""The setting of a profile with the origins of its session."""

_PORTS: Final = {"http": 80, "https": 443}


def origin_text(url: str) -> str | None:
    """The origin of a URL as text, without the usual port: `https://drive.example.org`."""
    origin = origin_of(url.strip())
    if origin is None:
        return None
    scheme, host, port = origin
    named = f"[{host}]" if ":" in host else host
    return f"{scheme}://{named}" + ("" if port == _PORTS[scheme] else f":{port}")


def named_origins(settings: Mapping[str, object]) -> frozenset[str]:
    """The origins of the server and of single hosts in some settings."""
    urls = [url for name in (SERVER, *HOST_SETTINGS) if isinstance(url := settings.get(name), str)]
    return frozenset(origin for url in urls if (origin := origin_text(url)) is not None)


def stored_origins(profile: Mapping[str, object]) -> frozenset[str]:
    """The origins of a stored session; a profile from before they were stored names them by its server."""
    listed = profile.get(SESSION_ORIGINS)
    if isinstance(listed, list):
        return frozenset(origin for origin in listed if isinstance(origin, str))
    return named_origins(profile)


def names_every_host(settings: Mapping[str, object]) -> bool:
    """Whether some settings say where every request goes."""
    return bool(settings.get(SERVER)) or all(settings.get(name) for name in HOST_SETTINGS)


def given_origins(owner: Mapping[str, str], given: Sequence[Mapping[str, str]]) -> frozenset[str]:
    """The origins of a session that is not stored: `owner` holds it, `given` is everything but the profile."""
    if names_every_host(owner):
        return named_origins(owner)
    return frozenset().union(*map(named_origins, given))


def outside(hosts: Hosts, origins: Iterable[str]) -> str | None:
    """The first origin that requests would go to although it is not among those; None where all are."""
    known = frozenset(origins)
    used = (origin_text(url) for url in hosts.urls.values())
    return next((origin for origin in used if origin is not None and origin not in known), None)


def has_session(settings: Mapping[str, object]) -> bool:
    """Whether some settings hold a session, or a part of one."""
    return any(settings.get(name) for name in PER_USER)


def wrong_server(profile: str | None, origins: Iterable[str], other: str) -> str:
    """Why a session is not used: `profile` is None for one that is not stored."""
    known = " and ".join(sorted(origins))
    login = f"log in to {other} with `skyshelf login --server {other} --profile NAME EMAIL`"
    if profile is None:
        where = f"belongs to {known}" if known else "has no server named beside it"
        return f"the session that was given {where}, and is not sent to {other}; name its server, or {login}"
    where = f"is logged in to {known}" if known else "has a session of an unknown server"
    return f"the profile {profile!r} {where}, and its session is not sent to {other}; {login}"
