"""Settings: from the caller, else from the environment, else from the config file.

The file is `$XDG_CONFIG_HOME/skyshelf/config.json`, readable by its owner alone, with one object per profile:
`{"default_profile": "home", "profiles": {"home": {"server": "https://…", "auth_token": "…", …}}}`.

A session belongs to origins: its credentials are sent there, and to no other scheme, host or port. A stored session
lists its origins. One from the caller or the environment belongs to the server named beside it; if none is, to the one
that the caller or the environment names, and never to that of a profile, which has its own session.
"""

import os
import stat
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from msgspec import DecodeError, Struct, ValidationError, json

from skyshelf.client.credentials import AUTH_TOKEN, PER_USER, Credentials, bare_token
from skyshelf.client.engine.pagination import ListingBounds
from skyshelf.client.engine.recent_writes import LAG_SECONDS
from skyshelf.client.engine.retries import RETRY_AFTER_MAX_SECONDS, RetryPolicy
from skyshelf.client.errors import ConfigurationError
from skyshelf.client.hosts import SETTINGS as HOST_SETTINGS
from skyshelf.client.hosts import Hosts, origin_of
from skyshelf.client.local.files import user_folder, write_private
from skyshelf.wire.limits import CLIENT_LISTED_OBJECTS_MAX, CLIENT_RETRIES_DEFAULT, CLIENT_RETRY_WAIT_SECONDS

SERVER: Final = "server"
SESSION_ORIGINS: Final = "session_origins"
"""The setting of a profile with the origins of its session."""

_PORTS: Final = {"http": 80, "https": 443}
PREFIX: Final = "SKYSHELF_"
CONNECT_TIMEOUT_SECONDS: Final = 15.0
READ_TIMEOUT_SECONDS: Final = 60.0
DEFAULT_PROFILE: Final = "default"
_TEXTS: Final = (SERVER, *PER_USER, "api_key", "app_secret", *HOST_SETTINGS)
_BYTES_MAX: Final = 1024 * 1024
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


class ConfigFile(Struct, frozen=True, omit_defaults=True):
    """The content of the file; a profile is a mapping of settings, and unknown settings are kept."""

    default_profile: str | None = None
    profiles: dict[str, dict[str, object]] = {}

    def __repr__(self) -> str:
        return f"ConfigFile(profiles={sorted(self.profiles)})"


class Settings(Struct, frozen=True, kw_only=True):
    """Everything that a client needs to start; `refusal` says why a session that exists is not used."""

    hosts: Hosts
    credentials: Credentials | None
    refusal: str | None = None
    bounds: ListingBounds = ListingBounds()
    policy: RetryPolicy
    profile: str
    lag: float = LAG_SECONDS
    connect_timeout: float = CONNECT_TIMEOUT_SECONDS
    read_timeout: float = READ_TIMEOUT_SECONDS


# Not inherited by child processes, and binary on Windows; a flag is zero on systems that do not know it.
_OPEN_FLAGS: Final = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOINHERIT", 0) | getattr(os, "O_BINARY", 0)


def config_path(environment: Mapping[str, str] = os.environ) -> Path:
    return user_folder("XDG_CONFIG_HOME", ".config", environment) / "config.json"


