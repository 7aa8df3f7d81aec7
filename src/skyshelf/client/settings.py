"""Settings: from the caller, else from the environment, else from the config file.

The file is `$XDG_CONFIG_HOME/skyshelf/config.json`, readable by its owner alone, with one object per profile:
`{"default_profile": "home", "profiles": {"home": {"server": "https://…", "auth_token": "…", …}}}`.
"""

import os
import stat
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import DecodeError, Struct, ValidationError, json

from skyshelf.client.credentials import AUTH_TOKEN, PER_USER, Credentials, bare_token
from skyshelf.client.engine.listing_bounds import ListingBounds
from skyshelf.client.engine.recent_writes import LAG_SECONDS
from skyshelf.client.engine.retries import RetryPolicy
from skyshelf.client.errors import ConfigurationError
from skyshelf.client.hosts import SETTINGS as HOST_SETTINGS
from skyshelf.client.hosts import Hosts
from skyshelf.client.session_origins import (
    SERVER,
    SESSION_ORIGINS,
    given_origins,
    has_session,
    named_origins,
    outside,
    stored_origins,
    wrong_server,
)
from skyshelf.wire.limits import CLIENT_LISTED_OBJECTS_MAX

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
    """The path of the config file."""
    home = environment.get("XDG_CONFIG_HOME")
    # The XDG standard says to ignore relative paths.
    base = Path(home) if home and Path(home).is_absolute() else Path.home() / ".config"
    return base / "skyshelf" / "config.json"


def read_config(path: Path) -> ConfigFile:
    """The content of the file; empty when there is none. A file that other users can read is refused."""
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
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}")
    file = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _OPEN_FLAGS, 0o600)
    try:
        with os.fdopen(file, "wb") as opened:
            opened.write(json.format(json.encode(config), indent=2) + b"\n")
            opened.flush()
            os.fsync(opened.fileno())
        # Replaces a symbolic link instead of writing through it.
        temporary.replace(path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


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


def load_settings(
    given: Mapping[str, str | None] | None = None,
    *,
    profile: str | None = None,
    retries: int | None = None,
    retry_wait: float | None = None,
    retry_jitter: float | None = None,
    retry_after_max: float | None = None,
    max_objects: int | None = None,
    lag: float | None = None,
    connect_timeout: float | None = None,
    read_timeout: float | None = None,
    environment: Mapping[str, str] = os.environ,
    path: Path | None = None,
) -> Settings:
    """Combine settings of the caller, the environment and the config file, in this order.

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
    if chosen or not _is_complete(from_environment | explicit):
        config = read_config(path or config_path(environment))
        name = chosen or config.default_profile or DEFAULT_PROFILE
        if chosen and chosen not in config.profiles:
            raise ConfigurationError(f"unknown profile {chosen!r}: log in with `skyshelf login --profile {chosen}`")
        filed = config.profiles.get(name, {})
    texts = {setting: text for setting in _TEXTS if isinstance(text := filed.get(setting), str)}
    sources: tuple[Mapping[str, str], ...] = (explicit, from_environment, texts)
    hosts = _hosts(sources)
    owner = next((source for source in sources if has_session(source)), {})
    is_stored = owner is texts
    origins = stored_origins(filed) if is_stored else given_origins(owner, sources[:2])
    other = outside(hosts, origins) if owner else None
    # The application's pair in a profile is for that profile's server too.
    pairs = sources if outside(hosts, stored_origins(filed)) is None else sources[:2]
    pair = _first(pairs, ("api_key", "app_secret"))
    default = RetryPolicy()
    credentials = Credentials.from_mapping({**pair, **{key: owner.get(key) for key in PER_USER}})
    return Settings(
        hosts=hosts,
        credentials=credentials if other is None else None,
        refusal=None if other is None else wrong_server(name if is_stored else None, origins, other),
        policy=RetryPolicy(
            retries=_retries(retries, environment.get(PREFIX + "RETRIES"), filed.get("retries")),
            wait=_number("retry_wait", retry_wait, environment, filed, default=default.wait),
            jitter=_number("retry_jitter", retry_jitter, environment, filed, default=default.jitter, most=1.0),
            retry_after_max=_number(
                "retry_after_max", retry_after_max, environment, filed, default=default.retry_after_max, most=86_400
            ),
        ),
        bounds=ListingBounds(
            _max_objects(max_objects, environment.get(PREFIX + "MAX_OBJECTS"), filed.get("max_objects"))
        ),
        profile=name,
        lag=_number("lag", lag, environment, filed, default=LAG_SECONDS),
        connect_timeout=_number(
            "connect_timeout", connect_timeout, environment, filed, default=CONNECT_TIMEOUT_SECONDS, least=0.001
        ),
        read_timeout=_number(
            "read_timeout", read_timeout, environment, filed, default=READ_TIMEOUT_SECONDS, least=0.001
        ),
    )


def _is_complete(values: Mapping[str, str]) -> bool:
    return all(setting in values for setting in (SERVER, *PER_USER))


def _first(sources: Sequence[Mapping[str, str]], settings: tuple[str, ...]) -> dict[str, str]:
    return {setting: source[setting] for setting in settings for source in reversed(sources) if source.get(setting)}


def _hosts(sources: tuple[Mapping[str, str], ...]) -> Hosts:
    """A server from one source takes precedence over single hosts from later sources."""
    urls: dict[str, str | None] = {}
    for source in sources:
        for setting in HOST_SETTINGS:
            if source.get(setting):
                urls.setdefault(setting, source[setting])
        if source.get(SERVER):
            return Hosts.of(source[SERVER], urls)
    return Hosts.of(None, urls)


def _retries(given: int | None, variable: str | None, filed: object) -> int:
    value = given if given is not None else variable or filed
    if value is None:
        return RetryPolicy().retries
    try:
        number = int(value) if isinstance(value, int | str) else -1
    except ValueError:
        number = -1
    if not 0 <= number <= 100:
        raise ConfigurationError("retries must be a whole number from 0 to 100")
    return number


def _max_objects(given: int | None, variable: str | None, filed: object) -> int:
    value = given if given is not None else variable or filed
    if value is None:
        return CLIENT_LISTED_OBJECTS_MAX
    try:
        number = int(value) if isinstance(value, int | str) else 0
    except ValueError:
        number = 0
    if number < 1:
        raise ConfigurationError("max_objects must be a whole number of at least 1")
    return number


def _number(
    setting: str,
    given: float | None,
    environment: Mapping[str, str],
    filed: Mapping[str, object],
    *,
    default: float,
    least: float = 0,
    most: float = 3600,
) -> float:
    value = given if given is not None else environment.get(PREFIX + setting.upper()) or filed.get(setting)
    if value is None:
        return default
    try:
        number = float(value) if isinstance(value, int | float | str) else -1.0
    except ValueError:
        number = -1.0
    if not least <= number <= most:
        unit = "number" if setting == "retry_jitter" else "number of seconds"
        raise ConfigurationError(f"{setting} must be a {unit} from {least:g} to {most:g}")
    return number
