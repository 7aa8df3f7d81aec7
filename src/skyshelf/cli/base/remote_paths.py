"""Shell completion of paths on the server: fast, cached for a few seconds, and silent on errors."""

import hashlib
import json
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple
from unicodedata import normalize

import click
from click.shell_completion import CompletionItem

from skyshelf.cli.base.text import visible

if TYPE_CHECKING:
    from skyshelf.client.settings import Settings
    from skyshelf.client.sync_client import Client

FRESH_SECONDS: Final = 20.0
"""How long a listing is reused: about as long as it takes to type one path."""

_EXPIRY_SECONDS: Final = 3600.0
_NAMES_MAX: Final = 2000


def timeout_seconds() -> float:
    """How many seconds a completion may take."""
    try:
        return max(0.1, float(os.environ.get("SKYSHELF_COMPLETION_SECONDS", "")))
    except ValueError:
        return 3.0


class RemoteName(NamedTuple):
    """A name in a folder; files have no key here."""

    name: str
    folder_key: str | None


class RemotePath(click.ParamType[str]):
    """A path on the server, which shells complete; with `local` it may be a local path too."""

    name = "path"

    def __init__(self, *, local_first: bool = False, local: bool = False) -> None:
        self._local_first = local_first
        self._local = local or local_first

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Completions of the path; folders end with a slash, ready for the next name."""
        given = ctx.params.get(param.name or "")
        has_values = bool(given) if isinstance(given, tuple) else False
        files = [CompletionItem(incomplete, type="file")] if self._local and (has_values or self._local_first) else []
        if self._local_first and not has_values:
            return files
        above, slash, beginning = incomplete.rpartition("/")
        if incomplete.startswith("key:"):
            return files
        found = names_below(above, server=ctx.params.get("server"), profile=ctx.params.get("profile"))
        composed = normalize("NFC", beginning)
        return [
            CompletionItem(f"{above}{slash}{one.name}/", type="open")
            if one.folder_key
            else CompletionItem(above + slash + one.name)
            for one in found
            if normalize("NFC", one.name).startswith(composed)
        ] + files


def names_below(path: str, *, server: str | None, profile: str | None) -> list[RemoteName]:
    """The names in a folder; none if the server does not answer in time."""
    try:
        from skyshelf.client.settings import load_settings

        settings = load_settings({"server": server}, profile=profile)
        cache = _Cache(settings)
        parts = tuple(part for part in path.split("/") if part)
        found = cache.get(parts)
        if found is None:
            found = _fetch(parts, cache, server=server, profile=profile)
            cache.put(parts, found)
    except Exception:  # noqa: BLE001 - an error message would garble the line being typed
        return []
    return found


def _fetch(parts: tuple[str, ...], cache: "_Cache", *, server: str | None, profile: str | None) -> list[RemoteName]:
    from skyshelf.client.sync_client import Client

    with Client(
        server, profile=profile, retries=0, connect_timeout=timeout_seconds(), read_timeout=timeout_seconds()
    ) as client:
        key = _known_key(parts, cache) or ("/" + "/".join(parts) if parts else None)
        return [*_page(client, key, folders=True), *_page(client, key, folders=False)]


def _page(client: "Client", folder: str | None, *, folders: bool) -> list[RemoteName]:
    page = client.page(folder, kind="w" if folders else "f", limit=_NAMES_MAX)
    # Unprintable names are left out: they must not reach the line being typed.
    shown = (one for one in page.objects if one.name and visible(one.name) == one.name)
    return [RemoteName(one.name, one.key if folders else None) for one in shown]


def _known_key(parts: tuple[str, ...], cache: "_Cache") -> str | None:
    """A folder's key, if its parent is cached."""
    above = cache.get(parts[:-1]) if parts else None
    return next((one.folder_key for one in above or () if one.name == parts[-1]), None)


class _Cache:
    """Recent listings, in files that only their owner can read."""

    def __init__(self, settings: "Settings") -> None:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        self._folder = Path(base) / "skyshelf" / "completion"
        user = settings.credentials.user_id if settings.credentials else ""
        self._owner = json.dumps([sorted(settings.hosts.urls.items()), user])

    def get(self, parts: tuple[str, ...]) -> list[RemoteName] | None:
        """A folder's names, if the cached ones are recent."""
        path = self._path(parts)
        try:
            if not 0 <= time.time() - path.stat().st_mtime < FRESH_SECONDS:
                return None
            return [RemoteName(*row) for row in json.loads(path.read_text(encoding="utf-8"))]
        except (OSError, ValueError, TypeError):
            return None

    def put(self, parts: tuple[str, ...], names: list[RemoteName]) -> None:
        """Store a folder's names, and delete expired entries."""
        with suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            path = self._path(parts)
            new = path.with_suffix(f".{os.getpid()}")
            with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
                json.dump(names, file)
            new.replace(path)
            for known in self._folder.iterdir():
                if time.time() - known.stat().st_mtime > _EXPIRY_SECONDS:
                    known.unlink(missing_ok=True)

    def _path(self, parts: tuple[str, ...]) -> Path:
        named = json.dumps([self._owner, parts]).encode()
        return self._folder / (hashlib.sha256(named).hexdigest()[:32] + ".json")