def read_config(path: Path) -> ConfigFile:
    """Read the file; it is empty when there is none. A file that other users can read is refused."""
    try:
        # Opened first and checked through the descriptor, so it cannot be replaced in between.
        file = os.open(path, os.O_RDONLY | _OPEN_FLAGS | getattr(os, "O_NOFOLLOW", 0))
    except FileNotFoundError:
        return ConfigFile()
    except OSError as error:
        linked = path.is_symlink()
        raise ConfigurationError(
            f"{path} is a symbolic link: replace it with the file itself"
            if linked
            else f"{path} cannot be read: {error.strerror}"
        ) from None
    with os.fdopen(file, "rb") as opened:
        found = os.fstat(opened.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise ConfigurationError(f"{path} is not a file")
        if os.name == "posix":
            if stat.S_IMODE(found.st_mode) & _OTHERS:
                raise ConfigurationError(
                    f"{path} holds your session, and other users of this machine can read it: run `chmod 600 {path}`"
                )
            if found.st_uid not in {os.geteuid(), 0}:
                raise ConfigurationError(f"{path} belongs to another user of this machine: remove it, and log in again")
        text = opened.read(_BYTES_MAX + 1)
    try:
        if len(text) > _BYTES_MAX:
            raise ConfigurationError(f"{path} is too large for a config file: remove it, and log in again")
        return json.decode(text, type=ConfigFile)
    except (ValidationError, DecodeError, UnicodeDecodeError):
        # The decoder's message can quote the file, which holds a session.
        raise ConfigurationError(f"{path} is not a valid config file: fix it, or log in again") from None


def write_config(path: Path, config: ConfigFile) -> None:
    """Replace the file atomically, readable by its owner alone at every moment."""
    write_private(path, json.format(json.encode(config), indent=2) + b"\n")


def save_profile(path: Path, name: str, values: Mapping[str, str | None]) -> None:
    """Store settings of one profile, leaving the others as they are; the first profile becomes the default.

    A session is stored with the origins that it is for, so a later change of the server does not take it along.
    """
    config = read_config(path)
    profile = dict(config.profiles.get(name, {})) | dict(values)
    token = values.get(AUTH_TOKEN)
    if token:
        profile[AUTH_TOKEN] = bare_token(token)
    if values.get(AUTH_TOKEN):
        profile[SESSION_ORIGINS] = sorted(named_origins(profile))
    elif AUTH_TOKEN in values:
        profile[SESSION_ORIGINS] = None
    kept = {setting: value for setting, value in profile.items() if value is not None}
    write_config(path, ConfigFile(config.default_profile or name, {**config.profiles, name: kept}))


def forget_session(path: Path, name: str) -> None:
    """Remove the session of one profile; its server stays."""
    save_profile(path, name, dict.fromkeys(PER_USER))


def origin_text(url: str) -> str | None:
    """Return the origin of a URL as text, without the usual port: `https://drive.example.org`."""
    origin = origin_of(url.strip())
    if origin is None:
        return None
    scheme, host, port = origin
    named = f"[{host}]" if ":" in host else host
    return f"{scheme}://{named}" + ("" if port == _PORTS[scheme] else f":{port}")


def named_origins(settings: Mapping[str, object]) -> frozenset[str]:
    """Return the origins of the server and of single hosts in some settings."""
    urls = [url for name in (SERVER, *HOST_SETTINGS) if isinstance(url := settings.get(name), str)]
    return frozenset(origin for url in urls if (origin := origin_text(url)) is not None)


def stored_origins(profile: Mapping[str, object]) -> frozenset[str]:
    """Return the origins of a stored session; older profiles name them by their server."""
    listed = profile.get(SESSION_ORIGINS)
    if isinstance(listed, list):
        return frozenset(origin for origin in listed if isinstance(origin, str))
    return named_origins(profile)


def _given_origins(owner: Mapping[str, str], given: Sequence[Mapping[str, str]]) -> frozenset[str]:
    """Return the origins of a session that is not stored: `owner` holds it, `given` is everything but the profile."""
    if owner.get(SERVER) or all(owner.get(name) for name in HOST_SETTINGS):
        return named_origins(owner)
    return frozenset().union(*map(named_origins, given))


def _outside(hosts: Hosts, origins: Iterable[str]) -> str | None:
    """Return the first origin that requests would go to and that is not among those; None where all are."""
    known = frozenset(origins)
    used = (origin_text(url) for url in hosts.urls.values())
    return next((origin for origin in used if origin is not None and origin not in known), None)


def _wrong_server(profile: str | None, origins: Iterable[str], other: str) -> str:
    """Say why a session is not used; `profile` is None for one that is not stored."""
    known = " and ".join(sorted(origins))
    login = f"log in to {other} with `skyshelf login --server {other} --profile NAME EMAIL`"
    if profile is None:
        where = f"belongs to {known}" if known else "has no server named beside it"
        return f"the session that was given {where}, and is not sent to {other}; name its server, or {login}"
    where = f"is logged in to {known}" if known else "has a session of an unknown server"
    return f"the profile {profile!r} {where}, and its session is not sent to {other}; {login}"


def load_settings(
    given: Mapping[str, str | None] | None = None,
    *,
    profile: str | None = None,
    environment: Mapping[str, str] = os.environ,
    path: Path | None = None,
    **numbers: float | None,
) -> Settings:
    """Combine settings of the caller, the environment and the config file, in this order; `numbers` are in `_NUMBERS`.

    The file is not read when the first two are complete, and a session never comes from two places: a token from one
    and a user from another would not be a valid session. A session is only used with the server that it belongs to.
    """
    explicit = {name: value for name, value in (given or {}).items() if value}
    unknown = sorted(explicit.keys() - set(_TEXTS))
    if unknown:
        raise ConfigurationError(f"unknown setting {unknown[0]}")
    from_environment = {name: value for name in _TEXTS if (value := environment.get(PREFIX + name.upper()))}
    chosen = profile or environment.get(PREFIX + "PROFILE")
    filed: dict[str, object] = {}
    name = chosen or DEFAULT_PROFILE
    if chosen or not {SERVER, *PER_USER} <= (from_environment | explicit).keys():
        config = read_config(path or config_path(environment))
        name = chosen or config.default_profile or DEFAULT_PROFILE
        if chosen and chosen not in config.profiles:
            raise ConfigurationError(f"unknown profile {chosen!r}: log in with `skyshelf login --profile {chosen}`")
        filed = config.profiles.get(name, {})
    texts = {setting: text for setting in _TEXTS if isinstance(text := filed.get(setting), str)}
    sources: tuple[Mapping[str, str], ...] = (explicit, from_environment, texts)
    hosts = _hosts(sources)
    # The first source that holds a session, or a part of one.
    owner = next((source for source in sources if any(source.get(key) for key in PER_USER)), {})
    is_stored = owner is texts
    origins = stored_origins(filed) if is_stored else _given_origins(owner, sources[:2])
    other = _outside(hosts, origins) if owner else None
    # The application's pair in a profile is for that profile's server too.
    pairs = sources if _outside(hosts, stored_origins(filed)) is None else sources[:2]
    pair = _first(pairs, ("api_key", "app_secret"))
    chosen_numbers = {
        setting: kind.read(setting, numbers.get(setting), environment, filed) for setting, kind in _NUMBERS.items()
    }
    credentials = Credentials.from_mapping({**pair, **{key: owner.get(key) for key in PER_USER}})
    return Settings(
        hosts=hosts,
        credentials=credentials if other is None else None,
        refusal=None if other is None else _wrong_server(name if is_stored else None, origins, other),
        policy=RetryPolicy(
            retries=int(chosen_numbers["retries"]),
            wait=chosen_numbers["retry_wait"],
            jitter=chosen_numbers["retry_jitter"],
            retry_after_max=chosen_numbers["retry_after_max"],
        ),
        bounds=ListingBounds(int(chosen_numbers["max_objects"])),
        profile=name,
        **{setting: chosen_numbers[setting] for setting in ("lag", "connect_timeout", "read_timeout")},
    )


def _first(sources: Sequence[Mapping[str, str]], settings: tuple[str, ...]) -> dict[str, str]:
    return {setting: source[setting] for setting in settings for source in reversed(sources) if source.get(setting)}


def _hosts(sources: tuple[Mapping[str, str], ...]) -> Hosts:
    """Choose the hosts: a server from one source takes precedence over single hosts from later sources."""
    urls: dict[str, str | None] = {}
    for source in sources:
        for setting in HOST_SETTINGS:
            if source.get(setting):
                urls.setdefault(setting, source[setting])
        if source.get(SERVER):
            return Hosts.of(source[SERVER], urls)
    return Hosts.of(None, urls)


class _Number(NamedTuple):
    """A setting that is a number: its default, and what it may be, by default a number of seconds."""

    default: float
    least: float = 0
    most: float = 3600
    words: str = ""

    def read(
        self, setting: str, given: float | None, environment: Mapping[str, str], filed: Mapping[str, object]
    ) -> float:
        """Read it from the caller, else from the environment, else from the profile."""
        value = given if given is not None else environment.get(PREFIX + setting.upper()) or filed.get(setting)
        kind = type(self.default)
        try:
            number = self.default if value is None else kind(value) if isinstance(value, int | str | kind) else None
        except ValueError:
            number = None
        if number is None or not self.least <= number <= self.most:
            words = self.words or f"a number of seconds from {self.least:g} to {self.most:g}"
            raise ConfigurationError(f"{setting} must be {words}")
        return number


_NUMBERS: Final = {
    "retries": _Number(CLIENT_RETRIES_DEFAULT, most=100, words="a whole number from 0 to 100"),
    "retry_wait": _Number(CLIENT_RETRY_WAIT_SECONDS),
    "retry_jitter": _Number(0.0, most=1, words="a number from 0 to 1"),
    "retry_after_max": _Number(RETRY_AFTER_MAX_SECONDS, most=86_400),
    "max_objects": _Number(CLIENT_LISTED_OBJECTS_MAX, 1, sys.maxsize, "a whole number of at least 1"),
    "lag": _Number(LAG_SECONDS),
    "connect_timeout": _Number(CONNECT_TIMEOUT_SECONDS, least=0.001),
    "read_timeout": _Number(READ_TIMEOUT_SECONDS, least=0.001),
}
"""The settings that are numbers, in the order in which they are checked."""

NUMBER_SETTINGS: Final = frozenset(_NUMBERS)
