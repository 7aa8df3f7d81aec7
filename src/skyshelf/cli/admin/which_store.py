"""Which store a command works on: said on standard error before anything is changed."""

from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from skyshelf.cli.base.text import safe_line, visible

if TYPE_CHECKING:
    from skyshelf.storage.metadata.store import MetadataStore

_ID_SHOWN = 8


def place_of(url: str) -> str:
    """Where a store is, for people: a path, or a host and a name, without the passwords and keys of the URL."""
    from skyshelf.storage.local_paths import local_path_or_none

    path = local_path_or_none(url)
    if path is not None:
        return str(path)
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def announce(*urls: str, looking: bool, opened: "MetadataStore | None" = None) -> None:
    """Say which store is read or changed; `opened` is its metadata, which knows the identity."""
    named = ", ".join(dict.fromkeys(map(place_of, urls)))
    verb = "Reading" if looking else "Changing"
    known = "" if opened is None else _identity(opened)
    click.echo(safe_line(f"{verb} the store {visible(named)}{known}"), err=True)


def _identity(store: "MetadataStore") -> str:
    from skyshelf.storage.errors import StorageError
    from skyshelf.storage.identity import SETTING, read_identity

    # A store that is damaged there is one that some commands can still read.
    with suppress(StorageError), store.read() as unit:
        found = read_identity(unit.settings.get(SETTING))
        return "" if found is None else f", identity {found.store[:_ID_SHOWN]}"
    return ""
