"""Paths of the server for the shell's completion: quick, from a short memory, and silent whatever happens."""

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
"""For so long a folder is not asked for again: the time in which somebody types one path."""

_FORGOTTEN_SECONDS: Final = 3600.0
_MOST: Final = 2000


def patience() -> float:
    """Seconds that somebody who presses a key is willing to wait."""
    try:
        return max(0.1, float(os.environ.get("SKYSHELF_COMPLETION_SECONDS", "")))
    except ValueError:
        return 3.0


class RemoteName(NamedTuple):
    """A name in a folder; only folders have their keys with them."""

    name: str
    folder_key: str | None


class RemotePath(click.ParamType[str]):
    """A path on the server: any text, that a shell can complete. With `local`, it may be one of this machine too."""

    name = "path"

    def __init__(self, *, local_first: bool = False, local: bool = False) -> None:
        self._local_first = local_first
        self._local = local or local_first

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """What the path can go on with; folders end with a slash, so that one types on."""
        given = ctx.params.get(param.name or "")
        begun = bool(given) if isinstance(given, tuple) else False
        files = [CompletionItem(incomplete, type="file")] if self._local and (begun or self._local_first) else []
        if self._local_first and not begun:
            return files
        above, slash, beginning = incomplete.rpartition("/")
        if incomplete.startswith("key:"):
            return files
        found = names_below(above, server=ctx.params.get("server"), profile=ctx.params.get("profile"))
        composed = normalize("NFC", beginning)
        return [
            CompletionItem(above + slash + one.name + ("/" if one.folder_key else ""), type=_kind(one))
            for one in found
            if normalize("NFC", one.name).startswith(composed)
        ] + files


def _kind(one: RemoteName) -> str:
    return "open" if one.folder_key else "plain"


def names_below(path: str, *, server: str | None, profile: str | None) -> list[RemoteName]:
    """The names in a folder; none where they cannot be had quickly."""
    try:
        from skyshelf.client.settings import load_settings

        settings = load_settings({"server": server}, profile=profile)
        memory = _Memory(settings)
        parts = tuple(part for part in path.split("/") if part)
        found = memory.recall(parts)
        if found is None:
            found = _asked_for(parts, memory, server=server, profile=profile)
            memory.keep(parts, found)
    except Exception:  # noqa: BLE001 - somebody is typing; an error now would stand in the middle of their line
        return []
    return found


def _asked_for(
    parts: tuple[str, ...], memory: "_Memory", *, server: str | None, profile: str | None
) -> list[RemoteName]:
    from skyshelf.client.sync_client import Client

    with Client(
        server,
        profile=profile,
        retries=0,
        connect_timeout=patience(),
        read_timeout=patience(),
    ) as client:
        key = _known_key(parts, memory) or ("/" + "/".join(parts) if parts else None)
        return [*_page(client, key, folders=True), *_page(client, key, folders=False)]


def _page(client: "Client", folder: str | None, *, folders: bool) -> list[RemoteName]:
    page = client.page(folder, kind="w" if folders else "f", limit=_MOST)
    # A name that cannot be shown as it is must not reach the line that somebody types.
    shown = (one for one in page.objects if one.name and visible(one.name) == one.name)
    return [RemoteName(one.name, one.key if folders else None) for one in shown]


def _known_key(parts: tuple[str, ...], memory: "_Memory") -> str | None:
    """The key of a folder, where the folder above was asked for a moment ago."""
    above = memory.recall(parts[:-1]) if parts else None
    return next((one.folder_key for one in above or () if one.name == parts[-1]), None)


class _Memory:
    """Folders that were asked for lately, in files that only their owner can read."""

    def __init__(self, settings: "Settings") -> None:
        cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        self._folder = Path(cache) / "skyshelf" / "completion"
        user = settings.credentials.user_id if settings.credentials else ""
        self._whose = json.dumps([sorted(settings.hosts.urls.items()), user])

    def recall(self, parts: tuple[str, ...]) -> list[RemoteName] | None:
        """The names of a folder, if they are fresh."""
        path = self._path(parts)
        try:
            if not 0 <= time.time() - path.stat().st_mtime < FRESH_SECONDS:
                return None
            return [RemoteName(*row) for row in json.loads(path.read_text(encoding="utf-8"))]
        except (OSError, ValueError, TypeError):
            return None

    def keep(self, parts: tuple[str, ...], names: list[RemoteName]) -> None:
        """Keep the names of a folder for a while, and forget what is old."""
        with suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            path = self._path(parts)
            new = path.with_suffix(f".{os.getpid()}")
            with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
                json.dump(names, file)
            new.replace(path)
            self._forget_old()

    def _forget_old(self) -> None:
        for path in self._folder.iterdir():
            if time.time() - path.stat().st_mtime > _FORGOTTEN_SECONDS:
                path.unlink(missing_ok=True)

    def _path(self, parts: tuple[str, ...]) -> Path:
        named = json.dumps([self._whose, parts]).encode()
        return self._folder / (hashlib.sha256(named).hexdigest()[:32] + ".json")
